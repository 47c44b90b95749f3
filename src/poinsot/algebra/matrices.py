"""3x3 matrices as tuples of rows, and symmetric ones stored as six numbers (xx, yy, zz, xy, xz, yz)."""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.vectors import add, cross, dot, increase3, load3, scale, store3, sub

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ZERO33 = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def transpose(A):
    """Return the transpose."""
    return ((A[0][0], A[1][0], A[2][0]), (A[0][1], A[1][1], A[2][1]), (A[0][2], A[1][2], A[2][2]))


@kernel
def apply(A, v):
    """Return A v."""
    return (dot(A[0], v), dot(A[1], v), dot(A[2], v))


@kernel
def apply_transposed(A, v):
    """Return A' v."""
    return (
        A[0][0] * v[0] + A[1][0] * v[1] + A[2][0] * v[2],
        A[0][1] * v[0] + A[1][1] * v[1] + A[2][1] * v[2],
        A[0][2] * v[0] + A[1][2] * v[1] + A[2][2] * v[2],
    )


@kernel
def matmul(A, B):
    """Return A B."""
    columns = transpose(B)
    return (apply(columns, A[0]), apply(columns, A[1]), apply(columns, A[2]))


@kernel
def plus(A, B):
    """Return A + B."""
    return (add(A[0], B[0]), add(A[1], B[1]), add(A[2], B[2]))


@kernel
def minus(A, B):
    """Return A - B."""
    return (sub(A[0], B[0]), sub(A[1], B[1]), sub(A[2], B[2]))


@kernel
def times(s, A):
    """Return s A."""
    return (scale(s, A[0]), scale(s, A[1]), scale(s, A[2]))


@kernel
def outer(a, b):
    """Return a b'."""
    return (scale(a[0], b), scale(a[1], b), scale(a[2], b))


@kernel
def hat(v):
    """The skew matrix with hat(v) w = v x w."""
    return ((0.0, -v[2], v[1]), (v[2], 0.0, -v[0]), (-v[1], v[0], 0.0))


@kernel
def hat_times(v, A):
    """hat(v) A without the multiplications by zero of a general product."""
    return (
        sub(scale(v[1], A[2]), scale(v[2], A[1])),
        sub(scale(v[2], A[0]), scale(v[0], A[2])),
        sub(scale(v[0], A[1]), scale(v[1], A[0])),
    )


@kernel
def times_hat(A, v):
    """A hat(v): the cross product of every row with v."""
    return (cross(A[0], v), cross(A[1], v), cross(A[2], v))


@kernel
def congruence(E, S):
    """E S E'."""
    return matmul(matmul(E, S), transpose(E))


@kernel
def inverse_symmetric(S):
    """Inverse of a symmetric matrix by cofactors."""
    c00 = S[1][1] * S[2][2] - S[1][2] * S[1][2]
    c01 = S[0][2] * S[1][2] - S[0][1] * S[2][2]
    c02 = S[0][1] * S[1][2] - S[0][2] * S[1][1]
    c11 = S[0][0] * S[2][2] - S[0][2] * S[0][2]
    c12 = S[0][1] * S[0][2] - S[0][0] * S[1][2]
    c22 = S[0][0] * S[1][1] - S[0][1] * S[0][1]
    k = 1.0 / (S[0][0] * c00 + S[0][1] * c01 + S[0][2] * c02)
    return ((k * c00, k * c01, k * c02), (k * c01, k * c11, k * c12), (k * c02, k * c12, k * c22))


@kernel
def column(A, k):
    """Column k, a constant."""
    return (A[0][k], A[1][k], A[2][k])


@kernel
def turn_about_z(B, c, s):
    """B times the rotation about z by the angle whose cosine is c and sine is s."""
    return (
        (c * B[0][0] + s * B[0][1], c * B[0][1] - s * B[0][0], B[0][2]),
        (c * B[1][0] + s * B[1][1], c * B[1][1] - s * B[1][0], B[1][2]),
        (c * B[2][0] + s * B[2][1], c * B[2][1] - s * B[2][0], B[2][2]),
    )


@kernel
def load33(array, k):
    """Nine numbers of a flat array from position k on, row by row."""
    return (load3(array, k), load3(array, k + 3), load3(array, k + 6))


@kernel
def store33(array, k, A):
    """Write a matrix into a flat array from position k on, row by row."""
    store3(array, k, A[0])
    store3(array, k + 3, A[1])
    store3(array, k + 6, A[2])


@kernel
def increase33(array, k, A):
    """Add a matrix to nine numbers of a flat array from position k on."""
    increase3(array, k, A[0])
    increase3(array, k + 3, A[1])
    increase3(array, k + 6, A[2])


@kernel
def load_symmetric(array, k):
    """A symmetric matrix from six numbers of a flat array."""
    xy, xz, yz = array[k + 3], array[k + 4], array[k + 5]
    return ((array[k], xy, xz), (xy, array[k + 1], yz), (xz, yz, array[k + 2]))


@kernel
def store_symmetric(array, k, S):
    """Write the six numbers of a symmetric matrix."""
    store3(array, k, (S[0][0], S[1][1], S[2][2]))
    store3(array, k + 3, (S[0][1], S[0][2], S[1][2]))


@kernel
def increase_symmetric(array, k, S):
    """Add a symmetric matrix to six numbers of a flat array."""
    increase3(array, k, (S[0][0], S[1][1], S[2][2]))
    increase3(array, k + 3, (S[0][1], S[0][2], S[1][2]))


@kernel
def matrix(field):
    """The nine numbers of a record's 3x3 field."""
    return (
        (field[0, 0], field[0, 1], field[0, 2]),
        (field[1, 0], field[1, 1], field[1, 2]),
        (field[2, 0], field[2, 1], field[2, 2]),
    )
