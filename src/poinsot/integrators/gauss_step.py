"""One compiled step for all Gauss methods: functional iteration from the last step's extrapolated polynomial.

The unknowns are the rates F[k] of the stages. In every iteration the velocities of the stages follow from F, then their
positions in a few sweeps of q' = position_rate(q, v) with the fresh velocities (the order of Nystroem methods: an
iteration then gains as for a second-order equation), then the new F. Sums over steps are compensated: without this
their rounding would be the largest error of the quadratic invariants.

The `method` array holds [stages, tolerance, stagnation, iterations, watch], then rows of the tableau: a[i, j], nodes, weights,
barycentric weights. `memory` holds the size of the last step (0: none), the compensation of y, and the rates of the
last step's stages.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from poinsot.algebra.compile import compiled, helper
from poinsot.integrators.contract import WATCH
from poinsot.integrators.stages import all_finite, copy, full_rate, shifted, weighted_sum
from poinsot.tables.records import N_Q
from poinsot.tables.types import (
    EVALUATIONS,
    ITERATIONS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STEP_SIGNATURE,
    STEPS,
    STIFF,
)

# positions in the method array
STAGES, TOLERANCE, STAGNATION, MOST_ITERATIONS = 0, 1, 2, 3  # and WATCH
HEADER = 5

SLOW = 0.25  # rate of convergence above which an iteration that is watched counts as stalled
MANY = 12  # iterations predicted, above which it does so too

FIRST_SWEEPS, SWEEPS = 3, 2  # of the positions, in the first iteration and in the others
LARGEST_RATIO = 2.0  # of step sizes, up to which the last step's polynomial is extrapolated
AT_ROUNDING = 1e-14  # error below which a single rise shows that only rounding is left
SETTLED = 1e-12  # relative change of positions in a sweep below which rates may be accepted
DIVERGED = 1e3  # relative error above which an iteration that grows is given up
TINY = 1e-300  # keeps a scale from being zero


def memory_size(stages: int) -> Callable[[int], int]:
    """Length of `memory` as a function of the length of y."""
    return lambda ny: 1 + (1 + stages) * ny


def scratch_size(stages: int) -> Callable[[int], int]:
    """Length of `scratch` as a function of the length of y."""
    return lambda ny: 3 * stages * ny + stages


@helper
def extrapolate(ratio, nodes, barycentric, past, first, spare, rates):
    """Rates of the stages: the polynomial through those of the last step, continued over a step `ratio` times as long."""
    s = nodes.size
    for k in range(s):
        x = 1.0 + ratio * nodes[k]
        for j in range(s):
            spare[j] = barycentric[j]
            for i in range(s):
                if i != j:
                    spare[j] *= x - nodes[i]
        weighted_sum(spare[:s], past, first, past.shape[1], rates[k])


@helper
def sweep_positions(position_rate, t, h, y, nq, table, states, rates, spare, layout, work):
    """One sweep over the positions of the stages.

    Returns a status and the largest change: absolute, and relative to the largest position or h q'.
    """
    s = table.shape[1]
    for k in range(s):
        status = position_rate(t + table[s, k] * h, states[k], layout, work, rates[k])
        if status != OK:
            return status, 0.0, 0.0
    change, scale = 0.0, TINY
    for k in range(s):
        weighted_sum(table[k], rates, 0, nq, spare)
        state = states[k]
        for j in range(nq):
            value = y[j] + h * spare[j]
            if not math.isfinite(value):
                return NOT_FINITE, 0.0, 0.0
            change = max(change, abs(value - state[j]))
            scale = max(scale, abs(y[j]), abs(h * spare[j]))
            state[j] = value
    return OK, change, change / scale


@helper
def stage_velocities(h, y, nq, table, rates, states):
    """Velocities (and work) of the stages from their rates."""
    for k in range(table.shape[1]):
        weighted_sum(table[k], rates, nq, y.size, states[k])
        shifted(y, h, states[k], nq, y.size, states[k])


@helper
def take_over(h, y, nq, fresh, rates):
    """Replace the rates by the fresh ones; returns the largest change times h, relative to the largest velocity or h v'.

    The last component, the work, takes no part. The result is NaN when a fresh rate is not finite.
    """
    change, scale, finite = 0.0, TINY, True
    middle = rates[rates.shape[0] // 2]
    last = y.size - 1
    for j in range(nq, last):
        scale = max(scale, abs(y[j]), abs(h * middle[j]))
    for k in range(rates.shape[0]):
        old, new = rates[k], fresh[k]
        for j in range(nq, last):
            change = max(change, abs(new[j] - old[j]))
            finite &= math.isfinite(new[j])
            old[j] = new[j]
        old[last] = new[last]
        finite &= math.isfinite(new[last])
    return abs(h) * change / scale if finite else math.nan


@helper
def place_stages(position_rate, t, h, y, nq, table, sweeps, states, rates, spare, layout, work):
    """Velocities of the stages, then so many sweeps over their positions; returns a status and their last relative change."""
    stage_velocities(h, y, nq, table, rates, states)
    moved = 0.0
    if nq > 0:
        for _ in range(sweeps):
            status, _, moved = sweep_positions(position_rate, t, h, y, nq, table, states, rates, spare, layout, work)
            if status != OK:
                return status, moved
    return OK, moved


@helper
def evaluate_stages(velocity_rate, t, h, table, states, fresh, layout, work, counters):
    """Rates of all stages at their states; returns a status."""
    s = table.shape[1]
    for k in range(s):
        counters[EVALUATIONS] += 1
        status = velocity_rate(t + table[s, k] * h, states[k], layout, work, fresh[k])
        if status != OK:
            return status
    return OK


@helper
def is_accepted(tolerance, stagnation, error, theta, best, rises):
    """Whether an iteration may end: its error, the rate theta of its decrease, the best error so far and how often it rose."""
    remains = error * theta / (1.0 - theta) if theta < 1.0 else math.inf
    stagnant = (rises >= 2 and best < stagnation) or (rises == 1 and best < AT_ROUNDING)
    return error < tolerance or remains < tolerance or stagnant


@helper
def iterate(position_rate, velocity_rate, t, h, y, nq, method, table, states, rates, fresh, layout, work, counters):
    """Find the rates of the stages; returns a status.

    An error is the change that an iteration brings. Accepted are: an error, or what will remain of it at the measured
    rate of convergence, below the tolerance; an error below the stagnation level that failed to decrease twice, or
    once at the level of rounding. What remains adds up over the steps with one sign, so that invariants drift by the
    tolerance per step: the default is below rounding. Positions need not have converged, but must have come near.
    When the method is watched, an iteration that converges slowly is given up as STIFF.
    """
    previous = best = math.inf
    rises = 0
    for iteration in range(int(method[MOST_ITERATIONS])):
        counters[ITERATIONS] += 1
        sweeps = FIRST_SWEEPS if iteration == 0 else SWEEPS
        status, moved = place_stages(position_rate, t, h, y, nq, table, sweeps, states, rates, fresh[0], layout, work)
        if status != OK:
            return status
        status = evaluate_stages(velocity_rate, t, h, table, states, fresh, layout, work, counters)
        if status != OK:
            return status
        error = take_over(h, y, nq, fresh, rates)
        if not math.isfinite(error):
            return NOT_FINITE
        theta = error / previous if iteration > 0 else math.inf
        if moved < SETTLED:
            rises += error >= best
            best = min(best, error)
            if is_accepted(method[TOLERANCE], method[STAGNATION], error, theta, best, rises):
                return OK
        watched = method[WATCH] != 0.0 and iteration > 0 and error > method[STAGNATION]
        if watched and (theta > SLOW or iteration + math.log(method[STAGNATION] / error) / math.log(theta) > MANY):
            return STIFF
        if theta > 2.0 and iteration > 3 and error > DIVERGED:
            return NOT_CONVERGED
        previous = error
    return NOT_CONVERGED


@helper
def settle_positions(position_rate, t, h, y, nq, method, table, states, rates, spare, layout, work):
    """Sweep the positions, with the velocities fixed, until they no longer change by less; returns a status."""
    previous = math.inf
    for _ in range(int(method[MOST_ITERATIONS])):
        status, change, relative = sweep_positions(
            position_rate, t, h, y, nq, table, states, rates, spare, layout, work
        )
        if status != OK:
            return status
        if change == 0.0 or change >= previous:
            return OK if relative < method[STAGNATION] else NOT_CONVERGED
        previous = change
    return NOT_CONVERGED


@helper
def first_guess(position_rate, velocity_rate, t, h, y, nq, table, memory, states, rates, spare, layout, work, counters):
    """Rates of the stages to start from: the last step's polynomial continued, or the rate at the begin; returns a status."""
    s, ny = table.shape[1], y.size
    past = memory[1 + ny : 1 + (1 + s) * ny].reshape((s, ny))
    ratio = h / memory[0] if memory[0] != 0.0 else 0.0
    if 0.0 < ratio <= LARGEST_RATIO:
        extrapolate(ratio, table[s], table[s + 2], past, nq, spare, rates)
    else:
        status = full_rate(position_rate, velocity_rate, t, y, layout, work, counters, rates[0])
        if status != OK:
            return status
        for k in range(1, s):
            copy(rates[0], rates[k])
    for k in range(s):
        copy(y, states[k])
    return OK


@helper
def finish(position_rate, t, h, y, nq, method, table, memory, states, rates, fresh, layout, work, counters):
    """From converged rates to the state at the end of the step; returns a status, and changes y and memory only on OK."""
    s, ny = table.shape[1], y.size
    compensation = memory[1 : 1 + ny]
    past = memory[1 + ny : 1 + (1 + s) * ny].reshape((s, ny))
    if nq > 0:
        stage_velocities(h, y, nq, table, rates, states)
        status = settle_positions(position_rate, t, h, y, nq, method, table, states, rates, fresh[0], layout, work)
        if status != OK:
            return status
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
    for k in range(s):
        copy(rates[k], past[k])
    memory[0] = h
    counters[STEPS] += 1
    return OK


@compiled(STEP_SIGNATURE)
def gauss_step(position_rate, velocity_rate, stiffness, t, h, y, method, memory, scratch, layout, work, counters):
    """One step of a Gauss method of the size h."""
    s, ny, nq = int(method[STAGES]), y.size, layout.sizes[N_Q]
    table = method[HEADER : HEADER + (s + 3) * s].reshape((s + 3, s))
    blocks = scratch[: 3 * s * ny].reshape((3 * s, ny))
    states, rates, fresh = blocks[:s], blocks[s : 2 * s], blocks[2 * s :]
    spare = scratch[3 * s * ny : 3 * s * ny + s]
    status = first_guess(
        position_rate, velocity_rate, t, h, y, nq, table, memory, states, rates, spare, layout, work, counters
    )
    if status != OK:
        return status
    status = iterate(
        position_rate, velocity_rate, t, h, y, nq, method, table, states, rates, fresh, layout, work, counters
    )
    if status != OK:
        return status
    return finish(position_rate, t, h, y, nq, method, table, memory, states, rates, fresh, layout, work, counters)
