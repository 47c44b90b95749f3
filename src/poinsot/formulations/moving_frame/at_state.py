"""Forward dynamics at one state by the moving-frame method; inverse dynamics is the tree's."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.moving_frame.rates import accelerations
from poinsot.formulations.tree.at_state import SIGNATURE, inverse
from poinsot.formulations.tree.coordinates import joint_rates, link_rates
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.work import efforts_block, slots_block, spare_block
from poinsot.tables.records import N_Q
from poinsot.tables.types import OK

__all__ = ["acceleration", "inverse"]


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    spare = work[spare_block(layout) : slots_block(layout)]
    status = apply_loads(t, y, layout, work, spare[:1])
    if status != OK:
        return status
    if effort.shape[0] > 0:
        link_rates(y, effort, layout, work[efforts_block(layout) : spare_block(layout)])
    accelerations(y, layout, work, spare)
    joint_rates(y, spare[layout.sizes[N_Q] :], layout, result)
    return OK
