"""The classical method of Kutta (1901): order 4, four stages, fixed steps. It conserves nothing exactly."""

from __future__ import annotations

import numpy as np

from poinsot.integrators.contract import Method
from poinsot.integrators.explicit import explicit_step, in_lanes, tableau


def method() -> Method:
    """The classical fourth-order method."""
    coefficients = np.diag([1 / 2, 1 / 2, 1.0], -1)
    return Method(
        name="rk4",
        order=4,
        step=explicit_step,
        constants=tableau(coefficients, weights=[1 / 6, 1 / 3, 1 / 3, 1 / 6], nodes=[0, 1 / 2, 1 / 2, 1]),
        memory=lambda ny: 0,
        scratch=lambda ny: 5 * ny,
        lanes=in_lanes,
    )
