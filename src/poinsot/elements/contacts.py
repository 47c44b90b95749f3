"""Contacts and other constraints on velocities, as scalars of two bodies on their directors.

A description in `layout.values` is DESCRIPTION numbers: first and second body, then, in their director axes from their centres of mass, a
point p_A, a point p_B, directions n and t of the first body, a direction f of the second, and a radius r. With unit vectors n, t, f in the
world, k = n . f, and the point of a disc (centre p_B, axis f) or, where f is zero, of a sphere that is farthest along -n,

    P = p_B - r (n - k f) / |n - k f|:

    TOUCH  (p_B - p_A) . n - r |n - k f|        height of P over the plane through p_A: a constraint on positions
    SLIP   t . (velocity of P as a point of the second body - as one of the first)
    EDGE   f . (velocity of p_B as a point of the second body - as one of the first)
    STILL   n . (angular velocity of the second body - of the first)

The last three are constraints on velocities: they have a rate and no value.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, load33
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, negate, scale, store3, sub
from poinsot.elements.serial import GRADIENT, SECOND_DERIVATIVE, TWISTS, VALUES
from poinsot.elements.states import POSE
from poinsot.tables.records import EDGE, SLIP, TOUCH

DESCRIPTION = 18  # of a description
POINT_A, POINT_B, NORMAL, TANGENT, DISC, RADIUS = 2, 5, 8, 11, 14, 17


@kernel
def unit(v):
    """v / |v|; zero stays zero."""
    size = sqrt(dot(v, v))
    return scale(1.0 / size, v) if size > 0.0 else ZERO


@kernel
def store_gradient(out, fa, ma, fb, mb):
    """Write a gradient."""
    store3(out, GRADIENT, fa)
    store3(out, GRADIENT + 3, ma)
    store3(out, GRADIENT + 6, fb)
    store3(out, GRADIENT + 9, mb)


@helper
def contact_solution(kind, poses, data, out):
    """Value, gradient (force_a, moment_a, force_b, moment_b) and second derivative at zero accelerations, with the twists in `out`."""
    a, b = int(data[0]), int(data[1])
    DA, DB = load33(poses, POSE * a + 3), load33(poses, POSE * b + 3)
    n, t, f = unit(apply(DA, load3(data, NORMAL))), unit(apply(DA, load3(data, TANGENT))), unit(apply(DB, load3(data, DISC)))
    arm_a, arm_b, r = apply(DA, load3(data, POINT_A)), apply(DB, load3(data, POINT_B)), data[RADIUS]
    va, wa, vb, wb = load3(out, TWISTS), load3(out, TWISTS + 3), load3(out, TWISTS + 6), load3(out, TWISTS + 9)
    between = sub(load3(poses, POSE * b), load3(poses, POSE * a))  # of the centres of mass
    n_rate, f_rate = cross(wa, n), cross(wb, f)
    k, k_rate = dot(n, f), dot(n_rate, f) + dot(n, f_rate)
    m = add_scaled(n, -k, f)
    s = sqrt(dot(m, m))
    out[VALUES] = 0.0
    if kind == TOUCH:
        d = sub(add(between, arm_b), arm_a)
        d_rate = sub(add(vb, cross(wb, arm_b)), add(va, cross(wa, arm_a)))
        bend = sub(cross(wb, cross(wb, arm_b)), cross(wa, cross(wa, arm_a)))
        tilt = cross(n, f)
        store_gradient(
            out,
            negate(n),
            add_scaled(cross(n, add(d, arm_a)), r * k / s, tilt),
            n,
            add_scaled(cross(arm_b, n), -r * k / s, tilt),
        )
        k_bend = dot(cross(wa, n_rate), f) + 2.0 * dot(n_rate, f_rate) + dot(n, cross(wb, f_rate))
        lean = (k_rate * k_rate + k * k_bend) / s + k * k * k_rate * k_rate / (s * s * s)
        out[VALUES] = dot(d, n) - r * s
        out[SECOND_DERIVATIVE] = dot(n, bend) + 2.0 * dot(n_rate, d_rate) + dot(cross(wa, n_rate), d) + r * lean
    elif kind in (SLIP, EDGE):
        e, e_rate, down, down_rate = f, f_rate, ZERO, ZERO
        if kind == SLIP:
            m_rate = add_scaled(add_scaled(n_rate, -k_rate, f), -k, f_rate)
            e, e_rate, down = t, cross(wa, t), scale(-r / s, m)
            down_rate = add_scaled(scale(-r / s, m_rate), -r * k * k_rate / (s * s * s), m)
        rb = add(arm_b, down)
        ra = add(between, rb)
        rb_rate = add(cross(wb, arm_b), down_rate)
        ra_rate = sub(add(vb, rb_rate), va)
        sliding = sub(add(vb, cross(wb, rb)), add(va, cross(wa, ra)))
        store_gradient(out, negate(e), cross(e, ra), e, cross(rb, e))
        out[SECOND_DERIVATIVE] = dot(e_rate, sliding) + dot(e, sub(cross(wb, rb_rate), cross(wa, ra_rate)))
    else:
        store_gradient(out, ZERO, negate(n), ZERO, n)
        out[SECOND_DERIVATIVE] = dot(n_rate, sub(wb, wa))
