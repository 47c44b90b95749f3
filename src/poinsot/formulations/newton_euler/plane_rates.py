"""Rates of bodies that move parallel to a plane, and the projection of accepted states: `rates.py` in the plane."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.plane.closing import put_back
from poinsot.formulations.absolute.plane.rates import accelerations
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.newton_euler.attitude import compress, expand
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


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


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of all bodies, rates of controllers, and the power of the loads."""
    at = layout.places[0]
    velocities, twists = places.velocities(at), work[places.twists(at)]
    status = stage(t, y, layout, work, twists)
    ydot[at.efforts] = 0.0
    controls_in(y, layout)
    if status == OK:
        status = accelerations(t, work[places.end(at)], layout, work, twists, ydot[velocities], ydot[at.state - 1 :])
    controls_out(layout, 1, ydot)
    return status


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
