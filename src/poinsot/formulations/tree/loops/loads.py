"""All loads of a closed system as joint efforts and external wrenches of the tree, those at joints that close loops as wrenches on bodies."""

from __future__ import annotations

from math import isfinite

from numba import boolean, float64, int64

from poinsot.algebra.compile import helper, internal
from poinsot.algebra.matrices import apply_transposed
from poinsot.algebra.vectors import ZERO, increase3, load3, negate, scale, store3
from poinsot.elements.feedback import F_MOTIONS, TAIL, controls_in, feed_back, motion_place, see_bodies, tail_of
from poinsot.elements.states import TWIST, WRENCH
from poinsot.elements.wrenches import apply_wrench, is_wrench
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.balls import joint_frames
from poinsot.formulations.absolute.bodies import pair_rate, pull
from poinsot.formulations.absolute.coordinates import gradient_of, value_of
from poinsot.formulations.absolute.loads import Instant, joint_law, potential_terms
from poinsot.formulations.tree.joint_loads import is_sane, joint_load
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.work import efforts_block, room_block, states_block, wrenches_block
from poinsot.formulations.tree.world import collect_wrenches
from poinsot.tables.records import BALL, N_Q, N_V, N_WRENCHES, ON_LOADS
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, NOT_FINITE, OK


@helper
def closed_feedback(load, t, y, layout, work):
    """Call a feedback; its inputs, which follow among the loads, take its efforts. Returns 0, or NaN when its law failed."""
    at, tail, raw = layout.places[0], tail_of(load), work[room_block(layout) :]
    configuration, twists = work[own.configuration(at)], work[places.twists(at)]
    see_bodies(load, layout, work[states_block(layout) :], raw)
    for k in range(layout.members[tail + F_MOTIONS]):
        motion, place = layout.motions[layout.members[tail + TAIL + k]], motion_place(load, k)
        if motion.link >= 0:
            link = layout.links[motion.link]
            raw[place] = motion.sign * y[link.iq]
            raw[place + 1] = motion.sign * y[layout.sizes[N_Q] + link.iv]
        else:
            scalar = layout.coordinates[motion.ir]
            raw[place] = value_of(scalar, layout, configuration, configuration, 0.0)
            gradient = gradient_of(scalar, layout, configuration, configuration)
            raw[place + 1] = pair_rate(gradient, twists, scalar.first, scalar.second)
    return feed_back(load, t, layout, raw)


@helper
def push_bodies(forces, layout, work):
    """Add to the wrenches on bodies what was taken from forces at their centres of mass."""
    wrenches = wrenches_block(layout)
    for b in range(1, layout.bodies.shape[0]):
        increase3(work, wrenches + b * WRENCH, negate(load3(forces, TWIST * b)))
        increase3(work, wrenches + b * WRENCH + 3, negate(load3(forces, TWIST * b + 3)))


@helper
def loose_load(load, layout, instant):
    """Take a load at a joint that closes a loop from the forces on its bodies; returns its effort (3) and non-conservative power."""
    if load.potential == 0:
        return joint_law(load, layout, instant, 0.0)
    _, slope, gradient, a, b = potential_terms(load, layout, instant.y, instant.poses)
    pull(instant.forces, -slope, gradient, a, b)
    if layout.motions[load.motion].kind == BALL:
        second = joint_frames(layout.joints[layout.motions[load.motion].joint], layout, instant.poses)[1]
        return apply_transposed(second, scale(-slope, gradient[3])), 0.0
    else:  # one return per kind
        return (-slope, 0.0, 0.0), 0.0


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, boolean, FLOATS))
def sum_closed_loads(t, y, layout, work, joints, report):
    """Efforts of all loads and wrenches on bodies that are placed; see `apply_loads` of the open tree. Joint loads only when `joints`."""
    at, efforts = layout.places[0], efforts_block(layout)
    for k in range(layout.sizes[N_V]):
        work[efforts + k] = 0.0
    total, wrenches, loose = 0.0, layout.sizes[N_WRENCHES] > 0, False
    states, pushes, room = states_block(layout), wrenches_block(layout), room_block(layout)
    configuration, forces = work[own.configuration(at)], work[places.forces(at)]
    instant = Instant(t, configuration, configuration, work[places.twists(at)], forces, work[places.room(at)])
    controls_in(y, layout)
    if wrenches:
        for k in range(pushes, efforts):
            work[k] = 0.0
        for k in range(forces.shape[0]):
            forces[k] = 0.0
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        effort, power = ZERO, 0.0
        if load.acts == ON_LOADS:
            power = closed_feedback(load, t, y, layout, work)
        elif is_wrench(load):
            effort, power = apply_wrench(load, t, layout, work[states:pushes], work[pushes:efforts], work[room:])
        elif not joints:
            continue
        elif layout.motions[load.motion].link >= 0:
            effort, power = joint_load(load, t, y, layout, work)
        else:
            loose = True
            effort, power = loose_load(load, layout, instant)
        if not isfinite(power) and load.address >= 0:
            return CALLBACK if is_sane(y) else NOT_FINITE
        total += power
        if report.shape[0] > 1:
            store3(report, 1 + 4 * k, effort)
            report[4 + 4 * k] = power
    if loose:
        push_bodies(forces, layout, work)
    report[0] = total
    return OK


@helper
def apply_closed_loads(t, y, layout, work, joints, report):
    """The same, with the wrenches on bodies as external wrenches of their links."""
    status = sum_closed_loads(t, y, layout, work, joints, report)
    if status == OK and layout.sizes[N_WRENCHES] > 0:
        collect_wrenches(layout, work)
    return status
