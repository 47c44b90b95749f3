"""Rotations as matrices, quaternions wxyz, rotation vectors and Euler angles."""

import numpy as np


def skew(a):
    """Matrix of the cross product: skew(a) @ b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def axis_rotation(axis, angle):
    """Rotation matrix about a unit axis."""
    k = skew(axis)
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def quaternion_matrix(q):
    """Rotation matrix of a quaternion wxyz (normalised here)."""
    q = np.asarray(q) / np.linalg.norm(q)
    k = skew(q[1:])
    return np.eye(3) + 2.0 * q[0] * k + 2.0 * k @ k


def matrix_quaternion(r):
    """Quaternion wxyz with w >= 0 of a rotation matrix, from the largest column of 4 q q^T."""
    trace = np.trace(r)
    s = np.empty((4, 4))
    s[0, 0] = 1.0 + trace
    s[1:, 0] = s[0, 1:] = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    s[1:, 1:] = r + r.T + (1.0 - trace) * np.eye(3)
    q = s[np.argmax(np.diag(s))]
    return q / np.linalg.norm(q) * (1.0 if q[0] >= 0.0 else -1.0)


def rotation_log(r):
    """Rotation vector, at most pi long, of a rotation matrix."""
    q = matrix_quaternion(r)
    sine = np.linalg.norm(q[1:])
    return 2.0 * q[1:] if sine < 1e-300 else q[1:] * (2.0 * np.arctan2(sine, q[0]) / sine)


def euler_angles(r):
    """Angles (phi, theta, psi) of a rotation matrix Rz(psi) Ry(theta) Rx(phi), away from theta = +-pi/2."""
    return np.array([np.arctan2(r[2, 1], r[2, 2]), np.arcsin(-r[2, 0]), np.arctan2(r[1, 0], r[0, 0])])
