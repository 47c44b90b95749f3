"""The loads, each in one place: parameters, wrenches, energy, power, a random example, and the element of the package.

A further load is a further subclass of Load, here or in a module beside that `oracle/__init__.py` imports; the random models draw from all of
them. Points are given as world points of the drawing; SI units.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from oracle.description import GROUND, OModel, Poses, Twists
from oracle.joints import FREEDOMS, effort_wrench, joint_motion
from oracle.kinematics import Relative, carried, point_velocity, relative
from oracle.rotations import euler_angles, quaternion_matrix, rotation_log, skew

LOADS: list[type["Load"]] = []  # in the order of their definition
SHORTEST_SPRING = 0.3  # metres, in the drawing and in the given state


class State(NamedTuple):
    """What a load may look at. Energies need no twists and no rates."""

    model: OModel
    poses: Poses
    twists: Twists
    coordinates: list
    rates: list

    def place(self, body, point):
        """Where a world point of the drawing, fixed in a body, is now."""
        return carried(self.model, self.poses, body, point)[0]

    def velocity(self, body, place):
        """World velocity of the point of a body that is now at a world place."""
        return point_velocity(self.model, self.poses, self.twists, body, place)

    def spin(self, body):
        """Angular velocity of a body in the world."""
        return np.zeros(3) if body == GROUND else self.twists.angular[body]

    def relative(self, joint) -> Relative:
        """Motion of a joint's second frame in its first."""
        return relative(self.model, self.model.joints[joint], self.poses, self.twists)


class Load:
    """Contract of a load, a dataclass of its parameters."""

    UNITS: ClassVar[dict[str, str]] = {}  # of its numbers, such as "N s/m", with which it is written in other units
    SMOOTH: ClassVar[bool] = True  # whether its law has all derivatives, without which methods lose their order

    def __init_subclass__(cls, abstract=False):
        """Enter a class into LOADS."""
        if not abstract:
            LOADS.append(cls)

    def wrenches(self, state: State):
        """Tuples (body, force, world place of the force, torque), world axes; the ground may be among the bodies."""
        raise NotImplementedError

    def potential(self, state: State) -> float:
        """Potential energy, for what has one."""
        return 0.0

    def power(self, now, virtual) -> float:
        """Power on virtual rates of what has no potential, at the rates `now`, from differences of places and not from wrenches.

        Both arguments give place(body, point, time since), velocity(body, point), stretching(first, first_point, second, second_point),
        angular(body), position(joint) and rate(joint).
        """
        return 0.0

    @classmethod
    def draw(cls, rng, model, poses):
        """A random load on the model, or None if it has no joint for it. poses: the given state."""
        raise NotImplementedError

    def element(self, po, bodies, joints):
        """The element of the package `po`; bodies and joints are those of the system, the ground the last body."""
        raise NotImplementedError


class JointLoad(Load, abstract=True):
    """A load on the rates of a joint: `joint` is an index."""

    joint: int
    KINDS: tuple = ()  # kinds of joints it may act on

    def on_second(self, state, joint, motions, rel):
        """Wrench (force, torque) on the second body in the first's axes, at the second frame's origin."""
        raise NotImplementedError

    def wrenches(self, state):
        """Equal and opposite on both bodies, at the second frame's origin."""
        joint, rel = state.model.joints[self.joint], state.relative(self.joint)
        motions = joint_motion(joint, state.coordinates[self.joint], state.rates[self.joint])[2]
        wrench = self.on_second(state, joint, motions, rel)
        force, torque = rel.turn @ wrench[:3], rel.turn @ wrench[3:]
        return [(joint.second, force, rel.place, torque), (joint.first, -force, rel.place, -torque)]

    @classmethod
    def draw(cls, rng, model, poses):
        """On a random joint of a kind that it may act on."""
        joints = [k for k, j in enumerate(model.joints) if j.kind in cls.KINDS]
        if not joints:
            return None
        joint = int(rng.choice(joints))
        return cls.draw_on(rng, joint, model.joints[joint].kind)


def random_place(rng, model, body):
    """A world point of the drawing near a body, or near the world origin for the ground."""
    return (np.zeros(3) if body == GROUND else model.bodies[body].position) + rng.uniform(-0.5, 0.5, 3)


def random_pair(rng, model, poses):
    """Two different bodies, perhaps the ground, and a point near each, apart in the drawing and in the given state."""
    while True:
        first, second = (int(k) for k in rng.choice(np.arange(-1, len(model.bodies)), 2, replace=False))
        a, b = random_place(rng, model, first), random_place(rng, model, second)
        now = carried(model, poses, second, b)[0] - carried(model, poses, first, a)[0]
        if min(np.linalg.norm(b - a), np.linalg.norm(now)) > SHORTEST_SPRING:
            return first, second, a, b


@dataclass
class OSpring(Load):
    """Spring-damper between two body-fixed points; N/m, N s/m, m."""

    first: int
    second: int
    first_point: np.ndarray
    second_point: np.ndarray
    stiffness: float
    damping: float
    length: float
    UNITS = {"first_point": "m", "second_point": "m", "stiffness": "N/m", "damping": "N s/m", "length": "m"}

    def _ends(self, state):
        return state.place(self.first, self.first_point), state.place(self.second, self.second_point)

    def wrenches(self, state):
        a, b = self._ends(state)
        along = (b - a) / np.linalg.norm(b - a)
        slip = state.velocity(self.second, b) - state.velocity(self.first, a)
        pull = self.stiffness * (np.linalg.norm(b - a) - self.length) + self.damping * (slip @ along)
        return [(self.first, pull * along, a, np.zeros(3)), (self.second, -pull * along, b, np.zeros(3))]

    def potential(self, state):
        a, b = self._ends(state)
        return 0.5 * self.stiffness * (np.linalg.norm(b - a) - self.length) ** 2

    def power(self, now, virtual):
        ends = self.first, self.first_point, self.second, self.second_point
        return -self.damping * now.stretching(*ends) * virtual.stretching(*ends)

    @classmethod
    def draw(cls, rng, model, poses):
        ends = random_pair(rng, model, poses)
        stiffness, damping = rng.uniform(1.0, 30.0), rng.choice([0.0, 1.0]) * rng.uniform(0.1, 2.0)
        return cls(*ends, stiffness, damping, rng.uniform(0.3, 1.5))

    def element(self, po, bodies, joints):
        numbers = {"stiffness": self.stiffness, "damping": self.damping, "length": self.length}
        return po.Spring(bodies[self.first], bodies[self.second], at=(self.first_point, self.second_point), **numbers)


@dataclass
class OBushing(Load):
    """Springs and dampers between two frames: of the second point in the axes of the first frame, and of the rotation vector between them.

    `axes` (3x3, columns) are those of both frames in the drawing; three stiffnesses and dampings of displacements, then three of rotations.
    """

    first: int
    second: int
    first_point: np.ndarray
    second_point: np.ndarray
    axes: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray

    def _frames(self, state):
        a, turn = carried(state.model, state.poses, self.first, self.first_point)
        b, turn2 = carried(state.model, state.poses, self.second, self.second_point)
        axes = turn @ self.axes
        return axes, b, axes.T @ (b - a), rotation_log(axes.T @ turn2 @ self.axes)

    def wrenches(self, state):
        axes, place, d, phi = self._frames(state)
        slip = axes.T @ (state.velocity(self.second, place) - state.velocity(self.first, place))
        spin = axes.T @ (state.spin(self.second) - state.spin(self.first))
        angle, hat = np.linalg.norm(phi), skew(phi)
        slope = np.eye(3) - hat / 2 + (1 / angle**2 - (1 + np.cos(angle)) / (2 * angle * np.sin(angle))) * hat @ hat  # of phi by the spin
        force = -axes @ (self.stiffness[:3] * d + self.damping[:3] * slip)
        torque = -axes @ (slope.T @ (self.stiffness[3:] * phi) + self.damping[3:] * spin)
        return [(self.second, force, place, torque), (self.first, -force, place, -torque)]

    def potential(self, state):
        _, _, d, phi = self._frames(state)
        return 0.5 * self.stiffness @ np.r_[d, phi] ** 2

    def power(self, now, virtual):
        return -self.damping @ (self._rates(now) * self._rates(virtual))

    def _rates(self, motion):
        """Rates of displacement and rotation of a motion, in the axes of the first frame."""
        ends = (self.first, self.first_point), (self.second, self.second_point)
        a, b = (motion.place(*end, 0.0) for end in ends)
        axes = np.array([motion.place(self.first, self.first_point + axis, 0.0) - a for axis in self.axes.T])
        spin, spin2 = (np.zeros(3) if body == GROUND else motion.angular(body) for body, _ in ends)
        slip = motion.velocity(*ends[1]) - motion.velocity(*ends[0]) - np.cross(spin, b - a)
        return np.r_[axes @ slip, axes @ (spin2 - spin)]

    @classmethod
    def draw(cls, rng, model, poses):
        axes = quaternion_matrix(rng.normal(size=4))
        damping = rng.choice([0.0, 1.0]) * rng.uniform(0.05, 1.0, 6)
        return cls(*random_pair(rng, model, poses), axes, rng.uniform(0.5, 10.0, 6), damping)

    def element(self, po, bodies, joints):
        numbers = {"stiffness": self.stiffness, "damping": self.damping, "rotation": self.axes}
        return po.Bushing(bodies[self.first], bodies[self.second], at=(self.first_point, self.second_point), **numbers)


@dataclass
class OTorsionSpring(JointLoad):
    """Revolute or screw: effort -stiffness (angle - rest). Spherical, which has no rest: torque -stiffness log(R), or with law "euler-angles"
    -stiffness (phi, theta, psi) in first's axes, R = Rz(psi) Ry(theta) Rx(phi), which has no potential."""

    joint: int
    stiffness: float
    rest: float = 0.0
    law: str = "rotation-vector"
    KINDS = ("revolute", "screw", "spherical")

    def on_second(self, state, joint, motions, rel):
        if joint.kind == "spherical":
            turn = (euler_angles if self.law == "euler-angles" else rotation_log)(rel.r)
            return np.r_[np.zeros(3), -self.stiffness * turn]
        return effort_wrench(joint, motions, -self.stiffness * (state.coordinates[self.joint] - self.rest))

    def potential(self, state):
        if self.law == "euler-angles":
            return 0.0
        q = state.coordinates[self.joint]
        spherical = state.model.joints[self.joint].kind == "spherical"
        stretch = rotation_log(quaternion_matrix(q)) if spherical else q - self.rest
        return 0.5 * self.stiffness * (stretch @ stretch)

    def power(self, now, virtual):
        if self.law != "euler-angles":
            return 0.0
        turn = Rotation.from_quat(now.position(self.joint), scalar_first=True)
        return -self.stiffness * turn.as_euler("ZYX")[::-1] @ turn.apply(virtual.rate(self.joint))

    @classmethod
    def draw_on(cls, rng, joint, kind):
        stiffness, rest = rng.uniform(1.0, 20.0), rng.choice([0.0, 1.0]) * rng.uniform(-1, 1)
        if kind != "spherical":
            return cls(joint, stiffness, rest)
        return cls(joint, stiffness, law="euler-angles" if rest else "rotation-vector")

    def element(self, po, bodies, joints):
        return po.TorsionSpring(joints[self.joint], stiffness=self.stiffness, rest=self.rest, law=self.law)


@dataclass
class OJointDamper(JointLoad):
    """Effort -damping rate on every rate of a joint."""

    joint: int
    damping: float
    KINDS = tuple(kind for kind in FREEDOMS if FREEDOMS[kind] > 0)

    def on_second(self, state, joint, motions, rel):
        return effort_wrench(joint, motions, -self.damping * state.rates[self.joint])

    def power(self, now, virtual):
        return -self.damping * (now.rate(self.joint) @ virtual.rate(self.joint))

    @classmethod
    def draw_on(cls, rng, joint, kind):
        return cls(joint, rng.uniform(0.05, 1.0))

    def element(self, po, bodies, joints):
        return po.JointDamper(joints[self.joint], self.damping)


@dataclass
class OMotor(JointLoad):
    """Constant effort on the coordinate of a joint with one freedom (screw: a torque, it works on the angle)."""

    joint: int
    effort: float
    KINDS = tuple(kind for kind in FREEDOMS if FREEDOMS[kind] == 1)

    def on_second(self, state, joint, motions, rel):
        return effort_wrench(joint, motions, np.array([self.effort]))

    def power(self, now, virtual):
        return self.effort * virtual.rate(self.joint)[0]

    @classmethod
    def draw_on(cls, rng, joint, kind):
        return cls(joint, rng.uniform(-5.0, 5.0))

    def element(self, po, bodies, joints):
        return po.Motor(joints[self.joint], self.effort)


@dataclass
class OForce(Load):
    """A force that is constant in the world, at a body-fixed point."""

    body: int
    force: np.ndarray
    point: np.ndarray

    def wrenches(self, state):
        return [(self.body, self.force, state.place(self.body, self.point), np.zeros(3))]

    def power(self, now, virtual):
        return self.force @ virtual.velocity(self.body, self.point)

    @classmethod
    def draw(cls, rng, model, poses):
        body = int(rng.integers(len(model.bodies)))
        return cls(body, rng.normal(scale=5.0, size=3), random_place(rng, model, body))

    def element(self, po, bodies, joints):
        return po.Force(bodies[self.body], self.force, at=self.point)


@dataclass
class OTorque(Load):
    """A torque that is constant in the world."""

    body: int
    torque: np.ndarray

    def wrenches(self, state):
        return [(self.body, np.zeros(3), state.place(self.body, np.zeros(3)), self.torque)]

    def power(self, now, virtual):
        return self.torque @ virtual.angular(self.body)

    @classmethod
    def draw(cls, rng, model, poses):
        return cls(int(rng.integers(len(model.bodies))), rng.normal(scale=2.0, size=3))

    def element(self, po, bodies, joints):
        return po.Torque(bodies[self.body], self.torque)
