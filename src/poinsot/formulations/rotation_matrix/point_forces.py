"""Forces on positions and directors, as dumitriu2016 has them: a force f at a point s of a body acts on the directors by the dyad f s'.

A moment m about the centre of mass acts by [m] D / 2. Both turn the body alike; they differ in the stretching of the directors, which
the multipliers of the body resist. The dyad says where the force enters the body, so that these multipliers are its stresses.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import (
    apply,
    apply_transposed,
    hat_times,
    increase33,
    matrix,
    minus,
    outer,
    store33,
    times,
)
from poinsot.algebra.vectors import ZERO, add, cross, dot, increase3, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import POSE, centre, directors
from poinsot.elements.wrenches import FORCE, SPRING
from poinsot.formulations.absolute.coordinates import gradient_of
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.records import ON_BODIES


@kernel
def moment_dyad(D, moment):
    """[m] D / 2."""
    return times(0.5, hat_times(moment, D))


@kernel
def dyad(D, s, force, moment):
    """What a force at the point s (director axes, from the centre of mass) does, with the rest of its moment as a couple."""
    return minus(outer(force, s), moment_dyad(D, sub(cross(apply(D, s), force), moment)))


@kernel
def push_point(y, body, s, force, result):
    """Add what a force at a point does beyond its force and moment: the part that stretches the directors."""
    if body > 0:
        increase33(result, POSE * body + 3, dyad(directors(y, body), s, force, ZERO))


@kernel
def director_point(layout, body, place):
    """A point of the body frame in director axes, from the centre of mass."""
    frame = layout.frames[body]
    return apply_transposed(matrix(frame.axes), sub(place, vector(frame.com)))


@helper
def push_loads(y, layout, forces, report, result):
    """Forces and dyads (POSE numbers per body) of gravity and loads: minus the loads are in `forces`, the effort of each in `report`.

    Two-point springs and forces act at their points; other loads at the centre of mass, with a couple.
    """
    gravity = load3(layout.values, 0)
    for k in range(POSE):
        result[k] = 0.0
    for b in range(1, layout.bodies.shape[0]):
        k = TWIST * b
        store3(result, POSE * b, sub(scale(layout.frames[b].mass, gravity), load3(forces, k)))
        store33(result, POSE * b + 3, moment_dyad(directors(y, b), scale(-1.0, load3(forces, k + 3))))
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        effort = load3(report, 1 + 4 * k)
        if load.acts != ON_BODIES or (load.kind != SPRING and load.kind != FORCE):
            continue
        s = director_point(layout, load.second, vector(load.second_point))
        if load.kind == FORCE:
            push_point(y, load.second, s, effort, result)
            continue
        r = director_point(layout, load.first, vector(load.first_point))
        tail = add(centre(y, load.first), apply(directors(y, load.first), r))
        d = sub(add(centre(y, load.second), apply(directors(y, load.second), s)), tail)
        length = sqrt(dot(d, d))
        if length > 0.0:
            force = scale(effort[0] / length, d)
            push_point(y, load.first, r, force, result)
            push_point(y, load.second, s, scale(-1.0, force), result)


@kernel
def term_sides(term, layout, y):
    """Of a scalar of a row, for its first and second body: force and dyad of a unit multiplier, with the sign of the gradient."""
    fa, ma, fb, mb = gradient_of(term, layout, y, y)
    factor = term.factor
    first = dyad(directors(y, term.first), vector(term.first_point), scale(factor, fa), scale(factor, ma))
    second = dyad(directors(y, term.second), vector(term.second_point), scale(factor, fb), scale(factor, mb))
    return scale(factor, fa), first, scale(factor, fb), second


@helper
def push_rows(y, layout, multipliers, result):
    """Take G' lambda from the forces and dyads."""
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        pull = -multipliers[term.row]
        fa, Pa, fb, Pb = term_sides(term, layout, y)
        increase3(result, POSE * term.first, scale(pull, fa))
        increase33(result, POSE * term.first + 3, times(pull, Pa))
        increase3(result, POSE * term.second, scale(pull, fb))
        increase33(result, POSE * term.second + 3, times(pull, Pb))
