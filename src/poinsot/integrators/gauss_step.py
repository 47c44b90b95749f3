"""One compiled step for all Gauss methods: functional iteration from the extrapolated polynomial of the last steps.

The unknowns are the rates F[k] of the stages. In every iteration the velocities of the stages follow from F, then their
positions in a few sweeps of q' = position_rate(q, v) with the fresh velocities (the order of Nystroem methods: an
iteration then gains as for a second-order equation), then the new F, of one stage after the other: each knows the new
F of those before it (Gauss-Seidel; the coefficients of those after it are small), unless convergence is slow. Sums over
steps are compensated: without this their rounding would be the largest error of the quadratic invariants.

The `method` array holds [stages, tolerance, stagnation, iterations, watch], then rows of the tableau: a[i, j], nodes, weights,
barycentric weights. For `memory` see `gauss_ends.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.magnitudes import magnitude, number
from poinsot.integrators.contract import WATCH
from poinsot.integrators.gauss_ends import EARLIER, advance, first_guess
from poinsot.integrators.rounding import STALLED, ULPS, UNCERTAIN, largest_difference, shake
from poinsot.integrators.stages import shifted, weighted_sum
from poinsot.tables.records import N_POSITIONS
from poinsot.tables.types import (
    EVALUATIONS,
    ITERATIONS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STEP_SIGNATURE,
    STIFF,
)

# positions in the method array
GAUSS_STAGES, TOLERANCE, STAGNATION, MOST_ITERATIONS = 0, 1, 2, 3  # and WATCH
GAUSS_HEADER = 5

SLOW = 0.25  # rate of convergence above which an iteration that is watched counts as stalled
MANY = 12  # iterations predicted, above which it does so too

FAST = 0.05  # gain of a sweep over the positions below which one per iteration may be enough
IN_TURN = 0.1  # Gauss-Seidel sweeps over the stages pay off below this rate of convergence
LITTLE = 0.1  # share of its change that may be owed to sweeps not done before
AT_ROUNDING = 1e-14  # error below which a single rise shows that only rounding is left
SETTLED = 1e-12  # relative change of positions left to the next sweep below which rates may be accepted
AT_REST = 1e-18  # and below which positions are final: as it has the same sign in many steps, it is far below rounding
DIVERGED = 1e3  # relative error above which an iteration that grows is given up
TINY = 1e-300  # keeps a scale from being zero


class Step(NamedTuple):
    """A step from t (s) on, of size h (s): how many numbers of y are positions, constants of the method, and its table, whose rows
    are a[i, j], then nodes, weights and barycentric weights.
    """

    t: Any
    h: Any
    nq: Any
    method: Any
    table: Any


class Stages(NamedTuple):
    """The stages of a step, one row each: states, rates, new rates; and room for the weights of an extrapolation."""

    states: Any
    rates: Any
    fresh: Any
    spare: Any


def scratch_size(stages: int) -> Callable[[int], int]:
    """Length of `scratch` as a function of the length of y."""
    return lambda ny: 3 * stages * ny + stages + EARLIER


@helper
def largest(x):
    """Largest magnitude; not finite when a number is not."""
    most = 0
    for j in range(x.size):
        most = max(most, magnitude(x[j]))
    return number(most)


@helper
def replace(y, h, slope, n, state):
    """state = y + h slope, components up to n - 1; returns the largest change, which is not finite when a new one is not."""
    most = 0
    for j in range(n):
        value = y[j] + h * slope[j]
        most = max(most, magnitude(value - state[j]))
        state[j] = value
    return number(most)


@helper
def sweep_positions(position_rate, step, y, stages, layout, work):
    """One sweep over the positions of the stages.

    Returns a status and the largest change: absolute, and relative to the largest position.
    """
    t, h, nq, _, table = step
    states, rates, fresh, _ = stages
    s, spare = table.shape[1], fresh[0]
    for k in range(s):
        status = position_rate(t + table[s, k] * h, states[k], layout, work, rates[k])
        if status != OK:
            return status, 0.0, 0.0
    change, scale = 0.0, max(largest(y[:nq]), TINY)
    for k in range(s):
        weighted_sum(table[k], rates, 0, nq, spare)
        moved = replace(y, h, spare, nq, states[k])
        if not math.isfinite(moved):
            return NOT_FINITE, 0.0, 0.0
        change, scale = max(change, moved), max(scale, largest(states[k, :nq]))
    return OK, change, change / scale


@helper
def stage_velocity(step, y, k, rates, state):
    """Velocities (and work) of stage k from the rates of all."""
    h, nq = step.h, step.nq
    weighted_sum(step.table[k], rates, nq, y.size, state)
    begin, velocities = y[nq:], state[nq:]
    for j in range(begin.size):
        velocities[j] = begin[j] + h * velocities[j]


@helper
def stage_velocities(step, y, stages):
    """Velocities (and work) of the stages from their rates."""
    for k in range(step.table.shape[1]):
        stage_velocity(step, y, k, stages.rates, stages.states[k])


@helper
def velocity_scale(h, y, nq, rates, layout):
    """What errors of rates are compared with: the largest velocity or h v'.

    Where users' functions act, at least what gravity does in a step: laws that balance it leave rounding of that size.
    """
    last = y.size - 1
    floor = TINY
    if layout.addresses.shape[0] > 0:
        floor = max(TINY, abs(h) * (abs(layout.values[0]) + abs(layout.values[1]) + abs(layout.values[2])))
    return max(largest(y[nq:last]), abs(h) * largest(rates[rates.shape[0] // 2, nq:last]), floor)


@helper
def take_over(new, nq, old):
    """Replace the rates of a stage by new ones; returns the largest change, which is not finite when a new one is not.

    The last component, the work, takes no part in the change.
    """
    most, last, fresh, rates = 0, old.size - 1, new[nq:], old[nq:]
    for j in range(last - nq):
        most = max(most, magnitude(fresh[j] - rates[j]))
        rates[j] = fresh[j]
    old[last] = new[last]
    return number(most) if math.isfinite(new[last]) else math.nan


@helper
def place_stages(position_rate, step, y, stages, gain, left, layout, work):
    """Velocities of the stages, then sweeps over their positions.

    `gain` is by what a sweep reduces the change of the one before. It is measured in the first iteration, where it is
    given as infinite. Later one sweep is enough if it is FAST and what was left to do for it was little beside what the
    new velocities change: then another would do next to nothing for the rates. Returns a status, the gain, and what is
    left: the relative change that the next sweep is expected to bring, or the last one brought.
    """
    stage_velocities(step, y, stages)
    if step.nq == 0:
        return OK, 0.0, 0.0
    first = gain == math.inf
    status, before, moved = sweep_positions(position_rate, step, y, stages, layout, work)
    if status == OK and first:
        status, change, moved = sweep_positions(position_rate, step, y, stages, layout, work)
        gain = change / before if before > 0.0 else 0.0
    ahead = moved * gain < SETTLED if first else left < LITTLE * moved
    if status != OK or (ahead and gain < FAST) or moved * gain < AT_REST:
        return status, gain, moved * gain
    status, _, moved = sweep_positions(position_rate, step, y, stages, layout, work)
    return status, gain, moved * gain if gain < FAST else moved


@helper
def evaluate_stage(velocity_rate, step, k, stages, layout, work, counters):
    """New rates of stage k at its state; returns a status."""
    t, h, _, _, table = step
    s = table.shape[1]
    counters[EVALUATIONS] += 1
    return velocity_rate(t + table[s, k] * h, stages.states[k], layout, work, stages.fresh[k])


@helper
def renew_rates(equations, step, y, in_turn, stages, layout, buffers):
    """New rates of one stage after the other, if `in_turn` each at a state that knows the new rates of those before.

    Returns a status and the largest change times h, relative to the largest velocity or h v'.
    """
    t, h, nq, _, table = step
    states, rates, fresh, _ = stages
    s, work, largest_change = table.shape[1], buffers.work, 0.0
    scale = velocity_scale(h, y, nq, rates, layout)
    for k in range(s):
        if in_turn and k > 0:
            stage_velocity(step, y, k, rates, states[k])
            if nq > 0:
                status = equations.first(t + table[s, k] * h, states[k], layout, work, rates[k])
                if status != OK:
                    return status, 0.0
                weighted_sum(table[k], rates, 0, nq, fresh[k])
                shifted(y, h, fresh[k], 0, nq, states[k])
        status = evaluate_stage(equations.second, step, k, stages, layout, work, buffers.counters)
        if status != OK:
            return status, 0.0
        change = take_over(fresh[k], nq, rates[k])
        if not math.isfinite(change):
            return NOT_FINITE, 0.0
        largest_change = max(largest_change, change)
    return OK, abs(h) * largest_change / scale


@helper
def is_accepted(tolerance, stagnation, error, theta, best, rises):
    """Whether an iteration may end: its error, the rate theta of its decrease, the best error so far and how often it rose."""
    remains = error * theta / (1.0 - theta) if theta < 1.0 else math.inf
    stagnant = (rises >= 2 and best < stagnation) or (rises == 1 and best < AT_ROUNDING)
    return error < tolerance or remains < tolerance or stagnant


@helper
def rounding(equations, step, y, trial, stages, layout, buffers):
    """What one rounding of the state of a stage does to its rates, measured as errors are. The next iteration sets the state anew."""
    h, nq, k = step.h, step.nq, trial % step.table.shape[1]
    shake(stages.states[k], trial)
    if evaluate_stage(equations.second, step, k, stages, layout, buffers.work, buffers.counters) != OK:
        return 0.0
    change = largest_difference(stages.fresh[k], stages.rates[k], nq, y.size - 1)
    return abs(h) * change / velocity_scale(h, y, nq, stages.rates, layout)


@helper
def iterate(equations, step, y, stages, layout, buffers):
    """Find the rates of the stages; returns a status and the gain of a sweep over the positions.

    An error is the change that an iteration brings. Accepted are: an error, or what will remain of it at the measured
    rate of convergence, below the tolerance; an error below the stagnation level that failed to decrease twice, or
    once at the level of rounding; a larger one that no longer decreases and that a few roundings of the state explain
    (`rounding.py`). What remains adds up over the steps with one sign, so that invariants drift by the tolerance per
    step: the default is below rounding. Positions need not have converged, but must have come near. When the method is
    watched, an iteration that converges slowly is given up as STIFF.
    """
    method = step.method
    previous = best = gain = left = math.inf
    rises, in_turn, noise = 0, True, 0.0
    for iteration in range(int(method[MOST_ITERATIONS])):
        buffers.counters[ITERATIONS] += 1
        status, gain, left = place_stages(equations.first, step, y, stages, gain, left, layout, buffers.work)
        if status != OK:
            return status, gain
        status, error = renew_rates(equations, step, y, in_turn, stages, layout, buffers)
        if status != OK:
            return status, gain
        theta = error / previous if iteration > 0 else math.inf
        in_turn &= iteration == 0 or theta < IN_TURN
        if left < SETTLED:
            rises += error >= best
            best = min(best, error)
            if is_accepted(method[TOLERANCE], method[STAGNATION], error, theta, best, rises):
                return OK, gain
            if rises >= STALLED and best < UNCERTAIN:
                noise = max(noise, rounding(equations, step, y, rises, stages, layout, buffers))
                if best < ULPS * noise:
                    return OK, gain
        watched = method[WATCH] != 0.0 and iteration > 0 and error > method[STAGNATION]
        if watched and (theta > SLOW or iteration + math.log(method[STAGNATION] / error) / math.log(theta) > MANY):
            return STIFF, gain
        if theta > 2.0 and iteration > 3 and error > DIVERGED:
            return NOT_CONVERGED, gain
        previous = error
    return NOT_CONVERGED, gain


@helper
def settle_positions(position_rate, step, y, gain, stages, layout, work):
    """Sweep the positions, with the velocities fixed, until the next change is far below rounding or no smaller; returns a status."""
    method, previous = step.method, math.inf
    for _ in range(int(method[MOST_ITERATIONS])):
        status, change, relative = sweep_positions(position_rate, step, y, stages, layout, work)
        if status != OK:
            return status
        if relative * gain < AT_REST:
            return OK
        if change >= previous:
            return OK if relative < method[STAGNATION] else NOT_CONVERGED
        previous = change
    return NOT_CONVERGED


@helper
def finish(position_rate, step, y, gain, stages, layout, buffers):
    """From converged rates to the state at the end of the step; returns a status, and changes y and memory only on OK."""
    if step.nq > 0:
        stage_velocities(step, y, stages)
        status = settle_positions(position_rate, step, y, gain, stages, layout, buffers.work)
        if status != OK:
            return status
    return advance(step, y, stages, buffers)


@kernel
def step_of(t, h, method, layout):
    """The step from t on, of size h."""
    s = int(method[GAUSS_STAGES])
    table = method[GAUSS_HEADER : GAUSS_HEADER + (s + 3) * s].reshape((s + 3, s))
    return Step(t, h, layout.sizes[N_POSITIONS], method, table)


@kernel
def stages_of(scratch, s, ny):
    """The s stages of a step, of a state of ny numbers."""
    blocks, used = scratch[: 3 * s * ny].reshape((3 * s, ny)), 3 * s * ny
    return Stages(blocks[:s], blocks[s : 2 * s], blocks[2 * s :], scratch[used : used + s + EARLIER])


@compiled(STEP_SIGNATURE)
def gauss_step(equations, t, h, y, buffers, layout):
    """One step of a Gauss method of the size h."""
    step = step_of(t, h, buffers.method, layout)
    stages = stages_of(buffers.scratch, step.table.shape[1], y.size)
    status = first_guess(equations, step, y, True, stages, layout, buffers)
    if status != OK:
        return status
    status, gain = iterate(equations, step, y, stages, layout, buffers)
    if status != OK:
        return status
    return finish(equations.first, step, y, gain, stages, layout, buffers)
