"""Constraint rows on two frames: scalars that a joint keeps at zero, at most quadratic in the pair (pa, Aa, pb, Ab).

    COINCIDE  (pb - pa) . u          u fixed in the world; m
    SLIDE     (pb - pa) . (Aa u)     m
    DOT       (Aa u) . (Ab v) - c
    DISTANCE  |pb - pa|^2 - c^2      c the distance in m; m^2

Only value, gradient and second know the kinds. Being quadratic, every row has an exact discrete derivative: between two
pairs its value changes by `along(row_gradient(midpoint), difference)`.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import ZERO33, apply, outer
from poinsot.algebra.vectors import ZERO, dot, negate, scale, sub
from poinsot.elements.frames import along, pair_acceleration, pair_velocity
from poinsot.tables.records import COINCIDE, DOT, SLIDE


@kernel
def row_value(kind, u, v, c, pair):
    """Value of a row."""
    pa, Aa, pb, Ab = pair
    d = sub(pb, pa)
    if kind == COINCIDE:
        return dot(d, u)
    if kind == SLIDE:
        return dot(d, apply(Aa, u))
    if kind == DOT:
        return dot(apply(Aa, u), apply(Ab, v)) - c
    return dot(d, d) - c * c


@kernel
def row_gradient(kind, u, v, pair):
    """Gradient (dpa, dAa, dpb, dAb) of a row."""
    pa, Aa, pb, Ab = pair
    d = sub(pb, pa)
    if kind == COINCIDE:
        return negate(u), ZERO33, u, ZERO33
    if kind == SLIDE:
        axis = apply(Aa, u)
        return negate(axis), outer(d, u), axis, ZERO33
    if kind == DOT:
        return ZERO, outer(apply(Ab, v), u), ZERO, outer(apply(Aa, u), v)
    return scale(-2.0, d), ZERO33, scale(2.0, d), ZERO33


@kernel
def row_second(kind, u, v, velocity):
    """Second derivative of a row along a velocity of the pair: the quadratic form, the same at every pair."""
    pa, Aa, pb, Ab = velocity
    d = sub(pb, pa)
    if kind == COINCIDE:
        return 0.0
    if kind == SLIDE:
        return 2.0 * dot(d, apply(Aa, u))
    if kind == DOT:
        return 2.0 * dot(apply(Aa, u), apply(Ab, v))
    return 2.0 * dot(d, d)


@kernel
def row_bias(kind, u, v, pair, xa, va, wa, xb, vb, wb):
    """Second time derivative of a row while the accelerations of both bodies are zero."""
    velocity = pair_velocity(pair, xa, va, wa, xb, vb, wb)
    acceleration = pair_acceleration(pair, xa, wa, xb, wb)
    return along(row_gradient(kind, u, v, pair), acceleration) + row_second(kind, u, v, velocity)
