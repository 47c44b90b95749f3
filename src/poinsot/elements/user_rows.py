"""Constraint rows on velocities that users wrote: G(t, q) V = r(t, q), all bodies of an element in one function.

A description in `layout.values` is, for n bodies, R rows and P parameters: n, R, P, a length of the bodies (m), 1 after a call that
failed or gave numbers that are not finite; PART numbers per body: its index, its body axes in director axes (9, row by row), its origin
from the centre of mass in director axes; the parameters; then memory: the time and the n x STATE states of the last call, and the
numbers that it gave, R (6 n + 1); states and numbers of a call beside it.

The rate of a row at zero accelerations is differentiated along the motion, q(s) with constant velocities, and along time, by central
differences of eighth order. Along the motion steps are TURN_STEP rad, or TURN_STEP times that length: coefficients that change as slowly as
sines and cosines of the angles are differentiated to about 1e-13. Along time steps are TIME_STEP s; they are taken only where three values differ.
"""

from __future__ import annotations

from math import isfinite, sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, load33, matmul, transpose
from poinsot.algebra.quaternions import from_matrix, normalised, store4
from poinsot.algebra.rotations import exp_matrix
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, scale, store3
from poinsot.elements.call import call_address
from poinsot.elements.contacts import store_gradient, unit
from poinsot.elements.serial import SECOND_DERIVATIVE, TWISTS, VALUES
from poinsot.elements.states import POSE, TWIST

STATE = 13  # numbers of a body in x of the function
BODIES, ROW_COUNT, PARAMETERS, BODY_LENGTH, FAILED, ROWS_HEAD, PART = 0, 1, 2, 3, 4, 5, 13
TURN_STEP = 5e-3  # rad, or of a length of the mechanism
TIME_STEP = 1e-3  # s
DIFFERENCES = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
GIVEN_TIME, MOVING, WHICH = TWISTS, TWISTS + 1, TWISTS + 2  # what is given in place of the twists of two bodies
RIGHT_SIDE = VALUES + 1


def described(bodies: int, rows: int) -> int:
    """How many numbers of memory follow the parameters of a description."""
    return 1 + 2 * (STATE * bodies + rows * (6 * bodies + 1) + 1)


@kernel
def orthonormal(D):
    """A rotation near directors that are not quite orthonormal: at the stages of steps they are not."""
    d = transpose(D)
    x = unit(d[0])
    y = unit(add_scaled(d[1], -dot(x, d[1]), x))
    return transpose((x, y, cross(x, y)))


@helper
def fill_states(poses, twists, data, ahead, x):
    """The states x of all bodies of a description, `ahead` seconds after these poses with constant velocities."""
    for k in range(int(data[BODIES])):
        part = ROWS_HEAD + PART * k
        b = int(data[part])
        centre, D = load3(poses, POSE * b), orthonormal(load33(poses, POSE * b + 3))
        if ahead != 0.0:
            centre = add_scaled(centre, ahead, load3(twists, TWIST * b))
            D = matmul(exp_matrix(scale(ahead, load3(twists, TWIST * b + 3))), D)
        store3(x, STATE * k, add(centre, apply(D, load3(data, part + 10))))
        store4(x, STATE * k + 3, normalised(from_matrix(matmul(D, load33(data, part + 1)))))
        store3(x, STATE * k + 7, ZERO)
        store3(x, STATE * k + 10, ZERO)


@kernel
def places(data):
    """Where parameters, the last time, states and numbers, and states and numbers beside them begin in a description; how many numbers there are."""
    n = int(data[BODIES])
    count = int(data[ROW_COUNT]) * (6 * n + 1)
    first = ROWS_HEAD + PART * n
    time = first + int(data[PARAMETERS])
    numbers = time + 1 + STATE * n
    beside = numbers + count + 1
    return first, time, time + 1, numbers, beside, beside + STATE * n, count


@helper
def call(address, t, first, states, numbers, count, data):
    """Call the function at a time and states; its numbers are written to `numbers`."""
    for k in range(count):
        data[numbers + k] = 0.0
    call_address(address, t, data[states:], data[first:], data[numbers:])
    total = 0.0
    for k in range(count):
        total += data[numbers + k]
    if not isfinite(total):
        data[FAILED] = 1.0


@helper
def evaluate(address, t, poses, data):
    """The numbers of all rows at a time and poses: those of the last call where that was there. Returns where they stand."""
    first, time, states, numbers, beside, _, count = places(data)
    fill_states(poses, poses, data, 0.0, data[beside:])
    same = data[time] == t and data[FAILED] == 0.0
    for k in range(STATE * int(data[BODIES])):
        same = same and data[states + k] == data[beside + k]
        data[states + k] = data[beside + k]
    if not same:
        call(address, t, first, states, numbers, count, data)
        data[time] = t
    return numbers


@helper
def row_rate(row, numbers, twists, data):
    """G V - r of one row, with numbers that a call gave."""
    n = int(data[BODIES])
    at = numbers + row * (6 * n + 1)
    total = -data[at + 6 * n]
    for k in range(n):
        b = TWIST * int(data[ROWS_HEAD + PART * k])
        total += dot(load3(data, at + 6 * k), load3(twists, b)) + dot(load3(data, at + 6 * k + 3), load3(twists, b + 3))
    return total


@helper
def rate_beside(address, row, t, ahead, poses, twists, data):
    """G V - r of one row at another time, and `ahead` seconds along the motion, with the same velocities V."""
    first, _, _, _, states, numbers, count = places(data)
    fill_states(poses, twists, data, ahead, data[states:])
    call(address, t, first, states, numbers, count, data)
    return row_rate(row, numbers, twists, data)


@helper
def along_motion(address, row, t, poses, twists, data):
    """Derivative of G V - r along the motion, at constant time and velocities."""
    fastest = 0.0
    for k in range(int(data[BODIES])):
        b = TWIST * int(data[ROWS_HEAD + PART * k])
        v, w = load3(twists, b), load3(twists, b + 3)
        fastest = max(fastest, sqrt(dot(w, w)), sqrt(dot(v, v)) / data[BODY_LENGTH])
    if not fastest > 0.0:
        return 0.0 * fastest
    step, total = TURN_STEP / fastest, 0.0
    for k in range(4):
        ahead = (k + 1) * step
        change = rate_beside(address, row, t, ahead, poses, twists, data) - rate_beside(address, row, t, -ahead, poses, twists, data)
        total += DIFFERENCES[k] * change / step
    return total


@helper
def along_time(address, row, t, poses, twists, data, now):
    """Derivative of G V - r in time, at constant poses and velocities; `now`: its value at t."""
    total = 0.0
    for k in range(4):
        later = rate_beside(address, row, t + (k + 1) * TIME_STEP, 0.0, poses, twists, data)
        before = rate_beside(address, row, t - (k + 1) * TIME_STEP, 0.0, poses, twists, data)
        if k == 0 and later == now and before == now:
            return 0.0
        total += DIFFERENCES[k] * (later - before) / TIME_STEP
    return total


@helper
def user_row_solution(address, poses, twists, data, out):
    """Gradient of one row on one pair of its bodies; with the first pair its right-hand side and, when moving, the rate at zero accelerations."""
    t, which, n = out[GIVEN_TIME], int(out[WHICH]), int(data[BODIES])
    pairs = (n + 1) // 2
    row, pair = which // pairs, which % pairs
    numbers = evaluate(address, t, poses, data)
    moving = out[MOVING] != 0.0
    at = numbers + row * (6 * n + 1) + 12 * pair
    fb, mb = ZERO, ZERO
    if 2 * pair + 1 < n:
        fb, mb = load3(data, at + 6), load3(data, at + 9)
    store_gradient(out, load3(data, at), load3(data, at + 3), fb, mb)
    out[VALUES], out[RIGHT_SIDE], out[SECOND_DERIVATIVE] = 0.0, 0.0, 0.0
    if pair == 0:
        out[RIGHT_SIDE] = data[numbers + row * (6 * n + 1) + 6 * n]
        if moving:
            now = row_rate(row, numbers, twists, data)
            bend = along_motion(address, row, t, poses, twists, data)
            out[SECOND_DERIVATIVE] = bend + along_time(address, row, t, poses, twists, data, now)
