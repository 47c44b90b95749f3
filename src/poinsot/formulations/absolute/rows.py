"""Constraint rows of all bodies at a set of poses: residuals, forces, and the matrix J M^-1 J' of the elimination."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, inverse_symmetric, load_symmetric, minus, store_symmetric, times
from poinsot.algebra.vectors import (
    add,
    add_scaled,
    cross,
    dot,
    increase3,
    load3,
    negate,
    scale,
    store3,
    sub,
    vector,
)
from poinsot.elements.director_scalars import directors
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import corrected_gradient, gradient_of, right_side
from poinsot.formulations.absolute.work import INVERSE_MASS, TWIST
from poinsot.linear.cholesky import assemble, factor, solve
from poinsot.linear.pattern import GROUPS, LEG_BODY, LEG_START, LEGS
from poinsot.tables.records import COINCIDE

OWN = 0.25  # of a body's inertia must be left under compression
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def arms(term, poses):
    """Arms of a term's two points from the centres of mass of their bodies, in the world."""
    arm_a = apply(directors(poses, term.first), vector(term.first_point))
    return arm_a, apply(directors(poses, term.second), vector(term.second_point))


@kernel
def add_point(term, poses, twists, multipliers, forces, gaps):
    """What `add_rows` does, for the three rows by which two points coincide."""
    i, j = TWIST * term.first, TWIST * term.second
    arm_a, arm_b = arms(term, poses)
    rate_a = add(load3(twists, i), cross(load3(twists, i + 3), arm_a))
    store3(gaps, term.row, sub(add(load3(twists, j), cross(load3(twists, j + 3), arm_b)), rate_a))
    pull = load3(multipliers, term.row)
    increase3(forces, i, negate(pull))
    increase3(forces, i + 3, cross(pull, arm_a))
    increase3(forces, j, pull)
    increase3(forces, j + 3, cross(arm_b, pull))


@helper
def add_rows(layout, y, poses, twists, multipliers, betas, forces, gaps):
    """Add J' lambda to the forces on bodies (TWIST numbers each), in a step from y, and set the gaps to the rates J V of all rows less what
    they must be.
    """
    for k in range(gaps.shape[0]):
        gaps[k] = 0.0
    n = 0
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            add_point(term, poses, twists, multipliers, forces, gaps)
            n += 3
            continue
        i, j = TWIST * term.first, TWIST * term.second
        wa, wb = load3(twists, i + 3), load3(twists, j + 3)
        fa, ma, fb, mb = corrected_gradient(term, layout, y, poses, twists, betas[n])
        rate = dot(fa, load3(twists, i)) + dot(ma, wa) + dot(fb, load3(twists, j)) + dot(mb, wb)
        gaps[term.row] += term.factor * rate - right_side(term, layout, poses)
        pull = term.factor * multipliers[term.row]
        increase3(forces, i, scale(pull, fa))
        increase3(forces, i + 3, scale(pull, ma))
        increase3(forces, j, scale(pull, fb))
        increase3(forces, j + 3, scale(pull, mb))
        n += 1


@kernel
def inertia(frame, D):
    """Inertia about the centre of mass in world axes, sum of E_a (|d_a|^2 - d_a d_a'), of directors that need not be orthonormal."""
    xx, yy, zz, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        e = frame.euler[k]
        x, y, z = D[0][k], D[1][k], D[2][k]
        xx += e * (y * y + z * z)
        yy += e * (x * x + z * z)
        zz += e * (x * x + y * y)
        xy -= e * x * y
        xz -= e * x * z
        yz -= e * y * z
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


@kernel
def add_tension(masses, b, k, arm, force):
    """Add k times the symmetric part of the change of arm x force with rotation: a body under tension resists turning."""
    at, along = INVERSE_MASS * b + 1, dot(arm, force)
    masses[at] += k * (arm[0] * force[0] - along)
    masses[at + 1] += k * (arm[1] * force[1] - along)
    masses[at + 2] += k * (arm[2] * force[2] - along)
    masses[at + 3] += 0.5 * k * (arm[0] * force[1] + arm[1] * force[0])
    masses[at + 4] += 0.5 * k * (arm[0] * force[2] + arm[2] * force[0])
    masses[at + 5] += 0.5 * k * (arm[1] * force[2] + arm[2] * force[1])


@kernel
def is_positive(S):
    """Whether a symmetric matrix is positive definite."""
    minor = S[0][0] * S[1][1] - S[0][1] * S[0][1]
    cofactor = S[0][1] * S[1][2] - S[0][2] * S[1][1]
    det = S[2][2] * minor - S[1][2] * (S[0][0] * S[1][2] - S[0][1] * S[0][2]) + S[0][2] * cofactor
    return S[0][0] > 0.0 and minor > 0.0 and det > 0.0


@helper
def invert_masses(layout, poses, multipliers, stiffness, masses):
    """1 / mass and the inverse inertia of every body at its pose; with `stiffness` times what tension in points that coincide adds to it."""
    for b in range(1, layout.bodies.shape[0]):
        frame = layout.frames[b]
        masses[INVERSE_MASS * b] = 1.0 / frame.mass
        store_symmetric(masses, INVERSE_MASS * b + 1, inertia(frame, directors(poses, b)))
    if stiffness > 0.0:
        n = 0
        while n < layout.terms.shape[0]:
            term = layout.terms[n]
            if term.kind == COINCIDE:
                force = (
                    load3(multipliers, term.row) if term.point == 1 else scale(multipliers[term.row], vector(term.a))
                )
                arm_a, arm_b = arms(term, poses)
                add_tension(masses, term.first, -stiffness, arm_a, force)
                add_tension(masses, term.second, stiffness, arm_b, force)
            n += 3 if term.point == 1 else 1
    for b in range(1, layout.bodies.shape[0]):
        S = load_symmetric(masses, INVERSE_MASS * b + 1)
        if stiffness > 0.0:  # about the axis of a thin rod nothing but its own inertia may count
            own = inertia(layout.frames[b], directors(poses, b))
            if not is_positive(minus(S, times(OWN, own))):
                S = own
        store_symmetric(masses, INVERSE_MASS * b + 1, inverse_symmetric(S))


@kernel
def divide(masses, b, force, moment):
    """Acceleration of a body under a force and a moment about its centre of mass."""
    return scale(masses[INVERSE_MASS * b], force), apply(load_symmetric(masses, INVERSE_MASS * b + 1), moment)


@kernel
def add_leg(legs, leg, k, factor, force, moment):
    """Add a row's gradient to row k of a leg: three rows of forces, then three of moments."""
    increase3(legs, 18 * leg + 3 * k, scale(factor, force))
    increase3(legs, 18 * leg + 9 + 3 * k, scale(factor, moment))


@kernel
def set_point_legs(legs, term, poses):
    """The legs of the three rows by which two points coincide: -1, hat(arm) on the first body, 1, -hat(arm) on the second."""
    arm_a, arm_b = arms(term, poses)
    for k in range(3):
        if term.first_leg >= 0:
            store3(legs, 18 * term.first_leg + 3 * k, negate(AXES[k]))
            store3(legs, 18 * term.first_leg + 9 + 3 * k, cross(AXES[k], arm_a))
        if term.second_leg >= 0:
            store3(legs, 18 * term.second_leg + 3 * k, AXES[k])
            store3(legs, 18 * term.second_leg + 9 + 3 * k, cross(arm_b, AXES[k]))


@helper
def build(layout, y, poses, multipliers, stiffness, work):
    """Factor J M^-1 J' at poses near the state y, all in `work`. Returns the smallest relative pivot.

    A `stiffness` above zero adds the geometric stiffness of the multipliers, times this number, to the inertias.
    """
    at = layout.places[0]
    p = layout.pattern
    masses, legs, weighted = work[places.masses(at)], work[places.legs(at)], work[places.weighted(at)]
    blocks, diagonal = work[places.factor(at)], work[places.diagonal(at)]
    invert_masses(layout, poses, multipliers, stiffness, masses)
    for k in range(legs.shape[0]):
        legs[k] = 0.0
    n = 0
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            set_point_legs(legs, term, poses)
            n += 3
            continue
        n += 1
        k = term.row % 3
        fa, ma, fb, mb = gradient_of(term, layout, y, poses)
        if term.first_leg >= 0:
            add_leg(legs, term.first_leg, k, term.factor, fa, ma)
        if term.second_leg >= 0:
            add_leg(legs, term.second_leg, k, term.factor, fb, mb)
    for leg in range(p[LEGS]):
        b = p[p[LEG_BODY] + leg]
        for k in range(3):
            row = 18 * leg + 3 * k
            force, moment = divide(masses, b, load3(legs, row), load3(legs, row + 9))
            store3(weighted, row, force)
            store3(weighted, row + 9, moment)
    assemble(p, legs, weighted, blocks, diagonal)
    return factor(p, blocks, diagonal)


@kernel
def leg_times(array, leg, force, moment):
    """Product of a leg (3x6) with a wrench or twist."""
    at = 18 * leg
    return (
        dot(load3(array, at), force) + dot(load3(array, at + 9), moment),
        dot(load3(array, at + 3), force) + dot(load3(array, at + 12), moment),
        dot(load3(array, at + 6), force) + dot(load3(array, at + 15), moment),
    )


@helper
def constrained(layout, work, step, push):
    """Solve [M J'; J 0] (twist, lambda) = (push, -step) with the factor in `work`: twists replace `push`, multipliers `step`.

    `push` holds TWIST numbers per body: force and moment about the centre of mass.
    """
    at = layout.places[0]
    p = layout.pattern
    masses, legs, weighted = work[places.masses(at)], work[places.legs(at)], work[places.weighted(at)]
    start, body = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        total = load3(step, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            b = TWIST * p[body + leg]
            part = leg_times(weighted, leg, load3(push, b), load3(push, b + 3))
            total = (total[0] + part[0], total[1] + part[1], total[2] + part[2])
        store3(step, 3 * t, total)
    solve(p, work[places.factor(at)], step)
    for t in range(p[GROUPS]):
        x, y, z = load3(step, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            b, row = TWIST * p[body + leg], 18 * leg
            force, moment = load3(push, b), load3(push, b + 3)
            force = add_scaled(
                add_scaled(add_scaled(force, -x, load3(legs, row)), -y, load3(legs, row + 3)), -z, load3(legs, row + 6)
            )
            moment = add_scaled(
                add_scaled(add_scaled(moment, -x, load3(legs, row + 9)), -y, load3(legs, row + 12)),
                -z,
                load3(legs, row + 15),
            )
            store3(push, b, force)
            store3(push, b + 3, moment)
    for b in range(1, layout.bodies.shape[0]):
        velocity, spin = divide(masses, b, load3(push, TWIST * b), load3(push, TWIST * b + 3))
        store3(push, TWIST * b, velocity)
        store3(push, TWIST * b + 3, spin)
