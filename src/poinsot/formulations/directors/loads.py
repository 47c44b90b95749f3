"""Loads at the stages of an energy-momentum step, with exact balance of energy.

A potential U of one scalar e acts with (U'(e_i) + k e'_i) grad e at stage i, one number k per load and step chosen so that
h sum b_i (.) e'_i = U(e at the end) - U(e at the start). Dampers, motors and users' forces do the work h sum b_i f_i e'_i,
which is counted.
"""

from __future__ import annotations

from math import isfinite, sqrt

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.vectors import ZERO, add, cross, dot, increase3, load3, scale, sub, vector
from poinsot.elements.director_scalars import ANGLE, POSE, SERIAL
from poinsot.elements.laws import scalar_effort
from poinsot.elements.wrenches import apply_wrench
from poinsot.formulations.directors import work as at
from poinsot.formulations.directors.balls import ball_law, ball_potential, ball_slope, ball_trace
from poinsot.formulations.directors.bodies import body_states, pair_rate, point, pull
from poinsot.formulations.directors.changes import (
    RESTING,
    angle_change,
    excess,
    mean_ball_slope,
    one_stage_correction,
    product_rates,
)
from poinsot.formulations.directors.coordinates import corrected_gradient, gradient_of, value_of
from poinsot.formulations.directors.stages import NODES, STAGES, WEIGHTS, stage
from poinsot.formulations.directors.welded import take_wrenches
from poinsot.formulations.directors.work import TERMS_NOTES, TWIST
from poinsot.tables.records import BALL, HELICAL, JOINT_SPRING, SPRING
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE


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
    """Scalar of a potential load, its energy, its slope dU/de, its gradient, and the two bodies, at poses near the state y."""
    if load.kind == SPRING:
        k, rest = layout.values[load.value], layout.values[load.value + 2]
        length, gradient = spring_terms(load, layout, poses)
        stretch = length - rest
        return length, 0.5 * k * stretch * stretch, k * stretch, gradient, load.first, load.second
    motion = layout.motions[load.motion]
    joint = layout.joints[motion.joint]
    k = layout.values[load.value]
    if motion.kind == BALL:
        trace, m = ball_trace(load, joint, layout, poses)
        return (
            trace,
            ball_potential(k, trace),
            ball_slope(k, trace),
            (ZERO, m, ZERO, scale(-1.0, m)),
            joint.first,
            joint.second,
        )
    scalar = layout.coordinates[motion.ir]
    x = value_of(scalar, layout, y, poses, 0.0)
    stretch = x - layout.values[load.value + 1]
    gradient = gradient_of(scalar, layout, y, poses)
    return x, 0.5 * k * stretch * stretch, k * stretch, gradient, joint.first, joint.second


@helper
def missing_work(load, method, h, n, y, layout, work, notes):
    """Change of a potential over the step less the work of its plain slopes at the stages, without differences of energies."""
    p = layout.pattern
    s, k = int(method[STAGES]), layout.values[load.value]
    end = work[p[at.END] : p[at.STATES]]
    if load.kind == SPRING:  # the square of a length is quadratic
        mean = 0.5 * (spring_terms(load, layout, y)[0] + spring_terms(load, layout, end)[0])
        miss = 0.0
        for i in range(s):
            length, rate = work[notes + TERMS_NOTES * i], work[notes + TERMS_NOTES * i + 2]
            miss += h * method[WEIGHTS + i] * rate * (mean - length)
        return k * layout.values[load.value + 2] * miss / mean if mean > 0.0 else 0.0
    motion = layout.motions[load.motion]
    joint = layout.joints[motion.joint]
    change = 0.0
    for i in range(s):
        change += h * method[WEIGHTS + i] * work[notes + TERMS_NOTES * i + 2]
    miss = 0.0
    if motion.kind == BALL:
        before, after = ball_trace(load, joint, layout, y)[0], ball_trace(load, joint, layout, end)[0]
        slope = mean_ball_slope(k, before, after, change)
        for i in range(s):
            rate = work[notes + TERMS_NOTES * i + 2]
            miss += h * method[WEIGHTS + i] * rate * (slope - work[notes + TERMS_NOTES * i + 1])
        return miss
    scalar = layout.coordinates[motion.ir]
    x = value_of(scalar, layout, y, y, 0.0)
    mean, more = x + 0.5 * change, 0.0
    if scalar.kind == ANGLE:
        ds, dc = 0.0, 0.0
        for i in range(s):
            poses, twists = stage(n, i, layout, work)
            _, _, s_rate, c_rate = product_rates(scalar, poses, twists)
            ds += h * method[WEIGHTS + i] * s_rate
            dc += h * method[WEIGHTS + i] * c_rate
        turn = angle_change(scalar, y, ds, dc)
        mean, more = x + 0.5 * turn, turn - change
    elif scalar.kind == SERIAL:
        more = excess(x, value_of(scalar, layout, y, end, 0.0), change)
        mean = x + 0.5 * (change + more)
    for i in range(s):
        value, rate = work[notes + TERMS_NOTES * i], work[notes + TERMS_NOTES * i + 2]
        miss += h * method[WEIGHTS + i] * rate * (mean - value)
    return k * (miss + more * (mean - layout.values[load.value + 1]))


@helper
def add_potential(k, method, h, n, y, layout, work):
    """Forces of one potential load at all stages, corrected so that they do exactly the work that its energy loses."""
    p = layout.pattern
    s, load = int(method[STAGES]), layout.loads[k]
    notes = p[at.NOTES] + TERMS_NOTES * at.MAX_STAGES * k
    square = 0.0
    for i in range(s):
        poses, twists = stage(n, i, layout, work)
        value, _, slope, gradient, a, b = potential_terms(load, layout, y, poses)
        rate = pair_rate(gradient, twists, a, b)
        note = notes + TERMS_NOTES * i
        work[note], work[note + 1], work[note + 2] = value, slope, rate
        square += h * method[WEIGHTS + i] * rate * rate
    correction = missing_work(load, method, h, n, y, layout, work, notes) / square if square > RESTING else 0.0
    damping = layout.values[load.value + 1] if load.kind == SPRING else 0.0
    for i in range(s):
        poses, _ = stage(n, i, layout, work)
        _, _, _, gradient, a, b = potential_terms(load, layout, y, poses)
        slope, rate = work[notes + TERMS_NOTES * i + 1], work[notes + TERMS_NOTES * i + 2]
        at_stage = p[at.STAGE_FORCES] + i * TWIST * n
        pull(work[at_stage : at_stage + TWIST * n], -slope - (correction + damping) * rate, gradient, a, b)
        work[p[at.POWERS] + i] -= damping * rate * rate


@helper
def joint_law(load, t, y, layout, poses, twists, forces, room, h):
    """Add one load at a joint that is no potential; returns its effort (3) and power. `h`: size of a step of one stage, or zero."""
    motion = layout.motions[load.motion]
    joint = layout.joints[motion.joint]
    if motion.kind == HELICAL:
        scalar = layout.coordinates[motion.ir]
        x = value_of(scalar, layout, y, poses, 0.0)
        beta = one_stage_correction(scalar, y, poses, twists, h) if h > 0.0 and scalar.kind == ANGLE else 0.0
        gradient = corrected_gradient(scalar, layout, y, poses, twists, beta)
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


@kernel
def is_potential(load):
    """Whether the load has an energy of its own that the step must balance."""
    return load.kind == JOINT_SPRING or load.kind == SPRING


@helper
def stage_loads(t, n, y, layout, poses, twists, states, wrenches, forces, room, h):
    """Loads that are no potential, at one stage: status and power. `h`: size of a step of one stage, or zero."""
    total, filled = 0.0, False
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        if not is_potential(load):
            power = 0.0
            if load.kind > SPRING:
                if not filled:
                    body_states(layout, poses, twists, states)
                    for m in range(wrenches.shape[0]):
                        wrenches[m] = 0.0
                    filled = True
                _, power = apply_wrench(load, t, layout, states, wrenches, room)
            else:
                _, power = joint_law(load, t, y, layout, poses, twists, forces, room, h)
            if not isfinite(power) and load.address >= 0:
                return CALLBACK, 0.0
            total += power
    if filled:
        take_wrenches(layout, poses, wrenches, forces)
    return OK, total


@compiled(RATE_SIGNATURE)
def add_loads(t, y, layout, work, method):
    """Take all loads from the stage forces of a step of size work[SIZE]; powers of what is no potential go to work[POWERS].

    Steps call it as a value, of the type RATE, so that it is compiled apart from them, and only for models with loads.
    """
    p = layout.pattern
    s, n, h = int(method[STAGES]), layout.bodies.shape[0], work[p[at.SIZE]]
    for i in range(s):
        work[p[at.POWERS] + i] = 0.0
    for k in range(layout.loads.shape[0]):
        if is_potential(layout.loads[k]):
            add_potential(k, method, h, n, y, layout, work)
    states, wrenches = work[p[at.STATES] : p[at.WRENCHES]], work[p[at.WRENCHES] : p[at.NOTES]]
    for i in range(s):
        poses, twists = stage(n, i, layout, work)
        forces = work[p[at.STAGE_FORCES] + i * TWIST * n :]
        when = t + method[NODES + i] * h
        status, power = stage_loads(
            when, n, y, layout, poses, twists, states, wrenches, forces, work[p[at.ROOM] :], h if s == 1 else 0.0
        )
        if status != OK:
            return status
        work[p[at.POWERS] + i] += power
    return OK
