"""The driver of adaptive steps, for explicit methods with an embedded error estimate and dense output.

Outputs are at uniformly spaced times and do not influence the steps, except that the last one ends a step. Everything a
later call needs is in `memory`, so that consecutive calls, however short, give the same bits as one
call.

E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993): size of the first step
and error norm, section II.4; continuous extension, section II.6; error from two estimators, section II.10. The control
of the step size is the one of their programs DOPRI5 and DOP853, with other numbers for the latter (`dop853.py`): Solving
Ordinary Differential Equations II, 2nd ed. (1996), section IV.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import float64, int64, types

from poinsot.algebra.compile import compiled, handed, helper
from poinsot.elements.feedback import next_sample
from poinsot.integrators.addressed import addresses_of, taken
from poinsot.integrators.capabilities import NEAR
from poinsot.integrators.explicit import (
    ATOL,
    BETA,
    COARSE_ERROR,
    DENSE,
    ERROR,
    GROW,
    HEADER,
    ORDER,
    RTOL,
    SAFETY,
    SHRINK,
    STAGES,
    WIDTH,
    Step,
    evaluate_stages,
)
from poinsot.integrators.march import PROGRESS, Run, projected, rate_at
from poinsot.integrators.stages import RatePair, all_finite, copy, full_rate, rate_beside, shifted, weighted_sum
from poinsot.tables.types import (
    ASKED,
    BUFFERS,
    DISTANT,
    FLOATS,
    GIMBAL_LOCK,
    INTEGERS,
    LAYOUT,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    OPENED,
    PROJECTED,
    QUICK,
    QUICK_SIGNATURE,
    RATE,
    REJECTIONS,
    SAMPLED,
    SINGULAR,
    STEPS,
    WEAKENED,
)

# positions in memory; after them: the rate at y, the state at the beginning of the last step, the rows of its interpolant
STARTED, TIME, SIZE, LAST_ERROR, REJECTED, BEGIN, LENGTH = 0, 1, 2, 3, 4, 5, 6
MEMORY_HEADER = 8

FIXED_ROWS = 3  # of the interpolant: determined by the values and slopes at both ends
LEAST_ERROR = 1e-4  # smallest error stored by the step-size control
OF_WORK = 1e3  # times what is allowed of states: a power may change twice as fast, so that its error of order p is 2^p times theirs
FAILED_SHRINK = 0.25  # when the error of a step could not be evaluated
SMALLEST_SIZE = 1e-13  # of a step, relative to the time
SMALLEST_PART = 1e-30  # relative to the whole run
LARGEST_PART = 1 / 500  # the same where users' functions or signals act, so that steps do not pass over a pulse at rest



class Outputs(NamedTuple):
    """A run from t0 (s) with outputs every `step` s; the next output has the number `first` (from 1), the last one of the run `last`;
    at most `count` steps are accepted in one call.
    """

    t0: Any
    step: Any
    first: Any
    last: Any
    count: Any


OUTPUTS = types.NamedTuple((float64, float64, int64, int64, int64), Outputs)
ADAPTIVE_RUN = types.NamedTuple((OUTPUTS, FLOATS, BUFFERS, LAYOUT, float64[:, ::1]), Run)
ADAPTIVE_SIGNATURE = PROGRESS(RATE, RATE, RATE, RATE, RATE, QUICK, ADAPTIVE_RUN)
DRIVER = types.FunctionType(ADAPTIVE_SIGNATURE)
drive_addresses = addresses_of(DRIVER, RATE, RATE, RATE, RATE, RATE, QUICK)
drive_at, quick_at = taken(DRIVER), taken(QUICK)


def interpolant_rows(constants: np.ndarray) -> int:
    """Number of rows of the interpolant of a method."""
    width = int(constants[WIDTH])
    return FIXED_ROWS + (len(constants) - HEADER) // width - width - DENSE


def memory_size(constants: np.ndarray) -> Callable[[int], int]:
    """Length of `memory` as a function of the length of y."""
    rows = interpolant_rows(constants)
    return lambda ny: MEMORY_HEADER + (2 + rows) * ny


def scratch_size(constants: np.ndarray) -> Callable[[int], int]:
    """Length of `scratch` as a function of the length of y."""
    width = int(constants[WIDTH])
    return lambda ny: (3 + width) * ny


@handed(QUICK_SIGNATURE)
def nothing_quick(task, t, y, layout, work, room):
    """Placeholder for a `Quick`, where there is none."""
    return DISTANT


@helper
def scaled_norm(x, y, end, method):
    """Root of the mean square of x, each component relative to atol + rtol max(|y|, |end|); without the work."""
    n = x.size - 1
    total = 0.0
    for j in range(n):
        allowed = method[ATOL] + method[RTOL] * max(abs(y[j]), abs(end[j]))
        if allowed > 0.0:
            ratio = x[j] / allowed
            total += ratio * ratio
        elif x[j] != 0.0:
            return math.inf
    return math.sqrt(total / max(n, 1))


@helper
def work_error(change, y, end, method, times):
    """An error of the work, the last number of a state, relative to what is allowed of it: `times` what is allowed of others."""
    allowed = times * (method[ATOL] + method[RTOL] * max(abs(y[y.size - 1]), abs(end[y.size - 1])))
    return abs(change) / allowed if allowed > 0.0 else 0.0


@helper
def error_norm(h, y, end, method, table, rates, spare):
    """Error of a step relative to what is allowed; a second, coarse estimator (zero if there is none) stabilises the first."""
    width = table.shape[1]
    weighted_sum(table[width + ERROR], rates, 0, y.size, spare)
    fine = max(scaled_norm(spare, y, end, method), work_error(spare[y.size - 1], y, end, method, OF_WORK))
    weighted_sum(table[width + COARSE_ERROR], rates, 0, y.size, spare)
    coarse = max(scaled_norm(spare, y, end, method), work_error(spare[y.size - 1], y, end, method, OF_WORK))
    if fine == 0.0:
        return 0.0
    return abs(h) * fine * fine / math.sqrt(fine * fine + 0.01 * coarse * coarse)


@helper
def first_size(kernels, t, most, y, rate, room, layout, buffers):
    """Size of the first step: small enough for an explicit Euler step, and for the curvature seen by it; `room` for two states."""
    method, (stage, trial) = buffers.method, room
    d0 = scaled_norm(y, y, y, method)
    d1 = scaled_norm(rate, y, y, method)
    h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, most)
    shifted(y, h, rate, 0, y.size, stage)
    status = full_rate(kernels, t + h, stage, layout, buffers.work, buffers.counters, trial)
    if status != OK or not all_finite(trial):
        return h
    for j in range(y.size):
        trial[j] -= rate[j]
    d2 = scaled_norm(trial, y, y, method) / h
    steepest = max(d1, d2)
    if steepest <= 1e-15:
        return min(max(1e-6, 1e-3 * h), most)
    return min(100.0 * h, (0.01 / steepest) ** (1.0 / method[ORDER]), most)


@helper
def control(method, memory, h, error):
    """Whether a step of size h is accepted; sets the size of the next one."""
    order, beta = method[ORDER], method[BETA]
    factor = error ** (1.0 / order - 0.75 * beta)
    if error > 1.0:
        memory[SIZE] = h * max(method[SHRINK], method[SAFETY] / factor)
        memory[REJECTED] = 1.0
        return False
    if beta > 0.0:
        factor /= memory[LAST_ERROR] ** beta
    growth = min(method[GROW], max(method[SHRINK], method[SAFETY] / factor)) if factor > 0.0 else method[GROW]
    if memory[REJECTED] != 0.0:
        growth = min(growth, 1.0)
    memory[SIZE] = h * growth
    memory[LAST_ERROR] = max(error, LEAST_ERROR)
    memory[REJECTED] = 0.0
    return True


@helper
def shrink(h, memory, counters):
    """The next step is smaller, after one of size h of which a stage could not be evaluated, or whose end is not near the constraints."""
    counters[REJECTIONS] += 1
    memory[SIZE] = FAILED_SHRINK * h
    memory[REJECTED] = 1.0


@helper
def prepare_interpolant(h, table, stages, rates, rows):
    """Rows r of the interpolant y + x (r0 + (1 - x) (r1 + x (r2 + (1 - x) (r3 + ...)))), x from 0 to 1 over the step; r0 is there."""
    for j in range(rows.shape[1]):
        difference = rows[0, j]
        rows[1, j] = h * rates[0, j] - difference
        rows[2, j] = 2.0 * difference - h * (rates[0, j] + rates[stages, j])
    for k in range(FIXED_ROWS, rows.shape[0]):
        weighted_sum(table[table.shape[1] + DENSE + k - FIXED_ROWS], rates, 0, rows.shape[1], rows[k])
        for j in range(rows.shape[1]):
            rows[k, j] *= h


@helper
def interpolate(x, base, rows, out):
    """State at the fraction x of the step."""
    last = rows.shape[0] - 1
    for j in range(base.size):
        value = 0.0
        for k in range(last, -1, -1):
            value = (value + rows[k, j]) * (x if k % 2 == 0 else 1.0 - x)
        out[j] = base[j] + value


@handed(ADAPTIVE_SIGNATURE)
def march_adaptive(position_rate, velocity_rate, nearby, project, sample, quick, run):
    """Continue a run of adaptive steps to its end, t0 + last step, by at most `count` steps.

    Parameters
    ----------
    position_rate, velocity_rate, nearby, project : compiled functions of the type RATE; the third is that of a `Nearby`, or `no_rate_nearby`, and the
        last projects accepted states and outputs onto
        their constraints (see `capabilities.py`), or is `no_projection`
    sample : of the type RATE: calls sampled laws when their time has come, which steps end at exactly; or `no_projection`
    quick : of the type QUICK, not used here: that of a `Quick`, or `nothing_quick`
    run : span, the `Outputs`: when the run began and its outputs are; output k is at t0 + k step;
        y, (ny,) state, changed in place: at the end of the last accepted step, which may be ahead of the last output;
        buffers: `constants` of the Method, `memory(ny)` zeros at the start of a run, `scratch(ny)` numbers, the formulation's `work`, and
        (N_COUNTERS,) counts that are added to;
        layout of the formulation;
        out, (rows, ny) outputs; when it is full the call returns

    Returns
    -------
    status : OK, or why not even the smallest step was accepted; then y is the last good state
    steps, outputs : accepted steps and outputs written in this call; the run is complete when output `last` is written
    t : time of y, s
    """
    outputs_at, y, buffers, layout, out = run
    t0, output_step, first, last, count = outputs_at
    method, memory, scratch, work, counters = buffers
    ny = y.size
    width, stages = int(method[WIDTH]), int(method[STAGES])
    table = method[HEADER:].reshape(((method.size - HEADER) // width, width))
    rate = memory[MEMORY_HEADER : MEMORY_HEADER + ny]
    base = memory[MEMORY_HEADER + ny : MEMORY_HEADER + 2 * ny]
    rows = memory[MEMORY_HEADER + 2 * ny :].reshape(((memory.size - MEMORY_HEADER) // ny - 2, ny))
    blocks = scratch[: (3 + width) * ny].reshape((3 + width, ny))
    stage, end, spare, rates = blocks[0], blocks[1], blocks[2], blocks[3:]
    kernels, t_end = RatePair(position_rate, velocity_rate), t0 + last * output_step
    watched = layout.addresses.shape[0] > 0 or layout.drives.shape[0] > 0
    largest = (LARGEST_PART if watched else 1.0) * (t_end - t0)
    judged_by_end = table[width + ERROR, stages] != 0.0 or table[width + COARSE_ERROR, stages] != 0.0

    if memory[STARTED] == 0.0:  # at the output before the first: the start, or an event
        begin = t0 + (first - 1) * output_step
        status = full_rate(kernels, begin, y, layout, work, counters, rate)
        if status == OK and not all_finite(rate):
            status = NOT_FINITE
        if status != OK:
            return status, 0, 0, begin
        memory[TIME] = begin
        memory[SIZE] = first_size(kernels, begin, t_end - begin, y, rate, (stage, spare), layout, buffers)
        memory[LAST_ERROR] = LEAST_ERROR
        memory[STARTED] = 1.0

    steps, outputs, reason = 0, 0, NOT_CONVERGED
    while True:
        t = memory[TIME]
        while first + outputs <= last and t0 + (first + outputs) * output_step <= t:
            if outputs == out.shape[0]:
                return OK, steps, outputs, t
            due = t0 + (first + outputs) * output_step
            if due == t:
                copy(y, out[outputs])
            else:
                interpolate((due - memory[BEGIN]) / memory[LENGTH], base, rows, out[outputs])
                status = project(due, out[outputs], layout, work, spare[:0])
                if status not in (OK, PROJECTED, WEAKENED):
                    return status, steps, outputs, t
            outputs += 1
        if t >= t_end or steps == count:
            return OK, steps, outputs, t

        h = min(memory[SIZE], largest)
        t_new = t + h
        if not (h >= SMALLEST_SIZE * abs(t) and h >= SMALLEST_PART * (t_end - t0)):  # also true for NaN
            return reason, steps, outputs, t
        if t + 1.01 * h >= t_end:
            h, t_new = t_end - t, t_end
        t_sample = next_sample(t, layout)
        if t_sample < t_new or (t_sample < t_end and t + 1.01 * h >= t_sample):
            h, t_new = t_sample - t, t_sample

        copy(rate, rates[0])
        status = evaluate_stages(kernels, Step(t, h, table), (1, stages), y, rates, stage, layout, buffers)
        error = math.nan
        if status == OK:
            weighted_sum(table[stages], rates, 0, ny, end)
            shifted(y, h, end, 0, ny, end)
            if judged_by_end:
                status = full_rate(kernels, t_new, end, layout, work, counters, rates[stages])
        if status == OK:
            error = error_norm(h, y, end, method, table, rates, spare)
            if not (math.isfinite(error) and all_finite(end)):
                status = NOT_FINITE
        if status in (NOT_CONVERGED, NOT_FINITE, SINGULAR, GIMBAL_LOCK):  # stages may lie anywhere; smaller steps keep them near
            shrink(h, memory, counters)
            reason = status
            continue
        if status != OK:
            return status, steps, outputs, t
        if not control(method, memory, h, error):
            counters[REJECTIONS] += 1
            reason = NOT_CONVERGED
            continue

        due = first + outputs <= last and t0 + (first + outputs) * output_step < t_new
        if due:
            for j in range(ny):
                rows[0, j] = end[j] - y[j]
        spare[0] = NEAR  # the last stage is at the end of the step
        status = projected(project, t_new, end, buffers, layout, spare)
        if status == PROJECTED and judged_by_end:
            status = rate_beside(kernels, nearby, t_new, end, layout, buffers, rates[stages])
        elif status == PROJECTED or (status == OK and not judged_by_end):
            status = full_rate(kernels, t_new, end, layout, work, counters, rates[stages])
        if status == OK and not all_finite(rates[stages]):
            status = NOT_FINITE
        if status == OK and due:
            status = evaluate_stages(kernels, Step(t, h, table), (stages + 1, width), y, rates, stage, layout, buffers)
            prepare_interpolant(h, table, stages, rates, rows)
            copy(y, base)
        if status in (NOT_CONVERGED, NOT_FINITE, OPENED, SINGULAR, GIMBAL_LOCK):  # too far from the constraints, or none of them is met nearby
            shrink(h, memory, counters)
            reason = status
            continue
        if status == OK:
            status = sample(t_new, end, layout, work, spare)
        if status == SAMPLED:
            status = full_rate(kernels, t_new, end, layout, work, counters, rates[stages])
        if status != OK:
            return status, steps, outputs, t
        copy(end, y)
        copy(rates[stages], rate)
        memory[BEGIN], memory[LENGTH], memory[TIME] = t, h, t_new
        steps += 1
        counters[STEPS] += 1
        if counters[ASKED] != 0:
            return OK, steps, outputs, t_new


@compiled(PROGRESS(INTEGERS, ADAPTIVE_RUN))
def march_adaptive_at(a, run):
    """`march_adaptive`, or another driver with its signature, given with its functions by their addresses, `drive_addresses`."""
    drive, quick = drive_at(a[0], a[1]), quick_at(a[12], a[13])
    return drive(rate_at(a[2], a[3]), rate_at(a[4], a[5]), rate_at(a[6], a[7]), rate_at(a[8], a[9]), rate_at(a[10], a[11]), quick, run)
