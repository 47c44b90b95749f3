"""Loads on bodies in absolute coordinates: scalars of potential loads with their energy and slope, and the laws at joints."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.vectors import ZERO, add, cross, dot, increase3, load3, scale, sub, vector
from poinsot.elements.director_scalars import ANGLE, POSE, SERIAL
from poinsot.elements.feedback import F_MOTIONS, TAIL, feed_back, motion_place, see_bodies, tail_of
from poinsot.elements.laws import potential_law, scalar_effort
from poinsot.formulations.absolute.balls import ball_law, ball_slope, ball_trace
from poinsot.formulations.absolute.bodies import pair_rate, point, pull
from poinsot.formulations.absolute.changes import one_stage_correction
from poinsot.formulations.absolute.coordinates import corrected_gradient, gradient_of, value_of
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.records import BALL, HELICAL, ON_BODIES, ON_FRAMES


class Instant(NamedTuple):
    """Where loads are evaluated: time, a state y nearby, poses and twists, forces on bodies that loads are taken from, room for users' functions."""

    t: Any
    y: Any
    poses: Any
    twists: Any
    forces: Any
    room: Any


@kernel
def spring_terms(load, layout, poses):
    """Length of a two-point spring and its gradient."""
    arm_a, arm_b = (
        point(layout, poses, load.first, vector(load.first_point)),
        point(layout, poses, load.second, vector(load.second_point)),
    )
    d = sub(
        add(load3(poses, POSE * load.second), arm_b),
        add(load3(poses, POSE * load.first), arm_a),
    )
    length = sqrt(dot(d, d))
    e = scale(1.0 / length, d) if length > 0.0 else ZERO
    return length, (scale(-1.0, e), cross(e, arm_a), e, cross(arm_b, e))


@helper
def potential_terms(load, layout, y, poses):
    """Of a potential U of one scalar e: e, its slope dU/de, its gradient, and the two bodies, at poses near the state y."""
    if load.acts == ON_BODIES:
        k, rest = layout.values[load.value], layout.values[load.value + 2]
        length, gradient = spring_terms(load, layout, poses)
        stretch = length - rest
        return length, k * stretch, gradient, load.first, load.second
    motion = layout.motions[load.motion]
    joint = layout.joints[motion.joint]
    if motion.kind == BALL:
        k = layout.values[load.value]
        trace, m = ball_trace(load, joint, layout, poses)
        return (
            trace,
            ball_slope(k, trace),
            (ZERO, m, ZERO, scale(-1.0, m)),
            joint.first,
            joint.second,
        )
    scalar = layout.coordinates[motion.ir]
    x, gradient = value_of(scalar, layout, y, poses, 0.0), gradient_of(scalar, layout, y, poses)
    return x, potential_law(load, x, layout)[0], gradient, joint.first, joint.second


@helper
def rate_gradient(scalar, layout, y, poses, twists, h):
    """Gradient of a coordinate; in a step of one stage, of size h > 0, the one with which an effort works on the change of an angle."""
    beta = one_stage_correction(scalar, y, poses, twists, h) if h > 0.0 and scalar.kind == ANGLE else 0.0
    return corrected_gradient(scalar, layout, y, poses, twists, beta)


@helper
def joint_law(load, layout, instant, h):
    """Add one non-conservative load at a joint; returns its effort (3) and power. `h`: size of a step of one stage, or zero."""
    t, y, poses, twists, forces, room = instant
    motion = layout.motions[load.motion]
    joint = layout.joints[motion.joint]
    if motion.kind == HELICAL:
        scalar = layout.coordinates[motion.ir]
        x = value_of(scalar, layout, y, poses, 0.0)
        gradient = rate_gradient(scalar, layout, y, poses, twists, h)
        effort, power = scalar_effort(load, t, x, pair_rate(gradient, twists, joint.first, joint.second), layout, room)
        pull(forces, effort, gradient, joint.first, joint.second)
        return (effort, 0.0, 0.0), power
    elif motion.kind == BALL and layout.coordinates[motion.ir].kind != SERIAL:  # one branch per kind
        own, moment, power = ball_law(load, joint, layout, poses, twists)
        increase3(forces, TWIST * joint.first + 3, moment)
        increase3(forces, TWIST * joint.second + 3, scale(-1.0, moment))
        return own, power
    else:  # only dampers act on a translation, or on a ball among other motions
        effort, total = ZERO, 0.0
        c = layout.values[load.value]
        for k in range(3):
            gradient = gradient_of(layout.coordinates[motion.ir + k], layout, y, poses)
            rate = pair_rate(gradient, twists, joint.first, joint.second)
            pull(forces, -c * rate, gradient, joint.first, joint.second)
            effort = (
                -c * rate if k == 0 else effort[0],
                -c * rate if k == 1 else effort[1],
                -c * rate if k == 2 else effort[2],
            )
            total -= c * rate * rate
        return effort, total


@helper
def feedback(load, layout, instant, states, h):
    """Call a feedback; its inputs, which follow among the loads, take its efforts. Returns 0, or NaN when its law failed.

    `h`: size of a step of one stage, or zero.
    """
    t, y, poses, twists, _, raw = instant
    tail = tail_of(load)
    see_bodies(load, layout, states, raw)
    for k in range(layout.members[tail + F_MOTIONS]):
        motion = layout.motions[layout.members[tail + TAIL + k]]
        joint, scalar, place = layout.joints[motion.joint], layout.coordinates[motion.ir], motion_place(load, k)
        raw[place] = value_of(scalar, layout, y, poses, 0.0)
        raw[place + 1] = pair_rate(rate_gradient(scalar, layout, y, poses, twists, h), twists, joint.first, joint.second)
    return feed_back(load, t, layout, raw)


@kernel
def is_potential_of_scalar(load):
    """Whether the load has an energy of its own, of one scalar, that the step must balance."""
    return load.potential == 1 and load.acts != ON_FRAMES
