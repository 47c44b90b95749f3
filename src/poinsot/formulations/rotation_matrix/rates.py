"""Rates of positions and directors: the second step of the elimination, multipliers of all rows at every stage.

State y: positions and directors of all bodies (POSE numbers each), unwrapped angles of the joints, velocities and rates of the
directors (POSE numbers each), the pivot at the last look at the rows in use (`weak_rows.py`), work.
"""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import compiled, helper, internal
from poinsot.algebra.matrices import apply, load33, store33
from poinsot.algebra.vectors import add, cross, load3, store3, vector
from poinsot.elements.director_scalars import POSE, directors
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.around import NARROW, Around, rate_around
from poinsot.formulations.absolute.aside import close_aside, fastest_spin
from poinsot.formulations.absolute.coordinates import keep_coordinates
from poinsot.formulations.absolute.put_back import accepted, near_singular, put_back
from poinsot.formulations.absolute.rates import accelerations
from poinsot.formulations.absolute.rows import inertia
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.rotation_matrix.lyapunov import director_accelerations
from poinsot.formulations.rotation_matrix.point_forces import moment_dyad
from poinsot.formulations.rotation_matrix.twists import set_twists, set_velocities
from poinsot.integrators.stages import copy
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE


@helper
def all_moments(b, y, layout, twists, solution):
    """Moment of all forces on a body about its centre of mass, constraint forces included: what its angular acceleration needs."""
    J = inertia(layout.frames[b], directors(y, b))
    w = load3(twists, TWIST * b + 3)
    return add(apply(J, load3(solution, TWIST * b + 3)), cross(w, apply(J, w)))


@helper
def set_accelerations(y, layout, twists, solution, ydot):
    """Accelerations of positions and directors from those of the bodies as twists."""
    at = layout.places[0]
    ydot[at.efforts] = 0.0
    for k in range(POSE):
        ydot[at.velocities + k] = 0.0
    for b in range(1, layout.bodies.shape[0]):
        k = at.velocities + POSE * b
        moment = all_moments(b, y, layout, twists, solution)
        store3(ydot, k, load3(solution, TWIST * b))
        D, Z = directors(y, b), load33(y, k + 3)
        P = moment_dyad(D, moment)
        store33(ydot, k + 3, director_accelerations(vector(layout.frames[b].euler), D, Z, P, at.damping))


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


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def rate_at(t, state, layout, work, ydot):
    """Derivatives of all but positions at a state whose twists are there. Returns a status."""
    at = layout.places[0]
    solution = work[places.forces(at)]
    controls_in(state, layout)
    status = accelerations(t, state, layout, work, work[places.twists(at)], solution, ydot[at.state - 1 :])
    if status == OK:
        set_accelerations(state, layout, work[places.twists(at)], solution, ydot)
    controls_out(layout, 1, ydot)
    return status


@helper
def rate_aside(t, y, layout, work, ydot):
    """The same at the state that `step_aside` found."""
    return rate_at(t, work[places.end(layout.places[0])], layout, work, ydot)


@internal(float64(float64, FLOATS, LAYOUT, FLOATS, float64))
def step_aside(t, y, layout, work, ahead):
    """The state, in `end`, to which velocities take that at y in a time `ahead`, on the constraints. Returns the pivot; 0: there is none."""
    at = layout.places[0]
    state, twists = work[places.end(at)], work[places.twists(at)]
    copy(y, state)
    set_twists(y, layout, twists)
    pivot = close_aside(t, state, layout, work, twists, ahead)
    set_velocities(state, layout, twists)
    return pivot


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of positions and directors, and the power of the loads. Next to singular positions: those around y (`around.py`)."""
    at = layout.places[0]
    twists, state = work[places.twists(at)], work[places.end(at)]
    if not on_constraints(t, y, layout, work, twists, state):
        return rate_at(t, y, layout, work, ydot)
    if work[at.pivot] < NARROW:
        if rate_around(Around(step_aside, rate_aside), t, y, layout, work, fastest_spin(twists), ydot):
            return OK
        if step_aside(t, y, layout, work, 0.0) == 0.0 and not on_constraints(t, y, layout, work, twists, state):
            return rate_at(t, y, layout, work, ydot)
    return rate_at(t, state, layout, work, ydot)


@helper
def back(t, y, layout, work):
    """Put an accepted state back onto the constraints, positions and velocities. Returns a status."""
    twists = work[places.twists(layout.places[0])]
    set_twists(y, layout, twists)
    status = put_back(t, y, layout, work, twists)
    set_velocities(y, layout, twists)
    return accepted(status, y, layout, work)


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints."""
    return back(t, y, layout, work)


@compiled(RATE_SIGNATURE)
def leave(t, y, layout, work, room):
    """Leave an accepted state as it is, but for the coordinates of its joints."""
    keep_coordinates(layout, y, y)
    return OK
