"""Variants as numbers, parts of `places.variant`."""

EULER = 1  # attitudes by Euler angles
