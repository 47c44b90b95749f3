"""Many runs of fixed steps in lanes: groups of LANES runs are marched side by side, one group after the other in one call."""

from __future__ import annotations

from numba import int64

from poinsot.algebra.compile import compiled
from poinsot.integrators.march import time_of
from poinsot.integrators.march_many import MANY_RUNS, clear, keep_counters
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE, STEP, STIFFNESS, Equations


@compiled(int64(STEP, RATE, RATE, STIFFNESS, MANY_RUNS))
def march_lanes(step, first, second, stiffness, many):
    """Do the steps of a span with every group of runs; states, outputs and counters are those of groups. Returns the number of groups.

    A step that is not OK in all lanes ends its group: what a retry with a smaller step did to one lane would reach the others.
    So as long as the status of a group is OK, every lane has the bits that it has beside any others.
    """
    equations = Equations(first, second, stiffness)
    span, states, buffers, layout, out, statuses, counters = many
    rows = out.shape[0] // states.shape[0]
    for g in range(states.shape[0]):
        clear(buffers)
        y, status, outputs = states[g], OK, 0
        for k in range(span.first, span.first + span.count):
            status = step(equations, time_of(span.t0, span.h, k, 0), span.h, y, buffers, layout)
            if status != OK:
                break
            if (k + 1) % span.stride == 0:
                copy(y, out[g * rows + outputs])
                outputs += 1
        statuses[g] = status
        keep_counters(buffers.counters, counters[g])
    return states.shape[0]
