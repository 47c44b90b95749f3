"""The linear part of the tree's equations, for stages on which fixed-point iteration does not converge: (M + kappa C + kappa^2 K) x = M r in O(N).

M is the mass matrix, C joint damping, K joint stiffness and geometric stiffness (the joint wrenches rotate with the
links), kappa = h lambda with lambda an eigenvalue of the Butcher matrix, real or complex. Gyroscopic terms, and
dampers and springs between points, are left out: the iteration needs only an approximate matrix.

`middle` holds a copy of the link blocks at the state where the matrix is taken, with the joint wrenches in MOMENT and
FORCE, and per link its damping, its stiffness and the rotation vector of a ball spring. Small displacements of a link
are (turn, shift of its origin), in link axes; tt, tx, xt, xx are the blocks of the 6x6 matrix of a subtree at
its joint.
"""

from __future__ import annotations

import numpy as np
from numba import complex128, float64, int64, void

from poinsot.algebra.compile import compiled, internal, kernel
from poinsot.algebra.matrices import (
    apply,
    apply_transposed,
    congruence,
    hat_times,
    increase33,
    load33,
    load_symmetric,
    matmul,
    minus,
    outer,
    plus,
    store33,
    times,
    times_hat,
)
from poinsot.algebra.quaternions import conjugate, load4, multiply
from poinsot.algebra.rotations import inverse_coefficients, log_quaternion
from poinsot.algebra.vectors import add, add_scaled, cross, dot, increase3, load3, scale, store3, sub, vector
from poinsot.elements.laws import linear_part
from poinsot.formulations.tree.coordinates import ball_to_joint, spin_to_link
from poinsot.formulations.tree.forward import forward_dynamics
from poinsot.formulations.tree.inverse import subtract_external
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.motion import load_turn
from poinsot.formulations.tree.work import (
    ACCELERATION,
    ALPHA,
    BLOCK,
    FORCE,
    MOMENT,
    OMEGA,
    slots_block,
    spare_block,
)
from poinsot.tables.records import BALL, HELICAL, N_WRENCHES
from poinsot.tables.types import COMPLEX, FACTOR, FLOATS, LAYOUT, LINEARISE, OK, STIFFNESS_SIGNATURE

# per link, after all blocks of `middle`
DAMPING, STIFFNESS, ROTATION, LAW = 0, 1, 2, 5
# per link in the factors: gain, rows and columns of the elimination, and while factoring the four blocks
GAIN, ROW_T, ROW_X, COLUMN_T, COLUMN_X = 0, 9, 18, 27, 36
TT, TX, XT, XX = 45, 54, 63, 72
FACTORS = 81


@kernel
def law_block(layout, i):
    """First position in `middle` of the damping of link i."""
    return layout.links.shape[0] * BLOCK + i * LAW


@kernel
def add_hat(A, v):
    """A + hat(v)."""
    return (
        (A[0][0], A[0][1] - v[2], A[0][2] + v[1]),
        (A[1][0] + v[2], A[1][1], A[1][2] - v[0]),
        (A[2][0] - v[1], A[2][1] + v[0], A[2][2]),
    )


@kernel
def add_diagonal(A, s):
    """A + s 1."""
    return ((A[0][0] + s, A[0][1], A[0][2]), (A[1][0], A[1][1] + s, A[1][2]), (A[2][0], A[2][1], A[2][2] + s))


@kernel
def reciprocal(z):
    """1 / z; NaN where z is zero, where Numba's complex division would raise."""
    return 1.0 / z if z != 0.0 else z * np.nan


@kernel
def inverse(A):
    """Inverse of a 3x3 matrix by cofactors."""
    a, b, c = cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])
    k = reciprocal(dot(A[0], a))
    return ((k * a[0], k * b[0], k * c[0]), (k * a[1], k * b[1], k * c[1]), (k * a[2], k * b[2], k * c[2]))


@kernel
def joint_laws(y, layout, middle):
    """Damping and stiffness of every link's own coordinate, and the rotation vector of ball springs in link axes."""
    for i in range(layout.links.shape[0]):
        for k in range(LAW):
            middle[law_block(layout, i) + k] = 0.0
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        if load.motion < 0:
            continue
        motion = layout.motions[load.motion]
        base = law_block(layout, motion.link)
        x = motion.sign * y[layout.links[motion.link].iq] if motion.kind == HELICAL else 0.0
        damping, stiffness = linear_part(load, x, layout)
        middle[base + DAMPING] += damping
        if stiffness != 0.0:
            middle[base + STIFFNESS] += stiffness
            if motion.kind == BALL:
                q = load4(y, layout.links[motion.link].iq)
                rest = load4(layout.values, load.value + 1)
                phi = log_quaternion(multiply(conjugate(rest), ball_to_joint(motion, q)))
                store3(middle, base + ROTATION, spin_to_link(motion, q, phi))


@kernel
def joint_wrenches(layout, work):
    """Replace MOMENT and FORCE of all links by the wrench of their joint, after forward dynamics."""
    wrenches = layout.sizes[N_WRENCHES] > 0
    for i in range(1, layout.links.shape[0]):
        link, base = layout.links[i], i * BLOCK
        I, c = load_symmetric(link.inertia, 0), vector(link.moment)
        omega, al, a = load3(work, base + OMEGA), load3(work, base + ALPHA), load3(work, base + ACCELERATION)
        store3(work, base + MOMENT, add(add(apply(I, al), cross(omega, apply(I, omega))), cross(c, a)))
        store3(work, base + FORCE, add(scale(link.mass, a), add(cross(al, c), cross(omega, cross(omega, c)))))
        if wrenches:
            subtract_external(i, layout, work)
    for i in range(layout.links.shape[0] - 1, 0, -1):
        base, parent = i * BLOCK, layout.links[i].parent * BLOCK
        E, d = load_turn(work, i)
        force = apply(E, load3(work, base + FORCE))
        increase3(work, parent + MOMENT, add(apply(E, load3(work, base + MOMENT)), cross(d, force)))
        increase3(work, parent + FORCE, force)


@internal(int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def linearise(t, y, layout, work, middle):
    """Take the matrices at the state y: fills `middle`."""
    spare = work[spare_block(layout) : slots_block(layout)]
    status = apply_loads(t, y, layout, work, spare[:1])
    if status != OK:
        return status
    forward_dynamics(y, layout, work, spare)
    joint_wrenches(layout, work)
    for k in range(layout.links.shape[0] * BLOCK):
        middle[k] = work[k]
    joint_laws(y, layout, middle)
    return OK


@kernel
def start_link(i, link, k2, middle, factors):
    """Blocks of the link alone: tt = I + k2 ([a][c] - [I al + om x I om]), tx = [c], xt = -[c] - k2 [al x c + om x (om x c)], xx = m."""
    base, f = i * BLOCK, i * FACTORS
    I, c, m = load_symmetric(link.inertia, 0), vector(link.moment), link.mass + 0.0 * k2
    omega, al, a = load3(middle, base + OMEGA), load3(middle, base + ALPHA), load3(middle, base + ACCELERATION)
    turning = scale(-k2, add(apply(I, al), cross(omega, apply(I, omega))))
    pulling = scale(-k2, add(cross(al, c), cross(omega, cross(omega, c))))
    cc = scale(1.0 + 0.0 * k2, c)
    zero = times(0.0 * k2, I)
    store33(factors, f + TT, add_hat(plus(I, times(k2, add_diagonal(outer(c, a), -dot(a, c)))), turning))
    store33(factors, f + TX, add_hat(zero, cc))
    store33(factors, f + XT, add_hat(zero, sub(pulling, cc)))
    store33(factors, f + XX, add_diagonal(zero, m))


@kernel
def ball_law(kappa, layout, i, middle):
    """kappa c 1 + kappa^2 k dlog of a ball: the terms of its damper and spring."""
    base = law_block(layout, i)
    k, phi = kappa * kappa * middle[base + STIFFNESS], load3(middle, base + ROTATION)
    _, beta, _ = inverse_coefficients(dot(phi, phi))
    spring = add_hat(
        times(k, add_diagonal(times(beta, outer(phi, phi)), 1.0 - beta * dot(phi, phi))), scale(0.5 * k, phi)
    )
    return add_diagonal(spring, kappa * middle[base + DAMPING])


@kernel
def eliminate(i, link, kappa, layout, middle, factors):
    """Eliminate the joint of link i; returns the four blocks that remain."""
    k2 = kappa * kappa
    base, f = i * BLOCK, i * FACTORS
    tt, tx, xt, xx = load33(factors, f + TT), load33(factors, f + TX), load33(factors, f + XT), load33(factors, f + XX)
    N, F = scale(k2, load3(middle, base + MOMENT)), scale(k2, load3(middle, base + FORCE))
    law = law_block(layout, i)
    own = kappa * middle[law + DAMPING] + k2 * middle[law + STIFFNESS]
    if link.kind == BALL:
        row = add_hat(tt, N)
        gain = inverse(plus(row, ball_law(kappa, layout, i, middle)))
        A, B = matmul(gain, row), matmul(gain, tx)
        ct, cx = tt, xt
    elif link.kind == HELICAL:
        r, s = link.rot, link.lin
        row_t, row_x = add_hat(tt, N), add_hat(xt, F)
        er, es = (0.0, 0.0, r), (0.0, 0.0, s)
        a = add(apply_transposed(row_t, er), apply_transposed(row_x, es))
        b = add(apply_transposed(tx, er), apply_transposed(xx, es))
        ct1 = add(add(apply(tt, er), apply(tx, es)), cross(es, F))
        cx1 = add(apply(xt, er), apply(xx, es))
        pivot = reciprocal(r * a[2] + s * b[2] + own)
        factors[f + GAIN] = pivot
        a, b = scale(pivot, a), scale(pivot, b)
        store3(factors, f + ROW_T, a)
        store3(factors, f + ROW_X, b)
        store3(factors, f + COLUMN_T, ct1)
        store3(factors, f + COLUMN_X, cx1)
        return minus(tt, outer(ct1, a)), minus(tx, outer(ct1, b)), minus(xt, outer(cx1, a)), minus(xx, outer(cx1, b))
    else:
        row = add_hat(xt, F)
        gain = inverse(add_diagonal(xx, own))
        A, B = matmul(gain, row), matmul(gain, xx)
        ct, cx = add_hat(tx, scale(-1.0, F)), xx
    store33(factors, f + GAIN, gain)
    store33(factors, f + ROW_T, A)
    store33(factors, f + ROW_X, B)
    store33(factors, f + COLUMN_T, ct)
    store33(factors, f + COLUMN_X, cx)
    return minus(tt, matmul(ct, A)), minus(tx, matmul(ct, B)), minus(xt, matmul(cx, A)), minus(xx, matmul(cx, B))


@internal(void(complex128, LAYOUT, FLOATS, COMPLEX))
def factor(kappa, layout, middle, factors):
    """Eliminate all joints of M + kappa C + kappa^2 K from the tips to the ground."""
    n, k2 = layout.links.shape[0], kappa * kappa
    for i in range(1, n):
        start_link(i, layout.links[i], k2, middle, factors)
    for i in range(n - 1, 0, -1):
        link = layout.links[i]
        tt, tx, xt, xx = eliminate(i, link, kappa, layout, middle, factors)
        if link.parent > 0:
            E, d = load_turn(middle, i)
            tt, tx, xt, xx = congruence(E, tt), congruence(E, tx), congruence(E, xt), congruence(E, xx)
            force = apply(E, load3(middle, i * BLOCK + FORCE))
            xt, tt = minus(xt, times_hat(xx, d)), minus(tt, times_hat(tx, d))
            geometric = times(k2, add_diagonal(outer(d, force), -dot(force, d)))
            p = link.parent * FACTORS
            increase33(factors, p + TT, plus(plus(tt, hat_times(d, xt)), geometric))
            increase33(factors, p + TX, plus(tx, hat_times(d, xx)))
            increase33(factors, p + XT, xt)
            increase33(factors, p + XX, xx)


@kernel
def carried(parent, E, d, scratch):
    """Turn and shift of a link due to its parent alone."""
    turn = load3(scratch, 6 * parent)
    shift = apply_transposed(E, add(load3(scratch, 6 * parent + 3), cross(turn, d)))
    return apply_transposed(E, turn), shift


@kernel
def moved(link, x, turn, shift):
    """Turn and shift with the joint's own motion x added."""
    if link.kind == BALL:
        return add(turn, load3(x, link.iv)), shift
    elif link.kind == HELICAL:
        k = link.iv
        return (turn[0], turn[1], turn[2] + link.rot * x[k]), (shift[0], shift[1], shift[2] + link.lin * x[k])
    return turn, add(shift, load3(x, link.iv))


@kernel
def hand_down(i, parent, moment, force, middle, scratch):
    """Add a wrench of link i to its parent's."""
    if parent > 0:
        E, d = load_turn(middle, i)
        force = apply(E, force)
        increase3(scratch, 6 * parent, add(apply(E, moment), cross(d, force)))
        increase3(scratch, 6 * parent + 3, force)


@internal(void(LAYOUT, FLOATS, COMPLEX, COMPLEX))
def multiply_mass(layout, middle, x, scratch):
    """x becomes M x at the state of `middle`; scratch has six numbers per link."""
    for k in range(6):
        scratch[k] = 0.0
    n = layout.links.shape[0]
    for i in range(1, n):
        link, b = layout.links[i], 6 * i
        E, d = load_turn(middle, i)
        turn, shift = carried(link.parent, E, d, scratch)
        turn, shift = moved(link, x, turn, shift)
        store3(scratch, b, turn)
        store3(scratch, b + 3, shift)
    for i in range(1, n):
        link, b = layout.links[i], 6 * i
        c, turn, shift = vector(link.moment), load3(scratch, b), load3(scratch, b + 3)
        store3(scratch, b, add(apply(load_symmetric(link.inertia, 0), turn), cross(c, shift)))
        store3(scratch, b + 3, add(scale(link.mass, shift), cross(turn, c)))
    for i in range(n - 1, 0, -1):
        link, b = layout.links[i], 6 * i
        moment, force = load3(scratch, b), load3(scratch, b + 3)
        if link.kind == BALL:
            store3(x, link.iv, moment)
        elif link.kind == HELICAL:
            x[link.iv] = link.rot * moment[2] + link.lin * force[2]
        else:
            store3(x, link.iv, force)
        hand_down(i, link.parent, moment, force, middle, scratch)


@internal(void(LAYOUT, FLOATS, COMPLEX, COMPLEX, COMPLEX))
def solve(layout, middle, factors, x, scratch):
    """x becomes (M + kappa C + kappa^2 K)^-1 x; scratch has six numbers per link."""
    n = layout.links.shape[0]
    for k in range(6 * n):
        scratch[k] = 0.0
    for i in range(n - 1, 0, -1):
        link, f, b = layout.links[i], i * FACTORS, 6 * i
        moment, force = load3(scratch, b), load3(scratch, b + 3)
        if link.kind == HELICAL:
            u = factors[f + GAIN] * (x[link.iv] - link.rot * moment[2] - link.lin * force[2])
            x[link.iv] = u
            moment, force = (
                add_scaled(moment, u, load3(factors, f + COLUMN_T)),
                add_scaled(force, u, load3(factors, f + COLUMN_X)),
            )
        else:
            taken = moment if link.kind == BALL else force
            w = apply(load33(factors, f + GAIN), sub(load3(x, link.iv), taken))
            store3(x, link.iv, w)
            moment, force = (
                add(moment, apply(load33(factors, f + COLUMN_T), w)),
                add(force, apply(load33(factors, f + COLUMN_X), w)),
            )
        hand_down(i, link.parent, moment, force, middle, scratch)
    for k in range(6):
        scratch[k] = 0.0
    for i in range(1, n):
        link, f, b = layout.links[i], i * FACTORS, 6 * i
        E, d = load_turn(middle, i)
        turn, shift = carried(link.parent, E, d, scratch)
        if link.kind == HELICAL:
            x[link.iv] -= dot(load3(factors, f + ROW_T), turn) + dot(load3(factors, f + ROW_X), shift)
        else:
            w = add(apply(load33(factors, f + ROW_T), turn), apply(load33(factors, f + ROW_X), shift))
            store3(x, link.iv, sub(load3(x, link.iv), w))
        turn, shift = moved(link, x, turn, shift)
        store3(scratch, b, turn)
        store3(scratch, b + 3, shift)


@compiled(STIFFNESS_SIGNATURE)
def stiffness(task, t, y, kappa, layout, work, arrays):
    """LINEARISE at y into `middle`, FACTOR for kappa into `factors`, or SOLVE: x becomes (M + kappa C + kappa^2 K)^-1 M x."""
    middle, factors, x, scratch = arrays
    if task == LINEARISE:
        return linearise(t, y, layout, work, middle)
    if task == FACTOR:
        factor(kappa, layout, middle, factors)
    else:
        multiply_mass(layout, middle, x, scratch)
        solve(layout, middle, factors, x, scratch)
    return OK


def sizes(links: int) -> tuple[int, int, int]:
    """Lengths of `middle`, of `factors` for one kappa, and of `scratch`."""
    return links * (BLOCK + LAW), links * FACTORS, links * 6
