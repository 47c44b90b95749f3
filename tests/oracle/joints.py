"""What a joint lets its second frame do, seen from its first.

    kind         positions                             rates
    fixed        -                                     -
    revolute     angle                                 its derivative
    prismatic    displacement                          its derivative
    cylindrical  displacement, angle                   their derivatives
    screw        angle (displacement pitch angle/2pi)  its derivative
    universal    a1, a2: R = R(axis, a1) R(axis2, a2)  their derivatives
    spherical    quaternion wxyz                       angular velocity of the second in the first, second's axes
    planar       x, y (along axis2, axis x axis2),     their derivatives
                 angle about axis
    free         position, quaternion wxyz             derivative of position (first's axes), angular velocity as above
"""

import numpy as np

from oracle.rotations import axis_rotation, matrix_quaternion, quaternion_matrix

FREEDOMS = {
    "fixed": 0, "revolute": 1, "prismatic": 1, "cylindrical": 2, "screw": 1, "universal": 2, "spherical": 3, "planar": 3, "free": 6,
}  # fmt: skip
QUATERNIONS = {"spherical": 0, "free": 3}  # of joints that have one: where it begins in the coordinates, and its rates in the rates
KINDS = tuple(FREEDOMS)


def joint_motion(joint, q, u):
    """Place p and rotation R of the second frame in the first, motions S with twist = S u, and dS/dt u.

    Twists are (derivative of p, relative angular velocity), both in the first frame's axes.
    """
    p, r = np.zeros(3), np.eye(3)
    s, bias = np.zeros((6, FREEDOMS[joint.kind])), np.zeros(6)
    a, b = joint.axis, joint.axis2
    match joint.kind:
        case "revolute":
            r = axis_rotation(a, q[0])
            s[3:, 0] = a
        case "prismatic":
            p = a * q[0]
            s[:3, 0] = a
        case "cylindrical":
            p, r = a * q[0], axis_rotation(a, q[1])
            s[:3, 0] = s[3:, 1] = a
        case "screw":
            lead = joint.pitch / (2.0 * np.pi)
            p, r = a * lead * q[0], axis_rotation(a, q[0])
            s[:, 0] = np.r_[lead * a, a]
        case "universal":
            r1 = axis_rotation(a, q[0])
            r = r1 @ axis_rotation(b, q[1])
            s[3:, 0], s[3:, 1] = a, r1 @ b
            bias[3:] = np.cross(a, r1 @ b) * (u[0] * u[1])
        case "spherical":
            r = quaternion_matrix(q)
            s[3:] = r  # dR/dt u = R (u x u) = 0
        case "planar":
            c = np.cross(a, b)
            p, r = q[0] * b + q[1] * c, axis_rotation(a, q[2])
            s[:3, 0], s[:3, 1], s[3:, 2] = b, c, a
        case "free":
            p, r = np.array(q[:3], dtype=float), quaternion_matrix(q[3:])
            s[:3, :3], s[3:, 3:] = np.eye(3), r
        case "fixed":
            pass
        case _:
            raise ValueError(f"joint {joint.name}: no kind {joint.kind!r}")
    return p, r, s, bias


def joint_position(joint, p, r):
    """Coordinates of a joint from the place and rotation of its second frame in the first; angles within +-pi."""
    a, b, quaternion = joint.axis, joint.axis2, matrix_quaternion(r)
    if joint.kind in ("fixed", "spherical", "free"):
        return {"fixed": np.zeros(0), "spherical": quaternion, "free": np.r_[p, quaternion]}[joint.kind]
    if joint.kind == "universal":  # r b is b turned by a1 about a; a is r^T a turned by a2 about b
        turns = ((a, b, r @ b), (b, r.T @ a, a))
        return np.array([np.arctan2(n @ np.cross(x, y), x @ y - (n @ x) * (n @ y)) for n, x, y in turns])
    angle = 2.0 * np.arctan2(a @ quaternion[1:], quaternion[0])
    if joint.kind == "planar":
        return np.array([b @ p, np.cross(a, b) @ p, angle])
    coordinates = {"prismatic": [a @ p], "cylindrical": [a @ p, angle], "revolute": [angle], "screw": [angle]}
    return np.array(coordinates[joint.kind])


def effort_wrench(joint, s, effort):
    """Wrench (force, torque; first's axes, at the second frame's origin) on the second body of a joint's efforts.

    It lies in the span of the motions, except that a screw gets a pure torque: its coordinate is the angle.
    """
    if joint.kind == "screw":
        return np.r_[np.zeros(3), joint.axis * effort[0]]
    return s @ np.linalg.solve(s.T @ s, effort)
