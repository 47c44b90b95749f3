"""Accelerations of bodies and reactions of joints, at a state of the tree."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.algebra.vectors import increase3, load3
from poinsot.formulations.tree.forward import forward_dynamics
from poinsot.formulations.tree.joint_wrenches import accelerations, pass_on, required_wrench
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.work import slots_block, spare_block
from poinsot.formulations.tree.world import world_states
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    nb, nj = layout.bodies.shape[0], layout.joints.shape[0]
    reactions, report = 6 * nb, 6 * (nb + nj)
    status = apply_loads(t, y, layout, work, row[report:])
    if status != OK:
        return status
    forward_dynamics(y, layout, work, work[spare_block(layout) : slots_block(layout)])
    world_states(y, layout, work)
    for b in range(nb):
        accelerations(b, layout, work, row)
    for k in range(reactions, report):
        row[k] = 0.0
    for k in range(nb - 1, 0, -1):
        b = layout.bodies[k].order
        pass_on(b, layout, work, row, reactions, required_wrench(b, layout, work, row))
    gravity = load3(layout.values, 0)
    for b in range(nb):
        increase3(row, 6 * b, gravity)
    return OK
