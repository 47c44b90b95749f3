"""Rates, projection, reactions and the output-input matrix of a tree with drives."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled, helper, internal
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pull
from poinsot.formulations.absolute.closing import WORSE
from poinsot.formulations.absolute.coordinates import gradient_of, rows_failed, set_clock
from poinsot.formulations.absolute.drives import add_drive_power, follow, report_drives
from poinsot.formulations.absolute.openings import POSITION_ROUNDING, farthest
from poinsot.formulations.absolute.put_back import ROUNDS, accepted, near_singular
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import keep_loose, loose_rates, normalise_balls, place_bodies
from poinsot.formulations.tree.loops.drives import build_drives, fill_matrix, push_outputs
from poinsot.formulations.tree.loops.dynamics import accelerate_closed, body_accelerations
from poinsot.formulations.tree.loops.folds import accelerate_links
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.formulations.tree.loops.projection import (
    allow_velocities,
    close_positions,
    factor_here,
    move,
    put_back,
    rest,
)
from poinsot.formulations.tree.loops.reactions import fill_tree, row_forces
from poinsot.formulations.tree.work import slots_block, spare_block
from poinsot.integrators.stages import copy
from poinsot.tables.records import N_Q
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, NOT_CONVERGED, OK, RATE_SIGNATURE


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS, FLOATS))
def accelerate_driven(t, y, layout, work, ydot, report):
    """What `accelerate_closed` does, with outputs that follow their signals; efforts in `drive_gaps`. Returns a status."""
    at = layout.places[0]
    step, gaps = work[places.step(at)], work[places.drive_gaps(at)]
    status = accelerate_closed(y, layout, work, ydot, report)
    if status == OK:
        status = build_drives(layout, work)
    if status != OK:
        return status
    body_accelerations(layout, work, work[places.push(at)])
    status = push_outputs(t, layout, work, 2, work[places.push(at)])
    if status == OK:
        accelerate_links(layout, work, ydot)
        for k in range(at.n_drives):
            multipliers = work[own.response_multipliers(at, k)]
            for m in range(step.shape[0]):
                step[m] += gaps[k] * multipliers[m]
    return status


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of the tree, rates of the loose coordinates and of controllers, and the power of loads and drives."""
    at = layout.places[0]
    state, last = y, ydot.shape[0] - 1
    set_clock(layout, t)
    if near_singular(y, layout):
        state = work[places.end(at)]
        copy(y, state)
        if put_back(t, state, layout, work, False) != OK:
            copy(y, state)
    place_bodies(state, layout, work)
    status = apply_closed_loads(t, state, layout, work, True, ydot[last:])
    if status == OK:
        status = accelerate_driven(t, state, layout, work, ydot, ydot[last:])
    if status == OK:
        add_drive_power(work[own.configuration(at)], layout, work, work[places.twists(at)], ydot[last:])
    loose_rates(layout, work, ydot)
    ydot[at.efforts] = 0.0
    controls_out(layout, 1, ydot)
    return status


@helper
def meet_signals(t, y, layout, work):
    """Coordinates at which outputs have the values of their signals and all rows in use hold, reached along the forces of the inputs. A status."""
    at = layout.places[0]
    configuration, gaps = work[own.configuration(at)], work[places.drive_gaps(at)]
    last = 1e300
    for _ in range(ROUNDS):
        status = close_positions(y, layout, work, False)
        if status == OK:
            status = build_drives(layout, work)
        if status == OK:
            status = follow(t, configuration, layout, work, 0, gaps, gaps)
        if status != OK:
            return status
        largest = 0.0
        for k in range(gaps.shape[0]):
            largest = max(largest, abs(gaps[k]))
        if largest <= POSITION_ROUNDING * (1.0 + farthest(configuration, layout)) or (largest <= WORSE and largest > 0.5 * last):
            return OK
        rest(layout, work)
        push_outputs(t, layout, work, 0, gaps)
        accelerate_links(layout, work, work[spare_block(layout) : slots_block(layout)])
        move(y, layout, work[spare_block(layout) + layout.sizes[N_Q] :])
        last = largest
    return NOT_CONVERGED


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto constraints and signals, positions and velocities."""
    at, nq = layout.places[0], layout.sizes[N_Q]
    set_clock(layout, t)
    normalise_balls(y, layout)
    status = meet_signals(t, y, layout, work)
    if status == OK:
        allow_velocities(y, layout, work)
        rest(layout, work)
        status = push_outputs(t, layout, work, 1, work[places.twists(at)])
    if status == OK:
        spare = work[spare_block(layout) : slots_block(layout)]
        accelerate_links(layout, work, spare)
        for k in range(nq, nq + at.n_velocities):
            y[k] += spare[k]
        keep_loose(y, layout, work)
    return accepted(CALLBACK if rows_failed(layout) else status, y, layout, work)


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    at, nb, nj = layout.places[0], layout.bodies.shape[0], layout.joints.shape[0]
    reactions, report = 6 * nb, 6 * (nb + nj)
    configuration, efforts = work[own.configuration(at)], work[places.drive_gaps(at)]
    set_clock(layout, t)
    place_bodies(y, layout, work)
    loads = row[report : report + 1 + 4 * layout.loads.shape[0]]
    status = apply_closed_loads(t, y, layout, work, True, loads)
    if status == OK:
        status = accelerate_driven(t, y, layout, work, work[spare_block(layout) : slots_block(layout)], loads)
    if status != OK:
        return status
    for k in range(reactions, report):
        row[k] = 0.0
    row_forces(layout, work, row, reactions)
    for k in range(at.n_drives):
        given = layout.inputs[k]
        gradient = gradient_of(given, layout, configuration, configuration)
        pull(work[places.forces(at)], efforts[k], gradient, given.first, given.second)
    fill_tree(layout, work, row, reactions)
    report_drives(configuration, layout, work[places.twists(at)], efforts, row[report:])
    return OK


@compiled(RATE_SIGNATURE)
def observe_grip(t, y, layout, work, row):
    """Fill a row with the output-input matrix: accelerations of the outputs per effort of the inputs (drives by drives, row by row)."""
    set_clock(layout, t)
    place_bodies(y, layout, work)
    factor_here(y, layout, work)
    fill_matrix(layout, work)
    copy(work[places.drive_matrix(layout.places[0])], row)
    return OK
