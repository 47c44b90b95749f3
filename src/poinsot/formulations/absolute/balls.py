"""Loads on balls: the spring -k log(R) as a potential of the trace of R, and non-conservative laws."""

from __future__ import annotations

from math import asin, sin, sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, column, matmul, matrix, transpose
from poinsot.algebra.quaternions import from_matrix, load4, normalised, rotation_matrix
from poinsot.algebra.vectors import add, cross, dot, load3, sub
from poinsot.elements.director_scalars import directors
from poinsot.elements.laws import ball_effort
from poinsot.formulations.absolute.work import TWIST

SERIES_BELOW = 1e-2  # of sin^2(angle / 2): series below


@kernel
def joint_frames(joint, layout, poses):
    """Axes of a joint's two frames in the world."""
    first = matmul(transpose(matrix(layout.frames[joint.first].axes)), matrix(joint.first_rotation))
    second = matmul(transpose(matrix(layout.frames[joint.second].axes)), matrix(joint.second_rotation))
    return matmul(directors(poses, joint.first), first), matmul(directors(poses, joint.second), second)


@helper
def ball_trace(load, joint, layout, poses):
    """Trace of the rotation from the rest position, 1 + 2 cos(angle), and the moment on the first body that is its gradient."""
    A, B = joint_frames(joint, layout, poses)
    A = matmul(A, rotation_matrix(load4(layout.values, load.value + 1)))
    e, f = column(A, 0), column(B, 0)
    total, moment = dot(e, f), cross(e, f)
    e, f = column(A, 1), column(B, 1)
    total, moment = total + dot(e, f), add(moment, cross(e, f))
    e, f = column(A, 2), column(B, 2)
    return total + dot(e, f), add(moment, cross(e, f))


@kernel
def squared_angle(trace):
    """Square of the angle of a rotation from its trace, smooth through zero (the trace at a stage may exceed 3)."""
    z = 0.25 * (3.0 - trace)
    if abs(z) < SERIES_BELOW:
        return (
            4.0
            * z
            * (
                1.0
                + z
                * (
                    1.0 / 3.0
                    + z
                    * (
                        8.0 / 45.0
                        + z * (4.0 / 35.0 + z * (128.0 / 1575.0 + z * (128.0 / 2079.0 + z * 1024.0 / 21021.0)))
                    )
                )
            )
        )
    half = asin(sqrt(min(z, 1.0))) if z > 0.0 else 0.0
    return 4.0 * half * half


@kernel
def ball_slope(k, trace):
    """Derivative of the potential by the trace, -k angle / (2 sin(angle))."""
    z = 0.25 * (3.0 - trace)
    if abs(z) < SERIES_BELOW:  # half the derivative of the series by -4 z
        return (
            -0.5
            * k
            * (
                1.0
                + z
                * (
                    2.0 / 3.0
                    + z
                    * (
                        24.0 / 45.0
                        + z * (16.0 / 35.0 + z * (640.0 / 1575.0 + z * (768.0 / 2079.0 + z * 7168.0 / 21021.0)))
                    )
                )
            )
        )
    angle = sqrt(squared_angle(trace))
    return -0.5 * k * angle / sin(angle)


@helper
def ball_law(load, joint, layout, poses, twists):
    """Of a non-conservative law: the moment in the second frame, the moment on the second body in the world, the power."""
    A, B = joint_frames(joint, layout, poses)
    spin = sub(load3(twists, TWIST * joint.second + 3), load3(twists, TWIST * joint.first + 3))
    q = normalised(from_matrix(matmul(transpose(A), B)))
    own, _ = ball_effort(load, q, apply_transposed(B, spin), layout)
    moment = apply(B, own)
    return own, moment, dot(moment, spin)
