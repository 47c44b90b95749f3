"""Several layouts that differ in numbers alone: tables that differ, one above the other, beside the layout that has all the others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from poinsot.algebra.compile import helper
from poinsot.tables.records import Layout, empty_layout


class Stack(NamedTuple):
    """Tables of a layout with one more axis, the first, for its systems; see `Layout`."""

    bodies: Any
    links: Any
    values: Any
    plane_links: Any


STACK = types.NamedTuple([types.Array(numba.typeof(getattr(empty_layout(), name)).dtype, 2, "C") for name in Stack._fields], Stack)


def stack_of(layout: Layout, tables: dict[str, np.ndarray], count: int) -> Stack:
    """Tables of `count` systems; those that do not differ are repeated."""
    return Stack(*(np.ascontiguousarray(tables.get(name, np.repeat(getattr(layout, name)[None], count, axis=0))) for name in Stack._fields))


def own_tables(layout: Layout) -> Layout:
    """The same layout with its own copies of those tables that systems of a stack are written to."""
    return layout._replace(**{name: getattr(layout, name).copy() for name in Stack._fields})


@helper
def put(layout, stack, k):
    """Write the tables of system k to a layout."""
    for j in range(layout.bodies.shape[0]):
        layout.bodies[j] = stack.bodies[k, j]
    for j in range(layout.links.shape[0]):
        layout.links[j] = stack.links[k, j]
    for j in range(layout.values.shape[0]):
        layout.values[j] = stack.values[k, j]
    for j in range(layout.plane_links.shape[0]):
        layout.plane_links[j] = stack.plane_links[k, j]
