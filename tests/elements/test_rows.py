"""Rows on frames that need not be orthonormal: gradients, twists, discrete derivative; each against differences."""

import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.algebra.matrices import load33, store33
from poinsot.algebra.vectors import load3, store3, vector
from poinsot.elements import frames, rows
from poinsot.tables.records import COINCIDE, DISTANCE, DOT, SLIDE

KINDS = [COINCIDE, SLIDE, DOT, DISTANCE]
SAMPLES = range(20)


@njit(cache=True)
def load(pair):
    return load3(pair, 0), load33(pair, 3), load3(pair, 12), load33(pair, 15)


@njit(cache=True)
def value(kind, u, v, c, pair):
    return rows.row_value(kind, vector(u), vector(v), c, load(pair))


@njit(cache=True)
def gradient(kind, u, v, pair):
    result = np.zeros(24)
    dpa, dAa, dpb, dAb = rows.row_gradient(kind, vector(u), vector(v), load(pair))
    store3(result, 0, dpa)
    store33(result, 3, dAa)
    store3(result, 12, dpb)
    store33(result, 15, dAb)
    return result


@njit(cache=True)
def on_twists(kind, u, v, pair, xa, xb):
    loaded = load(pair)
    return frames.twist_rows(loaded, rows.row_gradient(kind, vector(u), vector(v), loaded), vector(xa), vector(xb))


def flat(parts):
    return np.concatenate([np.ravel(part) for part in parts])


def moved(marker, body, t):
    """A marker after the time t on a body (x, v, w) whose velocities are constant."""
    x, v, w = body.reshape(3, 3)
    R = Rotation.from_rotvec(t * w).as_matrix()
    return np.concatenate([x + t * v + R @ (marker[:3] - x), (R @ marker[3:].reshape(3, 3)).ravel()])


def slope(f, h=1e-2):
    """Derivative at 0 by central differences of sixth order; exact to rounding for quadratics."""
    return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h)


def line(kind, u, v, pair, change):
    """Value of a row along a straight line from a pair."""
    return lambda t: value(kind, u, v, 0.7, pair + t * change)


def motion(kind, u, v, pair, a, b):
    """Value of a row in time while two bodies move."""
    return lambda t: value(kind, u, v, 0.7, np.concatenate([moved(pair[:12], a, t), moved(pair[12:], b, t)]))


@pytest.mark.parametrize("kind", KINDS)
def test_values(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        pair, u, v, c = rng.normal(size=24), rng.normal(size=3), rng.normal(size=3), 0.7
        d, Aa, Ab = pair[12:15] - pair[:3], pair[3:12].reshape(3, 3), pair[15:].reshape(3, 3)
        expected = {COINCIDE: d @ u, SLIDE: d @ Aa @ u, DOT: (Aa @ u) @ (Ab @ v) - c, DISTANCE: d @ d - c * c}
        assert_allclose(value(kind, u, v, c, pair), expected[kind], rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        pair, u, v = rng.normal(size=24), rng.normal(size=3), rng.normal(size=3)
        g = gradient(kind, u, v, pair)
        for k in range(24):
            assert_allclose(g[k], slope(line(kind, u, v, pair, np.eye(24)[k]), 1.0), atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_discrete_derivative_is_exact(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        a, b, u, v = rng.normal(size=24), rng.normal(size=24), rng.normal(size=3), rng.normal(size=3)
        change = value(kind, u, v, 0.7, b) - value(kind, u, v, 0.7, a)
        terms = gradient(kind, u, v, (a + b) / 2) * (b - a)
        assert abs(change - terms.sum()) < 1e-14 * (1 + np.abs(terms).sum())


@pytest.mark.parametrize("kind", KINDS)
def test_row_on_twists_of_two_moving_bodies(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        pair, u, v, a, b = rng.normal(size=24), rng.normal(size=3), rng.normal(size=3), *rng.normal(size=(2, 9))
        along = motion(kind, u, v, pair, a, b)
        row = flat(on_twists(kind, u, v, pair, a[:3], b[:3]))
        assert_allclose(row @ np.concatenate([a[3:], b[3:]]), slope(along), rtol=1e-7, atol=1e-7)
