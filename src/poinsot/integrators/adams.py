"""Adams methods of variable order, 2 to 13, with variable steps: adaptive only, with dense output. Conserves nothing exactly.

Two rates per step, however accurate: one at the predicted state, one at the corrected state, once that is put back onto its constraints. The
predictor has order k from 1 to 12, and the corrector order k + 1. Outputs need no further rates. A run begins with order 1 and small
steps, and so does every part of it after a sample of a controller.

L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations: The Initial Value Problem (1975): control of order and
step size; formulas: `adams_formulas.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from poinsot.algebra.compile import handed, helper
from poinsot.elements.feedback import next_sample
from poinsot.integrators.adams_formulas import (
    HIGHEST,
    PER_ORDER,
    between,
    errors_of_orders,
    predict,
    take,
    weights,
    wide,
)
from poinsot.integrators.adaptive import (
    ADAPTIVE_SIGNATURE,
    FAILED_SHRINK,
    LARGEST_PART,
    SIZE,
    SMALLEST_PART,
    SMALLEST_SIZE,
    STARTED,
    TIME,
    first_size,
    scaled_norm,
    work_error,
)
from poinsot.integrators.capabilities import ONCE, QUICK_NEARBY, QUICK_PROJECT, QUICK_RATE
from poinsot.integrators.contract import Method
from poinsot.integrators.explicit import ATOL, HEADER, RTOL
from poinsot.integrators.march import counted, projected
from poinsot.integrators.stages import all_finite, copy, full_rate, rate_beside
from poinsot.tables.records import N_POSITIONS
from poinsot.tables.types import (
    ASKED,
    DISTANT,
    EVALUATIONS,
    GIMBAL_LOCK,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    OPENED,
    PROJECTED,
    REJECTIONS,
    SAMPLED,
    SINGULAR,
    STEPS,
    WEAKENED,
)

# positions in memory; after them: times of the last steps, the state at the end of the last one, differences of rates
DEGREE, LAST_DEGREE, RISING, AGE, FAILURES, AGAIN = 3, 4, 5, 6, 7, 8  # after those of all adaptive methods
ADAMS_HEADER = 9
DIFFERENCE_ROWS = HIGHEST + 2

OF_WORK_FAR_BACK = 1e4  # as in `adaptive.py`, for errors of order 13
AIM = 0.15  # error of the next step, relative to what is allowed
NEGLIGIBLE = 1e-3  # errors so small, relative to what is allowed, are rounding that says nothing about orders
LEAST_GROWTH, MOST_GROWTH = 1.1, 4.0  # steps grow by a factor between these or not at all: changes cost stability
MOST_SHRINK, LEAST_SHRINK = 0.5, 0.9  # and they shrink by one between these
SMALLER = 0.5  # after an error that is too large
OFTEN = 3  # after so many of them the order becomes 1


def method(rtol: float = 1e-8, atol: float = 1e-10, order: int = HIGHEST) -> Method:
    """Adams methods of variable order.

    Parameters
    ----------
    rtol, atol : error allowed in a step: atol + rtol |y| in each component
    order : largest order of the predictor, 1 to 12
    """
    constants = np.zeros(HEADER + PER_ORDER)
    constants[:HEADER] = 0, order, 2, 0, 0, 0, 0, rtol, atol  # the first step is one of order 1
    constants[HEADER:] = errors_of_orders()
    return Method(
        name="adams",
        order=order + 1,
        step=None,
        constants=constants,
        memory=lambda ny: ADAMS_HEADER + PER_ORDER + ny + DIFFERENCE_ROWS * wide(ny),
        scratch=lambda ny: 4 * PER_ORDER + 4 * ny + DIFFERENCE_ROWS * wide(ny),
        adaptive=True,
        drive=march_adams,
        nearby=True,
        once=True,
        quick=True,
    )


@helper
def norms(k, y, end, change, ahead, method):
    """Norms, as of errors, of `change` and of its sums with P_k-1 and P_k-2; the sums are zero where there is no such order."""
    n, atol, rtol = y.size - 1, method[ATOL], method[RTOL]
    first, second = ahead[k - 1 if k > 1 else 0], ahead[k - 2 if k > 2 else 0]
    none, one, two = 0.0, 0.0, 0.0
    for i in range(n):
        allowed, u = atol + rtol * max(abs(y[i]), abs(end[i])), change[i]
        if allowed > 0.0:
            weight = 1.0 / allowed
            a, b, c = weight * u, weight * (first[i] + u), weight * (second[i] + u)
            none, one, two = none + a * a, one + b * b, two + c * c
        elif u != 0.0:
            none = math.inf
    none, one, two, u = math.sqrt(none / max(n, 1)), math.sqrt(one / max(n, 1)), math.sqrt(two / max(n, 1)), change[n]
    none = max(none, work_error(u, y, end, method, OF_WORK_FAR_BACK))
    one = max(one, work_error(first[n] + u, y, end, method, OF_WORK_FAR_BACK)) if k > 1 else 0.0
    return none, one, max(two, work_error(second[n] + u, y, end, method, OF_WORK_FAR_BACK)) if k > 2 else 0.0


@helper
def judge(h, k, y, end, change, ahead, formulas, method):
    """Errors of a step of size h: with order k; and, if steps were equal, with order k, k - 1 and k - 2. `change` is f - P_0.

    The last result is the size of s_1 ... s_k+1 relative to equal steps, for the error of order k + 1, where there are so many spans.
    """
    (spans, g), least = formulas, method[HEADER:]
    sizes = (0.0, 1.0, 1.0)  # of s_1 ... s_k relative to equal steps: k, k - 1, k - 2
    product = 1.0
    for i in range(1, k + 1):
        product *= i * h / spans[i]
        sizes = (product, sizes[0], sizes[1])
    none, one, two = norms(k, y, end, change, ahead, method)
    error, same = h * none * abs(g[k - 1] - g[k]), h * none * sizes[0] * least[k]
    one_less = h * one * sizes[1] * least[k - 1]
    two_less = h * two * sizes[2] * least[k - 2] if k > 2 else 0.0
    return error, same, one_less, two_less, product


@helper
def lower(k, same, one_less, two_less):
    """Whether order k - 1 is at least as good as k."""
    return (k > 2 and max(one_less, two_less) <= same) or (k == 2 and one_less <= 0.5 * same)


@helper
def choose(h, k, errors, y, end, history, method, memory):
    """Order and size of the next step, after one of order k whose errors `judge` found; `history`: times and differences at its end."""
    (same, one_less, two_less, product), (times, differences) = errors, history
    most = int(method[1])
    down, error = lower(k, same, one_less, two_less), same
    if (down and same > NEGLIGIBLE) or same > 1.0 or k == most:
        memory[RISING] = 0.0
    new = k
    if memory[RISING] != 0.0:
        new, error = k + 1, 0.0
    elif down:
        new, error = k - 1, one_less
    elif k < memory[AGE]:
        size = h * product * (k + 1) * h / (times[0] - times[k + 1])
        highest = differences[k + 1, : y.size]
        norm = max(scaled_norm(highest, y, end, method), work_error(highest[y.size - 1], y, end, method, OF_WORK_FAR_BACK))
        more = size * method[HEADER + k + 1] * norm
        if k > 1 and one_less <= min(same, more):
            new, error = k - 1, one_less
        elif k < most and ((k > 1 and more < same) or (k == 1 and more < 0.5 * same)):
            new, error = k + 1, more
    memory[DEGREE] = new
    growth = (AIM / error) ** (1.0 / (new + 1)) if error > 0.0 and memory[RISING] == 0.0 else MOST_GROWTH
    if growth >= LEAST_GROWTH:
        memory[SIZE] = h * min(growth, MOST_GROWTH)
    elif growth < 1.0:
        memory[SIZE] = h * max(MOST_SHRINK, min(LEAST_SHRINK, growth))
    else:
        memory[SIZE] = h


@helper
def reject(h, shrink, down, memory, counters):
    """A smaller step, of smaller order if `down`; of order 1 after several failures."""
    counters[REJECTIONS] += 1
    memory[RISING] = 0.0
    memory[FAILURES] += 1.0
    if memory[FAILURES] >= OFTEN:
        memory[DEGREE] = 1.0
    elif down:
        memory[DEGREE] -= 1.0
    memory[SIZE] = shrink * h


@helper
def once(moves, layout):
    """Ask a projection for one correction of a state that a corrector has moved by `moves`; gaps that it leaves are left to the next one."""
    farthest = 0.0
    for i in range(layout.sizes[N_POSITIONS]):
        farthest = max(farthest, abs(moves[i]))
    moves[0] = ONCE
    if moves.size > 1:
        moves[1] = farthest


class Kernels(NamedTuple):
    """What steps call: rates, rates nearby, projections, and what takes the place of these where it can."""

    position: Any
    velocity: Any
    nearby: Any
    project: Any
    quick: Any


@helper
def whole_rate(kernels, t, y, layout, buffers, ydot):
    """The rate of the whole state, by the quick kernel where it can; whether it was, and a status."""
    status = kernels.quick(QUICK_RATE, t, y, layout, buffers.work, ydot)
    if status == DISTANT:
        return False, full_rate(kernels, t, y, layout, buffers.work, buffers.counters, ydot)
    buffers.counters[EVALUATIONS] += 1
    return True, status


@helper
def settled(kernels, t, y, layout, buffers, room, rate):
    """Put a corrected state back onto its constraints; its rate, from that at the predicted one. Returns a status."""
    status = projected(kernels.project, t, y, buffers, layout, room)
    return rate_beside(kernels, kernels.nearby, t, y, layout, buffers, rate) if status in (OK, PROJECTED) else status


@helper
def settled_quickly(kernels, t, y, layout, buffers, room, rate):
    """The same after a quick rate. What that left does not serve ordinary kernels: where they are needed they begin anew."""
    status = counted(kernels.quick(QUICK_PROJECT, t, y, layout, buffers.work, room), buffers.counters)
    if status in (OK, PROJECTED):
        status = kernels.quick(QUICK_NEARBY, t, y, layout, buffers.work, rate)
    elif status == DISTANT:
        status = projected(kernels.project, t, y, buffers, layout, room[:0])
        status = DISTANT if status in (OK, PROJECTED) else status
    return whole_rate(kernels, t, y, layout, buffers, rate)[1] if status == DISTANT else status


@helper
def begin_again(t, rate, memory, times, differences):
    """Order 1 from t on, where the rate is known."""
    copy(rate, differences[0])
    for i in range(rate.size):
        differences[1, i] = 0.0
    memory[TIME], memory[DEGREE], memory[LAST_DEGREE] = t, 1.0, 0.0
    memory[RISING], memory[AGE], memory[FAILURES] = 1.0, 0.0, 0.0
    memory[AGAIN], memory[STARTED] = 0.0, 1.0
    times[0] = t


@handed(ADAPTIVE_SIGNATURE)
def march_adams(position_rate, velocity_rate, nearby, project, sample, quick, run):
    """Continue a run of adaptive steps; arguments and results as those of `march_adaptive`. `quick` takes the place of the rates where it can."""
    outputs_at, y, buffers, layout, out = run
    t0, output_step, first, last, count = outputs_at
    method, memory, scratch, work, counters = buffers
    ny = y.size
    times = memory[ADAMS_HEADER : ADAMS_HEADER + PER_ORDER]
    base = memory[ADAMS_HEADER + PER_ORDER : ADAMS_HEADER + PER_ORDER + ny]
    width = (memory.size - ADAMS_HEADER - PER_ORDER - ny) // DIFFERENCE_ROWS
    differences = memory[ADAMS_HEADER + PER_ORDER + ny :].reshape((DIFFERENCE_ROWS, width))
    numbers = scratch[: 4 * PER_ORDER].reshape((4, PER_ORDER))
    spans, g, b, room = numbers[0], numbers[1], numbers[2], numbers[3]
    rows = scratch[4 * PER_ORDER : 4 * PER_ORDER + 4 * ny].reshape((4, ny))
    end, change, spare, rate = rows[0], rows[1], rows[2], rows[3]
    ahead = scratch[4 * PER_ORDER + 4 * ny : 4 * PER_ORDER + 4 * ny + DIFFERENCE_ROWS * width].reshape((DIFFERENCE_ROWS, width))
    kernels, t_end = Kernels(position_rate, velocity_rate, nearby, project, quick), t0 + last * output_step
    watched = layout.addresses.shape[0] > 0 or layout.drives.shape[0] > 0
    largest = (LARGEST_PART if watched else 1.0) * (t_end - t0)

    steps, outputs, reason = 0, 0, NOT_CONVERGED
    if memory[STARTED] == 0.0:  # at the output before the first: the start, or an event
        memory[TIME], memory[AGAIN] = t0 + (first - 1) * output_step, 1.0
    while True:
        t = memory[TIME]
        while memory[STARTED] != 0.0 and first + outputs <= last and t0 + (first + outputs) * output_step <= t:
            if outputs == out.shape[0]:
                return OK, steps, outputs, t
            due = t0 + (first + outputs) * output_step
            if due == t:
                copy(y, out[outputs])
            else:
                between(due, int(memory[LAST_DEGREE]), times, base, differences, g, room, out[outputs])
            status = project(due, out[outputs], layout, work, spare[:0])
            if status not in (OK, PROJECTED, WEAKENED):
                return status, steps, outputs, t
            outputs += 1
        if memory[STARTED] != 0.0 and (t >= t_end or steps == count):
            return OK, steps, outputs, t
        if memory[AGAIN] != 0.0:
            status = full_rate(kernels, t, y, layout, work, counters, rate)
            if status == OK and not all_finite(rate):
                status = NOT_FINITE
            if status != OK:
                return status, steps, outputs, t
            begin_again(t, rate, memory, times, differences)
            memory[SIZE] = first_size(kernels, t, t_end - t, y, rate, (end, spare), layout, buffers)

        h = min(memory[SIZE], largest)
        t_new = t + h
        if not (h >= SMALLEST_SIZE * abs(t) and h >= SMALLEST_PART * (t_end - t0)):  # also true for NaN
            return reason, steps, outputs, t
        if t + 1.01 * h >= t_end:
            h, t_new = t_end - t, t_end
        t_sample = next_sample(t, layout)
        if t_sample < t_new or (t_sample < t_end and t + 1.01 * h >= t_sample):
            h, t_new = t_sample - t, t_sample

        k = int(memory[DEGREE])
        weights(h, times, k, spans, g, b, room)
        predict(h, times, k, y, differences, (spans, g, b), ahead, end)
        is_quick, status = whole_rate(kernels, t_new, end, layout, buffers, change)
        error = same = one_less = two_less = product = math.nan
        if status == OK:
            for i in range(ny):
                change[i] -= ahead[0, i]
            error, same, one_less, two_less, product = judge(h, k, y, end, change, ahead, (spans, g), method)
            if not (math.isfinite(error) and all_finite(change)):
                status = NOT_FINITE
        if status == OK and error > 1.0:
            reason = NOT_CONVERGED
            reject(h, SMALLER, lower(k, same, one_less, two_less), memory, counters)
            continue
        if status == OK:
            for i in range(ny):
                spare[i] = h * g[k] * change[i]
                end[i] += spare[i]
            once(spare, layout)
            for i in range(ny):
                rate[i] = change[i] + ahead[0, i]  # at the predicted state
            if is_quick:
                status = settled_quickly(kernels, t_new, end, layout, buffers, spare, rate)
            else:
                status = settled(kernels, t_new, end, layout, buffers, spare, rate)
            if status == OK and not (all_finite(rate) and all_finite(end)):
                status = NOT_FINITE
        if status in (NOT_CONVERGED, NOT_FINITE, SINGULAR, GIMBAL_LOCK, OPENED):  # too far from where equations exist
            reason = status
            reject(h, FAILED_SHRINK, False, memory, counters)
            continue
        if status != OK:
            return status, steps, outputs, t

        take(t_new, k, rate, ahead, times, differences)
        copy(end, base)
        status = sample(t_new, end, layout, work, spare)
        if status == SAMPLED:
            memory[AGAIN] = 1.0
        elif status != OK:
            return status, steps, outputs, t
        memory[AGE] += 1.0
        choose(h, k, (same, one_less, two_less, product), y, end, (times, differences), method, memory)
        memory[TIME], memory[LAST_DEGREE], memory[FAILURES] = t_new, k, 0.0
        copy(end, y)
        steps += 1
        counters[STEPS] += 1
        if counters[ASKED] != 0:
            return OK, steps, outputs, t_new
