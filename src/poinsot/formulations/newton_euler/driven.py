"""Rates and observations of systems with drives: efforts at every stage, and states put back onto constraints and signals."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.at_twists import fill_driven_loads, fill_grip, prepare_drives
from poinsot.formulations.absolute.drives import add_drive_power, driven_accelerations
from poinsot.formulations.absolute.put_back import accepted, put_back_driven
from poinsot.formulations.newton_euler.attitude import compress, expand
from poinsot.formulations.newton_euler.rates import stage
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of all bodies, and the power of loads and drives."""
    at = layout.places[0]
    configuration, twists, power = work[places.end(at)], work[places.twists(at)], ydot[at.state - 1 :]
    ydot[at.efforts] = 0.0
    controls_in(y, layout)
    status = stage(t, y, layout, work, twists)
    if status == OK:
        status = prepare_drives(t, configuration, layout, work)
    if status == OK:
        status = driven_accelerations(t, configuration, layout, work, twists, ydot[places.velocities(at)], power)
    if status == OK:
        add_drive_power(configuration, layout, work, twists, power)
    controls_out(layout, 1, ydot)
    return status


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto constraints and signals, positions and velocities."""
    at = layout.places[0]
    configuration = work[places.end(at)]
    status = expand(y, layout, work)
    if status == OK:
        status = put_back_driven(t, configuration, layout, work, y[places.velocities(at)])
    if status == OK:
        compress(configuration, layout, y)
    return accepted(status, y, layout, work)


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    at = layout.places[0]
    expand(y, layout, work)
    controls_in(y, layout)
    return fill_driven_loads(t, work[places.end(at)], layout, work, y[places.velocities(at)], row)


@compiled(RATE_SIGNATURE)
def observe_grip(t, y, layout, work, row):
    """Fill a row with the output-input matrix."""
    expand(y, layout, work)
    fill_grip(t, work[places.end(layout.places[0])], layout, work, row)
    return OK
