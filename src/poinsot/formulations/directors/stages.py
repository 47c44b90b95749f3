"""Stages of a Gauss step in directors: positions from twists, inertia forces, and the state at the end of the step.

With stage twists (v_i, w_i), a the Gauss matrix, A its inverse, b the weights and omega = b' A:

    x_i = x + h sum_j a_ij v_j          D_i = D + h sum_j a_ij w_j x D_j
    inertia force  m sum_j A_ij (v_j - x') / h          moment  sum_a E_a D_ia x sum_j A_ij (w_j x D_ja - D_a') / h
    x+ = x + h sum_i b_i v_i            x'+ = x' + sum_i omega_i (v_i - x'), and the same for D, D' with w_i x D_i
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import hat_times, load33, minus, plus, store33, times, transpose
from poinsot.algebra.plane import unwrap
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, dot, load3, scale, store3, sub
from poinsot.elements.director_scalars import ANGLE, POSE, SERIAL
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.changes import RESTING, angle_change, excess, product_rates
from poinsot.formulations.absolute.coordinates import gradient_of, value_of
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.stage_places import EM_INVERSE, EM_MATRIX, EM_OMEGA, EM_WEIGHTS, stage
from poinsot.tables.records import TOUCH

FAST_TURN = 0.1  # rad in a step: with less an angle changes by half a turn only within 2 degrees of a position where it is not defined


@kernel
def cayley(t, d):
    """(1 - hat(t))^-1 d."""
    return scale(1.0 / (1.0 + dot(t, t)), add(add_scaled(d, dot(t, d), t), cross(t, d)))


@helper
def middle_poses(step, y, poses, twists):
    """One stage: poses in the middle of the step, directors by the Cayley transform."""
    h = step.h
    for b in range(1, step.bodies):
        p, k = POSE * b, TWIST * b
        store3(poses, p, add_scaled(load3(y, p), 0.5 * h, load3(twists, k)))
        t = scale(0.5 * h, load3(twists, k + 3))
        columns = transpose(load33(y, p + 3))
        store33(poses, p + 3, transpose((cayley(t, columns[0]), cayley(t, columns[1]), cayley(t, columns[2]))))


@helper
def place_stages(step, y, poses, twists, sweeps):
    """Poses at all stages; the directors by `sweeps` sweeps over the stages, from where they are."""
    method, s, n, _, h = step
    for b in range(1, n):
        p = POSE * b
        x = load3(y, p)
        D = load33(y, p + 3)
        for i in range(s):
            place = x
            for j in range(s):
                k = TWIST * (j * n + b)
                place = add_scaled(place, h * method[EM_MATRIX + 3 * i + j], load3(twists, k))
            store3(poses, POSE * (i * n + b), place)
        for _ in range(sweeps):
            for i in range(s):
                new = D
                for j in range(s):
                    w = scale(h * method[EM_MATRIX + 3 * i + j], load3(twists, TWIST * (j * n + b) + 3))
                    new = plus(new, hat_times(w, load33(poses, POSE * (j * n + b) + 3)))
                store33(poses, POSE * (i * n + b) + 3, new)


@helper
def inertia_forces(step, y, layout, work):
    """Set the forces of every stage to those of inertia less gravity."""
    at = layout.places[0]
    method, s, n, _, h = step
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    velocities, forces = y[places.velocities(at)], work[stage_places.stage_forces(at, s)]
    gravity = load3(layout.values, 0)
    for b in range(1, n):
        frame = layout.frames[b]
        velocity, rates = load3(velocities, POSE * b), load33(velocities, POSE * b + 3)
        for i in range(s):
            a, Z = ZERO, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            for j in range(s):
                c = method[EM_INVERSE + 3 * i + j] / h
                k = TWIST * (j * n + b)
                a = add_scaled(a, c, sub(load3(twists, k), velocity))
                D = load33(poses, POSE * (j * n + b) + 3)
                Z = plus(Z, times(c, minus(hat_times(load3(twists, k + 3), D), rates)))
            D, Z = transpose(load33(poses, POSE * (i * n + b) + 3)), transpose(Z)
            moment = scale(frame.euler[0], cross(D[0], Z[0]))
            moment = add_scaled(moment, frame.euler[1], cross(D[1], Z[1]))
            moment = add_scaled(moment, frame.euler[2], cross(D[2], Z[2]))
            k = TWIST * (i * n + b)
            store3(forces, k, scale(frame.mass, sub(a, gravity)))
            store3(forces, k + 3, moment)


@kernel
def compensated(old, change, lost):
    """old + change by Kahan's rule: the sum, and what it lost."""
    want = sub(change, lost)
    new = add(old, want)
    return new, sub(sub(new, old), want)


@kernel
def stage_rate(i, n, b, poses, twists):
    """Derivative of the directors of body b at stage i."""
    return hat_times(load3(twists, TWIST * (i * n + b) + 3), load33(poses, POSE * (i * n + b) + 3))


@helper
def end_poses(step, y, poses, twists, end):
    """Poses at the end of the step, without compensation: what elements need while the step is solved for."""
    method, s, n, _, h = step
    for b in range(n):  # the ground too
        p = POSE * b
        x, D = load3(y, p), load33(y, p + 3)
        for i in range(s):
            weight = h * method[EM_WEIGHTS + i]
            x = add_scaled(x, weight, load3(twists, TWIST * (i * n + b)))
            D = plus(D, times(weight, stage_rate(i, n, b, poses, twists)))
        store3(end, p, x)
        store33(end, p + 3, D)


@helper
def end_state(step, y, layout, work, lost, end_lost):
    """Poses and velocities at the end of the step, in `end`; sums of poses with compensation, of what was lost before and is lost now."""
    at = layout.places[0]
    method, s, n, _, h = step
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    end, velocities = work[places.end(at)], y[places.velocities(at)]
    end_velocities = end[places.velocities(at)]
    for b in range(1, n):
        p = POSE * b
        dx, dv, dD = ZERO, ZERO, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        dZ = dD
        velocity, rates = load3(velocities, p), load33(velocities, p + 3)
        for i in range(s):
            v, Z = load3(twists, TWIST * (i * n + b)), stage_rate(i, n, b, poses, twists)
            dx = add_scaled(dx, h * method[EM_WEIGHTS + i], v)
            dv = add_scaled(dv, method[EM_OMEGA + i], sub(v, velocity))
            dD = plus(dD, times(h * method[EM_WEIGHTS + i], Z))
            dZ = plus(dZ, times(method[EM_OMEGA + i], minus(Z, rates)))
        store3(end_velocities, p, add(velocity, dv))
        store33(end_velocities, p + 3, plus(rates, dZ))
        x, gone = compensated(load3(y, p), dx, load3(lost, p))
        store3(end, p, x)
        store3(end_lost, p, gone)
        for k in range(3):
            q = p + 3 + 3 * k
            row, gone = compensated(load3(y, q), dD[k], load3(lost, q))
            store3(end, q, row)
            store3(end_lost, q, gone)


@helper
def serial_beta(scalar, step, y, layout, work):
    """The same of a coordinate in series: from its values at both ends of the step."""
    at = layout.places[0]
    moved, square = 0.0, 0.0
    for i in range(step.stages):
        poses, twists = stage(at, work, i)
        rate = pair_rate(gradient_of(scalar, layout, y, poses), twists, scalar.first, scalar.second)
        moved += step.h * step.method[EM_WEIGHTS + i] * rate
        square += step.h * step.method[EM_WEIGHTS + i] * rate * rate
    before = value_of(scalar, layout, y, y, 0.0)
    after = value_of(scalar, layout, y, work[places.end(at)], 0.0)
    return excess(before, after, moved) / square if square > RESTING else 0.0


@helper
def angle_beta(scalar, step, y, layout, work):
    """Correction of an ANGLE or a coordinate in series with which its rates at the stages add up to what it changes by."""
    at = layout.places[0]
    if scalar.kind >= SERIAL:
        return serial_beta(scalar, step, y, layout, work)
    turned, square, ds, dc = 0.0, 0.0, 0.0, 0.0
    for i in range(step.stages):
        poses, twists = stage(at, work, i)
        sine, cosine, s_rate, c_rate = product_rates(scalar, poses, twists)
        weight = step.h * step.method[EM_WEIGHTS + i]
        turned += weight * (cosine * s_rate - sine * c_rate) / (sine * sine + cosine * cosine)
        square += weight * (s_rate * s_rate + c_rate * c_rate)
        ds += weight * s_rate
        dc += weight * c_rate
    miss = unwrap(angle_change(scalar, y, ds, dc), turned) - turned
    return miss / square if square > RESTING else 0.0


@helper
def turns_fast(scalar, step, layout, work):
    """Whether the two bodies of a scalar turn so far in a step, one relative to the other, that an angle may change by half a turn."""
    for i in range(step.stages):
        _, twists = stage(layout.places[0], work, i)
        spin = sub(load3(twists, TWIST * scalar.second + 3), load3(twists, TWIST * scalar.first + 3))
        if step.h * step.h * dot(spin, spin) > FAST_TURN * FAST_TURN:
            return True
    return False


@helper
def turn_angles(step, y, layout, work):
    """Add to angles at the end of a step, which are still those of its beginning y, what their rates at the stages add up to, where that may be
    half a turn or more: the branch nearest to that counts whole turns rightly.
    """
    at = layout.places[0]
    end = work[places.end(at)]
    for k in range(layout.coordinates.shape[0]):
        scalar = layout.coordinates[k]
        if scalar.kind == ANGLE and scalar.angle >= 0 and turns_fast(scalar, step, layout, work):
            for i in range(step.stages):
                poses, twists = stage(at, work, i)
                rate = pair_rate(gradient_of(scalar, layout, y, poses), twists, scalar.first, scalar.second)
                end[at.angles + scalar.angle] += step.h * step.method[EM_WEIGHTS + i] * rate


@helper
def set_betas(step, y, layout, work):
    """Corrections of the angles among the constraint rows."""
    at = layout.places[0]
    betas = work[places.betas(at)]
    for k in range(layout.terms.shape[0]):
        if ANGLE <= layout.terms[k].kind < TOUCH:
            betas[k] = angle_beta(layout.terms[k], step, y, layout, work)
