"""Poses and twists of the bodies of the tree in the world, for formulations and analyses in absolute coordinates."""

from __future__ import annotations

import numpy as np
from numba import void

from poinsot.algebra.compile import compiled
from poinsot.algebra.matrices import apply, load33, store33
from poinsot.algebra.vectors import add, cross, load3, store3, vector
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, POSE, SPIN, TWIST, VELOCITY
from poinsot.formulations.tree.coordinates import pack
from poinsot.formulations.tree.work import states_block, work_size
from poinsot.formulations.tree.world import world_states
from poinsot.tables.records import N_Q, N_SLOTS, N_V, Layout
from poinsot.tables.types import FLOATS, LAYOUT


@compiled(void(FLOATS, LAYOUT, FLOATS, FLOATS, FLOATS))
def tree_states(y, layout, work, poses, twists):
    """Poses (12 per body) and twists (6: of the centre of mass, world axes) that the state y of the tree gives."""
    world_states(y, layout, work)
    states = states_block(layout)
    for b in range(layout.bodies.shape[0]):
        base = states + b * BODY_STATE
        R, spin = load33(work, base + ATTITUDE), load3(work, base + SPIN)
        arm = apply(R, vector(layout.bodies[b].com))
        store3(poses, POSE * b, load3(work, base + ORIGIN))
        store33(poses, POSE * b + 3, R)
        store3(twists, TWIST * b, add(load3(work, base + VELOCITY), cross(spin, arm)))
        store3(twists, TWIST * b + 3, spin)


def placed(layout: Layout, coordinates: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Poses (n, 12), origin and rotation, and twists (n, 6) of the centres of mass, world axes, at joint coordinates and rates."""
    tree = layout._replace(motions=layout.motions[layout.motions["link"] >= 0])
    n, nq, nv = len(layout.bodies), int(layout.sizes[N_Q]), int(layout.sizes[N_V])
    y = np.zeros(nq + nv + 1)
    pack(coordinates, rates, tree, y)
    work = np.zeros(work_size(len(layout.links), n, nv, nq + nv + 1, int(layout.sizes[N_SLOTS]), 1))
    poses, twists = np.zeros(POSE * n), np.zeros(TWIST * n)
    tree_states(y, tree, work, poses, twists)
    return poses.reshape(n, POSE), twists.reshape(n, TWIST)
