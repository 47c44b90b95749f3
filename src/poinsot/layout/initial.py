"""Initial joint coordinates and rates of a system: values that were set, and zero for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.layout.topology import Topology
from poinsot.model.body import Body
from poinsot.model.initial import joint_values
from poinsot.model.joint import Joint
from poinsot.model.rotation import from_matrix, matrix
from poinsot.model.system import System


def free_carrier(topology: Topology, body: Body) -> Joint | None:
    """The free joint between a body and the ground, if it is carried by one."""
    joint = topology.joints[topology.joint[topology.index[body]]]
    free = joint.kind == "free" or joint.name == f"free:{body.name}"
    return joint if free and joint.first.name == "ground" and joint.second is body else None


def initial_values(system: System, topology: Topology, drawn: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates of all joints, in order; with `drawn` those of the drawing, ignoring values that were set."""
    coordinates: list[float] = []
    rates: list[float] = []
    initial = {} if drawn else system.initial
    for joint in topology.joints:
        q, v = values_of(topology, joint, initial.get(joint), initial.get(joint.second))
        coordinates += q
        rates += v
    return np.array(coordinates), np.array(rates)


def values_of(
    topology: Topology, joint: Joint, given: Mapping[str, Any] | None, motion: Mapping[str, Any] | None
) -> tuple[list[float], list[float]]:
    """Coordinates and rates of a joint from its own initial values and those of its second body, which count where it carries that body freely."""
    own = dict(given or {})
    if motion and free_carrier(topology, joint.second) is joint:
        own |= _from_body(joint, motion)
    return joint_values(joint, own)


def _from_body(joint: Joint, motion: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Initial values of the free joint of a body from position, rotation and velocities of the body itself."""
    body = joint.second
    drawn = matrix(body.rotation)
    R = matrix(motion["rotation"]) if "rotation" in motion else drawn
    place = np.array(motion.get("position", body.position))
    arm = drawn.T @ (np.array(joint.second_at) - body.position)
    turn = R @ drawn.T
    spin = R @ np.array(motion.get("angular_velocity_body", (0.0, 0.0, 0.0))) + np.array(
        motion.get("angular_velocity", (0.0, 0.0, 0.0))
    )
    velocity = np.array(motion.get("velocity", (0.0, 0.0, 0.0))) + np.cross(spin, R @ arm)
    shift = place + R @ arm - np.array(joint.first_at)
    if joint.kind == "free":
        return {
            "position": tuple(shift.tolist()),
            "rotation": from_matrix(turn),
            "velocity": tuple(velocity.tolist()),
            "angular_velocity_body": tuple((turn.T @ spin).tolist()),
        }
    x, y, axis = (np.array(m.axis) for m in joint.motions())  # type: ignore[union-attr]
    angle = float(np.arctan2(np.dot(y, turn @ x), np.dot(x, turn @ x)))
    values = {
        "x": shift @ x,
        "y": shift @ y,
        "angle": angle,
        "x_rate": velocity @ x,
        "y_rate": velocity @ y,
        "angle_rate": spin @ axis,
    }
    return {name: (float(value),) for name, value in values.items()}
