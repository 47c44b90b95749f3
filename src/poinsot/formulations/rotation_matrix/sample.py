"""Samples of sampled laws, at a state of the rotation-matrix formulation."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_in, end_samples, set_due
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.reactions import applied
from poinsot.formulations.rotation_matrix.twists import set_twists
from poinsot.tables.types import OK, RATE_SIGNATURE, SAMPLED


@compiled(RATE_SIGNATURE)
def sample(t, y, layout, work, room):
    """Call the sampled laws whose time has come; y keeps their samples."""
    if not set_due(t, layout):
        return OK
    at = layout.places[0]
    forces = work[places.forces(at)]
    twists = work[places.twists(at)]
    set_twists(y, layout, twists)
    controls_in(y, layout)
    status = applied(t, y, layout, work, twists, forces, room[:1], True)
    end_samples(layout, y)
    return SAMPLED if status == OK else status
