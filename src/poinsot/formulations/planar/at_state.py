"""Kernels of one variant that most runs do not need: loads and reactions, accelerations and efforts at a state, samples of laws."""

from __future__ import annotations

from functools import cache
from typing import Any

from poinsot.algebra.compile import compiled
from poinsot.formulations.planar.chain import tree_state
from poinsot.formulations.planar.kernels import named
from poinsot.formulations.planar.observe import convert, take_samples
from poinsot.formulations.planar.rates import chain_acceleration
from poinsot.formulations.tree.at_state import SIGNATURE
from poinsot.formulations.tree.at_state import inverse as tree_inverse
from poinsot.formulations.tree.reactions import observe_loads as observe_tree_loads
from poinsot.tables.types import RATE_SIGNATURE


@cache
def observe_loads(variant: int) -> Any:
    """Loads rows, by the tree's kernel."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def observe_loads(t, y, layout, work, row):
        convert(y, layout, work, variant)
        return observe_tree_loads(t, work[tree_state(layout)], layout, work, row)

    return observe_loads


@cache
def acceleration(variant: int) -> Any:
    """Accelerations at a state."""

    @compiled(SIGNATURE)
    @named(variant)
    def acceleration(t, y, effort, layout, work, result):
        return chain_acceleration(t, y, effort, layout, work, result, variant)

    return acceleration


@cache
def inverse(variant: int) -> Any:
    """Efforts at a state, by the tree's kernel."""

    @compiled(SIGNATURE)
    @named(variant)
    def inverse(t, y, accelerations, layout, work, result):
        convert(y, layout, work, variant)
        return tree_inverse(t, work[tree_state(layout)], accelerations, layout, work, result)

    return inverse


@cache
def sample(variant: int) -> Any:
    """Samples of sampled laws."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def sample(t, y, layout, work, room):
        return take_samples(t, y, layout, work, room, variant)

    return sample
