"""The branches of an angle."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.testing import assert_allclose

from poinsot.algebra import plane

angles = st.floats(-1e3, 1e3)


@njit(cache=True)
def unwrapped(angle, old):
    return plane.unwrap(angle, old)


@settings(derandomize=True, deadline=None)
@given(angles, angles)
def test_unwrap(angle, old):
    new = unwrapped(angle, old)
    turns = (new - angle) / (2 * np.pi)
    assert abs(turns - round(turns)) < 1e-12
    assert abs(new - old) <= np.pi + 1e-12
    principal = np.arctan2(np.sin(angle), np.cos(angle))
    assert_allclose(unwrapped(principal, angle), angle, rtol=0, atol=4e-16 * (4 + abs(angle)))


def test_an_angle_followed_over_many_turns_both_ways():
    path = np.concatenate([np.linspace(0, 50, 300), np.linspace(50, -70, 500)])
    followed = 0.0
    for angle in path:
        followed = unwrapped(np.arctan2(np.sin(angle), np.cos(angle)), followed)
        assert abs(followed - angle) < 3e-14


def test_an_angle_next_to_the_old_one_keeps_its_bits():
    for angle in (0.1, -3.1, 3.3, 1e-300):
        assert unwrapped(angle, angle + 3.0) == angle
        assert unwrapped(angle, angle - 3.0) == angle


def test_not_a_number_stays_one():
    assert np.isnan(unwrapped(np.nan, 0.0))
    assert np.isnan(unwrapped(0.0, np.nan))
