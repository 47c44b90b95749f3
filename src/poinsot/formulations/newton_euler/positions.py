"""Rates of positions, in space and in a plane alike."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.absolute import places
from poinsot.formulations.newton_euler.attitude import expand, set_rates
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of positions, attitudes and joint angles."""
    at = layout.places[0]
    status = expand(y, layout, work)
    if status == OK:
        set_rates(y, work[places.end(at)], layout, y[places.velocities(at)], ydot)
    return status
