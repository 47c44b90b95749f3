"""Gauss steps of LANES runs at once: what `gauss_step.py` does, with decisions of its own for every lane.

Lanes need different numbers of sweeps and iterations. Whatever is done, a mask says to which lanes it applies; the numbers of the others stay
as they are. So every lane goes through the iteration as if it were alone. Where the step of a single run would go on otherwise (Newton's
method, rates that do not get better, a smaller step), that of all lanes returns STIFF, with which the group is given up.

`control` has a row of LANES numbers for everything that a lane has of its own.
"""

from __future__ import annotations

import math
from dataclasses import replace

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.lane_arrays import lane_array
from poinsot.algebra.lanes import choose, in_all_lanes, larger_magnitude
from poinsot.integrators.contract import Method
from poinsot.integrators.gauss_ends import advance, first_guess
from poinsot.integrators.gauss_step import (
    AT_REST,
    DIVERGED,
    FAST,
    IN_TURN,
    LITTLE,
    MANY,
    MOST_ITERATIONS,
    SETTLED,
    SLOW,
    STAGNATION,
    TINY,
    TOLERANCE,
    is_accepted,
    scratch_size,
    stage_velocities,
    stages_of,
    step_of,
)
from poinsot.integrators.rounding import STALLED, UNCERTAIN
from poinsot.integrators.stages import weighted_sum
from poinsot.tables.types import EVALUATIONS, ITERATIONS, N_COUNTERS, OK, STEP_SIGNATURE, STIFF

# rows of `control`: what a lane remembers of its iteration, and results of what is done to all lanes
ACTIVE, PREVIOUS, BEST, GAIN, LANE_LEFT, RISES, LANE_TURNS, MASK, CHANGE, RELATIVE, BEFORE, LANE_ERROR, SPARE = range(13)
LANE_ROWS = 13


def method(one: Method, stages: int) -> Method:
    """A Gauss method for LANES runs side by side."""
    room = scratch_size(stages)
    return replace(one, step=gauss_lanes_step, scratch=lambda ny: room(ny) + LANE_ROWS * LANES, stiff=None, lanes=None)


@kernel
def count(counters, lane, what, n):
    """Add to a counter of one lane; they follow those that all lanes have in common."""
    counters[(1 + lane) * N_COUNTERS + what] += n


@helper
def fill(control, row, x):
    """The same number for all lanes."""
    for lane in range(LANES):
        control[row, lane] = x


@helper
def any_of(control, row):
    """Whether a row is not zero in some lane."""
    found = False
    for lane in range(LANES):
        found |= control[row, lane] != 0.0
    return found


@helper
def take_masked(new, old, first, last, mask):
    """old = new in the lanes of the mask, components first to last - 1 of each."""
    source, target, where = lane_array(new, 0), lane_array(old, 0), lane_array(mask, 0)[0]
    for j in range(first, last):
        target[j] = choose(where, source[j], target[j])


@helper
def shift_masked(y, h, slope, first, last, state, mask, change):
    """state = y + h slope in the lanes of the mask; `change` becomes the largest change of each lane, not finite where a number is not."""
    begin, rate, target, where = lane_array(y, 0), lane_array(slope, 0), lane_array(state, 0), lane_array(mask, 0)[0]
    most = in_all_lanes(0.0)
    for j in range(first, last):
        value = choose(where, begin[j] + h * rate[j], target[j])
        most = larger_magnitude(most, value - target[j])
        target[j] = value
    lane_array(change, 0)[0] = most


@helper
def largest_of(x, first, last, least, most):
    """`most` becomes the largest magnitude of each lane, at least that in `least`."""
    numbers, found = lane_array(x, 0), lane_array(least, 0)[0]
    for j in range(first, last):
        found = larger_magnitude(found, numbers[j])
    lane_array(most, 0)[0] = found


@helper
def sweep_lanes(position_rate, step, y, stages, control, layout, work):
    """One sweep over the positions of the stages, in the lanes of MASK; fills CHANGE and RELATIVE, and returns a status."""
    t, h, nq, _, table = step
    states, rates, fresh, _ = stages
    s, n, mask, spare = table.shape[1], nq // LANES, control[MASK], control[SPARE]
    for k in range(s):
        status = position_rate(t + table[s, k] * h, states[k], layout, work, fresh[k])
        if status != OK:
            return status
        take_masked(fresh[k], rates[k], 0, n, mask)
    fill(control, CHANGE, 0.0)
    fill(control, RELATIVE, TINY)
    largest_of(y, 0, n, control[RELATIVE], control[RELATIVE])
    for k in range(s):
        weighted_sum(table[k], rates, 0, nq, fresh[0])
        shift_masked(y, h, fresh[0], 0, n, states[k], mask, spare)
        largest_of(spare, 0, 1, control[CHANGE], control[CHANGE])
        largest_of(states[k], 0, n, control[RELATIVE], control[RELATIVE])
    for lane in range(LANES):
        if mask[lane] != 0.0 and not math.isfinite(control[CHANGE, lane]):
            return STIFF
        control[RELATIVE, lane] = control[CHANGE, lane] / control[RELATIVE, lane]
    return OK


@helper
def place_lanes(position_rate, step, y, stages, control, first, layout, work):
    """Velocities of the stages, then sweeps over their positions, as many as each lane needs (see `place_stages`); returns a status."""
    stage_velocities(step, y, stages)
    for lane in range(LANES):
        control[MASK, lane] = control[ACTIVE, lane]
    status = sweep_lanes(position_rate, step, y, stages, control, layout, work)
    if status == OK and first:
        for lane in range(LANES):
            control[BEFORE, lane] = control[CHANGE, lane]
        status = sweep_lanes(position_rate, step, y, stages, control, layout, work)
        for lane in range(LANES):
            before = control[BEFORE, lane]
            control[GAIN, lane] = control[CHANGE, lane] / before if before > 0.0 else 0.0
    if status != OK:
        return status
    for lane in range(LANES):
        if control[ACTIVE, lane] == 0.0:
            continue
        gain, moved = control[GAIN, lane], control[RELATIVE, lane]
        ahead = moved * gain < SETTLED if first else control[LANE_LEFT, lane] < LITTLE * moved
        if (ahead and gain < FAST) or moved * gain < AT_REST:
            control[MASK, lane], control[LANE_LEFT, lane] = 0.0, moved * gain
    if not any_of(control, MASK):
        return OK
    status = sweep_lanes(position_rate, step, y, stages, control, layout, work)
    for lane in range(LANES):
        if control[MASK, lane] != 0.0:
            gain, moved = control[GAIN, lane], control[RELATIVE, lane]
            control[LANE_LEFT, lane] = moved * gain if gain < FAST else moved
    return status


@helper
def renew_lanes(equations, step, y, stages, control, layout, buffers):
    """New rates of one stage after the other (see `renew_rates`) in the lanes of ACTIVE; fills LANE_ERROR, and returns a status."""
    t, h, nq, _, table = step
    states, rates, fresh, _ = stages
    s, work, active, mask, spare = table.shape[1], buffers.work, control[ACTIVE], control[MASK], control[SPARE]
    q, ny = nq // LANES, y.size // LANES
    fill(control, CHANGE, 0.0)
    fill(control, SPARE, 0.0)
    largest_of(rates[s // 2], q, ny - 1, spare, spare)
    for lane in range(LANES):
        spare[lane] = max(abs(h) * spare[lane], TINY)
    largest_of(y, q, ny - 1, spare, control[LANE_ERROR])
    for lane in range(LANES):
        mask[lane] = active[lane] * control[LANE_TURNS, lane]
    for k in range(s):
        if k > 0 and any_of(control, MASK):
            weighted_sum(table[k], rates, nq, y.size, fresh[k])
            shift_masked(y, h, fresh[k], q, ny, states[k], mask, spare)
            status = equations.first(t + table[s, k] * h, states[k], layout, work, fresh[k])
            if status != OK:
                return status
            take_masked(fresh[k], rates[k], 0, q, mask)
            weighted_sum(table[k], rates, 0, nq, fresh[k])
            shift_masked(y, h, fresh[k], 0, q, states[k], mask, spare)
        status = equations.second(t + table[s, k] * h, states[k], layout, work, fresh[k])
        if status != OK:
            return status
        take_over_masked(fresh[k], rates[k], q, ny, active, spare)
        largest_of(spare, 0, 1, control[CHANGE], control[CHANGE])
    for lane in range(LANES):
        if active[lane] != 0.0:
            count(buffers.counters, lane, EVALUATIONS, s)
            if not math.isfinite(control[CHANGE, lane]):
                return STIFF
            control[LANE_ERROR, lane] = abs(h) * control[CHANGE, lane] / control[LANE_ERROR, lane]
    return OK


@helper
def take_over_masked(new, old, first, ny, mask, change):
    """Replace the rates of a stage in the lanes of the mask; `change` becomes the largest change of each, not finite where a new one is not.

    The last component, the work, takes no part in the change.
    """
    fresh, rates, where = lane_array(new, 0), lane_array(old, 0), lane_array(mask, 0)[0]
    most = in_all_lanes(0.0)
    for j in range(first, ny):
        value = choose(where, fresh[j], rates[j])
        if j < ny - 1:
            most = larger_magnitude(most, value - rates[j])
        rates[j] = value
    last = rates[ny - 1]
    lane_array(change, 0)[0] = larger_magnitude(most, 0.0 * last)


@helper
def judge(method, iteration, control):
    """Whether lanes have converged, which then are no longer ACTIVE; returns STIFF when the iteration of one must be given up."""
    for lane in range(LANES):
        if control[ACTIVE, lane] == 0.0:
            continue
        error = control[LANE_ERROR, lane]
        theta = error / control[PREVIOUS, lane] if iteration > 0 else math.inf
        if not (iteration == 0 or theta < IN_TURN):
            control[LANE_TURNS, lane] = 0.0
        if control[LANE_LEFT, lane] < SETTLED:
            if error >= control[BEST, lane]:
                control[RISES, lane] += 1.0
            control[BEST, lane] = min(control[BEST, lane], error)
            rises = int(control[RISES, lane])
            if is_accepted(method[TOLERANCE], method[STAGNATION], error, theta, control[BEST, lane], rises):
                control[ACTIVE, lane] = 0.0
                continue
            if rises >= STALLED and control[BEST, lane] < UNCERTAIN:
                return STIFF
        watched = iteration > 0 and error > method[STAGNATION]
        if watched and (theta > SLOW or iteration + math.log(method[STAGNATION] / error) / math.log(theta) > MANY):
            return STIFF
        if theta > 2.0 and iteration > 3 and error > DIVERGED:
            return STIFF
        control[PREVIOUS, lane] = error
    return OK


@helper
def iterate_lanes(equations, step, y, stages, control, layout, buffers):
    """Find the rates of the stages in all lanes; returns a status."""
    fill(control, ACTIVE, 1.0)
    fill(control, PREVIOUS, math.inf)
    fill(control, BEST, math.inf)
    fill(control, GAIN, math.inf)
    fill(control, LANE_LEFT, math.inf)
    fill(control, RISES, 0.0)
    fill(control, LANE_TURNS, 1.0)
    for iteration in range(int(step.method[MOST_ITERATIONS])):
        for lane in range(LANES):
            count(buffers.counters, lane, ITERATIONS, 1 if control[ACTIVE, lane] != 0.0 else 0)
        status = place_lanes(equations.first, step, y, stages, control, iteration == 0, layout, buffers.work)
        if status == OK:
            status = renew_lanes(equations, step, y, stages, control, layout, buffers)
        if status == OK:
            status = judge(step.method, iteration, control)
        if status != OK or not any_of(control, ACTIVE):
            return status
    return STIFF


@helper
def settle_lanes(position_rate, step, y, stages, control, layout, work):
    """Sweep the positions of every lane until it is at rest (see `settle_positions`); returns a status."""
    method = step.method
    stage_velocities(step, y, stages)
    fill(control, MASK, 1.0)
    fill(control, PREVIOUS, math.inf)
    for _ in range(int(method[MOST_ITERATIONS])):
        status = sweep_lanes(position_rate, step, y, stages, control, layout, work)
        if status != OK:
            return status
        for lane in range(LANES):
            if control[MASK, lane] == 0.0:
                continue
            change, relative = control[CHANGE, lane], control[RELATIVE, lane]
            if relative * control[GAIN, lane] < AT_REST:
                control[MASK, lane] = 0.0
            elif change >= control[PREVIOUS, lane]:
                if not relative < method[STAGNATION]:
                    return STIFF
                control[MASK, lane] = 0.0
            control[PREVIOUS, lane] = change
        if not any_of(control, MASK):
            return OK
    return STIFF


@compiled(STEP_SIGNATURE)
def gauss_lanes_step(equations, t, h, y, buffers, layout):
    """One step of a Gauss method of the size h, in all lanes."""
    step = step_of(t, h, buffers.method, layout)
    s = step.table.shape[1]
    stages = stages_of(buffers.scratch, s, y.size)
    control = buffers.scratch[buffers.scratch.size - LANE_ROWS * LANES :].reshape((LANE_ROWS, LANES))
    status = first_guess(equations, step, y, True, stages, layout, buffers)
    if status == OK:
        status = iterate_lanes(equations, step, y, stages, control, layout, buffers)
    if status == OK:
        status = settle_lanes(equations.first, step, y, stages, control, layout, buffers.work)
    if status == OK:
        status = advance(step, y, stages, buffers)
    return status
