"""A planar step on which the iteration fails, in space by Newton's method."""

from __future__ import annotations

from math import nan

from poinsot.algebra.compile import compiled
from poinsot.formulations.absolute import places
from poinsot.formulations.directors.energy_momentum_memory import KNOWN
from poinsot.formulations.directors.energy_momentum_newton import newton_step
from poinsot.tables.types import STEP_SIGNATURE


@compiled(STEP_SIGNATURE)
def plane_rescue(equations, t, h, y, buffers, layout):
    """One step in space; of the type STEP. Steps before it do not predict it, nor does it predict the next: they have other unknowns.

    Gaps of rows in space are not those at the end of the last step, which knew those in the plane only.
    """
    at = layout.places[0]
    buffers.memory[KNOWN] = 0.0
    buffers.work[places.end(at)][0] = 1e300
    buffers.work[at.unknowns] = nan  # where the iteration in the plane ended is not known in space
    status = newton_step(equations, t, h, y, buffers, layout)
    buffers.memory[KNOWN] = 0.0
    return status
