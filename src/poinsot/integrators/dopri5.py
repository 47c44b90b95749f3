"""The method of Dormand and Prince of order 5(4): adaptive, with dense output of order 4. It conserves nothing exactly.

J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980); dense output and
step-size control as in E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993),
sections II.4 to II.6 and IV.2.
"""

from __future__ import annotations

import numpy as np

from poinsot.integrators.adaptive import memory_size, scratch_size
from poinsot.integrators.contract import Method
from poinsot.integrators.explicit import explicit_step, in_lanes, tableau

NODES = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
COEFFICIENTS: list[list[float]] = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
ERROR = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]
DENSE = [
    -12715105075 / 11282082432,
    0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
]


def method(rtol: float = 1e-8, atol: float = 1e-10) -> Method:
    """Dormand and Prince's fifth-order method.

    Parameters
    ----------
    rtol, atol : error allowed in a step: atol + rtol |y| in each component (adaptive steps only)
    """
    coefficients = np.zeros((7, 7))
    for row, entries in zip(coefficients, COEFFICIENTS):
        row[: len(entries)] = entries
    constants = tableau(
        coefficients,
        weights=COEFFICIENTS[6],
        nodes=NODES,
        errors=np.array([ERROR, np.zeros(7)]),
        dense=np.array([DENSE]),
        control=(5, 0.9, 0.04, 0.2, 10.0, rtol, atol),
    )
    return Method(
        name="dopri5",
        order=5,
        step=explicit_step,
        constants=constants,
        memory=memory_size(constants),
        scratch=scratch_size(constants),
        adaptive=True,
        nearby=True,
        lanes=in_lanes,
    )
