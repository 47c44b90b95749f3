"""States of planar closed trees put back onto the constraints, as in `formulations/tree/loops/projection.py`."""

from __future__ import annotations

from numba import boolean, int64

from poinsot.algebra.compile import helper, internal
from poinsot.algebra.plane import store2
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.closing import MOST, WORSE
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import set_angles
from poinsot.formulations.tree.loops.projection_limits import (
    CLEAR,
    ENOUGH,
    RATES_ENOUGH,
    RATES_MET,
    RATES_ROUNDING,
    SLOW,
    closed_enough,
    smallest_pivot,
)
from poinsot.formulations.tree.plane.folding import accelerate_links, fold_links, take_roots
from poinsot.formulations.tree.plane.loops.openings import came_apart, farthest, largest_opening, set_row_gaps
from poinsot.formulations.tree.plane.loops.rows import build, push_joints, set_rows
from poinsot.formulations.tree.plane.loops.scalars import rate_of, value_of
from poinsot.formulations.tree.plane.loops.scales import raise_diagonal
from poinsot.formulations.tree.plane.motion import move_links, place_links
from poinsot.formulations.tree.plane.work import ACCELERATION, ALPHA, FREE, PLANE_BLOCK, PRODUCTS
from poinsot.formulations.tree.work import slots_block, spare_block
from poinsot.linear.cholesky import factor, solve
from poinsot.tables.records import N_Q, N_V
from poinsot.tables.types import FLOATS, LAYOUT, NOT_CONVERGED, OK, OPENED


@helper
def factor_here(layout, work):
    """Factor of the rows at a state whose links are placed, in `work`, with its smallest pivot, judged by what rows have on free bodies."""
    at = layout.places[0]
    fold_links(layout, work)
    take_roots(layout, work)
    set_rows(layout, False, work)
    build(layout, work)
    raise_diagonal(layout, work)
    work[at.pivot] = factor(layout.pattern, work[places.factor(at)], work[places.diagonal(at)])


@helper
def rest(layout, work):
    """Nothing accelerates the tree, so that accelerations are responses to what is pushed alone."""
    for i in range(layout.plane_links.shape[0]):
        work[i * PLANE_BLOCK + FREE] = 0.0
        store2(work, i * PLANE_BLOCK + PRODUCTS, (0.0, 0.0))
    work[ALPHA] = 0.0
    store2(work, ACCELERATION, (0.0, 0.0))


@helper
def respond(layout, work):
    """Velocities -M^-1 J' A^-1 step of the tree, where A is the factored matrix; returned is where they begin in `work`."""
    solve(layout.pattern, work[places.factor(layout.places[0])], work[places.step(layout.places[0])])
    rest(layout, work)
    push_joints(layout, work)
    accelerate_links(layout, work, work[spare_block(layout) : slots_block(layout)])
    return spare_block(layout) + layout.sizes[N_Q]


@helper
def judge_factor(layout, work):
    """The smallest pivot of a factor that an evaluation nearby left; where that is small a factor at the state takes its place."""
    at = layout.places[0]
    raise_diagonal(layout, work)
    work[at.pivot] = smallest_pivot(layout.pattern, work[places.factor(at)], work[places.diagonal(at)])
    if work[at.pivot] < CLEAR:
        factor_here(layout, work)


@helper
def close_positions(y, layout, work, near):
    """Coordinates at which all rows in use hold; links are placed there, a factor near it is in `work`. Returns a status."""
    at, nv = layout.places[0], layout.sizes[N_V]
    step, gaps = work[places.step(at)], work[places.row_gaps(at)]
    last, known = 1e300, False
    for _ in range(MOST):
        place_links(y, layout, work)
        set_angles(y, layout, work[own.configuration(at)])
        set_row_gaps(layout, layout.terms.shape[0], work)
        largest = largest_opening(layout.terms, gaps)
        far = 1.0 + farthest(layout, work)
        if near and not known:
            judge_factor(layout, work)
        elif not known or (largest > SLOW * last and (largest > ENOUGH * far or work[at.pivot] < CLEAR)):
            factor_here(layout, work)
        known = True
        if largest <= closed_enough(near, work[at.pivot], layout) * far or (largest <= WORSE and largest > 0.5 * last):
            return OPENED if layout.left_out.shape[0] > 0 and came_apart(layout, work) else OK
        for k in range(step.shape[0]):
            step[k] = gaps[k]
        first = respond(layout, work)
        for k in range(nv):
            y[k] += work[first + k]
        last = largest
    return NOT_CONVERGED


@helper
def set_row_rates(layout, work):
    """Set `step` to the rates of the rows in use."""
    step = work[places.step(layout.places[0])]
    for k in range(step.shape[0]):
        step[k] = 0.0
    for n in range(layout.terms.shape[0]):
        term = layout.plane_scalars[n]
        step[term.row] += term.factor * rate_of(term, layout, work)


@helper
def allow_velocities(y, layout, work):
    """Velocities become the nearest ones that the rows allow, with the factor of positions nearby in `work`."""
    nq, nv = layout.sizes[N_Q], layout.sizes[N_V]
    at = layout.places[0]
    step, clear = work[places.step(at)], work[at.pivot] >= CLEAR
    last, fresh = 1e300, False
    for _ in range(MOST):
        set_row_rates(layout, work)
        largest, fastest = 0.0, 0.0
        for k in range(step.shape[0]):
            largest = max(largest, abs(step[k]))
        for k in range(nq, nq + nv):
            fastest = max(fastest, abs(y[k]))
        if largest <= (RATES_MET if last < 1e300 and clear else RATES_ROUNDING) * fastest:
            return
        if largest > 0.5 * last and (fresh or largest <= RATES_ENOUGH * fastest):
            return
        if largest > SLOW * last and largest > RATES_ENOUGH * fastest and not fresh:
            factor_here(layout, work)
            fresh = True
        first = respond(layout, work)
        for k in range(nv):
            y[nq + k] += work[first + k]
        move_links(y, layout, work)
        last = largest


@helper
def keep_loose(y, layout, work):
    """Write the coordinates of joints that close loops into the state y, whose links are placed, near those that it has."""
    first, numbers = layout.terms.shape[0] + layout.left_out.shape[0], layout.sizes[N_Q] + layout.sizes[N_V]
    for n in range(first, layout.plane_scalars.shape[0]):
        k = numbers + n - first
        y[k] = value_of(layout.plane_scalars[n], layout, work, y[k])


@internal(int64(FLOATS, LAYOUT, FLOATS, boolean))
def put_back(y, layout, work, near):
    """A state becomes the nearest that the rows allow; its links are placed. Returns a status. `near`: a factor is there from an evaluation."""
    status = close_positions(y, layout, work, near)
    allow_velocities(y, layout, work)
    keep_loose(y, layout, work)
    return status
