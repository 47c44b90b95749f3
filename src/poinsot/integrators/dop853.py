"""The method of Dormand and Prince of order 8(5,3): adaptive, with dense output of order 7. Conserves nothing exactly.

E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), sections II.5, II.6 and
II.10. The error is estimated by two embedded formulae of orders 5 and 3 together (section II.10).
"""

from __future__ import annotations

import numpy as np

from poinsot.integrators import dop853_numbers as numbers
from poinsot.integrators.adaptive import memory_size, scratch_size
from poinsot.integrators.contract import Method
from poinsot.integrators.explicit import explicit_step, in_lanes, tableau

WIDTH = len(numbers.NODES)
LAST = 12  # the stage at the end of the step
CONTROL = (0.8, 0.02)  # safety and beta; with those of the program DOP853, 0.9 and 0, every fifth step is rejected on mechanisms


def dense_rows(sparse: list[dict[int, float]]) -> np.ndarray:
    """Rows of numbers from their nonzero entries."""
    rows = np.zeros((len(sparse), WIDTH))
    for row, entries in zip(rows, sparse):
        row[list(entries)] = list(entries.values())
    return rows


def method(rtol: float = 1e-8, atol: float = 1e-10) -> Method:
    """Dormand and Prince's eighth-order method.

    Parameters
    ----------
    rtol, atol : error allowed in a step: atol + rtol |y| in each component (adaptive steps only)
    """
    coefficients = dense_rows(numbers.COEFFICIENTS)
    weights = coefficients[LAST]
    fifth, third = dense_rows([numbers.FIFTH_ORDER_ERROR, numbers.THIRD_ORDER])
    constants = tableau(
        coefficients,
        weights=weights[:LAST],
        nodes=numbers.NODES,
        errors=np.array([fifth, weights - third]),
        dense=dense_rows(numbers.DENSE),
        control=(8, *CONTROL, 1 / 3, 6.0, rtol, atol),
    )
    return Method(
        name="dop853",
        order=8,
        step=explicit_step,
        constants=constants,
        memory=memory_size(constants),
        scratch=scratch_size(constants),
        adaptive=True,
        lanes=in_lanes,
    )
