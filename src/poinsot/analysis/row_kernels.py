"""Kernels used by `constraints.py`: all constraint rows and all joint coordinates at given poses.

A pose is POSE numbers per body, the ground first: centre of mass (m) and rotation (row by row), in the world. A block is the part
of a row on the twist of one body: 3 numbers for the velocity of its centre of mass, 3 for its angular velocity, world axes.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import compiled, kernel
from poinsot.algebra.matrices import column, matmul, matrix, transpose
from poinsot.algebra.quaternions import from_matrix, load4, store4
from poinsot.algebra.vectors import ZERO, increase3, negate, scale, store3
from poinsot.elements.director_scalars import ANGLE, SERIAL, directors, scalar_gradient, scalar_value
from poinsot.tables.records import BALL, LINKED
from poinsot.tables.types import FLOATS, LAYOUT

BLOCK = 6


@kernel
def add_blocks(scalar, poses, blocks, k):
    """Add the blocks of a scalar on its first and its second body from position k on."""
    fa, ma, fb, mb = scalar_gradient(scalar, poses, ZERO, ZERO, 0.0)
    increase3(blocks, k, scale(scalar.factor, fa))
    increase3(blocks, k + 3, scale(scalar.factor, ma))
    increase3(blocks, k + BLOCK, scale(scalar.factor, fb))
    increase3(blocks, k + BLOCK + 3, scale(scalar.factor, mb))


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS))
def rows_at(poses, old, layout, values, blocks):
    """Add up the values of all rows and their 4 blocks each: on the first and second body; of a gear, on those of both joints.

    Gears take angles near the joint coordinates `old`; a screw takes the angle that its displacement tells, so that turns
    need not be counted. Coordinates of joints in series and contacts are left out.
    """
    for k in range(layout.terms.shape[0]):
        scalar = layout.terms[k]
        if scalar.kind >= SERIAL:
            continue
        near = old[scalar.angle] if scalar.angle >= 0 else 0.0
        if scalar.kind == ANGLE and layout.rows[scalar.row].kind == LINKED and scalar.factor != 0.0:
            near = -values[scalar.row] / scalar.factor
        values[scalar.row] += scalar.factor * scalar_value(scalar, poses, near)
        add_blocks(scalar, poses, blocks, BLOCK * scalar.first_leg)


@kernel
def ball_blocks(B, blocks, k):
    """Rates of a ball on both twists: the relative angular velocity in the second frame, with axes B."""
    for i in range(3):
        e = column(B, i)
        store3(blocks, k + 2 * BLOCK * i + 3, negate(e))
        store3(blocks, k + 2 * BLOCK * i + BLOCK + 3, e)


@kernel
def ball_at(joint, poses, near):
    """Quaternion of the second frame of a joint in the first, on the side of a near one, and the axes of the second."""
    A = matmul(directors(poses, joint.first), matrix(joint.first_rotation))
    B = matmul(directors(poses, joint.second), matrix(joint.second_rotation))
    q = from_matrix(matmul(transpose(A), B))
    same = q[0] * near[0] + q[1] * near[1] + q[2] * near[2] + q[3] * near[3] >= 0.0
    return q if same else (-q[0], -q[1], -q[2], -q[3]), B


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS))
def motions_at(poses, old, layout, coordinates, blocks):
    """Coordinates of all joints, angles near `old`, and 2 blocks of every rate: on the first and on the second body.

    Those of joints in series are left out.
    """
    for k in range(layout.coordinates.shape[0]):
        scalar = layout.coordinates[k]
        if scalar.kind >= 0 and scalar.kind != SERIAL:
            coordinates[scalar.angle] = scalar_value(scalar, poses, old[scalar.angle])
            add_blocks(scalar, poses, blocks, 2 * BLOCK * k)
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        if motion.kind == BALL and layout.coordinates[motion.ir].kind != SERIAL:
            q, B = ball_at(layout.joints[motion.joint], poses, load4(old, motion.ic))
            store4(coordinates, motion.ic, q)
            ball_blocks(B, blocks, 2 * BLOCK * motion.ir)
