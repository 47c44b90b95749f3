"""The kernels of all variants: a state tells which one it belongs to (`places.py`), so that they are compiled once."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.planar.chain import tree_state
from poinsot.formulations.planar.places import variant_of
from poinsot.formulations.planar.rates import chain_rates, turn_by_momenta, turn_by_rates
from poinsot.formulations.planar.states import convert, from_tree, keep_turns
from poinsot.formulations.tree.observe import observe_motion as observe_tree_motion
from poinsot.tables.types import RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of attitudes, where the state has rates."""
    return turn_by_rates(y, layout, ydot, variant_of(y, layout))


@compiled(RATE_SIGNATURE)
def position_rate_by_momenta(t, y, layout, work, ydot):
    """Rates of attitudes, where the state has momenta."""
    return turn_by_momenta(y, layout, work, ydot, variant_of(y, layout))


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Derivatives of rates or momenta."""
    return chain_rates(t, y, layout, work, ydot, variant_of(y, layout))


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Does not change attitudes: keeps the turns of the joints after a step, and leaves the state of the tree in `work`."""
    return keep_turns(y, layout, work, variant_of(y, layout))


@compiled(RATE_SIGNATURE)
def pack(t, tree, layout, work, y):
    """A state from a state of the tree; the turns in y tell its variant."""
    return from_tree(tree, layout, work, y, variant_of(y, layout))


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Motion rows, by the tree's kernel."""
    convert(y, layout, work, variant_of(y, layout))
    return observe_tree_motion(t, work[tree_state(layout)], layout, work, row)
