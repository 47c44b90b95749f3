"""SO(3) against power series in forty digits, SciPy, and its own identities."""

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from numpy.testing import assert_allclose
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from poinsot.algebra import rotations as so3
from poinsot.algebra.matrices import matrix
from poinsot.algebra.quaternions import load4
from poinsot.algebra.vectors import vector

PI = np.pi
ANGLES = [0, 1e-300, 1e-12, 1e-8, 2.1e-8, 1e-7, 9e-7, 1e-4, 0.1, 1, 1.99999, 2, 2.00001, 3, PI - 1e-8, PI - 1e-12, PI]
BEYOND = [PI + 1e-8, 4, 3.99999, 4.00001, 5, 6, 6.28, 7, 20]
AXES = np.array([[1, 0, 0], [0, 0, -1], [1, 1, 1], [0.3, -0.5, 0.8], [-1e-3, 1, 1e-6]])
AXES /= np.linalg.norm(AXES, axis=1)[:, None]
vectors = arrays(float, 3, elements=st.floats(-6, 6))


@njit(cache=True)
def stumpff(x):
    return so3.stumpff(x), so3.inverse_coefficients(x)


@njit(cache=True)
def exps(phi):
    return so3.exp_quaternion(vector(phi)), so3.exp_matrix(vector(phi))


@njit(cache=True)
def log_quaternion(q):
    return so3.log_quaternion(load4(q, 0))


@njit(cache=True)
def log_matrix(R):
    return so3.log_matrix(matrix(R))


def exact(array):
    return np.vectorize(mp.mpf, otypes=[object])(array)


def hat(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def series(M, first):
    """Sum of M^k / (k + first)!, in forty digits: the exponential (0) or its Jacobian (1)."""
    with mp.workdps(40):
        term = exact(np.eye(len(M))) / mp.factorial(first)
        total, k = term, first
        while np.max(np.abs(term)) > mp.mpf(10) ** -40:
            k += 1
            term = term.dot(M) / k
            total = total + term
        return total


def error(actual, reference):
    """Largest difference of two arrays; the reference keeps its digits."""
    with mp.workdps(40):
        return float(np.max(np.abs(exact(np.array(actual)) - reference)))


def full_turn_distance(angle):
    """Distance to the nearest angle at which the inverse Jacobian is singular."""
    return abs(angle - 2 * PI * max(1, round(angle / (2 * PI))))


def same_turn(found, phi, atol):
    """The same rotation vector, or the opposite one at half a turn."""
    if np.linalg.norm(phi) > PI - 1e-14 and found @ phi < 0:
        found = -found
    assert_allclose(found, phi, rtol=2e-15, atol=atol)


@pytest.mark.parametrize("angle", [0.0, *ANGLES[2:], *BEYOND])
def test_coefficients_keep_their_relative_accuracy(angle):
    x = float(angle * angle)
    found, (a, c, c_rate) = stumpff(x)
    with mp.workdps(120):
        sums = [sum((-mp.mpf(x)) ** j / mp.factorial(2 * j + k) for j in range(80)) for k in range(8)]
        assert abs(found[0] - sums[0]) < 5e-16
        for k in range(1, 6):
            rounding_of_x = x * abs(k * sums[k + 2] - sums[k + 1]) / 2
            assert abs(found[k] - sums[k]) < 1e-15 * (abs(sums[k]) + rounding_of_x), k

        def c_exact(y):
            h = mp.sqrt(y) / 2
            return (1 - h * mp.cot(h)) / y

        y = mp.mpf(x) if x > 0 else mp.mpf(10) ** -25
        c_rate_exact = (c_exact(y * (1 + mp.mpf(10) ** -20)) - c_exact(y)) / y * 10**20
        blowup = 1 + angle / full_turn_distance(angle)
        assert abs(c - c_exact(y)) < 1e-15 * blowup * abs(c_exact(y))
        assert abs(c_rate - c_rate_exact) < 3e-15 * blowup * abs(c_rate_exact)
        assert abs(a - (1 - y * c_exact(y))) < 1e-15 * blowup * (1 + abs(a))


@pytest.mark.parametrize("angle", ANGLES + BEYOND)
def test_exponential(angle):
    for axis in AXES:
        phi = angle * axis
        q, R = exps(phi)
        E = series(hat(exact(phi)), 0)
        assert error(R, E) < 1e-15
        assert abs(np.linalg.norm(q) - 1) < 4e-16
        assert_allclose(R, expm(hat(phi)), atol=1e-14 * (1 + angle))
        with mp.workdps(40):
            theta = mp.sqrt(exact(phi).dot(exact(phi)))
            k = mp.sin(theta / 2) / theta if theta else mp.mpf(0.5)
            assert error(q[0], mp.cos(theta / 2)) < 1e-15
            for i in range(3):
                assert error(q[1 + i], k * phi[i]) <= 5e-16 * abs(phi[i])


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm(angle):
    for axis in AXES:
        phi = angle * axis
        q, R = map(np.array, exps(phi))
        for scale in (1.0, -1.0, 1e-5, -3e70):
            same_turn(np.array(log_quaternion(scale * q)), phi, 5e-16 * angle)
        same_turn(np.array(log_matrix(R)), phi, 2e-15 * angle)


@pytest.mark.parametrize("w", [0.0, 1e-17, 1e-12, -1e-8, 0.3, -1.0, 1e8, -1e9, 1e170])
def test_logarithm_of_the_very_quaternion(w):
    v = np.array([0.6, -0.3, 0.2])
    with mp.workdps(40):
        n = mp.sqrt(exact(v).dot(exact(v)))
        reference = exact(v) / n * 2 * mp.atan(n / mp.mpf(w)) if w else exact(v) / n * mp.pi
        for sign in (1.0, -1.0 if w else 1.0):
            found = log_quaternion(sign * np.array([w, *v]))
            assert error(found, reference) < 6e-16 * float(max(abs(reference)))


def test_logarithm_of_nothing_is_not_a_number():
    assert np.all(np.isnan(log_quaternion(np.zeros(4))))


@settings(derandomize=True, deadline=None)
@given(vectors)
def test_logarithm_inverts_the_exponential(phi):
    q, R = map(np.array, exps(phi))
    assert_allclose(R, Rotation.from_rotvec(phi).as_matrix(), atol=5e-15)
    for short in (np.array(log_quaternion(q)), np.array(log_matrix(R))):
        assert np.linalg.norm(short) <= PI + 1e-15
        assert_allclose(exps(short)[1], R, atol=5e-15)
        if np.linalg.norm(phi) < PI:
            same_turn(short, phi, 1e-14 * np.linalg.norm(phi))


@njit
def rate_per_velocity(phi):
    return np.array(so3.left_jacobian_inverse(vector(phi)))


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 0.1, 0.5, 2.0, 3.1])
def test_rate_of_the_rotation_vector(angle):
    """Inverse of J = 1 + (1 - cos) / angle^2 hat + (angle - sin) / angle^3 hat^2, taken with 40 digits."""
    rng = np.random.default_rng(1)
    for _ in range(10):
        phi = rng.normal(size=3)
        phi *= angle / np.linalg.norm(phi)
        with mp.workdps(40):
            a = mp.sqrt(sum(mp.mpf(float(x)) ** 2 for x in phi))
            hat = mp.matrix([[0, -phi[2], phi[1]], [phi[2], 0, -phi[0]], [-phi[1], phi[0], 0]])
            J = mp.eye(3) + (1 - mp.cos(a)) / a**2 * hat + (a - mp.sin(a)) / a**3 * hat * hat
            exact = np.array((J**-1).tolist(), float)
        assert np.max(np.abs(rate_per_velocity(phi) - exact)) < 1e-15
