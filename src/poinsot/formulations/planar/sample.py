"""Samples of sampled laws, at a state of a planar chain."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import end_samples, set_due
from poinsot.formulations.planar.chain import tree_state
from poinsot.formulations.planar.places import variant_of
from poinsot.formulations.planar.states import convert
from poinsot.formulations.tree.loads import apply_loads
from poinsot.tables.types import OK, RATE_SIGNATURE, SAMPLED


@compiled(RATE_SIGNATURE)
def sample(t, y, layout, work, room):
    """Call the sampled laws whose time has come; y keeps their samples."""
    if not set_due(t, layout):
        return OK
    convert(y, layout, work, variant_of(y, layout))
    status = apply_loads(t, work[tree_state(layout)], layout, work, room[:1])
    end_samples(layout, y)
    return SAMPLED if status == OK else status
