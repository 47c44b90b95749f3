"""Tasks of the kernel of the drives, as numbers in work[TASK]. Apart from the kernel, so that steps do not compile it."""

SET_TARGETS, RESIDUALS, BUILD, SOLVE, POWER = 0.0, 1.0, 2.0, 3.0, 4.0
