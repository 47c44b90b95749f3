"""Links in the plane, from the ground outward."""

from __future__ import annotations

from math import cos, sin

from poinsot.algebra.compile import kernel
from poinsot.algebra.plane import across, add2, add_scaled2, load2, pair, scale2, store2, turned
from poinsot.formulations.tree.plane.work import ANGLE, AXIS, OFFSET, PLACE, PLANE_BLOCK, PRODUCTS, SPIN, TURN, VELOCITY
from poinsot.tables.records import N_Q


@kernel
def place_ground(work):
    """The ground does not move."""
    for k in range(PLANE_BLOCK):
        work[k] = 0.0
    work[TURN] = 1.0


@kernel
def place_link(i, link, coordinate, rate, work):
    """Place, motion and velocity products of link i, from those of its parent.

    With w the parent's angular velocity, d the offset and e the axis of a slide: products = - w^2 d + 2 w n x e rate.
    """
    base, parent = i * PLANE_BLOCK, link.parent * PLANE_BLOCK
    turn, w = load2(work, parent + TURN), work[parent + SPIN]
    velocity = load2(work, parent + VELOCITY)
    if link.turn != 0.0:
        d = turned(turn, pair(link.offset))
        velocity, products = add2(velocity, across(w, d)), scale2(-w * w, d)
        angle = work[parent + ANGLE] + link.turn * coordinate
        work[base + ANGLE], work[base + SPIN] = angle, w + link.turn * rate
        store2(work, base + TURN, (cos(angle), sin(angle)))
    else:
        e = turned(turn, pair(link.slide))
        d = add_scaled2(turned(turn, pair(link.offset)), coordinate, e)
        velocity = add_scaled2(add2(velocity, across(w, d)), rate, e)
        products = add2(scale2(-w * w, d), across(2.0 * w * rate, e))
        work[base + ANGLE], work[base + SPIN] = work[parent + ANGLE], w
        store2(work, base + TURN, turn)
        store2(work, base + AXIS, e)
    store2(work, base + PLACE, add2(load2(work, parent + PLACE), d))
    store2(work, base + VELOCITY, velocity)
    store2(work, base + OFFSET, d)
    store2(work, base + PRODUCTS, products)


@kernel
def place_links(y, layout, work):
    """All links at the state y."""
    nq = layout.sizes[N_Q]
    place_ground(work)
    for i in range(1, layout.plane_links.shape[0]):
        place_link(i, layout.plane_links[i], y[i - 1], y[nq + i - 1], work)
