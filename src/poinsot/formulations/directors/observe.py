"""What a state of the directors formulation means: velocities by projection; energy and momenta of the state itself, which conserves them."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, handed, helper
from poinsot.algebra.matrices import load33, transpose
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, scale, store3
from poinsot.elements.director_scalars import POSE, centre
from poinsot.elements.energy import ANGULAR, KINETIC, MOMENTUM
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.observe import energies_row, fill_motion
from poinsot.formulations.directors.project import project
from poinsot.tables.types import OK, RATE_SIGNATURE


@helper
def own_energies(y, layout, row):
    """Kinetic energy, momentum and angular momentum of the velocities as they are in the state."""
    at = layout.places[0]
    kinetic, momentum, angular = 0.0, ZERO, ZERO
    velocities = y[places.velocities(at)]
    for b in range(1, layout.bodies.shape[0]):
        frame, k = layout.frames[b], POSE * b
        velocity = load3(velocities, k)
        p = scale(frame.mass, velocity)
        kinetic += 0.5 * dot(p, velocity)
        momentum, angular = add(momentum, p), add(angular, cross(centre(y, b), p))
        D, Z = transpose(load33(y, k + 3)), transpose(load33(velocities, k + 3))
        kinetic += 0.5 * (
            frame.euler[0] * dot(Z[0], Z[0]) + frame.euler[1] * dot(Z[1], Z[1]) + frame.euler[2] * dot(Z[2], Z[2])
        )
        angular = add_scaled(angular, frame.euler[0], cross(D[0], Z[0]))
        angular = add_scaled(angular, frame.euler[1], cross(D[1], Z[1]))
        angular = add_scaled(angular, frame.euler[2], cross(D[2], Z[2]))
    row[KINETIC] = kinetic
    store3(row, MOMENTUM, momentum)
    store3(row, ANGULAR, angular)


@helper
def fill_row(y, layout, work, row):
    """Fill a motion row from a state and its twists in `push`."""
    fill_motion(y, layout, work, row)
    own_energies(y, layout, row[energies_row(layout) :])


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    at = layout.places[0]
    set_clock(layout, t)
    project(layout, y, y[places.velocities(at)], work)
    fill_row(y, layout, work, row)
    return OK


@handed(RATE_SIGNATURE)
def no_rate(t, y, layout, work, ydot):
    """In place of the kernel of the loads or of the drives, where there are none."""
    return OK
