"""The parts of GMRES: a growing orthonormal basis, its Hessenberg matrix reduced to triangular form by rotations, and the solution.

Y. Saad and M. H. Schultz (1986), without restarts. The caller applies the operator. All inner products are weighted.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper
from poinsot.linear.anderson import product

VECTORS = 60  # largest size of the basis
DEPENDENT = 1e-14  # relative to a vector: a smaller remainder after orthogonalisation is a rounding error


def krylov_vectors(n: int) -> int:
    """Largest size of the basis for a problem of n unknowns."""
    return min(n, VECTORS)


def krylov_size(n: int) -> int:
    """Numbers needed for a problem of n unknowns: basis, triangular matrix, rotations, right side, coefficients."""
    m = krylov_vectors(n)
    return (m + 1) * n + m * (m + 1) + 4 * m + 1


@helper
def begin(room, n, weights, source):
    """Start from the vector `source`; returns its length."""
    length = sqrt(product(source, 0, source, 0, n, weights))
    scale = 1.0 / length if length > 0.0 else 0.0
    for k in range(n):
        room[k] = scale * source[k]
    return length


@helper
def extend(room, n, m, j, length, weights):
    """Add the image of basis vector j, which the caller stored as vector j + 1, to the basis.

    `length` is that of the start vector; returns the length of the smallest residual over combinations of the images so far.
    """
    matrix = (m + 1) * n
    cosine = matrix + m * (m + 1)
    sine, right = cosine + m, cosine + 2 * m
    own, new = matrix + j * (m + 1), (j + 1) * n
    if j == 0:
        room[right] = length
    before = sqrt(product(room, new, room, new, n, weights))
    for i in range(j + 2):
        room[own + i] = 0.0
    for i in range(2 * (j + 1)):  # twice, for orthogonality to rounding
        old = (i % (j + 1)) * n
        c = product(room, old, room, new, n, weights)
        room[own + i % (j + 1)] += c
        for k in range(n):
            room[new + k] -= c * room[old + k]
    rest = sqrt(product(room, new, room, new, n, weights))
    if not rest > DEPENDENT * before:
        rest = 0.0
    scale = 1.0 / rest if rest > 0.0 else 0.0
    for k in range(n):
        room[new + k] *= scale
    for i in range(j):
        a, b = room[own + i], room[own + i + 1]
        room[own + i] = room[cosine + i] * a + room[sine + i] * b
        room[own + i + 1] = room[cosine + i] * b - room[sine + i] * a
    a = room[own + j]
    r = sqrt(a * a + rest * rest)
    room[cosine + j], room[sine + j] = (a / r, rest / r) if r > 0.0 else (1.0, 0.0)
    room[own + j] = r
    room[right + j + 1] = -room[sine + j] * room[right + j]
    room[right + j] *= room[cosine + j]
    return abs(room[right + j + 1])


@helper
def combine(room, n, m, used, out):
    """The combination of the first `used` basis vectors whose image is nearest to the start vector."""
    matrix = (m + 1) * n
    right = matrix + m * (m + 1) + 2 * m
    found = right + m + 1
    for j in range(used - 1, -1, -1):
        c = room[right + j]
        for i in range(j + 1, used):
            c -= room[matrix + i * (m + 1) + j] * room[found + i]
        pivot = room[matrix + j * (m + 1) + j]
        room[found + j] = c / pivot if pivot > 0.0 else 0.0
    for k in range(n):
        out[k] = 0.0
    for j in range(used):
        c = room[found + j]
        for k in range(n):
            out[k] += c * room[j * n + k]
