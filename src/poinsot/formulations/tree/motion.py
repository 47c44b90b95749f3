"""Poses and velocity products from the ground outward, for forward and inverse dynamics."""

from __future__ import annotations

from math import cos, sin

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, column, load33, matmul, matrix, store33, turn_about_z
from poinsot.algebra.quaternions import load4, quaternion_rate, rotation_matrix, store4
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, load3, scale, store3, vector
from poinsot.formulations.tree.work import BLOCK, ETA, OFFSET, OMEGA, TURN, ZETA
from poinsot.tables.records import BALL, HELICAL, N_Q, N_SEEN, N_WRENCHES


@kernel
def pose(link, y):
    """E (link axes in the parent's) and d (link origin in the parent's axes) at the coordinates in y."""
    B, d = matrix(link.rotation), vector(link.origin)
    k = link.iq
    if link.kind == BALL:
        return matmul(B, rotation_matrix(load4(y, k))), d
    elif link.kind == HELICAL:  # one return per kind
        d = add_scaled(d, link.lin * y[k], column(B, 2))
        angle = link.rot * y[k]
        return turn_about_z(B, cos(angle), sin(angle)), d
    else:
        return B, add(d, apply(B, load3(y, k)))


@kernel
def store_turn(work, i, pose_in_parent):
    """Write E and d of link i to its block."""
    store33(work, i * BLOCK + TURN, pose_in_parent[0])
    store3(work, i * BLOCK + OFFSET, pose_in_parent[1])


@kernel
def load_turn(work, i):
    """E and d of link i from its block."""
    return load33(work, i * BLOCK + TURN), load3(work, i * BLOCK + OFFSET)


@kernel
def loads_place(layout):
    """Whether loads need the bodies in the world, so that they leave the poses of all links in `work`."""
    return layout.sizes[N_WRENCHES] + layout.sizes[N_SEEN] > 0


@kernel
def outward(i, link, y, nq, placed, work):
    """Pose, angular velocity and velocity products of link i, written to its block and returned: E, d, omega, eta, zeta.

    `placed`: the pose is in the block already, from the loads at the same state.
    With oc = E' omega_parent and S the joint's motion: omega = oc + S_r v, eta = oc x S_r v, zeta = E'(omega_p x
    (omega_p x d)) + 2 oc x S_l v.
    """
    base = i * BLOCK
    if not placed:
        store_turn(work, i, pose(link, y))
    E, d = load_turn(work, i)
    parent = load3(work, link.parent * BLOCK + OMEGA)
    oc = apply_transposed(E, parent)
    zeta = apply_transposed(E, cross(parent, cross(parent, d)))
    j = nq + link.iv
    if link.kind == BALL:
        rate = load3(y, j)
        omega, eta = add(oc, rate), cross(oc, rate)
    elif link.kind == HELICAL:
        turn, slide = link.rot * y[j], 2.0 * link.lin * y[j]
        omega = (oc[0], oc[1], oc[2] + turn)
        eta = (oc[1] * turn, -oc[0] * turn, 0.0)
        zeta = (zeta[0] + oc[1] * slide, zeta[1] - oc[0] * slide, zeta[2])
    else:
        omega, eta = oc, ZERO
        zeta = add(zeta, scale(2.0, cross(oc, load3(y, j))))
    store3(work, base + OMEGA, omega)
    store3(work, base + ETA, eta)
    store3(work, base + ZETA, zeta)
    return E, d, omega, eta, zeta


@helper
def coordinate_rates(y, layout, ydot):
    """q' = v, and u' = u omega / 2 for a ball (saetran2018, corrected: omega in the body frame)."""
    nq = layout.sizes[N_Q]
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        k, j = link.iq, nq + link.iv
        if link.kind == BALL:
            store4(ydot, k, quaternion_rate(load4(y, k), load3(y, j)))
        elif link.kind == HELICAL:
            ydot[k] = y[j]
        else:
            store3(ydot, k, load3(y, j))
