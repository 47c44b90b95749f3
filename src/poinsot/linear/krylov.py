"""Generalised conjugate residuals: directions with orthonormal images, from which the solution of a linear problem is put together.

S. C. Eisenstat, H. C. Elman and M. H. Schultz (1983). What is left after j directions is what GMRES leaves; but here every direction is kept
with its image, so that both can serve again for an operator nearby. The caller applies the operator. All inner products are weighted.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper
from poinsot.linear.anderson import product

DIRECTIONS = 60  # that are kept at most
CANCELLED = 0.1  # of the length of an image: with less left of it, what is left is not orthogonal to rounding
DEPENDENT = 1e-14  # relative to an image: a smaller remainder after orthogonalisation is a rounding error


def krylov_size(n: int) -> int:
    """Numbers needed for a problem of n unknowns: directions, their images, a triangular matrix, coefficients."""
    m = min(n, DIRECTIONS)
    return 2 * n * m + m * m + m


@helper
def take(room, n, m, j, weights, rest):
    """Take from `rest` what direction j of m can, and note how much of it that is."""
    image = (m + j) * n
    c = product(room, image, rest, 0, n, weights)
    for k in range(n):
        rest[k] -= c * room[image + k]
    room[2 * n * m + m * m + j] = c


@helper
def extend(room, n, m, j, weights):
    """Make the image of direction j, which the caller stored with it, orthogonal to those before; returns whether it is independent of them."""
    image, column = (m + j) * n, 2 * n * m + j * m
    before = sqrt(product(room, image, room, image, n, weights))
    after = before
    for i in range(j):
        room[column + i] = 0.0
    for _ in range(2):
        last = after
        for i in range(j):
            old = (m + i) * n
            c = product(room, old, room, image, n, weights)
            room[column + i] += c
            for k in range(n):
                room[image + k] -= c * room[old + k]
        after = sqrt(product(room, image, room, image, n, weights))
        if after > CANCELLED * last:  # otherwise a second time, for orthogonality to rounding
            break
    if not after > DEPENDENT * before:
        return False
    room[column + j] = after
    for k in range(n):
        room[image + k] /= after
    return True


@helper
def combine(room, n, m, used, out):
    """The combination of the first `used` directions of which was taken what is noted."""
    noted = 2 * n * m + m * m
    for k in range(n):
        out[k] = 0.0
    for j in range(used - 1, -1, -1):
        column = 2 * n * m + j * m
        c = room[noted + j] / room[column + j]
        for i in range(j):
            room[noted + i] -= c * room[column + i]
        for k in range(n):
            out[k] += c * room[j * n + k]
