"""Rotations that place bodies."""

import numpy as np
import pytest

import poinsot as po
from poinsot.model.rotation import matrix, quaternion, smallest_turn


@pytest.mark.parametrize("off", [0.0, 1e-16, 1e-12, 1e-8, 1e-6, 1e-3, 0.5])
@pytest.mark.parametrize("x", [1.0, -1.0])
def test_the_smallest_turn_is_a_unit_quaternion_in_every_direction(x, off):
    direction = np.array([x, 0.6 * off, -0.8 * off])
    q = np.array(smallest_turn(direction.tolist()))
    assert abs(np.linalg.norm(q) - 1.0) < 4e-16
    assert np.abs(matrix(tuple(q))[:, 0] - direction / np.linalg.norm(direction)).max() < 1e-15


@pytest.mark.parametrize("kind", [list, tuple, np.array])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_lists_of_rotations_that_are_all_numbers(kind, count):
    """A list of quaternions or of rotation vectors is the product of its parts, as any other list."""
    rng = np.random.default_rng(count)
    for length in (3, 4):
        parts = rng.normal(size=(count, length))
        parts = parts if length == 3 else parts / np.linalg.norm(parts, axis=1, keepdims=True)
        expected = np.eye(3)
        for part in parts:
            expected = expected @ matrix(quaternion(kind(part.tolist()), "a"))
        assert matrix(quaternion([kind(part.tolist()) for part in parts], "a")) == pytest.approx(expected, abs=1e-14)
    turns = [matrix(quaternion(v, "a")) for v in rng.normal(size=(count, 3))]
    expected = np.linalg.multi_dot([np.eye(3), *turns, np.eye(3)])
    assert matrix(quaternion([kind(turn.tolist()) for turn in turns], "a")) == pytest.approx(expected, abs=1e-14)


def test_three_rotation_vectors_look_like_a_matrix():
    with pytest.raises(po.ModelError, match="write three rotation vectors as"):
        quaternion([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]], "a")
