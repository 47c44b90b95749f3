"""Algebra of kernels: vectors, matrices, quaternions and rotations as tuples."""
