"""Loads and reactions at a state."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.planar.chain import tree_state
from poinsot.formulations.planar.places import variant_of
from poinsot.formulations.planar.states import convert
from poinsot.formulations.tree.reactions import observe_loads as observe_tree_loads
from poinsot.tables.types import RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Loads rows, by the tree's kernel."""
    convert(y, layout, work, variant_of(y, layout))
    return observe_tree_loads(t, work[tree_state(layout)], layout, work, row)
