"""Constraint rows in the plane at the stages of a step, and their matrix, which is not symmetric."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.plane import cross2, dot2, increase2, load2
from poinsot.formulations.absolute.plane.matrix import gather, release, weigh
from poinsot.formulations.absolute.plane.places import FREE_MOTION, PLANE_LEG
from poinsot.formulations.absolute.plane.rows import set_legs
from poinsot.formulations.tree.plane.loops.scalars import approach, arms_of, gradient_of
from poinsot.formulations.tree.plane.work import PLANE_BLOCK, SPIN, VELOCITY
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
    p, legs, weighted = plane.pattern, plane.legs, plane.weighted
    set_legs(layout, columns, legs)
    set_legs(layout, rows, weighted)
    weigh(p, weighted, plane.masses, weighted)
    assemble_both(p, legs, weighted, PLANE_LEG, plane.factor, plane.mirrored, plane.diagonal)
    return factor_both(p, plane.factor, plane.mirrored, plane.diagonal)


@helper
def constrained(plane, n, push, pull):
    """Solve with the factored matrix: `push`, forces on n bodies, become changes of velocities, and `pull`, gaps of rows, their multipliers."""
    gather(plane, push, pull)
    solve_both(plane.pattern, plane.factor, plane.mirrored, pull)
    release(plane, n, push, pull)
