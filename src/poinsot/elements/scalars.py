"""The scalar coordinate of a HELICAL motion of a joint, from the joint's pair of frames. Gears couple two of them.

    slide   (pb - pa) . (Aa z)                            z the axis; m
    turn    atan2((Aa v) . (Ab w), (Aa u) . (Ab w))       (u, v, z) right-handed; rad, nearest to an old value

A joint has slides first, along axes of its first frame, and then at most two turns. A single turn points with w = u. Of two
turns, the first about a, the second about b, the first angle points with w = b, which the second turn leaves alone; the
second is seen backwards, from the second frame, where it turns a by its negative.
"""

from __future__ import annotations

import math

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import ZERO33, apply, column, matrix, outer, times
from poinsot.algebra.plane import unwrap
from poinsot.algebra.vectors import ZERO, add_scaled, cross, dot, negate, scale, sub
from poinsot.tables.records import HELICAL


@kernel
def other_turn(layout, m):
    """The other turn of the same joint: m + 1, m - 1, or m itself when there is none."""
    joint = layout.joints[layout.motions[m].joint]
    for k in range(joint.motion, joint.motion + joint.motions):
        other = layout.motions[k]
        if k != m and other.kind == HELICAL and other.rot != 0.0:
            return k
    return m


@kernel
def pointers(layout, m):
    """(u, v, w) of a turn, and whether it is seen backwards: u, v across the axis in one frame, w fixed in the other."""
    A = matrix(layout.motions[m].rotation)
    k = other_turn(layout, m)
    if k == m:
        return column(A, 0), column(A, 1), column(A, 0), False
    axis, w = column(A, 2), column(matrix(layout.motions[k].rotation), 2)
    across = add_scaled(w, -dot(w, axis), axis)
    u = scale(1.0 / math.sqrt(dot(across, across)), across)
    return u, cross(axis, u), w, k < m


@kernel
def turned(u, v, w, A, B):
    """Products (cosine and sine, times a common factor) of a turn from axes A to axes B."""
    pointer = apply(B, w)
    return dot(apply(A, u), pointer), dot(apply(A, v), pointer)


@kernel
def scalar_value(layout, m, old, pair):
    """Coordinate of motion m of `layout.motions` at the pair of its joint; of a turn the value nearest to `old`."""
    pa, Aa, pb, Ab = pair
    motion = layout.motions[m]
    if motion.rot == 0.0:
        return dot(sub(pb, pa), apply(Aa, column(matrix(motion.rotation), 2))) / motion.lin
    u, v, w, backwards = pointers(layout, m)
    if backwards:
        c, s = turned(u, v, w, Ab, Aa)
        return unwrap(-math.atan2(s, c), old)
    c, s = turned(u, v, w, Aa, Ab)
    return unwrap(math.atan2(s, c), old)


@kernel
def turn_gradient(u, v, w, A, B):
    """Gradient (dA, dB) of the angle of a turn from A to B."""
    c, s = turned(u, v, w, A, B)
    k = 1.0 / (c * c + s * s)  # d angle = k (c ds - s dc)
    across = add_scaled(scale(k * c, v), -k * s, u)
    return outer(apply(B, w), across), outer(apply(A, across), w)


@kernel
def scalar_gradient(layout, m, pair):
    """Gradient (dpa, dAa, dpb, dAb) of the coordinate of motion m."""
    pa, Aa, pb, Ab = pair
    motion = layout.motions[m]
    if motion.rot == 0.0:
        axis = scale(1.0 / motion.lin, column(matrix(motion.rotation), 2))
        e = apply(Aa, axis)
        return negate(e), outer(sub(pb, pa), axis), e, ZERO33
    u, v, w, backwards = pointers(layout, m)
    if backwards:
        dB, dA = turn_gradient(u, v, w, Ab, Aa)
        return ZERO, times(-1.0, dA), ZERO, times(-1.0, dB)
    dA, dB = turn_gradient(u, v, w, Aa, Ab)
    return ZERO, dA, ZERO, dB
