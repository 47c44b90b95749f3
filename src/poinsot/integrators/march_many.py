"""Many runs of fixed steps that differ in their initial states, one after the other in one call, without Python between them."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int64, types

from poinsot.algebra.compile import compiled, helper
from poinsot.integrators.march import SPAN, Run, march
from poinsot.tables.types import BUFFERS, INTEGERS, LAYOUT, OK, RATE, STEP, STIFF, STIFFNESS


class Many(NamedTuple):
    """What several runs work on: their steps (a `Span`, or the `Outputs` of adaptive ones), the states of all, the arrays and tables that
    they share, rows for the outputs of all, and of each its status and its counters.
    """

    span: Any
    states: Any
    buffers: Any
    layout: Any
    out: Any
    statuses: Any
    counters: Any


MANY_RUNS = types.NamedTuple((SPAN, float64[:, ::1], BUFFERS, LAYOUT, float64[:, ::1], INTEGERS, int64[:, ::1]), Many)


@helper
def clear(buffers):
    """As before the first step of a run."""
    for j in range(buffers.memory.size):
        buffers.memory[j] = 0.0
    for j in range(buffers.scratch.size):
        buffers.scratch[j] = 0.0
    for j in range(buffers.work.size):
        buffers.work[j] = 0.0
    for j in range(buffers.counters.size):
        buffers.counters[j] = 0


@helper
def keep_counters(counters, kept):
    """Counters of a run."""
    for j in range(counters.size):
        kept[j] = counters[j]


@compiled(int64(STEP, STEP, RATE, RATE, RATE, RATE, STIFFNESS, MANY_RUNS))
def march_many(step, rescue, project, sample, first, second, stiffness, many):
    """Do the steps of a span with every state; arguments as those of `march`. Returns the number of runs.

    The status of a run is OK when all of its steps are done, otherwise anything else: then it must be computed by `march`, which tells
    why it stopped, or goes on in another way. Bits are those of `march`.
    """
    span, states, buffers, layout, out, statuses, counters = many
    rows = out.shape[0] // states.shape[0]
    for k in range(states.shape[0]):
        clear(buffers)
        run = Run(span, states[k], buffers, layout, out[k * rows : (k + 1) * rows])
        status, steps, outputs, t = march(step, rescue, project, sample, first, second, stiffness, run)
        statuses[k] = STIFF if status == OK and (steps < span.count or outputs < rows) else status
        keep_counters(buffers.counters, counters[k])
    return states.shape[0]
