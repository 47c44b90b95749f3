"""Accelerations and reactions at poses and allowed twists: an index-1 solve.

    [M J'; J 0] (acceleration, lambda) = (applied - gyroscopic, -bias of the rows)

Multipliers of the steps themselves are not reported: they converge more slowly. Rows that were dropped as redundant
have no multiplier; the reactions of joints whose rows depend on them are then not unique.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed
from poinsot.algebra.vectors import ZERO, add, cross, increase3, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import SERIAL, directors
from poinsot.elements.wrenches import apply_wrench
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.balls import joint_frames
from poinsot.formulations.absolute.bodies import body_states, pair_rate, point, pull
from poinsot.formulations.absolute.coordinates import bias_of, gradient_of, right_side
from poinsot.formulations.absolute.loads import Instant, feedback, is_potential_of_scalar, joint_law, potential_terms
from poinsot.formulations.absolute.openings import set_row_gaps
from poinsot.formulations.absolute.rows import constrained, inertia
from poinsot.formulations.absolute.welded import correct_reactions, take_wrenches
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.records import BALL, GEAR, HELICAL, ON_BODIES, ON_LOADS, ON_MOTION, USER_ROW
from poinsot.tables.types import CALLBACK, OK


@helper
def one_load(load, layout, instant, states, wrenches):
    """Take one load from the forces (or add it to the wrenches); its effort (3), and its power where it is non-conservative."""
    t, y, _, twists, forces, room = instant
    if is_potential_of_scalar(load):
        _, slope, gradient, a, b = potential_terms(load, layout, y, y)
        rate = pair_rate(gradient, twists, a, b)
        damping = layout.values[load.value + 1] if load.acts == ON_BODIES else 0.0
        pull(forces, -slope - damping * rate, gradient, a, b)
        if load.acts == ON_BODIES:
            return (slope + damping * rate, 0.0, 0.0), -damping * rate * rate
        elif layout.motions[load.motion].kind == BALL:
            joint = layout.joints[layout.motions[load.motion].joint]
            return apply_transposed(joint_frames(joint, layout, y)[1], scale(-slope, gradient[3])), 0.0
        else:
            return (-slope, 0.0, 0.0), 0.0
    elif load.acts == ON_LOADS:
        return ZERO, feedback(load, layout, instant, states, 0.0)
    elif load.acts != ON_MOTION:  # one branch per kind
        return apply_wrench(load, t, layout, states, wrenches, room)
    else:
        return joint_law(load, layout, instant, 0.0)


@helper
def applied(t, y, layout, work, twists, forces, report, joints):
    """Set the forces on bodies to minus the loads; reports effort and power of each. Joint loads only when `joints`. Returns a status."""
    body_states(layout, y, twists, work[places.states(layout.places[0])])
    return sum_loads(t, y, layout, work, twists, forces, report, joints)


@helper
def sum_loads(t, y, layout, work, twists, forces, report, joints):
    """The same where the states of all bodies that loads see are known."""
    at = layout.places[0]
    states, wrenches = work[places.states(at)], work[places.wrenches(at)]
    instant = Instant(t, y, y, twists, forces, work[places.room(at)])
    for k in range(forces.shape[0]):
        forces[k] = 0.0
    for k in range(wrenches.shape[0]):
        wrenches[k] = 0.0
    total = 0.0
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        if joints or load.acts != ON_MOTION:
            effort, power = one_load(load, layout, instant, states, wrenches)
            if not isfinite(power) and load.address >= 0:
                return CALLBACK
            total += power
            if report.shape[0] > 1:
                store3(report, 1 + 4 * k, effort)
                report[4 + 4 * k] = power
    report[0] = total
    take_wrenches(layout, y, wrenches, forces)
    return OK


@helper
def right_hand_side(y, layout, twists, forces, step):
    """Turn minus the loads into applied and gyroscopic forces, and set `step` to the bias of the rows."""
    gravity = load3(layout.values, 0)
    store3(forces, 0, ZERO)  # the ground stands still, whatever acts on it
    store3(forces, 3, ZERO)
    for b in range(1, layout.bodies.shape[0]):
        frame, k = layout.frames[b], TWIST * b
        spin = load3(twists, k + 3)
        gyroscopic = cross(spin, apply(inertia(frame, directors(y, b)), spin))
        store3(forces, k, sub(scale(frame.mass, gravity), load3(forces, k)))
        store3(forces, k + 3, scale(-1.0, add(gyroscopic, load3(forces, k + 3))))
    for k in range(step.shape[0]):
        step[k] = 0.0
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        step[term.row] += term.factor * bias_of(term, layout, y, twists)


@helper
def damp_gaps(y, layout, work, twists, step):
    """Baumgarte's terms: rows g obey g'' + 2 c g' + c^2 g = 0 in place of g'' = 0, with the damping c in `places`."""
    c = layout.places[0].damping
    set_row_gaps(y, layout, work)
    gaps = work[places.row_gaps(layout.places[0])]
    for k in range(gaps.shape[0]):
        step[k] += c * c * gaps[k]
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        rate = pair_rate(gradient_of(term, layout, y, y), twists, term.first, term.second)
        step[term.row] += 2.0 * c * (term.factor * rate - right_side(term, layout, y))


@helper
def remainder(y, layout, solution, multipliers, push, step):
    """Take M a + J' lambda from the forces `push`, and add J a to `step`: what a solution of the linear system leaves."""
    for b in range(1, layout.bodies.shape[0]):
        frame, k = layout.frames[b], TWIST * b
        increase3(push, k, scale(-frame.mass, load3(solution, k)))
        increase3(push, k + 3, scale(-1.0, apply(inertia(frame, directors(y, b)), load3(solution, k + 3))))
    for n in range(layout.terms.shape[0]):
        term = layout.terms[n]
        gradient = gradient_of(term, layout, y, y)
        pull(push, term.factor * multipliers[term.row], gradient, term.first, term.second)
        step[term.row] += term.factor * pair_rate(gradient, solution, term.first, term.second)


@helper
def accelerate(y, layout, work, twists, forces):
    """Accelerations of all bodies, written over the forces on them; multipliers to `step`. Refined once: loops can be ill-conditioned."""
    at = layout.places[0]
    push, step, gaps = work[places.push(at)], work[places.step(at)], work[places.spare_rows(at)]
    nt, nm = push.shape[0], step.shape[0]
    right_hand_side(y, layout, twists, forces, step)
    if at.damping > 0.0:
        damp_gaps(y, layout, work, twists, step)
    for k in range(nt):
        push[k] = forces[k]
    for k in range(nm):
        gaps[k] = step[k]
    constrained(layout, work, step, push)
    for k in range(nm):
        gaps[nm + k] = step[k]
        step[k] = gaps[k]
    remainder(y, layout, push, gaps[nm:], forces, step)
    constrained(layout, work, step, forces)
    for k in range(nt):
        forces[k] += push[k]
    for k in range(nm):
        step[k] += gaps[nm + k]
    store3(forces, 0, ZERO)
    store3(forces, 3, ZERO)


@kernel
def add_reaction(term, y, layout, multiplier, row, place):
    """Add one row's part to the reaction on the second body, about its joint point."""
    if layout.rows[layout.joints[term.joint].row].kind == GEAR:
        row[place] = -multiplier  # effort on the first coordinate
    elif term.kind == USER_ROW:
        row[place + int(term.number - layout.joints[term.joint].row)] = multiplier
    else:
        _, _, force, moment = gradient_of(term, layout, y, y)
        arm = point(layout, y, term.second, vector(layout.joints[term.joint].second_origin))
        increase3(row, place, scale(-multiplier * term.factor, force))
        increase3(row, place + 3, scale(-multiplier * term.factor, sub(moment, cross(arm, force))))


@helper
def fill_reactions(y, layout, work, twists, forces, row):
    """Accelerations of the bodies' origins from those of their centres, and reactions from the multipliers in `step`."""
    at = layout.places[0]
    step = work[places.step(at)]
    nb, nj = layout.bodies.shape[0], layout.joints.shape[0]
    reactions, report = 6 * nb, 6 * (nb + nj)
    for b in range(nb):
        k = TWIST * b
        arm = apply(directors(y, b), vector(layout.frames[b].origin))
        spin, alpha = load3(twists, k + 3), load3(forces, k + 3)
        store3(row, 6 * b, add(load3(forces, k), add(cross(alpha, arm), cross(spin, cross(spin, arm)))))
        store3(row, 6 * b + 3, alpha)
    for k in range(reactions, report):
        row[k] = 0.0
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        add_reaction(term, y, layout, step[term.row], row, reactions + 6 * term.joint)
    correct_reactions(y, layout, twists, forces, work[places.wrenches(at)], row, reactions)


@helper
def add_efforts(y, effort, layout, forces):
    """Take given efforts, conjugate to the joint rates, from the forces on bodies."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        joint = layout.joints[motion.joint]
        if motion.kind == BALL and layout.coordinates[motion.ir].kind != SERIAL:
            moment = apply(joint_frames(joint, layout, y)[1], load3(effort, motion.ir))
            increase3(forces, TWIST * joint.first + 3, moment)
            increase3(forces, TWIST * joint.second + 3, scale(-1.0, moment))
        else:
            for k in range(1 if motion.kind == HELICAL else 3):
                gradient = gradient_of(layout.coordinates[motion.ir + k], layout, y, y)
                pull(forces, effort[motion.ir + k], gradient, joint.first, joint.second)


@helper
def joint_accelerations(y, layout, twists, accelerations, result):
    """Derivatives of the joint rates from twists of the bodies and their accelerations."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        joint = layout.joints[motion.joint]
        i, j = TWIST * joint.first, TWIST * joint.second
        wa, wb = load3(twists, i + 3), load3(twists, j + 3)
        if motion.kind == BALL and layout.coordinates[motion.ir].kind != SERIAL:
            change = add(sub(load3(accelerations, j + 3), load3(accelerations, i + 3)), cross(wb, wa))
            store3(result, motion.ir, apply_transposed(joint_frames(joint, layout, y)[1], change))
        else:
            for k in range(1 if motion.kind == HELICAL else 3):
                scalar = layout.coordinates[motion.ir + k]
                gradient = gradient_of(scalar, layout, y, y)
                bias = bias_of(scalar, layout, y, twists)
                result[motion.ir + k] = pair_rate(gradient, accelerations, joint.first, joint.second) + bias
