"""Conversion between joint and link coordinates of the same motion.

Joint coordinates give the second frame relative to the first, in joint axes; those of the tree give the outer link relative
to the inner, in link axes. `sign` and `rotation` of a motion convert one to the other. Rates, accelerations and
efforts of a motion all follow the same orthogonal map.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import compiled, kernel
from poinsot.algebra.matrices import apply, apply_transposed, matrix
from poinsot.algebra.quaternions import (
    conjugate,
    load4,
    rotation_matrix,
    store4,
    turn_vector_part,
    turn_vector_part_back,
)
from poinsot.algebra.vectors import load3, negate, scale, store3
from poinsot.tables.records import BALL, HELICAL, N_Q
from poinsot.tables.types import FLOATS, LAYOUT


@kernel
def ball_to_joint(motion, q):
    """Rotation of a joint's ball from the quaternion of its link."""
    turned = turn_vector_part(matrix(motion.rotation), q)
    return turned if motion.sign > 0.0 else conjugate(turned)


@kernel
def spin_to_joint(motion, q, spin):
    """A ball's rate (or acceleration, or effort) in the joint's second frame, from the link's; q is the link's quaternion."""
    A = matrix(motion.rotation)
    turned = apply(A, spin)
    return turned if motion.sign > 0.0 else negate(apply(rotation_matrix(turn_vector_part(A, q)), turned))


@kernel
def spin_to_link(motion, q, spin):
    """Inverse of `spin_to_joint`."""
    A = matrix(motion.rotation)
    if motion.sign > 0.0:
        return apply_transposed(A, spin)
    return negate(apply_transposed(A, apply_transposed(rotation_matrix(turn_vector_part(A, q)), spin)))


@compiled(void(FLOATS, LAYOUT, FLOATS))
def joint_coordinates(y, layout, coordinates):
    """Coordinates of all joints, in the order of `layout.motions`, from the state y."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        k = layout.links[motion.link].iq
        if motion.kind == HELICAL:
            coordinates[motion.ic] = motion.sign * y[k]
        elif motion.kind == BALL:
            store4(coordinates, motion.ic, ball_to_joint(motion, load4(y, k)))
        else:
            store3(coordinates, motion.ic, scale(motion.sign, load3(y, k)))


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS))
def joint_rates(y, v, layout, rates):
    """Rates (or accelerations, or efforts) of all joints from those of the links, v; y gives the position."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        link = layout.links[motion.link]
        if motion.kind == HELICAL:
            rates[motion.ir] = motion.sign * v[link.iv]
        elif motion.kind == BALL:
            store3(rates, motion.ir, spin_to_joint(motion, load4(y, link.iq), load3(v, link.iv)))
        else:
            store3(rates, motion.ir, scale(motion.sign, load3(v, link.iv)))


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS))
def link_rates(y, rates, layout, v):
    """Inverse of `joint_rates`."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        link = layout.links[motion.link]
        if motion.kind == HELICAL:
            v[link.iv] = motion.sign * rates[motion.ir]
        elif motion.kind == BALL:
            store3(v, link.iv, spin_to_link(motion, load4(y, link.iq), load3(rates, motion.ir)))
        else:
            store3(v, link.iv, scale(motion.sign, load3(rates, motion.ir)))


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS))
def pack(coordinates, rates, layout, y):
    """State y from the coordinates and rates of all joints."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        k = layout.links[motion.link].iq
        if motion.kind == HELICAL:
            y[k] = motion.sign * coordinates[motion.ic]
        elif motion.kind == BALL:
            q = load4(coordinates, motion.ic)
            store4(y, k, turn_vector_part_back(matrix(motion.rotation), q if motion.sign > 0.0 else conjugate(q)))
        else:
            store3(y, k, scale(motion.sign, load3(coordinates, motion.ic)))
    link_rates(y, rates, layout, y[layout.sizes[N_Q] :])
