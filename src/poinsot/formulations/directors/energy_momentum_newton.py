"""An energy-momentum step by Newton's method, for steps on which the iteration with one matrix for all stages fails.

Near singular positions, and where bodies turn far within a step, the stages differ too much to share a matrix. Newton's
corrections of all stages together are then found by GMRES, for which that matrix is the preconditioner (of one stage without drives: the
matrix of Newton's method without the loads), and are taken only as far as they help. What the equations change by in a direction is a
difference of two evaluations, and GMRES leaves as much of them as the next correction removes anyway.

It begins where least is left of the equations: where the simple iteration ended, at the prediction, or at the velocities of the beginning.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import Any, NamedTuple

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.vectors import cross, dot, load3, negate, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.rows import AXES
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.energy_momentum_memory import (
    RESCUES_IN_ROW,
    RESCUES_LEFT,
    guess,
    note_at,
    remember_rescue,
)
from poinsot.formulations.directors.energy_momentum_step import (
    build_matrix,
    corrections,
    left_over,
    residuals,
    speeds,
)
from poinsot.formulations.directors.give_back import give_back
from poinsot.formulations.directors.iteration import (
    EM_TOLERANCE,
    REDUNDANT,
    RUNAWAY,
    STANDING,
    largest_of,
    set_scales,
    settles,
    slowest,
    stagnates,
)
from poinsot.formulations.directors.one_stage import build_one, correct_one
from poinsot.formulations.directors.stage_places import EM_MATRIX, step_of
from poinsot.formulations.directors.stages import middle_poses
from poinsot.formulations.directors.step_ends import finish, predict_stages
from poinsot.integrators.stages import all_finite, copy
from poinsot.linear.anderson import product
from poinsot.linear.dense import lu_factor, lu_solve
from poinsot.linear.krylov import VECTORS, begin, combine, extend, krylov_size
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
FORCING, LOOSE = 1e-6, 0.1  # of the equations may be left by GMRES: at the end, and far from it
DIFFERENCE = 1e-7  # of the unknowns: how far apart the two evaluations of a difference are
SHORTEST = 1.0 / 256.0  # of a correction: when even that does not help, nothing will
PREDICTED, REACHED, PLAIN = 0, 1, 2  # where it begins
FINE = 1e-9  # relative correction below which rounding decides whether it helps, and it is taken as it is
LARGEST_TURN = 6.3  # rad: with more than a whole turn in a step, equations have solutions that mean nothing
NEARLY_SINGULAR = 1e-5  # smallest relative pivot below which a step is next to a singular position
SPEED_ROUNDING = 1e-15  # of the speed: gaps of rows below that are rounding
DIRECTORS_ROOM = 9 * (9 + 2)  # numbers for the directors of one body at three stages


class Room(NamedTuple):
    """Scratch of the iteration: unknowns where a correction begins, the preconditioned equations there, what is left of them to solve
    for, the direction found; room for the directors of one body, and for GMRES.
    """

    base: Any
    start: Any
    wanted: Any
    direction: Any
    directors: Any
    krylov: Any


def room_size(unknowns: int) -> int:
    """Numbers needed beside the scratch of the simple step."""
    return krylov_size(unknowns) + 4 * unknowns + DIRECTORS_ROOM


@kernel
def room_of(scratch, size):
    """The scratch of the iteration, split up; `size`: number of unknowns."""
    first = 4 * size + DIRECTORS_ROOM
    return Room(
        scratch[:size],
        scratch[size : 2 * size],
        scratch[3 * size : 4 * size],
        scratch[2 * size : 3 * size],
        scratch[4 * size : first],
        scratch[first:],
    )


@helper
def settle(step, y, poses, twists, room):
    """Directors at the stages from the twists, D_i = D + h sum_j a_ij w_j x D_j solved body by body; explicit for one stage anyway."""
    method, s, n, _, h = step
    size = 3 * s
    matrix, pivots, x = room[: size * size], room[size * size : size * (size + 1)], room[size * (size + 1) :]
    for b in range(1, n if s > 1 else 1):
        for j in range(s):
            w = load3(twists, TWIST * (j * n + b) + 3)
            for i in range(s):
                c = -h * method[EM_MATRIX + 3 * i + j]
                for k in range(3):
                    row = (3 * i + k) * size + 3 * j
                    turned = scale(c, cross(w, AXES[k]))  # row k of hat(w) is minus its column
                    store3(matrix, row, negate(turned))
                    if i == j:
                        matrix[row + k] += 1.0
        lu_factor(matrix, size, pivots)
        for column in range(3):
            for k in range(size):
                x[k] = y[POSE * b + 3 + 3 * (k % 3) + column]
            lu_solve(matrix, size, pivots, x)
            for k in range(size):
                poses[POSE * ((k // 3) * n + b) + 3 + 3 * (k % 3) + column] = x[k]


@helper
def largest_turn(count, h, twists):
    """Largest angle (rad) by which a body would turn within the step at the angular velocity of one of the first `count` twists."""
    largest = 0.0
    for k in range(count):
        w = load3(twists, TWIST * k + 3)
        largest = max(largest, dot(w, w))
    return abs(h) * sqrt(largest)


@helper
def build(equations, step, y, layout, work):
    """Factor the matrix at the present unknowns: that of Newton's method for one stage without drives. Returns a status."""
    if step.stages == 1 and layout.places[0].n_drives == 0:
        set_clock(layout, step.t + 0.5 * step.h)
        work[layout.places[0].pivot] = build_one(step, y, layout, work)
        return OK
    return build_matrix(equations.second, step, y, layout, work)


@helper
def evaluate(equations, step, y, layout, work, closed, room, counters):
    """Preconditioned equations at the present unknowns, in `changes`; `closed`: as if no row had a gap.

    Returns a status, the largest gap, and what is left of the equations themselves.
    """
    at = layout.places[0]
    s = step.stages
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    gaps = work[stage_places.stage_gaps(at, s)]
    counters[EVALUATIONS] += s
    settle(step, y, poses, twists, room)
    status = residuals(equations, step, y, layout, work, False)
    gap, left = largest_of(gaps, gaps.shape[0]), left_over(step, layout, work)
    if closed:
        for k in range(gaps.shape[0]):
            gaps[k] = 0.0
    if status == OK:
        if s == 1 and at.n_drives == 0:
            correct_one(step, layout, work)
        else:
            corrections(equations.second, step, y, layout, work)
    return status, gap, max(gap, left)


@helper
def newton_direction(equations, step, y, layout, work, room, counters, forcing):
    """Solve for Newton's correction at the unknowns `base`, where the preconditioned equations are `start`; to `changes`.

    Returns a status. The unknowns are `base` again at the end.
    """
    at = layout.places[0]
    s = step.stages
    unknowns, changes = work[stage_places.unknowns(at, s)], work[stage_places.changes(at, s)]
    scales, size = work[stage_places.scales(at, s)], unknowns.shape[0]
    base, start, basis = room.base, room.start, room.krylov
    vectors, used = min(size, VECTORS), 0
    length = begin(basis, size, scales, room.wanted)
    apart = DIFFERENCE * max(sqrt(product(base, 0, base, 0, size, scales)), STANDING)
    status = OK
    while used < vectors:
        for k in range(size):
            unknowns[k] = base[k] + apart * basis[used * size + k]
        status, _, _ = evaluate(equations, step, y, layout, work, False, room.directors, counters)
        if status != OK:
            break
        for k in range(size):  # `changes` are minus the equations
            basis[(used + 1) * size + k] = (start[k] - changes[k]) / apart
        rest = extend(basis, size, vectors, used, length, scales)
        if not isfinite(rest):
            status = NOT_FINITE
            break
        used += 1
        if rest <= forcing * length:
            break
    copy(base, unknowns)
    combine(basis, size, vectors, used, changes)
    return status


@helper
def left_by_gmres(room, scales, size, tolerance):
    """Which part of the equations GMRES may leave: as much as the unknowns are still away, relatively, and no less than the tolerance asks for."""
    away = product(room.wanted, 0, room.wanted, 0, size, scales) / max(product(room.base, 0, room.base, 0, size, scales), 1e-300)
    away = max(sqrt(away), 1e-300)
    return min(LOOSE, max(FORCING, away, 0.1 * tolerance / away))


@helper
def newton_stages(equations, step, y, layout, work, scratch, counters, began):
    """Unknowns of all stages by a damped Newton iteration; returns a status."""
    at = layout.places[0]
    method, s, n, _, h = step
    unknowns, poses = work[stage_places.unknowns(at, s)], work[stage_places.stage_poses(at, s)]
    changes, scales = work[stage_places.changes(at, s)], work[stage_places.scales(at, s)]
    size = unknowns.shape[0]
    room = room_of(scratch, size)
    floor = slowest(step, layout)
    last, best, first, stuck, left, whole = 0.0, 1e300, 0.0, 0, 0.0, False
    for iteration in range(MOST_CORRECTIONS):
        counters[ITERATIONS] += 1
        if s > 1:
            settle(step, y, poses, unknowns, room.directors)
        else:
            middle_poses(step, y, poses, unknowns)
        status = build(equations, step, y, layout, work)
        before, gap, left = left, 0.0, 0.0
        if status == OK:
            status, gap, left = evaluate(equations, step, y, layout, work, False, room.directors, counters)
        if status != OK:
            return status
        if iteration == 0:
            set_scales(changes, s * at.n_twists, scales)
        copy(unknowns, room.base)
        copy(changes, room.start)
        if gap < SPEED_ROUNDING * max(first, floor):  # nothing but rounding, which nearly dependent rows amplify
            evaluate(equations, step, y, layout, work, True, room.directors, counters)
        copy(changes, room.wanted)
        singular = work[at.pivot] < NEARLY_SINGULAR  # there smaller steps are no easier, and no correction is better than it is solved for
        forcing = FORCING if singular else left_by_gmres(room, scales, size, method[EM_TOLERANCE])
        status = newton_direction(equations, step, y, layout, work, room, counters, forcing)
        if status != OK:
            return status
        copy(changes, room.direction)
        change, largest = speeds(step, layout, work)
        largest = max(largest, floor)
        if not isfinite(change + largest):
            return NOT_FINITE
        if iteration == 0:
            first = largest
        if largest > RUNAWAY * first:
            return NOT_CONVERGED
        error = change / largest
        length, part = product(room.start, 0, room.start, 0, size, scales), 1.0
        while True:
            for k in range(size):
                unknowns[k] = room.base[k] + part * room.direction[k]
            if error < FINE:
                break
            status, _, _ = evaluate(equations, step, y, layout, work, False, room.directors, counters)
            if status == OK and product(changes, 0, changes, 0, size, scales) < (1.0 - 0.5 * part) * length:
                break
            part *= 0.5
            if part < SHORTEST:
                return NOT_CONVERGED
        ratio = error / last if last > 0.0 else 1.0
        stuck = stuck + 1 if error > 0.9 * best else 0
        best = min(best, error)
        rate = max(ratio * ratio if whole and not singular else ratio, forcing)
        whole = part == 1.0
        done = error == 0.0 or (part == 1.0 and iteration > 0 and error * rate < method[EM_TOLERANCE] * (1.0 - rate))
        if (done or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            if largest_turn(s * n, h, unknowns) > LARGEST_TURN:
                return NOT_CONVERGED
            status, _, _ = evaluate(equations, step, y, layout, work, False, room.directors, counters)  # powers, too
            return status
        last = error
        if counters[EVALUATIONS] - began > MOST_EVALUATIONS * s and not singular:
            return NOT_CONVERGED
    return NOT_CONVERGED


@helper
def plain_guess(step, y, layout, work):
    """Stages with the velocities at the start of the step, without multipliers and efforts: where the extrapolation of earlier steps is poor."""
    at = layout.places[0]
    unknowns, first = work[stage_places.unknowns(at, step.stages)], step.stages * at.n_twists
    guess(step, y, y[places.velocities(at)], unknowns, unknowns[first:])


@helper
def start_left(equations, step, y, layout, work, room, counters):
    """What is left of the equations at the present unknowns: a speed, 1e300 where they mean nothing."""
    at, s = layout.places[0], step.stages
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    if not (all_finite(work[stage_places.unknowns(at, s)]) and largest_turn(s * step.bodies, step.h, twists) < LARGEST_TURN):
        return 1e300  # nothing that users' functions should see
    counters[EVALUATIONS] += s
    settle(step, y, poses, twists, room.directors)
    status = residuals(equations, step, y, layout, work, False)
    gaps = work[stage_places.stage_gaps(at, s)]
    left = max(largest_of(gaps, gaps.shape[0]), left_over(step, layout, work))
    return left if status == OK and isfinite(left) else 1e300


@helper
def best_start(equations, step, y, memory, layout, work, scratch, counters):
    """Begin with what leaves least of the equations: where the simple iteration ended, the prediction, or plain stages.

    Returns a status, and which of them it is (PREDICTED, REACHED, PLAIN). Where the simple iteration was left out, it ended nowhere.
    """
    unknowns = work[stage_places.unknowns(layout.places[0], step.stages)]
    room = room_of(scratch, unknowns.shape[0])
    copy(unknowns, room.base)
    status = predict_stages(equations.second, step, y, memory, layout, work)
    least = start_left(equations, step, y, layout, work, room, counters)
    copy(unknowns, room.start)
    copy(room.base, unknowns)
    left = memory[note_at(memory, RESCUES_LEFT)]
    reached = start_left(equations, step, y, layout, work, room, counters) if left == 0.0 else 1e300
    plain_guess(step, y, layout, work)
    plain = start_left(equations, step, y, layout, work, room, counters)
    if min(reached, least) < plain:
        copy(room.base if reached < least else room.start, unknowns)
    return status, PLAIN if min(reached, least) >= plain else (REACHED if reached < least else PREDICTED)


@compiled(STEP_SIGNATURE)
def newton_step(equations, t, h, y, buffers, layout):
    """One step by Newton's method, from the best start or else from the others; of the type STEP, and to the same end as the simple one."""
    method, memory, scratch, work, counters = buffers
    at = layout.places[0]
    step = step_of(t, h, method, at)
    room = scratch[at.n_poses :]
    left, in_row, began = memory[note_at(memory, RESCUES_LEFT)], memory[note_at(memory, RESCUES_IN_ROW)], counters[EVALUATIONS]
    status, begun = best_start(equations, step, y, memory, layout, work, room, counters)
    if status == OK:
        status = newton_stages(equations, step, y, layout, work, room, counters, began)
    for start in (PREDICTED, PLAIN):
        if status in (NOT_CONVERGED, NOT_FINITE) and start != begun:
            status = predict_stages(equations.second, step, y, memory, layout, work)
            if start == PLAIN:
                plain_guess(step, y, layout, work)
            if status == OK:
                status = newton_stages(equations, step, y, layout, work, room, counters, began)
    if status == OK:
        status = finish(equations.second, step, y, buffers, layout)
    if status == OK:
        counters[NEWTON_STEPS] += 1
        remember_rescue(memory, left, in_row, float((counters[EVALUATIONS] - began) // step.stages))
        if method[REDUNDANT] == 1.0 and at.n_drives == 0 and work[at.pivot] < NEARLY_SINGULAR:
            give_back(layout, y, y[places.velocities(at)], room, work)
    return status
