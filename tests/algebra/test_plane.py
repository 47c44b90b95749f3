"""SO(2) and the branches of an angle."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.testing import assert_allclose

from poinsot.algebra import plane

angles = st.floats(-1e3, 1e3)


@njit(cache=True)
def results(angle, old):
    R = plane.exp_plane(angle)
    return plane.unwrap(angle, old), R, plane.log_plane(R)


@njit(cache=True)
def log_plane(a, b, c, d):
    return plane.log_plane(((a, b), (c, d)))


@settings(derandomize=True, deadline=None)
@given(angles, angles)
def test_unwrap_and_rotation(angle, old):
    new, R, principal = results(angle, old)
    turns = (new - angle) / (2 * np.pi)
    assert abs(turns - round(turns)) < 1e-12
    assert abs(new - old) <= np.pi + 1e-12
    assert_allclose(R, [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], atol=1e-15)
    assert -np.pi <= principal <= np.pi
    assert_allclose(results(principal, angle)[0], angle, rtol=0, atol=4e-16 * (4 + abs(angle)))


def test_an_angle_followed_over_many_turns_both_ways():
    path = np.concatenate([np.linspace(0, 50, 300), np.linspace(50, -70, 500)])
    followed = 0.0
    for angle in path:
        followed = results(np.arctan2(np.sin(angle), np.cos(angle)), followed)[0]
        assert abs(followed - angle) < 3e-14


def test_an_angle_next_to_the_old_one_keeps_its_bits():
    for angle in (0.1, -3.1, 3.3, 1e-300):
        assert results(angle, angle + 3.0)[0] == angle
        assert results(angle, angle - 3.0)[0] == angle


@settings(derandomize=True, deadline=None)
@given(st.floats(-3.1, 3.1), st.floats(0.1, 10), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_logarithm_is_that_of_the_nearest_rotation(angle, size, stretch, shear):
    c, s = np.cos(angle), np.sin(angle)
    M = size * np.array([[c, -s], [s, c]]) @ np.array([[1 + stretch, shear], [shear, 1 - stretch]])
    assert_allclose(log_plane(*M.ravel()), angle, atol=1e-14)


def test_not_a_number_stays_one():
    assert np.isnan(results(np.nan, 0.0)[0])
    assert np.isnan(results(0.0, np.nan)[0])
