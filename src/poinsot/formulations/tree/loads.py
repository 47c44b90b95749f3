"""All loads of the model as joint efforts and external wrenches of the tree."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import internal
from poinsot.formulations.tree.load_sums import sum_loads
from poinsot.formulations.tree.motion import loads_place
from poinsot.formulations.tree.world import body_state, collect_wrenches, link_states, world_states
from poinsot.tables.records import N_FEEDBACKS, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT, OK


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def apply_loads(t, y, layout, work, report):
    """Efforts and external wrenches of all loads, written to `work`; report[0] becomes the power of non-conservative loads (W).

    When `report` is longer, report[1 + 4 k : 5 + 4 k] becomes effort (3) and power of load k.
    """
    wrenches = layout.sizes[N_WRENCHES] > 0
    if wrenches:
        world_states(y, layout, work)
    elif loads_place(layout):
        link_states(y, layout, work)
        for n in range(layout.sizes[N_FEEDBACKS]):
            load = layout.loads[n]
            for k in range(load.items):
                body_state(layout.members[load.item + k], layout, work)
    status = sum_loads(t, y, layout, work, report)
    if wrenches and status == OK:
        collect_wrenches(layout, work)
    return status
