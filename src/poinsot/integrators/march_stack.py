"""Many runs whose tables differ in numbers, one after the other in one call: `march_many` and `march_many_adaptive` with a stack of tables."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import int64, types

from poinsot.algebra.compile import compiled
from poinsot.integrators.adaptive import march_adaptive, nothing_quick
from poinsot.integrators.adaptive_many import MANY_ADAPTIVE
from poinsot.integrators.march import Run, march
from poinsot.integrators.march_many import MANY_RUNS, clear, keep_counters
from poinsot.tables.stacks import STACK, put
from poinsot.tables.types import OK, RATE, STEP, STIFF, STIFFNESS


class Systems(NamedTuple):
    """What runs of several systems work on: a `Many`, and their tables."""

    many: Any
    stack: Any


SYSTEMS = types.NamedTuple((MANY_RUNS, STACK), Systems)
SYSTEMS_ADAPTIVE = types.NamedTuple((MANY_ADAPTIVE, STACK), Systems)


@compiled(int64(STEP, STEP, RATE, RATE, RATE, RATE, STIFFNESS, SYSTEMS))
def march_stack(step, rescue, project, sample, first, second, stiffness, systems):
    """As `march_many`, every run with its own tables, which are written to the layout."""
    span, states, buffers, layout, out, statuses, counters = systems.many
    rows = out.shape[0] // states.shape[0]
    for k in range(states.shape[0]):
        clear(buffers)
        put(layout, systems.stack, k)
        run = Run(span, states[k], buffers, layout, out[k * rows : (k + 1) * rows])
        status, steps, outputs, t = march(step, rescue, project, sample, first, second, stiffness, run)
        statuses[k] = STIFF if status == OK and (steps < span.count or outputs < rows) else status
        keep_counters(buffers.counters, counters[k])
    return states.shape[0]


@compiled(int64(RATE, RATE, RATE, RATE, SYSTEMS_ADAPTIVE))
def march_stack_adaptive(position_rate, velocity_rate, project, sample, systems):
    """As `march_many_adaptive`, every run with its own tables, which are written to the layout."""
    outputs_at, states, buffers, layout, out, statuses, counters = systems.many
    rows = out.shape[0] // states.shape[0]
    for k in range(states.shape[0]):
        clear(buffers)
        put(layout, systems.stack, k)
        run = Run(outputs_at, states[k], buffers, layout, out[k * rows : (k + 1) * rows])
        status, steps, outputs, t = march_adaptive(position_rate, velocity_rate, velocity_rate, project, sample, nothing_quick, run)
        statuses[k] = STIFF if status == OK and outputs < rows else status
        keep_counters(buffers.counters, counters[k])
    return states.shape[0]
