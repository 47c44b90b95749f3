"""What holds at poses and allowed twists, with drives and without: rows of loads, accelerations of joints, the output-input matrix."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.drives import build_responses, driven_accelerations, fill_matrix, report_drives
from poinsot.formulations.absolute.rates import accelerations
from poinsot.formulations.absolute.reactions import (
    accelerate,
    add_efforts,
    applied,
    fill_reactions,
    joint_accelerations,
)
from poinsot.formulations.absolute.rows import build
from poinsot.tables.types import OK


@helper
def fill_loads(t, y, layout, work, twists, row):
    """Fill a loads row (see `formulations/contract.py`) of a system without drives. Returns a status."""
    forces = work[places.forces(layout.places[0])]
    report = 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    status = accelerations(t, y, layout, work, twists, forces, row[report:])
    if status == OK:
        fill_reactions(y, layout, work, twists, forces, row)
    return status


@helper
def prepare_drives(t, y, layout, work):
    """Factor and responses to the inputs at poses, in `work`. Returns a status."""
    set_clock(layout, t)
    build(layout, y, y, work, 0.0, work)
    return build_responses(y, y, layout, work)


@helper
def fill_driven_loads(t, y, layout, work, twists, row):
    """The same, of a system with drives."""
    at = layout.places[0]
    report = 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    forces = work[places.forces(at)]
    status = prepare_drives(t, y, layout, work)
    if status == OK:
        status = driven_accelerations(t, y, layout, work, twists, forces, row[report : report + 1 + 4 * layout.loads.shape[0]])
    if status == OK:
        fill_reactions(y, layout, work, twists, forces, row)
        report_drives(y, layout, twists, work[places.drive_gaps(at)], row[report:])
    return status


@helper
def accelerate_joints(t, y, effort, layout, work, twists, result):
    """Derivatives of the joint rates; `effort`, when not empty, replaces the efforts of the loads at joints. Returns a status."""
    at = layout.places[0]
    forces = work[places.forces(at)]
    set_clock(layout, t)
    build(layout, y, y, work, 0.0, work)
    status = applied(t, y, layout, work, twists, forces, work[places.total_power(at)], effort.shape[0] == 0)
    if status == OK:
        if effort.shape[0] > 0:
            add_efforts(y, effort, layout, forces)
        accelerate(y, layout, work, twists, forces)
        joint_accelerations(y, layout, twists, forces, result)
    return status


@helper
def fill_grip(t, y, layout, work, row):
    """Fill a row with the output-input matrix: accelerations of the outputs per effort of the inputs (drives by drives, row by row)."""
    set_clock(layout, t)
    matrix = work[places.drive_matrix(layout.places[0])]
    build(layout, y, y, work, 0.0, work)
    fill_matrix(y, y, layout, work)
    for k in range(matrix.shape[0]):
        row[k] = -matrix[k]
