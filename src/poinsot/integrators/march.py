"""The driver of fixed steps: it knows neither the equations nor the method.

A step that fails is retried at half its size, down to `1 / PARTS` of it; positions within the step are counted in
integer parts, so that its end is met exactly. After a smaller step the size is doubled as soon as the position allows
it.
"""

from __future__ import annotations

from numba import float64, int64, types

from poinsot.algebra.compile import compiled, helper
from poinsot.integrators.stages import copy
from poinsot.tables.types import (
    ASKED,
    CORRECTIONS,
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
    STEP,
    STEP_SIGNATURE,
    STIFF,
    STIFFNESS,
)

PARTS = 1024  # of a step: the smallest substep is one of them

PROGRESS = types.Tuple((int64, int64, int64, float64))  # status, steps done, outputs written, time of y
MARCH_SIGNATURE = PROGRESS(
    STEP,
    STEP,
    RATE,
    RATE,
    STIFFNESS,
    RATE,
    float64,
    float64,
    int64,
    int64,
    int64,
    FLOATS,
    FLOATS,
    FLOATS,
    FLOATS,
    LAYOUT,
    FLOATS,
    INTEGERS,
    float64[:, ::1],
)


@compiled(STEP_SIGNATURE)
def no_rescue(position_rate, velocity_rate, stiffness, t, h, y, method, memory, scratch, layout, work, counters):
    """In place of a dearer iteration, where there is none or it is not compiled yet."""
    return STIFF


@compiled(RATE_SIGNATURE)
def no_projection(t, y, layout, work, room):
    """In place of a projection, for equations without constraints."""
    return OK


@helper
def projected(project, t, y, layout, work, room, counters):
    """Put an accepted state back onto its constraints, and count it; returns OK, PROJECTED, or why it failed."""
    status = project(t, y, layout, work, room)
    if status == PROJECTED:
        counters[CORRECTIONS] += 1
    return status


@helper
def time_of(t0, h, k, part):
    """Time at so many parts of step k: a product, not a sum of steps, so that it does not depend on where a call began."""
    return t0 + (k + part / PARTS) * h


@helper
def whole_step(
    step, rescue, position_rate, velocity_rate, stiffness, project, t0, h, k, y, method, memory, scratch, layout, work, counters
):
    """Step number k, in smaller steps where it must; returns a status and the parts of the step that y has gone."""
    part, size = 0, PARTS
    while part < PARTS:
        t, part_h = time_of(t0, h, k, part), h * (size / PARTS)
        status = step(
            position_rate,
            velocity_rate,
            stiffness,
            t,
            part_h,
            y,
            method,
            memory,
            scratch,
            layout,
            work,
            counters,
        )
        if status == STIFF:
            status = rescue(
                position_rate,
                velocity_rate,
                stiffness,
                t,
                part_h,
                y,
                method,
                memory,
                scratch,
                layout,
                work,
                counters,
            )
        if status == OK:
            part += size
            status = projected(project, t + part_h, y, layout, work, scratch, counters)
            if status not in (OK, PROJECTED):
                return status, part
            if part % (2 * size) == 0:
                size *= 2
        elif (status in (NOT_CONVERGED, NOT_FINITE, OPENED) or (status == STIFF and part > 0)) and size > 1:
            size //= 2
            counters[HALVINGS] += 1
        else:
            return status, part
    return OK, part


@compiled(MARCH_SIGNATURE)
def march(
    step,
    rescue,
    position_rate,
    velocity_rate,
    stiffness,
    project,
    t0,
    h,
    first,
    count,
    stride,
    y,
    method,
    memory,
    scratch,
    layout,
    work,
    counters,
    out,
):
    """Do the steps first to first + count - 1 of a run of fixed steps; step k goes from t0 + k h to t0 + (k + 1) h.

    Calls that continue each other give the same bits as one call.

    Parameters
    ----------
    step, position_rate, velocity_rate, stiffness : compiled functions of the types STEP, RATE, RATE, STIFFNESS
    project : of the type RATE: puts an accepted state back onto its constraints (see `capabilities.py`), or `no_projection`
    rescue : of the type STEP: the same step by a dearer iteration, tried when `step` returns STIFF; or `no_rescue`
    t0, h : start of the whole run (not of this call), s, and size of its steps, s
    first, count : number of the first step of this call, and how many
    stride : y is written to `out` after the steps numbered stride - 1, 2 stride - 1, ... of the run
    y : (ny,) state, changed in place
    method, memory, scratch : `constants` of the Method, `memory(ny)` zeros at the start of a run, `scratch(ny)` numbers
    layout, work, counters : of the formulation, and (N_COUNTERS,) counts that are added to
    out : (rows, ny) outputs; when it is full the call returns before the next step that would write

    Returns
    -------
    status : OK, or why the last step failed; then y is the last good state
    steps, outputs : steps done and outputs written in this call; fewer than `count` steps, too, when counters[ASKED] is set
    t : time of y, s
    """
    outputs = 0
    for k in range(first, first + count):
        due = (k + 1) % stride == 0
        if due and outputs == out.shape[0]:
            return OK, k - first, outputs, time_of(t0, h, k, 0)
        status, part = whole_step(
            step,
            rescue,
            position_rate,
            velocity_rate,
            stiffness,
            project,
            t0,
            h,
            k,
            y,
            method,
            memory,
            scratch,
            layout,
            work,
            counters,
        )
        if status != OK:
            return status, k - first, outputs, time_of(t0, h, k, part)
        if due:
            copy(y, out[outputs])
            outputs += 1
        if counters[ASKED] != 0:
            return OK, k + 1 - first, outputs, time_of(t0, h, k + 1, 0)
    return OK, count, outputs, time_of(t0, h, first + count, 0)
