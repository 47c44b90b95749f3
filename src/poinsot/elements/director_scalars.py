"""Scalars of two bodies in their directors: constraint rows and coordinates, on the twists of the bodies.

A pose is POSE numbers of an array: centre of mass x (3) and directors D (3x3, columns, row by row). The directors need not
be orthonormal: at the stages of a step they are not. With pA = xA + D_A first_point, e = D_A a, pB and f = D_B b alike,
e2 = D_A a2, f2 = D_B b2:

    COINCIDE  (pB - pA) . a       a fixed in the world
    SLIDE     (pB - pA) . e       also the displacement of a joint
    DOT       e . f - c
    DISTANCE  (|pB - pA|^2 - c^2) / 2
    ANGLE     atan2(e . f, e2 . f2)

A gradient is (force, moment) on both bodies, about their centres of mass: value' = sum of force . v + moment . w, where
D' = w x D. All but ANGLE are quadratic in (x, D), so that their change over a Gauss step is exactly the weighted sum
of their rates at the stages. ANGLE gets there by a correction along the rates of its two products (`angle_moment`).
"""

from __future__ import annotations

from math import atan2

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import apply, load33
from poinsot.algebra.plane import unwrap
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, negate, scale, sub, vector
from poinsot.elements.states import POSE
from poinsot.tables.records import COINCIDE, DISTANCE, DOT, SLIDE

ANGLE = 6
SERIAL = 7  # a coordinate of a joint made of motions in series: `elements/serial.py`; from here on kinds are evaluated by a call


@kernel
def directors(poses, body):
    """D of a body."""
    return load33(poses, POSE * body + 3)


@kernel
def centre(poses, body):
    """x of a body."""
    return load3(poses, POSE * body)


@kernel
def products(scalar, DA, DB):
    """Sine and cosine products of an ANGLE, and the moments e x f and e2 x f2 that are their gradients on the first body."""
    e, f = apply(DA, vector(scalar.a)), apply(DB, vector(scalar.b))
    e2, f2 = apply(DA, vector(scalar.a2)), apply(DB, vector(scalar.b2))
    return dot(e, f), dot(e2, f2), cross(e, f), cross(e2, f2)


@kernel
def scalar_value(scalar, poses, old):
    """Value of a scalar; an ANGLE is taken on the branch nearest to `old`."""
    DA, DB = directors(poses, scalar.first), directors(poses, scalar.second)
    if scalar.kind == DOT:
        return dot(apply(DA, vector(scalar.a)), apply(DB, vector(scalar.b))) - scalar.c
    if scalar.kind == ANGLE:
        s, c, _, _ = products(scalar, DA, DB)
        return unwrap(atan2(s, c), old)
    arm_a, arm_b = apply(DA, vector(scalar.first_point)), apply(DB, vector(scalar.second_point))
    d = sub(add(centre(poses, scalar.second), arm_b), add(centre(poses, scalar.first), arm_a))
    if scalar.kind == DISTANCE:
        return 0.5 * (dot(d, d) - scalar.c * scalar.c)
    a = vector(scalar.a)
    return dot(d, a if scalar.kind == COINCIDE else apply(DA, a)) - scalar.c


@kernel
def angle_moment(scalar, DA, DB, wa, wb, beta):
    """Moment on the first body (the opposite acts on the second) that is the gradient of an ANGLE; with the correction `beta`."""
    s, c, ms, mc = products(scalar, DA, DB)
    k = 1.0 / (s * s + c * c)
    plain = add_scaled(scale(k * c, ms), -k * s, mc)
    spin = sub(wa, wb)
    return add_scaled(add_scaled(plain, beta * dot(ms, spin), ms), beta * dot(mc, spin), mc)


@kernel
def scalar_gradient(scalar, poses, wa, wb, beta):
    """Gradient (force_a, moment_a, force_b, moment_b); angular velocities and beta matter for a corrected ANGLE only."""
    DA, DB = directors(poses, scalar.first), directors(poses, scalar.second)
    if scalar.kind == DOT:
        moment = cross(apply(DA, vector(scalar.a)), apply(DB, vector(scalar.b)))
        return ZERO, moment, ZERO, negate(moment)
    if scalar.kind == ANGLE:
        moment = angle_moment(scalar, DA, DB, wa, wb, beta)
        return ZERO, moment, ZERO, negate(moment)
    arm_a, arm_b = apply(DA, vector(scalar.first_point)), apply(DB, vector(scalar.second_point))
    if scalar.kind == COINCIDE:
        e = vector(scalar.a)
        return negate(e), cross(e, arm_a), e, cross(arm_b, e)
    d = sub(add(centre(poses, scalar.second), arm_b), add(centre(poses, scalar.first), arm_a))
    if scalar.kind == SLIDE:
        e = apply(DA, vector(scalar.a))
        return negate(e), cross(e, add(d, arm_a)), e, cross(arm_b, e)
    return negate(d), cross(d, arm_a), d, cross(arm_b, d)


@kernel
def product_bias(e, f, wa, wb):
    """Product of two body-fixed directions, its rate, and its second derivative while the bodies' accelerations are zero."""
    e_rate, f_rate = cross(wa, e), cross(wb, f)
    bend = dot(cross(wa, e_rate), f) + 2.0 * dot(e_rate, f_rate) + dot(e, cross(wb, f_rate))
    return dot(e, f), dot(e_rate, f) + dot(e, f_rate), bend


@kernel
def scalar_bias(scalar, poses, va, wa, vb, wb):
    """Second derivative of a scalar in time while the accelerations of both bodies (world axes) are zero."""
    DA, DB = directors(poses, scalar.first), directors(poses, scalar.second)
    if scalar.kind == DOT:
        return product_bias(apply(DA, vector(scalar.a)), apply(DB, vector(scalar.b)), wa, wb)[2]
    if scalar.kind == ANGLE:
        s, s1, s2 = product_bias(apply(DA, vector(scalar.a)), apply(DB, vector(scalar.b)), wa, wb)
        c, c1, c2 = product_bias(apply(DA, vector(scalar.a2)), apply(DB, vector(scalar.b2)), wa, wb)
        k = 1.0 / (s * s + c * c)
        return k * (c * s2 - s * c2 - 2.0 * k * (c * s1 - s * c1) * (c * c1 + s * s1))
    arm_a, arm_b = apply(DA, vector(scalar.first_point)), apply(DB, vector(scalar.second_point))
    rate_a, rate_b = cross(wa, arm_a), cross(wb, arm_b)
    bend = sub(cross(wb, rate_b), cross(wa, rate_a))
    if scalar.kind == COINCIDE:
        return dot(vector(scalar.a), bend)
    d = sub(add(centre(poses, scalar.second), arm_b), add(centre(poses, scalar.first), arm_a))
    d_rate = sub(add(vb, rate_b), add(va, rate_a))
    if scalar.kind == SLIDE:
        e = apply(DA, vector(scalar.a))
        e_rate = cross(wa, e)
        return dot(e, bend) + 2.0 * dot(e_rate, d_rate) + dot(cross(wa, e_rate), d)
    return dot(d_rate, d_rate) + dot(d, bend)
