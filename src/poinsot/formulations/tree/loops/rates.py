"""Rates of the closed tree, and the projection of accepted states.

State y: coordinates and rates of the spanning tree, unwrapped coordinates of joints that close loops, the pivot at the last look at the
rows in use (`weak_rows.py`), what controllers keep, work.
"""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.around import NARROW, Around, rate_around
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.tree.loops.around import fastest_turn, rate_aside, rate_at, step_aside
from poinsot.formulations.tree.loops.projection import put_back
from poinsot.formulations.tree.loops.projection_limits import is_near
from poinsot.formulations.tree.motion import coordinate_rates
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of the coordinates of the tree."""
    coordinate_rates(y, layout, ydot)
    return OK


@helper
def go_beside(t, y, layout, work, state):
    """The state nearest to y on the constraints; y itself where there is none."""
    copy(y, state)
    if put_back(t, state, layout, work, False) != OK:
        copy(y, state)


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of the tree, rates of the loose coordinates and of controllers, and the power of the loads.

    Near a singular position they are taken beside y, on the constraints (`near_singular`), and next to it around y (`around.py`).
    """
    set_clock(layout, t)
    state = y
    if near_singular(y, layout):
        state = work[places.end(layout.places[0])]
        go_beside(t, y, layout, work, state)
        if work[layout.places[0].pivot] < NARROW:
            if rate_around(Around(step_aside, rate_aside), t, y, layout, work, fastest_turn(y, layout), ydot):
                return OK
            if step_aside(t, y, layout, work, 0.0) == 0.0:
                go_beside(t, y, layout, work, state)
    return rate_at(t, state, layout, work, ydot)


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints."""
    return accepted(put_back(t, y, layout, work, is_near(room)), y, layout, work)
