"""Accelerations and reactions at a state of the directors formulation, with the velocities that the constraints allow."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled, helper
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.reactions import (
    accelerate,
    add_efforts,
    applied,
    fill_reactions,
    joint_accelerations,
)
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.project import project
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE

SIGNATURE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@helper
def prepare(y, layout, work):
    """Projected twists at a state, kept in the place of the first stage; the factor at this state is in `work` then."""
    p = layout.pattern
    project(layout, y, y[p[at.VELOCITIES] : p[at.ANGLES]], work)
    n = TWIST * layout.bodies.shape[0]
    for k in range(n):
        work[p[at.STAGE_TWISTS] + k] = work[p[at.PUSH] + k]


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    p = layout.pattern
    nb, nj = layout.bodies.shape[0], layout.joints.shape[0]
    report = 6 * (nb + nj)
    prepare(y, layout, work)
    twists = work[p[at.STAGE_TWISTS] : p[at.STAGE_TWISTS] + TWIST * nb]
    forces = work[p[at.STAGE_FORCES] : p[at.STAGE_FORCES] + TWIST * nb]
    status = applied(t, y, layout, work, twists, forces, row[report:], True)
    if status != OK:
        return status
    accelerate(y, layout, work, twists, forces)
    fill_reactions(y, layout, work, twists, forces, row)
    return OK


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    p = layout.pattern
    n = TWIST * layout.bodies.shape[0]
    prepare(y, layout, work)
    twists, forces = (
        work[p[at.STAGE_TWISTS] : p[at.STAGE_TWISTS] + n],
        work[p[at.STAGE_FORCES] : p[at.STAGE_FORCES] + n],
    )
    status = applied(t, y, layout, work, twists, forces, work[p[at.POWERS] : p[at.POWERS] + 1], effort.shape[0] == 0)
    if status != OK:
        return status
    if effort.shape[0] > 0:
        add_efforts(y, effort, layout, forces)
    accelerate(y, layout, work, twists, forces)
    joint_accelerations(y, layout, twists, forces, result)
    return OK
