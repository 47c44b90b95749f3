"""Attitudes of bodies in a state, by quaternions or by Euler angles, and the configuration (poses and angles of joints) that they give.

Euler angles Theta are those of hemami2002: A = Rx(Theta1) Ry(Theta2) Rz(Theta3) turns body axes into the world. Their rates are singular
where cos(Theta2) = 0.
"""

from __future__ import annotations

from math import asin, atan2, cos, pi, sin

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import matmul, matrix, store33, transpose
from poinsot.algebra.quaternions import from_matrix, load4, multiply, normalised, rotation_matrix, store4
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.director_scalars import POSE, centre, directors
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.rates import angle_rates
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.newton_euler.flags import EULER
from poinsot.integrators.stages import copy
from poinsot.tables.types import GIMBAL_LOCK, OK

PLACE, QUATERNION = 3, 4  # numbers of a position and of a quaternion
TURN = 2.0 * pi
NEAR = 0.01  # cosine of the second angle below which Euler angles are refused


@kernel
def stride(at):
    """Numbers of a body's position and attitude in the state."""
    return PLACE + (3 if at.variant & EULER else QUATERNION)


@kernel
def euler_matrix(a, b, c):
    """A = Rx(a) Ry(b) Rz(c)."""
    ca, sa, cb, sb, cc, sc = cos(a), sin(a), cos(b), sin(b), cos(c), sin(c)
    return (
        (cb * cc, -cb * sc, sb),
        (ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb),
        (sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb),
    )


@kernel
def angles_of(A):
    """Theta of a rotation matrix."""
    return atan2(-A[1][2], A[2][2]), asin(max(-1.0, min(1.0, A[0][2]))), atan2(-A[0][1], A[0][0])


@kernel
def euler_rates(a, b, omega):
    """Rates of Theta from the angular velocity in the world (A B of the paper, inverted)."""
    ca, sa, cb, sb = cos(a), sin(a), cos(b), sin(b)
    across = ca * omega[2] - sa * omega[1]
    return omega[0] - sb * across / cb, ca * omega[1] + sa * omega[2], across / cb


@kernel
def world_quaternion_rate(q, omega):
    """Rate of a quaternion from the angular velocity in the world."""
    return scale4(0.5, multiply((0.0, omega[0], omega[1], omega[2]), q))


@kernel
def scale4(s, q):
    """s q."""
    return s * q[0], s * q[1], s * q[2], s * q[3]


@helper
def expand(y, layout, work):
    """The configuration of a state, in `end` of the work array: kernels of the family take it. Returns a status."""
    at = layout.places[0]
    configuration, size = work[places.end(at)], stride(at)
    status = OK
    for b in range(layout.bodies.shape[0]):
        k = size * b
        store3(configuration, POSE * b, load3(y, k))
        if at.variant & EULER:
            if cos(y[k + PLACE + 1]) < NEAR:
                status = GIMBAL_LOCK
            A = euler_matrix(y[k + PLACE], y[k + PLACE + 1], y[k + PLACE + 2])
            store33(configuration, POSE * b + PLACE, matmul(A, matrix(layout.frames[b].axes)))
        else:
            store33(configuration, POSE * b + PLACE, rotation_matrix(normalised(load4(y, k + PLACE))))
    first = size * at.n_bodies
    copy(y[first : first + at.n_angles], configuration[at.angles : at.angles + at.n_angles])
    return status


@helper
def compress(configuration, layout, y):
    """The state of a configuration, near y: a quaternion has two signs, and angles have turns."""
    at, size = layout.places[0], stride(layout.places[0])
    for b in range(layout.bodies.shape[0]):
        k = size * b
        store3(y, k, centre(configuration, b))
        D = directors(configuration, b)
        if at.variant & EULER:
            found = angles_of(matmul(D, transpose(matrix(layout.frames[b].axes))))
            for i in range(3):
                turns = round((y[k + PLACE + i] - found[i]) / TURN)
                y[k + PLACE + i] = found[i] + TURN * turns
        else:
            q, before = normalised(from_matrix(D)), load4(y, k + PLACE)
            along = q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3]
            store4(y, k + PLACE, q if along >= 0.0 else scale4(-1.0, q))
    first = size * at.n_bodies
    copy(configuration[at.angles : at.angles + at.n_angles], y[first : first + at.n_angles])


@helper
def set_rates(y, configuration, layout, twists, ydot):
    """Rates of positions, attitudes and joint angles."""
    at, size = layout.places[0], stride(layout.places[0])
    for b in range(layout.bodies.shape[0]):
        k = size * b
        store3(ydot, k, load3(twists, TWIST * b))
        omega = load3(twists, TWIST * b + 3)
        if at.variant & EULER:
            store3(ydot, k + PLACE, euler_rates(y[k + PLACE], y[k + PLACE + 1], omega))
        else:
            store4(ydot, k + PLACE, world_quaternion_rate(load4(y, k + PLACE), omega))
    first = size * at.n_bodies
    angle_rates(configuration, layout, twists, ydot[first : first + at.n_angles])
