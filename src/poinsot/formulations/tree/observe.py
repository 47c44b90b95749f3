"""What a state of the tree means: poses, velocities, joint coordinates and energies in the world."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.algebra.matrices import load33
from poinsot.algebra.quaternions import from_matrix, store4
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.energy import energies
from poinsot.elements.wrenches import ATTITUDE, MOTION, ORIGIN, SPIN, VELOCITY
from poinsot.formulations.contract import POSE
from poinsot.formulations.tree.coordinates import joint_coordinates, joint_rates
from poinsot.formulations.tree.work import states_block, wrenches_block
from poinsot.formulations.tree.world import world_states
from poinsot.tables.records import N_C, N_Q, N_R
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    world_states(y, layout, work)
    n, states = layout.bodies.shape[0], states_block(layout)
    for b in range(n):
        base, k = states + b * MOTION, b * POSE
        store3(row, k, load3(work, base + ORIGIN))
        store4(row, k + 3, from_matrix(load33(work, base + ATTITUDE)))
        store3(row, k + 7, load3(work, base + VELOCITY))
        store3(row, k + 10, load3(work, base + SPIN))
    first = n * POSE
    second = first + layout.sizes[N_C]
    third = second + layout.sizes[N_R]
    joint_coordinates(y, layout, row[first:second])
    joint_rates(y, y[layout.sizes[N_Q] :], layout, row[second:third])
    energies(layout, work[states : wrenches_block(layout)], row[first:second], row[third:])
    return OK
