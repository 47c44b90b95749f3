"""Samples of sampled laws, at a state of the closed tree."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import end_samples, set_due
from poinsot.formulations.tree.loops.configuration import place_bodies
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.tables.types import OK, RATE_SIGNATURE, SAMPLED


@compiled(RATE_SIGNATURE)
def sample(t, y, layout, work, room):
    """Call the sampled laws whose time has come; y keeps their samples."""
    if not set_due(t, layout):
        return OK
    place_bodies(y, layout, work)
    status = apply_closed_loads(t, y, layout, work, True, room[:1])
    end_samples(layout, y)
    return SAMPLED if status == OK else status
