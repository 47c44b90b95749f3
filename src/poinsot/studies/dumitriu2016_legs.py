"""Leg forces of a driven Stewart platform by formulas, without equations of motion: virtual power of the platform and the twelve parts of its legs.

Every leg is a function of the platform's pose, as the universal joint lets its frame turn with it only: accelerations of
all bodies follow by differentiation, and for each of six virtual motions the power of the leg forces is that of inertia and weight.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from poinsot.studies import dumitriu2016_stewart as m

UP = np.array([0.0, 0.0, 1.0])


def leg_forces(t: float) -> np.ndarray:
    """Forces of the six legs (N), positive when they push."""
    place, (angle, rate, acceleration) = m.pose(t)
    R = Rotation.from_rotvec((0, 0, angle)) * Rotation.from_rotvec(m.TURN)
    spin, change = rate * UP, acceleration * UP
    arms = R.apply(m.heads())
    velocities = place[1] + np.cross(spin, arms)
    accelerations = place[2] + np.cross(change, arms) + np.cross(spin, np.cross(spin, arms))
    needed, stretch = np.zeros(6), np.zeros((6, 6))  # power of inertia and weight, rate of every leg: by virtual motion
    J = R.as_matrix() @ np.diag(m.PLATFORM_INERTIA) @ R.as_matrix().T
    needed[:3] = m.PLATFORM * (place[2] + m.GRAVITY * UP)
    needed[3:] = J @ change + np.cross(spin, J @ spin)
    for k in range(6):
        way = place[0] + arms[k] - m.feet()[k]
        moving = leg(k, way, velocities[k], accelerations[k])
        for j, twist in enumerate(np.eye(6)):
            virtual = leg(k, way, twist[:3] + np.cross(twist[3:], arms[k]), np.zeros(3))
            stretch[j, k] = virtual[0][1]
            for body in (1, 2):
                _, a, w, alpha, frame, mass, inertia = moving[body]
                v, turning = virtual[body][0], virtual[body][2]
                tensor = frame @ np.diag(inertia) @ frame.T
                needed[j] += mass * v @ (a + m.GRAVITY * UP) + turning @ (tensor @ alpha + np.cross(w, tensor @ w))
    return np.linalg.solve(stretch, needed)


def leg(k: int, way: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> tuple:
    """A leg of which the upper joint moves: its length with two derivatives, and for cylinder and piston velocity and
    acceleration of the centre of mass, angular velocity and acceleration, frame, mass and inertia."""
    along, length = unit(way, velocity, acceleration)
    across, _ = unit(*np.cross(m.tangents()[k], along))
    third = np.stack(
        [
            np.cross(across[0], along[0]),
            np.cross(across[1], along[0]) + np.cross(across[0], along[1]),
            np.cross(across[2], along[0]) + 2 * np.cross(across[1], along[1]) + np.cross(across[0], along[2]),
        ]
    )
    axes = (along, third, across)
    spin = 0.5 * sum(np.cross(a[0], a[1]) for a in axes)
    change = 0.5 * sum(np.cross(a[0], a[2]) for a in axes)
    frame = np.stack([a[0] for a in axes], axis=-1)
    low = m.ARM * along[1], m.ARM * along[2]
    high = velocity - low[0], acceleration - low[1]
    return (
        length,
        (*low, spin, change, frame, m.CYLINDER, m.CYLINDER_INERTIA),
        (*high, spin, change, frame, m.PISTON, m.PISTON_INERTIA),
    )


def unit(w: np.ndarray, rate: np.ndarray, acceleration: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Direction of a vector with two derivatives (3, 3), and its length with two derivatives (3,)."""
    length = np.linalg.norm(w)
    u = w / length
    growth = u @ rate
    u1 = (rate - growth * u) / length
    growth2 = u1 @ rate + u @ acceleration
    u2 = (acceleration - growth2 * u - 2 * growth * u1) / length
    return np.stack([u, u1, u2]), np.array([length, growth, growth2])
