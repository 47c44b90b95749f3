"""Accelerations by the moving-frame method: M* v' + N* v = F*, saetran2018 (2.20), (2.23), solved by Cholesky.

M* = B' M B with M = diag(m, J) (2.19); N* v = B' (M Bdot v + D M B v) with D = diag(0, hat(omega)) (2.15); F* = B' F.
F holds gravity and the loads.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import compiled, helper, internal, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load33, load_symmetric, minus, outer, plus
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, scale, sub, vector
from poinsot.elements.feedback import controls_out
from poinsot.formulations.moving_frame.frames import COLUMN, at_com, build_frames, column, frames_block
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.work import (
    ATTITUDE,
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    efforts_block,
    world_block,
)
from poinsot.formulations.tree.work import SPIN as SPIN_W
from poinsot.formulations.tree.world import world_states
from poinsot.linear.dense import solve_cholesky
from poinsot.tables.records import N_Q, N_V, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT, OK, RATE_SIGNATURE


@kernel
def com_inertia(link):
    """Inertia about the centre of mass, link axes, of a link with mass: I - m (c.c 1 - c c')."""
    c = scale(1.0 / link.mass, vector(link.moment))
    s = link.mass * dot(c, c)
    return plus(
        minus(load_symmetric(link.inertia, 0), ((s, 0.0, 0.0), (0.0, s, 0.0), (0.0, 0.0, s))),
        outer(scale(link.mass, c), c),
    )


@kernel
def applied(i, link, layout, work):
    """Force (world axes) and moment about the centre of mass (link axes) on a link: gravity and external wrenches."""
    force, moment = scale(link.mass, load3(layout.values, 0)), ZERO
    if layout.sizes[N_WRENCHES] > 0:
        world = world_block(layout, i)
        push = load3(work, world + EXTERNAL_FORCE)
        c = scale(1.0 / link.mass, vector(link.moment))
        force = add(force, apply(load33(work, world + ATTITUDE), push))
        moment = sub(load3(work, world + EXTERNAL_MOMENT), cross(c, push))
    return force, moment


@helper
def add_link(i, v, layout, frames, matrix, right, work):
    """Add a link to M* (lower triangle) and to F* - N* v."""
    link, nv = layout.links[i], layout.sizes[N_V]
    J, m = com_inertia(link), link.mass
    a, al, w = (
        ZERO,
        ZERO,
        apply_transposed(load33(work, world_block(layout, i) + ATTITUDE), load3(work, world_block(layout, i) + SPIN_W)),
    )
    for j in range(nv):  # Bdot v
        _, _, X_rate, W_rate = at_com(layout, i, column(layout, frames, i, j), work)
        a, al = add_scaled(a, v[j], X_rate), add_scaled(al, v[j], W_rate)
    force, moment = applied(i, link, layout, work)
    force = sub(force, scale(m, a))
    moment = sub(moment, add(apply(J, al), cross(w, apply(J, w))))
    for j in range(nv):
        X, W, _, _ = at_com(layout, i, column(layout, frames, i, j), work)
        work[right + j] += dot(X, force) + dot(W, moment)
        mX, JW = scale(m, X), apply(J, W)
        for k in range(j + 1):
            Y, Z, _, _ = at_com(layout, i, column(layout, frames, i, k), work)
            work[matrix + j * nv + k] += dot(mX, Y) + dot(JW, Z)


@internal(void(FLOATS, LAYOUT, FLOATS, FLOATS))
def accelerations(y, layout, work, ydot):
    """ydot[nq:nq+nv] from the joint efforts and external wrenches in `work`."""
    nq, nv = layout.sizes[N_Q], layout.sizes[N_V]
    world_states(y, layout, work)
    build_frames(y, layout, work)
    frames, efforts = frames_block(layout), efforts_block(layout)
    matrix = frames + layout.links.shape[0] * nv * COLUMN
    right = matrix + nv * nv
    for k in range(nv * nv):
        work[matrix + k] = 0.0
    for j in range(nv):
        work[right + j] = work[efforts + j]
    for i in range(1, layout.links.shape[0]):
        if layout.links[i].mass > 0.0:
            add_link(i, y[nq : nq + nv], layout, frames, matrix, right, work)
    solve_cholesky(matrix, right, nv, work)
    for j in range(nv):
        ydot[nq + j] = work[right + j]


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """v' by the moving-frame method, and the power of non-conservative loads as the last entry."""
    last = ydot.shape[0] - 1
    status = apply_loads(t, y, layout, work, ydot[last:])
    if status != OK:
        return status
    accelerations(y, layout, work, ydot)
    controls_out(layout, 1, ydot)
    return OK
