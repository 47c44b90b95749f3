"""All loads of the model as joint efforts and external wrenches of the tree."""

from __future__ import annotations

from math import isfinite

from numba import float64, int64

from poinsot.algebra.compile import helper, internal
from poinsot.algebra.quaternions import load4
from poinsot.algebra.vectors import ZERO, dot, increase3, load3, scale, store3
from poinsot.elements.feedback import F_MOTIONS, TAIL, controls_in, feed_back, motion_place, see_bodies, tail_of
from poinsot.elements.laws import ball_effort, scalar_effort
from poinsot.elements.wrenches import apply_wrench, is_wrench
from poinsot.formulations.tree.coordinates import ball_to_joint, spin_to_joint, spin_to_link
from poinsot.formulations.tree.motion import loads_place
from poinsot.formulations.tree.work import efforts_block, room_block, states_block, wrenches_block
from poinsot.formulations.tree.world import body_state, collect_wrenches, link_states, world_states
from poinsot.tables.records import BALL, HELICAL, N_Q, N_V, N_WRENCHES, ON_LOADS
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, NOT_FINITE, OK

HUGE = 1e100


@helper
def joint_load(load, t, y, layout, work):
    """Add one joint load to the efforts; returns its effort in joint coordinates and its non-conservative power."""
    motion = layout.motions[load.motion]
    link = layout.links[motion.link]
    iq, iv, k = link.iq, layout.sizes[N_Q] + link.iv, efforts_block(layout) + link.iv
    if motion.kind == HELICAL:
        effort, power = scalar_effort(
            load, t, motion.sign * y[iq], motion.sign * y[iv], layout, work[room_block(layout) :]
        )
        work[k] += motion.sign * effort
        return (effort, 0.0, 0.0), power
    elif motion.kind == BALL:  # one branch per kind
        q = load4(y, iq)
        moment, power = ball_effort(load, ball_to_joint(motion, q), spin_to_joint(motion, q, load3(y, iv)), layout)
        increase3(work, k, spin_to_link(motion, q, moment))
        return moment, power
    else:  # only dampers act on a translation
        c, rate = layout.values[load.value], load3(y, iv)
        effort = scale(-c, rate)
        increase3(work, k, effort)
        return scale(motion.sign, effort), -c * dot(rate, rate)


@helper
def feedback(load, t, y, layout, work):
    """Call a feedback; its inputs, which follow among the loads, take its efforts. Returns 0, or NaN when its law failed."""
    tail, raw = tail_of(load), work[room_block(layout) :]
    if layout.sizes[N_WRENCHES] == 0:
        for k in range(load.items):
            body_state(layout.members[load.item + k], layout, work)
    see_bodies(load, layout, work[states_block(layout) :], raw)
    for k in range(layout.members[tail + F_MOTIONS]):
        motion = layout.motions[layout.members[tail + TAIL + k]]
        link, place = layout.links[motion.link], motion_place(load, k)
        raw[place] = motion.sign * y[link.iq]
        raw[place + 1] = motion.sign * y[layout.sizes[N_Q] + link.iv]
    return feed_back(load, t, layout, raw)


@helper
def is_sane(y):
    """Whether a failure at this state can be attributed to a user's function: the state is finite and not diverging."""
    sane = True
    for k in range(y.shape[0]):
        sane &= abs(y[k]) < HUGE
    return sane


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def apply_loads(t, y, layout, work, report):
    """Efforts and external wrenches of all loads, written to `work`; report[0] becomes the power of non-conservative loads (W).

    When `report` is longer, report[1 + 4 k : 5 + 4 k] becomes effort (3) and power of load k.
    """
    efforts = efforts_block(layout)
    for k in range(layout.sizes[N_V]):
        work[efforts + k] = 0.0
    total = 0.0
    n = layout.loads.shape[0]
    wrenches = layout.sizes[N_WRENCHES] > 0
    states, pushes, room = states_block(layout), wrenches_block(layout), room_block(layout)
    controls_in(y, layout)
    if wrenches:
        world_states(y, layout, work)
        for k in range(pushes, efforts):
            work[k] = 0.0
    elif loads_place(layout):
        link_states(y, layout, work)
    for k in range(n):
        load = layout.loads[k]
        effort, power = ZERO, 0.0
        if load.acts == ON_LOADS:
            power = feedback(load, t, y, layout, work)
        elif is_wrench(load):
            effort, power = apply_wrench(load, t, layout, work[states:pushes], work[pushes:efforts], work[room:])
        else:
            effort, power = joint_load(load, t, y, layout, work)
        if not isfinite(power) and load.address >= 0:
            return CALLBACK if is_sane(y) else NOT_FINITE
        total += power
        if report.shape[0] > 1:
            store3(report, 1 + 4 * k, effort)
            report[4 + 4 * k] = power
    if wrenches:
        collect_wrenches(layout, work)
    report[0] = total
    return OK
