"""How far constraint rows are open at poses: those in use, and those left out as redundant."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.vectors import add, store3, sub
from poinsot.elements.director_scalars import POSE, centre
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import value_of
from poinsot.formulations.absolute.rows import arms
from poinsot.layout.extent import OPEN

POSITION_ROUNDING = 1e-14  # of a length of the mechanism or of the distance from the origin, and in rad: what positions cannot tell


@kernel
def point_gap(term, poses):
    """From the first of two points that should coincide to the second."""
    arm_a, arm_b = arms(term, poses)
    return sub(add(centre(poses, term.second), arm_b), add(centre(poses, term.first), arm_a))


@helper
def add_row_values(terms, y, layout, gaps):
    """Add the values of scalars to those of their rows; angles are those of the state."""
    n = 0
    while n < terms.shape[0]:
        term = terms[n]
        if term.point == 1:
            store3(gaps, term.row, point_gap(term, y))
            n += 3
            continue
        gaps[term.row] += term.factor * value_of(term, layout, y, y, 0.0)
        n += 1


@helper
def set_row_gaps(y, layout, work):
    """Values of the rows in use at a state, to `row_gaps`."""
    at = layout.places[0]
    gaps = work[places.row_gaps(at)]
    for k in range(gaps.shape[0]):
        gaps[k] = 0.0
    add_row_values(layout.terms, y, layout, gaps)


@helper
def farthest(y, layout):
    """Largest coordinate of a centre of mass, m."""
    far = 0.0
    for b in range(1, layout.bodies.shape[0]):
        for i in range(3):
            far = max(far, abs(y[POSE * b + i]))
    return far


@helper
def largest_opening(terms, gaps):
    """Largest of the rows that scalars belong to, relative to a length of the mechanism, or in rad."""
    largest = 0.0
    for k in range(terms.shape[0]):
        term = terms[k]
        rows = 3 if term.point == 1 else 1
        for i in range(rows):
            largest = max(largest, term.unit * abs(gaps[term.row + i]))
    return largest


@helper
def left_open(y, layout, work):
    """How far rows that were left out are open at a state whose rows in use have their values in `work`, as `largest_opening`."""
    at = layout.places[0]
    gaps = work[places.all_row_gaps(at)]
    for k in range(at.n_rows, gaps.shape[0]):
        gaps[k] = 0.0
    add_row_values(layout.left_out, y, layout, gaps)
    return largest_opening(layout.left_out, gaps)


@helper
def came_apart(y, layout, work):
    """Whether any row, in use or left out, is open at a state further than OPEN."""
    set_row_gaps(y, layout, work)
    largest = max(largest_opening(layout.terms, work[places.row_gaps(layout.places[0])]), left_open(y, layout, work))
    if largest <= OPEN:
        return False
    unit = 0.0
    for k in range(layout.terms.shape[0]):
        unit = max(unit, layout.terms[k].unit)
    return largest > OPEN + POSITION_ROUNDING * unit * farthest(y, layout)
