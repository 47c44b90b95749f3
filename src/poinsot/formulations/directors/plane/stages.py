"""Bodies at the stages of a planar step: poses from twists, inertia forces, loads."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.plane import across, add2, add_scaled2, cross2, load2, scale2, store2, sub2
from poinsot.algebra.vectors import ZERO, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.plane.places import FREE_MOTION, pick, place_numbers
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.plane.places import START_MOTION
from poinsot.formulations.directors.plane.rows import push_body
from poinsot.formulations.directors.stage_places import EM_INVERSE, EM_MATRIX
from poinsot.formulations.directors.stages import end_poses
from poinsot.formulations.tree.plane.work import PLACE, PLANE_BLOCK, SPIN, TURN, VELOCITY


@helper
def read_start(step, y, layout, plane):
    """Places, turns and their rates at the start of the step, from its state."""
    velocities = layout.places[0].velocities
    for b in range(step.bodies):
        place, first, _ = place_numbers(layout, b)
        k = START_MOTION * b
        store2(plane.start, k, pick(y, place))
        store2(plane.start, k + 2, pick(y, first))
        store2(plane.start, k + 4, pick(y[velocities:], place))
        store2(plane.start, k + 6, pick(y[velocities:], first))
    for i in range(step.stages + 1):  # of the ground in all stages and in `other`, which follows them
        k = i * PLANE_BLOCK * step.bodies if i < step.stages else 0
        blocks = plane.blocks if i < step.stages else plane.other
        store2(blocks, k + PLACE, load2(plane.start, 0))
        store2(blocks, k + TURN, load2(plane.start, 2))
        store2(blocks, k + VELOCITY, (0.0, 0.0))
        blocks[k + SPIN] = 0.0


@helper
def place_one(step, plane):
    """One stage: poses in the middle of the step, the turn by the Cayley transform."""
    for b in range(1, step.bodies):
        k, block = START_MOTION * b, PLANE_BLOCK * b
        v, w = load2(plane.unknowns, FREE_MOTION * b), plane.unknowns[FREE_MOTION * b + 2]
        t = 0.5 * step.h * w
        store2(plane.blocks, block + PLACE, add_scaled2(load2(plane.start, k), 0.5 * step.h, v))
        z = load2(plane.start, k + 2)
        store2(plane.blocks, block + TURN, scale2(1.0 / (1.0 + t * t), add2(z, across(t, z))))
        store2(plane.blocks, block + VELOCITY, v)
        plane.blocks[block + SPIN] = w


@helper
def place_stages(step, plane, sweeps):
    """Poses at all stages; turns by `sweeps` sweeps over the stages, from where they are."""
    method, s, n, _, h = step
    for b in range(1, n):
        x, z = load2(plane.start, START_MOTION * b), load2(plane.start, START_MOTION * b + 2)
        for i in range(s):
            place = x
            for j in range(s):
                v = load2(plane.unknowns, FREE_MOTION * (j * n + b))
                place = add_scaled2(place, h * method[EM_MATRIX + 3 * i + j], v)
            block = PLANE_BLOCK * (i * n + b)
            store2(plane.blocks, block + PLACE, place)
            store2(plane.blocks, block + VELOCITY, load2(plane.unknowns, FREE_MOTION * (i * n + b)))
            plane.blocks[block + SPIN] = plane.unknowns[FREE_MOTION * (i * n + b) + 2]
        for _ in range(sweeps):
            for i in range(s):
                new = z
                for j in range(s):
                    block = PLANE_BLOCK * (j * n + b)
                    turn = h * method[EM_MATRIX + 3 * i + j] * plane.blocks[block + SPIN]
                    new = add2(new, across(turn, load2(plane.blocks, block + TURN)))
                store2(plane.blocks, PLANE_BLOCK * (i * n + b) + TURN, new)


@helper
def inertia_forces(step, layout, plane):
    """Set the forces of every stage to those of inertia less gravity."""
    method, s, n, _, h = step
    ground = layout.frames[0].plane
    gravity = (layout.values[ground.first], layout.values[ground.second])
    for k in range(FREE_MOTION * n * s):
        plane.forces[k] = 0.0
    for b in range(1, n):
        frame, k = layout.frames[b].plane, START_MOTION * b
        velocity, rate = load2(plane.start, k + 4), load2(plane.start, k + 6)
        for i in range(s):
            a, bend = (0.0, 0.0), (0.0, 0.0)
            for j in range(s):
                c, block = method[EM_INVERSE + 3 * i + j] / h, PLANE_BLOCK * (j * n + b)
                a = add_scaled2(a, c, sub2(load2(plane.blocks, block + VELOCITY), velocity))
                turning = across(plane.blocks[block + SPIN], load2(plane.blocks, block + TURN))
                bend = add_scaled2(bend, c, sub2(turning, rate))
            z, at = load2(plane.blocks, PLANE_BLOCK * (i * n + b) + TURN), FREE_MOTION * (i * n + b)
            store2(plane.forces, at, scale2(frame.mass, sub2(a, gravity)))
            plane.forces[at + 2] = frame.inertia * cross2(z, bend)


@kernel
def store_pose(layout, y, b, x, z, poses, k):
    """Write a body's pose in space, from position k of an array of poses on; numbers out of the plane are those of the state y."""
    frame, ground = layout.frames[b].plane, layout.frames[0].plane
    for m in range(POSE):
        poses[k + m] = y[POSE * b + m]
    poses[k + ground.first], poses[k + ground.second] = x
    p, q, quarter = k + 3 + 3 * ground.first, k + 3 + 3 * ground.second, across(frame.sense, z)
    poses[p + frame.first], poses[q + frame.first] = z
    poses[p + frame.second], poses[q + frame.second] = quarter


@helper
def set_stages(step, y, layout, plane, work):
    """Poses and twists of all stages in space."""
    at, n = layout.places[0], step.bodies
    ground = layout.frames[0].plane
    poses, twists = work[stage_places.stage_poses(at, step.stages)], work[stage_places.stage_twists(at, step.stages)]
    for i in range(step.stages):
        for b in range(n):
            block, k = PLANE_BLOCK * (i * n + b), TWIST * (i * n + b)
            place, turn = load2(plane.blocks, block + PLACE), load2(plane.blocks, block + TURN)
            store_pose(layout, y, b, place, turn, poses, POSE * (i * n + b))
            store3(twists, k, ZERO)
            store3(twists, k + 3, ZERO)
            twists[k + ground.first], twists[k + ground.second] = load2(plane.blocks, block + VELOCITY)
            twists[k + 3 + ground.third] = plane.blocks[block + SPIN]


@helper
def add_loads(loads, step, y, layout, plane, work):
    """Take all loads from the forces of the stages: in space, of which the part in the plane moves the bodies. Returns a status."""
    at, s, n = layout.places[0], step.stages, step.bodies
    ground, forces = layout.frames[0].plane, work[stage_places.stage_forces(at, s)]
    set_stages(step, y, layout, plane, work)
    for k in range(forces.shape[0]):
        forces[k] = 0.0
    if at.needs_end == 1:
        poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
        end_poses(step, y, poses, twists, work[places.end(at)])
    status = loads(step.t, y, layout, work, step.method)
    for i in range(s):
        for b in range(1, n):
            k = TWIST * (i * n + b)
            push_body(plane.forces, i * n + b, (forces[k + ground.first], forces[k + ground.second]), forces[k + 3 + ground.third])
    return status
