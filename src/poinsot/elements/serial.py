"""Coordinates of a joint made of motions in series, T = T1(q1) T2(q2) ..., from the poses of its two bodies.

Three-axis gimbals, slides after rotations, screws after slides and the like have no common closed-form solution. Their
coordinates are found by Newton's method from nearby ones, which also select the number of full turns. A rate is a row of G, a left inverse
of the motions S (twist of the second frame in the first = S rates), and an effort acts on the bodies through the same row.
Of all left inverses it is the one with the smallest forces, and then the smallest moments: a rotation that the
attitudes of the bodies determine is driven by a moment alone, as that of a screw is.

A pose is POSE numbers per body: a point x of it and axes D (3x3, columns, row by row), orthonormalised here. A joint is
described by numbers, with all points and directions in the axes D of its bodies:

    first body, second body, motions, then first point (3), second point (3), first axes (9), second axes (9), and per motion
    kind, rot, lin, axis (3), in joint axes; a translation has rot 0 and lin 1
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, column, load33, matmul, transpose
from poinsot.algebra.quaternions import load4, multiply, normalised, rotation_matrix, store4
from poinsot.algebra.rotations import exp_matrix, exp_quaternion
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, increase3, load3, negate, scale, store3, sub
from poinsot.elements.states import POSE
from poinsot.tables.records import BALL, HELICAL

# the description of a joint
FIRST, SECOND, MOTIONS, FIRST_POINT, SECOND_POINT, FIRST_AXES, SECOND_AXES, HEAD = 0, 1, 2, 3, 6, 9, 18, 27
KIND, ROT, LIN, AXIS, EACH = 0, 1, 2, 3, 6
# the room that a solution needs: twists of both bodies (given), coordinates, gradient of one rate and its bias, motions, G
TWISTS, VALUES, GRADIENT, SECOND_DERIVATIVE, SLIDES, TURNS, ORIGINS, LEFT_INVERSE, PIVOTS = 0, 12, 19, 31, 32, 50, 68, 86, 122
ROOM = 134
NUMBERS = 7  # largest number of coordinates of a joint

LIMIT = 60  # iterations
LARGEST = 0.5  # largest correction in one iteration, relative to 1 + |p|
SMALL = 1e-13  # converged when the correction is smaller, relative to 1 + |p|
PARALLEL = 1e-7  # sine of the angle below which directions are taken as dependent


@kernel
def orthonormal(D):
    """Orthonormal axes from D by Gram-Schmidt, column by column."""
    x, y = column(D, 0), column(D, 1)
    x = scale(1.0 / sqrt(dot(x, x)), x)
    y = add_scaled(y, -dot(x, y), x)
    y = scale(1.0 / sqrt(dot(y, y)), y)
    return transpose((x, y, cross(x, y)))


@helper
def place_motions(data, q, out):
    """Motions S at coordinates q, in the axes of the first frame at the origin of the second; position and rotation of the second frame."""
    R, p, rate, at = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), ZERO, 0, 0
    for m in range(int(data[MOTIONS])):
        base = HEAD + EACH * m
        kind = int(data[base + KIND])
        if kind == HELICAL:
            axis = load3(data, base + AXIS)
            e = apply(R, axis)
            p = add_scaled(p, data[base + LIN] * q[at], e)
            store3(out, SLIDES + 3 * rate, scale(data[base + LIN], e))
            store3(out, TURNS + 3 * rate, scale(data[base + ROT], e))
            store3(out, ORIGINS + 3 * rate, p)
            R = matmul(R, exp_matrix(scale(data[base + ROT] * q[at], axis)))
            rate, at = rate + 1, at + 1
        elif kind == BALL:
            R = matmul(R, rotation_matrix(load4(q, at)))
            for k in range(3):
                store3(out, SLIDES + 3 * rate, ZERO)
                store3(out, TURNS + 3 * rate, column(R, k))
                store3(out, ORIGINS + 3 * rate, p)
                rate += 1
            at += 4
        else:
            for k in range(3):
                store3(out, SLIDES + 3 * rate, column(R, k))
                store3(out, TURNS + 3 * rate, ZERO)
                store3(out, ORIGINS + 3 * rate, p)
                rate += 1
            p = add(p, apply(R, load3(q, at)))
            at += 3
    for k in range(rate):
        arm = sub(p, load3(out, ORIGINS + 3 * k))
        increase3(out, SLIDES + 3 * k, cross(load3(out, TURNS + 3 * k), arm))
    return p, R, rate


@kernel
def duals(count, a, b, c):
    """Dual basis of the first `count` of three vectors, in their span; and a measure of their independence."""
    if count == 0:
        return ZERO, ZERO, ZERO, 1.0
    if count == 1:
        square = dot(a, a)
        return scale(1.0 / square, a), ZERO, ZERO, 1.0 if square > 0.0 else 0.0
    if count == 2:
        n = cross(a, b)
        square = dot(n, n)
        free = sqrt(square / (dot(a, a) * dot(b, b)))
        return scale(1.0 / square, cross(b, n)), scale(1.0 / square, cross(n, a)), ZERO, free
    det = dot(a, cross(b, c))
    free = abs(det) / sqrt(dot(a, a) * dot(b, b) * dot(c, c))
    return scale(1.0 / det, cross(b, c)), scale(1.0 / det, cross(c, a)), scale(1.0 / det, cross(a, b)), free


@kernel
def across(v, a, b, count):
    """The part of v perpendicular to the first `count` of two orthonormal vectors."""
    if count > 0:
        v = add_scaled(v, -dot(v, a), a)
    if count > 1:
        v = add_scaled(v, -dot(v, b), b)
    return v


@helper
def choose_turns(rates, out):
    """Number of independent rotations; their indices in out[PIVOTS] (-1: none), followed by the other rates."""
    a, b, rank = ZERO, ZERO, 0
    for k in range(9):
        out[PIVOTS + k] = -1.0
    for _ in range(3):
        best, largest, direction = -1, PARALLEL, ZERO
        for k in range(rates):
            turn = load3(out, TURNS + 3 * k)
            size = sqrt(dot(turn, turn))
            if size == 0.0:
                continue
            rest = across(scale(1.0 / size, turn), a, b, rank)
            left = sqrt(dot(rest, rest))
            if left > largest * (1.0 + 1e-9):  # among equals, the first
                best, largest, direction = k, left, scale(1.0 / left, rest)
        if best < 0:
            break
        out[PIVOTS + rank] = float(best)
        if rank == 0:
            a = direction
        else:
            b = direction
        rank += 1
    others = 0
    for k in range(rates):
        if out[PIVOTS] != k and out[PIVOTS + 1] != k and out[PIVOTS + 2] != k:
            out[PIVOTS + 3 + others] = float(k)
            others += 1
    return rank, others


@kernel
def turn_of(out, i):
    """Chosen rotation number i, or zero."""
    return load3(out, TURNS + 3 * int(out[PIVOTS + i])) if out[PIVOTS + i] >= 0.0 else ZERO


@helper
def slide_of(out, i, d0, d1, d2):
    """Translation that remains of the i-th rate not chosen after the chosen rotations cancel its rotation."""
    if out[PIVOTS + 3 + i] < 0.0:
        return ZERO
    k = int(out[PIVOTS + 3 + i])
    turn, slide = load3(out, TURNS + 3 * k), load3(out, SLIDES + 3 * k)
    for n in range(3):
        if out[PIVOTS + n] >= 0.0:
            d = d0 if n == 0 else d1 if n == 1 else d2
            slide = add_scaled(slide, -dot(d, turn), load3(out, SLIDES + 3 * int(out[PIVOTS + n])))
    return slide


@helper
def invert(rates, out):
    """G of the motions in `out`, 6 numbers per rate (force, moment). Returns whether the rates are independent."""
    rank, others = choose_turns(rates, out)
    if others > 3:
        return False
    d0, d1, d2, free = duals(rank, turn_of(out, 0), turn_of(out, 1), turn_of(out, 2))
    s0, s1, s2 = slide_of(out, 0, d0, d1, d2), slide_of(out, 1, d0, d1, d2), slide_of(out, 2, d0, d1, d2)
    t0, t1, t2, free = duals(others, s0, s1, s2)
    if not free > PARALLEL:
        return False
    for k in range(rates):
        force = ZERO
        for i in range(others):
            t = t0 if i == 0 else t1 if i == 1 else t2
            other = int(out[PIVOTS + 3 + i])
            share = 1.0 if other == k else 0.0
            for n in range(rank):
                if int(out[PIVOTS + n]) == k:
                    d = d0 if n == 0 else d1 if n == 1 else d2
                    share = -dot(d, load3(out, TURNS + 3 * other))
            force = add_scaled(force, share, t)
        moment = ZERO
        for n in range(rank):
            pivot = int(out[PIVOTS + n])
            d = d0 if n == 0 else d1 if n == 1 else d2
            share = (1.0 if pivot == k else 0.0) - dot(force, load3(out, SLIDES + 3 * pivot))
            moment = add_scaled(moment, share, d)
        store3(out, LEFT_INVERSE + 6 * k, force)
        store3(out, LEFT_INVERSE + 6 * k + 3, moment)
    return True


@kernel
def row_times(out, k, linear, angular):
    """Row k of G times a twist."""
    return dot(load3(out, LEFT_INVERSE + 6 * k), linear) + dot(load3(out, LEFT_INVERSE + 6 * k + 3), angular)


@helper
def move(data, q, out, linear, angular, share):
    """Update coordinates q by `share` times G times a twist."""
    rate, at = 0, 0
    for m in range(int(data[MOTIONS])):
        kind = int(data[HEAD + EACH * m + KIND])
        if kind == BALL:
            x = (
                row_times(out, rate, linear, angular),
                row_times(out, rate + 1, linear, angular),
                row_times(out, rate + 2, linear, angular),
            )
            store4(q, at, normalised(multiply(load4(q, at), exp_quaternion(scale(share, x)))))
            rate, at = rate + 3, at + 4
        else:
            for _ in range(1 if kind == HELICAL else 3):
                q[at] += share * row_times(out, rate, linear, angular)
                rate, at = rate + 1, at + 1


@helper
def solve(data, p, R, out):
    """Coordinates at which the second frame has pose (p, R) in the first; out[VALUES] holds nearby ones on entry.

    Returns the number of rates, 0 if no coordinates were found.
    """
    q = out[VALUES : VALUES + NUMBERS]
    for _ in range(LIMIT):
        at, turned, rates = place_motions(data, q, out)
        if not invert(rates, out):
            return 0
        linear, angular = sub(p, at), ZERO
        for k in range(3):
            angular = add_scaled(angular, 0.5, cross(column(turned, k), column(R, k)))
        size = 0.0
        for k in range(rates):
            size = max(size, abs(row_times(out, k, linear, angular)))
        reach = 1.0 + sqrt(dot(p, p))
        share = LARGEST * reach / size if size > LARGEST * reach else 1.0
        move(data, q, out, linear, angular, share)
        if not size > SMALL * reach:
            return rates if size == size else 0
    return 0


@helper
def bias(data, q, rates, out):
    """Acceleration (linear, angular) of the second frame in the first at constant rates, which are 6 numbers of `out` from `rates` on."""
    R, at, rate = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), 0, rates
    a, w, alpha = ZERO, ZERO, ZERO
    for m in range(int(data[MOTIONS])):
        base = HEAD + EACH * m
        kind = int(data[base + KIND])
        if kind == BALL:
            R = matmul(R, rotation_matrix(load4(q, at)))
            spin = apply(R, load3(out, rate))
            alpha, w = add(alpha, cross(w, spin)), add(w, spin)
            rate, at = rate + 3, at + 4
            continue
        for k in range(1 if kind == HELICAL else 3):
            axis, lin, rot = load3(data, base + AXIS), data[base + LIN], data[base + ROT]
            e = apply(R, axis) if kind == HELICAL else column(R, k)
            arm, slip = scale(lin * q[at], e), scale(lin * out[rate], e)
            a = add(a, add(cross(alpha, arm), cross(w, add_scaled(cross(w, arm), 2.0, slip))))
            spin = scale(rot * out[rate], e)
            alpha, w = add(alpha, cross(w, spin)), add(w, spin)
            if rot != 0.0:
                R = matmul(R, exp_matrix(scale(rot * q[at], axis)))
            rate, at = rate + 1, at + 1
    return a, alpha


@helper
def serial_solution(which, poses, near, data, out):
    """Coordinates of a joint nearest to `near` (NUMBERS of them) in out[VALUES]; for its rate number `which` the gradient on both
    bodies (force, moment, force, moment about x, world axes) and the second derivative at zero accelerations of the bodies, for
    the velocities out[TWISTS] (v, w, v, w). NaN if no coordinates are found.
    """
    i, j = POSE * int(data[FIRST]), POSE * int(data[SECOND])
    xa, DA, xb, DB = load3(poses, i), orthonormal(load33(poses, i + 3)), load3(poses, j), orthonormal(load33(poses, j + 3))
    A, B = matmul(DA, load33(data, FIRST_AXES)), matmul(DB, load33(data, SECOND_AXES))
    arm_b = apply(DB, load3(data, SECOND_POINT))
    place = add(xb, arm_b)
    for k in range(NUMBERS):
        out[VALUES + k] = near[k]
    p = apply_transposed(A, sub(place, add(xa, apply(DA, load3(data, FIRST_POINT)))))
    rates = solve(data, p, matmul(transpose(A), B), out)
    if rates == 0:
        for k in range(VALUES, SLIDES):
            out[k] = float("nan")
        return
    arm_a = sub(place, xa)
    force, moment = apply(A, load3(out, LEFT_INVERSE + 6 * which)), apply(A, load3(out, LEFT_INVERSE + 6 * which + 3))
    store3(out, GRADIENT, negate(force))
    store3(out, GRADIENT + 3, negate(add(moment, cross(arm_a, force))))
    store3(out, GRADIENT + 6, force)
    store3(out, GRADIENT + 9, add(moment, cross(arm_b, force)))
    va, wa, vb, wb = load3(out, TWISTS), load3(out, TWISTS + 3), load3(out, TWISTS + 6), load3(out, TWISTS + 9)
    slip = sub(add(vb, cross(wb, arm_b)), add(va, cross(wa, arm_a)))
    linear, angular = apply_transposed(A, slip), apply_transposed(A, sub(wb, wa))
    for k in range(rates):
        out[TURNS + k] = row_times(out, k, linear, angular)
    a, alpha = bias(data, out[VALUES : VALUES + NUMBERS], TURNS, out)
    bend = sub(cross(wb, cross(wb, arm_b)), cross(wa, cross(wa, arm_a)))
    linear = sub(apply_transposed(A, add_scaled(bend, -2.0, cross(wa, slip))), a)
    angular = sub(apply_transposed(A, negate(cross(wa, wb))), alpha)
    out[SECOND_DERIVATIVE] = row_times(out, which, linear, angular)


@helper
def constraint_wrench(rates, out):
    """Remove from the wrench in out[TWISTS] (force, moment at the origin of the second frame) the part that efforts exert through G."""
    force, moment = load3(out, TWISTS), load3(out, TWISTS + 3)
    rank, others = choose_turns(rates, out)
    c0, c1, c2 = turn_of(out, 0), turn_of(out, 1), turn_of(out, 2)
    d0, d1, d2, _ = duals(rank, c0, c1, c2)
    s0, s1, s2 = slide_of(out, 0, d0, d1, d2), slide_of(out, 1, d0, d1, d2), slide_of(out, 2, d0, d1, d2)
    t0, t1, t2, _ = duals(others, s0, s1, s2)
    if others > 0:
        along = add(add(scale(dot(s0, force), t0), scale(dot(s1, force), t1)), scale(dot(s2, force), t2))
        force = ZERO if others == 3 else sub(force, along)
    taken = ZERO
    for n in range(rank):
        c, d = (c0, d0) if n == 0 else (c1, d1) if n == 1 else (c2, d2)
        slide = load3(out, SLIDES + 3 * int(out[PIVOTS + n]))
        taken = add_scaled(taken, dot(c, moment) + dot(slide, force), d)
    store3(out, TWISTS, force)
    store3(out, TWISTS + 3, sub(moment, taken))
