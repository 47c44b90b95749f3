"""Constraint rows on two frames: scalars that a joint keeps at zero, at most quadratic in the pair (pa, Aa, pb, Ab).

    COINCIDE  (pb - pa) . u          u fixed in the world; m
    SLIDE     (pb - pa) . (Aa u)     m
    DOT       (Aa u) . (Ab v) - c
    DISTANCE  |pb - pa|^2 - c^2      c the distance in m; m^2

Only value and gradient know the kinds. Being quadratic, every row has an exact discrete derivative: between two
pairs its value changes by its gradient at the midpoint times their difference.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import ZERO33, apply, outer
from poinsot.algebra.vectors import ZERO, dot, negate, scale, sub
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
