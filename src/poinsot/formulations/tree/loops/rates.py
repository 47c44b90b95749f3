"""Rates of the closed tree, and the projection of accepted states.

State y: coordinates and rates of the spanning tree, unwrapped coordinates of joints that close loops, the pivot at the last look at the
rows in use (`weak_rows.py`), what controllers keep, work.
"""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.tree.loops.configuration import loose_rates
from poinsot.formulations.tree.loops.dynamics import accelerate_closed
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.formulations.tree.loops.projection import put_back
from poinsot.formulations.tree.loops.projection_limits import is_near
from poinsot.formulations.tree.loops.seen import place_seen
from poinsot.formulations.tree.motion import coordinate_rates
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of the coordinates of the tree."""
    coordinate_rates(y, layout, ydot)
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of the tree, rates of the loose coordinates and of controllers, and the power of the loads.

    Near a singular position they are taken beside y, on the constraints (`near_singular`).
    """
    at = layout.places[0]
    state, last = y, ydot.shape[0] - 1
    set_clock(layout, t)
    if near_singular(y, layout):
        state = work[places.end(at)]
        copy(y, state)
        if put_back(t, state, layout, work, False) != OK:
            copy(y, state)
    place_seen(state, layout, work)
    status = apply_closed_loads(t, state, layout, work, True, ydot[last:])
    if status == OK:
        status = accelerate_closed(state, layout, work, ydot, ydot[last:])
        loose_rates(layout, work, ydot)
    ydot[at.efforts] = 0.0
    controls_out(layout, 1, ydot)
    return status


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints."""
    return accepted(put_back(t, y, layout, work, is_near(room)), y, layout, work)
