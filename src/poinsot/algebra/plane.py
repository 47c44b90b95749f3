"""SO(2): angles in rad, rotations as 2x2 matrices, tuples of rows."""

from __future__ import annotations

import math

import numpy as np

from poinsot.algebra.compile import kernel

TURN = 2.0 * math.pi


@kernel
def unwrap(angle, old):
    """The angle nearest to an old one that differs from the given one by whole turns."""
    return angle + TURN * np.rint((old - angle) / TURN)


@kernel
def exp_plane(angle):
    """Rotation by an angle, counterclockwise."""
    c, s = math.cos(angle), math.sin(angle)
    return ((c, -s), (s, c))


@kernel
def log_plane(R):
    """Angle of the rotation nearest to R, in [-pi, pi]; R itself need not be a rotation, nor of unit length."""
    return math.atan2(R[1][0] - R[0][1], R[0][0] + R[1][1])
