"""Contacts: values against geometry, rates and second derivatives against differences of positions and of velocities."""

import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar
from scipy.spatial.transform import Rotation

from elements.test_scalars import moved
from poinsot.elements.contacts import DESCRIPTION, contact_solution
from poinsot.elements.serial import GRADIENT, ROOM, SECOND_DERIVATIVE, TWISTS, VALUES
from poinsot.elements.states import POSE
from poinsot.tables.records import EDGE, SLIP, STILL, TOUCH

KINDS = {"touch": TOUCH, "slip": SLIP, "edge": EDGE, "spin": STILL}


@njit
def solve(kind, poses, data, out):
    contact_solution(kind, poses, data, out)


def solution(kind, poses, data, twists):
    """Value, gradient and second derivative."""
    out = np.zeros(ROOM)
    out[TWISTS : TWISTS + 12] = twists
    solve(kind, poses, data, out)
    return out[VALUES], out[GRADIENT : GRADIENT + 12].copy(), out[SECOND_DERIVATIVE]


def example(rng, sphere=False):
    """Two bodies, and a description of a contact between them: a disc, or a sphere."""
    poses = np.concatenate([np.r_[rng.normal(size=3), Rotation.random(random_state=rng).as_matrix().ravel()] for _ in range(2)])
    n = Rotation.random(random_state=rng).as_matrix()
    axis = np.zeros(3) if sphere else Rotation.random(random_state=rng).as_matrix()[0]
    data = np.r_[0, 1, rng.normal(size=6), n[0], n[1], axis, 0.3]
    assert len(data) == DESCRIPTION
    return poses, data


def parts(poses, data):
    """Points of both bodies, normal and axis, in the world."""
    (xa, DA), (xb, DB) = ((poses[k : k + 3], poses[k + 3 : k + POSE].reshape(3, 3)) for k in (0, POSE))
    return xa + DA @ data[2:5], xb + DB @ data[5:8], DA @ data[8:11], DA @ data[11:14], DB @ data[14:17]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sphere", [False, True])
def test_the_height_is_that_of_the_lowest_point(sphere, seed):
    poses, data = example(np.random.default_rng(seed), sphere)
    pa, pb, n, t, f = parts(poses, data)
    if sphere:
        lowest = (pb - pa) @ n - data[17]
    else:
        u = np.cross(f, t) / np.linalg.norm(np.cross(f, t))
        v = np.cross(f, u)
        found = [minimize_scalar(lambda a: (pb + data[17] * (np.cos(a) * u + np.sin(a) * v) - pa) @ n, (c, c + 1), tol=1e-14).fun for c in (0, 2, 4)]
        lowest = min(found)
    assert solution(TOUCH, poses, data, np.zeros(12))[0] == pytest.approx(lowest, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sphere", [False, True])
@pytest.mark.parametrize("name", KINDS)
def test_rates_and_second_derivatives(name, sphere, seed):
    """Bodies move with constant twists: the rate is the derivative of the value, where there is one, and its own derivative the bias."""
    rng = np.random.default_rng(seed)
    poses, data = example(rng, sphere)
    if sphere and name == "edge":
        data[14:17] = [0.6, 0.0, 0.8]
    twists, h = rng.normal(size=12), 2e-3
    states = [moved(poses, twists, k * h) for k in range(-3, 4)]
    rates = [solution(KINDS[name], state, data, twists)[1] @ twists for state in states]
    bend = (45 * (rates[4] - rates[2]) - 9 * (rates[5] - rates[1]) + rates[6] - rates[0]) / (60 * h)
    assert_allclose(solution(KINDS[name], poses, data, twists)[2], bend, rtol=1e-7, atol=1e-7)
    if name == "touch":
        f = [solution(TOUCH, state, data, twists)[0] for state in states]
        slope = (45 * (f[4] - f[2]) - 9 * (f[5] - f[1]) + f[6] - f[0]) / (60 * h)
        assert_allclose(rates[3], slope, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_slip_is_the_relative_velocity_of_the_bodies_where_they_touch(seed):
    rng = np.random.default_rng(seed)
    poses, data = example(rng)
    twists = rng.normal(size=12)
    pa, pb, n, t, f = parts(poses, data)
    down = n - (n @ f) * f
    contact = pb - data[17] * down / np.linalg.norm(down)

    def velocity(k, point):
        return twists[6 * k : 6 * k + 3] + np.cross(twists[6 * k + 3 : 6 * k + 6], point - poses[POSE * k : POSE * k + 3])

    found = {name: solution(kind, poses, data, twists)[1] @ twists for name, kind in KINDS.items()}
    assert found["slip"] == pytest.approx(t @ (velocity(1, contact) - velocity(0, contact)), abs=1e-13)
    assert found["edge"] == pytest.approx(f @ (velocity(1, pb) - velocity(0, pb)), abs=1e-13)
    assert found["spin"] == pytest.approx(n @ (twists[9:] - twists[3:6]), abs=1e-13)
