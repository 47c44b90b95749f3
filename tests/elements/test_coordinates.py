"""Coordinates on frames that need not be orthonormal: values, gradients, and the branch of an angle."""

import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.algebra.matrices import load33
from poinsot.algebra.vectors import load3, vector
from poinsot.elements import coordinates, frames
from poinsot.elements.coordinates import ANGLE, DISPLACEMENT, HALF_SQUARED_DISTANCE, X, Y, Z

KINDS = [DISPLACEMENT, HALF_SQUARED_DISTANCE, ANGLE]
SAMPLES = range(20)


@njit(cache=True)
def load(pair):
    return load3(pair, 0), load33(pair, 3), load3(pair, 12), load33(pair, 15)


@njit(cache=True)
def value(kind, u, v, old, pair):
    return coordinates.coordinate_value(kind, vector(u), vector(v), old, load(pair))


@njit(cache=True)
def gradient(kind, u, v, pair):
    return coordinates.coordinate_gradient(kind, vector(u), vector(v), load(pair))


@njit(cache=True)
def on_twists(kind, u, v, pair, a, b):
    """Row on the twists of two bodies, each (x, v, w)."""
    loaded, u, v = load(pair), vector(u), vector(v)
    return frames.twist_rows(loaded, coordinates.coordinate_gradient(kind, u, v, loaded), load3(a, 0), load3(b, 0))


def flat(parts):
    return np.concatenate([np.ravel(part) for part in parts])


def moved(marker, body, t):
    """A marker after the time t on a body (x, v, w) whose velocities are constant."""
    x, v, w = body.reshape(3, 3)
    R = Rotation.from_rotvec(t * w).as_matrix()
    return np.concatenate([x + t * v + R @ (marker[:3] - x), (R @ marker[3:].reshape(3, 3)).ravel()])


def slope(f, h):
    """Derivative at 0 by central differences of sixth order."""
    return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h)


def line(kind, u, v, old, pair, change):
    """Value of a coordinate along a straight line from a pair."""
    return lambda t: value(kind, u, v, old, pair + t * change)


def motion(kind, u, v, old, pair, a, b):
    """Value of a coordinate in time while two bodies move."""
    return lambda t: value(kind, u, v, old, np.concatenate([moved(pair[:12], a, t), moved(pair[12:], b, t)]))


def frames_turned_by(Aa, turn):
    return np.concatenate([np.zeros(3), Aa.ravel(), np.zeros(3), (Aa @ turn.as_matrix()).ravel()])


def frame(rng):
    """A perpendicular unit pair u, v and a pair of markers that are turned about u x v and then disturbed."""
    u, v, n = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    Aa = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    turn = Rotation.from_rotvec(rng.uniform(-3, 3) * n)
    return u, v, frames_turned_by(Aa, turn) + 0.15 * rng.normal(size=24)


def test_displacement_and_distance():
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        u, v, pair = frame(rng)
        d, Aa = pair[12:15] - pair[:3], pair[3:12].reshape(3, 3)
        assert_allclose(value(DISPLACEMENT, u, v, 0.0, pair), d @ Aa @ u, atol=1e-14)
        assert_allclose(value(HALF_SQUARED_DISTANCE, u, v, 0.0, pair), d @ d / 2, atol=1e-14)
        for k, axis in enumerate((X, Y, Z)):
            assert_allclose(value(DISPLACEMENT, np.array(axis), v, 0.0, pair), d @ Aa[:, k], atol=1e-14)


def test_angle_of_a_turn_is_followed_over_many_turns():
    rng = np.random.default_rng(3)
    u, v, _ = frame(rng)
    n = np.cross(u, v)
    Aa = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    old = 0.0
    for angle in np.concatenate([np.linspace(0, 30, 100), np.linspace(30, -30, 200)]):
        old = value(ANGLE, u, v, old, frames_turned_by(Aa, Rotation.from_rotvec(angle * n)))
        assert abs(old - angle) < 2e-14


def test_angle_is_the_first_of_a_universal_joint():
    rng = np.random.default_rng(4)
    u, v, _ = frame(rng)
    n = np.cross(u, v)
    Aa = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    for angle, second_angle in rng.uniform(-3, 3, size=(20, 2)):
        turn = Rotation.from_rotvec(angle * n) * Rotation.from_rotvec(second_angle * u)
        assert_allclose(value(ANGLE, u, v, 0.0, frames_turned_by(Aa, turn)), angle, atol=1e-14)


def test_angle_does_not_depend_on_the_lengths_of_the_axes():
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        u, v, pair = frame(rng)
        longer = pair.copy()
        longer[3:12] *= 1.7
        longer[15:] *= 0.2
        assert_allclose(value(ANGLE, u, v, 0.0, longer), value(ANGLE, u, v, 0.0, pair), atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_and_second_derivatives(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        u, v, pair = frame(rng)
        old, g = value(kind, u, v, 0.0, pair), flat(gradient(kind, u, v, pair))
        for k in range(24):
            along = line(kind, u, v, old, pair, np.eye(24)[k])
            assert_allclose(g[k], slope(along, 3e-3), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_row_on_twists_of_two_moving_bodies(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        u, v, pair = frame(rng)
        a, b = rng.normal(size=(2, 9))
        along = motion(kind, u, v, value(kind, u, v, 0.0, pair), pair, a, b)
        row = on_twists(kind, u, v, pair, a, b)
        assert_allclose(flat(row) @ np.concatenate([a[3:], b[3:]]), slope(along, 3e-3), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("kind", [DISPLACEMENT, HALF_SQUARED_DISTANCE])
def test_midpoint_gradient_is_the_exact_discrete_derivative_of_quadratics(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        u, v, a = frame(rng)
        b = a + rng.normal(size=24)
        change = value(kind, u, v, 0.0, b) - value(kind, u, v, 0.0, a)
        terms = flat(gradient(kind, u, v, (a + b) / 2)) * (b - a)
        assert abs(change - terms.sum()) < 1e-14 * (1 + np.abs(terms).sum())


def test_angle_at_the_end_of_the_branch_is_smooth():
    u, v, n = np.eye(3)
    for angle in (np.pi - 1e-9, np.pi, np.pi + 1e-9):
        pair = frames_turned_by(np.eye(3), Rotation.from_rotvec(angle * n))
        assert_allclose(value(ANGLE, u, v, 3.0, pair), angle, atol=1e-15)
        still = np.zeros(9)
        row = on_twists(ANGLE, u, v, pair, still, still)
        assert_allclose(flat(row), [0, 0, 0, *-n, 0, 0, 0, *n], atol=1e-15)
