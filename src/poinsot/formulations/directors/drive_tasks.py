"""Tasks of the kernel of the drives, as numbers in the work array. Apart from the kernel, so that steps do not compile it."""

SET_TARGETS, DRIVE_RESIDUALS, BUILD_RESPONSES, SOLVE_EFFORTS, ADD_POWERS = 0.0, 1.0, 2.0, 3.0, 4.0
