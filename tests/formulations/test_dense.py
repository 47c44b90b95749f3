"""Small dense systems against NumPy, with row exchanges."""

import numpy as np
import pytest

from poinsot.linear.dense import lu_factor, lu_solve


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_lu_solves_matrices_that_need_exchanges(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        A, x = rng.normal(size=(n, n)), rng.normal(size=n)
        factor, pivots, b = A.ravel().copy(), np.zeros(n), A @ x
        assert lu_factor(factor, n, pivots) > 0.0
        lu_solve(factor, n, pivots, b)
        assert b == pytest.approx(x, rel=1e-9, abs=1e-9 * np.linalg.cond(A))


def test_lu_notices_singular_matrices():
    A = np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 2.0])
    assert lu_factor(A.ravel().copy(), 3, np.zeros(3)) < 1e-12 and lu_factor(np.zeros(4), 2, np.zeros(2)) == 0.0
