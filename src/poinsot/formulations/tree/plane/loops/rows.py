"""Rows on a planar tree: their wrenches on the way to the ground, the matrix Y Y' = J M^-1 J', its factor, and what multipliers do.

See `formulations/tree/loops/rows.py`. A leg is three rows of three numbers, force and moment about the origin of its link; Y has one number
per row and leg.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import ZERO33, outer, plus, store33
from poinsot.algebra.plane import add_scaled2, cross2, dot2, load2
from poinsot.algebra.vectors import load3
from poinsot.formulations.absolute import places
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.plane.loops.scalars import gradient_of, second_derivative
from poinsot.formulations.tree.plane.work import AXIS, FREE, GAIN, OFFSET, PLANE_BLOCK, ROOT
from poinsot.linear.pattern import BLOCKS, EMPTY, GROUPS, LEG_BODY, LEG_START, LEGS, PAIR, PAIRS

LEG = 9  # numbers of a leg


@kernel
def add_leg(legs, leg, row, force, moment):
    """Add a wrench to a row of a leg."""
    k = LEG * leg + 3 * row
    legs[k] += force[0]
    legs[k + 1] += force[1]
    legs[k + 2] += moment


@kernel
def set_rows(layout, moving, work):
    """Wrenches of all rows in use on the links of their bodies; when `moving`, `step` becomes their second derivatives at accelerations of links."""
    at = layout.places[0]
    legs, step = work[places.legs(at)], work[places.step(at)]
    for k in range(LEG * layout.pattern[LEGS]):
        legs[k] = 0.0
    if moving:
        for k in range(step.shape[0]):
            step[k] = 0.0
    for n in range(layout.terms.shape[0]):
        term = layout.plane_scalars[n]
        row, factor = term.row % 3, term.factor
        fa, na, fb, nb = gradient_of(term, layout, work)
        if term.first_leg >= 0:
            add_leg(legs, term.first_leg, row, (factor * fa[0], factor * fa[1]), factor * na)
        if term.second_leg >= 0:
            add_leg(legs, term.second_leg, row, (factor * fb[0], factor * fb[1]), factor * nb)
        if moving:
            step[term.row] += factor * second_derivative(term, layout, work)


@kernel
def walk(layout, work):
    """The parts Y of all rows, joint by joint from the bodies they act on to the ground, in `weighted`; legs take up what is passed on."""
    at, p = layout.places[0], layout.pattern
    legs, weighted = work[places.legs(at)], work[places.weighted(at)]
    start, on, parents = p[LEG_START], p[LEG_BODY], own.parents(p)
    for leg in range(p[start + p[GROUPS]] - 1, -1, -1):  # links of a group are in ascending order: children come before their parents
        i, above = p[on + leg], p[parents + leg]
        base = i * PLANE_BLOCK
        turns, g, root = layout.plane_links[i].turn != 0.0, load2(work, base + GAIN + 1), work[base + ROOT]
        e, arm = load2(work, base + AXIS), load2(work, base + OFFSET)
        for row in range(3):
            k = LEG * leg + 3 * row
            force, moment = load2(legs, k), legs[k + 2]
            u = moment if turns else dot2(e, force)
            weighted[3 * leg + row] = root * u
            if above >= 0:
                force = add_scaled2(force, -u, g)
                moment = 0.0 if turns else moment - u * work[base + GAIN]
                add_leg(legs, above, row, force, moment + cross2(arm, force))


@kernel
def assemble(layout, weighted, blocks, diagonal):
    """Blocks of Y Y'; empty rows get a one on the diagonal. `diagonal` becomes its diagonal."""
    p = layout.pattern
    for k in range(9 * p[BLOCKS]):
        blocks[k] = 0.0
    at, last = p[PAIR], p[PAIR] + 3 * p[PAIRS]
    while at < last:  # pairs are sorted by their blocks
        block, total = p[at], ZERO33
        while at < last and p[at] == block:
            total = plus(total, outer(load3(weighted, 3 * p[at + 1]), load3(weighted, 3 * p[at + 2])))
            at += 3
        store33(blocks, 9 * block, total)
    for t in range(p[GROUPS]):
        for k in range(3):
            if p[p[EMPTY] + 3 * t + k] == 1:
                blocks[9 * t + 4 * k] = 1.0
            diagonal[3 * t + k] = blocks[9 * t + 4 * k]


@kernel
def build(layout, work):
    """The matrix of the rows, whose wrenches are in `legs` and whose tree is folded, and its diagonal."""
    at = layout.places[0]
    walk(layout, work)
    assemble(layout, work[places.weighted(at)], work[places.factor(at)], work[places.diagonal(at)])


@helper
def push_joints(layout, work):
    """Take the multipliers in `step` from what the elimination left free at the joints."""
    at, p = layout.places[0], layout.pattern
    weighted, step = work[places.weighted(at)], work[places.step(at)]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        x, y, z = load3(step, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            base, w = p[on + leg] * PLANE_BLOCK, 3 * leg
            work[base + FREE] -= work[base + ROOT] * (x * weighted[w] + y * weighted[w + 1] + z * weighted[w + 2])
