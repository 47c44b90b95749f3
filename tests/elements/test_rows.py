"""Rows on frames that need not be orthonormal: gradients, twists, bias, discrete derivative; each against differences."""

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
def second(kind, u, v, velocity):
    return rows.row_second(kind, vector(u), vector(v), load(velocity))


@njit(cache=True)
def on_twists(kind, u, v, pair, xa, xb):
    loaded = load(pair)
    return frames.twist_rows(loaded, rows.row_gradient(kind, vector(u), vector(v), loaded), vector(xa), vector(xb))


@njit(cache=True)
def bias(kind, u, v, pair, a, b):
    xa, va, wa = load3(a, 0), load3(a, 3), load3(a, 6)
    xb, vb, wb = load3(b, 0), load3(b, 3), load3(b, 6)
    return rows.row_bias(kind, vector(u), vector(v), load(pair), xa, va, wa, xb, vb, wb)


@njit(cache=True)
def on_directors(kind, u, v, body_a, marker_a, body_b, marker_b):
    """Value (c = 0) and gradients on (origin, directors) of two bodies that carry the markers."""
    oa, Da, sa, Ba = load3(body_a, 0), load33(body_a, 3), load3(marker_a, 0), load33(marker_a, 3)
    ob, Db, sb, Bb = load3(body_b, 0), load33(body_b, 3), load3(marker_b, 0), load33(marker_b, 3)
    pa, Aa = frames.marker(oa, Da, sa, Ba)
    pb, Ab = frames.marker(ob, Db, sb, Bb)
    pair, u, v = (pa, Aa, pb, Ab), vector(u), vector(v)
    dpa, dAa, dpb, dAb = rows.row_gradient(kind, u, v, pair)
    row = (frames.director_row(dpa, dAa, sa, Ba), frames.director_row(dpb, dAb, sb, Bb))
    return rows.row_value(kind, u, v, 0.0, pair), row


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


def curvature(f, h=1e-2):
    """Second derivative at 0 by central differences of sixth order."""
    pairs = 270 * (f(h) + f(-h)) - 27 * (f(2 * h) + f(-2 * h)) + 2 * (f(3 * h) + f(-3 * h))
    return (pairs - 490 * f(0)) / (180 * h * h)


def line(kind, u, v, pair, change):
    """Value of a row along a straight line from a pair."""
    return lambda t: value(kind, u, v, 0.7, pair + t * change)


def director_line(kind, u, v, bodies, markers, change):
    """Value of a row along a straight line of both bodies' origins and directors."""

    def along(t):
        a, b = bodies + t * change
        return on_directors(kind, u, v, a, markers[0], b, markers[1])[0]

    return along


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
def test_gradients_and_second_derivatives(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        pair, u, v = rng.normal(size=24), rng.normal(size=3), rng.normal(size=3)
        g = gradient(kind, u, v, pair)
        for k in range(24):
            assert_allclose(g[k], slope(line(kind, u, v, pair, np.eye(24)[k]), 1.0), atol=1e-12)
        velocity = rng.normal(size=24)
        bend = second(kind, u, v, velocity)
        assert_allclose(bend, curvature(line(kind, u, v, pair, velocity), 1.0), atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_discrete_derivative_is_exact(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        a, b, u, v = rng.normal(size=24), rng.normal(size=24), rng.normal(size=3), rng.normal(size=3)
        change = value(kind, u, v, 0.7, b) - value(kind, u, v, 0.7, a)
        terms = gradient(kind, u, v, (a + b) / 2) * (b - a)
        assert abs(change - terms.sum()) < 1e-14 * (1 + np.abs(terms).sum())


@pytest.mark.parametrize("kind", KINDS)
def test_row_on_twists_and_bias_of_two_moving_bodies(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        pair, u, v, a, b = rng.normal(size=24), rng.normal(size=3), rng.normal(size=3), *rng.normal(size=(2, 9))
        along = motion(kind, u, v, pair, a, b)
        row = flat(on_twists(kind, u, v, pair, a[:3], b[:3]))
        assert_allclose(row @ np.concatenate([a[3:], b[3:]]), slope(along), rtol=1e-7, atol=1e-7)
        assert_allclose(bias(kind, u, v, pair, a, b), curvature(along), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_row_on_directors(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        u, v, (bodies, markers) = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(2, 2, 12))
        row = on_directors(kind, u, v, bodies[0], markers[0], bodies[1], markers[1])[1]
        row = np.concatenate([flat(row[0]), flat(row[1])])
        for k in range(24):
            along = director_line(kind, u, v, bodies, markers, np.eye(24)[k].reshape(2, 12))
            assert_allclose(row[k], slope(along, 1.0), atol=1e-11)
