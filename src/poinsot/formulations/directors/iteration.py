"""The iteration of an energy-momentum step: corrections of its unknowns until they satisfy their equations, whatever these are."""

from __future__ import annotations

from math import isfinite, log
from typing import Any, NamedTuple

from numba import int64

from poinsot.algebra.compile import generic, helper, kernel
from poinsot.formulations.directors.energy_momentum_memory import SAME_MATRIX, cost_of_rescue, note_at
from poinsot.integrators.contract import WATCH
from poinsot.linear.anderson import accelerate, note
from poinsot.tables.types import EVALUATIONS, ITERATIONS, NOT_CONVERGED, NOT_FINITE, OK

EM_TOLERANCE, EM_STAGNATION, EM_ITERATIONS = 0, 1, 2  # positions in the constants
TENSION = 5  # geometric stiffness in the matrix, in h^2
REDUNDANT = 6  # 1 when there are rows that were left out
REFRESH = 6  # iterations after which the matrix is factored again
STANDING = 1e-6  # m/s and rad/s: slower motion, or slower than falling for a step, is solved for to the accuracy of this one
RUNAWAY = 1e3  # times the speed that the step began with: no solution lies there
STUCK = 3  # iterations without improvement after which rounding is all that is left
NEARLY = 1e-4  # relative correction after which the next iteration may be the last
LEFT = 1e-12  # of the speed: what may be left of the equations themselves after the last correction
BALANCED = 1e-12  # of the speed: what rounding leaves of the equations
HELPED = 0.5  # times the last ratio: a new matrix that makes less of it is worth while
OBSERVED = 8  # iterations after which their pace tells how many more there will be, and whether a rescue is cheaper
BLURRED = 1e-10  # relative correction that rounding may cause next to singular positions, where the equations are settled


class Solved(NamedTuple):
    """What a step is: functions that take what they need from `work`.

    arrays(step, layout, work) : the unknowns of the step and what belongs to them, as `Iterated`
    residuals(equations, step, y, layout, work, first) : forces and gaps at the present unknowns; a status
    build(drives, step, y, layout, work) : the matrix, factored; a status
    correct(drives, step, y, layout, work) : corrections of the unknowns from forces and gaps, which are lost
    speeds(step, layout, work) : largest change of a speed by the corrections, and largest speed
    left_over(step, layout, work) : largest speed that what is left of the equations of motion would cause
    """

    arrays: Any
    residuals: Any
    build: Any
    correct: Any
    speeds: Any
    left_over: Any


class Pace(NamedTuple):
    """What is expected of an iteration: from which correction on (0: the first) it may be accelerated, above which ratio of two corrections
    that is done, and which ratios are counted on at best, plain and accelerated: one good correction then promises nothing of the next;
    whether its matrix is that of Newton's method, so that a new one is tried before it is accelerated.
    """

    settled: Any
    accelerated: Any
    promised: Any
    unpromised: Any
    refreshes: Any


PACE = Pace(1, 0.4, 0.0, 0.1, False)  # of several stages
# of one stage: loads are stiff where corrections shrink by less than the second number; the first corrections are smaller than later ones
PACE_OF_ONE = Pace(0, 0.03, 1e-2, 0.5, True)


class Iterated(NamedTuple):
    """The unknowns, how many of them are twists, their changes and weights that make these comparable; room for the acceleration; gaps."""

    unknowns: Any
    twists: Any
    changes: Any
    scales: Any
    room: Any
    gaps: Any


@helper
def set_scales(changes, twists, scales):
    """Weights that make changes of twists and of multipliers comparable."""
    a, b = 0.0, 0.0
    for k in range(twists):
        a = max(a, abs(changes[k]))
    for k in range(twists, changes.shape[0]):
        b = max(b, abs(changes[k]))
    for k in range(changes.shape[0]):
        scales[k] = 1.0 if k < twists else (a * a / (b * b) if b > 0.0 else 0.0)


@helper
def largest_of(values, count):
    """Largest absolute value of the first `count` numbers."""
    largest = 0.0
    for k in range(count):
        largest = max(largest, abs(values[k]))
    return largest


@kernel
def slowest(step, layout):
    """Speed with which rounding is compared where everything moves more slowly."""
    return STANDING + step.h * (abs(layout.values[0]) + abs(layout.values[1]) + abs(layout.values[2]))


@kernel
def stagnates(method, stuck, error, left, first):
    """Whether rounding is all that is left: in the corrections, or in the equations where these do not determine the corrections well."""
    return stuck >= STUCK and (error < method[EM_STAGNATION] or (error < BLURRED and left <= BALANCED * first))


@kernel
def settles(left, before, ratio, first):
    """Whether one more correction leaves nothing but rounding of the equations, of which there was `before`, and is `left` now.

    Small corrections of velocities alone do not tell: multipliers of nearly dependent rows may be far off all the same.
    """
    shrinks = left / before if 0.0 < before < 1e300 else ratio
    return left * min(shrinks, 1.0) <= LEFT * first


@kernel
def iterations_left(error, earlier, tolerance):
    """How many more iterations it takes to reach the tolerance, at the pace at which errors shrank in the last three of them."""
    return 3.0 * log(tolerance / error) / log(error / earlier) if error < earlier else 1e300


@generic
def iterate(solved, pace, equations, step, y, layout, buffers):
    """Correct the unknowns of a step until they satisfy their equations; returns a status, and whether new matrices were tried in vain."""
    method, memory, _, work, counters = buffers
    unknowns, twists, changes, scales, room, gaps = solved.arrays(step, layout, work)
    size = unknowns.shape[0]
    patience = cost_of_rescue(memory) if method[WATCH] == 1.0 else 1e300
    errors = (0.0, 0.0, 0.0)
    last, best, first, stuck, slow = 0.0, 1e300, 0.0, 0, False
    built, build_next, in_vain, last_ratio = 0, False, False, 1e300
    refreshes = pace.refreshes and memory[note_at(memory, SAME_MATRIX)] == 0.0
    left = 1e300  # residual of the equations: evaluated only where the iteration may end
    count = int64(0)  # typed as int64 so that Numba does not specialise on a literal
    floor = slowest(step, layout)
    for iteration in range(int(method[EM_ITERATIONS])):
        counters[ITERATIONS] += 1
        counters[EVALUATIONS] += step.stages
        status = solved.residuals(equations, step, y, layout, work, iteration == 0)
        tells = iteration - 1 == built  # the ratio of this correction to the last one is that of a matrix which was new
        if status == OK and (iteration == 0 or build_next or (iteration % REFRESH == 0 and not slow)):
            status = solved.build(equations.second, step, y, layout, work)
            built = iteration
        build_next = False
        if status != OK:
            return status, False
        before, left = left, 1e300
        if iteration == 0 or last < NEARLY:
            left = max(largest_of(gaps, gaps.shape[0]), solved.left_over(step, layout, work))
        solved.correct(equations.second, step, y, layout, work)
        change, largest = solved.speeds(step, layout, work)
        largest = max(largest, floor)
        if not isfinite(change + largest):
            return NOT_FINITE, False
        if iteration == 0:
            first = max(change, largest)
        if largest > RUNAWAY * first:
            return NOT_CONVERGED, False
        error = change / largest
        ratio = error / last if last > 0.0 else 1.0
        if iteration > pace.settled and ratio > pace.accelerated and not slow:
            if refreshes and (not tells or ratio < HELPED * last_ratio):
                build_next = True
            else:
                slow, in_vain = True, refreshes and layout.loads.shape[0] > 0  # the matrix lacks their stiffness
                set_scales(changes, twists, scales)
        last_ratio = ratio
        if slow or iteration < 1 - pace.settled:
            note(room, size, count, unknowns, changes)
            count += 1
        if slow:
            accelerate(room, size, count - 1, scales, unknowns, changes)
        else:
            for k in range(size):
                unknowns[k] += changes[k]
        stuck = stuck + 1 if error > 0.9 * best else 0
        best = min(best, error)
        rate = max(ratio, pace.unpromised if slow else pace.promised)
        small = error == 0.0 or (iteration > 0 and error * rate < method[EM_TOLERANCE] * (1.0 - rate))
        if (small or stagnates(method, stuck, error, left, first)) and settles(left, before, ratio, first):
            return OK, in_vain
        if iteration >= OBSERVED and error > BLURRED and iterations_left(error, errors[0], method[EM_TOLERANCE]) > patience:
            return NOT_CONVERGED, False
        last, errors = error, (errors[1], errors[2], error)
    return NOT_CONVERGED, False
