"""One compiled step for all explicit Runge-Kutta methods: it reads the tableau from its `method` array.

The array holds the numbers of the step-size control (used by `adaptive.py` only), then a table of rows of `width`
numbers:

    width rows   coefficients a[i, j] of the stages; for adaptive methods row `stages` holds the
                 weights (its stage is the rate at the end of the step), and rows after it serve dense output
    1 row        nodes c[i]
    1 row        weights b[j]
    2 rows       weights of the error estimators
    the rest     rows of dense output
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.algebra.compile import compiled, helper
from poinsot.integrators.contract import Method
from poinsot.integrators.stages import RatePair, all_finite, copy, full_rate, shifted, weighted_sum
from poinsot.tables.types import NOT_FINITE, OK, STEP_SIGNATURE, STEPS

# positions in the method array
STAGES, WIDTH, ORDER, SAFETY, BETA, SHRINK, GROW, RTOL, ATOL = 0, 1, 2, 3, 4, 5, 6, 7, 8
HEADER = 9

# rows of the table after the coefficients of the stages
NODES, WEIGHTS, ERROR, COARSE_ERROR, DENSE = 0, 1, 2, 3, 4


class Step(NamedTuple):
    """A step from t (s) on, of size h (s), of a method with this table."""

    t: Any
    h: Any
    table: Any


def tableau(
    coefficients: np.ndarray,
    weights: Sequence[float] | np.ndarray,
    nodes: Sequence[float] | np.ndarray,
    errors: np.ndarray | None = None,
    dense: np.ndarray | None = None,
    control: Sequence[float] = (0.0,) * 7,
) -> np.ndarray:
    """Lay out the `method` array of an explicit method.

    Parameters
    ----------
    coefficients : (width, width), strictly lower triangular
    weights, nodes : of the stages, and of all rows
    errors : (2, width) weights of the error estimators, the second zero when there is only one
    dense : (rows, width) of dense output
    control : order, safety, beta, shrink, grow, rtol, atol of the step-size control
    """
    width = len(coefficients)
    rows = np.zeros((4, width))
    rows[NODES, : len(nodes)] = nodes
    rows[WEIGHTS, : len(weights)] = weights
    if errors is not None:
        rows[ERROR:] = errors
    blocks = [coefficients, rows] + ([dense] if dense is not None else [])
    return np.concatenate([[len(weights), width, *control], np.vstack(blocks).ravel()])


def in_lanes(method: Method) -> Method:
    """An explicit method for several runs side by side: its step treats every number of the state alike."""
    return method


@helper
def evaluate_stages(kernels, step, which, y, rates, stage, layout, buffers):
    """Fill the rates of stages first to last - 1, given those before; `stage` receives the state of the last one.

    `kernels` is a RatePair, `which` the pair (first, last).
    """
    t, h, table = step
    first, last = which
    nodes = table[table.shape[1] + NODES]
    for i in range(first, last):
        weighted_sum(table[i], rates, 0, y.size, stage)
        shifted(y, h, stage, 0, y.size, stage)
        status = full_rate(kernels, t + nodes[i] * h, stage, layout, buffers.work, buffers.counters, rates[i])
        if status != OK:
            return status
    return OK


@compiled(STEP_SIGNATURE)
def explicit_step(equations, t, h, y, buffers, layout):
    """One step of an explicit Runge-Kutta method of the size h."""
    method, _, scratch, _, counters = buffers
    width = int(method[WIDTH])
    table = method[HEADER:].reshape(((method.size - HEADER) // width, width))
    stage = scratch[: y.size]
    rates = scratch[y.size : (1 + width) * y.size].reshape((width, y.size))
    kernels, which = RatePair(equations.first, equations.second), (0, int(method[STAGES]))
    status = evaluate_stages(kernels, Step(t, h, table), which, y, rates, stage, layout, buffers)
    if status != OK:
        return status
    weighted_sum(table[width + WEIGHTS], rates, 0, y.size, stage)
    shifted(y, h, stage, 0, y.size, stage)
    if not all_finite(stage):
        return NOT_FINITE
    copy(stage, y)
    counters[STEPS] += 1
    return OK
