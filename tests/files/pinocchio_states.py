"""States, efforts and accelerations in Pinocchio's order and frames, as those of a system."""

import numpy as np


def translated(dynamics, of_joint, q, v, effort, acceleration):
    """State, efforts and accelerations of `dynamics`; `of_joint(name)` gives where a joint's entries begin in q and in v, and its length in q.

    Pinocchio's free joint: q is position and quaternion (x, y, z, w), v the velocity and angular velocity in the axes of the body.
    """
    coordinates, rates, efforts, accelerations = [], [], [], []
    for joint in dynamics.frozen.joints:
        if not joint.motions():
            continue
        iq, iv, length = of_joint(joint.name)
        if joint.kind == "free":
            x, y, z, w = q[iq + 3 : iq + 7]
            u = np.array([x, y, z])
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            R = np.eye(3) + 2 * w * cross + 2 * cross @ cross
            assert abs(w * w + u @ u - 1) < 1e-12
            linear, spin = v[iv : iv + 3], v[iv + 3 : iv + 6]
            coordinates += [*q[iq : iq + 3], w, x, y, z]
            rates += [*(R @ linear), *spin]
            efforts += [*(R @ effort[iv : iv + 3]), *effort[iv + 3 : iv + 6]]
            accelerations += [*(R @ (acceleration[iv : iv + 3] + np.cross(spin, linear))), *acceleration[iv + 3 : iv + 6]]
        else:
            assert len(joint.motions()) == 1, joint
            coordinates.append(q[iq] if length == 1 else np.arctan2(q[iq + 1], q[iq]))
            rates.append(v[iv])
            efforts.append(effort[iv])
            accelerations.append(acceleration[iv])
    assert len(rates) == len(v)
    return dynamics.state(coordinates, rates), np.array(efforts), np.array(accelerations)
