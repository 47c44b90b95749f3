"""Common to all Runge-Kutta steps: sums over stages, and the rate of a whole state."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from poinsot.algebra.compile import handed, helper
from poinsot.tables.records import N_POSITIONS
from poinsot.tables.types import DISTANT, EVALUATIONS, NOT_CONVERGED, OK, STIFFNESS_SIGNATURE


class RatePair(NamedTuple):
    """The kernels of the rates of positions and of velocities."""

    position: Any
    velocity: Any


@helper
def weighted_sum(weights, rates, first, last, out):
    """out = sum_k weights[k] rates[k], components first to last - 1; rows of weight zero are not read."""
    target = out[first:last]  # the compiler vectorises loops that begin at 0
    for j in range(target.size):
        target[j] = 0.0
    for k in range(weights.size):
        weight = weights[k]
        if weight != 0.0:
            row = rates[k, first:last]
            for j in range(target.size):
                target[j] += weight * row[j]


@helper
def shifted(y, h, slope, first, last, out):
    """out = y + h slope, components first to last - 1."""
    for j in range(first, last):
        out[j] = y[j] + h * slope[j]


@helper
def copy(source, target):
    """target = source. (A slice assignment takes more than a second longer to compile, for its error messages.)"""
    for j in range(source.size):
        target[j] = source[j]


@helper
def all_finite(x):
    """Whether no entry is infinite or NaN (a maximum of absolute values would hide a NaN)."""
    finite = True
    for j in range(x.size):
        finite &= math.isfinite(x[j])
    return finite


@helper
def full_rate(rates, t, y, layout, work, counters, ydot):
    """Rate of the whole state; returns a status."""
    if layout.sizes[N_POSITIONS] > 0:
        status = rates.position(t, y, layout, work, ydot)
        if status != OK:
            return status
    counters[EVALUATIONS] += 1
    return rates.velocity(t, y, layout, work, ydot)


@helper
def rate_beside(kernels, nearby, t, y, layout, buffers, ydot):
    """Rate of a whole state that was put back onto its constraints, from that where it was, in ydot (`Nearby`), or else by an evaluation."""
    status = full_rate(RatePair(kernels.position, nearby), t, y, layout, buffers.work, buffers.counters, ydot)
    buffers.counters[EVALUATIONS] -= 1
    return full_rate(kernels, t, y, layout, buffers.work, buffers.counters, ydot) if status == DISTANT else status


@handed(STIFFNESS_SIGNATURE)
def no_stiffness(task, t, y, kappa, layout, work, arrays):
    """In place of a formulation's stiffness, for steps that do not ask for it."""
    return NOT_CONVERGED
