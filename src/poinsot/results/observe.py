"""From raw states to rows that speak of bodies and joints: one compiled loop for every formulation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.errors import CallbackError
from poinsot.layout.blame import blamed
from poinsot.layout.callbacks import Callback
from poinsot.tables.records import Layout
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE


@compiled(int64(RATE, FLOATS, float64[:, ::1], LAYOUT, FLOATS, float64[:, ::1]))
def observe_all(observe, t, states, layout, work, rows):
    """Call an observation on every state; returns the number of the first that failed, or how many there are."""
    for k in range(t.shape[0]):
        if observe(t[k], states[k], layout, work, rows[k]) != OK:
            return k
    return t.shape[0]


def observe(
    kernel: object,
    width: int,
    t: np.ndarray,
    states: np.ndarray,
    layout: Layout,
    work: int,
    callbacks: Sequence[Callback] = (),
) -> np.ndarray:
    """Rows (n, width) of all states. A user's function that fails at one of them is a CallbackError, caused by its own exception."""
    rows = np.empty((len(t), width))
    times, states = np.ascontiguousarray(t), np.ascontiguousarray(states)
    done = observe_all(kernel, times, states, layout, np.zeros(work), rows)
    if done < len(t):
        when = f"when asked for the output at t = {t[done]:.9g} s"
        if not callbacks:
            raise CallbackError(f"numbers are not finite {when}")
        last = slice(done, done + 1)
        who, error = blamed(
            callbacks,
            layout,
            lambda new: observe_all(kernel, times[last], states[last], new, np.zeros(work), rows[last]),
        )
        raise CallbackError(f"{who} failed {when}: {type(error).__name__}: {error}") from error
    return rows
