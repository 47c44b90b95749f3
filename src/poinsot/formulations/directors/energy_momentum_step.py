"""One energy-momentum step: stage twists and multipliers by a simplified Newton iteration.

The stage equations are multiplied by h a, so that all stages share the matrix [M J'; J 0], taken once per step in the
middle of it and eliminated in the space of the multipliers.
"""

from __future__ import annotations

from math import isfinite, sqrt

from numba import int64

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load33, transpose
from poinsot.algebra.vectors import add_scaled, cross, dot, load3, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.coordinates import keep_coordinates
from poinsot.formulations.absolute.openings import came_apart
from poinsot.formulations.absolute.rows import add_rows, build, constrained
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.drive_tasks import BUILD, POWER, RESIDUALS, SET_TARGETS, SOLVE
from poinsot.formulations.directors.energy_momentum_memory import LOST, add_multiple, predict, remember, rows_weaken
from poinsot.formulations.directors.gaps import gaps_to_close
from poinsot.formulations.directors.project import reflect
from poinsot.formulations.directors.stages import (
    INVERSE,
    MATRIX,
    STAGES,
    WEIGHTS,
    end_poses,
    end_state,
    inertia_forces,
    middle_poses,
    set_betas,
    stage_poses,
)
from poinsot.integrators.contract import WATCH
from poinsot.integrators.stages import all_finite, copy
from poinsot.linear.anderson import accelerate, note
from poinsot.linear.pattern import GROUPS
from poinsot.tables.types import (
    ASKED,
    EVALUATIONS,
    ITERATIONS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    OPENED,
    STEP_SIGNATURE,
    STEPS,
    STIFF,
)

# positions in the constants
TOLERANCE, STAGNATION, LIMIT = 0, 1, 2
TENSION = 5  # geometric stiffness in the matrix, in h^2
REDUNDANT = 6  # 1 when there are rows that were left out
REFRESH = 6  # iterations after which the matrix is taken anew
AT_REST = (
    1e-6  # m/s and rad/s: slower motion, or slower than falling for a step, is solved for to the accuracy of this one
)
SLOW = 0.4  # ratio of corrections above which the iteration is accelerated
RUNAWAY = 1e3  # times the speed that the step began with: no solution lies there
STUCK = 3  # iterations without improvement after which rounding is all that is left
NEARLY = 1e-4  # relative correction after which the next iteration may be the last
LEFT = 1e-12  # of the speed: what may be left of the equations themselves after the last correction
SETTLED = 1e-12  # of the speed: what rounding leaves of the equations
BLURRED = 1e-10  # relative correction that rounding may cause next to singular positions, where the equations are settled


@helper
def middle(method, n, poses, out):
    """Weighted mean of the stage poses."""
    s = int(method[STAGES])
    for k in range(POSE * n):
        total = 0.0
        for i in range(s):
            total += method[WEIGHTS + i] * poses[i * POSE * n + k]
        out[k] = total


@helper
def to_middle(s, n, mean, poses, forces):
    """Turn the moments of all stages along with their bodies to the middle of the step, where the matrix is taken.

    Moments of different stages would otherwise be added up about different axes, and what a thin rod resists about one
    axis would turn it about another.
    """
    for b in range(1, n):
        D = transpose(load33(mean, POSE * b + 3))
        x, y, z = cross(D[1], D[2]), cross(D[2], D[0]), cross(D[0], D[1])
        k = 1.0 / dot(D[0], x)
        for i in range(s):
            at_body = TWIST * (i * n + b) + 3
            m = apply_transposed(load33(poses, POSE * (i * n + b) + 3), load3(forces, at_body))
            store3(forces, at_body, add_scaled(add_scaled(scale(k * m[0], x), k * m[1], y), k * m[2], z))


@helper
def from_middle(s, n, mean, poses, changes):
    """Turn the changes of angular velocities from the middle of the step to the stages."""
    for b in range(1, n):
        D = transpose(load33(mean, POSE * b + 3))
        x, y, z = cross(D[1], D[2]), cross(D[2], D[0]), cross(D[0], D[1])
        k = 1.0 / dot(D[0], x)
        for i in range(s):
            at_body = TWIST * (i * n + b) + 3
            w = load3(changes, at_body)
            own = (k * dot(x, w), k * dot(y, w), k * dot(z, w))
            store3(changes, at_body, apply(load33(poses, POSE * (i * n + b) + 3), own))


@helper
def corrections(drives, method, t, h, n, y, layout, work, forces, gaps, changes):
    """Newton corrections of twists and multipliers of all stages, to `changes`."""
    s = int(method[STAGES])
    p = layout.pattern
    nt, nm, nd = TWIST * n, 3 * p[GROUPS], p[at.DRIVES]
    mean, poses = work[p[at.MIDDLE] : p[at.MASSES]], work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]]
    if s > 1:
        to_middle(s, n, mean, poses, forces)
    for i in range(s):
        push = changes[i * nt : (i + 1) * nt]
        for j in range(s):
            c = -h * method[MATRIX + 3 * i + j]
            add_multiple(j == 0, c, forces[j * nt + TWIST : (j + 1) * nt], push[TWIST:])
        constrained(layout, work, gaps[i * nm : (i + 1) * nm], push)
        if nd > 0:
            work[p[at.TASK]], work[p[at.TASK] + 1] = SOLVE, float(i)
            drives(t, y, layout, work, method)
    if s > 1:
        from_middle(s, n, mean, poses, changes)
    multipliers, efforts, inputs = changes[s * nt :], changes[s * (nt + nm) :], gaps[s * nm :]
    for i in range(s):
        for j in range(s):
            c = method[INVERSE + 3 * i + j] / h
            add_multiple(j == 0, c, gaps[j * nm : (j + 1) * nm], multipliers[i * nm : (i + 1) * nm])
            add_multiple(j == 0, c, inputs[j * nd : (j + 1) * nd], efforts[i * nd : (i + 1) * nd])


@helper
def set_scales(changes, twists, scales):
    """Weights that make changes of twists and of multipliers comparable."""
    a, b = 0.0, 0.0
    for k in range(twists):
        a = max(a, abs(changes[k]))
    for k in range(twists, changes.shape[0]):
        b = max(b, abs(changes[k]))
    for k in range(changes.shape[0]):
        scales[k] = 1.0 if k < twists else (a * a / (b * b) if b > 0.0 else 0.0)


@helper
def largest_of(values, count):
    """Largest absolute value of the first so many."""
    largest = 0.0
    for k in range(count):
        largest = max(largest, abs(values[k]))
    return largest


@kernel
def squared_speed(frame, D, v, w):
    """Square of a body's speed, its rotation counted with its radius of gyration."""
    x, y, z = cross(w, D[0]), cross(w, D[1]), cross(w, D[2])
    turning = frame.euler[0] * dot(x, x) + frame.euler[1] * dot(y, y) + frame.euler[2] * dot(z, z)
    return dot(v, v) + turning / frame.mass


@helper
def speeds(s, n, layout, poses, changes, twists):
    """Largest change of a body's speed at any stage, and largest speed: what rounding is to be compared with. NaN is passed on.

    An angular velocity by itself would not do: a thin rod spins about its axis by whatever rounding leaves.
    """
    change, largest, total = 0.0, 0.0, 0.0
    for i in range(s):
        for b in range(1, n):
            frame, k = layout.frames[b], TWIST * (i * n + b)
            D = transpose(load33(poses, POSE * (i * n + b) + 3))
            x = squared_speed(frame, D, load3(changes, k), load3(changes, k + 3))
            y = squared_speed(frame, D, load3(twists, k), load3(twists, k + 3))
            change, largest, total = max(change, x), max(largest, y), total + x + y
    return (sqrt(change), sqrt(largest)) if isfinite(total) else (total, total)


@helper
def left_over(s, h, n, layout, forces):
    """Largest speed that what is left of the equations of motion would give a body within the step."""
    largest = 0.0
    for i in range(s):
        for b in range(1, n):
            frame, k = layout.frames[b], TWIST * (i * n + b)
            f, m = load3(forces, k), load3(forces, k + 3)
            inertia = frame.euler[0] + frame.euler[1] + frame.euler[2]
            largest = max(largest, dot(f, f) / (frame.mass * frame.mass) + dot(m, m) / (frame.mass * inertia))
    return h * sqrt(largest)


@kernel
def stagnates(method, stuck, error, left, first):
    """Whether rounding is all that is left: in the corrections, or in the equations where these do not determine the corrections well."""
    return stuck >= STUCK and (error < method[STAGNATION] or (error < BLURRED and left <= SETTLED * first))


@kernel
def settles(left, before, ratio, first):
    """Whether one more correction leaves nothing but rounding of the equations, of which there was `before`, and is `left` now.

    Small corrections of velocities alone do not tell: multipliers of nearly dependent rows may be far off all the same.
    """
    shrinks = left / before if 0.0 < before < 1e300 else ratio
    return left * min(shrinks, 1.0) <= LEFT * first


@helper
def residuals(loads, drives, method, t, h, n, y, layout, work, first):
    """Forces and gaps of all stages at the present twists and multipliers; returns a status."""
    p = layout.pattern
    s = int(method[STAGES])
    nt, nm = TWIST * n, 3 * p[GROUPS]
    poses, twists = work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]], work[p[at.STAGE_TWISTS] :]
    forces, gaps, betas = work[p[at.STAGE_FORCES] : p[at.GAPS]], work[p[at.GAPS] :], work[p[at.BETAS] :]
    if s == 1:
        middle_poses(h, n, y, poses, twists)
    else:
        stage_poses(method, h, n, y, poses, twists, s + 2 if first else 2)
    inertia_forces(method, h, n, layout, y, y[p[at.VELOCITIES] :], poses, twists, forces)
    if p[at.NEEDS_END] == 1:
        end_poses(method, h, n, y, poses, twists, work[p[at.END] :])
        set_betas(method, h, n, y, layout, work)
    status = OK
    if layout.loads.shape[0] > 0:
        status = loads(t, y, layout, work, method)
    if p[at.DRIVES] > 0 and status == OK:
        work[p[at.TASK]] = RESIDUALS
        status = drives(t, y, layout, work, method)
    for i in range(s):
        multipliers = twists[s * nt + i * nm :]
        own = gaps[i * nm : (i + 1) * nm]
        add_rows(layout, y, poses[i * POSE * n :], twists[i * nt :], multipliers, betas, forces[i * nt :], own)
        add_multiple(False, 1.0 / h, work[p[at.ROW_GAPS] : p[at.ROW_GAPS] + nm], own)  # gaps are taken back within the step
    return status


@helper
def solve_stages(loads, drives, t, h, y, method, layout, work, counters):
    """Iterate twists and multipliers of all stages until they satisfy their equations; returns a status."""
    p = layout.pattern
    s, n = int(method[STAGES]), layout.bodies.shape[0]
    nt, nm = TWIST * n, 3 * p[GROUPS]
    size = s * (nt + nm + p[at.DRIVES])
    unknowns = work[p[at.STAGE_TWISTS] : p[at.STAGE_TWISTS] + size]
    changes, scales = work[p[at.CHANGES] : p[at.CHANGES] + size], work[p[at.SCALES] : p[at.SCALES] + size]
    forces, gaps = work[p[at.STAGE_FORCES] : p[at.GAPS]], work[p[at.GAPS] : p[at.STAGE_TWISTS]]
    mean, room = work[p[at.MIDDLE] : p[at.MASSES]], work[p[at.ANDERSON] :]
    poses = work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]]
    last, best, first, stuck, slow = 0.0, 1e300, 0.0, 0, False
    left = 1e300  # of the equations: looked at only where the iteration may end
    count = int64(0)  # no literal number, for which what it is given to would be compiled again
    floor = AT_REST + h * (abs(layout.values[0]) + abs(layout.values[1]) + abs(layout.values[2]))
    for iteration in range(int(method[LIMIT])):
        counters[ITERATIONS] += 1
        counters[EVALUATIONS] += s
        status = residuals(loads, drives, method, t, h, n, y, layout, work, iteration == 0)
        if status != OK:
            return status
        if iteration == 0 or (iteration % REFRESH == 0 and not slow):
            middle(method, n, poses, mean)
            pivot = build(layout, y, mean, unknowns[s * nt :], method[TENSION] * h * h, work)
            work[p[at.SIZE] + 1] = pivot
            if p[at.DRIVES] > 0:
                work[p[at.TASK]] = BUILD
                status = drives(t, y, layout, work, method)
                if status != OK:
                    return status
        before, left = left, 1e300
        if iteration == 0 or last < NEARLY:
            left = max(largest_of(gaps, s * (nm + p[at.DRIVES])), left_over(s, h, n, layout, forces))
        corrections(drives, method, t, h, n, y, layout, work, forces, gaps, changes)
        change, largest = speeds(s, n, layout, poses, changes, unknowns)
        largest = max(largest, floor)
        if not isfinite(change + largest):
            return NOT_FINITE
        if iteration == 0:
            first = max(change, largest)
        if largest > RUNAWAY * first:
            return NOT_CONVERGED
        error = change / largest
        ratio = error / last if last > 0.0 else 1.0
        if iteration > 1 and ratio > SLOW and not slow:
            slow = True
            set_scales(changes, s * nt, scales)
        if slow:
            note(room, size, count, unknowns, changes)
            accelerate(room, size, count, scales, unknowns, changes)
            count += 1
        else:
            for k in range(size):
                unknowns[k] += changes[k]
        stuck = stuck + 1 if error > 0.9 * best else 0
        best = min(best, error)
        rate = max(ratio, 0.1) if slow else ratio  # accelerated, one good correction promises nothing of the next
        small = error == 0.0 or (iteration > 0 and error * rate < method[TOLERANCE] * (1.0 - rate))
        if (small or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            return OK
        last = error
    return NOT_CONVERGED


@helper
def predict_stages(drives, t, h, y, method, memory, layout, work):
    """First guess of all stages of the step from t on, and what drives ask for at them; returns a status."""
    p = layout.pattern
    s, n = int(method[STAGES]), layout.bodies.shape[0]
    nt, nm = TWIST * n, 3 * p[GROUPS]
    work[p[at.SIZE]] = h
    velocities = y[p[at.VELOCITIES] : p[at.ANGLES]]
    poses, twists = work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]], work[p[at.STAGE_TWISTS] :]
    multipliers, efforts = twists[s * nt : s * (nt + nm)], twists[s * (nt + nm) : s * (nt + nm + p[at.DRIVES])]
    predict(method, h, n, y, velocities, memory, poses, twists, multipliers, efforts)
    gaps_to_close(y, layout, work)
    if p[at.DRIVES] > 0:
        work[p[at.TASK]] = SET_TARGETS
        return drives(t, y, layout, work, method)
    return OK


@helper
def finish(drives, t, h, y, method, memory, scratch, layout, work, counters):
    """From stages that satisfy their equations to the state at the end of the step; returns a status."""
    p = layout.pattern
    s, n = int(method[STAGES]), layout.bodies.shape[0]
    nt, nm = TWIST * n, 3 * p[GROUPS]
    velocities = y[p[at.VELOCITIES] : p[at.ANGLES]]
    poses, twists = work[p[at.STAGE_POSES] : p[at.STAGE_FORCES]], work[p[at.STAGE_TWISTS] :]
    multipliers, efforts = twists[s * nt : s * (nt + nm)], twists[s * (nt + nm) : s * (nt + nm + p[at.DRIVES])]
    if s == 1:
        middle_poses(h, n, y, poses, twists)
    else:
        stage_poses(method, h, n, y, poses, twists, int64(2))
    end, lost = work[p[at.END] : p[at.STATES]], scratch[: POSE * n]
    copy(y, end)
    end_velocities = end[p[at.VELOCITIES] : p[at.ANGLES]]
    end_state(method, h, n, y, velocities, poses, twists, memory[LOST:], end, end_velocities, lost)
    if s % 2 == 0:
        reflect(layout, end, end_velocities, poses, work)
    keep_coordinates(layout, y, end)
    if p[at.DRIVES] > 0:
        if layout.loads.shape[0] == 0:
            for i in range(s):
                work[p[at.POWERS] + i] = 0.0
        work[p[at.TASK]] = POWER
        drives(t, y, layout, work, method)
        for k in range(efforts.shape[0]):
            end[p[at.EFFORTS] + k] = efforts[k]
    for i in range(s):
        end[p[at.STATE] - 1] += h * method[WEIGHTS + i] * work[p[at.POWERS] + i]
    if not all_finite(end):
        return NOT_FINITE
    if came_apart(end, layout, work):
        return OPENED
    copy(end, y)
    remember(method, h, n, lost, twists, multipliers, efforts, memory)
    if method[REDUNDANT] == 1.0 and rows_weaken(work[p[at.SIZE] + 1], memory):
        counters[ASKED] = 1
    counters[STEPS] += 1
    return OK


@compiled(STEP_SIGNATURE)
def energy_momentum_step(equations, t, h, y, buffers, layout):
    """One step of the energy-momentum methods; of the type STEP. Its equations are the kernels of the loads and of the drives."""
    loads, drives, _ = equations
    method, memory, scratch, work, counters = buffers
    status = predict_stages(drives, t, h, y, method, memory, layout, work)
    if status == OK:
        status = solve_stages(loads, drives, t, h, y, method, layout, work, counters)
    if status == OK:
        return finish(drives, t, h, y, method, memory, scratch, layout, work, counters)
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
