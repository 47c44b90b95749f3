"""Variants as numbers, parts of `places.variant`. Apart from the kernels, so that they are compiled only when a variant is chosen."""

ONE_STEP, FROZEN, UNPROJECTED = 1, 2, 4
