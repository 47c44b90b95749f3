"""The kernels of one variant, compiled when they are asked for: the general ones with the variant as a constant."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from poinsot.algebra.compile import compiled
from poinsot.formulations.planar.chain import tree_state
from poinsot.formulations.planar.observe import convert, from_tree, keep_turns, to_tree
from poinsot.formulations.planar.rates import attitude_rates, chain_rates
from poinsot.formulations.tree.observe import observe_motion as observe_tree_motion
from poinsot.tables.types import RATE_SIGNATURE


def named(variant: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give the kernel of a variant a name of its own: kernels that other processes compiled and cached on disk are told apart by their names
    alone, so that of two variants with one name a process that loads both would run only one.
    """

    def name(kernel: Callable[..., Any]) -> Callable[..., Any]:
        kernel.__qualname__ = f"{kernel.__qualname__}_{variant}"
        return kernel

    return name


@cache
def position_rate(variant: int) -> Any:
    """Rates of attitudes."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def position_rate(t, y, layout, work, ydot):
        return attitude_rates(y, layout, work, ydot, variant)

    return position_rate


@cache
def velocity_rate(variant: int) -> Any:
    """Derivatives of rates or momenta."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def velocity_rate(t, y, layout, work, ydot):
        return chain_rates(t, y, layout, work, ydot, variant)

    return velocity_rate


@cache
def project(variant: int) -> Any:
    """Does not change attitudes: keeps the turns of the joints after a step."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def project(t, y, layout, work, room):
        return keep_turns(y, layout, work, variant)

    return project


@cache
def pack(variant: int) -> Any:
    """A state from a state of the tree."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def pack(t, tree, layout, work, y):
        return from_tree(tree, layout, work, y, variant)

    return pack


@cache
def unpack(variant: int) -> Any:
    """A state of the tree from a state."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def unpack(t, y, layout, work, tree):
        return to_tree(y, layout, work, tree, variant)

    return unpack


@cache
def observe_motion(variant: int) -> Any:
    """Motion rows, by the tree's kernel."""

    @compiled(RATE_SIGNATURE)
    @named(variant)
    def observe_motion(t, y, layout, work, row):
        convert(y, layout, work, variant)
        return observe_tree_motion(t, work[tree_state(layout)], layout, work, row)

    return observe_motion
