"""Constraint rows in the plane: values, gradients, second derivatives.

Scalars, their gradients and values are those of planar trees, on blocks of bodies in place of links; moments are about centres of mass.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.plane import increase2, scale2, sub2
from poinsot.algebra.vectors import store3
from poinsot.formulations.absolute.plane.places import PLANE_LEG
from poinsot.formulations.tree.plane.loops.scalars import arms_of, between, gradient_of, second_derivative, value_of
from poinsot.formulations.tree.plane.work import PLANE_BLOCK, SPIN


@helper
def set_values(layout, blocks, gaps):
    """Values of all rows at the poses of blocks."""
    for k in range(gaps.shape[0]):
        gaps[k] = 0.0
    n = 0
    while n < layout.plane_scalars.shape[0]:
        term = layout.plane_scalars[n]
        if term.point == 1:
            a, b = PLANE_BLOCK * term.first, PLANE_BLOCK * term.second
            arm_a, arm_b = arms_of(term, a, b, blocks)
            increase2(gaps, term.row, between(a, arm_a, b, arm_b, blocks))
            n += 2
            continue
        gaps[term.row] += term.factor * value_of(term, layout, blocks, 0.0)
        n += 1


@kernel
def set_leg(legs, leg, row, force, moment):
    """Write a row of a leg."""
    if leg >= 0:
        store3(legs, PLANE_LEG * leg + 3 * row, (force[0], force[1], moment))


@kernel
def add_leg(legs, leg, row, factor, force, moment):
    """Add a multiple of a wrench to a row of a leg."""
    if leg >= 0:
        k = PLANE_LEG * leg + 3 * row
        legs[k] += factor * force[0]
        legs[k + 1] += factor * force[1]
        legs[k + 2] += factor * moment


@helper
def set_legs(layout, blocks, legs):
    """Gradients of all rows at the poses of blocks."""
    for k in range(legs.shape[0]):
        legs[k] = 0.0
    n = 0
    while n < layout.plane_scalars.shape[0]:
        term = layout.plane_scalars[n]
        row = term.row % 3
        if term.point == 1:
            x, y = arms_of(term, PLANE_BLOCK * term.first, PLANE_BLOCK * term.second, blocks)
            set_leg(legs, term.first_leg, row, (-1.0, 0.0), x[1])
            set_leg(legs, term.first_leg, row + 1, (0.0, -1.0), -x[0])
            set_leg(legs, term.second_leg, row, (1.0, 0.0), -y[1])
            set_leg(legs, term.second_leg, row + 1, (0.0, 1.0), y[0])
            n += 2
            continue
        fa, ma, fb, mb = gradient_of(term, layout, blocks)
        add_leg(legs, term.first_leg, row, term.factor, fa, ma)
        add_leg(legs, term.second_leg, row, term.factor, fb, mb)
        n += 1


@helper
def add_biases(layout, blocks, gaps):
    """Add the second derivatives of all rows at zero accelerations of the bodies."""
    n = 0
    while n < layout.plane_scalars.shape[0]:
        term = layout.plane_scalars[n]
        if term.point == 1:
            a, b = PLANE_BLOCK * term.first, PLANE_BLOCK * term.second
            arm_a, arm_b = arms_of(term, a, b, blocks)
            increase2(gaps, term.row, sub2(scale2(blocks[a + SPIN] * blocks[a + SPIN], arm_a), scale2(blocks[b + SPIN] * blocks[b + SPIN], arm_b)))
            n += 2
            continue
        gaps[term.row] += term.factor * second_derivative(term, layout, blocks)
        n += 1
