"""What a state of the Newton-Euler formulation means."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_in
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.at_twists import accelerate_joints, fill_loads
from poinsot.formulations.absolute.observe import fill_motion
from poinsot.formulations.newton_euler.attitude import expand
from poinsot.integrators.stages import copy
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE

SIGNATURE = int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS)


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    at = layout.places[0]
    expand(y, layout, work)
    copy(y[places.velocities(at)], work[places.push(at)])
    fill_motion(work[places.end(at)], layout, work, row)
    return OK


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    at = layout.places[0]
    expand(y, layout, work)
    controls_in(y, layout)
    return fill_loads(t, work[places.end(at)], layout, work, y[places.velocities(at)], row)


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    at = layout.places[0]
    expand(y, layout, work)
    controls_in(y, layout)
    return accelerate_joints(t, work[places.end(at)], effort, layout, work, y[places.velocities(at)], result)
