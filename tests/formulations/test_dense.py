"""Small dense systems against NumPy, with row exchanges."""

import numpy as np
import pytest

from poinsot.algebra.compile import njit
from poinsot.linear.dense import lu_factor, lu_solve, lu_solve_three


@njit
def solve(A, n, pivots, x):
    """Smallest pivot; x becomes A^-1 x. Helpers are called from kernels only."""
    smallest = lu_factor(A, n, pivots)
    lu_solve(A, n, pivots, x)
    return smallest


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_lu_solves_matrices_that_need_exchanges(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        A, x = rng.normal(size=(n, n)), rng.normal(size=n)
        factor, pivots, b = A.ravel().copy(), np.zeros(n), A @ x
        assert solve(factor, n, pivots, b) > 0.0
        assert b == pytest.approx(x, rel=1e-9, abs=1e-9 * np.linalg.cond(A))


def test_lu_notices_singular_matrices():
    A = np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0])
    assert solve(A.ravel().copy(), 3, np.zeros(3), np.zeros(3)) < 1e-12


@njit
def solve_three(n, A, pivots, X):
    smallest = lu_factor(A, n, pivots)
    lu_solve_three(A, n, pivots, X)
    return smallest


def test_three_right_sides_at_once():
    rng = np.random.default_rng(4)
    A, X = rng.normal(size=(9, 9)), rng.normal(size=(9, 3))
    A[0, 0] = 0.0
    found = X.copy()
    solve_three(9, A.copy().ravel(), np.zeros(9), found.ravel())
    np.testing.assert_allclose(found, np.linalg.solve(A, X), rtol=1e-11, atol=1e-12)
