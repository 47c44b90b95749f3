"""SE(3) against power series of 4x4 and 6x6 matrices in forty digits."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from numpy.testing import assert_allclose
from scipy.linalg import expm

from poinsot.algebra import motions as se3
from poinsot.algebra.matrices import matrix
from poinsot.algebra.vectors import load3, vector

ANGLES = [0, 1e-300, 1e-12, 1e-8, 1e-4, 0.1, 1, 1.99999, 2.00001, 3, np.pi - 1e-8, np.pi]
BEYOND = [3.99999, 4.00001, 5, 6, 7]
AXES = np.array([[0, 0, -1], [1, 1, 1], [0.3, -0.5, 0.8]])
AXES /= np.linalg.norm(AXES, axis=1)[:, None]
RHO = np.array([0.7, -0.2, 0.4])
twists = arrays(float, 6, elements=st.floats(-3, 3))


@njit(cache=True)
def exp_motion(twist):
    return se3.exp_motion(load3(twist, 0), load3(twist, 3))


@njit(cache=True)
def log_motion(R, p):
    return se3.log_motion(matrix(R), vector(p))


@njit(cache=True)
def jacobians(twist):
    phi, rho = load3(twist, 0), load3(twist, 3)
    return (
        se3.left_jacobian_motion(phi, rho),
        se3.right_jacobian_motion(phi, rho),
        se3.left_jacobian_motion_inverse(phi, rho),
        se3.right_jacobian_motion_inverse(phi, rho),
    )


def hat(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def screw(twist):
    """4x4 generator of the motion."""
    M = np.zeros((4, 4), dtype=twist.dtype)
    M[:3, :3], M[:3, 3] = hat(twist[:3]), twist[3:]
    return M


def adjoint(twist):
    """6x6 matrix of the Lie bracket, twists ordered (angular, linear)."""
    M = np.zeros((6, 6), dtype=twist.dtype)
    M[:3, :3] = M[3:, 3:] = hat(twist[:3])
    M[3:, :3] = hat(twist[3:])
    return M


def series(M, first):
    """Sum of M^k / (k + first)!, in forty digits: the exponential (0) or its left Jacobian (1)."""
    with mp.workdps(40):
        term = np.vectorize(mp.mpf, otypes=[object])(np.eye(len(M))) / mp.factorial(first)
        total, k = term, first
        while np.max(np.abs(term)) > mp.mpf(10) ** -30:
            k += 1
            term = term.dot(M) / k
            total = total + term
        return total


def full(blocks):
    J, Q = blocks
    return np.block([[np.array(J), np.zeros((3, 3))], [np.array(Q), np.array(J)]])


def exact_twist(angle, axis):
    twist = np.array([*(angle * axis), *RHO])
    return twist, np.vectorize(mp.mpf, otypes=[object])(twist)


@pytest.mark.parametrize("angle", ANGLES + BEYOND)
def test_exponential_and_logarithm(angle):
    for axis in AXES:
        twist, exact = exact_twist(angle, axis)
        R, p = exp_motion(twist)
        reference = series(screw(exact), 0)
        assert np.max(np.abs(np.array(R) - reference[:3, :3])) < 1e-15
        assert np.max(np.abs(np.array(p) - reference[:3, 3])) < 1e-15
        if angle <= np.pi:
            phi, rho = map(np.array, log_motion(np.array(R), np.array(p)))
            if angle == np.pi and phi @ axis < 0:  # the opposite half turn is the same motion with another twist
                assert_allclose(exp_motion(np.array([*phi, *rho]))[1], p, atol=3e-15)
            else:
                assert_allclose([*phi, *rho], twist, rtol=1e-15, atol=3e-15)
                assert_allclose(phi, twist[:3], rtol=2e-15, atol=2e-15 * angle)


@pytest.mark.parametrize("angle", ANGLES + BEYOND)
def test_jacobians_and_their_inverses(angle):
    for axis in AXES:
        twist, exact = exact_twist(angle, axis)
        left, right, left_inverse, right_inverse = map(full, jacobians(twist))
        J, J_right = series(adjoint(exact), 1), series(-adjoint(exact), 1)
        assert np.max(np.abs(left - J)) < 1e-15
        assert np.max(np.abs(right - J_right)) < 1e-15
        size = 3 / abs(1 - angle / (2 * np.pi)) ** 3
        assert np.max(np.abs(left_inverse.dot(J) - np.eye(6))) < 1e-15 * size
        assert np.max(np.abs(right_inverse.dot(J_right) - np.eye(6))) < 1e-15 * size


@settings(derandomize=True, deadline=None)
@given(twists, twists)
def test_jacobians_are_the_twists(twist, rate):
    h = 1e-5

    def motion(t):
        R, p = exp_motion(t)
        return np.block([[np.array(R), np.array(p)[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])

    G = motion(twist)
    assert_allclose(G, expm(screw(twist)), atol=1e-13)
    moved = (motion(twist + h * rate) - motion(twist - h * rate)) / (2 * h)
    left, right, *_ = map(full, jacobians(twist))
    assert_allclose(moved, screw(left @ rate) @ G, atol=1e-6)
    assert_allclose(moved, G @ screw(right @ rate), atol=1e-6)
