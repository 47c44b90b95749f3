"""States of the closed tree put back onto the constraints: positions, then velocities, along the motions that cost least by the masses."""

from __future__ import annotations

from numba import boolean, float64, int64

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.quaternions import load4, multiply, normalised, store4
from poinsot.algebra.rotations import exp_quaternion
from poinsot.algebra.vectors import ZERO, add, cross, increase3, load3, store3, sub
from poinsot.elements.states import POSE, TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.closing import MOST, WORSE
from poinsot.formulations.absolute.coordinates import gradient_of, right_side, rows_failed, set_clock
from poinsot.formulations.absolute.openings import (
    came_apart,
    largest_opening,
    set_row_gaps,
)
from poinsot.formulations.absolute.rows import arms
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import keep_loose, normalise_balls
from poinsot.formulations.tree.loops.folds import accelerate_links, fold_tree
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
from poinsot.formulations.tree.loops.rows import factor_rows, push_joints, set_rows
from poinsot.formulations.tree.loops.scales import raise_diagonal
from poinsot.formulations.tree.loops.seen import move_seen, place_seen
from poinsot.formulations.tree.work import ACCELERATION, ALPHA, BLOCK, ETA, FREE, ZETA, slots_block, spare_block
from poinsot.linear.cholesky import solve
from poinsot.tables.records import BALL, HELICAL, N_Q, N_V
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, NOT_CONVERGED, OK, OPENED


@helper
def factor_here(y, layout, work):
    """Factor of the rows at a state whose bodies are placed, in `work`, with its smallest pivot."""
    fold_tree(y, layout, work)
    set_rows(layout, False, work)
    work[layout.places[0].pivot] = factor_rows(layout, True, work)


@helper
def rest(layout, work):
    """Nothing accelerates the tree, so that accelerations are responses to what is pushed alone."""
    for i in range(layout.links.shape[0]):
        for k in (ETA, ZETA, FREE):
            store3(work, i * BLOCK + k, ZERO)
    store3(work, ALPHA, ZERO)
    store3(work, ACCELERATION, ZERO)


@helper
def respond(layout, work):
    """Velocities -M^-1 J' A^-1 step of the tree, where A is the factored matrix; returned is where they begin in `work`."""
    at = layout.places[0]
    solve(layout.pattern, work[places.factor(at)], work[places.step(at)])
    rest(layout, work)
    push_joints(layout, work)
    accelerate_links(layout, work, work[spare_block(layout) : slots_block(layout)])
    return spare_block(layout) + layout.sizes[N_Q]


@helper
def move(y, layout, moves):
    """Move all coordinates of the tree by velocities, as displacements."""
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        if link.kind == HELICAL:
            y[link.iq] += moves[link.iv]
        elif link.kind == BALL:
            turn = exp_quaternion(load3(moves, link.iv))
            store4(y, link.iq, normalised(multiply(load4(y, link.iq), turn)))
        else:
            increase3(y, link.iq, load3(moves, link.iv))


@kernel
def point_velocity(body, arm, twists):
    """Velocity of a point at `arm` from the centre of mass of a body."""
    return add(load3(twists, TWIST * body), cross(load3(twists, TWIST * body + 3), arm))


@helper
def set_row_rates(layout, work):
    """Set `step` to the rates of the rows in use less what they must be; returns the largest, in units of openings, and of a body."""
    at = layout.places[0]
    configuration, twists, step = work[own.configuration(at)], work[places.twists(at)], work[places.step(at)]
    for k in range(step.shape[0]):
        step[k] = 0.0
    n = 0
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            arm_a, arm_b = arms(term, configuration)
            store3(step, term.row, sub(point_velocity(term.second, arm_b, twists), point_velocity(term.first, arm_a, twists)))
            n += 3
            continue
        n += 1
        gradient = gradient_of(term, layout, configuration, configuration)
        rate = pair_rate(gradient, twists, term.first, term.second)
        step[term.row] += term.factor * rate - right_side(term, layout, configuration)


@helper
def farthest_seen(configuration, layout):
    """Largest coordinate of a centre of mass that rows see, m."""
    far, p, first = 0.0, layout.pattern, own.seen(layout)
    for n in range(p[first]):
        for k in range(3):
            far = max(far, abs(configuration[POSE * p[first + 1 + n] + k]))
    return far


@helper
def judge_factor(y, layout, work):
    """The smallest pivot of a factor that an evaluation close to y left; where that is small a factor at y takes its place."""
    at = layout.places[0]
    raise_diagonal(layout, work)
    work[at.pivot] = smallest_pivot(layout.pattern, work[places.factor(at)], work[places.diagonal(at)])
    if work[at.pivot] < CLEAR:
        factor_here(y, layout, work)


@helper
def close_positions(y, layout, work, near):
    """Coordinates at which all rows in use hold; bodies are placed there, a factor near it is in `work`. Returns a status.

    The factor of the first position, or if `near` the one that an evaluation left, serves as long as corrections converge fast.
    """
    at = layout.places[0]
    configuration, step, gaps = work[own.configuration(at)], work[places.step(at)], work[places.row_gaps(at)]
    last, known = 1e300, False
    for _ in range(MOST):
        place_seen(y, layout, work)
        set_row_gaps(configuration, layout, work)
        largest = largest_opening(layout.terms, gaps)
        far = 1.0 + farthest_seen(configuration, layout)
        if near and not known:
            judge_factor(y, layout, work)
        elif not known or (largest > SLOW * last and (largest > ENOUGH * far or work[at.pivot] < CLEAR)):
            factor_here(y, layout, work)
        known = True
        if largest <= closed_enough(near, work[at.pivot], layout) * far or (largest <= WORSE and largest > 0.5 * last):
            return OPENED if layout.left_out.shape[0] > 0 and came_apart(configuration, layout, work) else OK
        for k in range(step.shape[0]):
            step[k] = gaps[k]
        move(y, layout, work[respond(layout, work) :])
        last = largest
    return NOT_CONVERGED


@helper
def allow_velocities(y, layout, work):
    """Velocities become the nearest ones that the rows allow, with the factor of positions nearby in `work` as long as that converges fast."""
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
            factor_here(y, layout, work)
            fresh = True
        first = respond(layout, work)
        for k in range(nv):
            y[nq + k] += work[first + k]
        move_seen(y, layout, work)
        last = largest


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, boolean))
def put_back(t, y, layout, work, near):
    """A state becomes the nearest that the rows allow; its bodies are placed. Returns a status. `near`: see `close_positions`."""
    set_clock(layout, t)
    normalise_balls(y, layout)
    status = close_positions(y, layout, work, near)
    allow_velocities(y, layout, work)
    keep_loose(y, layout, work)
    return CALLBACK if rows_failed(layout) else status
