"""From raw states to rows of body and joint quantities: one compiled loop for every formulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.errors import CallbackError
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE

if TYPE_CHECKING:
    from poinsot.layout.callbacks import Callback
    from poinsot.tables.records import Layout

BLOCK = 1_000_000  # numbers of states processed in one call


@compiled(int64(RATE, FLOATS, float64[:, ::1], LAYOUT, FLOATS, float64[:, ::1]))
def observe_all(observe, t, states, layout, work, rows):
    """Call an observation on every state; returns the index of the first that failed, or their number."""
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
    """Rows (n, width) of all states. A user's function that fails raises a CallbackError, caused by its own exception."""
    rows, space = np.empty((len(t), width)), np.zeros(work)
    size = max(1, BLOCK // max(1, states.shape[1]))
    for first in range(0, len(t), size):
        part = slice(first, first + size)
        times, some = np.array(t[part], float), np.array(states[part], float, order="C")  # copies, since kernels take no read-only arrays
        done = observe_all(kernel, times, some, layout, space, rows[part])
        if done < len(times):
            _fail(kernel, times[done : done + 1], some[done : done + 1], layout, space, rows[:1].copy(), callbacks)
    return rows


def _fail(
    kernel: object,
    t: np.ndarray,
    state: np.ndarray,
    layout: Layout,
    work: np.ndarray,
    row: np.ndarray,
    callbacks: Sequence[Callback],
) -> None:
    """Raise the error at one output."""
    from poinsot.layout.blame import (
        find_failed_function,  # imported here, so that kernels of this module do not depend on it
    )

    when = f"when evaluated for the output at t = {t[0]:.9g} s"
    if not callbacks:
        raise CallbackError(f"some results are not finite {when}")
    who, error = find_failed_function(callbacks, layout, lambda new: observe_all(kernel, t, state, new, work, row))
    raise CallbackError(f"{who} failed {when}: {type(error).__name__}: {error}") from error
