"""One energy-momentum step of one stage, without drives: twists and multipliers by Newton's method.

The matrix (`one_stage.py`) is taken once, at the prediction, and the iteration converges as fast as that is good: three iterations are usual. Where
loads are stiff they are more, and are accelerated as in steps of several stages.
"""

from __future__ import annotations

from math import isfinite

from numba import int64

from poinsot.algebra.compile import compiled, helper
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.energy_momentum_step import (
    EM_ITERATIONS,
    EM_TOLERANCE,
    NEARLY,
    REFRESH,
    RUNAWAY,
    STANDING,
    finish,
    largest_of,
    left_over,
    predict_stages,
    residuals,
    set_scales,
    settles,
    speeds,
    stagnates,
)
from poinsot.formulations.directors.one_stage import build_one, correct_one
from poinsot.formulations.directors.stage_places import Step
from poinsot.integrators.contract import WATCH
from poinsot.linear.anderson import accelerate, note
from poinsot.tables.types import EVALUATIONS, ITERATIONS, NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STIFF

LOADED = 0.03  # ratio of corrections above which loads are stiff, and the iteration is accelerated
# ratios of corrections that are counted on at best. The first corrections are smaller than later ones; accelerated, one good correction promises
# nothing of the next
PROMISED, UNPROMISED = 1e-2, 0.5


@helper
def solve_one(equations, step, y, layout, work, counters):
    """Iterate twists and multipliers until they satisfy their equations; returns a status."""
    at, method, h = layout.places[0], step.method, step.h
    unknowns, changes = work[stage_places.unknowns(at, 1)], work[stage_places.changes(at, 1)]
    scales, room = work[stage_places.scales(at, 1)], work[stage_places.history(at)]
    forces, gaps = work[stage_places.stage_forces(at, 1)], work[stage_places.stage_gaps(at, 1)]
    poses, size = work[stage_places.stage_poses(at, 1)], unknowns.shape[0]
    last, best, first, stuck, slow = 0.0, 1e300, 0.0, 0, False
    left = 1e300  # residual of the equations: evaluated only where the iteration may end
    count = int64(0)  # typed as int64 so that Numba does not specialise on a literal
    floor = STANDING + h * (abs(layout.values[0]) + abs(layout.values[1]) + abs(layout.values[2]))
    for iteration in range(int(method[EM_ITERATIONS])):
        counters[ITERATIONS] += 1
        counters[EVALUATIONS] += 1
        status = residuals(equations, step, y, layout, work, False)
        if status != OK:
            return status
        before, left = left, 1e300
        if iteration == 0 or last < NEARLY:
            left = max(largest_of(gaps, gaps.shape[0]), left_over(step, layout, forces))
        if iteration == 0 or (iteration % REFRESH == 0 and not slow):
            set_clock(layout, step.t + 0.5 * h)
            work[at.pivot] = build_one(step, y, layout, work)
        correct_one(step, layout, work)
        change, largest = speeds(step, layout, poses, changes, unknowns)
        largest = max(largest, floor)
        if not isfinite(change + largest):
            return NOT_FINITE
        if iteration == 0:
            first = max(change, largest)
        if largest > RUNAWAY * first:
            return NOT_CONVERGED
        error = change / largest
        ratio = error / last if last > 0.0 else 1.0
        if iteration > 0 and ratio > LOADED and not slow:
            slow = True
            set_scales(changes, at.n_twists, scales)
        if slow or iteration == 0:
            note(room, size, count, unknowns, changes)
            count += 1
        if slow:
            accelerate(room, size, count - 1, scales, unknowns, changes)
        else:
            for k in range(size):
                unknowns[k] += changes[k]
        stuck = stuck + 1 if error > 0.9 * best else 0
        best = min(best, error)
        rate = max(ratio, UNPROMISED if slow else PROMISED)
        small = error == 0.0 or (iteration > 0 and error * rate < method[EM_TOLERANCE] * (1.0 - rate))
        if (small or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            return OK
        last = error
    return NOT_CONVERGED


@compiled(STEP_SIGNATURE)
def one_stage_step(equations, t, h, y, buffers, layout):
    """One step of the energy-momentum method of one stage; of the type STEP."""
    at = layout.places[0]
    method, memory, _, work, counters = buffers
    step = Step(method, 1, at.n_bodies, t, h)
    status = predict_stages(equations.second, step, y, memory, layout, work)
    if status == OK:
        status = solve_one(equations, step, y, layout, work, counters)
    if status == OK:
        return finish(equations.second, step, y, buffers, layout)
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
