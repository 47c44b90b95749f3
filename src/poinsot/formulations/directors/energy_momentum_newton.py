"""An energy-momentum step by Newton's method, for steps on which the iteration with one matrix for all stages fails.

Near singular positions, and where bodies turn far within a step, the stages differ too much to share a matrix. Newton's
corrections of all stages together are then put together from directions (`linear/krylov.py`), for which that matrix is the preconditioner, and
are taken only as far as they help. What the equations change by in a direction is a difference of two evaluations. Directions leave as much
of the equations as the next correction removes anyway; close to the solution, where the equations hardly change any more, those of one
correction serve the next ones, too. Of one stage the matrix is that of Newton's method without the loads: where nothing is missing in it, no
direction is needed.
"""

from __future__ import annotations

from math import isfinite, sqrt

from poinsot.algebra.compile import compiled, helper
from poinsot.formulations.absolute import places
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.energy_momentum_memory import (
    RESCUES_IN_ROW,
    RESCUES_LEFT,
    note_at,
    remember_rescue,
)
from poinsot.formulations.directors.energy_momentum_step import speeds
from poinsot.formulations.directors.give_back import give_back
from poinsot.formulations.directors.iteration import (
    EM_TOLERANCE,
    HELPED,
    REDUNDANT,
    RUNAWAY,
    STANDING,
    set_scales,
    settles,
    slowest,
    stagnates,
)
from poinsot.formulations.directors.newton_equations import (
    build,
    evaluate,
    lacks_nothing,
    largest_turn,
    place,
    precondition,
    restore,
    room_of,
)
from poinsot.formulations.directors.newton_starts import LARGEST_TURN, PLAIN, PREDICTED, best_start, other_start
from poinsot.formulations.directors.stage_places import step_of
from poinsot.formulations.directors.step_ends import finish
from poinsot.integrators.stages import copy
from poinsot.linear.anderson import product
from poinsot.linear.krylov import DIRECTIONS, combine, extend, take
from poinsot.tables.types import (
    EVALUATIONS,
    ITERATIONS,
    NEWTON_STEPS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STEP_SIGNATURE,
)

MOST_CORRECTIONS = 30
MOST_EVALUATIONS = 160  # of all stages, after which a step is halved: what five steps cost that the simple iteration hardly does
DISTANT_YET, MOST_DISTANT = 0.3, 80  # relative correction above which so many evaluations are enough: one that comes closer then is rare
FORCING, LOOSE = 1e-6, 0.2  # of the equations may be left by directions: at the end, and far from it, where better ones lead astray more often
DIFFERENCE = 1e-7  # of the unknowns: how far apart the two evaluations of a difference are
SHORTEST = 1.0 / 256.0  # of a correction: when even that does not help, nothing will
SHORT = 1.0 / 16.0  # of a correction: when twice less than that helps, nothing will
FINE = 1e-9  # relative correction below which rounding decides whether it helps, and it is taken as it is
CLOSE = 0.03  # relative correction below which the matrix has all tensions
NEARBY = 0.002  # relative correction below which directions serve the next correction, too
OUTDATED = 3.0  # times the relative corrections since directions were found: how wrong they are
FIRM = 1e-2  # smallest relative pivot from which on a step may be given up early, and directions serve again
NEARLY_SINGULAR = 1e-5  # smallest relative pivot below which a step is next to a singular position
SPEED_ROUNDING = 1e-15  # of the speed: gaps of rows below that are rounding


@helper
def newton_direction(equations, step, y, layout, buffers, room, forcing, kept):
    """Newton's correction at the unknowns `base`, where the preconditioned equations are `start`, of what is `wanted`: to `direction`.

    kept : directions that are known from corrections before

    Returns a status, and how many directions are known then. The unknowns are `base` again at the end.
    """
    at, work = layout.places[0], buffers.work
    s = step.stages
    unknowns, changes = work[stage_places.unknowns(at, s)], work[stage_places.changes(at, s)]
    scales, size = work[stage_places.scales(at, s)], unknowns.shape[0]
    base, rest, basis = room.base, room.wanted, room.krylov
    most, known = min(size, DIRECTIONS), kept
    length = sqrt(product(rest, 0, rest, 0, size, scales))
    if not isfinite(length):
        return NOT_FINITE, known
    apart = DIFFERENCE * max(sqrt(product(base, 0, base, 0, size, scales)), STANDING)
    for j in range(kept):
        take(basis, size, most, j, scales, rest)
    left = sqrt(product(rest, 0, rest, 0, size, scales))
    while left > forcing * length and known < most:
        for k in range(size):
            basis[known * size + k] = rest[k] / left
            unknowns[k] = base[k] + apart * basis[known * size + k]
        status = evaluate(equations, step, y, layout, buffers, room, True)
        if status != OK:
            return status, known
        precondition(equations, step, y, layout, work, room, False)
        image = basis[(most + known) * size :]
        for k in range(size):  # `changes` are minus the equations
            image[k] = (room.start[k] - changes[k]) / apart
        if not extend(basis, size, most, known, scales):
            break
        take(basis, size, most, known, scales, rest)
        left = sqrt(product(rest, 0, rest, 0, size, scales))
        known += 1
        if not isfinite(left):
            return NOT_FINITE, known
    copy(base, unknowns)
    combine(basis, size, most, known, room.direction)
    return OK, known


@helper
def left_by_directions(room, scales, size, tolerance):
    """Which part of the equations directions may leave: as much as unknowns are still away, relatively, and no less than the tolerance asks for."""
    away = product(room.wanted, 0, room.wanted, 0, size, scales) / max(product(room.base, 0, room.base, 0, size, scales), 1e-300)
    away = max(sqrt(away), 1e-300)
    return min(LOOSE, max(FORCING, away, 0.1 * tolerance / away))


@helper
def advance(equations, step, y, layout, buffers, room, fine):
    """Add as much of the correction `direction` to `base` as helps, all of it if it is `fine`; forces and gaps there are in `left` then.

    Returns a status, and the part that was taken.
    """
    at, s, work = layout.places[0], step.stages, buffers.work
    unknowns, changes = work[stage_places.unknowns(at, s)], work[stage_places.changes(at, s)]
    scales, size = work[stage_places.scales(at, s)], unknowns.shape[0]
    length, part = product(room.start, 0, room.start, 0, size, scales), 1.0
    while part >= SHORTEST:
        for k in range(size):
            unknowns[k] = room.base[k] + part * room.direction[k]
        status = evaluate(equations, step, y, layout, buffers, room, False)
        if fine:
            return status, part
        if status == OK:
            precondition(equations, step, y, layout, work, room, False)
            if product(changes, 0, changes, 0, size, scales) < (1.0 - 0.5 * part) * length:
                for k in range(size):
                    unknowns[k] = room.base[k] + part * room.direction[k]
                return OK, part
        part *= 0.5
    return NOT_CONVERGED, part


@helper
def give_up(error, spent, pivot):
    """Whether a step that has cost so many evaluations of all stages is better halved; next to singular positions smaller steps are no easier."""
    most = MOST_DISTANT if error > DISTANT_YET and pivot > FIRM else MOST_EVALUATIONS
    return pivot >= NEARLY_SINGULAR and spent > most


@helper
def newton_stages(equations, step, y, layout, buffers, room, began, tense):
    """Unknowns of all stages by a damped Newton iteration, from those whose forces and gaps are in `left`; returns a status.

    began : count of evaluations with which the rescue began
    tense : whether the matrix has all tensions far from the solution, too
    """
    at, work, counters = layout.places[0], buffers.work, buffers.counters
    method, s, n, _, h = step
    unknowns, poses = work[stage_places.unknowns(at, s)], work[stage_places.stage_poses(at, s)]
    changes, scales = work[stage_places.changes(at, s)], work[stage_places.scales(at, s)]
    size = unknowns.shape[0]
    complete, floor = lacks_nothing(step, layout), slowest(step, layout)
    last, best, first, stuck, left, whole = 0.0, 1e300, 0.0, 0, 0.0, False
    kept, moved, short = 0, 0.0, 0
    for iteration in range(MOST_CORRECTIONS):
        counters[ITERATIONS] += 1
        if not tense and 0.0 < last < CLOSE:
            tense, kept = True, 0
        place(step, y, layout, work, room, False)
        if kept == 0 or s == 1:
            status = build(equations, step, y, layout, work, tense)
            if status != OK:
                return status
        copy(unknowns, room.base)
        copy(poses, room.poses)
        before = left
        gap, left = restore(step, layout, work, room)
        precondition(equations, step, y, layout, work, room, False)
        if iteration == 0:
            set_scales(changes, s * at.n_twists, scales)
        copy(changes, room.start)
        if gap < SPEED_ROUNDING * max(first, floor):  # nothing but rounding, which nearly dependent rows amplify
            precondition(equations, step, y, layout, work, room, True)
        copy(changes, room.wanted)
        singular = work[at.pivot] < NEARLY_SINGULAR  # there no correction is better than it is solved for
        forcing, quadratic = 0.0, whole and not singular and kept == 0
        if complete and tense and not singular:
            copy(changes, room.direction)
        else:
            forcing = FORCING if singular else left_by_directions(room, scales, size, method[EM_TOLERANCE])
            forcing = max(forcing, min(LOOSE, OUTDATED * moved))
            status, kept = newton_direction(equations, step, y, layout, buffers, room, forcing, kept)
            if status != OK:
                return status
        copy(room.direction, changes)
        change, largest = speeds(step, layout, work)
        largest = max(largest, floor)
        if not isfinite(change + largest):
            return NOT_FINITE
        if iteration == 0:
            first = largest
        if largest > RUNAWAY * first:
            return NOT_CONVERGED
        error = change / largest
        status, part = advance(equations, step, y, layout, buffers, room, error < FINE)
        short = short + 1 if part < SHORT else 0
        if status == OK and short == 2 and work[at.pivot] > FIRM:
            status = NOT_CONVERGED
        if status != OK:
            return status
        ratio = error / last if last > 0.0 else 1.0
        stuck = stuck + 1 if error > 0.9 * best else 0
        best = min(best, error)
        rate = max(ratio * ratio if quadratic else ratio, forcing)
        whole = part == 1.0
        done = error == 0.0 or (whole and iteration > 0 and error * rate < method[EM_TOLERANCE] * (1.0 - rate))
        if (done or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            return OK if largest_turn(s * n, h, unknowns) <= LARGEST_TURN else NOT_CONVERGED
        slow = iteration > 0 and ratio > HELPED and error > FINE
        if work[at.pivot] < FIRM or slow or not (whole and error < NEARBY):
            kept = 0
        moved = moved + error if kept > 0 else 0.0
        last = error
        if give_up(error, (counters[EVALUATIONS] - began) // s, work[at.pivot]):
            return NOT_CONVERGED
    return NOT_CONVERGED


@compiled(STEP_SIGNATURE)
def newton_step(equations, t, h, y, buffers, layout):
    """One step by Newton's method, from the best start or else from the others; of the type STEP, and to the same end as the simple one.

    Of one stage the start is tried twice: first with the matrix that has all tensions, which makes short work of most steps.
    """
    method, memory, scratch, work, counters = buffers
    at = layout.places[0]
    step = step_of(t, h, method, at)
    one = step.stages == 1 and at.n_drives == 0
    room = room_of(scratch[at.n_poses :], work[stage_places.unknowns(at, step.stages)].shape[0])
    left, in_row, began = memory[note_at(memory, RESCUES_LEFT)], memory[note_at(memory, RESCUES_IN_ROW)], counters[EVALUATIONS]
    status, begun = best_start(equations, step, y, layout, buffers, room)
    if status == OK:
        status = newton_stages(equations, step, y, layout, buffers, room, began, True)
    for start in (PLAIN, PREDICTED):
        enough = give_up(1.0, (counters[EVALUATIONS] - began) // step.stages, work[at.pivot])
        if status in (NOT_CONVERGED, NOT_FINITE) and (start != begun or one) and not enough:
            status = other_start(equations, step, y, layout, buffers, room, start)
            if status == OK:
                status = newton_stages(equations, step, y, layout, buffers, room, began, not one)
    if status == OK:
        status = finish(equations.second, step, y, buffers, layout)
    if status == OK:
        counters[NEWTON_STEPS] += 1
        remember_rescue(memory, left, in_row, float((counters[EVALUATIONS] - began) // step.stages))
        if method[REDUNDANT] == 1.0 and at.n_drives == 0 and work[at.pivot] < NEARLY_SINGULAR:
            give_back(layout, y, y[places.velocities(at)], scratch[at.n_poses :], work)
    return status
