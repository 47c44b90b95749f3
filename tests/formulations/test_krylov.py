"""Solutions that are put together from directions: against dense ones, and directions that serve again for an operator nearby."""

import numpy as np
import pytest
from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.linear.krylov import combine, extend, krylov_size, take
from poinsot.tables.types import FLOATS

N = 12
RNG = np.random.default_rng(11)
NEAR_ONE = np.eye(N) + 0.15 * RNG.normal(size=(N, N))
WEIGHTS = RNG.uniform(0.5, 2.0, N)


@compiled(int64(FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, int64, float64))
def solved(room, matrix, weights, rest, x, kept, part):
    """Solve until only a part of what is wanted is left in `rest`, with `kept` directions that are known; returns how many are known then."""
    n = rest.shape[0]
    whole = 0.0
    for k in range(n):
        whole += weights[k] * rest[k] * rest[k]
    for j in range(kept):
        take(room, n, n, j, weights, rest)
    known = kept
    while known < n:
        left = 0.0
        for k in range(n):
            left += weights[k] * rest[k] * rest[k]
        if left <= part * part * whole:
            break
        for k in range(n):
            room[known * n + k] = rest[k]
        for i in range(n):
            total = 0.0
            for k in range(n):
                total += matrix[i * n + k] * room[known * n + k]
            room[(n + known) * n + i] = total
        if not extend(room, n, n, known, weights):
            break
        take(room, n, n, known, weights, rest)
        known += 1
    combine(room, n, n, known, x)
    return known


def solution(room, matrix, right, kept=0, part=0.0):
    x, rest = np.full(N, np.nan), right.copy()
    known = solved(room, matrix.ravel(), WEIGHTS, rest, x, kept, part)
    return x, rest, known


def test_against_a_dense_solution():
    right = RNG.normal(size=N)
    x, rest, known = solution(np.full(krylov_size(N), np.nan), NEAR_ONE, right)
    np.testing.assert_allclose(x, np.linalg.solve(NEAR_ONE, right), rtol=1e-11, atol=1e-11)
    assert known == N and np.abs(rest).max() < 1e-13


@pytest.mark.parametrize("part", [0.3, 0.01])
def test_what_is_left_is_least(part):
    """No combination of powers of the matrix leaves less, and that is what is noted as left."""
    right = RNG.normal(size=N)
    x, rest, known = solution(np.full(krylov_size(N), np.nan), NEAR_ONE, right, part=part)
    np.testing.assert_allclose(right - NEAR_ONE @ x, rest, atol=1e-13)
    powers = np.stack([np.linalg.matrix_power(NEAR_ONE, k + 1) @ right for k in range(known)], axis=1)
    root = np.sqrt(WEIGHTS)
    least = np.linalg.lstsq(root[:, None] * powers, root * right)[0]
    assert 0 < known < N
    np.testing.assert_allclose(rest, right - powers @ least, atol=1e-10)


def test_directions_serve_again():
    """For a matrix 1e-4 away, all that the old directions reach is left as 1e-4 of itself."""
    room = np.full(krylov_size(N), np.nan)
    known = solution(room, NEAR_ONE, RNG.normal(size=N))[2]
    nearby = NEAR_ONE + 1e-4 * RNG.normal(size=(N, N))
    right = RNG.normal(size=N)
    x, rest, again = solution(room, nearby, right, kept=known)
    assert again == known == N and np.abs(rest).max() < 1e-12
    assert 0.0 < np.abs(right - nearby @ x).max() < 5e-3 * np.abs(right).max()
