"""Accelerations of bodies, and the wrenches that joints of the tree transmit.

The wrench that every joint transmits follows from the accelerations, from the tips to the ground. The part that does
work on the joint's degrees of freedom is that of motors, springs and dampers; it is subtracted, and the rest is the
constraint part.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, column, load33, load_symmetric
from poinsot.algebra.vectors import (
    ZERO,
    add,
    add_scaled,
    cross,
    dot,
    increase3,
    load3,
    negate,
    scale,
    store3,
    sub,
    vector,
)
from poinsot.elements import states as body
from poinsot.elements.call import call_address
from poinsot.elements.serial import SLIDES, TURNS, TWISTS
from poinsot.formulations.tree.work import (
    ACCELERATION,
    ALPHA,
    ATTITUDE,
    BLOCK,
    PLACE,
    room_block,
    states_block,
    world_block,
    wrenches_block,
)
from poinsot.tables.records import BALL, HELICAL, N_WRENCHES


@kernel
def accelerations(b, layout, work, row):
    """Acceleration of the origin and angular acceleration of body b, with gravity still included as an acceleration of the ground."""
    link = layout.bodies[b].link
    R = load33(work, world_block(layout, link) + ATTITUDE)
    state = states_block(layout) + b * body.BODY_STATE
    spin = load3(work, state + body.SPIN)
    alpha, a = apply(R, load3(work, link * BLOCK + ALPHA)), apply(R, load3(work, link * BLOCK + ACCELERATION))
    arm = apply(R, vector(layout.bodies[b].origin))
    store3(row, 6 * b, add(a, add(cross(alpha, arm), cross(spin, cross(spin, arm)))))
    store3(row, 6 * b + 3, alpha)


@kernel
def required_wrench(b, layout, work, row):
    """Force and moment about the centre of mass of body b that its acceleration requires beyond its external wrench,
    and its centre of mass.
    """
    state = states_block(layout) + b * body.BODY_STATE
    table = layout.bodies[b]
    R, spin = load33(work, state + body.ATTITUDE), load3(work, state + body.SPIN)
    arm, alpha = apply(R, vector(table.com)), load3(row, 6 * b + 3)
    a = add(load3(row, 6 * b), add(cross(alpha, arm), cross(spin, cross(spin, arm))))
    I, w = load_symmetric(table.inertia, 0), apply_transposed(R, spin)
    moment = apply(R, add(apply(I, apply_transposed(R, alpha)), cross(w, apply(I, w))))
    force = scale(table.mass, a)
    if layout.sizes[N_WRENCHES] > 0:
        k = wrenches_block(layout) + b * body.WRENCH
        force, moment = sub(force, load3(work, k)), sub(moment, load3(work, k + 3))
    return force, moment, add(load3(work, state + body.ORIGIN), arm)


@kernel
def without(v, axis):
    """The part of v perpendicular to an axis of any length."""
    square = dot(axis, axis)
    return add_scaled(v, -dot(v, axis) / square, axis) if square > 1e-24 else v


@helper
def serial_part(joint, layout, work, point, force, moment):
    """The same for a joint in series: rotations before a slide act at a distance from the second point, and three rotations span all moments."""
    out = work[room_block(layout) :]
    rates = 0
    for m in range(joint.motion, joint.motion + joint.motions):
        motion = layout.motions[m]
        base = world_block(layout, motion.link)
        R, arm = load33(work, base + ATTITUDE), sub(point, load3(work, base + PLACE))
        for k in range(1 if motion.kind == HELICAL else 3):
            e = column(R, 2 if motion.kind == HELICAL else k)
            rot = motion.rot if motion.kind == HELICAL else 1.0 if motion.kind == BALL else 0.0
            lin = motion.lin if motion.kind == HELICAL else 0.0 if motion.kind == BALL else 1.0
            turn = scale(rot, e)
            store3(out, TURNS + 3 * rates, turn)
            store3(out, SLIDES + 3 * rates, add_scaled(cross(turn, arm), lin, e))
            rates += 1
    store3(out, TWISTS, force)
    store3(out, TWISTS + 3, moment)
    call_address(joint.serial, float(rates), out, out, out)
    return load3(out, TWISTS), load3(out, TWISTS + 3)


@kernel
def constraint_part(joint, layout, work, force, moment):
    """Subtract from a joint's wrench (at its second point) the part that does work on its degrees of freedom."""
    first_turn, first_slide = ZERO, ZERO
    for m in range(joint.motion, joint.motion + joint.motions):
        motion = layout.motions[m]
        if motion.kind == BALL:
            moment = ZERO
        elif motion.kind == HELICAL:
            axis = column(load33(work, world_block(layout, motion.link) + ATTITUDE), 2)
            if motion.rot != 0.0 and motion.lin != 0.0:
                moment = add_scaled(moment, -dot(axis, moment) - motion.lin / motion.rot * dot(axis, force), axis)
            elif motion.rot != 0.0:
                axis = without(axis, first_turn)
                moment, first_turn = without(moment, axis), axis
            else:
                axis = without(axis, first_slide)
                force, first_slide = without(force, axis), axis
        else:
            force = ZERO
    return force, moment


@kernel
def pass_on(b, layout, work, row, reactions, required):
    """Wrench of the joint between body b and its parent: stored as the joint's reaction, and passed on to the parent.

    `required`: force and moment that body b requires beyond external wrenches, and its centre of mass.

    Until then, the entry of a joint accumulates the wrenches of the children about the centre of mass of its body.
    """
    table = layout.bodies[b]
    force, moment, com = required
    place = reactions + 6 * table.joint
    force, moment = add(force, load3(row, place)), add(moment, load3(row, place + 3))
    if table.parent > 0:
        above = layout.bodies[table.parent]
        state = states_block(layout) + table.parent * body.BODY_STATE
        com_above = add(load3(work, state + body.ORIGIN), apply(load33(work, state + body.ATTITUDE), vector(above.com)))
        increase3(row, reactions + 6 * above.joint, force)
        increase3(row, reactions + 6 * above.joint + 3, add(moment, cross(sub(com, com_above), force)))
    joint = layout.joints[table.joint]
    second = work[states_block(layout) : wrenches_block(layout)]
    point, _, _ = body.point_state(second, joint.second, vector(joint.second_origin))
    moment = add(moment, cross(sub(com, point), force))
    if joint.tree < 0:
        force, moment = negate(force), negate(moment)
    if joint.serial != 0:
        force, moment = serial_part(joint, layout, work, point, force, moment)
    else:
        force, moment = constraint_part(joint, layout, work, force, moment)
    store3(row, place, force)
    store3(row, place + 3, moment)
