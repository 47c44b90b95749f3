"""Constraint rows in the plane: what they do at the stages, and their matrices.

Scalars, their gradients and values are those of planar trees, on blocks of bodies in place of links; moments are about centres of mass.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load33
from poinsot.algebra.plane import cross2, dot2, increase2, load2
from poinsot.algebra.vectors import ZERO, add, load3, store3, sub
from poinsot.formulations.directors.plane.places import FREE_MOTION, PLANE_LEG
from poinsot.formulations.tree.plane.loops.scalars import approach, arms_of, between, gradient_of, value_of
from poinsot.formulations.tree.plane.work import PLANE_BLOCK, SPIN, VELOCITY
from poinsot.linear.pattern import GROUPS, LEG_BODY, LEG_START, LEGS
from poinsot.linear.unsymmetric import assemble_both, factor_both, solve_both
from poinsot.tables.records import COINCIDE


@kernel
def push_body(forces, b, force, moment):
    """Add a force and a moment to those on a body."""
    increase2(forces, FREE_MOTION * b, force)
    forces[FREE_MOTION * b + 2] += moment


@helper
def add_rows(layout, blocks, multipliers, forces, gaps):
    """Add J' lambda to the forces on bodies at a stage, and set the gaps to the rates of all rows."""
    for k in range(gaps.shape[0]):
        gaps[k] = 0.0
    n = 0
    while n < layout.plane_scalars.shape[0]:
        term = layout.plane_scalars[n]
        a, b, row = PLANE_BLOCK * term.first, PLANE_BLOCK * term.second, term.row
        if term.point == 1:
            arm_a, arm_b = arms_of(term, a, b, blocks)
            rate, pull = approach(a, arm_a, b, arm_b, blocks), load2(multipliers, row)
            increase2(gaps, row, rate)
            push_body(forces, term.first, (-pull[0], -pull[1]), cross2(pull, arm_a))
            push_body(forces, term.second, pull, cross2(arm_b, pull))
            n += 2
            continue
        fa, ma, fb, mb = gradient_of(term, layout, blocks)
        rate = dot2(fa, load2(blocks, a + VELOCITY)) + ma * blocks[a + SPIN]
        rate += dot2(fb, load2(blocks, b + VELOCITY)) + mb * blocks[b + SPIN]
        gaps[row] += term.factor * rate
        pull = term.factor * multipliers[row]
        push_body(forces, term.first, (pull * fa[0], pull * fa[1]), pull * ma)
        push_body(forces, term.second, (pull * fb[0], pull * fb[1]), pull * mb)
        n += 1


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
def add_tensions(layout, blocks, multipliers, k, masses):
    """Add k times what tension in points that coincide adds to the matrices of rotation of their bodies."""
    n = 0
    while n < layout.plane_scalars.shape[0]:
        term = layout.plane_scalars[n]
        if term.kind == COINCIDE:
            force = (multipliers[term.row] * term.a[0], multipliers[term.row] * term.a[1])
            if term.point == 1:
                force = load2(multipliers, term.row)
            arm_a, arm_b = arms_of(term, PLANE_BLOCK * term.first, PLANE_BLOCK * term.second, blocks)
            masses[2 * term.first + 1] -= k * dot2(arm_a, force)
            masses[2 * term.second + 1] += k * dot2(arm_b, force)
        n += 2 if term.point == 1 else 1


@helper
def build(plane, layout, columns, rows):
    """Factor the matrix whose columns and rows belong to the poses of two blocks, with inverse masses as they are; returns its smallest relative
    pivot.
    """
    p, legs, weighted, masses = plane.pattern, plane.legs, plane.weighted, plane.masses
    set_legs(layout, columns, legs)
    set_legs(layout, rows, weighted)
    for leg in range(p[LEGS]):
        b = p[p[LEG_BODY] + leg]
        for k in range(PLANE_LEG * leg, PLANE_LEG * (leg + 1), 3):
            weighted[k] *= masses[2 * b]
            weighted[k + 1] *= masses[2 * b]
            weighted[k + 2] *= masses[2 * b + 1]
    assemble_both(p, legs, weighted, PLANE_LEG, plane.factor, plane.mirrored, plane.diagonal)
    return factor_both(p, plane.factor, plane.mirrored, plane.diagonal)


@helper
def constrained(plane, n, push, pull):
    """Solve with the factored matrix: `push`, forces on n bodies, become changes of velocities, and `pull`, gaps of rows, their multipliers."""
    p, legs, weighted, masses = plane.pattern, plane.legs, plane.weighted, plane.masses
    start, body = p[LEG_START], p[LEG_BODY]
    store3(push, 0, ZERO)  # the ground stands still, whatever acts on it
    for t in range(p[GROUPS]):
        total = load3(pull, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            total = add(total, apply(load33(weighted, PLANE_LEG * leg), load3(push, FREE_MOTION * p[body + leg])))
        store3(pull, 3 * t, total)
    solve_both(p, plane.factor, plane.mirrored, pull)
    for t in range(p[GROUPS]):
        held = load3(pull, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            b = FREE_MOTION * p[body + leg]
            store3(push, b, sub(load3(push, b), apply_transposed(load33(legs, PLANE_LEG * leg), held)))
    for b in range(1, n):
        for k in range(3):
            push[FREE_MOTION * b + k] *= masses[2 * b + (1 if k == 2 else 0)]
