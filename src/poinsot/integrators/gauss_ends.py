"""How a step of a Gauss method begins, from what the last ones left, and how it ends.

`memory` holds the sizes of the last step (0: none) and of the one before it, the compensation of y, and the rates of the last stages of the step
before and of all stages of the last step.
"""

from __future__ import annotations

from collections.abc import Callable

from poinsot.algebra.compile import helper
from poinsot.integrators.extrapolation import extrapolate
from poinsot.integrators.stages import RatePair, all_finite, copy, full_rate, shifted, weighted_sum
from poinsot.tables.types import NOT_FINITE, OK, STEPS

EARLIER = 2  # stages of the step before the last one that take part in the extrapolation; more of them amplify noise
LARGEST_RATIO = 2.0  # of step sizes, up to which the last step's polynomial is extrapolated


def memory_size(stages: int) -> Callable[[int], int]:
    """Length of `memory` as a function of the length of y."""
    return lambda ny: 2 + (1 + stages + min(stages, EARLIER)) * ny


@helper
def continued(step, y, smooth, stages, memory):
    """Rates of the stages from the polynomial of the last step, continued; if the motion is `smooth` that of the last two.

    Returns whether there is a last step.
    """
    _, h, nq, _, table = step
    s, ny = table.shape[1], y.size
    ratio, before = (h / memory[0], memory[1] / memory[0]) if memory[0] != 0.0 else (0.0, 0.0)
    if not 0.0 < ratio <= LARGEST_RATIO:
        return False
    before = before if smooth and 1.0 / LARGEST_RATIO <= before <= LARGEST_RATIO else 0.0
    rows = s + min(s, EARLIER)
    past = memory[2 + ny : 2 + (1 + rows) * ny].reshape((rows, ny))
    extrapolate(ratio, before, table[s], table[s + 2], past, nq, stages.spare, stages.rates)
    return True


@helper
def first_guess(equations, step, y, smooth, stages, layout, buffers):
    """Rates of the stages to start from, those of the last steps continued; without a last step the rate at the beginning. Returns a status."""
    rates, s = stages.rates, step.table.shape[1]
    if not continued(step, y, smooth, stages, buffers.memory):
        kernels = RatePair(equations.first, equations.second)
        status = full_rate(kernels, step.t, y, layout, buffers.work, buffers.counters, rates[0])
        if status != OK:
            return status
        for k in range(1, s):
            copy(rates[0], rates[k])
    for k in range(s):
        copy(y, stages.states[k])
    return OK


@helper
def advance(step, y, stages, buffers):
    """From converged rates and positions of the stages to the state at the end; returns a status, and changes y and memory only on OK."""
    h, table = step.h, step.table
    states, rates, fresh, _ = stages
    memory = buffers.memory
    s, ny = table.shape[1], y.size
    e = min(s, EARLIER)
    compensation, past = memory[2 : 2 + ny], memory[2 + ny : 2 + (1 + e + s) * ny].reshape((e + s, ny))
    slope, end = fresh[0], states[0]
    weighted_sum(table[s + 1], rates, 0, ny, slope)
    shifted(y, h, slope, 0, ny, end)
    if not all_finite(end):
        return NOT_FINITE
    for j in range(ny):
        increment = h * slope[j] - compensation[j]
        value = y[j] + increment
        compensation[j] = (value - y[j]) - increment
        y[j] = value
    for k in range(e):
        copy(past[s + k], past[k])
    for k in range(s):
        copy(rates[k], past[e + k])
    memory[0], memory[1] = h, memory[0]
    buffers.counters[STEPS] += 1
    return OK
