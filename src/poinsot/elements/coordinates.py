"""Coordinates: one scalar of two frames, the pair (pa, Aa, pb, Ab). Directions u, v are given in the frames' own axes.

    DISPLACEMENT           (pb - pa) . (Aa u)                           along a direction of the first frame; m
    HALF_SQUARED_DISTANCE  |pb - pa|^2 / 2                              m^2
    ANGLE                  atan2((Aa v) . (Ab u), (Aa u) . (Ab u))      rad, on the branch nearest to an old value

X, Y and Z are the directions of the first frame's axes. The angle turns u towards v, two perpendicular unit vectors: it
is the turn about n = u x v when Ab = Aa exp(angle n). It still is when the second frame has then turned about its u as
well, which makes it the first angle of a universal joint. The angle is smooth wherever the two products do not vanish
together, whether the frames are orthonormal or not.
"""

from __future__ import annotations

import math

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import ZERO33, apply, outer
from poinsot.algebra.plane import unwrap
from poinsot.algebra.vectors import ZERO, add_scaled, dot, negate, scale, sub
from poinsot.elements.frames import along, pair_acceleration, pair_velocity

DISPLACEMENT, HALF_SQUARED_DISTANCE, ANGLE = 0, 1, 2
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@kernel
def coordinate_value(kind, u, v, old, pair):
    """Value of a coordinate; `old` chooses the branch of an ANGLE and is not read otherwise."""
    pa, Aa, pb, Ab = pair
    d = sub(pb, pa)
    if kind == DISPLACEMENT:
        return dot(d, apply(Aa, u))
    if kind == HALF_SQUARED_DISTANCE:
        return 0.5 * dot(d, d)
    pointer = apply(Ab, u)
    return unwrap(math.atan2(dot(apply(Aa, v), pointer), dot(apply(Aa, u), pointer)), old)


@kernel
def coordinate_gradient(kind, u, v, pair):
    """Gradient (dpa, dAa, dpb, dAb) of a coordinate."""
    pa, Aa, pb, Ab = pair
    d = sub(pb, pa)
    axis = apply(Aa, u)
    if kind == DISPLACEMENT:
        return negate(axis), outer(d, u), axis, ZERO33
    if kind == HALF_SQUARED_DISTANCE:
        return negate(d), ZERO33, d, ZERO33
    side, pointer = apply(Aa, v), apply(Ab, u)
    c, s = dot(axis, pointer), dot(side, pointer)
    k = 1.0 / (c * c + s * s)  # d angle = k (c ds - s dc)
    across = add_scaled(scale(k * c, v), -k * s, u)
    return ZERO, outer(pointer, across), ZERO, outer(apply(Aa, across), u)


@kernel
def coordinate_second(kind, u, v, pair, velocity):
    """Second derivative of a coordinate along a velocity of the pair, at the pair."""
    va, Va, vb, Vb = velocity
    d = sub(vb, va)
    if kind == DISPLACEMENT:
        return 2.0 * dot(d, apply(Va, u))
    if kind == HALF_SQUARED_DISTANCE:
        return dot(d, d)
    pa, Aa, pb, Ab = pair
    axis, side, pointer = apply(Aa, u), apply(Aa, v), apply(Ab, u)
    axis_rate, side_rate, pointer_rate = apply(Va, u), apply(Va, v), apply(Vb, u)
    c, s = dot(axis, pointer), dot(side, pointer)
    c_rate = dot(axis_rate, pointer) + dot(axis, pointer_rate)
    s_rate = dot(side_rate, pointer) + dot(side, pointer_rate)
    bend = 2.0 * (c * dot(side_rate, pointer_rate) - s * dot(axis_rate, pointer_rate))
    k = 1.0 / (c * c + s * s)
    rate = k * (c * s_rate - s * c_rate)
    return k * (bend - 2.0 * rate * (c * c_rate + s * s_rate))


@kernel
def coordinate_bias(kind, u, v, pair, xa, va, wa, xb, vb, wb):
    """Second time derivative of a coordinate while the accelerations of both bodies are zero."""
    velocity = pair_velocity(pair, xa, va, wa, xb, vb, wb)
    acceleration = pair_acceleration(pair, xa, wa, xb, wb)
    return along(coordinate_gradient(kind, u, v, pair), acceleration) + coordinate_second(kind, u, v, pair, velocity)
