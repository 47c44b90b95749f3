"""Observation of a state of the tree: poses, velocities, joint coordinates and energies in the world."""

from __future__ import annotations

from math import cos, sin

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.matrices import matrix
from poinsot.algebra.quaternions import from_matrix, load4, multiply, normalised, store4
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.energy import energies
from poinsot.elements.states import BODY_STATE, ORIGIN, SPIN, VELOCITY
from poinsot.formulations.contract import BODY_MOTION
from poinsot.formulations.tree.coordinates import joint_coordinates, joint_rates
from poinsot.formulations.tree.work import QUATERNION, states_block, world_block, wrenches_block
from poinsot.formulations.tree.world import world_states
from poinsot.tables.records import BALL, HELICAL, N_C, N_Q, N_R
from poinsot.tables.types import OK, RATE_SIGNATURE


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


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    world_states(y, layout, work)
    link_quaternions(y, layout, work)
    n, states = layout.bodies.shape[0], states_block(layout)
    for b in range(n):
        base, k = states + b * BODY_STATE, b * BODY_MOTION
        store3(row, k, load3(work, base + ORIGIN))
        link = load4(work, world_block(layout, layout.bodies[b].link) + QUATERNION)
        store4(row, k + 3, normalised(multiply(link, from_matrix(matrix(layout.bodies[b].rotation)))))
        store3(row, k + 7, load3(work, base + VELOCITY))
        store3(row, k + 10, load3(work, base + SPIN))
    first = n * BODY_MOTION
    second = first + layout.sizes[N_C]
    third = second + layout.sizes[N_R]
    joint_coordinates(y, layout, row[first:second])
    joint_rates(y, y[layout.sizes[N_Q] :], layout, row[second:third])
    energies(layout, work[states : wrenches_block(layout)], row[first:second], row[third:])
    return OK
