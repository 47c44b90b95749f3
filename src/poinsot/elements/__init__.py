"""Kernels of constraint rows, coordinates and force laws, all defined on frames."""
