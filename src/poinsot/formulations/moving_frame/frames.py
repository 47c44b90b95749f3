"""The matrices B and Bdot of the moving-frame method, by recursion over the links.

For every link B maps the joint rates v to (velocity of its centre of mass in the world, angular velocity in link
axes), saetran2018 (2.18), with the block entries of (2.27) and (2.30), corrected: relative rotations transposed. Here
they come from the parent's entries, for every kind of motion. With E the link's axes in the parent's, d its origin
there, R_p the parent's attitude, S_r and S_l the joint's own turn and slide:

    W_i = E' W_p + S_r                                  Wdot_i = E' Wdot_p - hat(w_rel) E' W_p                       (2.35, corrected)
    X_i = X_p - R_p hat(d) W_p + R_i S_l                Xdot_i = its derivative                                      (2.34)
    centre of mass c:  X_i - R_i hat(c) W_i

Only columns of rates between the ground and the link are not zero.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import internal, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load33, transpose
from poinsot.algebra.vectors import ZERO, add, cross, load3, scale, store3, sub, vector
from poinsot.formulations.tree.motion import pose
from poinsot.formulations.tree.work import ATTITUDE, room_block, world_block
from poinsot.formulations.tree.work import SPIN as SPIN_W
from poinsot.tables.records import BALL, HELICAL, N_Q, N_ROOM, N_V
from poinsot.tables.types import FLOATS, LAYOUT

# per link and rate: columns of X, W, Xdot, Wdot (of the link's origin)
ORIGIN, SPIN, ORIGIN_RATE, SPIN_RATE = 0, 3, 6, 9
COLUMN = 12


@kernel
def frames_block(layout):
    """First position of the columns, after the part that the tree uses."""
    return room_block(layout) + layout.sizes[N_ROOM]


def frames_size(links: int, rates: int) -> int:
    """Numbers of all columns, of the mass matrix and of one right-hand side."""
    return links * rates * COLUMN + rates * rates + rates


@kernel
def column(layout, frames, i, j):
    """First position of the column of rate j of link i."""
    return frames + (i * layout.sizes[N_V] + j) * COLUMN


@kernel
def relative_motion(link, y, nq):
    """Angular velocity of a joint in link axes, and its sliding velocity in link axes."""
    j = nq + link.iv
    if link.kind == BALL:
        return load3(y, j), ZERO
    elif link.kind == HELICAL:
        return (0.0, 0.0, link.rot * y[j]), (0.0, 0.0, link.lin * y[j])
    else:
        return ZERO, load3(y, j)


@kernel
def inherit(i, link, y, nq, layout, frames, work):
    """Columns of link i that follow from those of its parent."""
    E, d = pose(link, y)
    R_p = load33(work, world_block(layout, link.parent) + ATTITUDE)
    w_p = apply_transposed(R_p, load3(work, world_block(layout, link.parent) + SPIN_W))
    w_rel, slide = relative_motion(link, y, nq)
    d_rate = apply(E, slide)
    for j in range(layout.sizes[N_V]):
        source, target = column(layout, frames, link.parent, j), column(layout, frames, i, j)
        X, W = load3(work, source + ORIGIN), load3(work, source + SPIN)
        X_rate, W_rate = load3(work, source + ORIGIN_RATE), load3(work, source + SPIN_RATE)
        turned = apply_transposed(E, W)
        store3(work, target + SPIN, turned)
        store3(work, target + SPIN_RATE, sub(apply_transposed(E, W_rate), cross(w_rel, turned)))
        store3(work, target + ORIGIN, add(X, apply(R_p, cross(W, d))))
        moving = add(cross(w_p, cross(W, d)), add(cross(W, d_rate), cross(W_rate, d)))
        store3(work, target + ORIGIN_RATE, add(X_rate, apply(R_p, moving)))


@kernel
def add_to_column(k, X, W, X_rate, work):
    """Add a joint's own motion to a column."""
    store3(work, k + ORIGIN, add(load3(work, k + ORIGIN), X))
    store3(work, k + SPIN, add(load3(work, k + SPIN), W))
    store3(work, k + ORIGIN_RATE, add(load3(work, k + ORIGIN_RATE), X_rate))


@kernel
def own_columns(i, link, layout, frames, work):
    """Columns of the joint's own rates: unit turns S_r in link axes, slides R_i S_l with the rate w x R_i S_l."""
    world = world_block(layout, i)
    R, w = load33(work, world + ATTITUDE), load3(work, world + SPIN_W)
    axes = transpose(R)
    if link.kind == HELICAL:
        slide = scale(link.lin, axes[2])
        add_to_column(column(layout, frames, i, link.iv), slide, (0.0, 0.0, link.rot), cross(w, slide), work)
    elif link.kind == BALL:
        add_to_column(column(layout, frames, i, link.iv), ZERO, (1.0, 0.0, 0.0), ZERO, work)
        add_to_column(column(layout, frames, i, link.iv + 1), ZERO, (0.0, 1.0, 0.0), ZERO, work)
        add_to_column(column(layout, frames, i, link.iv + 2), ZERO, (0.0, 0.0, 1.0), ZERO, work)
    else:
        for k in range(3):
            axis = (work[world + ATTITUDE + k], work[world + ATTITUDE + 3 + k], work[world + ATTITUDE + 6 + k])
            add_to_column(column(layout, frames, i, link.iv + k), axis, ZERO, cross(w, axis), work)


@internal(void(FLOATS, LAYOUT, FLOATS))
def build_frames(y, layout, work):
    """B and Bdot of all links, from the ground outward; the links' world states must be in `work`."""
    frames, nq = frames_block(layout), layout.sizes[N_Q]
    for k in range(layout.sizes[N_V] * COLUMN):
        work[frames + k] = 0.0
    for i in range(1, layout.links.shape[0]):
        inherit(i, layout.links[i], y, nq, layout, frames, work)
        own_columns(i, layout.links[i], layout, frames, work)


@kernel
def at_com(layout, i, k, work):
    """Column at k for the centre of mass of link i: velocity (world), angular velocity (link axes), and their derivatives."""
    world, link = world_block(layout, i), layout.links[i]
    R = load33(work, world + ATTITUDE)
    w = apply_transposed(R, load3(work, world + SPIN_W))
    c = scale(1.0 / link.mass, vector(link.moment))
    W, W_rate = load3(work, k + SPIN), load3(work, k + SPIN_RATE)
    X = add(load3(work, k + ORIGIN), apply(R, cross(W, c)))
    X_rate = add(load3(work, k + ORIGIN_RATE), apply(R, add(cross(w, cross(W, c)), cross(W_rate, c))))
    return X, W, X_rate, W_rate
