"""One energy-momentum step: stage twists and multipliers by a simplified Newton iteration.

The stage equations are multiplied by h a, so that all stages share the matrix [M J'; J 0], taken once per step in the
middle of it and eliminated in the space of the multipliers.
"""

from __future__ import annotations

from math import isfinite, sqrt

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.matrices import load33, transpose
from poinsot.algebra.vectors import cross, dot, load3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import rows_failed, set_clock
from poinsot.formulations.absolute.rows import add_rows, build, constrained
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.drive_tasks import (
    BUILD_RESPONSES,
    DRIVE_RESIDUALS,
    SOLVE_EFFORTS,
)
from poinsot.formulations.directors.energy_momentum_memory import add_multiple, goes_to_rescue
from poinsot.formulations.directors.iteration import PACE, TENSION, Iterated, Solved, iterate
from poinsot.formulations.directors.middle import from_middle, set_middle, to_middle
from poinsot.formulations.directors.stage_places import (
    EM_INVERSE,
    EM_MATRIX,
    EM_NODES,
    parts_of,
    stage,
    step_of,
)
from poinsot.formulations.directors.stages import (
    end_poses,
    inertia_forces,
    middle_poses,
    place_stages,
    set_betas,
)
from poinsot.formulations.directors.step_ends import finish, predict_stages
from poinsot.integrators.contract import WATCH
from poinsot.tables.types import (
    CALLBACK,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    STEP_SIGNATURE,
    STIFF,
)


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


@kernel
def squared_speed(frame, D, v, w):
    """Square of a body's speed, its rotation counted with its radius of gyration."""
    x, y, z = cross(w, D[0]), cross(w, D[1]), cross(w, D[2])
    turning = frame.euler[0] * dot(x, x) + frame.euler[1] * dot(y, y) + frame.euler[2] * dot(z, z)
    return dot(v, v) + turning / frame.mass


@helper
def speeds(step, layout, work):
    """Largest change of a body's speed at any stage, and largest speed: what rounding is to be compared with. NaN is passed on.

    An angular velocity by itself would not do: a thin rod spins about its axis by whatever rounding leaves.
    """
    at, s, n, change, largest, total = layout.places[0], step.stages, step.bodies, 0.0, 0.0, 0.0
    poses, changes, twists = work[stage_places.stage_poses(at, s)], work[stage_places.changes(at, s)], work[stage_places.stage_twists(at, s)]
    for i in range(s):
        for b in range(1, n):
            frame, k = layout.frames[b], TWIST * (i * n + b)
            D = transpose(load33(poses, POSE * (i * n + b) + 3))
            x = squared_speed(frame, D, load3(changes, k), load3(changes, k + 3))
            y = squared_speed(frame, D, load3(twists, k), load3(twists, k + 3))
            change, largest, total = max(change, x), max(largest, y), total + x + y
    return (sqrt(change), sqrt(largest)) if isfinite(total) else (total, total)


@helper
def left_over(step, layout, work):
    """Largest speed that what is left of the equations of motion would give a body within the step."""
    n, largest, forces = step.bodies, 0.0, work[stage_places.stage_forces(layout.places[0], step.stages)]
    for i in range(step.stages):
        for b in range(1, n):
            frame, k = layout.frames[b], TWIST * (i * n + b)
            f, m = load3(forces, k), load3(forces, k + 3)
            inertia = frame.euler[0] + frame.euler[1] + frame.euler[2]
            largest = max(largest, dot(f, f) / (frame.mass * frame.mass) + dot(m, m) / (frame.mass * inertia))
    return step.h * sqrt(largest)


@kernel
def arrays(step, layout, work):
    """What the iteration works on."""
    at, s = layout.places[0], step.stages
    return Iterated(
        work[stage_places.unknowns(at, s)],
        s * at.n_twists,
        work[stage_places.changes(at, s)],
        work[stage_places.scales(at, s)],
        work[stage_places.history(at)],
        work[stage_places.stage_gaps(at, s)],
    )


@helper
def forces_and_gaps(equations, step, y, layout, work):
    """Forces and gaps of all stages at the present unknowns, for which the poses of the stages are known; returns a status."""
    method, s, _, t, h = step
    at = layout.places[0]
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
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
def residuals(equations, step, y, layout, work, first):
    """Forces and gaps of all stages at the present unknowns; returns a status. `first`: the directors at the stages are not known yet."""
    at, s = layout.places[0], step.stages
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    if s == 1:
        middle_poses(step, y, poses, twists)
    else:
        place_stages(step, y, poses, twists, s + 2 if first else 2)
    return forces_and_gaps(equations, step, y, layout, work)


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


@compiled(STEP_SIGNATURE)
def energy_momentum_step(equations, t, h, y, buffers, layout):
    """One step of the energy-momentum methods; of the type STEP. Its equations are the kernels of the loads and of the drives."""
    at = layout.places[0]
    method, memory, _, work, _ = buffers
    if method[WATCH] == 1.0 and goes_to_rescue(memory):
        return STIFF
    step = step_of(t, h, method, at)
    status = predict_stages(equations.second, step, y, memory, layout, work)
    if status == OK:
        status, _ = iterate(Solved(arrays, residuals, build_matrix, corrections, speeds, left_over), PACE, equations, step, y, layout, buffers)
    if status == OK:
        return finish(equations.second, step, y, buffers, layout)
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
