"""Rates of the Newton-Euler formulation: accelerations from forces, moments and one matrix of constraints, and projection.

State y: position and attitude of every body (`attitude.py`), unwrapped angles of the joints, twists (velocity of the centre of mass and
angular velocity, world), the pivot at the last look at the rows in use (`weak_rows.py`), work.
"""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled, helper, internal
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.around import NARROW, Around, rate_around
from poinsot.formulations.absolute.aside import close_aside, fastest_spin
from poinsot.formulations.absolute.put_back import accepted, near_singular, put_back
from poinsot.formulations.absolute.rates import accelerations
from poinsot.formulations.newton_euler.attitude import compress, expand
from poinsot.integrators.stages import copy
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE


@helper
def stage(t, y, layout, work, twists):
    """Configuration and twists at which rates are taken: those of y, or the nearest that the constraints allow (`near_singular`). A status."""
    at = layout.places[0]
    status = expand(y, layout, work)
    copy(y[places.velocities(at)], twists)
    if status == OK and near_singular(y, layout) and put_back(t, work[places.end(at)], layout, work, twists) != OK:
        status = expand(y, layout, work)
        copy(y[places.velocities(at)], twists)
    return status


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def rate_aside(t, y, layout, work, ydot):
    """Derivatives of all but positions at the configuration and the twists that there are, those of controllers at y. Returns a status."""
    at = layout.places[0]
    ydot[at.efforts] = 0.0
    controls_in(y, layout)
    found, power = ydot[places.velocities(at)], ydot[at.state - 1 :]
    status = accelerations(t, work[places.end(at)], layout, work, work[places.twists(at)], found, power)
    controls_out(layout, 1, ydot)
    return status


@internal(float64(float64, FLOATS, LAYOUT, FLOATS, float64))
def step_aside(t, y, layout, work, ahead):
    """Configuration and twists to which those of y lead in a time `ahead`, on the constraints. Returns the pivot; 0: there are none."""
    at = layout.places[0]
    twists = work[places.twists(at)]
    status = expand(y, layout, work)
    copy(y[places.velocities(at)], twists)
    return close_aside(t, work[places.end(at)], layout, work, twists, ahead) if status == OK else 0.0


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of all bodies, rates of controllers, and the power of the loads. Next to singular positions: those around y (`around.py`)."""
    at = layout.places[0]
    twists = work[places.twists(at)]
    status = stage(t, y, layout, work, twists)
    if status == OK and near_singular(y, layout) and work[at.pivot] < NARROW:
        if rate_around(Around(step_aside, rate_aside), t, y, layout, work, fastest_spin(twists), ydot):
            return OK
        if step_aside(t, y, layout, work, 0.0) == 0.0:
            status = stage(t, y, layout, work, twists)
    return rate_aside(t, y, layout, work, ydot) if status == OK else status


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints, positions and velocities."""
    at = layout.places[0]
    status = expand(y, layout, work)
    if status != OK:
        return status
    configuration = work[places.end(at)]
    status = put_back(t, configuration, layout, work, y[places.velocities(at)])
    compress(configuration, layout, y)
    return accepted(status, y, layout, work)
