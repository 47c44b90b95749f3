"""Observation of a state of the tree: poses, velocities, joint coordinates and energies in the world."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.energy import energies
from poinsot.formulations.contract import BODY_MOTION
from poinsot.formulations.tree.body_rows import fill_bodies
from poinsot.formulations.tree.coordinates import joint_coordinates, joint_rates
from poinsot.formulations.tree.work import states_block, wrenches_block
from poinsot.formulations.tree.world import world_states
from poinsot.tables.records import N_C, N_Q, N_R
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    world_states(y, layout, work)
    fill_bodies(y, layout, work, row)
    first = layout.bodies.shape[0] * BODY_MOTION
    second = first + layout.sizes[N_C]
    third = second + layout.sizes[N_R]
    joint_coordinates(y, layout, row[first:second])
    joint_rates(y, y[layout.sizes[N_Q] :], layout, row[second:third])
    energies(layout, work[states_block(layout) : wrenches_block(layout)], row[first:second], row[third:])
    return OK
