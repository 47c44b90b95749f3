"""Bodies of the tree in a motion row: poses and velocities in the world."""

from __future__ import annotations

from math import cos, sin

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import matrix
from poinsot.algebra.quaternions import from_matrix, load4, multiply, normalised, store4
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.states import BODY_STATE, ORIGIN, SPIN, VELOCITY
from poinsot.formulations.contract import BODY_MOTION
from poinsot.formulations.tree.work import QUATERNION, states_block, world_block
from poinsot.tables.records import BALL, HELICAL


@helper
def link_quaternions(y, layout, work):
    """Quaternions of all links in the world, as products along the tree: continuous in time, unlike those of a matrix."""
    store4(work, world_block(layout, 0) + QUATERNION, (1.0, 0.0, 0.0, 0.0))
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        q = multiply(load4(work, world_block(layout, link.parent) + QUATERNION), from_matrix(matrix(link.rotation)))
        if link.kind == BALL:
            q = multiply(q, load4(y, link.iq))
        elif link.kind == HELICAL:
            half = 0.5 * link.rot * y[link.iq]
            q = multiply(q, (cos(half), 0.0, 0.0, sin(half)))
        store4(work, world_block(layout, i) + QUATERNION, q)


@helper
def fill_bodies(y, layout, work, row):
    """Poses and velocities of all bodies, whose states in the world are in `work`."""
    link_quaternions(y, layout, work)
    states = states_block(layout)
    for b in range(layout.bodies.shape[0]):
        base, k = states + b * BODY_STATE, b * BODY_MOTION
        store3(row, k, load3(work, base + ORIGIN))
        link = load4(work, world_block(layout, layout.bodies[b].link) + QUATERNION)
        store4(row, k + 3, normalised(multiply(link, from_matrix(matrix(layout.bodies[b].rotation)))))
        store3(row, k + 7, load3(work, base + VELOCITY))
        store3(row, k + 10, load3(work, base + SPIN))
