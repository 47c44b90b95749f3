"""Bodies of a planar tree in the world, for loads, and wrenches on bodies in the plane."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, matmul, matrix, store33, transpose
from poinsot.algebra.plane import across, add2, cross2, increase2, load2, turned
from poinsot.algebra.vectors import add, load3, scale, store3, vector
from poinsot.elements import states as body
from poinsot.formulations.absolute import places
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.plane.work import EXTERNAL, PLACE, PLANE_BLOCK, SPIN, TURN, VELOCITY
from poinsot.formulations.tree.work import states_block, wrenches_block


@kernel
def turned_body(b, layout, work):
    """Attitude of body b in the world."""
    c, s = load2(work, layout.plane_bodies[b].link * PLANE_BLOCK + TURN)
    x, y, z = matrix(layout.plane_bodies[b].rotation)
    about = (add(scale(c, x), scale(-s, y)), add(scale(s, x), scale(c, y)), z)
    return matmul(transpose(matrix(layout.plane_bodies[0].rotation)), about)


@kernel
def in_world(layout, v, height):
    """A vector of the plane, and a height above it, in the world."""
    return apply_transposed(matrix(layout.plane_bodies[0].rotation), (v[0], v[1], height))


@helper
def fill_states(layout, work):
    """States of all bodies that loads need, and with loops their poses and twists, from those of their links."""
    states, at = states_block(layout), layout.places[0]
    normal = vector(layout.plane_bodies[0].rotation[2])
    for b in range(layout.bodies.shape[0]):
        table = layout.plane_bodies[b]
        if table.seen == 0:
            continue
        base, link = states + b * body.BODY_STATE, table.link * PLANE_BLOCK
        turn, w, place, velocity = load2(work, link + TURN), work[link + SPIN], load2(work, link + PLACE), load2(work, link + VELOCITY)
        arm, R, spin = turned(turn, (table.origin[0], table.origin[1])), turned_body(b, layout, work), scale(w, normal)
        store3(work, base + body.ORIGIN, in_world(layout, add2(place, arm), table.origin[2]))
        store33(work, base + body.ATTITUDE, R)
        store3(work, base + body.VELOCITY, in_world(layout, add2(velocity, across(w, arm)), 0.0))
        store3(work, base + body.SPIN, spin)
        if at.n_bodies > 0:
            configuration, twists = work[own.configuration(at)], work[places.twists(at)]
            arm = turned(turn, (table.com[0], table.com[1]))
            store3(configuration, body.POSE * b, in_world(layout, add2(place, arm), table.com[2]))
            store33(configuration, body.POSE * b + 3, R)
            store3(twists, body.TWIST * b, in_world(layout, add2(velocity, across(w, arm)), 0.0))
            store3(twists, body.TWIST * b + 3, spin)


@helper
def collect_wrenches(layout, work):
    """Sum the part in the plane of wrenches on bodies into the external wrench of their link, about its origin."""
    for i in range(layout.plane_links.shape[0]):
        store3(work, i * PLANE_BLOCK + EXTERNAL, (0.0, 0.0, 0.0))
    wrenches, axes = wrenches_block(layout), matrix(layout.plane_bodies[0].rotation)
    for b in range(1, layout.bodies.shape[0]):
        table = layout.plane_bodies[b]
        if table.seen == 0:
            continue
        k, link = wrenches + b * body.WRENCH, table.link * PLANE_BLOCK
        force, moment = apply(axes, load3(work, k)), apply(axes, load3(work, k + 3))
        arm = turned(load2(work, link + TURN), (table.com[0], table.com[1]))
        work[link + EXTERNAL] += moment[2] + cross2(arm, force)
        increase2(work, link + EXTERNAL + 1, (force[0], force[1]))
