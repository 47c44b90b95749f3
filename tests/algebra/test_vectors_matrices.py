"""Vectors and matrices against NumPy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from numpy.testing import assert_allclose, assert_array_equal

from poinsot.algebra import matrices as m
from poinsot.algebra import vectors as v

numbers = st.floats(-1e3, 1e3, allow_subnormal=False)
vectors, squares = arrays(float, 3, elements=numbers), arrays(float, (3, 3), elements=numbers)


@njit(cache=True)
def vector_results(s, a, b):
    a, b = v.vector(a), v.vector(b)
    return (
        v.add(a, b),
        v.sub(a, b),
        v.scale(s, a),
        v.add_scaled(a, s, b),
        v.negate(a),
        v.dot(a, b),
        v.cross(a, b),
    )


@njit(cache=True)
def matrix_results(s, a, A, B):
    a, A, B = v.vector(a), m.matrix(A), m.matrix(B)
    return (
        m.transpose(A),
        m.apply(A, a),
        m.apply_transposed(A, a),
        m.matmul(A, B),
        m.plus(A, B),
        m.minus(A, B),
        m.times(s, A),
        m.outer(A[0], a),
        m.hat(a),
        m.hat_times(a, A),
        m.times_hat(A, a),
        m.congruence(A, B),
        m.column(A, 0),
        m.column(A, 2),
        m.turn_about_z(A, s, a[0]),
    )


@njit(cache=True)
def inverse(S):
    return m.inverse_symmetric(m.matrix(S))


@njit(cache=True)
def through_arrays(source, target):
    v.store3(target, 1, v.load3(source, 1))
    v.increase3(target, 1, v.load3(source, 4))
    m.store33(target, 4, m.load33(source, 4))
    m.increase33(target, 4, m.load33(source, 13))
    m.store_symmetric(target, 13, m.load_symmetric(source, 13))
    m.increase_symmetric(target, 13, m.load_symmetric(source, 19))


def close(actual, expected, size):
    for value, reference in zip(actual, expected, strict=True):
        assert_allclose(value, reference, rtol=0, atol=1e-15 * size)


@settings(derandomize=True, deadline=None)
@given(numbers, vectors, vectors)
def test_vectors(s, a, b):
    expected = (a + b, a - b, s * a, a + s * b, -a, a @ b, np.cross(a, b))
    close(vector_results(s, a, b), expected, 1e7)


@settings(derandomize=True, deadline=None)
@given(numbers, vectors, squares, squares)
def test_matrices(s, a, A, B):
    hat = np.cross(a, np.eye(3), axisb=0, axisc=0)
    turn = np.array([[s, -a[0], 0], [a[0], s, 0], [0, 0, 1]])
    expected = (A.T, A @ a, A.T @ a, A @ B, A + B, A - B, s * A, np.outer(A[0], a), hat, hat @ A, A @ hat)
    expected = (*expected, A @ B @ A.T, A[:, 0], A[:, 2], A @ turn)
    close(matrix_results(s, a, A, B), expected, 1e11)


@settings(derandomize=True, deadline=None)
@given(arrays(float, (3, 3), elements=st.floats(-1, 1, allow_subnormal=False)))
def test_inverse_of_a_symmetric_matrix(A):
    S = A @ A.T + np.eye(3)
    assert_allclose(np.array(inverse(S)) @ S, np.eye(3), atol=1e-14)


def test_loads_and_stores():
    source = np.random.default_rng(1).normal(size=25)
    target, expected = np.zeros(20), np.zeros(20)
    through_arrays(source, target)
    expected[1:4] = source[1:4] + source[4:7]
    expected[4:13] = source[4:13] + source[13:22]
    expected[13:19] = source[13:19] + source[19:25]
    assert_array_equal(target, expected)
