"""What a state of the rotation-matrix formulation means."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.observe import fill_motion
from poinsot.formulations.absolute.rates import accelerations
from poinsot.formulations.absolute.reactions import (
    accelerate,
    add_efforts,
    applied,
    fill_reactions,
    joint_accelerations,
)
from poinsot.formulations.absolute.rows import build
from poinsot.formulations.rotation_matrix.rates import set_twists
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE

SIGNATURE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    set_twists(y, layout, work[places.push(layout.places[0])])
    fill_motion(y, layout, work, row)
    return OK


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    at = layout.places[0]
    report = 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    twists, forces = work[places.twists(at)], work[places.forces(at)]
    set_twists(y, layout, twists)
    status = accelerations(t, y, layout, work, twists, forces, row[report:])
    if status == OK:
        fill_reactions(y, layout, work, twists, forces, row)
    return status


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    at = layout.places[0]
    twists, forces = work[places.twists(at)], work[places.forces(at)]
    set_twists(y, layout, twists)
    build(layout, y, y, work, 0.0, work)
    status = applied(t, y, layout, work, twists, forces, work[places.total_power(at)], effort.shape[0] == 0)
    if status != OK:
        return status
    if effort.shape[0] > 0:
        add_efforts(y, effort, layout, forces)
    accelerate(y, layout, work, twists, forces)
    joint_accelerations(y, layout, twists, forces, result)
    return OK
