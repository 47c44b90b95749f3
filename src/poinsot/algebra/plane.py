"""Angles in a plane, rad."""

from __future__ import annotations

import math

import numpy as np

from poinsot.algebra.compile import kernel

TURN = 2.0 * math.pi


@kernel
def unwrap(angle, old):
    """The angle that differs from the given one by whole turns and is nearest to the old one."""
    return angle + TURN * np.rint((old - angle) / TURN)
