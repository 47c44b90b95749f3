"""Laws on joint coordinates: springs, dampers, motors. Efforts are conjugate to the joint rates; N m or N."""

from __future__ import annotations

from math import nan

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply_transposed
from poinsot.algebra.quaternions import conjugate, load4, multiply, rotation_matrix
from poinsot.algebra.rotations import euler_angles, log_quaternion
from poinsot.algebra.vectors import dot, scale
from poinsot.elements.call import call_address

JOINT_SPRING, EULER_SPRING, JOINT_DAMPER, MOTOR, STOP, STOP_DAMPER = 0, 1, 2, 3, 4, 5
LAWS = {
    "joint spring": JOINT_SPRING,
    "spring on euler angles": EULER_SPRING,
    "joint damper": JOINT_DAMPER,
    "motor": MOTOR,
    "stop": STOP,
    "stop damper": STOP_DAMPER,
}
POTENTIALS_ON_BALLS = ("joint spring",)


@helper
def stop_depth(load, x, layout):
    """How far a coordinate is beyond the limits of a stop; negative below the lower one. Values: lower, upper, stiffness, damping, blend."""
    return max(x - layout.values[load.value + 1], 0.0) + min(x - layout.values[load.value], 0.0)


@helper
def stop_law(load, x, layout):
    """Slope and potential of a stop: k d^2/(2 w) as far as the blend w, then k (d - w/2), with the depth d; continuous with its derivative."""
    signed = stop_depth(load, x, layout)
    k, w, d = layout.values[load.value + 2], layout.values[load.value + 4], abs(signed)
    slope, energy = 0.5 * k * d * d / w, k * d * d * d / (6.0 * w)
    if d > w:
        slope, energy = k * (d - 0.5 * w), k * (0.5 * (d - 0.5 * w) * (d - 0.5 * w) + w * w / 24.0)
    return slope if signed > 0.0 else -slope, energy


@helper
def stop_damping(load, x, rate, layout):
    """Effort of the damper of a stop: it sets in over the blend, and never pulls back what leaves the stop."""
    signed = stop_depth(load, x, layout)
    u = min(abs(signed) / layout.values[load.value + 4], 1.0)
    effort, slope = -layout.values[load.value + 3] * u * u * (3.0 - 2.0 * u) * rate, stop_law(load, x, layout)[0]
    return min(effort, slope) if signed > 0.0 else max(effort, slope)


@helper
def potential_law(load, x, layout):
    """Slope dU/dx and value U (J) of the potential of a conservative law on one scalar coordinate x."""
    if load.kind == JOINT_SPRING:
        k, stretch = layout.values[load.value], x - layout.values[load.value + 1]
        return k * stretch, 0.5 * k * stretch * stretch
    if load.kind == STOP:
        return stop_law(load, x, layout)
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
    if load.kind == STOP_DAMPER:
        effort = stop_damping(load, x, rate, layout)
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
def linear_part(load, x, layout):
    """Damping and stiffness of a law on a joint, of a stop at its coordinate x; implicit steps linearise it with these."""
    if load.kind == JOINT_DAMPER:
        return layout.values[load.value], 0.0
    if load.kind == JOINT_SPRING or load.kind == EULER_SPRING:  # on Euler angles: approximated by the logarithmic law
        return 0.0, layout.values[load.value]
    if load.kind == STOP or load.kind == STOP_DAMPER:
        u = min(abs(stop_depth(load, x, layout)) / layout.values[load.value + 4], 1.0)
        if load.kind == STOP:
            return 0.0, layout.values[load.value + 2] * u
        return layout.values[load.value + 3] * u * u * (3.0 - 2.0 * u), 0.0
    return 0.0, 0.0
