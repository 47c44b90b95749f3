"""What a state of the rotation-matrix formulation means."""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_in
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.at_twists import accelerate_joints, fill_loads
from poinsot.formulations.absolute.observe import fill_motion
from poinsot.formulations.rotation_matrix.twists import set_twists
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
    twists = work[places.twists(layout.places[0])]
    set_twists(y, layout, twists)
    controls_in(y, layout)
    return fill_loads(t, y, layout, work, twists, row)


@compiled(SIGNATURE)
def acceleration(t, y, effort, layout, work, result):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    twists = work[places.twists(layout.places[0])]
    set_twists(y, layout, twists)
    controls_in(y, layout)
    return accelerate_joints(t, y, effort, layout, work, twists, result)
