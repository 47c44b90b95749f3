"""Rates and observations of systems with drives: efforts at every stage, and states put back onto constraints and signals."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.at_twists import fill_driven_loads, fill_grip, prepare_drives
from poinsot.formulations.absolute.drives import add_drive_power, driven_accelerations
from poinsot.formulations.absolute.put_back import accepted, put_back_driven
from poinsot.formulations.rotation_matrix.rates import on_constraints, set_accelerations
from poinsot.formulations.rotation_matrix.twists import set_twists, set_velocities
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of positions and directors, and the power of loads and drives."""
    at = layout.places[0]
    twists, solution, last = work[places.twists(at)], work[places.forces(at)], at.state - 1
    state = work[places.end(at)]
    if not on_constraints(t, y, layout, work, twists, state):
        state = y
    controls_in(y, layout)
    status = prepare_drives(t, state, layout, work)
    if status == OK:
        status = driven_accelerations(t, state, layout, work, twists, solution, ydot[last:])
    if status == OK:
        add_drive_power(state, layout, work, twists, ydot[last:])
        set_accelerations(state, layout, twists, solution, ydot)
    controls_out(layout, 1, ydot)
    return status


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto constraints and signals, positions and velocities."""
    twists = work[places.twists(layout.places[0])]
    set_twists(y, layout, twists)
    status = put_back_driven(t, y, layout, work, twists)
    if status == OK:
        set_velocities(y, layout, twists)
    return accepted(status, y, layout, work)


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    twists = work[places.twists(layout.places[0])]
    set_twists(y, layout, twists)
    controls_in(y, layout)
    return fill_driven_loads(t, y, layout, work, twists, row)


@compiled(RATE_SIGNATURE)
def observe_grip(t, y, layout, work, row):
    """Fill a row with the output-input matrix."""
    fill_grip(t, y, layout, work, row)
    return OK
