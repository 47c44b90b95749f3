"""What a state of the closed tree means: bodies, coordinates of all joints, energies."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.matrices import apply_transposed, matmul, transpose
from poinsot.algebra.quaternions import from_matrix, load4, normalised, store4
from poinsot.algebra.vectors import load3, scale, store3, sub
from poinsot.elements.director_scalars import SERIAL
from poinsot.elements.energy import energies
from poinsot.elements.states import TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.balls import joint_frames
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import gradient_of, value_of
from poinsot.formulations.contract import BODY_MOTION
from poinsot.formulations.tree.body_rows import fill_bodies
from poinsot.formulations.tree.coordinates import ball_to_joint, spin_to_joint
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import place_bodies
from poinsot.formulations.tree.work import states_block, wrenches_block
from poinsot.tables.records import BALL, HELICAL, N_C, N_Q, N_R
from poinsot.tables.types import OK, RATE_SIGNATURE


@helper
def closed_joint(motion, layout, work, coordinates, rates):
    """Coordinates and rates of one motion of a joint that closes a loop, from the poses and twists of its bodies."""
    at = layout.places[0]
    c, twists, joint = work[own.configuration(at)], work[places.twists(at)], layout.joints[motion.joint]
    ball = motion.kind == BALL
    if ball and layout.coordinates[motion.ir].kind == SERIAL:
        store4(coordinates, motion.ic, load4(c, at.angles + layout.coordinates[motion.ir].angle))
    elif ball:
        A, B = joint_frames(joint, layout, c)
        spin = sub(load3(twists, TWIST * joint.second + 3), load3(twists, TWIST * joint.first + 3))
        store4(coordinates, motion.ic, normalised(from_matrix(matmul(transpose(A), B))))
        store3(rates, motion.ir, apply_transposed(B, spin))
        return
    for k in range(1 if motion.kind == HELICAL else 3):
        scalar = layout.coordinates[motion.ir + k]
        if not ball:
            coordinates[motion.ic + k] = value_of(scalar, layout, c, c, 0.0)
        rates[motion.ir + k] = pair_rate(gradient_of(scalar, layout, c, c), twists, joint.first, joint.second)


@helper
def all_joints(y, layout, work, coordinates, rates):
    """Coordinates and rates of all joints: of the tree from the state, of others from their bodies."""
    nq = layout.sizes[N_Q]
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        if motion.link < 0:
            closed_joint(motion, layout, work, coordinates, rates)
            continue
        link = layout.links[motion.link]
        j = nq + link.iv
        if motion.kind == HELICAL:
            coordinates[motion.ic], rates[motion.ir] = motion.sign * y[link.iq], motion.sign * y[j]
        elif motion.kind == BALL:
            q = load4(y, link.iq)
            store4(coordinates, motion.ic, ball_to_joint(motion, q))
            store3(rates, motion.ir, spin_to_joint(motion, q, load3(y, j)))
        else:
            store3(coordinates, motion.ic, scale(motion.sign, load3(y, link.iq)))
            store3(rates, motion.ir, scale(motion.sign, load3(y, j)))


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    """Fill a motion row (see `formulations/contract.py`)."""
    place_bodies(y, layout, work)
    fill_bodies(y, layout, work, row)
    first = layout.bodies.shape[0] * BODY_MOTION
    second = first + layout.sizes[N_C]
    third = second + layout.sizes[N_R]
    all_joints(y, layout, work, row[first:second], row[second:third])
    energies(layout, work[states_block(layout) : wrenches_block(layout)], row[first:second], row[third:])
    return OK
