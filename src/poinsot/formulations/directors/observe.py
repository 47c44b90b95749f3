"""What a state of the directors formulation means: poses, allowed velocities, joint coordinates and energies in the world.

Velocities and joint rates are those of the projected state; energy and momenta belong to the state itself, in which they are conserved.
"""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.matrices import apply_transposed, load33, matmul, transpose
from poinsot.algebra.quaternions import from_matrix, load4, normalised, store4
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, scale, store3, sub
from poinsot.elements.director_scalars import POSE as SPAN
from poinsot.elements.director_scalars import SERIAL, centre
from poinsot.elements.energy import ANGULAR, KINETIC, MOMENTUM, energies
from poinsot.elements.wrenches import ATTITUDE, MOTION, ORIGIN, SPIN, VELOCITY
from poinsot.formulations.contract import POSE
from poinsot.formulations.directors import work as at
from poinsot.formulations.directors.balls import joint_frames
from poinsot.formulations.directors.bodies import body_states, pair_rate
from poinsot.formulations.directors.coordinates import gradient_of, value_of
from poinsot.formulations.directors.project import project
from poinsot.formulations.directors.work import TWIST
from poinsot.tables.records import BALL, HELICAL, N_C, N_R
from poinsot.tables.types import OK, RATE_SIGNATURE


@helper
def joint_values(y, layout, twists, coordinates, rates):
    """Coordinates and rates of all joints at a state and its twists."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        joint = layout.joints[motion.joint]
        if motion.kind == BALL and layout.coordinates[motion.ir].kind == SERIAL:
            scalar = layout.coordinates[motion.ir]
            store4(coordinates, motion.ic, load4(y, layout.pattern[at.ANGLES] + scalar.angle))
            for k in range(3):
                gradient = gradient_of(layout.coordinates[motion.ir + k], layout, y, y)
                rates[motion.ir + k] = pair_rate(gradient, twists, joint.first, joint.second)
        elif motion.kind == BALL:
            A, B = joint_frames(joint, layout, y)
            spin = sub(load3(twists, TWIST * joint.second + 3), load3(twists, TWIST * joint.first + 3))
            store4(coordinates, motion.ic, normalised(from_matrix(matmul(transpose(A), B))))
            store3(rates, motion.ir, apply_transposed(B, spin))
        else:
            for k in range(1 if motion.kind == HELICAL else 3):
                scalar = layout.coordinates[motion.ir + k]
                coordinates[motion.ic + k] = value_of(scalar, layout, y, y, 0.0)
                gradient = gradient_of(scalar, layout, y, y)
                rates[motion.ir + k] = pair_rate(gradient, twists, joint.first, joint.second)


@helper
def own_energies(y, layout, row):
    """Kinetic energy, momentum and angular momentum of the velocities as they are in the state."""
    kinetic, momentum, angular = 0.0, ZERO, ZERO
    velocities = layout.pattern[at.VELOCITIES]
    for b in range(1, layout.bodies.shape[0]):
        frame, k = layout.frames[b], velocities + SPAN * b
        velocity = load3(y, k)
        p = scale(frame.mass, velocity)
        kinetic += 0.5 * dot(p, velocity)
        momentum, angular = add(momentum, p), add(angular, cross(centre(y, b), p))
        D, Z = transpose(load33(y, SPAN * b + 3)), transpose(load33(y, k + 3))
        kinetic += 0.5 * (
            frame.euler[0] * dot(Z[0], Z[0]) + frame.euler[1] * dot(Z[1], Z[1]) + frame.euler[2] * dot(Z[2], Z[2])
        )
        angular = add_scaled(angular, frame.euler[0], cross(D[0], Z[0]))
        angular = add_scaled(angular, frame.euler[1], cross(D[1], Z[1]))
        angular = add_scaled(angular, frame.euler[2], cross(D[2], Z[2]))
    row[KINETIC] = kinetic
    store3(row, MOMENTUM, momentum)
    store3(row, ANGULAR, angular)


@kernel
def fill_bodies(layout, states, row):
    """Poses and velocities of all bodies."""
    for b in range(layout.bodies.shape[0]):
        base, k = b * MOTION, b * POSE
        store3(row, k, load3(states, base + ORIGIN))
        store4(row, k + 3, normalised(from_matrix(load33(states, base + ATTITUDE))))
        store3(row, k + 7, load3(states, base + VELOCITY))
        store3(row, k + 10, load3(states, base + SPIN))


@helper
def fill_motion(y, layout, work, row):
    """Fill a motion row from a state and its twists in work[PUSH]."""
    p = layout.pattern
    twists, states = work[p[at.PUSH] : p[at.PUSH + 1]], work[p[at.STATES] : p[at.WRENCHES]]
    body_states(layout, y, twists, states)
    fill_bodies(layout, states, row)
    first = layout.bodies.shape[0] * POSE
    second = first + layout.sizes[N_C]
    third = second + layout.sizes[N_R]
    joint_values(y, layout, twists, row[first:second], row[second:third])
    energies(layout, states, row[first:second], row[third:])
    own_energies(y, layout, row[third:])


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    p = layout.pattern
    project(layout, y, y[p[at.VELOCITIES] : p[at.ANGLES]], work)
    fill_motion(y, layout, work, row)
    return OK


@compiled(RATE_SIGNATURE)
def no_rate(t, y, layout, work, ydot):
    """In place of the rates that a system with multipliers does not have."""
    return OK
