"""Accelerations and reactions at a state of the directors formulation, with the velocities that the constraints allow."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.feedback import controls_in
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import rows_failed, rows_power, set_clock
from poinsot.formulations.absolute.reactions import (
    accelerate,
    add_efforts,
    applied,
    fill_reactions,
    joint_accelerations,
)
from poinsot.formulations.directors.project import project
from poinsot.integrators.stages import copy
from poinsot.tables.types import CALLBACK, FLOATS, LAYOUT, OK, RATE_SIGNATURE

SIGNATURE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@helper
def prepare(t, y, layout, work):
    """Projected twists at a state, in `twists`; the factor at this state is in `work` then."""
    at = layout.places[0]
    set_clock(layout, t)
    project(layout, y, y[places.velocities(at)], work)
    copy(work[places.push(at)], work[places.twists(at)])


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    at = layout.places[0]
    nb, nj = layout.bodies.shape[0], layout.joints.shape[0]
    report = 6 * (nb + nj)
    prepare(t, y, layout, work)
    controls_in(y, layout)
    twists, forces = work[places.twists(at)], work[places.forces(at)]
    status = applied(t, y, layout, work, twists, forces, row[report:], True)
    if status != OK:
        return status
    accelerate(y, layout, work, twists, forces)
    fill_reactions(y, layout, work, twists, forces, row)
    row[report] += rows_power(layout, y, work[places.step(at)])
    return CALLBACK if rows_failed(layout) else OK


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    at = layout.places[0]
    prepare(t, y, layout, work)
    controls_in(y, layout)
    twists, forces = work[places.twists(at)], work[places.forces(at)]
    status = applied(t, y, layout, work, twists, forces, work[places.total_power(at)], effort.shape[0] == 0)
    if status != OK:
        return status
    if effort.shape[0] > 0:
        add_efforts(y, effort, layout, forces)
    accelerate(y, layout, work, twists, forces)
    joint_accelerations(y, layout, twists, forces, result)
    return OK
