"""Rates of positions and directors that move parallel to a plane, and the projection of accepted states: `rates.py` in the plane."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.plane import across, add_scaled2, cross2, dot2
from poinsot.algebra.vectors import ZERO, store3
from poinsot.elements.director_scalars import POSE
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.plane.closing import put_back
from poinsot.formulations.absolute.plane.places import pick, place_numbers, put
from poinsot.formulations.absolute.plane.rates import accelerations
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.absolute.work import TWIST
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


@helper
def set_twists(y, layout, twists):
    """Twists of all bodies from the rates of their positions and directors in the plane."""
    ground, velocities = layout.frames[0].plane, y[layout.places[0].velocities :]
    for b in range(layout.bodies.shape[0]):
        place, first, _ = place_numbers(layout, b)
        k = TWIST * b
        store3(twists, k, ZERO)
        store3(twists, k + 3, ZERO)
        twists[k + ground.first], twists[k + ground.second] = pick(velocities, place)
        twists[k + 3 + ground.third] = cross2(pick(y, first), pick(velocities, first))


@helper
def write(layout, b, values, place, turn):
    """Write velocities or accelerations of a body's place and of its first director; those of the second follow, and others are zero."""
    for k in range(POSE * b, POSE * (b + 1)):
        values[k] = 0.0
    at, first, second = place_numbers(layout, b)
    put(values, at, place)
    put(values, first, turn)
    put(values, second, across(layout.frames[b].plane.sense, turn))


@helper
def set_velocities(y, layout, twists):
    """Rates of positions and directors from twists."""
    ground, velocities = layout.frames[0].plane, y[layout.places[0].velocities :]
    for b in range(layout.bodies.shape[0]):
        k, (_, first, _) = TWIST * b, place_numbers(layout, b)
        turning = across(twists[k + 3 + ground.third], pick(y, first))
        write(layout, b, velocities, (twists[k + ground.first], twists[k + ground.second]), turning)


@helper
def set_accelerations(y, layout, solution, ydot):
    """Accelerations of positions and directors from those of the bodies as twists.

    A turn z with rate r obeys z'' = -(r . r) z / (z . z) + alpha (z . z) i z, with the quarter turn i: `lyapunov.py` in the plane.
    """
    at, ground = layout.places[0], layout.frames[0].plane
    ydot[at.efforts] = 0.0
    for b in range(layout.bodies.shape[0]):
        k, (_, first, _) = TWIST * b, place_numbers(layout, b)
        z, r = pick(y, first), pick(y[at.velocities :], first)
        squared = dot2(z, z)
        bend = add_scaled2(across(squared * solution[k + 3 + ground.third], z), -dot2(r, r) / squared, z)
        write(layout, b, ydot[at.velocities :], (solution[k + ground.first], solution[k + ground.second]), bend)


@helper
def on_constraints(t, y, layout, work, twists, beside):
    """Whether rates are taken `beside` a stage y, at the nearest state that the constraints allow (`near_singular`). Sets the twists."""
    set_twists(y, layout, twists)
    if not near_singular(y, layout):
        return False
    copy(y, beside)
    if put_back(t, beside, layout, work, twists) != OK:
        set_twists(y, layout, twists)
        return False
    set_velocities(beside, layout, twists)
    return True


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of positions and directors, and the power of the loads."""
    at = layout.places[0]
    twists, solution, state = work[places.twists(at)], work[places.forces(at)], work[places.end(at)]
    if not on_constraints(t, y, layout, work, twists, state):
        state = y
    controls_in(y, layout)
    status = accelerations(t, state, layout, work, twists, solution, ydot[at.state - 1 :])
    if status == OK:
        set_accelerations(state, layout, solution, ydot)
    controls_out(layout, 1, ydot)
    return status


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints, positions and velocities."""
    twists = work[places.twists(layout.places[0])]
    set_twists(y, layout, twists)
    status = put_back(t, y, layout, work, twists)
    set_velocities(y, layout, twists)
    return accepted(status, y, layout, work)
