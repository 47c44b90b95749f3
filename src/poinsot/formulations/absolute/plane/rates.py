"""Accelerations of bodies that move parallel to a plane, with the multipliers of the rows there (index 1)."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply, load33
from poinsot.algebra.plane import store2
from poinsot.algebra.vectors import ZERO, add, load3, store3
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import body_state
from poinsot.formulations.absolute.plane.bodies import read_bodies, write_motions
from poinsot.formulations.absolute.plane.matrix import build, constrained, take_pull
from poinsot.formulations.absolute.plane.places import FREE_MOTION, PLANE_LEG, room_of
from poinsot.formulations.absolute.plane.rows import add_biases
from poinsot.formulations.absolute.reactions import sum_loads
from poinsot.formulations.absolute.work import TWIST
from poinsot.integrators.stages import copy
from poinsot.linear.pattern import GROUPS, LEG_BODY, LEG_START
from poinsot.tables.types import OK


@helper
def loads_in_space(t, y, layout, work, twists, forces, report):
    """Set the forces on bodies to minus the loads, which act in any direction. Returns a status."""
    states = work[places.states(layout.places[0])]
    for b in range(layout.bodies.shape[0]):
        if layout.plane_bodies[b].seen == 1:
            body_state(layout, y, twists, states, b)
    return sum_loads(t, y, layout, work, twists, forces, report, True)


@helper
def right_hand_side(layout, room, forces):
    """Forces and moments in the plane from minus the loads on bodies in space, and biases of the rows. Nothing gyroscopic acts in the plane."""
    ground = layout.frames[0].plane
    store3(room.forces, 0, ZERO)
    for b in range(1, layout.bodies.shape[0]):
        m, k, n = layout.frames[b].plane.mass, TWIST * b, FREE_MOTION * b
        x, y = layout.values[ground.first], layout.values[ground.second]
        store2(room.forces, n, (m * x - forces[k + ground.first], m * y - forces[k + ground.second]))
        room.forces[n + 2] = -forces[k + 3 + ground.third]
    for k in range(room.gaps.shape[0]):
        room.gaps[k] = 0.0
    add_biases(layout, room.blocks, room.gaps)


@helper
def remainder(layout, room):
    """Take what a solution in `push` and `pull` accounts for from the right-hand sides, whose rest stays in `forces` and `gaps`."""
    p = room.pattern
    start, body = p[LEG_START], p[LEG_BODY]
    for b in range(1, layout.bodies.shape[0]):
        for k in range(3):
            n = FREE_MOTION * b + k
            room.forces[n] -= room.push[n] / room.masses[2 * b + (1 if k == 2 else 0)]
    take_pull(room, room.forces, room.pull)
    for t in range(p[GROUPS]):
        total = load3(room.gaps, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            total = add(total, apply(load33(room.legs, PLANE_LEG * leg), load3(room.push, FREE_MOTION * p[body + leg])))
        store3(room.gaps, 3 * t, total)


@helper
def accelerate(layout, room):
    """Accelerations of all bodies in `push`, from the right-hand sides. Refined once: loops can be ill-conditioned."""
    copy(room.forces, room.push)
    copy(room.gaps, room.pull)
    constrained(layout, room, room.push, room.pull)
    remainder(layout, room)
    constrained(layout, room, room.forces, room.gaps)
    for k in range(FREE_MOTION, room.push.shape[0]):
        room.push[k] += room.forces[k]


@helper
def accelerations(t, y, layout, work, twists, forces, report):
    """Accelerations of all bodies at a configuration and twists, in `forces`, zero out of the plane; power of the loads to `report`. A status."""
    room, status = room_of(layout, work), OK
    read_bodies(y, layout, twists, room.blocks)
    for k in range(forces.shape[0]):
        forces[k] = 0.0
    report[0] = 0.0
    if layout.loads.shape[0] > 0:
        status = loads_in_space(t, y, layout, work, twists, forces, report)
    if status == OK:
        build(layout, room)
        right_hand_side(layout, room, forces)
        accelerate(layout, room)
        write_motions(layout, room.push, forces)
    return status
