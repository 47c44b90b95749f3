"""Gauss steps for stiff systems: fixed-point iteration where it converges well, a Newton-type iteration where it stalls.

The residual of the stages is r_k = velocity_rate(stage k) - F_k. With the eigenvectors T of the Butcher matrix the
linear equations for the correction of F fall apart into one per eigenvalue lambda: (M + kappa C + kappa^2 K) x = M r,
kappa = h lambda, which the formulation's `stiffness` solves. The matrices are taken at the middle stage, once per
step. Of a pair of conjugate eigenvalues only one is needed. E. Hairer, G. Wanner, Solving Ordinary Differential
Equations II, 2nd ed. (1996), section IV.8.

After the tableau the `method` array holds the lengths of the stiffness' arrays, the number of eigenvalues, and per
eigenvalue lambda, its weight, a row of T^-1 and a column of T. After what Gauss methods remember, `memory` holds for
how many more steps fixed-point iteration is not tried again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from poinsot.algebra.compile import compiled, helper
from poinsot.integrators.contract import WATCH, Method
from poinsot.integrators.gauss_step import (
    DIVERGED,
    EARLIER,
    HEADER,
    MOST_ITERATIONS,
    SETTLED,
    STAGES,
    TOLERANCE,
    evaluate_stage,
    finish,
    first_guess,
    is_accepted,
    iterate,
    memory_size,
    place_stages,
    scratch_size,
    velocity_scale,
)
from poinsot.tables.records import N_POSITIONS
from poinsot.tables.types import (
    FACTOR,
    ITERATIONS,
    LINEARISE,
    NEWTON_STEPS,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    SOLVE,
    STEP_SIGNATURE,
    STIFF,
)

STAY = 20  # steps before fixed-point iteration is tried again
STIFF_STAGNATION = 1e-11  # stiff forces are rounded by more than velocities: there two rises end the iteration
LENGTHS = 4  # numbers before the eigenvalues: lengths of middle, factors and scratch, and how many eigenvalues


@helper
def correct(stiffness, h, y, nq, eigen, s, layout, work, middle, factors, x, scratch, residual, rates):
    """Solve for the corrections of the rates, add them, and return the largest one; NaN when one is not finite."""
    nv = y.size - 1 - nq
    size, largest = factors.size // eigen.shape[0], 0.0
    for k in range(s):
        for j in range(nv):
            rates[k, j] = 0.0
    for e in range(eigen.shape[0]):
        row = eigen[e]
        for j in range(nv):
            total = 0.0j
            for k in range(s):
                total += complex(row[3 + k], row[3 + s + k]) * residual[k, nq + j]
            x[j] = total
        kappa = h * complex(row[0], row[1])
        status = stiffness(SOLVE, 0.0, y, kappa, layout, work, middle, factors[e * size : (e + 1) * size], x, scratch)
        if status != OK:
            return math.nan
        for k in range(s):
            a, b = row[2] * row[3 + 2 * s + k], row[2] * row[3 + 3 * s + k]
            for j in range(nv):
                rates[k, j] += a * x[j].real - b * x[j].imag
    finite = True
    for k in range(s):
        for j in range(nv):
            largest = max(largest, abs(rates[k, j]))
            finite &= math.isfinite(rates[k, j])
    return largest if finite else math.nan


@helper
def newton(
    position_rate,
    velocity_rate,
    stiffness,
    t,
    h,
    y,
    nq,
    method,
    table,
    eigen,
    arrays,
    states,
    rates,
    fresh,
    layout,
    work,
    counters,
):
    """Find the rates of the stages by the Newton-type iteration; returns a status and the gain of a sweep over the positions.

    Accepted as in fixed-point iteration, but for STIFF_STAGNATION.
    """
    s, last = table.shape[1], y.size - 1
    middle, factors, x, scratch, change = arrays
    previous = best = gain = left = math.inf
    rises = 0
    for iteration in range(int(method[MOST_ITERATIONS])):
        counters[ITERATIONS] += 1
        status, gain, left = place_stages(
            position_rate, t, h, y, nq, table, gain, left, states, rates, fresh[0], layout, work
        )
        if status != OK:
            return status, gain
        if iteration == 0:
            status = prepare(stiffness, t, h, states[s // 2], table, eigen, middle, factors, x, scratch, layout, work)
            if status != OK:
                return status, gain
        for k in range(s):
            status = evaluate_stage(velocity_rate, t, h, table, k, states, fresh, layout, work, counters)
            if status != OK:
                return status, gain
        for k in range(s):
            for j in range(nq, last):
                fresh[k, j] -= rates[k, j]
            rates[k, last] = fresh[k, last]
        largest = correct(stiffness, h, y, nq, eigen, s, layout, work, middle, factors, x, scratch, fresh, change)
        if not math.isfinite(largest):
            return NOT_FINITE, gain
        for k in range(s):
            for j in range(nq, last):
                rates[k, j] += change[k, j - nq]
        error = abs(h) * largest / velocity_scale(h, y, nq, rates)
        theta = error / previous if iteration > 0 else math.inf
        if left < SETTLED:
            rises += error >= best
            best = min(best, error)
            if is_accepted(method[TOLERANCE], STIFF_STAGNATION, error, theta, best, rises):
                return OK, gain
        if theta > 2.0 and iteration > 3 and error > DIVERGED:
            return NOT_CONVERGED, gain
        previous = error
    return NOT_CONVERGED, gain


@helper
def prepare(stiffness, t, h, y, table, eigen, middle, factors, x, scratch, layout, work):
    """Take the matrices at the middle stage y and factor them for every eigenvalue; returns a status."""
    s = table.shape[1]
    status = stiffness(LINEARISE, t + table[s, s // 2] * h, y, 0.0j, layout, work, middle, factors, x, scratch)
    if status != OK:
        return status
    size = factors.size // eigen.shape[0]
    for e in range(eigen.shape[0]):
        kappa = h * complex(eigen[e, 0], eigen[e, 1])
        part = factors[e * size : (e + 1) * size]
        status = stiffness(FACTOR, t, y, kappa, layout, work, middle, part, x, scratch)
        if status != OK:
            return status
    return OK


@compiled(STEP_SIGNATURE)
def gauss_newton_step(equations, t, h, y, buffers, layout):
    """One step of a Gauss method of the size h, by whichever iteration converges."""
    position_rate, velocity_rate, stiffness = equations
    method, memory, scratch, work, counters = buffers
    s, ny, nq = int(method[STAGES]), y.size, layout.sizes[N_POSITIONS]
    nv = ny - 1 - nq
    table = method[HEADER : HEADER + (s + 3) * s].reshape((s + 3, s))
    blocks = scratch[: 3 * s * ny].reshape((3 * s, ny))
    states, rates, fresh = blocks[:s], blocks[s : 2 * s], blocks[2 * s :]
    first = 3 * s * ny + s + EARLIER
    spare = scratch[3 * s * ny : first]
    head = HEADER + (s + 3) * s
    m, f, c, n = int(method[head]), int(method[head + 1]), int(method[head + 2]), int(method[head + 3])
    eigen = method[head + LENGTHS :].reshape((n, 3 + 4 * s))
    middle = scratch[first : first + m]
    change = scratch[first + m : first + m + s * nv].reshape((s, nv))
    start, count = first + m + s * nv, 2 * (n * f + nv + c)
    rest = scratch[start : start + count].view(np.complex128)
    arrays = (middle, rest[: n * f], rest[n * f : n * f + nv], rest[n * f + nv : n * f + nv + c], change)
    stay = memory.size - 1

    smooth = memory[stay] <= 0.0
    status = first_guess(
        position_rate, velocity_rate, t, h, y, nq, table, smooth, memory, states, rates, spare, layout, work, counters
    )
    if status != OK:
        return status
    status, gain = STIFF, math.inf
    if smooth:
        status, gain = iterate(
            position_rate, velocity_rate, t, h, y, nq, method, table, states, rates, fresh, layout, work, counters
        )
        if status not in (OK, STIFF, NOT_CONVERGED, NOT_FINITE):
            return status
        if status != OK:
            restarted = first_guess(
                position_rate,
                velocity_rate,
                t,
                h,
                y,
                nq,
                table,
                False,
                memory,
                states,
                rates,
                spare,
                layout,
                work,
                counters,
            )
            if restarted != OK:
                return restarted
    by_newton = status != OK
    if by_newton:
        status, gain = newton(
            position_rate,
            velocity_rate,
            stiffness,
            t,
            h,
            y,
            nq,
            method,
            table,
            eigen,
            arrays,
            states,
            rates,
            fresh,
            layout,
            work,
            counters,
        )
        if status != OK:
            return status
    status = finish(
        position_rate, t, h, y, nq, method, table, gain, memory, states, rates, fresh, layout, work, counters
    )
    if status == OK and by_newton:
        memory[stay] = memory[stay] - 1.0 if memory[stay] > 0.0 else STAY
        counters[NEWTON_STEPS] += 1
    return status


def eigenvalues(coefficients: np.ndarray) -> np.ndarray:
    """One row per eigenvalue of a Butcher matrix, only one of every conjugate pair: lambda, weight, row of T^-1, column of T."""
    values, T = np.linalg.eig(coefficients)
    inverse = np.linalg.inv(T)
    rows = []
    for k, value in enumerate(values):
        if value.imag > -1e-12:
            weight = 1.0 if abs(value.imag) < 1e-12 else 2.0
            parts = (inverse[k].real, inverse[k].imag, T[:, k].real, T[:, k].imag)
            rows.append(np.concatenate([[value.real, value.imag, weight], *parts]))
    return np.array(rows)


def method(plain: Method, stages: int, sizes: tuple[int, int, int]) -> Method:
    """The collocation method `plain` with Newton-type iteration: the same name and order. `sizes` of the stiffness' arrays."""
    s, constants = stages, plain.constants
    rows = eigenvalues(constants[HEADER : HEADER + s * s].reshape(s, s))
    middle, factors, scratch = sizes
    own, room_of_plain = memory_size(s), scratch_size(s)
    watched = constants.copy()
    watched[WATCH] = 1.0

    def room(ny: int) -> int:
        return room_of_plain(ny) + middle + s * ny + 2 * (len(rows) * factors + ny + scratch) + 2

    return replace(
        plain,
        step=gauss_newton_step,
        constants=np.concatenate([watched, [middle, factors, scratch, len(rows)], rows.ravel()]),
        memory=lambda ny: own(ny) + 1,
        scratch=room,
    )
