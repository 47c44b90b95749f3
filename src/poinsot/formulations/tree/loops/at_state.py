"""Accelerations of all joints of a closed tree at one state."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.matrices import apply, apply_transposed
from poinsot.algebra.quaternions import load4
from poinsot.algebra.vectors import ZERO, add, cross, load3, negate, scale, store3, sub
from poinsot.elements.director_scalars import SERIAL
from poinsot.elements.states import TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.balls import joint_frames
from poinsot.formulations.absolute.bodies import pair_rate, pull
from poinsot.formulations.absolute.coordinates import bias_of, gradient_of, set_clock
from poinsot.formulations.tree.coordinates import spin_to_joint, spin_to_link
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import place_bodies
from poinsot.formulations.tree.loops.dynamics import accelerate_closed, body_accelerations
from poinsot.formulations.tree.loops.loads import apply_closed_loads, push_bodies
from poinsot.formulations.tree.work import efforts_block, slots_block, spare_block
from poinsot.formulations.tree.world import collect_wrenches
from poinsot.tables.records import BALL, HELICAL, N_Q, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT, OK

SIGNATURE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@helper
def set_efforts(y, effort, layout, work):
    """Efforts at all joints, given in their rates: those of the tree replace its efforts, others become wrenches on bodies."""
    at = layout.places[0]
    c, forces, efforts = work[own.configuration(at)], work[places.forces(at)], efforts_block(layout)
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        joint, link = layout.joints[motion.joint], layout.links[motion.link]
        ball = motion.kind == BALL
        if motion.link >= 0 and motion.kind == HELICAL:
            work[efforts + link.iv] = motion.sign * effort[motion.ir]
        elif motion.link >= 0 and ball:
            store3(work, efforts + link.iv, spin_to_link(motion, load4(y, link.iq), load3(effort, motion.ir)))
        elif motion.link >= 0:
            store3(work, efforts + link.iv, scale(motion.sign, load3(effort, motion.ir)))
        elif ball and layout.coordinates[motion.ir].kind != SERIAL:
            turn = apply_efforts(joint, layout, c, load3(effort, motion.ir))
            pull(forces, 1.0, turn, joint.first, joint.second)
        else:
            for k in range(1 if motion.kind == HELICAL else 3):
                gradient = gradient_of(layout.coordinates[motion.ir + k], layout, c, c)
                pull(forces, effort[motion.ir + k], gradient, joint.first, joint.second)
    push_bodies(forces, layout, work)
    collect_wrenches(layout, work)


@helper
def apply_efforts(joint, layout, poses, effort):
    """Forces and moments on both bodies of a ball under an effort given in its second frame."""
    moment = apply(joint_frames(joint, layout, poses)[1], effort)
    return ZERO, negate(moment), ZERO, moment


@helper
def joint_accelerations(y, ydot, layout, work, result):
    """Derivatives of the rates of all joints, from those of the tree and the accelerations of bodies in `push`."""
    at = layout.places[0]
    c, twists, accelerations = work[own.configuration(at)], work[places.twists(at)], work[places.push(at)]
    nq = layout.sizes[N_Q]
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        joint, link = layout.joints[motion.joint], layout.links[motion.link]
        ball, j = motion.kind == BALL, nq + link.iv
        if motion.link >= 0 and motion.kind == HELICAL:
            result[motion.ir] = motion.sign * ydot[j]
        elif motion.link >= 0 and ball:
            store3(result, motion.ir, spin_to_joint(motion, load4(y, link.iq), load3(ydot, j)))
        elif motion.link >= 0:
            store3(result, motion.ir, scale(motion.sign, load3(ydot, j)))
        elif ball and layout.coordinates[motion.ir].kind != SERIAL:
            a, b = TWIST * joint.first + 3, TWIST * joint.second + 3
            change = add(sub(load3(accelerations, b), load3(accelerations, a)), cross(load3(twists, b), load3(twists, a)))
            store3(result, motion.ir, apply_transposed(joint_frames(joint, layout, c)[1], change))
        else:
            for k in range(1 if motion.kind == HELICAL else 3):
                scalar = layout.coordinates[motion.ir + k]
                change = pair_rate(gradient_of(scalar, layout, c, c), accelerations, joint.first, joint.second)
                result[motion.ir + k] = change + bias_of(scalar, layout, c, twists)


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    at = layout.places[0]
    spare, total = work[spare_block(layout) : slots_block(layout)], work[places.total_power(at)]
    replaced = effort.shape[0] > 0
    set_clock(layout, t)
    place_bodies(y, layout, work)
    layout.sizes[N_WRENCHES] += 1 if replaced else 0  # efforts at joints that close loops act as wrenches
    status = apply_closed_loads(t, y, layout, work, not replaced, total)
    if status == OK:
        if replaced:
            set_efforts(y, effort, layout, work)
        status = accelerate_closed(y, layout, work, spare, total)
    layout.sizes[N_WRENCHES] -= 1 if replaced else 0
    if status == OK:
        body_accelerations(layout, work, work[places.push(at)])
        joint_accelerations(y, spare, layout, work, result)
    return status
