"""One joint of the tree after the other is eliminated: articulated inertias in aligned link frames, folded into the parent's.


    [n]   [I  H] [al]   [n]
    [f] = [H' M] [a ] + [f]    wrench that accelerates link and subtree, at the joint point, link axes.

A ball transmits no moment but its effort, so its I and H vanish; a translation transmits no force but its effort.
Both are set to exactly zero. What folds a joint returns the inverse of its own inertia (helical: one number).
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
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
from poinsot.formulations.tree.motion import load_turn
from poinsot.formulations.tree.work import (
    ACCELERATION,
    ALPHA,
    BIAS_FORCE,
    BIAS_MOMENT,
    BLOCK,
    COUPLING,
    ETA,
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    FREE,
    GAIN,
    INERTIA,
    MASS,
    OMEGA,
    SLOT,
    ZETA,
    world_block,
)
from poinsot.tables.records import BALL, HELICAL, N_WRENCHES


@kernel
def external(i, layout, work):
    """External moment and force of link i, in link axes about its origin."""
    world = world_block(layout, i)
    return load3(work, world + EXTERNAL_MOMENT), load3(work, world + EXTERNAL_FORCE)


@kernel
def gather(i, link, layout, slots, work):
    """Articulated inertia and bias of link i: its own, less external wrenches, and the sum over its children."""
    I, c, m = load_symmetric(link.inertia, 0), vector(link.moment), link.mass
    omega = load3(work, i * BLOCK + OMEGA)
    n, f = cross(omega, apply(I, omega)), cross(omega, cross(omega, c))
    H, M = hat(c), ((m, 0.0, 0.0), (0.0, m, 0.0), (0.0, 0.0, m))
    if layout.sizes[N_WRENCHES] > 0:
        moment, force = external(i, layout, work)
        n, f = sub(n, moment), sub(f, force)
    if link.slot >= 0:
        k = slots + link.slot * SLOT
        I, H = plus(I, load_symmetric(work, k + INERTIA)), plus(H, load33(work, k + COUPLING))
        M = plus(M, load_symmetric(work, k + MASS))
        n, f = add(n, load3(work, k + BIAS_MOMENT)), add(f, load3(work, k + BIAS_FORCE))
    return I, H, M, n, f


@kernel
def hand_over(link, k, I, H, M, n, f, work):
    """Add the articulated inertia and bias of a link to its parent's slot at k."""
    if link.opens == 1:
        store_symmetric(work, k + INERTIA, I)
        store33(work, k + COUPLING, H)
        store_symmetric(work, k + MASS, M)
        store3(work, k + BIAS_MOMENT, n)
        store3(work, k + BIAS_FORCE, f)
    else:
        increase_symmetric(work, k + INERTIA, I)
        increase33(work, k + COUPLING, H)
        increase_symmetric(work, k + MASS, M)
        increase3(work, k + BIAS_MOMENT, n)
        increase3(work, k + BIAS_FORCE, f)


@kernel
def fold_ball(i, link, k, whole, tau, work):
    """Eliminate a ball: al = u - K a. Only a 3x3 interface goes to the parent."""
    I, H, M, n, f = whole
    base = i * BLOCK
    inverse = inverse_symmetric(I)
    K, u = matmul(inverse, H), apply(inverse, sub(tau, n))
    store33(work, base + GAIN, K)
    store3(work, base + FREE, u)
    if link.parent > 0:
        M = minus(M, matmul(transpose(H), K))
        f = add(add(f, apply_transposed(H, u)), apply(M, load3(work, base + ZETA)))
        E, d = load_turn(work, i)
        M, f = congruence(E, M), apply(E, f)
        G = hat_times(d, M)
        hand_over(link, k, times(-1.0, times_hat(G, d)), G, M, add(apply(E, tau), cross(d, f)), f, work)
    return inverse


@kernel
def fold_helical(i, link, k, whole, tau, work):
    """Eliminate one rotation about or slide along z: a downdate of rank one."""
    I, H, M, n, f = whole
    base, r, s = i * BLOCK, link.rot, link.lin
    a = (r * I[0][2] + s * H[0][2], r * I[1][2] + s * H[1][2], r * I[2][2] + s * H[2][2])
    b = (r * H[2][0] + s * M[0][2], r * H[2][1] + s * M[1][2], r * H[2][2] + s * M[2][2])
    pivot = 1.0 / (r * a[2] + s * b[2])
    u = (tau - r * n[2] - s * f[2]) * pivot
    ka, kb = scale(pivot, a), scale(pivot, b)
    store3(work, base + GAIN, ka)
    store3(work, base + GAIN + 3, kb)
    work[base + FREE] = u
    if link.parent > 0:
        I, H, M = minus(I, outer(a, ka)), minus(H, outer(a, kb)), minus(M, outer(b, kb))
        eta, zeta = load3(work, base + ETA), load3(work, base + ZETA)
        n = add(add_scaled(n, u, a), add(apply(I, eta), apply(H, zeta)))
        f = add(add_scaled(f, u, b), add(apply_transposed(H, eta), apply(M, zeta)))
        E, d = load_turn(work, i)
        I, H, M, n, f = congruence(E, I), congruence(E, H), congruence(E, M), apply(E, n), apply(E, f)
        G = plus(H, hat_times(d, M))
        I = minus(plus(I, hat_times(d, transpose(H))), times_hat(G, d))
        hand_over(link, k, I, G, M, add(n, cross(d, f)), f, work)
    return pivot


@kernel
def fold_translation(i, link, k, whole, tau, work):
    """Eliminate a translation: a = u - K' al. Only a moment goes to the parent."""
    I, H, M, n, f = whole
    base = i * BLOCK
    inverse = inverse_symmetric(M)
    K, u = matmul(H, inverse), apply(inverse, sub(tau, f))
    store33(work, base + GAIN, K)
    store3(work, base + FREE, u)
    if link.parent > 0:
        I = minus(I, matmul(K, transpose(H)))
        n = add(add(n, apply(H, u)), apply(I, load3(work, base + ETA)))
        E, d = load_turn(work, i)
        f = apply(E, tau)
        hand_over(link, k, congruence(E, I), ZERO33, ZERO33, add(apply(E, n), cross(d, f)), f, work)
    return inverse


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
def resting_ground(gravity, work):
    """The ground does not move; gravity enters as its acceleration upward."""
    store3(work, OMEGA, ZERO)
    store3(work, ALPHA, ZERO)
    store3(work, ACCELERATION, scale(-1.0, gravity))


@kernel
def still_ground(layout, work):
    """The ground at rest, in the gravity of the model."""
    resting_ground(load3(layout.values, 0), work)
