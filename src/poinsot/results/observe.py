"""From raw states to rows that speak of bodies and joints: one compiled loop for every formulation."""

from __future__ import annotations

import numpy as np
from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.errors import CallbackError
from poinsot.tables.records import Layout
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE

BLOCK = 1_000_000  # numbers of states that are looked at in one call


@compiled(int64(RATE, FLOATS, float64[:, ::1], LAYOUT, FLOATS, float64[:, ::1]))
def observe_all(observe, t, states, layout, work, rows):
    """Call an observation on every state; returns the number of the first that failed, or how many there are."""
    for k in range(t.shape[0]):
        if observe(t[k], states[k], layout, work, rows[k]) != OK:
            return k
    return t.shape[0]


def observe(kernel: object, width: int, t: np.ndarray, states: np.ndarray, layout: Layout, work: int) -> np.ndarray:
    """Rows (n, width) of all states. A user's function that fails at one of them is an error."""
    rows, space = np.empty((len(t), width)), np.zeros(work)
    size = max(1, BLOCK // max(1, states.shape[1]))
    for first in range(0, len(t), size):
        part = slice(first, first + size)
        times = np.array(t[part])  # copies, since kernels take no read-only arrays
        done = observe_all(kernel, times, np.array(states[part], order="C"), layout, space, rows[part])
        if done < len(times):
            raise CallbackError(
                f"a user's function did not return finite numbers when asked for the output at t = {times[done]:.9g} s"
            )
    return rows
