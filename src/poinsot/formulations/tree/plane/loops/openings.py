"""How far constraint rows of a planar tree are open: those in use, and those left out as redundant."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.openings import POSITION_ROUNDING
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.plane.loops.scalars import value_of
from poinsot.formulations.tree.plane.work import PLACE, PLANE_BLOCK
from poinsot.layout.extent import OPEN


@helper
def set_row_gaps(layout, count, work):
    """Values of the rows that the first `count` scalars belong to."""
    at = layout.places[0]
    gaps, configuration = work[places.all_row_gaps(at)], work[own.configuration(at)]
    for k in range(gaps.shape[0]):
        gaps[k] = 0.0
    for n in range(count):
        scalar = layout.plane_scalars[n]
        old = configuration[at.angles + scalar.angle] if scalar.angle >= 0 else 0.0
        gaps[scalar.row] += scalar.factor * value_of(scalar, layout, work, old)


@helper
def largest_opening(scalars, gaps):
    """Largest of the rows that scalars belong to, relative to a length of the mechanism, or in rad."""
    largest = 0.0
    for k in range(scalars.shape[0]):
        largest = max(largest, scalars[k].unit * abs(gaps[scalars[k].row]))
    return largest


@helper
def farthest(layout, work):
    """Largest coordinate of the origin of a link in the plane, m."""
    far = 0.0
    for i in range(1, layout.plane_links.shape[0]):
        for k in range(2):
            far = max(far, abs(work[i * PLANE_BLOCK + PLACE + k]))
    return far


@helper
def came_apart(layout, work):
    """Whether any row, in use or left out, is open further than OPEN."""
    gaps = work[places.all_row_gaps(layout.places[0])]
    set_row_gaps(layout, layout.terms.shape[0] + layout.left_out.shape[0], work)
    largest = max(largest_opening(layout.terms, gaps), largest_opening(layout.left_out, gaps))
    if largest <= OPEN:
        return False
    unit = 0.0
    for k in range(layout.terms.shape[0]):
        unit = max(unit, layout.terms[k].unit)
    return largest > OPEN + POSITION_ROUNDING * unit * farthest(layout, work)
