"""The driver of fixed steps, independent of the equations and the method.

A step that fails is retried at half its size, down to `1 / PARTS` of it; positions within the step are counted in
integer parts, so that its end is reached exactly. After a smaller step the size is doubled as soon as the position allows
it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int64, types

from poinsot.algebra.compile import compiled, handed, helper, internal
from poinsot.integrators.addressed import addresses_of, taken
from poinsot.integrators.stages import copy
from poinsot.tables.types import (
    ASKED,
    BUFFERS,
    CORRECTIONS,
    DISTANT,
    FLOATS,
    HALVINGS,
    INTEGERS,
    LAYOUT,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    OPENED,
    PROJECTED,
    RATE,
    RATE_SIGNATURE,
    SAMPLED,
    STEP,
    STEP_SIGNATURE,
    STIFF,
    STIFFNESS,
    WEAKENED,
    Equations,
)

PARTS = 1024  # of a step: the smallest substep is one of them

PROGRESS = types.Tuple((int64, int64, int64, float64))  # status, steps done, outputs written, time of y


class Span(NamedTuple):
    """Steps first to first + count - 1 of a run of fixed steps that began at t0 (s), of size h (s); every stride-th is an output."""

    t0: Any
    h: Any
    first: Any
    count: Any
    stride: Any


class Run(NamedTuple):
    """What steps work on: which of them (a `Span`, or the `Outputs` of adaptive ones), the state, the arrays beside it, the tables of the
    model, and rows for outputs.
    """

    span: Any
    y: Any
    buffers: Any
    layout: Any
    out: Any


class Stepping(NamedTuple):
    """How a step is done: a step, a more expensive one if that fails, and a projection after it."""

    step: Any
    rescue: Any
    project: Any


SPAN = types.NamedTuple((float64, float64, int64, int64, int64), Span)
RUN = types.NamedTuple((SPAN, FLOATS, BUFFERS, LAYOUT, float64[:, ::1]), Run)
MARCHING = (STEP, STEP, RATE, RATE, RATE, RATE, STIFFNESS)  # types of the functions of `march`
march_addresses = addresses_of(*MARCHING)
step_at, rate_at, stiffness_at = taken(STEP), taken(RATE), taken(STIFFNESS)


@handed(STEP_SIGNATURE)
def no_rescue(equations, t, h, y, buffers, layout):
    """Placeholder where there is no more expensive iteration, or it is not compiled yet."""
    return STIFF


@handed(RATE_SIGNATURE)
def no_projection(t, y, layout, work, room):
    """Placeholder for a projection, for equations without constraints, and for samples, where no law is sampled."""
    return OK


@handed(RATE_SIGNATURE)
def no_rate_nearby(t, y, layout, work, ydot):
    """Placeholder for rates nearby, where there are none."""
    return DISTANT


@helper
def counted(status, counters):
    """The status of a projection, counted."""
    if status == WEAKENED:
        counters[ASKED] = 1
        status = PROJECTED
    if status == PROJECTED:
        counters[CORRECTIONS] += 1
    return status


@helper
def projected(project, t, y, buffers, layout, room):
    """Project an accepted state onto its constraints, and count it; returns OK, PROJECTED, or why it failed. `room`: see `capabilities.py`."""
    return counted(project(t, y, layout, buffers.work, room), buffers.counters)


@helper
def time_of(t0, h, k, part):
    """Time at `part` parts of step k: a product, not a sum of steps, so that it does not depend on where a call began."""
    return t0 + (k + part / PARTS) * h


@helper
def whole_step(stepping, equations, span, k, y, buffers, layout):
    """Step number k, in smaller steps if necessary; returns a status and the number of parts of the step completed."""
    part, size = 0, PARTS
    while part < PARTS:
        t, h = time_of(span.t0, span.h, k, part), span.h * (size / PARTS)
        status = stepping.step(equations, t, h, y, buffers, layout)
        if status == STIFF:
            status = stepping.rescue(equations, t, h, y, buffers, layout)
        if status == OK:
            part += size
            status = projected(stepping.project, t + h, y, buffers, layout, buffers.scratch[:0])
            if status not in (OK, PROJECTED):
                return status, part
            if part % (2 * size) == 0:
                size *= 2
        elif (status in (NOT_CONVERGED, NOT_FINITE, OPENED) or (status == STIFF and part > 0)) and size > 1:
            size //= 2
            buffers.counters[HALVINGS] += 1
        else:
            return status, part
    return OK, part


@internal(PROGRESS(*MARCHING, RUN))
def march(step, rescue, project, sample, first, second, stiffness, run):
    """Do the steps of a span; step k goes from t0 + k h to t0 + (k + 1) h.

    Consecutive calls give the same bits as one call.

    Parameters
    ----------
    step : compiled function of the type STEP
    rescue : of the type STEP: the same step by a more expensive iteration, tried when `step` returns STIFF; or `no_rescue`
    project : of the type RATE: projects an accepted state onto its constraints (see `capabilities.py`), or `no_projection`
    sample : of the type RATE: calls sampled laws after a whole step, when their time has come; or `no_projection`
    first, second, stiffness : of the types RATE, RATE, STIFFNESS: what the step works with
    run : span, of the whole run, and which steps of it;
        y, (ny,) state, changed in place;
        buffers: `constants` of the Method, `memory(ny)` zeros at the start of a run, `scratch(ny)` numbers, the formulation's `work`, and
        (N_COUNTERS,) counts that are added to;
        layout of the formulation;
        out, (rows, ny) outputs, y after the steps numbered stride - 1, 2 stride - 1, ... of the run; when it is full the call
        returns before the next step that would write

    Returns
    -------
    status : OK, or why the last step failed; then y is the last good state
    steps, outputs : steps done and outputs written in this call; fewer than `count` steps, too, when counters[ASKED] is set
    t : time of y, s
    """
    stepping, equations = Stepping(step, rescue, project), Equations(first, second, stiffness)
    span, y, buffers, layout, out = run
    outputs, begin = 0, span.first
    for k in range(begin, begin + span.count):
        due = (k + 1) % span.stride == 0
        if due and outputs == out.shape[0]:
            return OK, k - begin, outputs, time_of(span.t0, span.h, k, 0)
        status, part = whole_step(stepping, equations, span, k, y, buffers, layout)
        if status == OK:
            status = sample(time_of(span.t0, span.h, k + 1, 0), y, layout, buffers.work, buffers.scratch)
        if status not in (OK, SAMPLED):
            return status, k - begin, outputs, time_of(span.t0, span.h, k, part)
        if due:
            copy(y, out[outputs])
            outputs += 1
        if buffers.counters[ASKED] != 0:
            return OK, k + 1 - begin, outputs, time_of(span.t0, span.h, k + 1, 0)
    return OK, span.count, outputs, time_of(span.t0, span.h, begin + span.count, 0)


@compiled(PROGRESS(INTEGERS, RUN))
def march_at(a, run):
    """`march` with its functions given by their addresses, `march_addresses`."""
    return march(
        step_at(a[0], a[1]),
        step_at(a[2], a[3]),
        rate_at(a[4], a[5]),
        rate_at(a[6], a[7]),
        rate_at(a[8], a[9]),
        rate_at(a[10], a[11]),
        stiffness_at(a[12], a[13]),
        run,
    )
