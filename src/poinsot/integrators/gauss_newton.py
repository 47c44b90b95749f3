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
from typing import Any, NamedTuple

import numpy as np

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.integrators.contract import WATCH, Method
from poinsot.integrators.gauss_ends import EARLIER, first_guess, memory_size
from poinsot.integrators.gauss_step import (
    DIVERGED,
    GAUSS_HEADER,
    MOST_ITERATIONS,
    SETTLED,
    TOLERANCE,
    evaluate_stage,
    finish,
    is_accepted,
    iterate,
    place_stages,
    scratch_size,
    stages_of,
    step_of,
    velocity_scale,
)
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
    StiffnessArrays,
)

STAY = 20  # steps before fixed-point iteration is tried again
STIFF_STAGNATION = 1e-11  # stiff forces are rounded by more than velocities: there two rises end the iteration
LENGTHS = 4  # numbers before the eigenvalues: lengths of middle, factors and scratch, and how many eigenvalues


class Newton(NamedTuple):
    """Beside the stages: eigenvalues of the Butcher matrix, one row each, arrays of the stiffness, and corrections of the rates."""

    eigen: Any
    arrays: Any
    change: Any


@kernel
def arrays_of(newton, e):
    """Arrays of the stiffness with the factors for eigenvalue e."""
    middle, factors, x, scratch = newton.arrays
    size = factors.size // newton.eigen.shape[0]
    return StiffnessArrays(middle, factors[e * size : (e + 1) * size], x, scratch)


@helper
def correct(stiffness, step, y, newton, residual, layout, work):
    """Solve for the corrections of the rates, and return the largest one; NaN when one is not finite."""
    h, nq, s = step.h, step.nq, step.table.shape[1]
    eigen, x, rates = newton.eigen, newton.arrays.x, newton.change
    nv = y.size - 1 - nq
    largest = 0.0
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
        status = stiffness(SOLVE, 0.0, y, kappa, layout, work, arrays_of(newton, e))
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
def iterate_newton(equations, step, y, newton, stages, layout, buffers):
    """Find the rates of the stages by the Newton-type iteration; returns a status and the gain of a sweep over the positions.

    Accepted as in fixed-point iteration, but for STIFF_STAGNATION.
    """
    h, nq, method = step.h, step.nq, step.method
    states, rates, fresh, _ = stages
    s, last, work, counters = step.table.shape[1], y.size - 1, buffers.work, buffers.counters
    previous = best = gain = left = math.inf
    rises = 0
    for iteration in range(int(method[MOST_ITERATIONS])):
        counters[ITERATIONS] += 1
        status, gain, left = place_stages(equations.first, step, y, stages, gain, left, layout, work)
        if status != OK:
            return status, gain
        if iteration == 0:
            status = prepare(equations.stiffness, step, states[s // 2], newton, layout, work)
            if status != OK:
                return status, gain
        for k in range(s):
            status = evaluate_stage(equations.second, step, k, stages, layout, work, counters)
            if status != OK:
                return status, gain
        for k in range(s):
            for j in range(nq, last):
                fresh[k, j] -= rates[k, j]
            rates[k, last] = fresh[k, last]
        largest = correct(equations.stiffness, step, y, newton, fresh, layout, work)
        if not math.isfinite(largest):
            return NOT_FINITE, gain
        for k in range(s):
            for j in range(nq, last):
                rates[k, j] += newton.change[k, j - nq]
        error = abs(h) * largest / velocity_scale(h, y, nq, rates, layout)
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
def prepare(stiffness, step, y, newton, layout, work):
    """Take the matrices at the middle stage y and factor them for every eigenvalue; returns a status."""
    t, h, _, _, table = step
    s, eigen = table.shape[1], newton.eigen
    status = stiffness(LINEARISE, t + table[s, s // 2] * h, y, 0.0j, layout, work, newton.arrays)
    if status != OK:
        return status
    for e in range(eigen.shape[0]):
        kappa = h * complex(eigen[e, 0], eigen[e, 1])
        status = stiffness(FACTOR, t, y, kappa, layout, work, arrays_of(newton, e))
        if status != OK:
            return status
    return OK


@kernel
def newton_of(method, scratch, s, ny, nv):
    """What the Newton-type iteration has beside the stages, in the constants after the tableau and in the scratch after the stages."""
    first, head = 3 * s * ny + s + EARLIER, GAUSS_HEADER + (s + 3) * s
    m, f, c, n = int(method[head]), int(method[head + 1]), int(method[head + 2]), int(method[head + 3])
    eigen = method[head + LENGTHS :].reshape((n, 3 + 4 * s))
    change = scratch[first + m : first + m + s * nv].reshape((s, nv))
    start, count = first + m + s * nv, 2 * (n * f + nv + c)
    rest = scratch[start : start + count].view(np.complex128)
    used = n * f + nv
    arrays = StiffnessArrays(scratch[first : first + m], rest[: n * f], rest[n * f : used], rest[used : used + c])
    return Newton(eigen, arrays, change)


@compiled(STEP_SIGNATURE)
def gauss_newton_step(equations, t, h, y, buffers, layout):
    """One step of a Gauss method of the size h, by whichever iteration converges."""
    method, memory, scratch, _, counters = buffers
    step = step_of(t, h, method, layout)
    s, ny = step.table.shape[1], y.size
    stages, newton = stages_of(scratch, s, ny), newton_of(method, scratch, s, ny, ny - 1 - step.nq)
    stay = memory.size - 1

    smooth = memory[stay] <= 0.0
    status = first_guess(equations, step, y, smooth, stages, layout, buffers)
    if status != OK:
        return status
    status, gain = STIFF, math.inf
    if smooth:
        status, gain = iterate(equations, step, y, stages, layout, buffers)
        if status not in (OK, STIFF, NOT_CONVERGED, NOT_FINITE):
            return status
        if status != OK:
            restarted = first_guess(equations, step, y, False, stages, layout, buffers)
            if restarted != OK:
                return restarted
    by_newton = status != OK
    if by_newton:
        status, gain = iterate_newton(equations, step, y, newton, stages, layout, buffers)
        if status != OK:
            return status
    status = finish(equations.first, step, y, gain, stages, layout, buffers)
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
    rows = eigenvalues(constants[GAUSS_HEADER : GAUSS_HEADER + s * s].reshape(s, s))
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
