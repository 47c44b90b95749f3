"""Feedbacks among the loads: kernels collect what a law needs, call it, and put its efforts where its inputs take them from.

What a law needs stands in a `raw` array: the addresses of the law and of its target, then the states of bodies (`states.py`), then coordinates
and rates of motions. All the rest, from results and controller states to limits and samples, is done by one kernel that is called
through its address (`feedback_kernel.py`), so that only models with a feedback compile it.

In `layout.members` a feedback has the bodies that it sees, then TAIL numbers, then the motions that it sees, then for every effort the
place in `layout.values` where its input takes it from.
"""

from __future__ import annotations

from math import floor, inf, isfinite, nan

from poinsot.algebra.compile import helper, kernel
from poinsot.elements.call import call_address
from poinsot.elements.states import BODY_STATE
from poinsot.tables.feedback_block import H_PERIOD, H_SAMPLING
from poinsot.tables.records import N_CONTROL, N_FEEDBACKS

# numbers behind the bodies of a feedback in `layout.members`
F_KERNEL, F_TARGET, F_MOTIONS, F_EFFORTS, F_CONTROL, F_CONTROLS, F_STATE = range(7)  # F_TARGET: position in `addresses`, or -1
TAIL = 7
RAW_HEAD = 2  # numbers at the head of the raw array
ON_TIME, ROUNDING = 1e-9, 1e-15  # of the period, and of the time: how far from a multiple of the period a sample is taken


@kernel
def tail_of(load):
    """Position of the numbers of a feedback in `layout.members`."""
    return load.item + load.items


@kernel
def motion_place(load, k):
    """Position of its motion number k in the raw array: the coordinate, then the rate."""
    return RAW_HEAD + BODY_STATE * load.items + 2 * k


@helper
def see_bodies(load, layout, states, raw):
    """Collect the states of the bodies that a feedback sees."""
    for k in range(load.items):
        first, place = BODY_STATE * layout.members[load.item + k], RAW_HEAD + BODY_STATE * k
        for i in range(BODY_STATE):
            raw[place + i] = states[first + i]


@helper
def feed_back(load, t, layout, raw):
    """Call a law with what was collected; its inputs take its efforts. Returns 0, or NaN when the law failed."""
    tail = tail_of(load)
    head = layout.members[tail : tail + TAIL]
    motions, efforts = head[F_MOTIONS], head[F_EFFORTS]
    raw[0] = float(layout.addresses[load.address])
    raw[1] = float(layout.addresses[head[F_TARGET]]) if head[F_TARGET] >= 0 else 0.0
    out = raw[motion_place(load, motions) :]
    out[0] = 0.0
    call_address(head[F_KERNEL], t, raw, layout.values[load.value :], out)
    for k in range(efforts):
        if not isfinite(out[k]):
            return nan
        layout.values[layout.members[tail + TAIL + motions + k]] = out[k]
    return 0.0


@helper
def set_due(t, layout):
    """Ask sampled laws whose time has come for a sample; returns whether there are any. A multiple of the period is met up to rounding."""
    due = False
    for k in range(layout.sizes[N_FEEDBACKS]):
        block = layout.loads[k].value
        period = layout.values[block + H_PERIOD]
        if period > 0.0:
            away = abs(t - period * floor(t / period + 0.5))
            if away <= ON_TIME * period + ROUNDING * abs(t):
                layout.values[block + H_SAMPLING] = 1.0
            due |= layout.values[block + H_SAMPLING] != 0.0
    return due


@helper
def next_sample(t, layout):
    """Time of the next sample after t (s); infinity where there is none."""
    found = inf
    for k in range(layout.sizes[N_FEEDBACKS]):
        period = layout.values[layout.loads[k].value + H_PERIOD]
        if period > 0.0:
            found = min(found, period * (floor(t / period + ON_TIME + ROUNDING * abs(t) / period) + 1.0))
    return found


@helper
def end_samples(layout, y):
    """Keep the samples that were taken in the state y."""
    controls_out(layout, 0, y)
    for k in range(layout.sizes[N_FEEDBACKS]):
        layout.values[layout.loads[k].value + H_SAMPLING] = 0.0


@helper
def controls_in(y, layout):
    """Hand what controllers keep in a state y over to them."""
    first = y.shape[0] - 1 - layout.sizes[N_CONTROL]
    for k in range(layout.sizes[N_FEEDBACKS]):
        tail = tail_of(layout.loads[k])
        place, count, own = layout.members[tail + F_CONTROL], layout.members[tail + F_CONTROLS], layout.members[tail + F_STATE]
        for i in range(count):
            layout.values[place + i] = y[first + own + i]


@helper
def controls_out(layout, block, y):
    """Copy what controllers keep (`block` 0), or the rates of that (1), to where it stands in a state or in its derivative."""
    first = y.shape[0] - 1 - layout.sizes[N_CONTROL]
    for k in range(layout.sizes[N_FEEDBACKS]):
        tail = tail_of(layout.loads[k])
        place, count, own = layout.members[tail + F_CONTROL], layout.members[tail + F_CONTROLS], layout.members[tail + F_STATE]
        for i in range(count):
            y[first + own + i] = layout.values[place + block * count + i]
