"""Loads at joints as efforts of the tree, and what feedbacks see of it."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.quaternions import load4
from poinsot.algebra.vectors import dot, increase3, load3, scale
from poinsot.elements.feedback import F_MOTIONS, TAIL, feed_back, motion_place, see_bodies, tail_of
from poinsot.elements.laws import ball_effort, scalar_effort
from poinsot.formulations.tree.coordinates import ball_to_joint, spin_to_joint, spin_to_link
from poinsot.formulations.tree.work import efforts_block, room_block, states_block
from poinsot.tables.records import BALL, HELICAL, N_Q

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
