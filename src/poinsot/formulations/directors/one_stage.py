"""The matrix of Newton's method for a step of one stage, and its corrections.

With one stage the middle of the step has x = x0 + h v / 2 and D = (1 - hat(t))^-1 D0, t = h w / 2, and its end x1 = 2 x - x0, D1 = 2 D - D0.
A change of the twist turns the end of the step as a rigid body, by h eta, and the rates of rows add up to their change over the step. So with
the gradients G of the rows, A = sum_a E_a D1_a (D0_a + h D0'_a / 2)' - h^2 / 4 sum of arm1 force' over points that coincide, and unknowns (dv, eta),

    m dv + G(middle)' dl = f       (tr A - A) eta + G(middle)' dl = m       G(end) (dv, eta) = -gaps

where dl is h / 2 times the change of the multipliers, and dw = eta - t x eta + t (t . eta). The rows of the matrix belong to the end of the
step and its columns to the middle: with the rows in the middle, too, it would be symmetric, and the iteration would converge linearly.
Derivatives of the loads and the geometric stiffness of rows other than those of points are left out.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load33, minus, outer, plus, store33, times, transpose
from poinsot.algebra.vectors import add, add_scaled, cross, dot, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import gradient_of
from poinsot.formulations.absolute.rows import OWN, add_leg, arms, is_positive, leg_times, set_point_legs
from poinsot.formulations.absolute.work import TURNING, TWIST
from poinsot.formulations.directors import stage_places
from poinsot.linear.pattern import GROUPS, LEG_BODY, LEG_START, LEGS
from poinsot.linear.unsymmetric import assemble_both, factor_both, solve_both
from poinsot.tables.records import COINCIDE, SLIP

TURNED = 0.25  # geometric stiffness in h^2


@kernel
def inverse(A):
    """Inverse of a 3x3 matrix."""
    x, y, z = cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])
    return transpose((scale(1.0 / dot(A[0], x), x), scale(1.0 / dot(A[0], x), y), scale(1.0 / dot(A[0], x), z)))


@kernel
def less_trace(A):
    """tr A - A."""
    trace = A[0][0] + A[1][1] + A[2][2]
    return (
        (trace - A[0][0], -A[0][1], -A[0][2]),
        (-A[1][0], trace - A[1][1], -A[1][2]),
        (-A[2][0], -A[2][1], trace - A[2][2]),
    )


@kernel
def is_stable(own, whole):
    """Whether the symmetric part of a matrix of rotation is positive, with a part of what it would be without tension taken off."""
    S = minus(whole, times(OWN, own))
    return is_positive(plus(S, transpose(S)))


@kernel
def own_moments(frame, step, y, velocities, ahead, b):
    """sum_a E_a D1_a (D0_a + h D0'_a / 2)' of a body."""
    D = transpose(load33(y, POSE * b + 3))
    Z = transpose(load33(velocities, POSE * b + 3))
    D1 = transpose(load33(ahead, POSE * b + 3))
    E, k = frame.euler, 0.5 * step.h
    A = outer(scale(E[0], D1[0]), add_scaled(D[0], k, Z[0]))
    A = plus(A, outer(scale(E[1], D1[1]), add_scaled(D[1], k, Z[1])))
    return plus(A, outer(scale(E[2], D1[2]), add_scaled(D[2], k, Z[2])))


@kernel
def add_moment(array, b, k, arm, force):
    """array of body b += k arm force'."""
    store33(array, TURNING * b, plus(load33(array, TURNING * b), outer(scale(k, arm), force)))


@helper
def invert_turning(step, y, layout, ahead, multipliers, work, tense):
    """Inverses of tr A - A of all bodies; without tensions, unless `tense`, where it would not be positive with them."""
    at, n = layout.places[0], step.bodies
    turning, velocities = work[places.turning(at)], y[places.velocities(at)]
    for k in range(TURNING * n):
        turning[k] = 0.0
    k = -TURNED * step.h * step.h
    i = 0
    while i < layout.terms.shape[0]:
        term = layout.terms[i]
        if term.kind == COINCIDE:
            force = load3(multipliers, term.row) if term.point == 1 else scale(multipliers[term.row], vector(term.a))
            arm_a, arm_b = arms(term, ahead)
            add_moment(turning, term.first, -k, arm_a, force)
            add_moment(turning, term.second, k, arm_b, force)
        i += 3 if term.point == 1 else 1
    for b in range(1, n):
        A = own_moments(layout.frames[b], step, y, velocities, ahead, b)
        own, whole = less_trace(A), less_trace(plus(A, load33(turning, TURNING * b)))
        store33(turning, TURNING * b, inverse(whole if tense or is_stable(own, whole) else own))


@helper
def set_legs(layout, y, poses, legs, ahead, legs_ahead):
    """Gradients of all rows at two sets of poses; those of rows that have rates only, at the first of them, twice."""
    for k in range(legs.shape[0]):
        legs[k] = 0.0
        legs_ahead[k] = 0.0
    n = 0
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            set_point_legs(legs, term, poses)
            set_point_legs(legs_ahead, term, ahead)
            n += 3
            continue
        n += 1
        k = term.row % 3
        for end in range(2):
            fa, ma, fb, mb = gradient_of(term, layout, y, ahead if end == 1 and term.kind < SLIP else poses)
            target = legs_ahead if end == 1 else legs
            if term.first_leg >= 0:
                add_leg(target, term.first_leg, k, term.factor, fa, ma)
            if term.second_leg >= 0:
                add_leg(target, term.second_leg, k, term.factor, fb, mb)


@helper
def build_one(step, y, layout, work, tense):
    """Factor the matrix at the present unknowns, all in `work`. Returns the smallest relative pivot.

    tense : whether tensions of joints are kept where they are so large that the matrix is not positive with them: this is Newton's method, which
        converges where a solution is near, and may lead away from one that is not
    """
    at, p = layout.places[0], layout.pattern
    poses, ahead = work[stage_places.stage_poses(at, 1)], work[places.middle(at)]
    multipliers = work[at.unknowns + at.n_twists :]
    legs, weighted, turning = work[places.legs(at)], work[places.weighted(at)], work[places.turning(at)]
    blocks, mirrored, diagonal = work[places.factor(at)], work[places.mirrored(at)], work[places.diagonal(at)]
    for k in range(at.n_poses):
        ahead[k] = 2.0 * poses[k] - y[k]
    invert_turning(step, y, layout, ahead, multipliers, work, tense)
    set_legs(layout, y, poses, legs, ahead, weighted)
    for leg in range(p[LEGS]):
        b = p[p[LEG_BODY] + leg]
        K, m = load33(turning, TURNING * b), 1.0 / layout.frames[b].mass
        for k in range(18 * leg, 18 * leg + 9, 3):
            store3(weighted, k, scale(m, load3(weighted, k)))
            store3(weighted, k + 9, apply_transposed(K, load3(weighted, k + 9)))
    assemble_both(p, legs, weighted, 18, blocks, mirrored, diagonal)
    return factor_both(p, blocks, mirrored, diagonal)


@helper
def correct_one(step, layout, work):
    """Newton's corrections of twists and multipliers, to `changes`; gaps are lost."""
    at, p, h = layout.places[0], layout.pattern, step.h
    forces, gaps = work[stage_places.stage_forces(at, 1)], work[at.stage_gaps : at.stage_gaps + at.n_rows]
    changes, turning = work[stage_places.changes(at, 1)], work[places.turning(at)]
    twists = work[stage_places.stage_twists(at, 1)]
    legs, weighted = work[places.legs(at)], work[places.weighted(at)]
    start, body = p[LEG_START], p[LEG_BODY]
    for k in range(TWIST, at.n_twists):
        changes[k] = -0.5 * h * forces[k]
    for t in range(p[GROUPS]):
        total = load3(gaps, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            b = TWIST * p[body + leg]
            total = add(total, leg_times(weighted, leg, load3(changes, b), load3(changes, b + 3)))
        store3(gaps, 3 * t, total)
    solve_both(p, work[places.factor(at)], work[places.mirrored(at)], gaps)
    for t in range(p[GROUPS]):
        pull = load3(gaps, 3 * t)
        store3(changes, at.n_twists + 3 * t, scale(2.0 / h, pull))
        for leg in range(p[start + t], p[start + t + 1]):
            b, row = TWIST * p[body + leg], 18 * leg
            store3(changes, b, sub(load3(changes, b), apply_transposed(load33(legs, row), pull)))
            store3(changes, b + 3, sub(load3(changes, b + 3), apply_transposed(load33(legs, row + 9), pull)))
    for b in range(1, step.bodies):
        k = TWIST * b
        t = scale(0.5 * h, load3(twists, k + 3))
        eta = apply(load33(turning, TURNING * b), load3(changes, k + 3))
        store3(changes, k, scale(1.0 / layout.frames[b].mass, load3(changes, k)))
        store3(changes, k + 3, add_scaled(sub(eta, cross(t, eta)), dot(t, eta), t))
