"""Quaternions against SciPy's rotations, and their own identities."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from poinsot.algebra import quaternions as q
from poinsot.algebra.matrices import matrix
from poinsot.algebra.vectors import vector

vectors = arrays(float, 3, elements=st.floats(-4, 4, allow_subnormal=False))
quaternions = arrays(float, 4, elements=st.floats(-2, 2, allow_subnormal=False)).filter(lambda a: a @ a > 1e-3)


@njit(cache=True)
def results(a, b, w, A):
    a, b, A = q.load4(a, 0), q.load4(b, 0), matrix(A)
    turned = q.turn_vector_part(A, a)
    return (
        q.multiply(a, b),
        q.conjugate(a),
        q.quaternion_rate(a, vector(w)),
        q.rotation_matrix(a),
        turned,
        q.turn_vector_part_back(A, turned),
    )


@njit(cache=True)
def from_matrix(R):
    return q.from_matrix(matrix(R))


@njit(cache=True)
def copy(source, target):
    q.store4(target, 1, q.load4(source, 2))


def rotation(a):
    return Rotation.from_quat(a, scalar_first=True).as_matrix()


@settings(derandomize=True, deadline=None)
@given(quaternions, quaternions, vectors, quaternions)
def test_quaternions(a, b, w, frame):
    A = rotation(frame)
    product, conjugate, rate, R, turned, back = map(np.array, results(a, b, w, A))
    assert_allclose(rotation(product), rotation(a) @ rotation(b), atol=1e-14)
    assert_allclose(np.linalg.norm(product), np.linalg.norm(a) * np.linalg.norm(b), rtol=1e-14)
    assert_allclose(rotation(conjugate), rotation(a).T, atol=1e-14)
    assert_allclose(R, rotation(a), atol=1e-14)
    assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
    assert_allclose(rotation(turned), A @ rotation(a) @ A.T, atol=1e-14)
    assert_allclose(back, a, atol=1e-14)
    half = np.array([0.0, *w]) / 2
    assert_allclose(rate, results(a, half, w, A)[0], atol=1e-14)
    assert_allclose(a @ rate, 0, atol=1e-14)


def test_rate_turns_with_the_body():
    a, w, h = np.array([0.5, -0.1, 0.7, 0.3]), np.array([0.3, -1.1, 0.4]), 1e-6
    rate = np.array(results(a, a, w, np.eye(3))[2])
    finite = (rotation(a + h * rate) - rotation(a - h * rate)) / (2 * h)
    assert_allclose(finite, rotation(a) @ np.cross(w, np.eye(3), axisb=0, axisc=0), atol=1e-9)


@settings(derandomize=True, deadline=None)
@given(quaternions)
def test_quaternion_of_a_matrix(a):
    a = a / np.linalg.norm(a)
    found = np.array(from_matrix(rotation(a)))
    assert_allclose(found * np.sign(found @ a), a, atol=1e-15)


def test_every_branch_of_the_quaternion_of_a_matrix():
    for k in range(4):
        for small in (0.0, 1e-12, 0.2):
            a = np.full(4, small)
            a[k] = 1.0
            a /= np.linalg.norm(a)
            found = np.array(from_matrix(rotation(a)))
            assert_allclose(found * np.sign(found @ a), a, atol=1e-15)


def test_loads_and_stores():
    source, target = np.arange(7.0), np.zeros(6)
    copy(source, target)
    assert_array_equal(target, [0, 2, 3, 4, 5, 0])
