"""The chain at a state: its numbers in the drawing, attitudes, mass matrix and absolute rates.

With absolute angles th_j, arms d_j from joint to joint and moments a_j = m_j c_j + d_j (mass beyond), all turned by the attitudes, and S the
quarter turn, the mass matrix of the absolute rates is

    M_jj = J_j + |d_j|^2 (mass beyond),   M_jk = d_j . a_k,   dM_jk/dth_j = S d_j . a_k = -dM_jk/dth_k     (j < k)

and the potential of gravity g is -sum g . a_j: bai2022 (3.5), (4.5) and (5.6), corrected, for any number of bodies. As complex numbers, M_jk and its
derivative are the real and the imaginary part of conj(d_j) a_k. Relative rates and momenta are differences and sums of the absolute ones.

Off the unit circle the variants are different equations, as in the paper: attitude vectors enter M_jk by the absolute attitudes of both bodies,
relative matrices by the product of those between them.
"""

from __future__ import annotations

from math import atan2, cos, sin

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import matrix
from poinsot.algebra.vectors import vector
from poinsot.formulations.planar.places import (
    ARM,
    CANONICAL,
    IMAGE,
    INERTIA,
    MATRIX,
    MOMENT,
    MOMENTUM,
    OWN,
    RATE,
    RELATIVE,
    SIDE,
    TURNED_ARM,
    TURNED_MOMENT,
    WHOLE,
    attitude_size,
    body_block,
    load2,
    matrix_block,
    right_block,
    speeds_at,
    store2,
    tree_block,
    turned_by,
    turns_at,
)
from poinsot.linear.dense import solve_cholesky
from poinsot.tables.records import N_CONTROL, N_Q, N_V


@kernel
def drawn(work, k, v):
    """A vector in the axes of a link (its first two numbers), in the plane of the drawing; k: the block of its body."""
    z = complex(v[0], v[1])
    return load2(work, k + IMAGE) * (z if work[k + SIDE] > 0.0 else z.conjugate())


@helper
def draw(layout, work):
    """Numbers of the chain in the drawing; the axes of the plane are those of the first link."""
    n = layout.sizes[N_V]
    image, side = complex(1.0, 0.0), 1.0
    for i in range(n):
        k, link = body_block(layout, i), layout.links[i + 1]
        if i > 0:
            inner, B = body_block(layout, i - 1), matrix(link.rotation)
            store2(work, inner + ARM, drawn(work, inner, vector(link.origin)))
            image = drawn(work, inner, (B[0][0], B[1][0]))
            side *= 1.0 if B[2][2] > 0.0 else -1.0
        store2(work, k + IMAGE, image)
        work[k + SIDE] = side
    mass = 0.0  # of all bodies beyond
    for i in range(n - 1, -1, -1):
        k, link = body_block(layout, i), layout.links[i + 1]
        if i == n - 1:
            store2(work, k + ARM, complex(0.0, 0.0))
        arm = load2(work, k + ARM)
        store2(work, k + MOMENT, drawn(work, k, vector(link.moment)) + mass * arm)
        work[k + INERTIA] = link.inertia[2] + mass * (arm.real * arm.real + arm.imag * arm.imag)
        mass += link.mass


@kernel
def attitude(y, k, variant):
    """The attitude at y[k] as a complex number; of a matrix its rotational part, which is all of it but for rounding."""
    if variant & MATRIX:
        return complex(0.5 * (y[k] + y[k + 3]), 0.5 * (y[k + 2] - y[k + 1]))
    return complex(y[k], y[k + 1])


@helper
def place(y, layout, work, variant):
    """Attitudes, and the arms and moments turned by them.

    Canonical variants depend on the direction of attitudes alone: they are Hamiltonian off the unit circle, too.
    """
    whole = complex(1.0, 0.0)
    for i in range(layout.sizes[N_V]):
        k = body_block(layout, i)
        own = attitude(y, i * attitude_size(variant), variant)
        if variant & CANONICAL:
            own = own / abs(own)
        whole = whole * own if variant & RELATIVE else own
        store2(work, k + OWN, own)
        store2(work, k + WHOLE, whole)
        store2(work, k + TURNED_ARM, whole * load2(work, k + ARM))
        store2(work, k + TURNED_MOMENT, whole * load2(work, k + MOMENT))


@helper
def couple(layout, work, variant):
    """Mass matrix of the absolute rates, and above its diagonal the derivatives dM_jk/dth_j."""
    n, first = layout.sizes[N_V], matrix_block(layout)
    between = (variant & MATRIX) != 0 and (variant & RELATIVE) != 0
    for j in range(n):
        inner, turn = body_block(layout, j), complex(1.0, 0.0)
        work[first + j * n + j] = work[inner + INERTIA]
        arm = load2(work, inner + (ARM if between else TURNED_ARM)).conjugate()
        for k in range(j + 1, n):
            outer = body_block(layout, k)
            if between:
                turn = turn * load2(work, outer + OWN)
                pair = arm * (turn * load2(work, outer + MOMENT))
            else:
                pair = arm * load2(work, outer + TURNED_MOMENT)
            work[first + k * n + j] = pair.real
            work[first + j * n + k] = pair.imag


@kernel
def quarter(y, k, variant):
    """The attitude at y[k] after a quarter turn: its derivative at the rate 1, as four numbers (of a vector, the last two are 0)."""
    if variant & MATRIX:
        return y[k + 1], -y[k], y[k + 3], -y[k + 2]
    return -y[k + 1], y[k], 0.0, 0.0


@kernel
def momentum(y, i, layout, variant):
    """Momentum conjugate to the rate of attitude i; of canonical variants p . (quarter turn of the attitude)."""
    first = speeds_at(layout, variant)
    if variant & CANONICAL == 0:
        return y[first + i]
    size, total = attitude_size(variant), 0.0
    turned = quarter(y, i * size, variant)
    for k in range(size):
        total += y[first + i * size + k] * turned[k]
    return total


@helper
def find_rates(y, layout, work, variant):
    """Absolute rates of all bodies, by a solution with the mass matrix where the state has momenta; that overwrites the matrix with its factor."""
    n, right = layout.sizes[N_V], right_block(layout)
    if variant & MOMENTUM:
        outer = 0.0
        for i in range(n - 1, -1, -1):
            own = momentum(y, i, layout, variant)
            work[right + i] = own - outer
            if variant & RELATIVE:
                outer = own
        solve_cholesky(matrix_block(layout), right, n, work)
        for i in range(n):
            work[body_block(layout, i) + RATE] = work[right + i]
    else:
        total = 0.0
        for i in range(n):
            own = y[speeds_at(layout, variant) + i]
            total = total + own if variant & RELATIVE else own
            work[body_block(layout, i) + RATE] = total


@helper
def prepare(y, layout, work, variant):
    """Everything about the chain at a state but its loads."""
    draw(layout, work)
    place(y, layout, work, variant)
    couple(layout, work, variant)
    find_rates(y, layout, work, variant)


@helper
def fill_tree(y, layout, work, variant):
    """The state of the tree, after `prepare`. Joint angles are those nearest to its turns."""
    n, first, turns = layout.sizes[N_V], tree_block(layout), turns_at(layout, variant)
    before, rate = complex(1.0, 0.0), 0.0
    for i in range(n):
        k, old = body_block(layout, i), turned_by(y[turns + i])
        side, whole = work[k + SIDE], load2(work, k + WHOLE)
        turn = load2(work, k + OWN) if variant & RELATIVE else whole * before.conjugate()
        turn = turn * complex(cos(old), -side * sin(old))
        work[first + i] = old + side * atan2(turn.imag, turn.real)
        work[first + layout.sizes[N_Q] + i] = side * (work[k + RATE] - rate)
        before, rate = whole, work[k + RATE]
    tail, kept = first + layout.sizes[N_Q] + n, layout.sizes[N_CONTROL] + 1
    for i in range(kept):
        work[tail + i] = y[y.shape[0] - kept + i]


@kernel
def tree_state(layout):
    """Where in the work array `fill_tree` leaves the state of the tree."""
    return slice(tree_block(layout), body_block(layout, 0))
