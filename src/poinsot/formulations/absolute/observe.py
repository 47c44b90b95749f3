"""What poses and twists mean: bodies in the world, joint coordinates and rates, energies and momenta."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply_transposed, load33, matmul, transpose
from poinsot.algebra.quaternions import from_matrix, load4, normalised, store4
from poinsot.algebra.vectors import load3, store3, sub
from poinsot.elements.director_scalars import SERIAL
from poinsot.elements.energy import energies
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, SPIN, VELOCITY
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.balls import joint_frames
from poinsot.formulations.absolute.bodies import body_states, pair_rate
from poinsot.formulations.absolute.coordinates import gradient_of, value_of
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.contract import BODY_MOTION
from poinsot.tables.records import BALL, HELICAL, N_C, N_R


@helper
def joint_values(y, layout, twists, coordinates, rates):
    """Coordinates and rates of all joints at a state and its twists."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        joint = layout.joints[motion.joint]
        if motion.kind == BALL and layout.coordinates[motion.ir].kind == SERIAL:
            store4(coordinates, motion.ic, load4(y, layout.places[0].angles + layout.coordinates[motion.ir].angle))
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


@kernel
def fill_bodies(layout, states, row):
    """Poses and velocities of all bodies."""
    for b in range(layout.bodies.shape[0]):
        base, k = b * BODY_STATE, b * BODY_MOTION
        store3(row, k, load3(states, base + ORIGIN))
        store4(row, k + 3, normalised(from_matrix(load33(states, base + ATTITUDE))))
        store3(row, k + 7, load3(states, base + VELOCITY))
        store3(row, k + 10, load3(states, base + SPIN))


@helper
def fill_motion(y, layout, work, row):
    """Fill a motion row from a state and its twists in `push`."""
    at = layout.places[0]
    twists, states = work[places.push(at)], work[places.states(at)]
    body_states(layout, y, twists, states)
    fill_bodies(layout, states, row)
    first = layout.bodies.shape[0] * BODY_MOTION
    second = first + layout.sizes[N_C]
    third = second + layout.sizes[N_R]
    joint_values(y, layout, twists, row[first:second], row[second:third])
    energies(layout, states, row[first:second], row[third:])


@kernel
def energies_row(layout):
    """Where the energies stand in a motion row."""
    return layout.bodies.shape[0] * BODY_MOTION + layout.sizes[N_C] + layout.sizes[N_R]
