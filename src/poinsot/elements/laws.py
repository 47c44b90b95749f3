"""Laws on joint coordinates: springs, dampers, motors. Efforts are conjugate to the joint rates; N m or N."""

from __future__ import annotations

from math import nan

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply_transposed
from poinsot.algebra.quaternions import conjugate, load4, multiply, rotation_matrix
from poinsot.algebra.rotations import euler_angles, log_quaternion
from poinsot.algebra.vectors import dot, scale
from poinsot.elements.call import call_address

JOINT_SPRING, EULER_SPRING, JOINT_DAMPER, MOTOR = 0, 1, 2, 3
LAWS = {"joint spring": JOINT_SPRING, "spring on euler angles": EULER_SPRING, "joint damper": JOINT_DAMPER, "motor": MOTOR}
POTENTIALS_ON_BALLS = ("joint spring",)


@helper
def potential_law(load, x, layout):
    """Slope dU/dx and value U (J) of the potential of a conservative law on one scalar coordinate x."""
    if load.kind == JOINT_SPRING:
        k, stretch = layout.values[load.value], x - layout.values[load.value + 1]
        return k * stretch, 0.5 * k * stretch * stretch
    return nan, nan  # unknown potential: NaN is reported as an error


@helper
def scalar_effort(load, t, x, rate, layout, room):
    """Effort on one scalar coordinate x, and its non-conservative power. NaN when a user's function failed.

    `room`: scratch of at least 8 numbers for a user's function.
    """
    if load.potential == 1:
        return -potential_law(load, x, layout)[0], 0.0
    if load.kind == JOINT_DAMPER:
        effort = -layout.values[load.value] * rate
        return effort, effort * rate
    effort = 0.0
    if load.address >= 0:
        room[0], room[1], room[2] = x, rate, 0.0
        call_address(layout.addresses[load.address], t, room[:2], layout.values[load.value :], room[2:])
        effort = room[2]
    else:
        effort = layout.values[load.value]
    return effort, effort * rate


@helper
def ball_effort(load, q, rate, layout):
    """Moment on a ball with rotation q (first frame to second) and rate in the second frame; and its non-conservative power.

    Spring: -k log(rest^-1 q) in the axes of the second frame, along the shortest rotation. Spring on Euler angles, with R the
    rotation matrix of rest^-1 q: -k R' (phi, theta, psi), which has no potential, so all its power is non-conservative.
    """
    if load.kind == JOINT_SPRING:
        rest = load4(layout.values, load.value + 1)
        return scale(-layout.values[load.value], log_quaternion(multiply(conjugate(rest), q))), 0.0
    if load.kind == EULER_SPRING:
        R = rotation_matrix(multiply(conjugate(load4(layout.values, load.value + 1)), q))
        moment = scale(-layout.values[load.value], apply_transposed(R, euler_angles(R)))
        return moment, dot(moment, rate)
    c = layout.values[load.value]
    return scale(-c, rate), -c * dot(rate, rate)


@helper
def joint_potential(load, kind_is_ball, coordinates, ic, layout):
    """Potential energy (J) of a law on a joint from the joint coordinates; zero where it has none."""
    if load.potential == 0:
        return 0.0
    if kind_is_ball:
        k = layout.values[load.value]
        phi = log_quaternion(multiply(conjugate(load4(layout.values, load.value + 1)), load4(coordinates, ic)))
        return 0.5 * k * dot(phi, phi)
    return potential_law(load, coordinates[ic], layout)[1]


@helper
def linear_part(load, layout):
    """Damping and stiffness of a law on a joint, as far as they are constant; implicit steps linearise it with these."""
    if load.kind == JOINT_DAMPER:
        return layout.values[load.value], 0.0
    if load.kind == JOINT_SPRING or load.kind == EULER_SPRING:  # on Euler angles: approximated by the logarithmic law
        return 0.0, layout.values[load.value]
    return 0.0, 0.0
