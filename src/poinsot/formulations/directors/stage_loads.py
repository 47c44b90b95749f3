"""Loads at the stages of an energy-momentum step, with exact balance of energy.

A potential U of one scalar e acts with (U'(e_i) + k e'_i) grad e at stage i, one number k per load and step chosen so that
h sum b_i (.) e'_i = U(e at the end) - U(e at the start). Dampers, motors and users' forces do the work h sum b_i f_i e'_i,
which is counted.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.director_scalars import ANGLE, SERIAL
from poinsot.elements.laws import JOINT_SPRING, potential_law
from poinsot.elements.wrenches import apply_wrench
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.balls import ball_trace
from poinsot.formulations.absolute.bodies import body_states, pair_rate, pull
from poinsot.formulations.absolute.changes import (
    RESTING,
    angle_change,
    beyond_rounding,
    excess,
    mean_ball_slope,
    product_rates,
)
from poinsot.formulations.absolute.coordinates import value_of
from poinsot.formulations.absolute.loads import is_potential_of_scalar, joint_law, potential_terms, spring_terms
from poinsot.formulations.absolute.welded import take_wrenches
from poinsot.formulations.absolute.work import TERMS_NOTES, TWIST
from poinsot.formulations.directors.stage_frames import add_frame_potential
from poinsot.formulations.directors.stages import NODES, STAGES, WEIGHTS, stage
from poinsot.tables.records import BALL, ON_BODIES, ON_MOTION
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE


@helper
def missing_work(load, method, h, n, y, layout, work, notes):
    """Change of a potential over the step less the work of its plain slopes at the stages, without differences of energies."""
    p = layout.pattern
    s = int(method[STAGES])
    end = work[p[at.END] : p[at.STATES]]
    if load.acts == ON_BODIES:  # the square of a length is quadratic
        k, mean = layout.values[load.value], 0.5 * (spring_terms(load, layout, y)[0] + spring_terms(load, layout, end)[0])
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
        slope = mean_ball_slope(layout.values[load.value], before, after, change)
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
    if load.kind == JOINT_SPRING:
        k = layout.values[load.value]
        for i in range(s):
            value, rate = work[notes + TERMS_NOTES * i], work[notes + TERMS_NOTES * i + 2]
            miss += h * method[WEIGHTS + i] * rate * (mean - value)
        return k * (miss + more * (mean - layout.values[load.value + 1]))
    before, after = potential_law(load, x, layout)[1], potential_law(load, 2.0 * mean - x, layout)[1]
    for i in range(s):
        miss -= h * method[WEIGHTS + i] * work[notes + TERMS_NOTES * i + 1] * work[notes + TERMS_NOTES * i + 2]
    return beyond_rounding(after - before + miss, abs(before) + abs(after))


@helper
def add_potential(k, method, h, n, y, layout, work):
    """Forces of one potential load at all stages, corrected so that they do exactly the work that its energy loses."""
    p = layout.pattern
    s, load = int(method[STAGES]), layout.loads[k]
    notes = p[at.NOTES] + TERMS_NOTES * at.MAX_STAGES * k
    square = 0.0
    for i in range(s):
        poses, twists = stage(n, i, layout, work)
        value, slope, gradient, a, b = potential_terms(load, layout, y, poses)
        rate = pair_rate(gradient, twists, a, b)
        note = notes + TERMS_NOTES * i
        work[note], work[note + 1], work[note + 2] = value, slope, rate
        square += h * method[WEIGHTS + i] * rate * rate
    correction = missing_work(load, method, h, n, y, layout, work, notes) / square if square > RESTING else 0.0
    damping = layout.values[load.value + 1] if load.acts == ON_BODIES else 0.0
    for i in range(s):
        poses, _ = stage(n, i, layout, work)
        _, _, gradient, a, b = potential_terms(load, layout, y, poses)
        slope, rate = work[notes + TERMS_NOTES * i + 1], work[notes + TERMS_NOTES * i + 2]
        at_stage = p[at.STAGE_FORCES] + i * TWIST * n
        pull(work[at_stage : at_stage + TWIST * n], -slope - (correction + damping) * rate, gradient, a, b)
        work[p[at.POWERS] + i] -= damping * rate * rate


@helper
def stage_loads(t, n, y, layout, poses, twists, states, wrenches, forces, room, h):
    """Loads that are no potential, at one stage: status and power. `h`: size of a step of one stage, or zero."""
    total, filled = 0.0, False
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        if load.potential == 0:
            power = 0.0
            if load.acts != ON_MOTION:
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
        if is_potential_of_scalar(layout.loads[k]):
            add_potential(k, method, h, n, y, layout, work)
        elif layout.loads[k].potential == 1:
            add_frame_potential(k, method, h, n, y, layout, work)
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
