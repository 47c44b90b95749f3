"""Scales of rows, to tell whether they are independent: those of `formulations/tree/loops/scales.py`, so that rows are judged as there."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.plane import load2
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, negate, scale, sub, vector
from poinsot.elements.director_scalars import ANGLE
from poinsot.formulations.absolute import places
from poinsot.formulations.tree.loops.scales import mobility
from poinsot.formulations.tree.plane.work import PLACE, PLANE_BLOCK, TURN
from poinsot.tables.records import COINCIDE, DISTANCE, DOT


@kernel
def turned3(base, v, work):
    """A vector of a link, with its part along the normal, in axes that do not turn."""
    c, s = load2(work, base + TURN)
    return (c * v[0] - s * v[1], s * v[0] + c * v[1], v[2])


@kernel
def gradient_in_space(scalar, layout, work):
    """Gradient of a scalar on both bodies, in axes of the plane, moments about the centres of mass."""
    first, second = layout.plane_bodies[scalar.first], layout.plane_bodies[scalar.second]
    a, b = first.link * PLANE_BLOCK, second.link * PLANE_BLOCK
    e, f = turned3(a, vector(scalar.a), work), turned3(b, vector(scalar.b), work)
    if scalar.kind == DOT:
        moment = cross(e, f)
        return ZERO, moment, ZERO, negate(moment)
    if scalar.kind == ANGLE:
        e2, f2 = turned3(a, vector(scalar.a2), work), turned3(b, vector(scalar.b2), work)
        s, c = dot(e, f), dot(e2, f2)
        moment = scale(1.0 / (s * s + c * c), add_scaled(scale(c, cross(e, f)), -s, cross(e2, f2)))
        return ZERO, moment, ZERO, negate(moment)
    (xa, ya), (xb, yb) = load2(work, a + PLACE), load2(work, b + PLACE)
    point_a, point_b = turned3(a, vector(scalar.first_point), work), turned3(b, vector(scalar.second_point), work)
    d = add(sub(point_b, point_a), (xb - xa, yb - ya, 0.0))
    arm_a, arm_b = sub(point_a, turned3(a, vector(first.com), work)), sub(point_b, turned3(b, vector(second.com), work))
    e = vector(scalar.a) if scalar.kind == COINCIDE else d if scalar.kind == DISTANCE else e
    held = arm_a if scalar.kind == COINCIDE else add(arm_a, d)
    return negate(e), cross(e, held), e, cross(arm_b, e)


@helper
def raise_diagonal(layout, work):
    """Entries of `diagonal` become at least what their rows have on bodies that nothing else holds."""
    diagonal = work[places.diagonal(layout.places[0])]
    for n in range(layout.terms.shape[0]):
        term = layout.plane_scalars[n]
        fa, ma, fb, mb = gradient_in_space(term, layout, work)
        free = mobility(term.first, fa, ma, layout) + mobility(term.second, fb, mb, layout)
        diagonal[term.row] = max(diagonal[term.row], term.factor * term.factor * free)
