"""Gauss steps with their stages in lanes: one evaluation finds the rates of all stages, in the vector registers of one core.

The iteration is that of `gauss_step.py`, but all stages are renewed at once: none can know the new rates of another (Jacobi in place of
Gauss-Seidel), so that it takes some iterations more. What is accepted is the same. Memory is that of the other Gauss steps, so that
Newton's method can take over.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.lane_arrays import lane_array
from poinsot.algebra.lanes import in_all_lanes, larger_magnitude
from poinsot.integrators import gauss
from poinsot.integrators.capabilities import StageLanes
from poinsot.integrators.contract import WATCH, Method
from poinsot.integrators.gauss_ends import advance, continued
from poinsot.integrators.gauss_step import (
    AT_REST,
    DIVERGED,
    FAST,
    LITTLE,
    MANY,
    MOST_ITERATIONS,
    SETTLED,
    SLOW,
    STAGNATION,
    TINY,
    TOLERANCE,
    is_accepted,
    largest,
    scratch_size,
    stages_of,
    step_of,
)
from poinsot.integrators.rounding import STALLED, ULPS, UNCERTAIN, largest_difference, shake
from poinsot.tables.types import EVALUATIONS, ITERATIONS, NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STIFF


class Wide(NamedTuple):
    """All stages side by side: states, rates, new rates; the columns of the tableau, one lane per stage; the work array of the rates.

    Lanes without a stage repeat the last one; their columns are zero.
    """

    state: Any
    rates: Any
    fresh: Any
    columns: Any
    work: Any


def method(stages: int, tolerance: float = 2e-17, stagnation: float = 1e-13, iterations: int = 50) -> Method:
    """The Gauss method with its stages in lanes; see `gauss.method`."""
    plain = gauss.method(stages, tolerance, stagnation, iterations)
    room = scratch_size(stages)

    def bind(formulation: Any) -> Method:
        work = formulation.rates.stage_lanes.work_size
        return replace(whole, scratch=lambda ny: room(ny) + 3 * LANES * ny + LANES * LANES + work, bind=None)

    whole = replace(plain, name=f"{plain.name}:lanes", step=gauss_stage_lanes_step, needs=StageLanes, bind=bind, lanes=None, side_by_side=LANES)
    return whole


@kernel
def wide_of(scratch, s, used, ny):
    """The arrays of all stages, after those of `stages_of`, which are `used` numbers."""
    n = LANES * ny
    end = used + 3 * n
    columns = scratch[end : end + LANES * LANES]
    return Wide(scratch[used : used + n], scratch[used + n : used + 2 * n], scratch[used + 2 * n : end], columns, scratch[end + LANES * LANES :])


@helper
def spread_rows(rows, first, wide):
    """From one row per stage to all stages side by side, components `first` to the last."""
    s = rows.shape[0]
    for lane in range(LANES):
        row = rows[min(lane, s - 1)]
        for j in range(first, row.size):
            wide[LANES * j + lane] = row[j]


@helper
def collect_rows(wide, rows):
    """The inverse of `spread_rows`, of all components."""
    for k in range(rows.shape[0]):
        row = rows[k]
        for j in range(row.size):
            row[j] = wide[LANES * j + k]


@helper
def prepare(step, stages, wide):
    """The columns of the tableau, and the times of the stages."""
    t, h, _, _, table = step
    s, size = table.shape[1], wide.work.size
    for lane in range(LANES):
        k = min(lane, s - 1)
        wide.work[size - LANES + lane] = t + table[s, k] * h
        for m in range(LANES):
            wide.columns[LANES * m + lane] = table[k, m] if m < s else 0.0


@kernel
def columns_of(wide):
    """The columns of the tableau, one lane per stage, as many as LANES."""
    column = lane_array(wide.columns, 0)
    return column[0], column[1], column[2], column[3]


@kernel
def increment(columns, rates, j):
    """The sum over all stages of what their rates of component j contribute to each."""
    k = LANES * j
    return columns[0] * rates[k] + columns[1] * rates[k + 1] + columns[2] * rates[k + 2] + columns[3] * rates[k + 3]


@helper
def place_velocities(step, y, wide):
    """Velocities (and work) of the stages from their rates."""
    h, columns, state = step.h, columns_of(wide), lane_array(wide.state, 0)
    for j in range(step.nq, y.size):
        state[j] = y[j] + h * increment(columns, wide.rates, j)


@helper
def sweep_stages(position_rate, step, y, reach, wide, layout):
    """One sweep over the positions of the stages; returns a status and the largest change: absolute, and relative to the largest position.

    `reach` is that at the beginning of the step.
    """
    nq, h, columns, state = step.nq, step.h, columns_of(wide), lane_array(wide.state, 0)
    status = position_rate(step.t, wide.state, layout, wide.work, wide.rates)
    if status != OK:
        return status, 0.0, 0.0
    most = scale = in_all_lanes(0.0)
    for j in range(nq):
        value = y[j] + h * increment(columns, wide.rates, j)
        most, scale = larger_magnitude(most, value - state[j]), larger_magnitude(scale, value)
        state[j] = value
    room = lane_array(wide.fresh, 0)
    room[0], room[1] = most, scale
    change = largest(wide.fresh[:LANES])
    if not math.isfinite(change):
        return NOT_FINITE, 0.0, 0.0
    return OK, change, change / max(reach, largest(wide.fresh[LANES : 2 * LANES]))


@helper
def place_all(position_rate, step, y, reach, wide, gain, left, layout):
    """Velocities of the stages, then sweeps over their positions; see `place_stages`. Returns a status, the gain, and what is left."""
    place_velocities(step, y, wide)
    first = gain == math.inf
    status, before, moved = sweep_stages(position_rate, step, y, reach, wide, layout)
    if status == OK and first:
        status, change, moved = sweep_stages(position_rate, step, y, reach, wide, layout)
        gain = change / before if before > 0.0 else 0.0
    ahead = moved * gain < SETTLED if first else left < LITTLE * moved
    if status != OK or (ahead and gain < FAST) or moved * gain < AT_REST:
        return status, gain, moved * gain
    status, _, moved = sweep_stages(position_rate, step, y, reach, wide, layout)
    return status, gain, moved * gain if gain < FAST else moved


@helper
def take_over_all(wide, first, last):
    """Replace the rates by the new ones; returns the largest change, not finite when a new one is not.

    The last component, the work, takes no part in it.
    """
    fresh, rates = lane_array(wide.fresh, 0), lane_array(wide.rates, 0)
    most = in_all_lanes(0.0)
    for j in range(first, last):
        most = larger_magnitude(most, fresh[j] - rates[j])
        rates[j] = fresh[j]
    rates[last] = fresh[last]
    fresh[0] = larger_magnitude(most, 0.0 * fresh[last])
    return largest(wide.fresh[:LANES])


@helper
def scale_of(step, y, wide):
    """What errors of rates are compared with: the largest velocity or h v', as the first guess has it."""
    nq, last = step.nq, y.size - 1
    return max(largest(y[nq:last]), abs(step.h) * largest(wide.rates[LANES * nq : LANES * last]), TINY)


@helper
def rounding_of_all(velocity_rate, step, y, trial, wide, layout, counters):
    """What one rounding of the states does to their rates, measured as errors are. The next iteration sets the states anew."""
    shake(wide.state, trial)
    counters[EVALUATIONS] += step.table.shape[1]
    if velocity_rate(step.t, wide.state, layout, wide.work, wide.fresh) != OK:
        return 0.0
    change = largest_difference(wide.fresh, wide.rates, LANES * step.nq, LANES * (y.size - 1))
    return abs(step.h) * change / scale_of(step, y, wide)


@helper
def iterate_all(equations, step, y, reach, wide, layout, counters):
    """Find the rates of the stages; returns a status and the gain of a sweep over the positions. What is accepted is as in `iterate`."""
    method, nq, last = step.method, step.nq, y.size - 1
    previous = best = gain = left = math.inf
    rises, noise, scale = 0, 0.0, scale_of(step, y, wide)
    for iteration in range(int(method[MOST_ITERATIONS])):
        counters[ITERATIONS] += 1
        status, gain, left = place_all(equations.first, step, y, reach, wide, gain, left, layout)
        if status != OK:
            return status, gain
        counters[EVALUATIONS] += step.table.shape[1]
        status = equations.second(step.t, wide.state, layout, wide.work, wide.fresh)
        if status != OK:
            return status, gain
        change = take_over_all(wide, nq, last)
        if not math.isfinite(change):
            return NOT_FINITE, gain
        error = abs(step.h) * change / scale
        theta = error / previous if iteration > 0 else math.inf
        if left < SETTLED:
            rises += error >= best
            best = min(best, error)
            if is_accepted(method[TOLERANCE], method[STAGNATION], error, theta, best, rises):
                return OK, gain
            if rises >= STALLED and best < UNCERTAIN:
                noise = max(noise, rounding_of_all(equations.second, step, y, rises, wide, layout, counters))
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
def settle_all(position_rate, step, y, reach, gain, wide, layout):
    """Sweep the positions, with the velocities fixed, until they are at rest; see `settle_positions`. Returns a status."""
    method, previous = step.method, math.inf
    place_velocities(step, y, wide)
    for _ in range(int(method[MOST_ITERATIONS])):
        status, change, relative = sweep_stages(position_rate, step, y, reach, wide, layout)
        if status != OK:
            return status
        if relative * gain < AT_REST:
            return OK
        if change >= previous:
            return OK if relative < method[STAGNATION] else NOT_CONVERGED
        previous = change
    return NOT_CONVERGED


@helper
def begin(equations, step, y, stages, wide, layout, buffers):
    """States and rates of all stages to start from; returns a status."""
    prepare(step, stages, wide)
    state = lane_array(wide.state, 0)
    for j in range(y.size):
        state[j] = y[j]
    if continued(step, y, True, stages, buffers.memory):
        spread_rows(stages.rates, step.nq, wide.rates)
        return OK
    buffers.counters[EVALUATIONS] += 1
    return equations.second(step.t, wide.state, layout, wide.work, wide.rates)


@compiled(STEP_SIGNATURE)
def gauss_stage_lanes_step(equations, t, h, y, buffers, layout):
    """One step of a Gauss method of the size h."""
    step = step_of(t, h, buffers.method, layout)
    s = step.table.shape[1]
    stages = stages_of(buffers.scratch, s, y.size)
    wide = wide_of(buffers.scratch, s, 3 * s * y.size + stages.spare.size, y.size)
    status = begin(equations, step, y, stages, wide, layout, buffers)
    if status != OK:
        return status
    reach = max(largest(y[: step.nq]), TINY)
    status, gain = iterate_all(equations, step, y, reach, wide, layout, buffers.counters)
    if status != OK:
        return status
    status = settle_all(equations.first, step, y, reach, gain, wide, layout)
    if status != OK:
        return status
    collect_rows(wide.rates, stages.rates)
    return advance(step, y, stages, buffers)
