"""Rates of positions, in space and in a plane alike."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.rates import angle_rates
from poinsot.formulations.rotation_matrix.twists import set_twists
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of positions and directors, which stand in the state, and of the joints' angles."""
    at = layout.places[0]
    twists = work[places.twists(at)]
    set_twists(y, layout, twists)
    angle_rates(y, layout, twists, ydot[at.angles : at.angles + at.n_angles])
    copy(y[places.velocities(at)], ydot[: at.n_velocities])
    return OK
