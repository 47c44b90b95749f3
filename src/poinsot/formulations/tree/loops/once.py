"""States put back onto the constraints by one correction where that is enough, for methods that ask for it; others do not compile it."""

from __future__ import annotations

from numba import boolean, float64

from poinsot.algebra.compile import compiled, internal
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import rows_failed, set_clock
from poinsot.formulations.absolute.openings import largest_opening, left_open, set_row_gaps
from poinsot.formulations.absolute.put_back import accepted
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import keep_loose, normalise_balls
from poinsot.formulations.tree.loops.projection import move, put_back, respond, set_row_rates
from poinsot.formulations.tree.loops.projection_limits import BRIEF, CLEAR, is_near, may_be_brief, smallest_pivot
from poinsot.formulations.tree.loops.scales import raise_diagonal
from poinsot.formulations.tree.loops.seen import place_seen
from poinsot.tables.records import N_Q, N_V
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE


@internal(boolean(float64, FLOATS, LAYOUT, FLOATS))
def corrected_once(t, y, layout, work):
    """One correction of positions and velocities, with the factor of an evaluation nearby, where that leaves hardly anything.

    Bodies stay placed where they were: what is found for them there differs by no more than the correction. Else nothing has
    changed.
    """
    at, nq = layout.places[0], layout.sizes[N_Q]
    configuration, step, gaps = work[own.configuration(at)], work[places.step(at)], work[places.row_gaps(at)]
    set_clock(layout, t)
    normalise_balls(y, layout)
    place_seen(y, layout, work)
    set_row_gaps(configuration, layout, work)
    if not max(largest_opening(layout.terms, gaps), left_open(configuration, layout, work)) <= BRIEF:  # also true for NaN
        return False
    raise_diagonal(layout, work)
    work[at.pivot] = smallest_pivot(layout.pattern, work[places.factor(at)], work[places.diagonal(at)])
    if work[at.pivot] < CLEAR:
        return False
    for k in range(step.shape[0]):
        step[k] = gaps[k]
    move(y, layout, work[respond(layout, work) :])
    set_row_rates(layout, work)
    first = respond(layout, work)
    for k in range(layout.sizes[N_V]):
        y[nq + k] += work[first + k]
    keep_loose(y, layout, work)
    return not rows_failed(layout)


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints."""
    if may_be_brief(room) and corrected_once(t, y, layout, work):
        return accepted(OK, y, layout, work)
    return accepted(put_back(t, y, layout, work, is_near(room)), y, layout, work)
