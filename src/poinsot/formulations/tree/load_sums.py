"""Efforts and wrenches of all loads of the tree, load by load, whatever finds the states of bodies that they need."""

from __future__ import annotations

from math import isfinite

from numba import float64, int64

from poinsot.algebra.compile import internal
from poinsot.algebra.vectors import ZERO, store3
from poinsot.elements.feedback import controls_in
from poinsot.elements.wrenches import apply_wrench, is_wrench
from poinsot.formulations.tree.joint_loads import feedback, is_sane, joint_load
from poinsot.formulations.tree.work import efforts_block, room_block, states_block, wrenches_block
from poinsot.tables.records import N_V, N_WRENCHES, ON_LOADS
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, NOT_FINITE, OK


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def sum_loads(t, y, layout, work, report):
    """Joint efforts of all loads and wrenches on bodies, whose states are in `work` where loads need them; see `apply_loads`."""
    efforts = efforts_block(layout)
    for k in range(layout.sizes[N_V]):
        work[efforts + k] = 0.0
    total = 0.0
    n = layout.loads.shape[0]
    states, pushes, room = states_block(layout), wrenches_block(layout), room_block(layout)
    controls_in(y, layout)
    if layout.sizes[N_WRENCHES] > 0:
        for k in range(pushes, efforts):
            work[k] = 0.0
    for k in range(n):
        load = layout.loads[k]
        effort, power = ZERO, 0.0
        if load.acts == ON_LOADS:
            power = feedback(load, t, y, layout, work)
        elif is_wrench(load):
            effort, power = apply_wrench(load, t, layout, work[states:pushes], work[pushes:efforts], work[room:])
        else:
            effort, power = joint_load(load, t, y, layout, work)
        if not isfinite(power) and load.address >= 0:
            return CALLBACK if is_sane(y) else NOT_FINITE
        total += power
        if report.shape[0] > 1:
            store3(report, 1 + 4 * k, effort)
            report[4 + 4 * k] = power
    report[0] = total
    return OK
