"""Quaternions as tuples (w, x, y, z); a unit quaternion maps body to world: R(p q) = R(p) R(q)."""

from __future__ import annotations

import math

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import apply, apply_transposed


@kernel
def multiply(p, q):
    """Return p q."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1],
    )


@kernel
def conjugate(q):
    """The inverse of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


@kernel
def quaternion_rate(q, omega):
    """q' = q omega / 2, omega in body axes (saetran2018, u' = u omega / 2)."""
    x, y, z = 0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]
    return (
        -q[1] * x - q[2] * y - q[3] * z,
        q[0] * x + q[2] * z - q[3] * y,
        q[0] * y + q[3] * x - q[1] * z,
        q[0] * z + q[1] * y - q[2] * x,
    )


@kernel
def rotation_matrix(q):
    """Rotation matrix of q / |q|: orthogonal whatever the length of q."""
    k = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    x, y, z = k * q[1], k * q[2], k * q[3]
    xx, xy, xz, yy, yz, zz = x * q[1], x * q[2], x * q[3], y * q[2], y * q[3], z * q[3]
    wx, wy, wz = x * q[0], y * q[0], z * q[0]
    return ((1.0 - yy - zz, xy - wz, xz + wy), (xy + wz, 1.0 - xx - zz, yz - wx), (xz - wy, yz + wx, 1.0 - xx - yy))


@kernel
def normalised(q):
    """Return q / |q|."""
    k = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (k * q[0], k * q[1], k * q[2], k * q[3])


@kernel
def from_matrix(R):
    """Unit quaternion of a rotation matrix, by its largest component (Shepperd): accurate for every angle."""
    trace = R[0][0] + R[1][1] + R[2][2]
    if trace >= R[0][0] and trace >= R[1][1] and trace >= R[2][2]:
        s = 2.0 * math.sqrt(1.0 + trace)
        q = (0.25 * s, (R[2][1] - R[1][2]) / s, (R[0][2] - R[2][0]) / s, (R[1][0] - R[0][1]) / s)
    elif R[0][0] >= R[1][1] and R[0][0] >= R[2][2]:
        s = 2.0 * math.sqrt(1.0 + R[0][0] - R[1][1] - R[2][2])
        q = ((R[2][1] - R[1][2]) / s, 0.25 * s, (R[0][1] + R[1][0]) / s, (R[0][2] + R[2][0]) / s)
    elif R[1][1] >= R[2][2]:
        s = 2.0 * math.sqrt(1.0 + R[1][1] - R[0][0] - R[2][2])
        q = ((R[0][2] - R[2][0]) / s, (R[0][1] + R[1][0]) / s, 0.25 * s, (R[1][2] + R[2][1]) / s)
    else:
        s = 2.0 * math.sqrt(1.0 + R[2][2] - R[0][0] - R[1][1])
        q = ((R[1][0] - R[0][1]) / s, (R[0][2] + R[2][0]) / s, (R[1][2] + R[2][1]) / s, 0.25 * s)
    return normalised(q)


@kernel
def turn_vector_part(A, q):
    """The same rotation in axes A: vector part A v."""
    v = apply(A, (q[1], q[2], q[3]))
    return (q[0], v[0], v[1], v[2])


@kernel
def turn_vector_part_back(A, q):
    """Inverse of `turn_vector_part`: vector part A' v."""
    v = apply_transposed(A, (q[1], q[2], q[3]))
    return (q[0], v[0], v[1], v[2])


@kernel
def load4(array, k):
    """Four numbers of a flat array from position k on."""
    return (array[k], array[k + 1], array[k + 2], array[k + 3])


@kernel
def store4(array, k, q):
    """Write a quaternion into a flat array from position k on."""
    array[k] = q[0]
    array[k + 1] = q[1]
    array[k + 2] = q[2]
    array[k + 3] = q[3]
