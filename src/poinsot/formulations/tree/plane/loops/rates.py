"""Rates of planar closed trees, and the projection of accepted states. The state is that of `formulations/tree/loops/rates.py`."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import set_angles
from poinsot.formulations.tree.loops.loads import sum_closed_loads
from poinsot.formulations.tree.loops.projection_limits import is_near
from poinsot.formulations.tree.motion import loads_place
from poinsot.formulations.tree.plane.bodies import collect_wrenches, fill_states
from poinsot.formulations.tree.plane.folding import accelerate_links, fold_links, take_roots, weigh
from poinsot.formulations.tree.plane.loops.projection import put_back
from poinsot.formulations.tree.plane.loops.rows import build, push_joints, set_rows
from poinsot.formulations.tree.plane.loops.scalars import rate_of
from poinsot.formulations.tree.plane.motion import place_links
from poinsot.integrators.stages import copy
from poinsot.linear.cholesky import factor, solve
from poinsot.tables.records import N_Q, N_V, N_WRENCHES
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of the coordinates of the tree."""
    nq = layout.sizes[N_Q]
    for k in range(nq):
        ydot[k] = y[nq + k]
    return OK


@kernel
def accelerate_closed(layout, work, ydot):
    """Accelerations ydot[nq:nq+nv] of links that are placed, under loads that are applied; multipliers in `step`, and kept."""
    at = layout.places[0]
    step, blocks = work[places.step(at)], work[places.factor(at)]
    weigh(layout, work)
    fold_links(layout, work)
    take_roots(layout, work)
    accelerate_links(layout, work, ydot)
    set_rows(layout, True, work)
    build(layout, work)
    work[at.pivot] = factor(layout.pattern, blocks, work[places.diagonal(at)])
    solve(layout.pattern, blocks, step)
    copy(step, work[own.multipliers(at)])
    push_joints(layout, work)
    accelerate_links(layout, work, ydot)


@helper
def load_links(t, y, layout, work, report):
    """Loads at the state y, where links are placed; their power is in report[0]. Returns a status."""
    if loads_place(layout):
        fill_states(layout, work)
        set_angles(y, layout, work[own.configuration(layout.places[0])])
    status = sum_closed_loads(t, y, layout, work, True, report)
    if status == OK and layout.sizes[N_WRENCHES] > 0:
        collect_wrenches(layout, work)
    return status


@helper
def loose_rates(layout, work, ydot):
    """Rates of the numbers that the state has of joints that close loops."""
    first, numbers = layout.terms.shape[0] + layout.left_out.shape[0], layout.sizes[N_Q] + layout.sizes[N_V]
    for n in range(first, layout.plane_scalars.shape[0]):
        ydot[numbers + n - first] = rate_of(layout.plane_scalars[n], layout, work)


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of the tree, rates of the loose coordinates and of controllers, and the power of the loads.

    Near a singular position they are taken beside y, on the constraints (`near_singular`).
    """
    at = layout.places[0]
    state, last = y, ydot.shape[0] - 1
    if near_singular(y, layout):
        state = work[places.end(at)]
        copy(y, state)
        if put_back(state, layout, work, False) != OK:
            copy(y, state)
    place_links(state, layout, work)
    status = load_links(t, state, layout, work, ydot[last:])
    if status == OK:
        accelerate_closed(layout, work, ydot)
        loose_rates(layout, work, ydot)
    ydot[at.efforts] = 0.0
    controls_out(layout, 1, ydot)
    return status


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints."""
    return accepted(put_back(y, layout, work, is_near(room)), y, layout, work)
