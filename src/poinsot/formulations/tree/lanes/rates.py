"""The right-hand side of the tree for several variants at once.

The work array holds that of the tree for all lanes, then that of one lane with its state, for its loads, and the power of these.
"""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import compiled, helper, internal
from poinsot.algebra.lane_arrays import lane_array
from poinsot.algebra.vectors import load3
from poinsot.formulations.tree.folding import resting_ground
from poinsot.formulations.tree.forward import elimination
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.motion import coordinate_rates
from poinsot.formulations.tree.work import EXTERNAL_FORCE, efforts_block, room_block, world_block
from poinsot.tables.lane_tables import lane_links, layout_of
from poinsot.tables.records import N_ROOM, N_V, N_VALUES, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE

EXTERNAL = 6  # numbers of the external wrench of a link


@helper
def take(wide, lane, own):
    """The numbers of one lane."""
    for k in range(own.shape[0]):
        own[k] = wide[LANES * k + lane]


@helper
def give(own, first, count, lane, wide):
    """Numbers first to first + count - 1 of one lane among those of all lanes."""
    for k in range(first, first + count):
        wide[LANES * k + lane] = own[k]


@internal(int64(float64, int64, FLOATS, LAYOUT, FLOATS, FLOATS))
def loads_of_lane(t, lane, y, layout, work, powers):
    """Efforts and external wrenches of all loads of one lane, written to `work`; layout is its own. Its entry of `powers` becomes their power (W)."""
    efforts, size = efforts_block(layout), room_block(layout) + layout.sizes[N_ROOM]
    state = (LANES + 1) * size
    end = state + y.shape[0] // LANES
    single, own_work, report = work[state:end], work[LANES * size : state], work[end : end + 1]
    take(y, lane, single)
    status = apply_loads(t, single, layout, own_work, report)
    if status != OK:
        return status
    powers[lane] = report[0]
    give(own_work, efforts, layout.sizes[N_V], lane, work)
    if layout.sizes[N_WRENCHES] > 0:
        for i in range(layout.links.shape[0]):
            give(own_work, world_block(layout, i) + EXTERNAL_FORCE, EXTERNAL, lane, work)
    return OK


@helper
def no_loads(layout, work, powers):
    """No efforts in any lane."""
    efforts = efforts_block(layout)
    for k in range(LANES * efforts, LANES * (efforts + layout.sizes[N_V])):
        work[k] = 0.0
    for lane in range(LANES):
        powers[lane] = 0.0


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of all coordinates."""
    coordinate_rates(lane_array(y, 0), layout_of(layout, 0), lane_array(ydot, 0))
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """v' by forward dynamics, and the power of non-conservative loads as the last entry."""
    first, wide, powers = layout_of(layout, 0), lane_array(work, 0), ydot[ydot.shape[0] - LANES :]
    no_loads(first, work, powers)
    if first.loads.shape[0] > 0:
        for lane in range(LANES):
            status = loads_of_lane(t, lane, y, layout_of(layout, lane), work, powers)
            if status != OK:
                return status
    n = layout.sizes[N_VALUES]
    for lane in range(LANES):  # gravity of every lane, where nothing else of the ground's block is
        for k in range(3):
            work[LANES * k + lane] = layout.values[lane * n + k]
    resting_ground(load3(wide, 0), wide)
    elimination(lane_array(y, 0), lane_links(layout, first), first, False, wide, lane_array(ydot, 0))
    return OK
