"""Observations of systems with drives: velocities projected obliquely, along the forces of the inputs, efforts with the accelerations."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.feedback import controls_in
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.drives import (
    build_responses,
    drive_solution,
    driven_accelerations,
    fill_matrix,
    follow,
    report_drives,
)
from poinsot.formulations.absolute.reactions import fill_reactions
from poinsot.formulations.directors.observe import fill_row
from poinsot.formulations.directors.project import project
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


@helper
def driven_twists(t, y, layout, work):
    """Twists in `push` whose outputs have the rates of their signals; the factor and the responses at y stay in `work`. A status."""
    at = layout.places[0]
    keep, push = work[places.twists(at)], work[places.push(at)]
    step, gaps = work[places.step(at)], work[places.drive_gaps(at)]
    set_clock(layout, t)
    project(layout, y, y[places.velocities(at)], work)
    copy(push, keep)
    status = build_responses(y, y, layout, work)
    copy(keep, push)
    if status != OK:
        return status
    status = follow(t, y, layout, work, 1, keep, gaps)
    if status == OK:
        drive_solution(y, y, layout, work, push, step, gaps)
    return status


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    status = driven_twists(t, y, layout, work)
    if status == OK:
        fill_row(y, layout, work, row)
    return status


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`); after it, the effort and power of every drive."""
    at = layout.places[0]
    report = 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    status = driven_twists(t, y, layout, work)
    if status != OK:
        return status
    twists, forces = work[places.twists(at)], work[places.forces(at)]
    copy(work[places.push(at)], twists)
    controls_in(y, layout)
    status = driven_accelerations(t, y, layout, work, twists, forces, row[report : report + 1 + 4 * layout.loads.shape[0]])
    if status == OK:
        fill_reactions(y, layout, work, twists, forces, row)
        report_drives(y, layout, twists, work[places.drive_gaps(at)], row[report:])
    return status


@compiled(RATE_SIGNATURE)
def observe_grip(t, y, layout, work, row):
    """Fill a row with the output-input matrix (drives by drives, row by row): accelerations of the outputs per effort of the inputs."""
    at = layout.places[0]
    matrix = work[places.drive_matrix(at)]
    set_clock(layout, t)
    project(layout, y, y[places.velocities(at)], work)
    fill_matrix(y, y, layout, work)
    for k in range(matrix.shape[0]):
        row[k] = -matrix[k]
    return OK
