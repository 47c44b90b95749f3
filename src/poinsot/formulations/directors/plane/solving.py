"""The iteration of a planar step: one stage by Newton's method (`one_stage.py`), several by the simplified one (`energy_momentum_step.py`)."""

from __future__ import annotations

from math import isfinite, sqrt

from numba import boolean, int64

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.plane import add_scaled2, dot2, load2, scale2, store2, sub2
from poinsot.formulations.absolute.plane.places import FREE_MOTION
from poinsot.formulations.absolute.rows import OWN
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.energy_momentum_memory import add_multiple
from poinsot.formulations.directors.iteration import TENSION, Iterated
from poinsot.formulations.directors.one_stage import TURNED
from poinsot.formulations.directors.plane.places import START_MOTION, multipliers_of, plane_of, stage_blocks
from poinsot.formulations.directors.plane.rows import add_rows, add_tensions, build, constrained
from poinsot.formulations.directors.plane.stages import add_loads, inertia_forces, place_one, place_stages
from poinsot.formulations.directors.stage_places import EM_INVERSE, EM_MATRIX, EM_WEIGHTS, STEP_TYPE
from poinsot.formulations.tree.plane.work import PLACE, PLANE_BLOCK, TURN
from poinsot.tables.types import EQUATIONS, FLOATS, LAYOUT, OK, RATE


@kernel
def arrays(step, layout, work):
    """What the iteration works on."""
    plane = plane_of(layout, work, step.stages)
    room = work[stage_places.history(layout.places[0])]
    return Iterated(plane.unknowns, step.stages * FREE_MOTION * step.bodies, plane.changes, plane.scales, room, plane.gaps)


@internal(int64(EQUATIONS, STEP_TYPE, FLOATS, LAYOUT, FLOATS, boolean))
def residuals(equations, step, y, layout, work, first):
    """Forces and gaps of all stages at the present unknowns; returns a status. `first`: the turns at the stages are not known yet."""
    s, n, plane, status = step.stages, step.bodies, plane_of(layout, work, step.stages), OK
    rows = plane.diagonal.shape[0]
    if s == 1:
        place_one(step, plane)
    else:
        place_stages(step, plane, s + 2 if first else 2)
    inertia_forces(step, layout, plane)
    if layout.loads.shape[0] > 0:
        status = add_loads(equations.first, step, y, layout, plane, work)
    for i in range(s):
        gaps, forces = plane.gaps[i * rows : (i + 1) * rows], plane.forces[i * FREE_MOTION * n : (i + 1) * FREE_MOTION * n]
        add_rows(layout, plane.blocks[stage_blocks(n, i)], plane.unknowns[multipliers_of(plane, s, n, i)], forces, gaps)
        add_multiple(False, 1.0 / step.h, plane.row_gaps, gaps)  # the step closes the gaps that it began with
    return status


@kernel
def own_turning(step, layout, plane, b):
    """What a body by itself resists turning with, in the matrix of a step: at its end for one stage, otherwise in its middle."""
    z = load2(plane.other, PLANE_BLOCK * b + TURN)
    if step.stages > 1:
        return layout.frames[b].plane.inertia * dot2(z, z)
    start = START_MOTION * b
    ahead = add_scaled2(load2(plane.start, start + 2), 0.5 * step.h, load2(plane.start, start + 6))
    return layout.frames[b].plane.inertia * dot2(z, ahead)


@helper
def invert_masses(step, layout, plane, stiffness):
    """Inverse masses and matrices of rotation, with `stiffness` times what tension adds to these."""
    n, masses = step.bodies, plane.masses
    for b in range(1, n):
        masses[2 * b], masses[2 * b + 1] = 1.0 / layout.frames[b].plane.mass, own_turning(step, layout, plane, b)
    add_tensions(layout, plane.other, plane.unknowns[multipliers_of(plane, step.stages, n, 0)], -stiffness, masses)
    for b in range(1, n):
        own, whole = own_turning(step, layout, plane, b), masses[2 * b + 1]
        masses[2 * b + 1] = 1.0 / (whole if whole - OWN * own > 0.0 else own)


@helper
def build_one(drives, step, y, layout, work):
    """Factor the matrix of Newton's method at the present unknowns of one stage; returns a status."""
    plane = plane_of(layout, work, 1)
    for b in range(1, step.bodies):
        k, block = START_MOTION * b, PLANE_BLOCK * b
        x, z = load2(plane.blocks, block + PLACE), load2(plane.blocks, block + TURN)
        store2(plane.other, block + PLACE, sub2(scale2(2.0, x), load2(plane.start, k)))
        store2(plane.other, block + TURN, sub2(scale2(2.0, z), load2(plane.start, k + 2)))
    invert_masses(step, layout, plane, TURNED * step.h * step.h)
    work[layout.places[0].pivot] = build(plane, layout, plane.blocks, plane.other)
    return OK


@helper
def correct_one(drives, step, y, layout, work):
    """Newton's corrections of one stage."""
    plane, h, n = plane_of(layout, work, 1), step.h, step.bodies
    push, first = plane.changes[: FREE_MOTION * n], FREE_MOTION * n
    add_multiple(True, -0.5 * h, plane.forces, push)
    constrained(plane, n, push, plane.gaps)
    for k in range(plane.gaps.shape[0]):
        plane.changes[first + k] = 2.0 / h * plane.gaps[k]
    for b in range(1, n):
        t = 0.5 * h * plane.unknowns[FREE_MOTION * b + 2]
        push[FREE_MOTION * b + 2] *= 1.0 + t * t


@internal(int64(RATE, STEP_TYPE, FLOATS, LAYOUT, FLOATS))
def build_many(drives, step, y, layout, work):
    """Factor the matrix in the middle of several stages; returns a status."""
    plane, n = plane_of(layout, work, step.stages), step.bodies
    for b in range(1, n):
        x, z = (0.0, 0.0), (0.0, 0.0)
        for i in range(step.stages):
            weight, block = step.method[EM_WEIGHTS + i], PLANE_BLOCK * (i * n + b)
            x = add_scaled2(x, weight, load2(plane.blocks, block + PLACE))
            z = add_scaled2(z, weight, load2(plane.blocks, block + TURN))
        store2(plane.other, PLANE_BLOCK * b + PLACE, x)
        store2(plane.other, PLANE_BLOCK * b + TURN, z)
    invert_masses(step, layout, plane, step.method[TENSION] * step.h * step.h)
    work[layout.places[0].pivot] = build(plane, layout, plane.other, plane.other)
    return OK


@helper
def correct_many(drives, step, y, layout, work):
    """Corrections of several stages, with the matrix that they share."""
    method, s, n, _, h = step
    plane = plane_of(layout, work, s)
    nt, rows = FREE_MOTION * n, plane.diagonal.shape[0]
    for i in range(s):
        push, gaps = plane.changes[i * nt : (i + 1) * nt], plane.gaps[i * rows : (i + 1) * rows]
        for j in range(s):
            add_multiple(j == 0, -h * method[EM_MATRIX + 3 * i + j], plane.forces[j * nt : (j + 1) * nt], push)
        constrained(plane, n, push, gaps)
    for i in range(s):
        own = plane.changes[s * nt + i * rows : s * nt + (i + 1) * rows]
        for j in range(s):
            add_multiple(j == 0, method[EM_INVERSE + 3 * i + j] / h, plane.gaps[j * rows : (j + 1) * rows], own)


@helper
def speeds(step, layout, work):
    """Largest change of a body's speed at any stage, and largest speed. NaN is passed on."""
    plane, n, change, largest, total = plane_of(layout, work, step.stages), step.bodies, 0.0, 0.0, 0.0
    for i in range(step.stages):
        for b in range(1, n):
            frame, k, z = layout.frames[b].plane, FREE_MOTION * (i * n + b), load2(plane.blocks, PLANE_BLOCK * (i * n + b) + TURN)
            v, w, turning = load2(plane.changes, k), plane.changes[k + 2], frame.inertia * dot2(z, z) / frame.mass
            x = dot2(v, v) + turning * w * w
            v, w = load2(plane.unknowns, k), plane.unknowns[k + 2]
            y = dot2(v, v) + turning * w * w
            change, largest, total = max(change, x), max(largest, y), total + x + y
    return (sqrt(change), sqrt(largest)) if isfinite(total) else (total, total)


@helper
def left_over(step, layout, work):
    """Largest speed that what is left of the equations of motion would give a body within the step."""
    plane, n, largest = plane_of(layout, work, step.stages), step.bodies, 0.0
    for i in range(step.stages):
        for b in range(1, n):
            frame, k = layout.frames[b].plane, FREE_MOTION * (i * n + b)
            f, m = load2(plane.forces, k), plane.forces[k + 2]
            largest = max(largest, dot2(f, f) / (frame.mass * frame.mass) + m * m / (frame.mass * frame.inertia))
    return step.h * sqrt(largest)
