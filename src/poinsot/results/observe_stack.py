"""Rows of states that belong to several systems, whose tables differ in numbers."""

from __future__ import annotations

import numpy as np
from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.tables.records import Layout
from poinsot.tables.stacks import STACK, Stack, own_tables, put
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE


@compiled(int64(RATE, FLOATS, float64[:, ::1], LAYOUT, STACK, FLOATS, float64[:, ::1]))
def observe_systems(observe, t, states, layout, stack, work, rows):
    """Call an observation on every state, as many of each system; returns the index of the first that failed, or their number.

    Tables of the systems are written to the layout.
    """
    count = t.shape[0] // stack.values.shape[0]
    for s in range(stack.values.shape[0]):
        put(layout, stack, s)
        for k in range(s * count, (s + 1) * count):
            if observe(t[k], states[k], layout, work, rows[k]) != OK:
                return k
    return t.shape[0]


def observe(kernel: object, width: int, t: np.ndarray, states: np.ndarray, layout: Layout, stack: Stack, work: int) -> np.ndarray | None:
    """Rows (n, width) of all states; None where some cannot be computed."""
    rows = np.empty((len(t), width))
    done = observe_systems(kernel, np.array(t, float), np.array(states, float, order="C"), own_tables(layout), stack, np.zeros(work), rows)
    return rows if done == len(t) else None
