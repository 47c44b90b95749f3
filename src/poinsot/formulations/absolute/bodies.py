"""Bodies in the world from poses and twists of the directors formulation: states as `elements/states.py` describes them."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, matmul, matrix, store33, transpose
from poinsot.algebra.vectors import add, cross, dot, increase3, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import centre, directors
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, SPIN, VELOCITY
from poinsot.formulations.absolute.work import TWIST


@kernel
def point(layout, poses, body, place):
    """Arm from the centre of mass, in the world, of a point given in the body frame."""
    return apply(
        directors(poses, body),
        apply_transposed(matrix(layout.frames[body].axes), sub(place, vector(layout.frames[body].com))),
    )


@kernel
def attitude(layout, poses, body):
    """Body axes in the world; a rotation when the directors are orthonormal."""
    return matmul(directors(poses, body), transpose(matrix(layout.frames[body].axes)))


@helper
def body_state(layout, poses, twists, states, b):
    """Origin, attitude, velocity of the origin and angular velocity of one body."""
    at = BODY_STATE * b
    arm = apply(directors(poses, b), vector(layout.frames[b].origin))
    spin = load3(twists, TWIST * b + 3)
    store3(states, at + ORIGIN, add(centre(poses, b), arm))
    store33(states, at + ATTITUDE, attitude(layout, poses, b))
    store3(states, at + VELOCITY, add(load3(twists, TWIST * b), cross(spin, arm)))
    store3(states, at + SPIN, spin)


@helper
def body_states(layout, poses, twists, states):
    """Origin, attitude, velocity of the origin and angular velocity of all bodies."""
    for b in range(layout.bodies.shape[0]):
        body_state(layout, poses, twists, states, b)


@kernel
def pair_rate(gradient, twists, a, b):
    """Rate of a scalar with this gradient on bodies a and b."""
    i, j = TWIST * a, TWIST * b
    return (
        dot(gradient[0], load3(twists, i))
        + dot(gradient[1], load3(twists, i + 3))
        + dot(gradient[2], load3(twists, j))
        + dot(gradient[3], load3(twists, j + 3))
    )


@kernel
def pull(forces, effort, gradient, a, b):
    """Take effort times gradient from the forces on bodies a and b (the residual holds minus the applied force)."""
    i, j = TWIST * a, TWIST * b
    increase3(forces, i, scale(-effort, gradient[0]))
    increase3(forces, i + 3, scale(-effort, gradient[1]))
    increase3(forces, j, scale(-effort, gradient[2]))
    increase3(forces, j + 3, scale(-effort, gradient[3]))
