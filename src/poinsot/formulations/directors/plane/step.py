"""Beginning and end of a planar energy-momentum step: the prediction of its stages, and the state at its end."""

from __future__ import annotations

from numba import int64, void

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.plane import across, add2, add_scaled2, cross2, load2, scale2, store2, sub2
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import keep_coordinates
from poinsot.formulations.absolute.openings import POSITION_ROUNDING, farthest
from poinsot.formulations.absolute.plane.places import FREE_MOTION, pick, place_numbers, put
from poinsot.formulations.absolute.plane.rows import set_values
from poinsot.formulations.absolute.weak_rows import rows_weaken
from poinsot.formulations.directors.energy_momentum_memory import LOOKED, LOST, extrapolated, remember
from poinsot.formulations.directors.iteration import REDUNDANT
from poinsot.formulations.directors.plane.places import START_MOTION, plane_of
from poinsot.formulations.directors.plane.rows import build, constrained
from poinsot.formulations.directors.plane.stages import place_one, place_stages, read_start, set_stages
from poinsot.formulations.directors.stage_controls import add_controls
from poinsot.formulations.directors.stage_places import EM_OMEGA, EM_WEIGHTS, STEP_TYPE, Unknowns
from poinsot.formulations.directors.stages import FAST_TURN, turn_angles
from poinsot.formulations.tree.plane.loops.openings import largest_opening
from poinsot.formulations.tree.plane.work import PLACE, PLANE_BLOCK, SPIN, TURN, VELOCITY
from poinsot.integrators.stages import all_finite, copy
from poinsot.layout.extent import OPEN
from poinsot.tables.types import ASKED, BUFFERS, FLOATS, LAYOUT, NOT_FINITE, OK, OPENED, STEPS


@kernel
def unknowns_of(step, plane):
    """The unknowns in their parts."""
    first = step.stages * FREE_MOTION * step.bodies
    return Unknowns(plane.unknowns[:first], plane.unknowns[first:], plane.unknowns[:0])


@helper
def close_gaps(y, layout, plane):
    """Gaps of the rows that the step closes; rounding is left alone."""
    set_values(layout, plane.other, plane.row_gaps)
    far = farthest(y, layout)
    for k in range(layout.plane_scalars.shape[0]):
        term = layout.plane_scalars[k]
        if term.unit * abs(plane.row_gaps[term.row]) < POSITION_ROUNDING * (1.0 + term.unit * far):
            plane.row_gaps[term.row] = 0.0


@internal(void(STEP_TYPE, FLOATS, FLOATS, LAYOUT, FLOATS))
def predict_stages(step, y, memory, layout, work):
    """First guess of all stages of the step."""
    s, n, plane = step.stages, step.bodies, plane_of(layout, work, step.stages)
    work[layout.places[0].step_size] = step.h
    read_start(step, y, layout, plane)
    unknowns = unknowns_of(step, plane)
    if not extrapolated(step, memory, unknowns):
        for k in range(plane.unknowns.shape[0]):
            plane.unknowns[k] = 0.0
        for b in range(1, n):
            k = START_MOTION * b
            spin = cross2(load2(plane.start, k + 2), load2(plane.start, k + 6))
            for i in range(s):
                store2(plane.unknowns, FREE_MOTION * (i * n + b), load2(plane.start, k + 4))
                plane.unknowns[FREE_MOTION * (i * n + b) + 2] = spin
    for b in range(1, n):
        for i in range(s):
            store2(plane.blocks, PLANE_BLOCK * (i * n + b) + TURN, load2(plane.start, START_MOTION * b + 2))
        store2(plane.other, PLANE_BLOCK * b + PLACE, load2(plane.start, START_MOTION * b))
        store2(plane.other, PLANE_BLOCK * b + TURN, load2(plane.start, START_MOTION * b + 2))
    close_gaps(y, layout, plane)


@kernel
def compensated2(old, change, lost):
    """old + change by Kahan's rule: the sum, and what it lost."""
    want = sub2(change, lost)
    new = add2(old, want)
    return new, sub2(sub2(new, old), want)


@helper
def end_bodies(step, layout, plane, memory, scratch, end):
    """Places, turns and their rates at the end of the step: places and turns in `end` and in the blocks `other`, rates in `start`.

    Sums are compensated for what was lost before and is lost now.
    """
    method, s, n, _, h = step
    for b in range(1, n):
        k, sense = START_MOTION * b, layout.frames[b].plane.sense
        x0, z0 = load2(plane.start, k), load2(plane.start, k + 2)
        velocity, rate = load2(plane.start, k + 4), load2(plane.start, k + 6)
        dx, dz, dv, dr = (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)
        for i in range(s):
            block, weight, omega = PLANE_BLOCK * (i * n + b), h * method[EM_WEIGHTS + i], method[EM_OMEGA + i]
            v, turning = load2(plane.blocks, block + VELOCITY), across(plane.blocks[block + SPIN], load2(plane.blocks, block + TURN))
            dx, dz = add_scaled2(dx, weight, v), add_scaled2(dz, weight, turning)
            dv, dr = add_scaled2(dv, omega, sub2(v, velocity)), add_scaled2(dr, omega, sub2(turning, rate))
        place, first, second = place_numbers(layout, b)
        x, lost_x = compensated2(x0, dx, pick(memory[LOST:], place))
        z, lost_z = compensated2(z0, dz, pick(memory[LOST:], first))
        put(scratch, place, lost_x)
        put(scratch, first, lost_z)
        put(scratch, second, across(sense, lost_z))
        put(end, place, x)
        put(end, first, z)
        put(end, second, across(sense, z))
        store2(plane.other, PLANE_BLOCK * b + PLACE, x)
        store2(plane.other, PLANE_BLOCK * b + TURN, z)
        store2(plane.start, k + 4, add2(velocity, dv))
        store2(plane.start, k + 6, add2(rate, dr))


@helper
def nearest(step, layout, plane, velocities, stride):
    """Velocities in `push` that the rows allow, nearest to some: of the turn (2) and its rate behind the velocity (2), with the factor of the end."""
    for b in range(1, step.bodies):
        frame, k, z = layout.frames[b].plane, stride * b, load2(plane.other, PLANE_BLOCK * b + TURN)
        store2(plane.push, FREE_MOTION * b, scale2(frame.mass, load2(velocities, k)))
        plane.push[FREE_MOTION * b + 2] = frame.inertia * cross2(z, load2(velocities, k + 2))
    for k in range(plane.pull.shape[0]):
        plane.pull[k] = 0.0
    constrained(plane, step.bodies, plane.push, plane.pull)


@helper
def reflect(step, layout, plane):
    """Reflect the velocities at the end of a step of an even number of stages (`project.py`)."""
    n, velocities, rest = step.bodies, plane.start[4:], plane.forces
    for b in range(1, n):
        frame, z = layout.frames[b].plane, load2(plane.other, PLANE_BLOCK * b + TURN)
        plane.masses[2 * b] = 1.0 / frame.mass
        plane.masses[2 * b + 1] = 1.0 / (frame.inertia * (z[0] * z[0] + z[1] * z[1]))
    build(plane, layout, plane.other, plane.other)
    nearest(step, layout, plane, velocities, START_MOTION)
    for b in range(1, n):
        k, z = START_MOTION * b, load2(plane.other, PLANE_BLOCK * b + TURN)
        store2(rest, 4 * b, sub2(load2(plane.push, FREE_MOTION * b), load2(velocities, k)))
        store2(rest, 4 * b + 2, sub2(across(plane.push[FREE_MOTION * b + 2], z), load2(velocities, k + 2)))
    nearest(step, layout, plane, rest, 4)  # refined: the small part that is not allowed must be orthogonal to the allowed one
    for b in range(1, n):
        k, z = START_MOTION * b, load2(plane.other, PLANE_BLOCK * b + TURN)
        left = sub2(load2(rest, 4 * b), load2(plane.push, FREE_MOTION * b))
        turned = sub2(load2(rest, 4 * b + 2), across(plane.push[FREE_MOTION * b + 2], z))
        store2(velocities, k, add_scaled2(load2(velocities, k), 2.0, left))
        store2(velocities, k + 2, add_scaled2(load2(velocities, k + 2), 2.0, turned))


@helper
def write_velocities(step, layout, plane, velocities):
    """Velocities at the end of the step into a state."""
    for b in range(1, step.bodies):
        place, first, second = place_numbers(layout, b)
        rate = load2(plane.start, START_MOTION * b + 6)
        put(velocities, place, load2(plane.start, START_MOTION * b + 4))
        put(velocities, first, rate)
        put(velocities, second, across(layout.frames[b].plane.sense, rate))


@helper
def came_apart(y, layout, plane):
    """Whether a row in the plane is open at the end of the step further than OPEN; across the plane nothing moves."""
    set_values(layout, plane.other, plane.pull)
    largest, unit = largest_opening(layout.plane_scalars, plane.pull), 0.0
    if largest <= OPEN:
        return False
    for k in range(layout.plane_scalars.shape[0]):
        unit = max(unit, layout.plane_scalars[k].unit)
    return largest > OPEN + POSITION_ROUNDING * unit * farthest(y, layout)


@helper
def count_turns(step, y, layout, plane, work):
    """Let angles at the end of a step follow their rates, where a body turns so fast that they may change by half a turn."""
    fast = False
    for k in range(step.stages * step.bodies):
        fast = fast or step.h * abs(plane.blocks[PLANE_BLOCK * k + SPIN]) > 0.5 * FAST_TURN
    if fast:
        set_stages(step, y, layout, plane, work)
        turn_angles(step, y, layout, work)


@internal(int64(STEP_TYPE, FLOATS, BUFFERS, LAYOUT))
def finish(step, y, buffers, layout):
    """From stages that satisfy their equations to the state at the end of the step; returns a status."""
    method, s, _, _, h = step
    _, memory, scratch, work, counters = buffers
    at, plane = layout.places[0], plane_of(layout, work, s)
    end, powers, lost = work[places.end(at)], work[places.powers(at)], scratch[: at.n_poses]
    if s == 1:
        place_one(step, plane)
    else:
        place_stages(step, plane, 2)
    copy(y, end)
    copy(memory[LOST : LOST + at.n_poses], lost)
    end_bodies(step, layout, plane, memory, lost, end)
    if s % 2 == 0:
        reflect(step, layout, plane)
    write_velocities(step, layout, plane, end[places.velocities(at)])
    count_turns(step, y, layout, plane, work)
    keep_coordinates(layout, end, end)
    if layout.loads.shape[0] > 0:
        for i in range(s):
            end[at.state - 1] += h * method[EM_WEIGHTS + i] * powers[i]
    add_controls(step, y, layout, end)
    if not all_finite(end):
        return NOT_FINITE
    if came_apart(end, layout, plane):
        return OPENED
    copy(end, y)
    remember(step, lost, unknowns_of(step, plane), memory)
    if method[REDUNDANT] == 1.0 and rows_weaken(work[at.pivot], memory, LOOKED):
        counters[ASKED] = 1
    counters[STEPS] += 1
    return OK
