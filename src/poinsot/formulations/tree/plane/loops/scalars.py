"""Scalars of two bodies of a planar tree: those of `elements/director_scalars.py`, with points and directions in the axes of the plane.

A gradient is (force_a, moment_a, force_b, moment_b) on the links of the bodies, moments about their origins. Heights and parts of directions
along the normal are constant; values contain them.
"""

from __future__ import annotations

from math import atan2

from poinsot.algebra.compile import kernel
from poinsot.algebra.plane import (
    across,
    add2,
    add_scaled2,
    cross2,
    dot2,
    load2,
    pair,
    scale2,
    sub2,
    turned,
    unwrap,
)
from poinsot.elements.director_scalars import ANGLE
from poinsot.formulations.tree.plane.work import ACCELERATION, ALPHA, PLACE, PLANE_BLOCK, SPIN, TURN, VELOCITY
from poinsot.tables.records import COINCIDE, DISTANCE, DOT

NOWHERE = (0.0, 0.0)


@kernel
def blocks_of(scalar, layout):
    """First positions of the blocks of both links."""
    bodies = layout.plane_bodies
    return bodies[scalar.first].link * PLANE_BLOCK, bodies[scalar.second].link * PLANE_BLOCK


@kernel
def arms_of(scalar, a, b, work):
    """From the origins of both links to the points."""
    return turned(load2(work, a + TURN), pair(scalar.first_point)), turned(load2(work, b + TURN), pair(scalar.second_point))


@kernel
def between(a, arm_a, b, arm_b, work):
    """From the first point to the second."""
    return sub2(add2(load2(work, b + PLACE), arm_b), add2(load2(work, a + PLACE), arm_a))


@kernel
def approach(a, arm_a, b, arm_b, work):
    """Velocity of the second point relative to the first."""
    second = add2(load2(work, b + VELOCITY), across(work[b + SPIN], arm_b))
    return sub2(second, add2(load2(work, a + VELOCITY), across(work[a + SPIN], arm_a)))


@kernel
def acceleration_of(base, arm, work):
    """Acceleration of a point of a link, with gravity as an acceleration of the ground."""
    w = work[base + SPIN]
    return add_scaled2(add2(load2(work, base + ACCELERATION), across(work[base + ALPHA], arm)), -w * w, arm)


@kernel
def product(first, second, a, b, work):
    """Of two directions, one on each link: their product in the plane, and the part of their cross product along the normal."""
    e, f = turned(load2(work, a + TURN), pair(first)), turned(load2(work, b + TURN), pair(second))
    return dot2(e, f), cross2(e, f)


@kernel
def sine_and_cosine(scalar, a, b, work):
    """Of an ANGLE: sine and cosine products, their gradients, and 1 / (s^2 + c^2)."""
    s, ms = product(scalar.a, scalar.b, a, b, work)
    c, mc = product(scalar.a2, scalar.b2, a, b, work)
    return s, c, ms, mc, 1.0 / (s * s + c * c)


@kernel
def direction_of(scalar, a, d, work):
    """Along what distances count: a direction of the world or of the first body; of a DISTANCE the difference d itself."""
    if scalar.kind == COINCIDE:
        return pair(scalar.a)
    elif scalar.kind == DISTANCE:  # one return per kind
        return d
    else:
        return turned(load2(work, a + TURN), pair(scalar.a))


@kernel
def value_of(scalar, layout, work, old):
    """Value of a scalar; an ANGLE is taken on the branch nearest to `old`."""
    a, b = blocks_of(scalar, layout)
    if scalar.kind == DOT:
        return product(scalar.a, scalar.b, a, b, work)[0] + scalar.a[2] * scalar.b[2] - scalar.c
    if scalar.kind == ANGLE:
        s, c, _, _, _ = sine_and_cosine(scalar, a, b, work)
        return unwrap(atan2(s, c), old)
    arm_a, arm_b = arms_of(scalar, a, b, work)
    d, rise = between(a, arm_a, b, arm_b, work), scalar.second_point[2] - scalar.first_point[2]
    if scalar.kind == DISTANCE:
        return 0.5 * (dot2(d, d) + rise * rise - scalar.c * scalar.c)
    return dot2(direction_of(scalar, a, d, work), d) + scalar.a[2] * rise - scalar.c


@kernel
def gradient_of(scalar, layout, work):
    """Gradient of a scalar."""
    a, b = blocks_of(scalar, layout)
    if scalar.kind == DOT:
        moment = product(scalar.a, scalar.b, a, b, work)[1]
        return NOWHERE, moment, NOWHERE, -moment
    if scalar.kind == ANGLE:
        s, c, ms, mc, k = sine_and_cosine(scalar, a, b, work)
        moment = k * (c * ms - s * mc)
        return NOWHERE, moment, NOWHERE, -moment
    arm_a, arm_b = arms_of(scalar, a, b, work)
    d = between(a, arm_a, b, arm_b, work)
    e = direction_of(scalar, a, d, work)
    held = arm_a if scalar.kind == COINCIDE else add2(arm_a, d)  # a direction of the first body turns with it
    return scale2(-1.0, e), cross2(e, held), e, cross2(arm_b, e)


@kernel
def rate_of(scalar, layout, work):
    """Rate of a scalar."""
    a, b = blocks_of(scalar, layout)
    fa, na, fb, nb = gradient_of(scalar, layout, work)
    rate = dot2(fa, load2(work, a + VELOCITY)) + dot2(fb, load2(work, b + VELOCITY))
    return rate + na * work[a + SPIN] + nb * work[b + SPIN]


@kernel
def second_derivative(scalar, layout, work):
    """Second derivative of a scalar at the accelerations of the links in `work`."""
    a, b = blocks_of(scalar, layout)
    spin, change = work[a + SPIN] - work[b + SPIN], work[a + ALPHA] - work[b + ALPHA]
    if scalar.kind == DOT:
        s, m = product(scalar.a, scalar.b, a, b, work)
        return change * m - spin * spin * s
    if scalar.kind == ANGLE:
        s, c, ms, mc, k = sine_and_cosine(scalar, a, b, work)
        s1, c1 = spin * ms, spin * mc
        s2, c2 = change * ms - spin * spin * s, change * mc - spin * spin * c
        return k * (c * s2 - s * c2 - 2.0 * k * (c * s1 - s * c1) * (c * c1 + s * s1))
    arm_a, arm_b = arms_of(scalar, a, b, work)
    bend = sub2(acceleration_of(b, arm_b, work), acceleration_of(a, arm_a, work))
    if scalar.kind == COINCIDE:
        return dot2(pair(scalar.a), bend)
    d, rate = between(a, arm_a, b, arm_b, work), approach(a, arm_a, b, arm_b, work)
    e = direction_of(scalar, a, d, work)
    if scalar.kind == DISTANCE:
        return dot2(rate, rate) + dot2(d, bend)
    w = work[a + SPIN]
    turning = add_scaled2(across(work[a + ALPHA], e), -w * w, e)
    return dot2(e, bend) + 2.0 * dot2(across(w, e), rate) + dot2(turning, d)
