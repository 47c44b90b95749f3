"""Rotations that place bodies."""

import numpy as np
import pytest

from poinsot.model.rotation import matrix, smallest_turn


@pytest.mark.parametrize("off", [0.0, 1e-16, 1e-12, 1e-8, 1e-6, 1e-3, 0.5])
@pytest.mark.parametrize("x", [1.0, -1.0])
def test_the_smallest_turn_is_a_unit_quaternion_in_every_direction(x, off):
    direction = np.array([x, 0.6 * off, -0.8 * off])
    q = np.array(smallest_turn(direction.tolist()))
    assert abs(np.linalg.norm(q) - 1.0) < 4e-16
    assert np.abs(matrix(tuple(q))[:, 0] - direction / np.linalg.norm(direction)).max() < 1e-15
