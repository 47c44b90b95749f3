"""Inverse dynamics of a tree in O(N): the joint efforts that give chosen accelerations."""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import internal, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load_symmetric
from poinsot.algebra.vectors import ZERO, add, cross, increase3, load3, negate, scale, store3, vector
from poinsot.formulations.tree.folding import external, still_ground
from poinsot.formulations.tree.motion import load_turn, outward
from poinsot.formulations.tree.work import ACCELERATION, ALPHA, BLOCK, FORCE, MOMENT
from poinsot.tables.records import BALL, HELICAL, N_Q, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT


@kernel
def move(i, link, y, vdot, nq, placed, work):
    """Accelerations of link i from those of its parent and of its coordinates, and the wrench that its own inertia requires.

    `placed`: its pose is in its block already.
    """
    base, parent, j = i * BLOCK, link.parent * BLOCK, link.iv
    E, d, omega, eta, zeta = outward(i, link, y, nq, placed, work)
    al_p, a_p = load3(work, parent + ALPHA), load3(work, parent + ACCELERATION)
    a = add(apply_transposed(E, add(a_p, cross(al_p, d))), zeta)
    al = add(apply_transposed(E, al_p), eta)
    if link.kind == BALL:
        al = add(al, load3(vdot, j))
    elif link.kind == HELICAL:
        al, a = (al[0], al[1], al[2] + link.rot * vdot[j]), (a[0], a[1], a[2] + link.lin * vdot[j])
    else:
        a = add(a, load3(vdot, j))
    store3(work, base + ALPHA, al)
    store3(work, base + ACCELERATION, a)
    I, c = load_symmetric(link.inertia, 0), vector(link.moment)
    store3(work, base + MOMENT, add(add(apply(I, al), cross(omega, apply(I, omega))), cross(c, a)))
    store3(work, base + FORCE, add(scale(link.mass, a), add(cross(al, c), cross(omega, cross(omega, c)))))


@kernel
def subtract_external(i, layout, work):
    """Subtract the external wrench of link i from the one that its inertia requires."""
    moment, force = external(i, layout, work)
    increase3(work, i * BLOCK + MOMENT, negate(moment))
    increase3(work, i * BLOCK + FORCE, negate(force))


@internal(void(FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS))
def inverse_dynamics(y, vdot, layout, work, efforts):
    """Efforts (nv) for accelerations vdot (nv) at the state y, under the external wrenches in `work`."""
    n, nq, wrenches = layout.links.shape[0], layout.sizes[N_Q], layout.sizes[N_WRENCHES] > 0
    still_ground(layout, work)
    store3(work, MOMENT, ZERO)
    store3(work, FORCE, ZERO)
    for i in range(1, n):
        move(i, layout.links[i], y, vdot, nq, False, work)
        if wrenches:
            subtract_external(i, layout, work)
    for i in range(n - 1, 0, -1):
        link = layout.links[i]
        base, parent = i * BLOCK, link.parent * BLOCK
        moment, force = load3(work, base + MOMENT), load3(work, base + FORCE)
        if link.kind == BALL:
            store3(efforts, link.iv, moment)
        elif link.kind == HELICAL:
            efforts[link.iv] = link.rot * moment[2] + link.lin * force[2]
        else:
            store3(efforts, link.iv, force)
        E, d = load_turn(work, i)
        force = apply(E, force)
        increase3(work, parent + MOMENT, add(apply(E, moment), cross(d, force)))
        increase3(work, parent + FORCE, force)
