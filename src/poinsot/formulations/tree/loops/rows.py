"""Rows on the tree: their wrenches on the way to the ground, the matrix Y Y' = J M^-1 J', its factor, and what multipliers do.

The three rows of a group lie side by side, one per lane, in the six numbers of a leg (force, then moment about the origin of the link) and in
the three of Y (a helical link: one).
"""

from __future__ import annotations

from numba import boolean, float64, void

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.lane_arrays import lane_array
from poinsot.algebra.matrices import ZERO33, apply, apply_transposed, load33, outer, plus, store33
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, increase3, load3, negate, scale, store3, sub
from poinsot.elements.director_scalars import centre
from poinsot.elements.states import TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import bias_of, gradient_of
from poinsot.formulations.absolute.rows import AXES, arms
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.folds import ROOT, root_times, root_transposed
from poinsot.formulations.tree.loops.places import LEG, PART
from poinsot.formulations.tree.loops.scales import raise_diagonal
from poinsot.formulations.tree.work import ATTITUDE, BLOCK, FREE, PLACE, world_block
from poinsot.linear.cholesky import factor
from poinsot.linear.pattern import BLOCKS, EMPTY, GROUPS, LEG_BODY, LEG_START, PAIR, PAIRS
from poinsot.tables.records import BALL, HELICAL
from poinsot.tables.types import FLOATS, LAYOUT


@kernel
def from_link(body, layout, configuration, work):
    """From the origin of a body's link to its centre of mass, in the world."""
    return sub(centre(configuration, body), load3(work, world_block(layout, layout.bodies[body].link) + PLACE))


@kernel
def add_leg(legs, leg, k, force, moment):
    """Add a wrench to row k of a leg."""
    first = LEG * leg + k
    for c in range(3):
        legs[first + LANES * c] += force[c]
        legs[first + LANES * (3 + c)] += moment[c]


@kernel
def point_acceleration(body, arm, twists, accelerations):
    """Acceleration of a point at `arm` from the centre of mass of a body."""
    alpha, spin = load3(accelerations, TWIST * body + 3), load3(twists, TWIST * body + 3)
    return add(load3(accelerations, TWIST * body), add(cross(alpha, arm), cross(spin, cross(spin, arm))))


@internal(void(LAYOUT, boolean, FLOATS))
def set_rows(layout, moving, work):
    """Wrenches of all rows in use on the links of their bodies, at the configuration in `work`.

    When `moving`, `step` becomes their second derivatives at the accelerations of bodies in `push`.
    """
    at = layout.places[0]
    configuration, twists, accelerations = work[own.configuration(at)], work[places.twists(at)], work[places.push(at)]
    legs, step = work[places.legs(at)], work[places.step(at)]
    for k in range(legs.shape[0]):
        legs[k] = 0.0
    if moving:
        for k in range(step.shape[0]):
            step[k] = 0.0
    n = 0
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        away_a = from_link(term.first, layout, configuration, work)
        away_b = from_link(term.second, layout, configuration, work)
        if term.point == 1:
            arm_a, arm_b = arms(term, configuration)
            for k in range(3):
                if term.first_leg >= 0:
                    add_leg(legs, term.first_leg, k, negate(AXES[k]), cross(AXES[k], add(away_a, arm_a)))
                if term.second_leg >= 0:
                    add_leg(legs, term.second_leg, k, AXES[k], cross(add(away_b, arm_b), AXES[k]))
            if moving:
                first = point_acceleration(term.first, arm_a, twists, accelerations)
                store3(step, term.row, sub(point_acceleration(term.second, arm_b, twists, accelerations), first))
            n += 3
            continue
        n += 1
        k = term.row % 3
        gradient = gradient_of(term, layout, configuration, configuration)
        fa, ma, fb, mb = gradient
        if term.first_leg >= 0:
            add_leg(legs, term.first_leg, k, scale(term.factor, fa), scale(term.factor, add(ma, cross(away_a, fa))))
        if term.second_leg >= 0:
            add_leg(legs, term.second_leg, k, scale(term.factor, fb), scale(term.factor, add(mb, cross(away_b, fb))))
        if moving:
            change = pair_rate(gradient, accelerations, term.first, term.second)
            step[term.row] += term.factor * (change + bias_of(term, layout, configuration, twists))


@kernel
def split(link, k, world, force, moment, work):
    """The part y of a wrench on a link with gains at k and world block at `world` (a helical one: its first number), and what is passed on."""
    if link.kind == HELICAL:
        axis = load3(work, k)
        u = link.rot * dot(axis, moment) + link.lin * dot(axis, force)
        part = (work[k + ROOT] * u, 0.0, 0.0)
        return part, add_scaled(force, -u, load3(work, k + 6)), add_scaled(moment, -u, load3(work, k + 3))
    elif link.kind == BALL:  # one return per kind
        u = apply_transposed(load33(work, world + ATTITUDE), moment)
        return root_transposed(work, k + ROOT, u), sub(force, apply(load33(work, k), u)), ZERO
    else:
        u = apply_transposed(load33(work, world + ATTITUDE), force)
        return root_transposed(work, k + ROOT, u), ZERO, sub(moment, apply(load33(work, k), u))


@helper
def walk(layout, work):
    """The parts Y of all rows, joint by joint from the bodies they act on to the ground, in `weighted`; legs take up what is passed on."""
    at, p = layout.places[0], layout.pattern
    legs, weighted = lane_array(work, at.legs), lane_array(work, at.weighted)
    start, on, parents = p[LEG_START], p[LEG_BODY], own.parents(p)
    for leg in range(p[start + p[GROUPS]] - 1, -1, -1):  # links of a group are in ascending order: children come before their parents
        i, above = p[on + leg], p[parents + leg]
        link, world = layout.links[i], world_block(layout, i)
        part, force, moment = split(link, own.gains(at, i), world, load3(legs, 6 * leg), load3(legs, 6 * leg + 3), work)
        if link.kind == HELICAL:
            weighted[3 * leg] = part[0]
        else:
            store3(weighted, 3 * leg, part)
        if above >= 0:
            arm = sub(load3(work, world + PLACE), load3(work, world_block(layout, link.parent) + PLACE))
            increase3(legs, 6 * above, force)
            increase3(legs, 6 * above + 3, add(moment, cross(arm, force)))


@kernel
def part_of(weighted, leg, c):
    """Numbers c of Y of the three rows of a leg."""
    return load3(weighted, PART * leg + LANES * c)


@helper
def assemble(layout, weighted, blocks, diagonal):
    """Blocks of Y Y'; empty rows get a one on the diagonal. `diagonal` becomes its diagonal."""
    p = layout.pattern
    for k in range(9 * p[BLOCKS]):
        blocks[k] = 0.0
    at, last, on = p[PAIR], p[PAIR] + 3 * p[PAIRS], p[LEG_BODY]
    while at < last:  # pairs are sorted by their blocks
        block, total = p[at], ZERO33
        while at < last and p[at] == block:
            i, j = p[at + 1], p[at + 2]
            for c in range(1 if layout.links[p[on + i]].kind == HELICAL else 3):
                total = plus(total, outer(part_of(weighted, i, c), part_of(weighted, j, c)))
            at += 3
        store33(blocks, 9 * block, total)
    for t in range(p[GROUPS]):
        for k in range(3):
            if p[p[EMPTY] + 3 * t + k] == 1:
                blocks[9 * t + 4 * k] = 1.0
            diagonal[3 * t + k] = blocks[9 * t + 4 * k]


@internal(float64(LAYOUT, boolean, FLOATS))
def factor_rows(layout, judged, work):
    """Factor the matrix of the rows, whose wrenches are in `legs` and whose tree is folded.

    Returns the smallest pivot relative to its diagonal entry; when `judged`, relative to what its row has on free bodies (`scales.py`).
    """
    at = layout.places[0]
    blocks, diagonal = work[places.factor(at)], work[places.diagonal(at)]
    walk(layout, work)
    assemble(layout, work[places.weighted(at)], blocks, diagonal)
    if judged:
        raise_diagonal(layout, work)
    return factor(layout.pattern, blocks, diagonal)


@helper
def take_rows(layout, work, multipliers, pushes):
    """Take Y' times multipliers from numbers per rate of the tree."""
    p, weighted = layout.pattern, work[places.weighted(layout.places[0])]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        force = load3(multipliers, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            link = layout.links[p[on + leg]]
            for c in range(1 if link.kind == HELICAL else 3):
                pushes[link.iv + c] -= dot(force, part_of(weighted, leg, c))


@helper
def add_rows_times(layout, work, part, result):
    """Add Y times numbers per rate of the tree to numbers per row."""
    p, weighted = layout.pattern, work[places.weighted(layout.places[0])]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        total = ZERO
        for leg in range(p[start + t], p[start + t + 1]):
            link = layout.links[p[on + leg]]
            for c in range(1 if link.kind == HELICAL else 3):
                total = add_scaled(total, part[link.iv + c], part_of(weighted, leg, c))
        increase3(result, 3 * t, total)


@helper
def add_pushes(layout, work, pushes):
    """Add C times numbers per rate of the tree to the free accelerations at its joints."""
    for i in range(1, layout.links.shape[0]):
        link, root = layout.links[i], own.gains(layout.places[0], i) + ROOT
        if link.kind == HELICAL:
            work[i * BLOCK + FREE] += work[root] * pushes[link.iv]
        else:
            increase3(work, i * BLOCK + FREE, root_times(work, root, load3(pushes, link.iv)))


@internal(void(LAYOUT, FLOATS))
def push_joints(layout, work):
    """Take the multipliers in `step` from the free accelerations that the elimination left at the joints."""
    at = layout.places[0]
    pushes = work[own.pushes(at)]
    for k in range(pushes.shape[0]):
        pushes[k] = 0.0
    take_rows(layout, work, work[places.step(at)], pushes)
    add_pushes(layout, work, pushes)
