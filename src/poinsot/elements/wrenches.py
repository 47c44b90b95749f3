"""Wrenches on bodies: two-point springs, forces, torques, users' forces; and, through `frame_laws.py`, laws between two frames."""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, load33
from poinsot.algebra.quaternions import from_matrix, store4
from poinsot.algebra.vectors import ZERO, dot, increase3, load3, scale, store3, sub, vector
from poinsot.elements.call import call_address
from poinsot.elements.frame_laws import apply_frame_law, frame_potential
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, SPIN, VELOCITY, WRENCH, point_state, push
from poinsot.tables.records import ON_FRAMES, ON_MOTION

SPRING, FORCE, TORQUE, USER = 0, 1, 2, 3
LAWS = {"spring": SPRING, "force": FORCE, "torque": TORQUE, "user force": USER}
POTENTIALS = ("spring",)
USER_ROOM = 19  # scratch of a user's function per body: 13 numbers that it sees, 6 that it gives


@helper
def tension(load, layout, states):
    """State of a spring: direction from the first to the second point, its two arms, elastic and damping part of the
    tension, rate of the distance, distance.
    """
    pa, va, ra = point_state(states, load.first, vector(load.first_point))
    pb, vb, rb = point_state(states, load.second, vector(load.second_point))
    d = sub(pb, pa)
    distance = sqrt(dot(d, d))
    direction = scale(1.0 / distance, d) if distance > 0.0 else ZERO
    rate = dot(direction, sub(vb, va))
    k = load.value
    return (
        direction,
        ra,
        rb,
        layout.values[k] * (distance - layout.values[k + 2]),
        layout.values[k + 1] * rate,
        rate,
        distance,
    )


@helper
def given_vector(load, t, layout, states, room):
    """The vector of a force or torque in world axes."""
    value = load3(layout.values, load.value)
    if load.address >= 0:
        store3(room, 0, ZERO)
        call_address(layout.addresses[load.address], t, room[3:], layout.values[load.value :], room[:3])
        value = load3(room, 0)
    if load.local == 1:
        value = apply(load33(states, load.second * BODY_STATE + ATTITUDE), value)
    return value


@helper
def user_wrenches(load, t, layout, states, wrenches, room):
    """Call a user's function and add its wrenches; returns their power, NaN when the function failed."""
    n = load.items
    x, out = room[: 13 * n], room[13 * n : 19 * n]
    for k in range(n):
        base = layout.members[load.item + k] * BODY_STATE
        store3(x, 13 * k, load3(states, base + ORIGIN))
        store4(x, 13 * k + 3, from_matrix(load33(states, base + ATTITUDE)))
        store3(x, 13 * k + 7, load3(states, base + VELOCITY))
        store3(x, 13 * k + 10, load3(states, base + SPIN))
    for k in range(6 * n):
        out[k] = 0.0
    call_address(layout.addresses[load.address], t, x, layout.values[load.value :], out)
    power = 0.0
    for k in range(n):
        body = layout.members[load.item + k]
        force, moment = load3(out, 6 * k), load3(out, 6 * k + 3)
        increase3(wrenches, body * WRENCH, force)
        increase3(wrenches, body * WRENCH + 3, moment)
        _, velocity, _ = point_state(states, body, vector(layout.bodies[body].com))
        power += dot(force, velocity) + dot(moment, load3(states, body * BODY_STATE + SPIN))
    return power


@helper
def apply_wrench(load, t, layout, states, wrenches, room):
    """Add one load to the wrenches. Returns its effort (three numbers) and its non-conservative power.

    Effort of a spring: (tension, 0, 0); of a force or torque: the vector; of a user's function: zeros. NaN power means
    that a user's function failed.
    """
    if load.acts == ON_FRAMES:
        return apply_frame_law(load, layout, states, wrenches)
    elif load.kind == SPRING:
        direction, ra, rb, elastic, viscous, rate, _ = tension(load, layout, states)
        force = scale(-elastic - viscous, direction)
        push(layout, states, wrenches, load.second, force, rb)
        push(layout, states, wrenches, load.first, scale(-1.0, force), ra)
        return (elastic + viscous, 0.0, 0.0), -viscous * rate
    elif load.kind == USER:  # one branch per kind
        return ZERO, user_wrenches(load, t, layout, states, wrenches, room)
    else:
        value = given_vector(load, t, layout, states, room)
        if load.kind == FORCE:
            _, velocity, arm = point_state(states, load.second, vector(load.second_point))
            push(layout, states, wrenches, load.second, value, arm)
            return value, dot(value, velocity)
        increase3(wrenches, load.second * WRENCH + 3, value)  # TORQUE
        return value, dot(value, load3(states, load.second * BODY_STATE + SPIN))


@helper
def wrench_potential(load, layout, states):
    """Potential energy of a wrench (J); zero where it has none."""
    if load.potential == 0:
        return 0.0
    if load.acts == ON_FRAMES:
        return frame_potential(load, layout, states)
    elastic, distance = tension(load, layout, states)[3], tension(load, layout, states)[6]
    return 0.5 * elastic * (distance - layout.values[load.value + 2])


@kernel
def is_wrench(load):
    """Whether a load acts on bodies rather than on a joint's coordinate."""
    return load.acts != ON_MOTION
