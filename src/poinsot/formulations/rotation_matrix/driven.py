"""Rates and observations of systems with drives: efforts at every stage, and states put back onto constraints and signals."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.closing import WORSE, allow_twists, close_poses, move
from poinsot.formulations.absolute.coordinates import keep_coordinates
from poinsot.formulations.absolute.drives import (
    build_responses,
    drive_power,
    drive_solution,
    driven_accelerations,
    fill_matrix,
    follow,
    report_drives,
)
from poinsot.formulations.absolute.openings import POSITION_ROUNDING, farthest
from poinsot.formulations.absolute.reactions import fill_reactions
from poinsot.formulations.absolute.rows import build
from poinsot.formulations.absolute.weak_rows import rows_weaken
from poinsot.formulations.rotation_matrix.rates import set_accelerations, set_twists, set_velocities
from poinsot.integrators.stages import copy
from poinsot.tables.types import NOT_CONVERGED, OK, PROJECTED, RATE_SIGNATURE, WEAKENED

MOST = 8  # iterations


@helper
def prepare(y, layout, work):
    """Twists at a state, with the factor and the responses to the inputs in `work`. Returns a status."""
    set_twists(y, layout, work[places.twists(layout.places[0])])
    build(layout, y, y, work, 0.0, work)
    return build_responses(y, y, layout, work)


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of positions and directors, and the power of loads and drives."""
    at = layout.places[0]
    twists, solution, efforts, last = work[places.twists(at)], work[places.forces(at)], work[places.drive_gaps(at)], at.state - 1
    status = prepare(y, layout, work)
    if status == OK:
        status = driven_accelerations(t, y, layout, work, twists, solution, ydot[last:])
    if status != OK:
        return status
    for k in range(efforts.shape[0]):
        ydot[last] += drive_power(k, efforts[k], y, layout, twists)
    set_accelerations(y, layout, twists, solution, ydot)
    return OK


@helper
def meet_signals(t, y, layout, work):
    """Poses at which outputs have the values of their signals and all rows in use hold, reached along the forces of the inputs. A status."""
    at = layout.places[0]
    push, step, gaps = work[places.push(at)], work[places.step(at)], work[places.drive_gaps(at)]
    far, last = farthest(y, layout), 1e300
    for _ in range(MOST):
        status = close_poses(y, layout, work)
        if status == OK:
            status = build_responses(y, y, layout, work)
        if status == OK:
            status = follow(t, y, layout, work, 0, push, gaps)
        if status != OK:
            return status
        largest = 0.0
        for k in range(gaps.shape[0]):
            largest = max(largest, abs(gaps[k]))
        if largest <= POSITION_ROUNDING * (1.0 + far) or (largest <= WORSE and largest > 0.5 * last):
            return OK
        for k in range(push.shape[0]):
            push[k] = 0.0
        for k in range(step.shape[0]):
            step[k] = 0.0
        drive_solution(y, y, layout, work, push, step, gaps)
        move(layout.bodies.shape[0], push, y)
        keep_coordinates(layout, y, y)
        last = largest
    return NOT_CONVERGED


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto constraints and signals, positions and velocities."""
    at = layout.places[0]
    twists, push, step, gaps = work[places.twists(at)], work[places.push(at)], work[places.step(at)], work[places.drive_gaps(at)]
    set_twists(y, layout, twists)
    status = meet_signals(t, y, layout, work)
    if status == OK:
        allow_twists(y, layout, twists, work)
        status = follow(t, y, layout, work, 1, twists, gaps)
    if status != OK:
        return status
    copy(twists, push)
    drive_solution(y, y, layout, work, push, step, gaps)
    set_velocities(y, layout, push)
    return WEAKENED if at.n_left_out > 0 and rows_weaken(work[at.pivot], y, at.efforts) else PROJECTED


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    at = layout.places[0]
    report = 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    twists, forces = work[places.twists(at)], work[places.forces(at)]
    status = prepare(y, layout, work)
    if status == OK:
        status = driven_accelerations(t, y, layout, work, twists, forces, row[report : report + 1 + 4 * layout.loads.shape[0]])
    if status == OK:
        fill_reactions(y, layout, work, twists, forces, row)
        report_drives(y, layout, twists, work[places.drive_gaps(at)], row[report:])
    return status


@compiled(RATE_SIGNATURE)
def observe_grip(t, y, layout, work, row):
    """Fill a row with the output-input matrix: accelerations of the outputs per effort of the inputs (drives by drives, row by row)."""
    matrix = work[places.drive_matrix(layout.places[0])]
    build(layout, y, y, work, 0.0, work)
    fill_matrix(y, y, layout, work)
    for k in range(matrix.shape[0]):
        row[k] = -matrix[k]
    return OK
