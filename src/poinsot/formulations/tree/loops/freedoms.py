"""Closed trees whose rows leave few motions free: rates from the balance of power of these motions, without multipliers.

With J Z = 0, and accelerations p that meet J p = - bias, both by elimination of the rows (`linear/free_motions.py`),

    (Z' M Z) s = Z' (F - M p),      v' = p + Z s

F is all but inertia. Both sides are sums over links, outward from the ground. At a state close to that of the last elimination Z and p are
corrected once by it. Here is what trees in space and in the plane have in common; `by_freedoms.py` has the rest.
"""

from __future__ import annotations

import math

import numpy as np

from poinsot.algebra.compile import generic, helper, kernel
from poinsot.formulations.tree.loops.projection_limits import BRIEF, FAR, ROUNDS, leaves_nothing
from poinsot.formulations.tree.work import efforts_block
from poinsot.linear.free_motions import begin, eliminate, solve_again, solve_few, take_given, whole
from poinsot.tables.records import HELICAL, N_Q, TRANSLATION, Layout

MOST_ROWS, MOST_FREE = 8, 3  # more of them cost more than the factor of all rows
CLEAR = 0.03  # of their row: where pivots are smaller, rates are found with multipliers
GAPS, RATES = 0, 1  # what of the rows is wanted
ALIKE = 1e-4  # largest change of a free motion, relative to its largest rate, that the elimination at another state corrects


def sizes(rates: int, rows: int, links: int) -> dict[str, int]:
    """Lengths of the arrays of n rates and m rows, in the order in which they lie; none where others are better.

    elimination: (W, D); rows_by_rates: (J, 0) at a state nearby; given: the rate that every row gives, then the free ones; right: right-hand sides
    of the rows; particular: p; free_motions: Z, motion by motion; reduced: Z'M Z, row by row, and the right side; motions: of all links by Z.
    """
    free = rates - rows
    if not (0 < rows <= MOST_ROWS and 0 < free <= MOST_FREE):
        return {}
    table = rows * int(whole.py_func(rates + rows))
    return {
        "elimination": table, "rows_by_rates": table, "given": rates, "right": rows, "particular": rates, "free_motions": free * rates,
        "reduced": free * (free + 1), "motions": 6 * free * links, "gram": free * (free + 1), "change": rates,
    }  # fmt: skip


def lengths(layout: Layout, reach: float) -> np.ndarray:
    """Displacements of coordinates that are as large as each other, 1 for turns and the size of the mechanism for slides (m), then their inverses."""
    found = []
    for link in layout.links[1:]:
        slides = link["kind"] == TRANSLATION or (link["kind"] == HELICAL and link["rot"] == 0.0)
        found += [reach if slides else 1.0] * (1 if link["kind"] == HELICAL else 3)
    return np.array(found + [1.0 / one for one in found])


@kernel
def reaches(at):
    """Of `values`: displacements that are as large as each other, n_velocities."""
    return slice(at.reaches, at.reaches + at.n_velocities)


@kernel
def weights(at):
    """Of `values`: their inverses, n_velocities."""
    return slice(at.reaches + at.n_velocities, at.reaches + 2 * at.n_velocities)


@kernel
def given(at):
    """Rates that rows give, then free ones: n_velocities."""
    return slice(at.given, at.given + at.n_velocities)


@kernel
def right(at):
    """Right-hand sides of the rows: n_few."""
    return slice(at.right, at.right + at.n_few)


@kernel
def particular(at):
    """Accelerations that meet the rows: n_velocities."""
    return slice(at.particular, at.particular + at.n_velocities)


@kernel
def free_motion(at, j):
    """Free motion j, as rates: n_velocities."""
    return slice(at.free_motions + j * at.n_velocities, at.free_motions + (j + 1) * at.n_velocities)


@helper
def begin_rows(layout, beside, work):
    """Where the first row of J is to be written to, of which only what is not zero is, and how far the next ones are from it."""
    at = layout.places[0]
    first = at.rows_by_rates if beside else at.elimination
    begin(work, first, at.n_velocities, at.n_few, not beside)
    return first, whole(at.n_velocities + at.n_few)


@helper
def weigh_free(layout, work):
    """Products of free motions with each other, as rates are compared, factored."""
    at, scales = layout.places[0], layout.values[weights(layout.places[0])]
    n, f = at.n_velocities, at.n_velocities - at.n_few
    for i in range(f):
        work[at.gram + f * f + i] = 0.0
        for j in range(i + 1):
            total = 0.0
            for k in range(n):
                total += work[at.free_motions + i * n + k] * scales[k] * scales[k] * work[at.free_motions + j * n + k]
            work[at.gram + f * i + j] = total
    solve_few(work[at.gram : at.gram + f * f], work[at.gram + f * f : at.gram + f * f + f])


@helper
def find_free(layout, work):
    """Free motions, and accelerations that meet the rows, from J and the right-hand sides in `work`. False where pivots are small."""
    at = layout.places[0]
    n, m, chosen = at.n_velocities, at.n_few, work[given(at)]
    if not eliminate(work, at.elimination, m, layout.values[reaches(at)], CLEAR, chosen):
        return False
    width = whole(n + m)
    for j in range(n - m):
        free, column = work[free_motion(at, j)], int(chosen[m + j])
        for r in range(m):
            free[int(chosen[r])] = -work[at.elimination + r * width + column]
        for k in range(m, n):
            free[int(chosen[k])] = 0.0
        free[column] = 1.0
    take_given(work, at.elimination, chosen, work[right(at)], layout.values[weights(at)], work[particular(at)])
    weigh_free(layout, work)
    return True


@helper
def correct_free(layout, work):
    """The same from the elimination at a state nearby, for accelerations in `particular` that miss the rows by the right-hand sides in `work`.

    False where free motions change so much that one correction is not enough.
    """
    at = layout.places[0]
    n, m, chosen, errors, scales = at.n_velocities, at.n_few, work[given(at)], work[right(at)], layout.values[weights(at)]
    width = whole(n + m)
    take_given(work, at.elimination, chosen, errors, scales, work[particular(at)])
    for j in range(n - m):
        free, largest = work[free_motion(at, j)], 0.0
        for r in range(m):
            total, other = 0.0, 0.0
            for k in range(0, n - 1, 2):
                row = at.rows_by_rates + r * width + k
                total, other = total + work[row] * free[k], other + work[row + 1] * free[k + 1]
            errors[r] = total + other + (work[at.rows_by_rates + r * width + n - 1] * free[n - 1] if n % 2 == 1 else 0.0)
        for k in range(n):
            largest = max(largest, abs(free[k]) * scales[k])
        if not take_given(work, at.elimination, chosen, errors, scales, free) <= ALIKE * largest:  # also true for NaN
            return False
    return True


@helper
def begin_reduced(layout, factored, numbers, work):
    """Z'M Z, unless it is `factored`, and the right side so far: what joint efforts do. The ground does not move. Returns where the right side is."""
    at, efforts = layout.places[0], efforts_block(layout)
    n, f = at.n_velocities, at.n_velocities - at.n_few
    side = at.reduced + f * f
    for k in range(side if factored else at.reduced, side + f):
        work[k] = 0.0
    for j in range(f):
        motion = at.motions + numbers * j * layout.links.shape[0]
        for k in range(motion, motion + numbers):
            work[k] = 0.0
        for k in range(n):
            work[side + j] += work[at.free_motions + j * n + k] * work[efforts + k]
    return side


@helper
def accelerate_free(layout, factored, work, vdot):
    """v' = p + Z s, with Z'M Z and the right side of s in `reduced`; `factored`: Z'M Z is known, and so is its factor."""
    at = layout.places[0]
    f, n = at.n_velocities - at.n_few, at.n_velocities
    matrix, s = work[at.reduced : at.reduced + f * f], work[at.reduced + f * f : at.reduced + f * f + f]
    if factored:
        solve_again(matrix, s)
    else:
        solve_few(matrix, s)
    for k in range(n):
        total = work[at.particular + k]
        for j in range(f):
            total += s[j] * work[at.free_motions + j * n + k]
        vdot[k] = total


@helper
def largest_right(layout, work):
    """Largest right-hand side; infinite where one is not a number."""
    at, largest = layout.places[0], 0.0
    for r in range(at.n_few):
        size = abs(work[at.right + r])
        if not size < math.inf:
            return math.inf
        largest = max(largest, size)
    return largest


@helper
def largest_speed(layout, work, v):
    """Largest rate, as rates are compared."""
    scales, largest = layout.values[weights(layout.places[0])], 0.0
    for k in range(scales.shape[0]):
        largest = max(largest, abs(v[k]) * scales[k])
    return largest


@helper
def take_right(layout, work, v):
    """Correct numbers per rate, positions or velocities, that miss the rows by the right-hand sides: by the least change, as rates are compared."""
    at, scales = layout.places[0], layout.values[weights(layout.places[0])]
    n, f = at.n_velocities, at.n_velocities - at.n_few
    change = work[at.change : at.change + n]
    for k in range(n):
        change[k] = 0.0
    take_given(work, at.elimination, work[given(at)], work[right(at)], scales, change)
    gram, s = work[at.gram : at.gram + f * f], work[at.gram + f * f : at.gram + f * f + f]
    for j in range(f):
        s[j] = 0.0
        for k in range(n):
            s[j] += work[at.free_motions + j * n + k] * scales[k] * scales[k] * change[k]
    solve_again(gram, s)
    for k in range(n):
        total = change[k]
        for j in range(f):
            total -= s[j] * work[at.free_motions + j * n + k]
        v[k] += total


@generic
def put_back(place, set_right, shift, move, y, moved, layout, work):
    """Positions, then velocities corrected with the last elimination, `moved` from here. False where that does not converge fast.

    Bodies are left where the last correction found them. `place` gives the opening of rows that are left out; `shift` corrects positions, and
    `move` finds velocities of bodies that are placed.
    """
    at, nq, closed = layout.places[0], layout.sizes[N_Q], False
    v = y[nq : nq + at.n_velocities]
    for _ in range(ROUNDS):
        opening = place(y, layout, work)
        set_right(layout, GAPS, work)
        opening = max(opening, largest_right(layout, work))
        moved = max(moved, opening)
        if not moved <= FAR:  # also true for NaN
            return False
        shift(y, layout, work)
        closed = leaves_nothing(opening, moved)
        if closed:
            break
    if not closed:
        return False
    for _ in range(ROUNDS):
        set_right(layout, RATES, work)
        part = largest_right(layout, work) * moved
        take_right(layout, work, v)
        if part <= BRIEF * BRIEF * largest_speed(layout, work, v):
            return True
        move(y, layout, work)
    return False
