"""Planar closed trees put back onto the constraints by one correction where that is enough, as in `formulations/tree/loops/once.py`."""

from __future__ import annotations

from numba import boolean

from poinsot.algebra.compile import compiled, internal
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.put_back import accepted
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import set_angles
from poinsot.formulations.tree.loops.projection_limits import BRIEF, CLEAR, is_near, may_be_brief, smallest_pivot
from poinsot.formulations.tree.plane.loops.openings import largest_opening, set_row_gaps
from poinsot.formulations.tree.plane.loops.projection import keep_loose, put_back, respond, set_row_rates
from poinsot.formulations.tree.plane.loops.scales import raise_diagonal
from poinsot.formulations.tree.plane.motion import place_links
from poinsot.tables.records import N_Q, N_V
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE


@internal(boolean(FLOATS, LAYOUT, FLOATS))
def corrected_once(y, layout, work):
    """One correction of positions and velocities, as in `formulations/tree/loops/once.py`; links stay placed where they were."""
    at, nq, nv = layout.places[0], layout.sizes[N_Q], layout.sizes[N_V]
    step, gaps = work[places.step(at)], work[places.row_gaps(at)]
    place_links(y, layout, work)
    set_angles(y, layout, work[own.configuration(at)])
    set_row_gaps(layout, layout.terms.shape[0] + layout.left_out.shape[0], work)
    if not max(largest_opening(layout.terms, gaps), largest_opening(layout.left_out, work[places.all_row_gaps(at)])) <= BRIEF:  # also true for NaN
        return False
    raise_diagonal(layout, work)
    work[at.pivot] = smallest_pivot(layout.pattern, work[places.factor(at)], work[places.diagonal(at)])
    if work[at.pivot] < CLEAR:
        return False
    for k in range(step.shape[0]):
        step[k] = gaps[k]
    first = respond(layout, work)
    for k in range(nv):
        y[k] += work[first + k]
    set_row_rates(layout, work)
    first = respond(layout, work)
    for k in range(nv):
        y[nq + k] += work[first + k]
    keep_loose(y, layout, work)
    return True


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints."""
    if may_be_brief(room) and corrected_once(y, layout, work):
        return accepted(OK, y, layout, work)
    return accepted(put_back(y, layout, work, is_near(room)), y, layout, work)
