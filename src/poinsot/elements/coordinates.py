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
