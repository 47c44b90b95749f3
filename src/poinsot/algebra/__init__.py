"""Algebra of kernels: vectors, matrices, quaternions, rotations and motions as tuples."""
