"""The equations of all bodies at a configuration and twists, as matrices: for analysis, compiled when first used."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.algebra.matrices import store33
from poinsot.algebra.vectors import increase3, scale
from poinsot.elements.director_scalars import directors
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import gradient_of, keep_coordinates, right_side, rows_failed, set_clock
from poinsot.formulations.absolute.reactions import applied, right_hand_side
from poinsot.formulations.absolute.rows import inertia
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT


@compiled(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS, FLOATS, FLOATS))
def rows_at_poses(t, y, layout, work, matrix, right, inertias):
    """G (rows by TWIST numbers per body, ground first), right-hand sides of the rows, and inertias in world axes; angles of y are updated."""
    set_clock(layout, t)
    keep_coordinates(layout, y, y)
    width = layout.places[0].n_twists
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        fa, ma, fb, mb = gradient_of(term, layout, y, y)
        base = term.row * width
        increase3(matrix, base + TWIST * term.first, scale(term.factor, fa))
        increase3(matrix, base + TWIST * term.first + 3, scale(term.factor, ma))
        increase3(matrix, base + TWIST * term.second, scale(term.factor, fb))
        increase3(matrix, base + TWIST * term.second + 3, scale(term.factor, mb))
        right[term.row] += right_side(term, layout, y)
    for b in range(1, layout.bodies.shape[0]):
        store33(inertias, 9 * b, inertia(layout.frames[b], directors(y, b)))
    return CALLBACK if rows_failed(layout) else int64(0)


@compiled(int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS, FLOATS))
def forces_at(t, y, twists, layout, work, forces, bias):
    """Applied and gyroscopic forces on all bodies, and G' V of the rows, less the rates of their right-hand sides."""
    set_clock(layout, t)
    status = applied(t, y, layout, work, twists, forces, work[places.total_power(layout.places[0])], True)
    right_hand_side(y, layout, twists, forces, bias)
    return CALLBACK if rows_failed(layout) else status
