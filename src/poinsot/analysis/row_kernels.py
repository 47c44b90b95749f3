"""Kernels used by `constraints.py`: all constraint rows and all joint coordinates at given poses.

A pose is 12 numbers per body, the ground first: origin (m) and rotation (row by row), in the world. A block is the part of a row on
the twist of one body: 3 numbers for the velocity of its centre of mass, 3 for its angular velocity, world axes.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import compiled, kernel
from poinsot.algebra.matrices import (
    ZERO33,
    apply,
    apply_transposed,
    column,
    load33,
    matmul,
    matrix,
    outer,
    transpose,
)
from poinsot.algebra.quaternions import from_matrix, load4, store4
from poinsot.algebra.vectors import ZERO, add, load3, negate, scale, store3, sub, vector
from poinsot.elements.frames import marker, twist_rows
from poinsot.elements.linked import linked_gradient, linked_value
from poinsot.elements.rows import row_gradient, row_value
from poinsot.elements.scalars import scalar_gradient, scalar_value
from poinsot.tables.records import BALL, GEAR, HELICAL, LINKED
from poinsot.tables.types import FLOATS, LAYOUT

POSE = 12
BLOCK = 6
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def pair_of(layout, poses, j):
    """The two frames of record j of `layout.joints`."""
    joint = layout.joints[j]
    a, b = POSE * joint.first, POSE * joint.second
    pa, Aa = marker(load3(poses, a), load33(poses, a + 3), vector(joint.first_origin), matrix(joint.first_rotation))
    pb, Ab = marker(load3(poses, b), load33(poses, b + 3), vector(joint.second_origin), matrix(joint.second_rotation))
    return pa, Aa, pb, Ab


@kernel
def centre(layout, poses, b):
    """Centre of mass of body b in the world."""
    return add(load3(poses, POSE * b), apply(load33(poses, POSE * b + 3), vector(layout.bodies[b].com)))


@kernel
def store_blocks(layout, poses, j, pair, gradient, factor, blocks, k):
    """Write the blocks of a gradient on the first and on the second body of record j from position k on."""
    xa, xb = centre(layout, poses, layout.joints[j].first), centre(layout, poses, layout.joints[j].second)
    fa, ma, fb, mb = twist_rows(pair, gradient, xa, xb)
    store3(blocks, k, scale(factor, fa))
    store3(blocks, k + 3, scale(factor, ma))
    store3(blocks, k + 6, scale(factor, fb))
    store3(blocks, k + 9, scale(factor, mb))


@kernel
def gear_part(layout, poses, old, m, factor, blocks, k):
    """Coordinate of motion m near its old value; writes its blocks, times a factor, from position k on."""
    j = layout.motions[m].joint
    pair = pair_of(layout, poses, j)
    store_blocks(layout, poses, j, pair, scalar_gradient(layout, m, pair), factor, blocks, k)
    return factor * scalar_value(layout, m, old[layout.motions[m].ic], pair)


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS))
def rows_at(poses, old, layout, values, blocks):
    """Values of all rows and their 4 blocks each: on the first and second body; of a gear, on those of both joints.

    `old` holds joint coordinates near which the angles of gears are taken.
    """
    for k in range(layout.rows.shape[0]):
        row = layout.rows[k]
        at = 4 * BLOCK * k
        if row.kind == GEAR:
            first = gear_part(layout, poses, old, row.motion, 1.0, blocks, at)
            values[k] = first + gear_part(layout, poses, old, row.motion2, -row.c, blocks, at + 2 * BLOCK)
            continue
        pair, u, v = pair_of(layout, poses, row.joint), vector(row.u), vector(row.v)
        if row.kind == LINKED:
            values[k] = linked_value(u, v, row.c, pair)
            store_blocks(layout, poses, row.joint, pair, linked_gradient(u, v, row.c, pair), 1.0, blocks, at)
        else:
            values[k] = row_value(row.kind, u, v, row.c, pair)
            store_blocks(layout, poses, row.joint, pair, row_gradient(row.kind, u, v, pair), 1.0, blocks, at)


@kernel
def ball_blocks(Ab, blocks, k):
    """Rates of a ball on both twists: the relative angular velocity in the second frame."""
    for i in range(3):
        e = apply(Ab, AXES[i])
        store3(blocks, k + 12 * i, ZERO)
        store3(blocks, k + 12 * i + 3, negate(e))
        store3(blocks, k + 12 * i + 6, ZERO)
        store3(blocks, k + 12 * i + 9, e)


@compiled(void(FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS))
def motions_at(poses, old, layout, coordinates, blocks):
    """Coordinates of all joints, angles near `old`, and 2 blocks of every rate: on the first and on the second body."""
    for m in range(layout.motions.shape[0]):
        motion = layout.motions[m]
        j, at = motion.joint, 2 * BLOCK * motion.ir
        pair = pair_of(layout, poses, j)
        pa, Aa, pb, Ab = pair
        if motion.kind == HELICAL:
            coordinates[motion.ic] = scalar_value(layout, m, old[motion.ic], pair)
            store_blocks(layout, poses, j, pair, scalar_gradient(layout, m, pair), 1.0, blocks, at)
        elif motion.kind == BALL:
            q = from_matrix(matmul(transpose(Aa), Ab))
            near = load4(old, motion.ic)
            same = q[0] * near[0] + q[1] * near[1] + q[2] * near[2] + q[3] * near[3] >= 0.0
            store4(coordinates, motion.ic, q if same else (-q[0], -q[1], -q[2], -q[3]))
            ball_blocks(Ab, blocks, at)
        else:
            d = sub(pb, pa)
            store3(coordinates, motion.ic, apply_transposed(Aa, d))
            for i in range(3):
                e = column(Aa, i)
                store_blocks(
                    layout, poses, j, pair, (negate(e), outer(d, AXES[i]), e, ZERO33), 1.0, blocks, at + 12 * i
                )
