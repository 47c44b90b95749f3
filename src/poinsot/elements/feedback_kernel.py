"""The kernel of a feedback: results that the law sees, the call of the law, limits, samples and controller states.

It works on the block of a feedback in `layout.values`, which `layout/feedback.py` fills:

    head (BLOCK_HEAD), parameters, readings (READ each), frames of joints (FRAMES each), limits (BOUND each: least, largest, factor),
    what the controller keeps (of a sampled law: x, efforts, states; of a continuous one: states), the rates of that, then the same
    for the stages of a step (STAGE_ROOM times), x and states as the law gets them, efforts and rates of states as it gives them
"""

from __future__ import annotations

from functools import cache
from math import isfinite, nan
from typing import Any

from numba import carray, cfunc, types

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply, apply_transposed, load33, matmul, store33, transpose
from poinsot.algebra.quaternions import from_matrix, store4
from poinsot.algebra.vectors import add, cross, load3, store3, sub
from poinsot.elements.call import call_address
from poinsot.elements.serial_call import FAR, POINTER
from poinsot.elements.signals import polynomials_at
from poinsot.elements.states import ATTITUDE, ORIGIN, SPIN, VELOCITY
from poinsot.tables.feedback_block import (
    BLOCK_HEAD,
    BOUND,
    H_CONTROL,
    H_DEGREE,
    H_EFFORTS,
    H_LIMITS,
    H_PERIOD,
    H_PIECES,
    H_READINGS,
    H_READS,
    H_ROOM,
    H_SAMPLING,
    H_SEEN,
    H_SIZE,
    H_STATES,
    H_TARGET,
    R_FIRST,
    R_KIND,
    R_PICK,
    R_POINT,
    R_SECOND,
    R_SIGN,
    READ,
    SECOND_FRAME,
    SEE_BODY_SPIN,
    SEE_COORDINATE,
    SEE_COORDINATE_RATE,
    SEE_PLACE,
    SEE_QUATERNION,
    SEE_ROTATION,
    SEE_SHIFT,
    SEE_SHIFT_RATE,
    SEE_SPIN,
    SEE_TURN,
    SEE_TURN_RATE,
)


@helper
def joint_frame(raw, place, block, frame):
    """Axes, origin, its velocity, and angular velocity of a joint frame on a body."""
    A = load33(raw, place + ATTITUDE)
    arm = apply(A, load3(block, frame + 9))
    spin = load3(raw, place + SPIN)
    axes = matmul(A, load33(block, frame))
    return axes, add(load3(raw, place + ORIGIN), arm), add(load3(raw, place + VELOCITY), cross(spin, arm)), spin


@helper
def read_joint(kind, raw, first, second, block, frames, out):
    """A rotation or translation between two joint frames, or its rate; returns how many numbers."""
    A, p, v, w = joint_frame(raw, first, block, frames)
    B, q, u, z = joint_frame(raw, second, block, frames + SECOND_FRAME)
    if kind == SEE_TURN_RATE:
        store3(out, 0, apply_transposed(B, sub(z, w)))
    elif kind == SEE_SHIFT:
        store3(out, 0, apply_transposed(A, sub(q, p)))
    elif kind == SEE_SHIFT_RATE:
        store3(out, 0, apply_transposed(A, sub(sub(u, v), cross(w, sub(q, p)))))
    else:
        R = matmul(transpose(A), B)
        if kind == SEE_TURN:
            store33(out, 0, R)
            return 9
        upright(R, out)
        return 4
    return 3


@helper
def upright(R, out):
    """The quaternion of a rotation, with w >= 0."""
    q = from_matrix(R)
    s = 1.0 if q[0] >= 0.0 else -1.0
    store4(out, 0, (s * q[0], s * q[1], s * q[2], s * q[3]))


@helper
def read(kind, raw, first, block, point, out):
    """A result of a body; returns how many numbers."""
    A = load33(raw, first + ATTITUDE)
    if kind == SEE_ROTATION:
        store33(out, 0, A)
        return 9
    if kind == SEE_QUATERNION:
        upright(A, out)
        return 4
    spin = load3(raw, first + SPIN)
    if kind == SEE_SPIN:
        store3(out, 0, spin)
    elif kind == SEE_BODY_SPIN:
        store3(out, 0, apply_transposed(A, spin))
    else:
        arm = apply(A, load3(block, point))
        place = kind == SEE_PLACE
        base = load3(raw, first + ORIGIN) if place else load3(raw, first + VELOCITY)
        store3(out, 0, add(base, arm if place else cross(spin, arm)))
    return 3


@helper
def see(t, raw, block, x):
    """Fill x with all readings, then values, rates and accelerations of the target."""
    place = 0
    for k in range(int(block[H_READS])):
        r = int(block[H_READINGS]) + READ * k
        kind, first, pick = int(block[r + R_KIND]), int(block[r + R_FIRST]), int(block[r + R_PICK])
        count = 1
        out = x[place:]
        if kind == SEE_COORDINATE:
            out[0] = raw[first]
        elif kind == SEE_COORDINATE_RATE:
            out[0] = raw[first + 1]
        elif kind >= SEE_TURN:
            count = read_joint(kind, raw, first, int(block[r + R_SECOND]), block, int(block[r + R_POINT]), out)
        else:
            count = read(kind, raw, first, block, r + R_POINT, out)
        if pick >= 0:
            out[0] = block[r + R_SIGN] * out[pick]
            count = 1
        place += count
    n = int(block[H_SIZE])
    if n > 0:
        out = x[place:]
        if raw[1] != 0.0:
            call_address(int(raw[1]), t, out[3 * n :], out, out)
        else:
            polynomials_at(block[int(block[H_TARGET]) :], int(block[H_PIECES]), int(block[H_DEGREE]), n, t, out)


@helper
def call_law(t, raw, block, control, out):
    """See, call the law, and keep or hand out what it gives; the first effort is NaN when it failed."""
    seen, efforts, states = int(block[H_SEEN]), int(block[H_EFFORTS]), int(block[H_STATES])
    sampled = block[H_PERIOD] > 0.0
    x = block[int(block[H_ROOM]) :]
    given, own = x[seen + states :], control[seen + efforts :] if sampled else control
    see(t, raw, block, x)
    for k in range(states):
        x[seen + k] = own[k]
    for k in range(efforts + states):
        given[k] = 0.0
    call_address(int(raw[0]), t, x, block[BLOCK_HEAD:], given)
    for k in range(efforts + states):
        if not isfinite(given[k]):
            out[0] = nan
            return
    for k in range(efforts):
        bound = int(block[H_LIMITS]) + BOUND * k
        given[k] = min(max(given[k], block[bound]), block[bound + 1])
        out[k] = block[bound + 2] * given[k]
    if sampled:
        for k in range(seen):
            control[k] = x[k]
        for k in range(efforts):
            control[seen + k] = given[k]
    rates = own if sampled else control[states:]
    for k in range(states):
        rates[k] = given[efforts + k]


@helper
def hold(block, control, out):
    """The efforts of the last sample."""
    seen = int(block[H_SEEN])
    for k in range(int(block[H_EFFORTS])):
        out[k] = block[int(block[H_LIMITS]) + BOUND * k + 2] * control[seen + k]


def _feed_back(t, raw_numbers, block_numbers, out_numbers):
    raw, block, out = carray(raw_numbers, (FAR,)), carray(block_numbers, (FAR,)), carray(out_numbers, (FAR,))
    control = block[int(block[H_CONTROL]) :]
    if block[H_PERIOD] > 0.0 and block[H_SAMPLING] == 0.0:
        hold(block, control, out)
    else:
        call_law(t, raw, block, control, out)


@cache
def feedback_kernel() -> Any:
    """What evaluates a feedback, for `call_address`: time, raw array, block, efforts."""
    return cfunc(types.void(types.float64, POINTER, POINTER, POINTER), cache=True)(_feed_back)
