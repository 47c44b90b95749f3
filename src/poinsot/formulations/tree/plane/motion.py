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
def move_link(i, link, rate, work):
    """Motion and velocity products of link i, which is placed, from the motion of its parent.

    With w the parent's angular velocity, d the offset and e the axis of a slide: products = - w^2 d + 2 w n x e rate.
    """
    base, parent = i * PLANE_BLOCK, link.parent * PLANE_BLOCK
    w, d = work[parent + SPIN], load2(work, base + OFFSET)
    velocity, products = add2(load2(work, parent + VELOCITY), across(w, d)), scale2(-w * w, d)
    if link.turn != 0.0:
        work[base + SPIN] = w + link.turn * rate
    else:
        e = load2(work, base + AXIS)
        velocity, products = add_scaled2(velocity, rate, e), add2(products, across(2.0 * w * rate, e))
        work[base + SPIN] = w
    store2(work, base + VELOCITY, velocity)
    store2(work, base + PRODUCTS, products)


@kernel
def place_link(i, link, coordinate, rate, work):
    """Place and motion of link i, from those of its parent."""
    base, parent = i * PLANE_BLOCK, link.parent * PLANE_BLOCK
    turn = load2(work, parent + TURN)
    d = turned(turn, pair(link.offset))
    if link.turn != 0.0:
        angle = work[parent + ANGLE] + link.turn * coordinate
        work[base + ANGLE] = angle
        store2(work, base + TURN, (cos(angle), sin(angle)))
    else:
        e = turned(turn, pair(link.slide))
        d = add_scaled2(d, coordinate, e)
        work[base + ANGLE] = work[parent + ANGLE]
        store2(work, base + TURN, turn)
        store2(work, base + AXIS, e)
    store2(work, base + PLACE, add2(load2(work, parent + PLACE), d))
    store2(work, base + OFFSET, d)
    move_link(i, link, rate, work)


@kernel
def place_links(y, layout, work):
    """All links at the state y."""
    nq = layout.sizes[N_Q]
    place_ground(work)
    for i in range(1, layout.plane_links.shape[0]):
        place_link(i, layout.plane_links[i], y[i - 1], y[nq + i - 1], work)


@kernel
def move_links(y, layout, work):
    """Motions of all links, which are placed, at the rates in the state y."""
    nq = layout.sizes[N_Q]
    for i in range(1, layout.plane_links.shape[0]):
        move_link(i, layout.plane_links[i], y[nq + i - 1], work)
