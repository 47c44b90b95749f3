"""An energy-momentum step by Newton's method, for steps on which the iteration with one matrix for all stages fails.

Near singular positions, and where bodies turn far within a step, the stages differ too much to share a matrix. Newton's
corrections of all stages together are then found by GMRES, for which that matrix is the preconditioner, and are taken
only as far as they help. What the equations change by in a direction is a difference of two evaluations.
"""

from __future__ import annotations

from math import isfinite, sqrt

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.vectors import cross, dot, load3, negate, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.rows import AXES, build
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.drive_tasks import BUILD
from poinsot.formulations.directors.energy_momentum_memory import guess
from poinsot.formulations.directors.energy_momentum_step import (
    AT_REST,
    REDUNDANT,
    RUNAWAY,
    TENSION,
    TOLERANCE,
    corrections,
    finish,
    largest_of,
    left_over,
    middle,
    predict_stages,
    residuals,
    set_scales,
    settles,
    speeds,
    stagnates,
)
from poinsot.formulations.directors.give_back import give_back
from poinsot.formulations.directors.stages import MATRIX, STAGES, middle_poses
from poinsot.integrators.stages import copy
from poinsot.linear.anderson import product
from poinsot.linear.dense import lu_factor, lu_solve
from poinsot.linear.krylov import VECTORS, begin, combine, extend, krylov_size
from poinsot.linear.pattern import GROUPS
from poinsot.tables.types import (
    EVALUATIONS,
    ITERATIONS,
    NEWTON_STEPS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STEP_SIGNATURE,
)

LIMIT = 30  # corrections
FORCING = 1e-6  # of the equations may be left by GMRES
DIFFERENCE = 1e-7  # of the unknowns: how far apart the two evaluations of a difference are
SHORTEST = 1.0 / 256.0  # of a correction: when even that does not help, nothing will
FINE = 1e-9  # relative correction below which rounding decides whether it helps, and it is taken as it is
TURN = 6.3  # rad: with more than a whole turn in a step, equations have solutions that mean nothing
SINGULAR = 1e-5  # smallest relative pivot below which a step is next to a singular position
ROUNDING = 1e-15  # of the speed: gaps of rows below that are rounding
SMALL = 9 * (9 + 2)  # numbers for the directors of one body at three stages


def room_size(unknowns: int) -> int:
    """Numbers needed beside the scratch of the simple step."""
    return krylov_size(unknowns) + 4 * unknowns + SMALL


@helper
def settle(method, h, n, y, poses, twists, room):
    """Directors at the stages from the twists, D_i = D + h sum_j a_ij w_j x D_j solved body by body; explicit for one stage anyway."""
    s = int(method[STAGES])
    size = 3 * s
    matrix, pivots, x = room[: size * size], room[size * size : size * (size + 1)], room[size * (size + 1) :]
    for b in range(1, n if s > 1 else 1):
        for j in range(s):
            w = load3(twists, TWIST * (j * n + b) + 3)
            for i in range(s):
                c = -h * method[MATRIX + 3 * i + j]
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
    """Largest angle that a body would turn by within the step at the angular velocity of one of so many twists."""
    largest = 0.0
    for k in range(count):
        w = load3(twists, TWIST * k + 3)
        largest = max(largest, dot(w, w))
    return abs(h) * sqrt(largest)


@helper
def evaluate(loads, drives, method, t, h, n, y, layout, work, closed, small, counters):
    """Preconditioned equations at the present unknowns, in work[CHANGES]; returns a status and what is left of the equations themselves."""
    p = layout.pattern
    s = int(method[STAGES])
    nm = 3 * p[GROUPS]
    poses, twists = work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]], work[p[at.STAGE_TWISTS] :]
    forces, gaps = work[p[at.STAGE_FORCES] : p[at.GAPS]], work[p[at.GAPS] : p[at.STAGE_TWISTS]]
    counters[EVALUATIONS] += s
    settle(method, h, n, y, poses, twists, small)
    status = residuals(loads, drives, method, t, h, n, y, layout, work, False)
    gap, left = largest_of(gaps, s * (nm + p[at.DRIVES])), left_over(s, h, n, layout, forces)
    if closed:
        for k in range(s * (nm + p[at.DRIVES])):
            gaps[k] = 0.0
    if status == OK:
        corrections(drives, method, t, h, n, y, layout, work, forces, gaps, work[p[at.CHANGES] :])
    return status, gap, max(gap, left)


@helper
def take_matrix(drives, method, t, h, n, y, layout, work):
    """Factor the matrix in the middle of the stages; returns a status."""
    p = layout.pattern
    s = int(method[STAGES])
    mean = work[p[at.MIDDLE] : p[at.MASSES]]
    middle(method, n, work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]], mean)
    pivot = build(layout, y, mean, work[p[at.STAGE_TWISTS] + s * TWIST * n :], method[TENSION] * h * h, work)
    work[p[at.SIZE] + 1] = pivot
    if p[at.DRIVES] > 0:
        work[p[at.TASK]] = BUILD
        return drives(t, y, layout, work, method)
    return OK


@helper
def newton_direction(loads, drives, method, t, h, n, y, layout, work, size, room, base, start, wanted, small, counters):
    """Solve for Newton's correction at the unknowns `base`, where the preconditioned equations are `start`; to work[CHANGES].

    Returns a status. The unknowns are `base` again at the end.
    """
    p = layout.pattern
    unknowns, scales = work[p[at.STAGE_TWISTS] : p[at.STAGE_TWISTS] + size], work[p[at.SCALES] :]
    changes = work[p[at.CHANGES] : p[at.CHANGES] + size]
    vectors, used = min(size, VECTORS), 0
    length = begin(room, size, scales, wanted)
    apart = DIFFERENCE * max(sqrt(product(base, 0, base, 0, size, scales)), AT_REST)
    status = OK
    while used < vectors:
        for k in range(size):
            unknowns[k] = base[k] + apart * room[used * size + k]
        status, _, _ = evaluate(loads, drives, method, t, h, n, y, layout, work, False, small, counters)
        if status != OK:
            break
        for k in range(size):  # `changes` are minus the equations
            room[(used + 1) * size + k] = (start[k] - changes[k]) / apart
        rest = extend(room, size, vectors, used, length, scales)
        if not isfinite(rest):
            status = NOT_FINITE
            break
        used += 1
        if rest <= FORCING * length:
            break
    copy(base, unknowns)
    combine(room, size, vectors, used, changes)
    return status


@helper
def newton_stages(loads, drives, t, h, y, method, layout, work, scratch, counters):
    """Twists and multipliers of all stages by a damped Newton iteration; returns a status."""
    p = layout.pattern
    s, n = int(method[STAGES]), layout.bodies.shape[0]
    nt = TWIST * n
    size = s * (nt + 3 * p[GROUPS] + p[at.DRIVES])
    unknowns, poses = work[p[at.STAGE_TWISTS] : p[at.STAGE_TWISTS] + size], work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]]
    changes, scales = work[p[at.CHANGES] : p[at.CHANGES] + size], work[p[at.SCALES] : p[at.SCALES] + size]
    base, start, direction = scratch[:size], scratch[size : 2 * size], scratch[2 * size : 3 * size]
    wanted, rest = scratch[3 * size : 4 * size], scratch[4 * size :]
    small, room = rest[:SMALL], rest[SMALL:]
    floor = AT_REST + h * (abs(layout.values[0]) + abs(layout.values[1]) + abs(layout.values[2]))
    last, best, first, stuck, left = 0.0, 1e300, 0.0, 0, 0.0
    for iteration in range(LIMIT):
        counters[ITERATIONS] += 1
        if s > 1:
            settle(method, h, n, y, poses, unknowns, small)
        else:
            middle_poses(h, n, y, poses, unknowns)
        status = take_matrix(drives, method, t, h, n, y, layout, work)
        before, gap, left = left, 0.0, 0.0
        if status == OK:
            status, gap, left = evaluate(loads, drives, method, t, h, n, y, layout, work, False, small, counters)
        if status != OK:
            return status
        if iteration == 0:
            set_scales(changes, s * nt, scales)
        copy(unknowns, base)
        copy(changes, start)
        if gap < ROUNDING * max(first, floor):  # nothing but rounding, which nearly dependent rows amplify
            evaluate(loads, drives, method, t, h, n, y, layout, work, True, small, counters)
        copy(changes, wanted)
        status = newton_direction(
            loads, drives, method, t, h, n, y, layout, work, size, room, base, start, wanted, small, counters
        )
        if status != OK:
            return status
        copy(changes, direction)
        change, largest = speeds(s, n, layout, poses, changes, unknowns)
        largest = max(largest, floor)
        if not isfinite(change + largest):
            return NOT_FINITE
        if iteration == 0:
            first = largest
        if largest > RUNAWAY * first:
            return NOT_CONVERGED
        error = change / largest
        length, part = product(start, 0, start, 0, size, scales), 1.0
        while True:
            for k in range(size):
                unknowns[k] = base[k] + part * direction[k]
            if error < FINE:
                break
            status, _, _ = evaluate(loads, drives, method, t, h, n, y, layout, work, False, small, counters)
            if status == OK and product(changes, 0, changes, 0, size, scales) < (1.0 - 0.5 * part) * length:
                break
            part *= 0.5
            if part < SHORTEST:
                return NOT_CONVERGED
        ratio = error / last if last > 0.0 else 1.0
        stuck = stuck + 1 if error > 0.9 * best else 0
        best = min(best, error)
        rate = max(ratio, FORCING)
        done = error == 0.0 or (part == 1.0 and iteration > 0 and error * rate < method[TOLERANCE] * (1.0 - rate))
        if (done or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            if largest_turn(s * n, h, unknowns) > TURN:
                return NOT_CONVERGED
            status, _, _ = evaluate(loads, drives, method, t, h, n, y, layout, work, False, small, counters)  # powers, too
            return status
        last = error
    return NOT_CONVERGED


@helper
def plain_guess(y, method, layout, work):
    """Stages that go on as the step begins, without multipliers and efforts: where an extrapolation of earlier steps leads astray."""
    p = layout.pattern
    s, n = int(method[STAGES]), layout.bodies.shape[0]
    nt = TWIST * n
    twists, size = work[p[at.STAGE_TWISTS] :], s * (nt + 3 * p[GROUPS] + p[at.DRIVES])
    guess(n, y, y[p[at.VELOCITIES] : p[at.ANGLES]], y, twists, twists[s * nt : size], s)


@compiled(STEP_SIGNATURE)
def newton_step(equations, t, h, y, buffers, layout):
    """One step by Newton's method, from the predicted stages or else from plain ones; of the type STEP, and to the same end as the simple one."""
    loads, drives, _ = equations
    method, memory, scratch, work, counters = buffers
    p = layout.pattern
    room = scratch[POSE * layout.bodies.shape[0] :]
    status = NOT_CONVERGED
    for attempt in range(2):
        if status in (NOT_CONVERGED, NOT_FINITE):
            status = predict_stages(drives, t, h, y, method, memory, layout, work)
            if attempt == 1:
                plain_guess(y, method, layout, work)
            if status == OK:
                status = newton_stages(loads, drives, t, h, y, method, layout, work, room, counters)
    if status == OK:
        status = finish(drives, t, h, y, method, memory, scratch, layout, work, counters)
    if status == OK:
        counters[NEWTON_STEPS] += 1
        if method[REDUNDANT] == 1.0 and p[at.DRIVES] == 0 and work[p[at.SIZE] + 1] < SINGULAR:
            give_back(layout, y, y[p[at.VELOCITIES] : p[at.ANGLES]], room, work)
    return status
