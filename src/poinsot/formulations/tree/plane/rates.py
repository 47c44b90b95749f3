"""The right-hand side of planar trees: q' = v, and v' from forward dynamics in the plane."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_out
from poinsot.formulations.tree.load_sums import sum_loads
from poinsot.formulations.tree.motion import loads_place
from poinsot.formulations.tree.plane.bodies import collect_wrenches, fill_states
from poinsot.formulations.tree.plane.folding import accelerate_links, fold_links, weigh
from poinsot.formulations.tree.plane.motion import place_links
from poinsot.tables.records import N_Q, N_WRENCHES
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of all coordinates."""
    nq = layout.sizes[N_Q]
    for k in range(nq):
        ydot[k] = y[nq + k]
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """v' by forward dynamics, rates of controllers, and the power of non-conservative loads as the last entry."""
    last = ydot.shape[0] - 1
    place_links(y, layout, work)
    if loads_place(layout):
        fill_states(layout, work)
    status = sum_loads(t, y, layout, work, ydot[last:])
    if status != OK:
        return status
    if layout.sizes[N_WRENCHES] > 0:
        collect_wrenches(layout, work)
    weigh(layout, work)
    fold_links(layout, work)
    accelerate_links(layout, work, ydot)
    controls_out(layout, 1, ydot)
    return OK
