"""A mechanism of `peer_models` in Pinocchio: joint coordinates, `aba` or `constraintDynamics`, integrated by DOP853 in Python.

Pinocchio computes accelerations and leaves integration to its users. The integrator here is as lean as Python permits; loops are closed by
points in which accelerations agree, with and without Baumgarte's stabilisation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dop853_python import integrate
from peer_method import OUTPUTS, Method, Prepared, tolerances
from peer_models import MOTION, Joint, Mechanism, R, V, W, X, unit

NAME = "Pinocchio, DOP853 in Python"
ACCURACY, DAMPINGS, ITERATIONS = 1e-14, (1e-3, 1e-8), 20  # of the proximal iterations, which redundant constraints need


def imported() -> Any:
    """The package, or None when it is not installed."""
    try:
        import pinocchio
    except ImportError:
        return None
    return pinocchio


class Model:
    """A mechanism in Pinocchio; joint frames lie in the joints and are parallel to the world at the start."""

    def __init__(self, pin: Any, m: Mechanism, damping: float = 0.0, stabilised: bool = False):
        self.pin, self.mechanism, self.damping, self.stabilised = pin, m, damping, stabilised
        self.model = pin.Model()
        self.model.gravity.linear = np.array(m.gravity)
        self.joint_of, self.origin = {0: 0}, {0: np.zeros(3)}  # of each body: its joint, and where that lies
        self.index: dict[int, int] = {}
        for k, joint in m.tree:
            parent, at = self.joint_of[joint.first], joint.at - self.origin[joint.first]
            for n, kind in enumerate(kinds(pin, joint)):
                place = pin.SE3(np.eye(3), at if n == 0 else np.zeros(3))
                parent = self.model.addJoint(parent, kind, place, f"joint{k}_{n}")
                self.index[k] = parent
            body = m.bodies[joint.second - 1]
            centre = body.position - joint.at
            self.model.appendBodyToJoint(parent, pin.Inertia(body.mass, centre, body.inertia), pin.SE3.Identity())
            self.joint_of[joint.second], self.origin[joint.second] = parent, joint.at
        self.data = self.model.createData()
        self.q, self.v = pin.neutral(self.model), np.zeros(self.model.nv)
        self.loads = self._loads()
        moving = list(self.model.joints)[1:]  # without that of the world
        balls, plain = [j for j in moving if j.nq == 4], [j for j in moving if j.nq == 1]
        self.balls, self.turns = np.array([j.idx_q for j in balls], int), np.array([j.idx_v for j in balls], int)
        self.plain = np.array([j.idx_q for j in plain], int), np.array([j.idx_v for j in plain], int)
        self.accelerate = self._acceleration()

    def _loads(self) -> list[tuple[int, Callable[[float], float]]]:
        """Number of a rate and the effort on it as a function of its coordinate (number of which is the first)."""
        found: list[Any] = []
        for spring in self.mechanism.springs:
            joint = self.mechanism.joints[spring.joint]
            j = self.model.joints[self.index[spring.joint]]
            found.append((j.idx_q, j.idx_v, across(joint, spring)))
        return found

    def _acceleration(self) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        pin, model, data, m = self.pin, self.model, self.data, self.mechanism
        effort, loads = np.zeros(model.nv), self.loads
        for k, torque in m.torques:
            effort[model.joints[self.index[k]].idx_v] += torque
        constant = effort.copy()
        if not m.closing:
            return lambda q, v: pin.aba(model, data, q, v, effort)
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for joint, point in m.closing_points():
            sides = [s for body in (joint.first, joint.second) for s in (self.joint_of[body], pin.SE3(np.eye(3), point - self.origin[body]))]
            models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *sides, pin.ReferenceFrame.LOCAL))
        for one in models:
            if self.stabilised:
                one.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(m.step**-2, 2 / m.step))
            datas.append(one.createData())
        pin.initConstraintDynamics(model, data, models, datas)
        settings = pin.ProximalSettings(ACCURACY, self.damping, ITERATIONS if self.damping else 1)

        def accelerate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
            for place, freedom, law in loads:
                effort[freedom] = constant[freedom] + law(q[place])
            return pin.constraintDynamics(model, data, q, v, effort, models, datas, settings)

        return accelerate

    def rate(self, y: np.ndarray) -> np.ndarray:
        """Of coordinates and rates."""
        nq = self.model.nq
        q, v, out = y[:nq], y[nq:], np.empty_like(y)
        out[nq:] = self.accelerate(q, v)
        if not len(self.balls):
            out[:nq] = v
            return out
        out[self.plain[0]] = v[self.plain[1]]
        b, t = self.balls, self.turns
        x, y_, z, w = q[b], q[b + 1], q[b + 2], q[b + 3]
        p, r, s = 0.5 * v[t], 0.5 * v[t + 1], 0.5 * v[t + 2]
        out[b], out[b + 1] = w * p + y_ * s - z * r, w * r + z * p - x * s
        out[b + 2], out[b + 3] = w * s + x * r - y_ * p, -x * p - y_ * r - z * s
        return out

    def normalise(self, y: np.ndarray) -> None:
        """Quaternions, after a step."""
        for k in self.balls:
            y[k : k + 4] /= np.sqrt(y[k : k + 4] @ y[k : k + 4])

    def motion(self, y: np.ndarray) -> np.ndarray:
        """(bodies, 18)."""
        pin, m = self.pin, self.mechanism
        pin.forwardKinematics(self.model, self.data, y[: self.model.nq], y[self.model.nq :])
        row = np.empty((len(m.bodies), MOTION))
        for k in range(1, len(m.bodies) + 1):
            joint = self.joint_of[k]
            place, twist = self.data.oMi[joint], self.data.v[joint]
            turn, centre = place.rotation, m.place(k) - self.origin[k]
            row[k - 1, X], row[k - 1, R] = place.act(centre), turn.ravel()
            row[k - 1, V] = turn @ (twist.linear + np.cross(twist.angular, centre))
            row[k - 1, W] = turn @ twist.angular
        return row


def kinds(pin: Any, joint: Joint) -> list[Any]:
    """Pinocchio's joints that make one."""
    if joint.kind == "spherical":
        return [pin.JointModelSpherical()]
    if joint.kind == "prismatic":
        return [pin.JointModelPrismaticUnaligned(unit(joint.axis))]
    axes = [joint.axis] if joint.kind == "revolute" else [joint.axis, joint.axis2]
    return [pin.JointModelRevoluteUnaligned(unit(axis)) for axis in axes]


def across(joint: Joint, spring: Any) -> Callable[[float], float]:
    """Effort of a spring on the coordinate of the joint that it spans: its length is a function of that alone."""
    k, rest = spring.stiffness, spring.length
    if joint.kind == "prismatic":
        first = spring.drawn_length
        return lambda q: -k * (first + q - rest)
    axis, arm, foot = unit(joint.axis), spring.ends[1] - joint.at, spring.ends[0] - joint.at
    arm, foot = arm - axis * (axis @ arm), foot - axis * (axis @ foot)  # in a plane across the axis
    both, level, cross = arm @ arm + foot @ foot, arm @ foot, np.cross(axis, arm) @ foot
    both, level, cross = float(both), float(level), float(cross)

    def effort(q: float) -> float:
        cosine, sine = np.cos(q), np.sin(q)
        length = (both - 2 * (level * cosine + cross * sine)) ** 0.5
        return -k * (1 - rest / length) * (level * sine - cross * cosine)

    return effort


def methods(m: Mechanism, per_decade: int = 2) -> list[Method]:
    """None if Pinocchio is not installed."""
    pin = imported()
    if pin is None:
        return []
    if not m.closing:
        return [method("aba", Model(pin, m), m.duration, per_decade)]
    dampings = DAMPINGS if any(joint.kind == "revolute" for joint in m.closing) else (0.0,)
    return [
        method(f"{'stabilised' if stabilised else 'plain'}, damping {damping:g}", Model(pin, m, damping, stabilised), m.duration, per_decade)
        for damping in dampings
        for stabilised in (False, True)
    ]


def method(name: str, built: Model, duration: float, per_decade: int) -> Method:
    """One of them, with all tolerances."""
    start = np.concatenate([built.q, built.v])
    times = duration * np.arange(1, OUTPUTS + 1) / OUTPUTS

    def make(tolerance: float) -> Prepared:
        def march() -> list[np.ndarray]:
            return integrate(built.rate, start, times, tolerance, built.normalise)

        return Prepared(lambda: np.array([built.motion(y) for y in march()]), march)

    return Method(NAME, name, make, tolerances(per_decade))
