"""The right-hand side of the tree at several stages of one step, one stage per lane.

All lanes have the same tables, so that records of single numbers do. The work array is that of `rates.py`, then the time of every lane.
"""

from __future__ import annotations

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import compiled
from poinsot.algebra.lane_arrays import lane_array
from poinsot.formulations.tree.folding import still_ground
from poinsot.formulations.tree.forward import elimination
from poinsot.formulations.tree.lanes.rates import loads_of_lane, no_loads
from poinsot.formulations.tree.motion import coordinate_rates
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def stage_position_rate(t, y, layout, work, ydot):
    """Rates of all coordinates."""
    coordinate_rates(lane_array(y, 0), layout, lane_array(ydot, 0))
    return OK


@compiled(RATE_SIGNATURE)
def stage_velocity_rate(t, y, layout, work, ydot):
    """v' by forward dynamics, and the power of non-conservative loads as the last entry. Times are those at the end of `work`, not t."""
    wide, powers, times = lane_array(work, 0), ydot[ydot.shape[0] - LANES :], work[work.shape[0] - LANES :]
    no_loads(layout, work, powers)
    if layout.loads.shape[0] > 0:
        for lane in range(LANES):
            status = loads_of_lane(times[lane], lane, y, layout, work, powers)
            if status != OK:
                return status
    still_ground(layout, wide)
    elimination(lane_array(y, 0), layout.links, layout, False, wide, lane_array(ydot, 0))
    return OK
