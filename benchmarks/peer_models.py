"""Mechanisms for the comparison with other programs, each described once, and how motions of them are judged.

A body's frame lies in its centre of mass and is parallel to the world at the start; all mechanisms start at rest, as drawn. So every
program starts from positions alone, and a motion is the same array whoever computed it. Joints that close loops are marked. SI units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from models import INERTIA, LENGTH, MASS, Turns, swung
from scipy.spatial.transform import Rotation

from poinsot.studies import dumitriu2016_stewart as paper

Vector = np.ndarray
MOTION = 18  # numbers of a body: position 3, rotation matrix 9, velocity 3, angular velocity 3, all in world axes
X, R, V, W = slice(0, 3), slice(3, 12), slice(12, 15), slice(15, 18)
DOWN = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Body:
    """A rigid body: kg, kg m^2 about the centre of mass (3, 3) in world axes, centre of mass (m) at the start."""

    name: str
    mass: float
    inertia: Vector
    position: Vector


@dataclass(frozen=True)
class Joint:
    """A spherical, revolute, universal or prismatic joint at a point of the world (m), with its axes at the start.

    `first` and `second` are numbers of bodies, 0 is the ground. Joints that close loops are between moving bodies; without them, each body is
    `second` of one joint.
    """

    kind: str
    first: int
    second: int
    at: Vector
    axis: Vector | None = None
    axis2: Vector | None = None
    closes: bool = False


@dataclass(frozen=True)
class Spring:
    """A spring between a point of the first and one of the second body of a joint: N/m, rest length in m, points in the world at the start."""

    joint: int
    ends: tuple[Vector, Vector]
    stiffness: float
    length: float

    @property
    def drawn_length(self) -> float:
        """Its length at the start (m)."""
        return float(np.linalg.norm(self.ends[1] - self.ends[0]))


@dataclass(frozen=True)
class Mechanism:
    """Bodies, joints and loads; `flat` where all motion is parallel to a plane, so that loops of hinges need no more than coinciding points.

    `plane` is given to Poinsot for systems described in a plane. `torques`: (joint, N m), constant, on hinges. `step`: a coarse step, s.
    """

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    duration: float
    step: float
    springs: tuple[Spring, ...] = ()
    torques: tuple[tuple[int, float], ...] = ()
    gravity: tuple[float, float, float] = DOWN
    flat: bool = False
    plane: str | None = None

    @property
    def tree(self) -> list[tuple[int, Joint]]:
        """Numbers and joints that close no loop, depth first: some programs require that order."""
        found, waiting = [], [0]
        while waiting:
            body = waiting.pop()
            found += [(k, joint) for k, joint in enumerate(self.joints) if joint.second == body and not joint.closes]
            waiting += [joint.second for joint in reversed(self.joints) if joint.first == body and not joint.closes]
        return found

    @property
    def closing(self) -> list[Joint]:
        """Joints that close loops."""
        return [joint for joint in self.joints if joint.closes]

    def place(self, body: int) -> Vector:
        """Centre of mass of a body, or the origin of the ground, at the start (m)."""
        return self.bodies[body - 1].position if body else np.zeros(3)

    def local(self, body: int, point: Vector) -> Vector:
        """A point of the world at the start in the frame of a body (m)."""
        return np.asarray(point, float) - self.place(body)

    def closing_points(self) -> list[tuple[Joint, Vector]]:
        """Points that close the loops when they coincide: one of a ball and of a hinge in a plane, two of a hinge in space."""
        found = []
        for joint in self.closing:
            found.append((joint, joint.at))
            if joint.kind == "revolute" and not self.flat:
                found.append((joint, joint.at + self.reach * unit(joint.axis)))
        return found

    @property
    def reach(self) -> float:
        """Distance of the two points on the axis of a hinge (m)."""
        spread = np.ptp([body.position for body in self.bodies], axis=0)
        return 0.5 * float(np.linalg.norm(spread))


def unit(axis: Vector | None) -> Vector:
    """A vector of length 1."""
    assert axis is not None
    return np.asarray(axis, float) / np.linalg.norm(axis)


def rod(name: str, mass: float, start: Vector, end: Vector) -> Body:
    """A slender bar between two points, with a hundredth of its inertia about its own axis."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along, length = unit(end - start), float(np.linalg.norm(end - start))
    across = mass * length**2 / 12
    return Body(name, mass, across * (np.eye(3) - 0.99 * np.outer(along, along)), 0.5 * (start + end))


def chain(n: int, duration: float = 10.0, angle: float = 0.1) -> Mechanism:
    """Boxes on balls, straight, turned about the first ball as in saetran2018, let go."""
    turns: Turns = swung(n, angle)
    bodies, joints, top, turned = [], [], np.zeros(3), Rotation.identity()
    for k, (axis, angle) in enumerate(turns):
        turned = turned * Rotation.from_euler(axis, angle)
        frame = turned.as_matrix()
        down = frame @ (0.0, 0.0, -LENGTH)
        joints.append(Joint("spherical", k, k + 1, top))
        bodies.append(Body(f"link{k + 1}", MASS, frame @ np.diag(INERTIA) @ frame.T, top + down / 2))
        top = top + down
    return Mechanism(f"chain of {n}", tuple(bodies), tuple(joints), duration, 0.1)


def stewart() -> Mechanism:
    """The Stewart platform of dumitriu2016, case B: thirteen bodies, six loops, legs that are springs."""
    turned, place = paper.FIRST, np.array(paper.PLACE)
    bodies = [Body("platform", paper.PLATFORM, turned @ np.diag(paper.PLATFORM_INERTIA) @ turned.T, place)]
    legs: list[Joint] = []
    closing, springs = [], []
    for k, foot, head, tangent in zip(paper.LEGS, paper.feet(), place + paper.heads() @ turned.T, paper.tangents()):
        along = unit(head - foot)
        frame = paper.leg_axes(along, tangent)
        for name, mass, inertia, centre in (
            ("cylinder", paper.CYLINDER, paper.CYLINDER_INERTIA, foot + paper.ARM * along),
            ("piston", paper.PISTON, paper.PISTON_INERTIA, head - paper.ARM * along),
        ):
            bodies.append(Body(f"{name}{k}", mass, frame @ np.diag(inertia) @ frame.T, centre))
        n = len(bodies)
        legs.append(Joint("universal", 0, n - 1, foot, tangent, frame[:, 2]))
        length, force = float(np.linalg.norm(head - foot)), paper.FORCES["B"][k - 1]
        springs.append(Spring(len(legs), (foot, head), paper.STIFFNESS, length + force / paper.STIFFNESS))
        legs.append(Joint("prismatic", n - 1, n, foot, along))
        closing.append(Joint("spherical", n, 1, head, closes=k > 1))
    # the first leg carries the platform in the tree, the others close loops
    return Mechanism("Stewart platform", tuple(bodies), (*legs, *closing), 1.0, 0.05, tuple(springs))


def four_bar() -> Mechanism:
    """Hinges in space with parallel axes, let go at rest; three redundant constraints."""
    corners = np.array([(0, 0, 0), (0.5, 0, 0.866), (2.155, 0, 1.492), (2, 0, 0)])
    names = zip(("crank", "coupler", "rocker"), (1.0, 2.0, 1.5), corners, corners[1:])
    bodies = tuple(rod(*bar) for bar in names)
    y = np.array([0.0, 1.0, 0.0])
    pairs = ((0, 1), (1, 2), (2, 3), (0, 3))
    hinges = [Joint("revolute", *pair, at, y, closes=pair == (2, 3)) for pair, at in zip(pairs, corners)]
    return Mechanism("four-bar", bodies, tuple(hinges), 2.0, 0.1, flat=True)


def six_bar() -> Mechanism:
    """Bricard's loop of six hinges at right angles, five bars of 1 m along the edges of a cube: one freedom, one redundant constraint."""
    corners = np.array([(1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 0, 0)], float)
    axes = np.array([(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)], float)
    bodies = tuple(rod(f"bar{k + 1}", 1.0, corners[k], corners[k + 1]) for k in range(5))
    pairs = ((0, 1), (1, 2), (2, 3), (3, 4), (5, 4), (0, 5))
    hinges = [Joint("revolute", *pair, at, axis, closes=pair == (3, 4)) for pair, at, axis in zip(pairs, corners, axes)]
    return Mechanism("overconstrained six-bar", bodies, tuple(hinges), 2.0, 0.1)


MECHANISMS: dict[str, Callable[[], Mechanism]] = {"stewart": stewart, "four_bar": four_bar, "six_bar": six_bar}
MECHANISMS |= {"chain4": lambda: chain(4), "chain64": lambda: chain(64)}


def errors(motion: np.ndarray, exact: np.ndarray) -> tuple[float, float]:
    """Largest error of the configuration (m or rad) and of velocities (m/s or rad/s), over times and bodies: (times, bodies, 18) each."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = motion - exact
        turn = np.linalg.norm(off[..., R], axis=-1) / np.sqrt(2)
        configuration = max(np.linalg.norm(off[..., X], axis=-1).max(), turn.max())
        velocity = max(np.linalg.norm(off[..., V], axis=-1).max(), np.linalg.norm(off[..., W], axis=-1).max())
    return tuple(float(one) if np.isfinite(one) else float("inf") for one in (configuration, velocity))  # type: ignore[return-value]


def gap(mechanism: Mechanism, motion: np.ndarray) -> float:
    """Largest opening of a joint in a motion: distance of its points (m), or sine of the angle between its axes."""
    ground = np.zeros((len(motion), 1, MOTION))
    ground[..., R] = np.eye(3).ravel()
    every = np.concatenate([ground, motion], axis=1)
    frames = every[..., R].reshape(len(motion), -1, 3, 3)
    worst = 0.0
    for joint in mechanism.joints:
        sides = (joint.first, joint.second)
        first, second = (every[:, k, X] + frames[:, k] @ mechanism.local(k, joint.at) for k in sides)
        apart = second - first
        if joint.kind == "prismatic":
            along = frames[:, joint.first] @ unit(joint.axis)
            apart = apart - along * (apart * along).sum(axis=1, keepdims=True)
            worst = max(worst, float(np.abs(frames[:, joint.second] - frames[:, joint.first]).max()))
        elif joint.kind == "revolute":
            axes = [frames[:, k] @ unit(joint.axis) for k in sides]
            worst = max(worst, float(np.linalg.norm(axes[1] - axes[0], axis=1).max()))
        elif joint.kind == "universal":
            dots = (frames[:, joint.first] @ unit(joint.axis)) * (frames[:, joint.second] @ unit(joint.axis2))
            worst = max(worst, float(np.abs(dots.sum(axis=1)).max()))
        worst = max(worst, float(np.linalg.norm(apart, axis=1).max()))
    return worst
