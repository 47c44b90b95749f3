"""Laws between two frames of two bodies: a force and a moment on the second body that depend on the relative pose and motion of the frames.

A frame is a point and axes fixed in a body. The displacement is that of the second point relative to the first frame, in its axes;
the rotation R is that of the second frame relative to the first, phi its rotation vector. The relative velocity is that of the second
point as observed from the first body. Force and moment act on the second body at its point, and oppositely on the first body at the same
place, so that momentum is conserved. A law is a branch in `frame_law`; with a potential, also one in `frame_potential`.
"""

from __future__ import annotations

from math import nan

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load33, matmul, matrix, transpose
from poinsot.algebra.rotations import left_jacobian_inverse, log_matrix
from poinsot.algebra.vectors import ZERO, add, cross, dot, increase3, load3, scale, sub, vector
from poinsot.elements.states import ATTITUDE, BODY_STATE, SPIN, WRENCH, point_state, push

BUSHING_DISPLACEMENT, BUSHING_ROTATION = 0, 1
LAWS = {"bushing displacement": BUSHING_DISPLACEMENT, "bushing rotation": BUSHING_ROTATION}


@kernel
def each(factors, x):
    """Elementwise product of two triples."""
    return (factors[0] * x[0], factors[1] * x[1], factors[2] * x[2])


@helper
def relative(load, states):
    """Axes of the first frame and of the second (columns), displacement, relative velocity and relative angular velocity; world axes."""
    A = matmul(load33(states, load.first * BODY_STATE + ATTITUDE), matrix(load.first_rotation))
    B = matmul(load33(states, load.second * BODY_STATE + ATTITUDE), matrix(load.second_rotation))
    pa, va, _ = point_state(states, load.first, vector(load.first_point))
    pb, vb, _ = point_state(states, load.second, vector(load.second_point))
    spin, d = load3(states, load.first * BODY_STATE + SPIN), sub(pb, pa)
    return A, B, d, sub(sub(vb, va), cross(spin, d)), sub(load3(states, load.second * BODY_STATE + SPIN), spin)


@helper
def frame_law(load, layout, states):
    """Conservative force and moment of a law, then the non-conservative ones; on the second body at its point, world axes."""
    A, B, d, velocity, spin = relative(load, states)
    stiffness, damping = load3(layout.values, load.value), load3(layout.values, load.value + 6)
    if load.kind == BUSHING_DISPLACEMENT:
        force = apply(A, each(stiffness, apply_transposed(A, d)))
        return scale(-1.0, force), ZERO, scale(-1.0, apply(A, each(damping, apply_transposed(A, velocity)))), ZERO
    if load.kind == BUSHING_ROTATION:
        phi = log_matrix(matmul(transpose(A), B))
        moment = apply(A, apply_transposed(left_jacobian_inverse(phi), each(stiffness, phi)))
        return ZERO, scale(-1.0, moment), ZERO, scale(-1.0, apply(A, each(damping, apply_transposed(A, spin))))
    return (nan, nan, nan), ZERO, ZERO, ZERO  # unknown law: NaN is reported as an error


@helper
def frame_potential(load, layout, states):
    """Potential energy of a law between two frames (J)."""
    A, B, d, _, _ = relative(load, states)
    stiffness = load3(layout.values, load.value)
    if load.kind == BUSHING_DISPLACEMENT:
        x = apply_transposed(A, d)
        return 0.5 * dot(x, each(stiffness, x))
    if load.kind == BUSHING_ROTATION:
        phi = log_matrix(matmul(transpose(A), B))
        return 0.5 * dot(phi, each(stiffness, phi))
    return nan  # unknown potential: NaN is reported as an error


@helper
def apply_pair(load, layout, states, wrenches, force, moment):
    """Add a force and a moment on the second body at its point, and the opposite on the first at the same place."""
    _, _, d, _, _ = relative(load, states)
    _, _, ra = point_state(states, load.first, vector(load.first_point))
    _, _, rb = point_state(states, load.second, vector(load.second_point))
    push(layout, states, wrenches, load.second, force, rb)
    push(layout, states, wrenches, load.first, scale(-1.0, force), add(ra, d))
    increase3(wrenches, load.second * WRENCH + 3, moment)
    increase3(wrenches, load.first * WRENCH + 3, scale(-1.0, moment))


@helper
def apply_frame_law(load, layout, states, wrenches):
    """Add a law to the wrenches; returns its effort (the force, or the moment of a purely rotational law) and its non-conservative power."""
    elastic, turning, viscous, braking = frame_law(load, layout, states)
    _, _, _, velocity, spin = relative(load, states)
    force, moment = add(elastic, viscous), add(turning, braking)
    apply_pair(load, layout, states, wrenches, force, moment)
    effort = force if load.weights[0] != 0.0 else moment
    return effort, dot(viscous, velocity) + dot(braking, spin)
