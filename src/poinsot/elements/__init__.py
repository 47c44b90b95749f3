"""Kernels of constraint rows, coordinates and force laws, written once, on frames."""
