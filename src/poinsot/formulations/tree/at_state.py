"""Forward and inverse dynamics at one state, in the rates of the joints."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.formulations.tree.coordinates import joint_rates, link_rates
from poinsot.formulations.tree.forward import forward_dynamics
from poinsot.formulations.tree.inverse import inverse_dynamics
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.work import efforts_block, slots_block, spare_block
from poinsot.tables.records import N_Q
from poinsot.tables.types import FLOATS, LAYOUT, OK

SIGNATURE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    spare = work[spare_block(layout) : slots_block(layout)]
    status = apply_loads(t, y, layout, work, spare[:1])
    if status != OK:
        return status
    if effort.shape[0] > 0:
        link_rates(y, effort, layout, work[efforts_block(layout) : spare_block(layout)])
    forward_dynamics(y, layout, work, spare)
    joint_rates(y, spare[layout.sizes[N_Q] :], layout, result)
    return OK


@compiled(SIGNATURE)
def inverse(t, y, accelerations, layout, work, result):
    """Efforts conjugate to the joint rates that give the accelerations, under the wrenches of the loads on bodies."""
    spare = work[spare_block(layout) : slots_block(layout)]
    status = apply_loads(t, y, layout, work, spare[:1])
    if status != OK:
        return status
    efforts = work[efforts_block(layout) : spare_block(layout)]
    link_rates(y, accelerations, layout, spare)
    inverse_dynamics(y, spare, layout, work, efforts)
    joint_rates(y, efforts, layout, result)
    return OK
