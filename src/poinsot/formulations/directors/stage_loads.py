"""Loads at the stages of an energy-momentum step, with exact balance of energy.

A potential U of one scalar e acts with (U'(e_i) + k e'_i) grad e at stage i, one number k per load and step chosen so that
h sum b_i (.) e'_i = U(e at the end) - U(e at the start). Dampers, motors and users' forces do the work h sum b_i f_i e'_i,
which is counted.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.plane import unwrap
from poinsot.elements.director_scalars import ANGLE, SERIAL
from poinsot.elements.laws import JOINT_SPRING, potential_law
from poinsot.elements.wrenches import apply_wrench
from poinsot.formulations.absolute import places
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
from poinsot.formulations.absolute.loads import (
    Instant,
    feedback,
    is_potential_of_scalar,
    joint_law,
    potential_terms,
    spring_terms,
)
from poinsot.formulations.absolute.welded import take_wrenches
from poinsot.formulations.absolute.work import TERMS_NOTES
from poinsot.formulations.directors.stage_controls import set_controls, settle_controls
from poinsot.formulations.directors.stage_frames import add_frame_potential
from poinsot.formulations.directors.stage_places import EM_NODES, EM_WEIGHTS, forces_of_stage, stage, step_of
from poinsot.tables.records import BALL, N_CONTROL, ON_BODIES, ON_LOADS, ON_MOTION
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE


@helper
def missing_work(load, notes, step, y, layout, work):
    """Change of a potential over the step less the work of its plain slopes at the stages, without differences of energies."""
    at = layout.places[0]
    s, method, h, end = step.stages, step.method, step.h, work[places.end(at)]
    if load.acts == ON_BODIES:  # the square of a length is quadratic
        k, mean = layout.values[load.value], 0.5 * (spring_terms(load, layout, y)[0] + spring_terms(load, layout, end)[0])
        miss = 0.0
        for i in range(s):
            length, rate = notes[TERMS_NOTES * i], notes[TERMS_NOTES * i + 2]
            miss += h * method[EM_WEIGHTS + i] * rate * (mean - length)
        return k * layout.values[load.value + 2] * miss / mean if mean > 0.0 else 0.0
    motion = layout.motions[load.motion]
    joint = layout.joints[motion.joint]
    change = 0.0
    for i in range(s):
        change += h * method[EM_WEIGHTS + i] * notes[TERMS_NOTES * i + 2]
    miss = 0.0
    if motion.kind == BALL:
        before, after = ball_trace(load, joint, layout, y)[0], ball_trace(load, joint, layout, end)[0]
        slope = mean_ball_slope(layout.values[load.value], before, after, change)
        for i in range(s):
            rate = notes[TERMS_NOTES * i + 2]
            miss += h * method[EM_WEIGHTS + i] * rate * (slope - notes[TERMS_NOTES * i + 1])
        return miss
    scalar = layout.coordinates[motion.ir]
    x = value_of(scalar, layout, y, y, 0.0)
    mean, more = x + 0.5 * change, 0.0
    if scalar.kind == ANGLE:
        ds, dc = 0.0, 0.0
        for i in range(s):
            poses, twists = stage(at, work, i)
            _, _, s_rate, c_rate = product_rates(scalar, poses, twists)
            ds += h * method[EM_WEIGHTS + i] * s_rate
            dc += h * method[EM_WEIGHTS + i] * c_rate
        turn = unwrap(angle_change(scalar, y, ds, dc), change)
        mean, more = x + 0.5 * turn, turn - change
    elif scalar.kind == SERIAL:
        more = excess(x, value_of(scalar, layout, y, end, 0.0), change)
        mean = x + 0.5 * (change + more)
    if load.kind == JOINT_SPRING:
        k = layout.values[load.value]
        for i in range(s):
            value, rate = notes[TERMS_NOTES * i], notes[TERMS_NOTES * i + 2]
            miss += h * method[EM_WEIGHTS + i] * rate * (mean - value)
        return k * (miss + more * (mean - layout.values[load.value + 1]))
    before, after = potential_law(load, x, layout)[1], potential_law(load, 2.0 * mean - x, layout)[1]
    for i in range(s):
        miss -= h * method[EM_WEIGHTS + i] * notes[TERMS_NOTES * i + 1] * notes[TERMS_NOTES * i + 2]
    return beyond_rounding(after - before + miss, abs(before) + abs(after))


@helper
def add_potential(k, step, y, layout, work):
    """Forces of one potential load at all stages, corrected so that they do exactly the work that its energy loses."""
    at = layout.places[0]
    s, method, h, load = step.stages, step.method, step.h, layout.loads[k]
    notes, powers = work[places.load_notes(at, k)], work[places.powers(at)]
    square = 0.0
    for i in range(s):
        poses, twists = stage(at, work, i)
        value, slope, gradient, a, b = potential_terms(load, layout, y, poses)
        rate = pair_rate(gradient, twists, a, b)
        note = TERMS_NOTES * i
        notes[note], notes[note + 1], notes[note + 2] = value, slope, rate
        square += h * method[EM_WEIGHTS + i] * rate * rate
    correction = missing_work(load, notes, step, y, layout, work) / square if square > RESTING else 0.0
    damping = layout.values[load.value + 1] if load.acts == ON_BODIES else 0.0
    for i in range(s):
        poses, _ = stage(at, work, i)
        _, _, gradient, a, b = potential_terms(load, layout, y, poses)
        slope, rate = notes[TERMS_NOTES * i + 1], notes[TERMS_NOTES * i + 2]
        pull(work[forces_of_stage(at, i)], -slope - (correction + damping) * rate, gradient, a, b)
        powers[i] -= damping * rate * rate


@helper
def stage_loads(instant, layout, work, h):
    """Non-conservative loads at one stage: status and power. `h`: size of a step of one stage, or zero."""
    at = layout.places[0]
    t, _, poses, twists, forces, room = instant
    states, wrenches = work[places.states(at)], work[places.wrenches(at)]
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
                if load.acts == ON_LOADS:
                    power = feedback(load, layout, instant, states, h)
                else:
                    _, power = apply_wrench(load, t, layout, states, wrenches, room)
            else:
                _, power = joint_law(load, layout, instant, h)
            if not isfinite(power) and load.address >= 0:
                return CALLBACK, 0.0
            total += power
    if filled:
        take_wrenches(layout, poses, wrenches, forces)
    return OK, total


@compiled(RATE_SIGNATURE)
def add_loads(t, y, layout, work, method):
    """Take all loads from the stage forces of a step; the power of non-conservative ones goes to `powers`.

    Steps call it as a value, of the type RATE, so that it is compiled apart from them, and only for models with loads.
    """
    at = layout.places[0]
    step = step_of(t, work[at.step_size], method, at)
    s, h, powers = step.stages, step.h, work[places.powers(at)]
    for i in range(s):
        powers[i] = 0.0
    for k in range(layout.loads.shape[0]):
        if is_potential_of_scalar(layout.loads[k]):
            add_potential(k, step, y, layout, work)
        elif layout.loads[k].potential == 1:
            add_frame_potential(k, step, y, layout, work)
    if layout.sizes[N_CONTROL] > 0:
        status = settle_controls(step, y, layout, work)
        if status != OK:
            return status
    for i in range(s):
        poses, twists = stage(at, work, i)
        set_controls(i, step, y, layout)
        forces, room = work[forces_of_stage(at, i)], work[places.room(at)]
        instant = Instant(t + method[EM_NODES + i] * h, y, poses, twists, forces, room)
        status, power = stage_loads(instant, layout, work, h if s == 1 else 0.0)
        if status != OK:
            return status
        powers[i] += power
    return OK
