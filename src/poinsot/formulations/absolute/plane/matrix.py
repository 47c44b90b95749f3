"""The matrix J M^-1 J' of the rows in the plane, and solutions with its factor."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply, apply_transposed, load33, matmul, plus, store33, transpose
from poinsot.algebra.plane import dot2, load2
from poinsot.algebra.vectors import ZERO, add, load3, store3, sub
from poinsot.formulations.absolute.plane.places import FREE_MOTION, PLANE_LEG
from poinsot.formulations.absolute.plane.rows import set_legs
from poinsot.formulations.tree.plane.work import PLANE_BLOCK, TURN
from poinsot.linear.cholesky import factor, solve
from poinsot.linear.pattern import BLOCKS, EMPTY, GROUPS, LEG_BODY, LEG_START, LEGS, PAIR, PAIRS


@helper
def invert_masses(layout, room):
    """1 / mass of every body, and 1 / inertia with its turn as it is."""
    for b in range(1, layout.bodies.shape[0]):
        frame, z = layout.frames[b].plane, load2(room.blocks, PLANE_BLOCK * b + TURN)
        room.masses[2 * b] = 1.0 / frame.mass
        room.masses[2 * b + 1] = 1.0 / (frame.inertia * dot2(z, z))


@helper
def weigh(p, legs, masses, weighted):
    """Divide legs by masses and inertias."""
    for leg in range(p[LEGS]):
        b = 2 * p[p[LEG_BODY] + leg]
        for k in range(PLANE_LEG * leg, PLANE_LEG * (leg + 1), 3):
            weighted[k] = legs[k] * masses[b]
            weighted[k + 1] = legs[k + 1] * masses[b]
            weighted[k + 2] = legs[k + 2] * masses[b + 1]


@helper
def assemble(p, legs, weighted, blocks, diagonal):
    """Blocks of J M^-1 J' below its diagonal; empty rows get a one there. `diagonal` becomes its diagonal."""
    for k in range(9 * p[BLOCKS]):
        blocks[k] = 0.0
    at, last = p[PAIR], p[PAIR] + 3 * p[PAIRS]
    while at < last:  # pairs are sorted by their blocks
        block = p[at]
        total = load33(blocks, 9 * block)
        while at < last and p[at] == block:
            total = plus(total, matmul(load33(legs, PLANE_LEG * p[at + 1]), transpose(load33(weighted, PLANE_LEG * p[at + 2]))))
            at += 3
        store33(blocks, 9 * block, total)
    for t in range(p[GROUPS]):
        for k in range(3):
            if p[p[EMPTY] + 3 * t + k] == 1:
                blocks[9 * t + 4 * k] = 1.0
            diagonal[3 * t + k] = blocks[9 * t + 4 * k]


@helper
def build(layout, room):
    """Factor J M^-1 J' of the rows in the plane at the poses of the blocks; returns its smallest relative pivot."""
    invert_masses(layout, room)
    set_legs(layout, room.blocks, room.legs)
    weigh(room.pattern, room.legs, room.masses, room.weighted)
    assemble(room.pattern, room.legs, room.weighted, room.factor, room.diagonal)
    return factor(room.pattern, room.factor, room.diagonal)


@helper
def gather(plane, push, pull):
    """Add what forces on bodies do to the rows."""
    p, weighted = plane.pattern, plane.weighted
    start, body = p[LEG_START], p[LEG_BODY]
    store3(push, 0, ZERO)  # the ground stands still, whatever acts on it
    for t in range(p[GROUPS]):
        total = load3(pull, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            total = add(total, apply(load33(weighted, PLANE_LEG * leg), load3(push, FREE_MOTION * p[body + leg])))
        store3(pull, 3 * t, total)


@helper
def take_pull(plane, push, pull):
    """Take the forces of the rows from those on bodies."""
    p, legs = plane.pattern, plane.legs
    start, body = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        held = load3(pull, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            b = FREE_MOTION * p[body + leg]
            store3(push, b, sub(load3(push, b), apply_transposed(load33(legs, PLANE_LEG * leg), held)))


@helper
def release(plane, n, push, pull):
    """Changes of velocities of n bodies, from forces and multipliers."""
    take_pull(plane, push, pull)
    for b in range(1, n):
        for k in range(3):
            push[FREE_MOTION * b + k] *= plane.masses[2 * b + (1 if k == 2 else 0)]


@helper
def constrained(layout, room, push, pull):
    """Solve [M J'; J 0] (motion, multipliers) = (push, -pull) with the factored matrix: both are replaced."""
    gather(room, push, pull)
    solve(room.pattern, room.factor, pull)
    release(room, layout.bodies.shape[0], push, pull)
