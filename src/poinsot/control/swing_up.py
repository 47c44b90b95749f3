"""Energy shaping: swing a pendulum up by pumping its energy to that of the upright position."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poinsot.control.gains import positive_number
from poinsot.errors import ModelError
from poinsot.model.feedback import Feedback
from poinsot.model.forces import Motor
from poinsot.model.guard import TEXT, door, instance
from poinsot.model.joint import Helical, Joint
from poinsot.model.rotation import matrix


def swing_up_law(t, x, p, u):
    """u = -k (E - E_up) q', with E = I q'^2 / 2 - a cos q - b sin q."""
    energy = 0.5 * p.inertia * x[1] * x[1] - p.a * math.cos(x[0]) - p.b * math.sin(x[0])
    u[0] = -p.k * (energy - p.up) * x[1]


def swing_up_lyapunov(t: float, x: Any, p: Any) -> float:
    """V = (E - E_up)^2 / 2, J^2."""
    energy = 0.5 * p.inertia * x[1] ** 2 - p.a * math.cos(x[0]) - p.b * math.sin(x[0])
    return 0.5 * float(energy - p.up) ** 2


def swing_up_lyapunov_rate(t: float, x: Any, p: Any) -> float:
    """V' = -k (E - E_up)^2 q'^2, where the effort is not limited."""
    return -2.0 * p.k * swing_up_lyapunov(t, x, p) * float(x[1]) ** 2


@door(joint=instance(Joint, "a revolute joint"), name=TEXT)
def swing_up(joint: Joint, k: float, *, limits: Any = None, name: str = "") -> Feedback:
    """Energy shaping for a pendulum, one body on a revolute joint to the ground: u = -k (E - E_up) q'.

    V = (E - E_up)^2 / 2 falls until the pendulum swings up to its upright position, also with limits. At rest in the lowest position nothing
    moves: give it a small rate.

    Parameters
    ----------
    joint : a revolute joint whose first body is the ground; its second body carries no other
    k : gain, s: N m per J and rad/s
    limits : of the torque, N m: a number (-limit to limit) or a pair
    name : of the feedback
    """
    system, body, motions = joint.system, joint.second, joint.motions()
    label = f"swing_up of {joint.label()}"
    if system is None or joint.first is not system.ground or len(motions) != 1 or not isinstance(motions[0], Helical) or motions[0].rot == 0:
        raise ModelError(f"{label}: works on one body on a revolute joint whose first body is the ground")
    if any(body in (other.first, other.second) for other in system.joints if other is not joint):
        raise ModelError(f"{label}: body '{body.name}' carries others; swing_up works on a single pendulum")
    axis, turn = np.array(motions[0].axis), matrix(body.rotation)
    arm = body.world(body.com) - np.array(joint.first_at)
    arm -= (arm @ axis) * axis
    pull = body.mass * np.array(system.gravity)
    inertia = axis @ (turn @ body.inertia_matrix() @ turn.T) @ axis + body.mass * arm @ arm
    a, b = float(pull @ arm), float(pull @ np.cross(axis, arm))
    params = {"k": positive_number(k, f"{label}: k"), "inertia": float(inertia), "a": a, "b": b, "up": math.hypot(a, b)}
    motor = system.add(Motor(joint, name=f"{name or 'swing_up'} motor"))
    outputs = [joint.coordinate(joint.names[0]), joint.rate]
    judged: dict[str, Any] = {"lyapunov": swing_up_lyapunov, "lyapunov_rate": swing_up_lyapunov_rate}
    return system.add(Feedback(swing_up_law, [motor], outputs, params, limits=limits, **judged, name=name or "swing_up"))
