"""Anderson acceleration of a fixed-point iteration z <- z + f(z), with a short history of differences.

The next z is the one that the last differences of z and f predict to have the smallest f (D. G. Anderson 1965; type II of
H. Fang and Y. Saad 2009). On linear problems it is equivalent to GMRES: a few slowly converging directions no longer slow it down.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper

KEPT = 5  # largest number of stored differences


def anderson_size(n: int) -> int:
    """Numbers needed for a problem of n unknowns: last z and f, differences, a basis, and small matrices."""
    return 2 * n + 3 * KEPT * n + KEPT * KEPT + 2 * KEPT


@helper
def product(a, i, b, j, n, weights):
    """Weighted inner product of the vectors that begin at i in a and at j in b, in four sums that do not wait for each other."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = n - n % 4
    for k in range(0, whole, 4):
        s0 += weights[k] * a[i + k] * b[j + k]
        s1 += weights[k + 1] * a[i + k + 1] * b[j + k + 1]
        s2 += weights[k + 2] * a[i + k + 2] * b[j + k + 2]
        s3 += weights[k + 3] * a[i + k + 3] * b[j + k + 3]
    for k in range(whole, n):
        s0 += weights[k] * a[i + k] * b[j + k]
    return (s0 + s1) + (s2 + s3)


@helper
def note(room, n, count, z, f):
    """Store the differences of z and f from the last ones, if there were any (count > 0), and then z and f themselves."""
    if count > 0:
        at = (count - 1) % KEPT
        dz, df = 2 * n + at * n, 2 * n + (KEPT + at) * n
        for k in range(n):
            room[dz + k] = z[k] - room[k]
            room[df + k] = f[k] - room[n + k]
    for k in range(n):
        room[k], room[n + k] = z[k], f[k]


@helper
def accelerate(room, n, count, weights, z, f):
    """z <- z + f, corrected by the stored differences (`count` so far, at most KEPT of them used)."""
    known = min(count, KEPT)
    basis, matrix = 2 * n + 2 * KEPT * n, 2 * n + 3 * KEPT * n
    right = matrix + KEPT * KEPT
    used = 0
    for j in range(known):  # Gram-Schmidt, newest difference first
        df = 2 * n + (KEPT + (count - 1 - j) % KEPT) * n
        q = basis + j * n
        for k in range(n):
            room[q + k] = room[df + k]
        before = sqrt(product(room, q, room, q, n, weights))
        for i in range(j):
            c = product(room, basis + i * n, room, q, n, weights)
            room[matrix + i * KEPT + j] = c
            for k in range(n):
                room[q + k] -= c * room[basis + i * n + k]
        size = sqrt(product(room, q, room, q, n, weights))
        if not size > 1e-8 * before:
            break
        room[matrix + j * KEPT + j] = size
        for k in range(n):
            room[q + k] /= size
        room[right + j] = product(room, q, f, 0, n, weights)
        used = j + 1
    for j in range(used - 1, -1, -1):
        c = room[right + j]
        for i in range(j + 1, used):
            c -= room[matrix + j * KEPT + i] * room[right + KEPT + i]
        room[right + KEPT + j] = c / room[matrix + j * KEPT + j]
    for k in range(n):
        z[k] += f[k]
    for j in range(used):
        at = (count - 1 - j) % KEPT
        dz, df, c = 2 * n + at * n, 2 * n + (KEPT + at) * n, room[right + KEPT + j]
        for k in range(n):
            z[k] -= c * (room[dz + k] + room[df + k])
