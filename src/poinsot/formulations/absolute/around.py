"""Derivatives next to singular positions, from those at states around them.

Where branches of a mechanism meet, gaps that rounding leaves are divided by the distance from there in positions, by its square in velocities, and by
its cube in accelerations: there equations at a state say nothing. On one branch, though, accelerations are smooth. They are found at states that are
moved along it to both sides, so far that equations are good there, and interpolated.

A formulation gives two functions: `aside(t, y, layout, work, ahead)` moves y by its velocities, as displacements in a time, onto the constraints, and
returns the pivot there, 0 where there are none; `rate(t, y, layout, work, ydot)` fills the derivatives of all but positions there. Returns a status.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from poinsot.algebra.compile import generic, helper
from poinsot.formulations.absolute import places
from poinsot.tables.types import OK

NARROW = 1e-4  # pivot relative to its diagonal entry below which it is looked for a singular position
ASIDE = (0.04, 0.02, 0.01)  # rad, to the first states to both sides: the first of these with which derivatives are smooth
BETWEEN = 0.4  # of the way to the first states: where a singular position is further away, equations at the state itself are good
CLEAR_OF = 0.2  # of the mean pivot at the first states: a smaller one elsewhere is that of another singular position
STATE_PAIRS = 6  # of states, 1, 2, ... times as far away as the first
HIGHER = (12.0 / 7.0, -15.0 / 14.0, 10.0 / 21.0, -1.0 / 7.0, 2.0 / 77.0, -1.0 / 462.0)  # of means of pairs: right for polynomials of degree 11
LOWER = (5.0 / 3.0, -20.0 / 21.0, 5.0 / 14.0, -5.0 / 63.0, 1.0 / 126.0, 0.0)  # the same of degree 9
SMOOTH, ROUGH = 1e-8, 1e-5  # of the largest derivative: what both may differ by, so that others are not tried; and at most


class Around(NamedTuple):
    """The two functions of a formulation."""

    aside: Any
    rate: Any


@generic
def pivot_around(functions, t, y, layout, work, pivot, ahead):
    """Mean pivot of the two states that are `ahead` (s) before and after y; 0 where no singular position lies between.

    Pivots grow with the square of the distance from there: three of them, `pivot` at y, tell where it is.
    """
    after, before = functions.aside(t, y, layout, work, ahead), functions.aside(t, y, layout, work, -ahead)
    bend, slope = after + before - 2.0 * pivot, 0.5 * (after - before)
    return 0.5 * (after + before) if min(after, before) > 0.0 and abs(slope) <= BETWEEN * bend else 0.0


@helper
def doubt(first, sums, differences):
    """Largest difference relative to the largest sum, from one place on."""
    largest, apart = 0.0, 0.0
    for k in range(first, sums.shape[0]):
        largest, apart = max(largest, abs(sums[k])), max(apart, abs(differences[k]))
    return apart / largest if largest > 0.0 else 0.0


@generic
def interpolate(functions, t, y, layout, work, least, ahead, ydot):
    """Fill the derivatives of all but positions; returns how far two interpolations are apart. Pivots must not be smaller than `least`."""
    at = layout.places[0]
    rate, differences = work[places.around(at)], work[places.differences(at)]
    for k in range(at.velocities, at.state):
        ydot[k], differences[k] = 0.0, 0.0
    for n in range(2 * STATE_PAIRS):
        pair, side = n // 2, 1.0 if n % 2 == 0 else -1.0
        if functions.aside(t, y, layout, work, side * (pair + 1) * ahead) < least or functions.rate(t, y, layout, work, rate) != OK:
            return math.inf
        for k in range(at.velocities, at.state):
            ydot[k] += 0.5 * HIGHER[pair] * rate[k]
            differences[k] += 0.5 * (HIGHER[pair] - LOWER[pair]) * rate[k]
    return doubt(at.velocities, ydot, differences)


@generic
def rate_around(functions, t, y, layout, work, fastest, ydot):
    """Whether the derivatives of all but positions were found from those around y, where the pivot is in `work`; `fastest`: rad/s, of what turns."""
    at = layout.places[0]
    pivot, best, chosen, last = work[at.pivot], math.inf, 0.0, math.inf
    for turn in ASIDE:
        ahead = turn / fastest if fastest > 0.0 else 0.0
        wide = pivot_around(functions, t, y, layout, work, pivot, ahead) if ahead > 0.0 else 0.0
        if wide == 0.0:  # it is far enough from y for this distance, and so for equations at y
            best = math.inf
            break
        last = interpolate(functions, t, y, layout, work, CLEAR_OF * wide, ahead, ydot)
        if last < best:
            best, chosen = last, ahead
        if last <= SMOOTH:
            break
    found = best <= ROUGH
    if found and chosen != ahead:
        interpolate(functions, t, y, layout, work, 0.0, chosen, ydot)
    if found:
        functions.aside(t, y, layout, work, 0.0)  # for projections that begin with the factor of the last evaluation
    work[at.pivot] = pivot
    return found
