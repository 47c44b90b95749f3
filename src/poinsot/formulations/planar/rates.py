"""The right-hand side of planar chains in all variants: rates of attitudes, and of rates or momenta.

    velocities  M_jk w_k' = Q_j + g . S a_j + sum_k>j D_jk w_k^2 - sum_k<j D_kj w_k^2                bai2022 (3.12), (4.9), (5.15), (5.19)
    momenta     P_j' = Q_j + g . S a_j + w_j (sum_k>j D_jk w_k - sum_k<j D_kj w_k)                   bai2022 (3.13), (4.10), (5.20), (5.21)

both corrected, with w the absolute rates, P = M w, D_jk = dM_jk/dth_j, and Q the forces of loads. Relative variants take differences of w' and sums
of P'. Attitudes are neither normalised nor projected.

Canonical variants carry a vector p conjugate to every attitude q, P = p . S q, with p' = w S p + S q P'/|q|^2: in (q, p) the equations are
Hamilton's, and |q|^2 and q . p are quadratic invariants, which Gauss methods conserve.
"""

from __future__ import annotations

from numba import float64, int64

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.matrices import column, matrix
from poinsot.algebra.vectors import dot, load3
from poinsot.elements.feedback import controls_out
from poinsot.formulations.planar.chain import couple, drawn, fill_tree, prepare, quarter, tree_state
from poinsot.formulations.planar.places import (
    CANONICAL,
    FORCE,
    MOMENTUM,
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
    turn_rate,
    turns_at,
)
from poinsot.formulations.tree.coordinates import joint_rates, link_rates
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.work import (
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    efforts_block,
    slots_block,
    spare_block,
    world_block,
)
from poinsot.linear.dense import solve_cholesky
from poinsot.tables.records import N_Q, N_V, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT, OK

VARIANT_RATE = int64(float64, FLOATS, LAYOUT, FLOATS, FLOATS, int64)


@helper
def apply_to_chain(t, y, layout, work, report, variant):
    """Efforts and wrenches of all loads, by the tree's kernels; report[0]: the power of non-conservative ones."""
    if layout.loads.shape[0] > 0:
        fill_tree(y, layout, work, variant)
        return apply_loads(t, work[tree_state(layout)], layout, work, report)
    for k in range(efforts_block(layout), spare_block(layout)):
        work[k] = 0.0
    report[0] = 0.0
    return OK


@helper
def add_forces(layout, work):
    """Generalized forces of gravity and of the loads on the absolute angles, from the tip inward."""
    B, g = matrix(layout.links[1].rotation), load3(layout.values, 0)
    gravity = complex(dot(g, column(B, 0)), dot(g, column(B, 1)))
    push, outer = complex(0.0, 0.0), 0.0  # force on the bodies beyond, effort of the next joint
    for i in range(layout.sizes[N_V] - 1, -1, -1):
        k = body_block(layout, i)
        effort = work[k + SIDE] * work[efforts_block(layout) + i]
        force = effort - outer + (load2(work, k + TURNED_MOMENT).conjugate() * gravity).imag
        if layout.sizes[N_WRENCHES] > 0:
            world = world_block(layout, i + 1)
            force += work[k + SIDE] * work[world + EXTERNAL_MOMENT + 2]
            force += (load2(work, k + TURNED_ARM).conjugate() * push).imag
            push += load2(work, k + WHOLE) * drawn(work, k, load3(work, world + EXTERNAL_FORCE))
        work[k + FORCE] = force
        outer = effort


@helper
def solve_accelerations(layout, work):
    """Derivatives of the absolute rates, into the right-hand side."""
    n, first, right = layout.sizes[N_V], matrix_block(layout), right_block(layout)
    for j in range(n):
        total = work[body_block(layout, j) + FORCE]
        for k in range(n):
            rate = work[body_block(layout, k) + RATE]
            if k > j:
                total += work[first + j * n + k] * rate * rate
            elif k < j:
                total -= work[first + k * n + j] * rate * rate
        work[right + j] = total
    solve_cholesky(first, right, n, work)


@helper
def momentum_rates(layout, work):
    """Derivatives of the absolute momenta, into the right-hand side; the triangle above the diagonal must be there."""
    n, first, right = layout.sizes[N_V], matrix_block(layout), right_block(layout)
    for j in range(n):
        total = 0.0
        for k in range(n):
            rate = work[body_block(layout, k) + RATE]
            if k > j:
                total += work[first + j * n + k] * rate
            elif k < j:
                total -= work[first + k * n + j] * rate
        work[right + j] = work[body_block(layout, j) + FORCE] + work[body_block(layout, j) + RATE] * total


@kernel
def own_rate(i, layout, work, variant):
    """Rate of attitude i, relative or absolute, from the absolute rates."""
    rate = work[body_block(layout, i) + RATE]
    return rate - work[body_block(layout, i - 1) + RATE] if variant & RELATIVE and i > 0 else rate


@helper
def turn_attitude(y, i, rate, ydot, variant):
    """q' of attitude i: (2.4) and (2.9) of bai2022."""
    size = attitude_size(variant)
    turned = quarter(y, i * size, variant)
    for k in range(size):
        ydot[i * size + k] = rate * turned[k]


@helper
def turn_momentum(y, i, first, motion, ydot, variant):
    """p' of the vector conjugate to attitude i; `motion`: its rate, and the derivative of its momentum; the vectors begin at y[first]."""
    (rate, force), size, square = motion, attitude_size(variant), 0.0
    turned, own = quarter(y, i * size, variant), quarter(y, first + i * size, variant)
    for k in range(size):
        square += y[i * size + k] * y[i * size + k]
    for k in range(size):
        ydot[first + i * size + k] = rate * own[k] + force / square * turned[k]


@kernel
def side_of(i, before, layout):
    """1 where the axis of joint i is the normal of the plane, else -1; `before`: that of the joint before it."""
    return -before if i > 0 and matrix(layout.links[i + 1].rotation)[2][2] < 0.0 else before


@internal(int64(FLOATS, LAYOUT, FLOATS, int64))
def turn_by_rates(y, layout, ydot, variant):
    """q' of all attitudes where the state has rates, and rates of the turns of the joints."""
    first, turns, before, side = speeds_at(layout, variant), turns_at(layout, variant), 0.0, 1.0
    for i in range(layout.sizes[N_V]):
        rate = y[first + i]
        turn_attitude(y, i, rate, ydot, variant)
        side = side_of(i, side, layout)
        ydot[turns + i] = turn_rate(side * (rate if variant & RELATIVE else rate - before))
        before = rate
    ydot[first - 1] = 0.0  # the mark
    return OK


@internal(int64(FLOATS, LAYOUT, FLOATS, FLOATS, int64))
def turn_by_momenta(y, layout, work, ydot, variant):
    """q' of all attitudes where the state has momenta, which needs a solution with the mass matrix, and rates of the turns."""
    prepare(y, layout, work, variant)
    turns, before = turns_at(layout, variant), 0.0
    for i in range(layout.sizes[N_V]):
        rate = own_rate(i, layout, work, variant)
        turn_attitude(y, i, rate, ydot, variant)
        ydot[turns + i] = turn_rate(work[body_block(layout, i) + SIDE] * (rate if variant & RELATIVE else rate - before))
        before = rate
    ydot[speeds_at(layout, variant) - 1] = 0.0  # the mark
    return OK


@internal(VARIANT_RATE)
def chain_rates(t, y, layout, work, ydot, variant):
    """Derivatives of rates or momenta; last the power of non-conservative loads."""
    prepare(y, layout, work, variant)
    status = apply_to_chain(t, y, layout, work, ydot[ydot.shape[0] - 1 :], variant)
    if status != OK:
        return status
    add_forces(layout, work)
    n, right, first = layout.sizes[N_V], right_block(layout), speeds_at(layout, variant)
    if variant & MOMENTUM:
        momentum_rates(layout, work)
        total = 0.0
        for i in range(n - 1, -1, -1):
            total = total + work[right + i] if variant & RELATIVE else work[right + i]
            if variant & CANONICAL:
                turn_momentum(y, i, first, (own_rate(i, layout, work, variant), total), ydot, variant)
            else:
                ydot[first + i] = total
    else:
        solve_accelerations(layout, work)
        before = 0.0
        for i in range(n):
            ydot[first + i] = work[right + i] - before
            if variant & RELATIVE:
                before = work[right + i]
    controls_out(layout, 1, ydot)
    return OK


@internal(int64(float64, FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS, int64))
def chain_acceleration(t, y, effort, layout, work, result, variant):
    """Derivatives of the joint rates at y; `effort`, when not empty, replaces the efforts of the loads at joints."""
    n, right = layout.sizes[N_V], right_block(layout)
    spare = work[spare_block(layout) : slots_block(layout)]
    prepare(y, layout, work, variant)
    status = apply_to_chain(t, y, layout, work, spare[:1], variant)
    if status != OK:
        return status
    fill_tree(y, layout, work, variant)
    tree = work[tree_state(layout)]
    if effort.shape[0] > 0:
        link_rates(tree, effort, layout, work[efforts_block(layout) : spare_block(layout)])
    couple(layout, work, variant)
    add_forces(layout, work)
    solve_accelerations(layout, work)
    before = 0.0
    for i in range(n):
        spare[layout.sizes[N_Q] + i] = work[body_block(layout, i) + SIDE] * (work[right + i] - before)
        before = work[right + i]
    joint_rates(tree, spare[layout.sizes[N_Q] :], layout, result)
    return OK
