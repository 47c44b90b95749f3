"""Forward dynamics of a tree in O(N): articulated inertias in aligned link frames, eliminated joint by joint.

Outward: motion and bias. Inward: every link is folded into its parent,

    [n]   [I  H] [al]   [n]
    [f] = [H' M] [a ] + [f]    wrench that accelerates link and subtree, at the joint point, link axes.

A ball passes no moment but its effort, so I and H vanish behind it; a translation passes no force but its effort.
Both are set to exact zero. Outward again: accelerations. (saetran2018 builds the same equations as B' M B; here they
are solved by recursion.)
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import internal, kernel
from poinsot.algebra.matrices import (
    ZERO33,
    apply,
    apply_transposed,
    congruence,
    hat,
    hat_times,
    increase33,
    increase_symmetric,
    inverse_symmetric,
    load33,
    load_symmetric,
    matmul,
    minus,
    outer,
    plus,
    store33,
    store_symmetric,
    times,
    times_hat,
    transpose,
)
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, increase3, load3, scale, store3, sub, vector
from poinsot.formulations.tree.motion import load_turn, outward
from poinsot.formulations.tree.work import (
    ACCELERATION,
    ALPHA,
    BLOCK,
    COUPLING,
    ETA,
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    FORCE,
    FREE,
    GAIN,
    INERTIA,
    MASS,
    MOMENT,
    OMEGA,
    ZETA,
    efforts_block,
    world_block,
)
from poinsot.tables.records import BALL, HELICAL, N_Q, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT


@kernel
def start_link(i, link, omega, work):
    """Inertia and gyroscopic bias of the link alone."""
    base = i * BLOCK
    I, c, m = load_symmetric(link.inertia, 0), vector(link.moment), link.mass
    store_symmetric(work, base + INERTIA, I)
    store33(work, base + COUPLING, hat(c))
    store_symmetric(work, base + MASS, ((m, 0.0, 0.0), (0.0, m, 0.0), (0.0, 0.0, m)))
    store3(work, base + MOMENT, cross(omega, apply(I, omega)))
    store3(work, base + FORCE, cross(omega, cross(omega, c)))


@kernel
def subtract_external(i, layout, work):
    """Take the external wrench of link i, already in link axes, from its bias."""
    base, world = i * BLOCK, world_block(layout, i)
    increase3(work, base + MOMENT, scale(-1.0, load3(work, world + EXTERNAL_MOMENT)))
    increase3(work, base + FORCE, scale(-1.0, load3(work, world + EXTERNAL_FORCE)))


@kernel
def fold_ball(i, base, parent, tau, work):
    """Eliminate a ball: al = u - K a. Only a 3x3 interface goes to the parent."""
    I, H, M = load_symmetric(work, base + INERTIA), load33(work, base + COUPLING), load_symmetric(work, base + MASS)
    inverse = inverse_symmetric(I)
    K, u = matmul(inverse, H), apply(inverse, sub(tau, load3(work, base + MOMENT)))
    store33(work, base + GAIN, K)
    store3(work, base + FREE, u)
    M = minus(M, matmul(transpose(H), K))
    f = add(add(load3(work, base + FORCE), apply_transposed(H, u)), apply(M, load3(work, base + ZETA)))
    E, d = load_turn(work, i)
    M, f = congruence(E, M), apply(E, f)
    G = hat_times(d, M)
    increase_symmetric(work, parent + INERTIA, times(-1.0, times_hat(G, d)))
    increase33(work, parent + COUPLING, G)
    increase_symmetric(work, parent + MASS, M)
    increase3(work, parent + MOMENT, add(apply(E, tau), cross(d, f)))
    increase3(work, parent + FORCE, f)


@kernel
def fold_helical(i, link, base, parent, tau, work):
    """Eliminate one turn or slide about z: a downdate of rank one."""
    I, H, M = load_symmetric(work, base + INERTIA), load33(work, base + COUPLING), load_symmetric(work, base + MASS)
    n, f = load3(work, base + MOMENT), load3(work, base + FORCE)
    r, s = link.rot, link.lin
    a = (r * I[0][2] + s * H[0][2], r * I[1][2] + s * H[1][2], r * I[2][2] + s * H[2][2])
    b = (r * H[2][0] + s * M[0][2], r * H[2][1] + s * M[1][2], r * H[2][2] + s * M[2][2])
    pivot = 1.0 / (r * a[2] + s * b[2])
    u = (tau - r * n[2] - s * f[2]) * pivot
    ka, kb = scale(pivot, a), scale(pivot, b)
    store3(work, base + GAIN, ka)
    store3(work, base + GAIN + 3, kb)
    work[base + FREE] = u
    I, H, M = minus(I, outer(a, ka)), minus(H, outer(a, kb)), minus(M, outer(b, kb))
    eta, zeta = load3(work, base + ETA), load3(work, base + ZETA)
    n = add(add_scaled(n, u, a), add(apply(I, eta), apply(H, zeta)))
    f = add(add_scaled(f, u, b), add(apply_transposed(H, eta), apply(M, zeta)))
    E, d = load_turn(work, i)
    I, H, M, n, f = congruence(E, I), congruence(E, H), congruence(E, M), apply(E, n), apply(E, f)
    G = plus(H, hat_times(d, M))
    increase_symmetric(work, parent + INERTIA, minus(plus(I, hat_times(d, transpose(H))), times_hat(G, d)))
    increase33(work, parent + COUPLING, G)
    increase_symmetric(work, parent + MASS, M)
    increase3(work, parent + MOMENT, add(n, cross(d, f)))
    increase3(work, parent + FORCE, f)


@kernel
def fold_translation(i, base, parent, tau, work):
    """Eliminate a translation: a = u - K' al. Only a moment goes to the parent."""
    I, H, M = load_symmetric(work, base + INERTIA), load33(work, base + COUPLING), load_symmetric(work, base + MASS)
    inverse = inverse_symmetric(M)
    K, u = matmul(H, inverse), apply(inverse, sub(tau, load3(work, base + FORCE)))
    store33(work, base + GAIN, K)
    store3(work, base + FREE, u)
    I = minus(I, matmul(K, transpose(H)))
    n = add(add(load3(work, base + MOMENT), apply(H, u)), apply(I, load3(work, base + ETA)))
    E, d = load_turn(work, i)
    f = apply(E, tau)
    increase_symmetric(work, parent + INERTIA, congruence(E, I))
    increase3(work, parent + MOMENT, add(apply(E, n), cross(d, f)))
    increase3(work, parent + FORCE, f)


@kernel
def accelerate(i, link, nq, work, ydot):
    """Accelerations of link i and of its coordinates from those of its parent."""
    base, parent, j = i * BLOCK, link.parent * BLOCK, nq + link.iv
    E, d = load_turn(work, i)
    al_p, a_p = load3(work, parent + ALPHA), load3(work, parent + ACCELERATION)
    a = add(apply_transposed(E, add(a_p, cross(al_p, d))), load3(work, base + ZETA))
    al = add(apply_transposed(E, al_p), load3(work, base + ETA))
    if link.kind == BALL:
        full = sub(load3(work, base + FREE), apply(load33(work, base + GAIN), a))
        store3(ydot, j, sub(full, al))
        al = full
    elif link.kind == HELICAL:
        u = work[base + FREE] - dot(load3(work, base + GAIN), al) - dot(load3(work, base + GAIN + 3), a)
        ydot[j] = u
        al, a = (al[0], al[1], al[2] + link.rot * u), (a[0], a[1], a[2] + link.lin * u)
    else:
        full = sub(load3(work, base + FREE), apply_transposed(load33(work, base + GAIN), al))
        store3(ydot, j, sub(full, a))
        a = full
    store3(work, base + ALPHA, al)
    store3(work, base + ACCELERATION, a)


@kernel
def clear_ground(layout, work):
    """The ground does not move; gravity enters as its acceleration upward."""
    store3(work, OMEGA, ZERO)
    store3(work, ALPHA, ZERO)
    store3(work, ACCELERATION, scale(-1.0, load3(layout.values, 0)))
    store_symmetric(work, INERTIA, ZERO33)
    store33(work, COUPLING, ZERO33)
    store_symmetric(work, MASS, ZERO33)
    store3(work, MOMENT, ZERO)
    store3(work, FORCE, ZERO)


@internal(void(FLOATS, LAYOUT, FLOATS, FLOATS))
def forward_dynamics(y, layout, work, ydot):
    """Accelerations ydot[nq:nq+nv] at the state y, from the joint efforts and external wrenches that stand in `work`."""
    n, nq = layout.links.shape[0], layout.sizes[N_Q]
    efforts, wrenches = efforts_block(layout), layout.sizes[N_WRENCHES] > 0
    clear_ground(layout, work)
    for i in range(1, n):
        link = layout.links[i]
        _, _, omega, _, _ = outward(i, link, y, nq, work)
        start_link(i, link, omega, work)
        if wrenches:
            subtract_external(i, layout, work)
    for i in range(n - 1, 0, -1):
        link = layout.links[i]
        base, parent, k = i * BLOCK, link.parent * BLOCK, efforts + link.iv
        if link.kind == BALL:
            fold_ball(i, base, parent, load3(work, k), work)
        elif link.kind == HELICAL:
            fold_helical(i, link, base, parent, work[k], work)
        else:
            fold_translation(i, base, parent, load3(work, k), work)
    for i in range(1, n):
        accelerate(i, layout.links[i], nq, work, ydot)
