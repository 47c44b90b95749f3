"""Many runs of adaptive steps that differ in their initial states, one after the other in one call, without Python between them."""

from __future__ import annotations

from numba import float64, int64, types

from poinsot.algebra.compile import compiled
from poinsot.integrators.adaptive import OUTPUTS, march_adaptive, nothing_quick
from poinsot.integrators.march import Run
from poinsot.integrators.march_many import Many, clear, keep_counters
from poinsot.tables.types import BUFFERS, INTEGERS, LAYOUT, OK, RATE, STIFF

MANY_ADAPTIVE = types.NamedTuple((OUTPUTS, float64[:, ::1], BUFFERS, LAYOUT, float64[:, ::1], INTEGERS, int64[:, ::1]), Many)


@compiled(int64(RATE, RATE, RATE, RATE, MANY_ADAPTIVE))
def march_many_adaptive(position_rate, velocity_rate, project, sample, many):
    """Run every state to the last output; arguments as those of `march_adaptive`, results as those of `march_many`."""
    outputs_at, states, buffers, layout, out, statuses, counters = many
    rows = out.shape[0] // states.shape[0]
    for k in range(states.shape[0]):
        clear(buffers)
        run = Run(outputs_at, states[k], buffers, layout, out[k * rows : (k + 1) * rows])
        status, steps, outputs, t = march_adaptive(position_rate, velocity_rate, velocity_rate, project, sample, nothing_quick, run)
        statuses[k] = STIFF if status == OK and outputs < rows else status
        keep_counters(buffers.counters, counters[k])
    return states.shape[0]
