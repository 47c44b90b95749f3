"""The numbers of the methods satisfy the conditions that define them."""

from fractions import Fraction

import numpy as np
import pytest

from poinsot.integrators import find
from poinsot.integrators.explicit import COARSE_ERROR, DENSE, ERROR, HEADER, NODES, STAGES, WEIGHTS, WIDTH
from poinsot.integrators.gauss_tableau import gauss_tableau


def table(name):
    constants = find(name).constants
    width = int(constants[WIDTH])
    rows = constants[HEADER:].reshape(-1, width)
    return rows[:width], rows[width:], int(constants[STAGES])


@pytest.mark.parametrize("s", [1, 2, 3, 4])
def test_gauss_satisfies_butchers_conditions(s):
    a, b, c, _ = gauss_tableau(s)
    for k in range(1, 2 * s + 1):
        assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=2e-16)  # B(2s)
    for k in range(1, s + 1):
        np.testing.assert_allclose(a @ c ** (k - 1), c**k / k, rtol=0, atol=2e-16)  # C(s)
    symplectic = b[:, None] * a + (b[:, None] * a).T - np.outer(b, b)
    assert np.abs(symplectic).max() < 3e-17


def test_gauss_entries_are_correctly_rounded():
    a, b, c, _ = gauss_tableau(2)
    root = np.sqrt(np.longdouble(3))
    assert [float(x) for x in (1 / np.longdouble(2) - root / 6, 1 / np.longdouble(2) + root / 6)] == list(c)
    assert a[0, 0] == 0.25 and a[1, 0] == float(1 / np.longdouble(4) + root / 6)
    assert list(gauss_tableau(3)[1]) == [float(Fraction(5, 18)), float(Fraction(4, 9)), float(Fraction(5, 18))]


@pytest.mark.parametrize("s", [1, 2, 3, 4])
def test_barycentric_weights_extrapolate_polynomials(s):
    _, _, c, w = gauss_tableau(s)
    x = 2.3
    factors = w * [np.prod(np.delete(x - c, j)) for j in range(s)]
    for k in range(s):
        assert factors @ c**k == pytest.approx(x**k, rel=1e-12)


@pytest.mark.parametrize("name", ["rk4", "dopri5", "dop853"])
def test_explicit_tableau(name):
    order = find(name).order
    a, rows, stages = table(name)
    b, c = rows[WEIGHTS], rows[NODES]
    assert not np.triu(a).any()
    np.testing.assert_allclose(a.sum(axis=1), c, rtol=0, atol=2e-14)
    assert not b[stages:].any()
    for k in range(1, order + 1):
        assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=5e-15)  # quadrature
    inner = a @ c
    chains = {3: (b @ inner, 1 / 6), 4: (b @ (a @ inner), 1 / 24), 5: (b @ (a @ (a @ inner)), 1 / 120)}
    chains[6] = (b @ (a @ (a @ (a @ inner))), 1 / 720)
    bushes = {4: (b @ (c * inner), 1 / 8), 5: (b @ (inner * inner), 1 / 20), 6: (b @ (c * inner * inner), 1 / 24)}
    for conditions in (chains, bushes):
        for k, (found, exact) in conditions.items():
            if k <= order:
                assert found == pytest.approx(exact, abs=5e-15)
    if name != "rk4":
        assert (a[stages] == b).all() and c[stages] == 1.0


@pytest.mark.parametrize(("name", "fine", "coarse"), [("dopri5", 4, None), ("dop853", 5, 3)])
def test_error_estimators_vanish_up_to_their_order(name, fine, coarse):
    _, rows, _ = table(name)
    c = rows[NODES]
    for row, order in ((rows[ERROR], fine), (rows[COARSE_ERROR], coarse)):
        if order is None:
            assert not row.any()
        else:
            moments = [row @ c ** (k - 1) for k in range(1, order + 2)]
            assert np.abs(moments[:-1]).max() < 1e-14
            assert abs(moments[-1]) > 1e-5


@pytest.mark.parametrize(("name", "order"), [("dopri5", 4), ("dop853", 7)])
@pytest.mark.parametrize("x", [0.2, 0.5, 0.9])
def test_dense_output_integrates_powers(name, order, x):
    a, rows, stages = table(name)
    b, c, width = rows[WEIGHTS], rows[NODES], len(a)
    first, last = np.eye(width)[0], np.eye(width)[stages]
    parts = [b, first - b, 2 * b - first - last, *rows[DENSE:]]
    weights = np.zeros(width)
    for k in reversed(range(len(parts))):
        weights = (weights + parts[k]) * (x if k % 2 == 0 else 1 - x)
    for k in range(1, order + 1):
        assert weights @ c ** (k - 1) == pytest.approx(x**k / k, abs=1e-13)
    assert weights @ (a @ c) == pytest.approx(x**3 / 6, abs=1e-13)
    assert weights @ (a @ (a @ c)) == pytest.approx(x**4 / 24, abs=1e-13)
