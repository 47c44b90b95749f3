"""What the closed tree gives for derivatives next to singular positions (`absolute/around.py`)."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import helper, internal
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import rows_failed
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import keep_loose, loose_rates, normalise_balls
from poinsot.formulations.tree.loops.dynamics import accelerate_closed
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.formulations.tree.loops.projection import allow_velocities, close_positions, move, respond
from poinsot.formulations.tree.loops.seen import place_seen
from poinsot.formulations.tree.work import spare_block
from poinsot.integrators.stages import copy
from poinsot.tables.records import BALL, HELICAL, N_Q
from poinsot.tables.types import FLOATS, LAYOUT, OK


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def rate_at(t, state, layout, work, ydot):
    """Derivatives of all but positions at a state. Returns a status."""
    at, last = layout.places[0], ydot.shape[0] - 1
    place_seen(state, layout, work)
    status = apply_closed_loads(t, state, layout, work, True, ydot[last:])
    if status == OK:
        status = accelerate_closed(state, layout, work, ydot, ydot[last:])
        loose_rates(layout, work, ydot)
    ydot[at.efforts] = 0.0
    controls_out(layout, 1, ydot)
    return status


@helper
def rate_aside(t, y, layout, work, ydot):
    """The same at the state that `step_aside` found."""
    return rate_at(t, work[places.end(layout.places[0])], layout, work, ydot)


@internal(float64(float64, FLOATS, LAYOUT, FLOATS, float64))
def step_aside(t, y, layout, work, ahead):
    """The state, in `end`, to which velocities take that at y in a time `ahead`, on the constraints. Returns the pivot; 0: there is none.

    One more correction than others need leaves gaps of rounding errors alone.
    """
    at, nq, first = layout.places[0], layout.sizes[N_Q], spare_block(layout) + layout.sizes[N_Q]
    state, step, gaps = work[places.end(at)], work[places.step(at)], work[places.row_gaps(at)]
    copy(y, state)
    for k in range(at.n_velocities):
        work[first + k] = ahead * y[nq + k]
    move(state, layout, work[first:])
    normalise_balls(state, layout)
    if close_positions(state, layout, work, False) != OK:
        return 0.0
    for k in range(step.shape[0]):
        step[k] = gaps[k]
    move(state, layout, work[respond(layout, work) :])
    place_seen(state, layout, work)
    allow_velocities(state, layout, work)
    keep_loose(state, layout, work)
    return 0.0 if rows_failed(layout) else work[at.pivot]


@helper
def fastest_turn(y, layout):
    """Largest angular velocity of a joint of the tree whose links rows push, rad/s."""
    nq, first, fastest = layout.sizes[N_Q], own.touched(layout.pattern), 0.0
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        if layout.pattern[first + i] == 0 or (link.kind == HELICAL and link.rot == 0.0):
            continue
        for k in range(1 if link.kind == HELICAL else 3 if link.kind == BALL else 0):
            fastest = max(fastest, abs(y[nq + link.iv + k]))
    return fastest
