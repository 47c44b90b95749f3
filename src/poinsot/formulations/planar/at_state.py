"""Forward and inverse dynamics at one state, in the rates of the joints."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.planar.chain import tree_state
from poinsot.formulations.planar.places import variant_of
from poinsot.formulations.planar.rates import chain_acceleration
from poinsot.formulations.planar.states import convert
from poinsot.formulations.tree.at_state import SIGNATURE
from poinsot.formulations.tree.at_state import inverse as tree_inverse


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    return chain_acceleration(t, y, effort, layout, work, result, variant_of(y, layout))


@compiled(SIGNATURE)
def inverse(t, y, accelerations, layout, work, result):
    """Efforts that give the accelerations, by the tree's kernel."""
    convert(y, layout, work, variant_of(y, layout))
    return tree_inverse(t, work[tree_state(layout)], accelerations, layout, work, result)
