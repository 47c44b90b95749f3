"""One energy-momentum step: stage twists and multipliers by a simplified Newton iteration.

The stage equations are multiplied by h a, so that all stages share the matrix [M J'; J 0], taken once per step in the
middle of it and eliminated in the space of the multipliers.
"""

from __future__ import annotations

from math import isfinite, sqrt

from numba import int64

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.matrices import load33, transpose
from poinsot.algebra.vectors import cross, dot, load3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import keep_coordinates, rows_failed, set_clock
from poinsot.formulations.absolute.openings import came_apart
from poinsot.formulations.absolute.rows import add_rows, build, constrained
from poinsot.formulations.absolute.weak_rows import rows_weaken
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.drive_tasks import (
    ADD_POWERS,
    BUILD_RESPONSES,
    DRIVE_RESIDUALS,
    SET_TARGETS,
    SOLVE_EFFORTS,
)
from poinsot.formulations.directors.energy_momentum_memory import LOOKED, LOST, add_multiple, predict, remember
from poinsot.formulations.directors.gaps import gaps_to_close
from poinsot.formulations.directors.give_back import take_back
from poinsot.formulations.directors.middle import from_middle, set_middle, to_middle
from poinsot.formulations.directors.row_work import reflect_with_work, work_of_rows
from poinsot.formulations.directors.stage_controls import add_controls
from poinsot.formulations.directors.stage_places import (
    EM_INVERSE,
    EM_MATRIX,
    EM_NODES,
    EM_WEIGHTS,
    parts_of,
    stage,
    step_of,
)
from poinsot.formulations.directors.stages import (
    end_poses,
    end_state,
    inertia_forces,
    middle_poses,
    place_stages,
    set_betas,
    turn_angles,
)
from poinsot.integrators.contract import WATCH
from poinsot.integrators.stages import all_finite, copy
from poinsot.linear.anderson import accelerate, note
from poinsot.tables.types import (
    ASKED,
    CALLBACK,
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
EM_TOLERANCE, EM_STAGNATION, EM_ITERATIONS = 0, 1, 2
TENSION = 5  # geometric stiffness in the matrix, in h^2
REDUNDANT = 6  # 1 when there are rows that were left out
NEARLY_DEPENDENT = 1e-5  # pivot of rows below which their multipliers may be so large that closing gaps changes energy
REFRESH = 6  # iterations after which the matrix is factored again
STANDING = 1e-6  # m/s and rad/s: slower motion, or slower than falling for a step, is solved for to the accuracy of this one
ACCELERATED = 0.4  # ratio of corrections above which the iteration is accelerated
RUNAWAY = 1e3  # times the speed that the step began with: no solution lies there
STUCK = 3  # iterations without improvement after which rounding is all that is left
NEARLY = 1e-4  # relative correction after which the next iteration may be the last
LEFT = 1e-12  # of the speed: what may be left of the equations themselves after the last correction
BALANCED = 1e-12  # of the speed: what rounding leaves of the equations
BLURRED = 1e-10  # relative correction that rounding may cause next to singular positions, where the equations are settled


@helper
def corrections(drives, step, y, layout, work):
    """Newton corrections of twists, multipliers and efforts of all stages, to `changes`; forces and gaps are lost."""
    method, s, n, t, h = step
    at = layout.places[0]
    nt, nm, nd = at.n_twists, at.n_rows, at.n_drives
    mean, poses = work[places.middle(at)], work[stage_places.stage_poses(at, s)]
    forces, gaps = work[stage_places.stage_forces(at, s)], work[stage_places.stage_gaps(at, s)]
    changes = work[stage_places.changes(at, s)]
    if s > 1:
        to_middle(s, n, mean, poses, forces)
    for i in range(s):
        push = changes[i * nt : (i + 1) * nt]
        for j in range(s):
            c = -h * method[EM_MATRIX + 3 * i + j]
            add_multiple(j == 0, c, forces[j * nt + TWIST : (j + 1) * nt], push[TWIST:])
        constrained(layout, work, gaps[i * nm : (i + 1) * nm], push)
        if nd > 0:
            work[at.task], work[at.task_stage] = SOLVE_EFFORTS, float(i)
            drives(t, y, layout, work, method)
    if s > 1:
        from_middle(s, n, mean, poses, changes)
    _, multipliers, efforts = parts_of(changes, at, s)
    inputs = gaps[s * nm :]
    for i in range(s):
        for j in range(s):
            c = method[EM_INVERSE + 3 * i + j] / h
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
    """Largest absolute value of the first `count` numbers."""
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
def speeds(step, layout, poses, changes, twists):
    """Largest change of a body's speed at any stage, and largest speed: what rounding is to be compared with. NaN is passed on.

    An angular velocity by itself would not do: a thin rod spins about its axis by whatever rounding leaves.
    """
    n, change, largest, total = step.bodies, 0.0, 0.0, 0.0
    for i in range(step.stages):
        for b in range(1, n):
            frame, k = layout.frames[b], TWIST * (i * n + b)
            D = transpose(load33(poses, POSE * (i * n + b) + 3))
            x = squared_speed(frame, D, load3(changes, k), load3(changes, k + 3))
            y = squared_speed(frame, D, load3(twists, k), load3(twists, k + 3))
            change, largest, total = max(change, x), max(largest, y), total + x + y
    return (sqrt(change), sqrt(largest)) if isfinite(total) else (total, total)


@helper
def left_over(step, layout, forces):
    """Largest speed that what is left of the equations of motion would give a body within the step."""
    n, largest = step.bodies, 0.0
    for i in range(step.stages):
        for b in range(1, n):
            frame, k = layout.frames[b], TWIST * (i * n + b)
            f, m = load3(forces, k), load3(forces, k + 3)
            inertia = frame.euler[0] + frame.euler[1] + frame.euler[2]
            largest = max(largest, dot(f, f) / (frame.mass * frame.mass) + dot(m, m) / (frame.mass * inertia))
    return step.h * sqrt(largest)


@kernel
def stagnates(method, stuck, error, left, first):
    """Whether rounding is all that is left: in the corrections, or in the equations where these do not determine the corrections well."""
    return stuck >= STUCK and (error < method[EM_STAGNATION] or (error < BLURRED and left <= BALANCED * first))


@kernel
def settles(left, before, ratio, first):
    """Whether one more correction leaves nothing but rounding of the equations, of which there was `before`, and is `left` now.

    Small corrections of velocities alone do not tell: multipliers of nearly dependent rows may be far off all the same.
    """
    shrinks = left / before if 0.0 < before < 1e300 else ratio
    return left * min(shrinks, 1.0) <= LEFT * first


@helper
def residuals(equations, step, y, layout, work, first):
    """Forces and gaps of all stages at the present unknowns; returns a status. `first`: the directors at the stages are not known yet."""
    method, s, _, t, h = step
    at = layout.places[0]
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    if s == 1:
        middle_poses(step, y, poses, twists)
    else:
        place_stages(step, y, poses, twists, s + 2 if first else 2)
    inertia_forces(step, y, layout, work)
    if at.needs_end == 1:
        end_poses(step, y, poses, twists, work[places.end(at)])
        set_betas(step, y, layout, work)
    status = OK
    if layout.loads.shape[0] > 0:
        status = equations.first(t, y, layout, work, method)
    if at.n_drives > 0 and status == OK:
        work[at.task] = DRIVE_RESIDUALS
        status = equations.second(t, y, layout, work, method)
    multipliers = parts_of(work[stage_places.unknowns(at, s)], at, s).multipliers
    forces, gaps = work[stage_places.stage_forces(at, s)], work[stage_places.stage_gaps(at, s)]
    betas, row_gaps = work[places.betas(at)], work[places.row_gaps(at)]
    for i in range(s):
        own_poses, own_twists = stage(at, work, i)
        own = gaps[i * at.n_rows : (i + 1) * at.n_rows]
        own_multipliers, own_forces = multipliers[i * at.n_rows :], forces[i * at.n_twists :]
        set_clock(layout, t + method[EM_NODES + i] * h)
        add_rows(layout, y, own_poses, own_twists, own_multipliers, betas, own_forces, own)
        add_multiple(False, 1.0 / h, row_gaps, own)  # the step closes the gaps that it began with
        if status == OK and rows_failed(layout):
            status = CALLBACK
    return status


@helper
def build_matrix(drives, step, y, layout, work):
    """Factor the matrix in the middle of the stages; returns a status."""
    at, s = layout.places[0], step.stages
    mean = work[places.middle(at)]
    set_clock(layout, step.t + 0.5 * step.h)
    set_middle(step, work[stage_places.stage_poses(at, s)], mean)
    multipliers = parts_of(work[stage_places.unknowns(at, s)], at, s).multipliers
    work[at.pivot] = build(layout, y, mean, multipliers, step.method[TENSION] * step.h * step.h, work)
    if at.n_drives > 0:
        work[at.task] = BUILD_RESPONSES
        return drives(step.t, y, layout, work, step.method)
    return OK


@helper
def solve_stages(equations, step, y, layout, work, counters):
    """Iterate the unknowns of all stages until they satisfy their equations; returns a status."""
    at = layout.places[0]
    method, s, _, _, h = step
    unknowns, changes = work[stage_places.unknowns(at, s)], work[stage_places.changes(at, s)]
    scales, room = work[stage_places.scales(at, s)], work[stage_places.history(at)]
    forces, gaps = work[stage_places.stage_forces(at, s)], work[stage_places.stage_gaps(at, s)]
    poses, size = work[stage_places.stage_poses(at, s)], unknowns.shape[0]
    last, best, first, stuck, slow = 0.0, 1e300, 0.0, 0, False
    left = 1e300  # residual of the equations: evaluated only where the iteration may end
    count = int64(0)  # typed as int64 so that Numba does not specialise on a literal
    floor = STANDING + h * (abs(layout.values[0]) + abs(layout.values[1]) + abs(layout.values[2]))
    for iteration in range(int(method[EM_ITERATIONS])):
        counters[ITERATIONS] += 1
        counters[EVALUATIONS] += s
        status = residuals(equations, step, y, layout, work, iteration == 0)
        if status == OK and (iteration == 0 or (iteration % REFRESH == 0 and not slow)):
            status = build_matrix(equations.second, step, y, layout, work)
        if status != OK:
            return status
        before, left = left, 1e300
        if iteration == 0 or last < NEARLY:
            left = max(largest_of(gaps, gaps.shape[0]), left_over(step, layout, forces))
        corrections(equations.second, step, y, layout, work)
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
        if iteration > 1 and ratio > ACCELERATED and not slow:
            slow = True
            set_scales(changes, s * at.n_twists, scales)
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
        small = error == 0.0 or (iteration > 0 and error * rate < method[EM_TOLERANCE] * (1.0 - rate))
        if (small or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            return OK
        last = error
    return NOT_CONVERGED


@helper
def predict_stages(drives, step, y, memory, layout, work):
    """First guess of all stages of the step, and what drives ask for at them; returns a status."""
    at, s = layout.places[0], step.stages
    work[at.step_size] = step.h
    unknowns = parts_of(work[stage_places.unknowns(at, s)], at, s)
    predict(step, y, y[places.velocities(at)], memory, work[stage_places.stage_poses(at, s)], unknowns)
    gaps_to_close(y, layout, work)
    if at.n_drives > 0:
        work[at.task] = SET_TARGETS
        return drives(step.t, y, layout, work, step.method)
    return OK


@helper
def finish(drives, step, y, buffers, layout):
    """From stages that satisfy their equations to the state at the end of the step; returns a status."""
    method, s, _, t, h = step
    _, memory, scratch, work, counters = buffers
    at = layout.places[0]
    end, powers = work[places.end(at)], work[places.powers(at)]
    poses, unknowns = work[stage_places.stage_poses(at, s)], parts_of(work[stage_places.unknowns(at, s)], at, s)
    if s == 1:
        middle_poses(step, y, poses, unknowns.twists)
    else:
        place_stages(step, y, poses, unknowns.twists, int64(2))
    lost = scratch[: at.n_poses]
    copy(y, end)
    end_state(step, y, layout, work, memory[LOST:], lost)
    end[at.state - 1] += work_of_rows(step, layout, work)
    if s % 2 == 0:
        set_clock(layout, t + h)
        end[at.state - 1] += reflect_with_work(layout, end, end[places.velocities(at)], poses, work)
    weak = method[REDUNDANT] == 1.0 and work[at.pivot] < NEARLY_DEPENDENT
    if (weak or at.curved == 1) and at.n_drives == 0:
        take_back(step, layout, work, end[places.velocities(at)])
    turn_angles(step, y, layout, work)
    keep_coordinates(layout, end, end)
    if at.n_drives > 0:
        if layout.loads.shape[0] == 0:
            for i in range(s):
                powers[i] = 0.0
        work[at.task] = ADD_POWERS
        drives(t, y, layout, work, method)
        copy(unknowns.efforts, end[at.efforts :])
    for i in range(s):
        end[at.state - 1] += h * method[EM_WEIGHTS + i] * powers[i]
    add_controls(step, y, layout, end)
    if not all_finite(end):
        return NOT_FINITE
    if came_apart(end, layout, work):
        return OPENED
    copy(end, y)
    remember(step, lost, unknowns, memory)
    if method[REDUNDANT] == 1.0 and rows_weaken(work[at.pivot], memory, LOOKED):
        counters[ASKED] = 1
    counters[STEPS] += 1
    return OK


@compiled(STEP_SIGNATURE)
def energy_momentum_step(equations, t, h, y, buffers, layout):
    """One step of the energy-momentum methods; of the type STEP. Its equations are the kernels of the loads and of the drives."""
    at = layout.places[0]
    method, memory, _, work, counters = buffers
    step = step_of(t, h, method, at)
    status = predict_stages(equations.second, step, y, memory, layout, work)
    if status == OK:
        status = solve_stages(equations, step, y, layout, work, counters)
    if status == OK:
        return finish(equations.second, step, y, buffers, layout)
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
