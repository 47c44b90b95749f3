"""Locks: constraints that hold the coordinates of a joint, all of them or one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from poinsot.algebra.bounds import within
from poinsot.model.body import Body
from poinsot.model.constraints import Constraint, ConstraintRow
from poinsot.model.coordinate import Coordinate
from poinsot.model.guard import NUMBERS, TEXT, TRUTH, as_numbers, door, instance, maybe
from poinsot.model.joint import Ball, Helical, Joint, Motion, Translation, perpendicular
from poinsot.model.rotation import AXES, Vector, about, matrices, matrix
from poinsot.model.words import short_repr

__all__ = ["Lock"]

TARGET = instance((Joint, Coordinate), "a joint, or one of its coordinates, such as joint.angle")
NUMBERS_OF = {Helical: 1, Translation: 3, Ball: 4}  # coordinates of a motion


@door(target=TARGET, value=maybe(NUMBERS), name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class Lock(Constraint):
    """Holds a joint, or one of its coordinates.

    Given to an event (`po.Event`), or engaged by one, it holds what the coordinates are at that time, which it brings to a sudden stop.

    Parameters
    ----------
    target : a joint, or one of its coordinates, such as `joint.angle`
    value : what is held: rad, m, a quaternion for a ball; several numbers for several motions; default: the drawing's
    name : of the element; results are `run[name].force` (N) and `.torque` (N m)
    active : False: it does not act until an event engages it
    """

    kind: ClassVar[str] = "lock"
    written: ClassVar = {"target": "target", "value": "numbers"}
    target: Any
    value: Any = None
    name: str = ""

    @property
    def joint(self) -> Joint:
        """The joint that it holds."""
        return self.target.owner if isinstance(self.target, Coordinate) else self.target

    def held(self) -> list[int]:
        """Which motions of the joint it holds."""
        if isinstance(self.target, Coordinate):
            return [self.joint.names.index(self.target.name)]
        return list(range(len(self.joint.motions())))

    def joints(self) -> tuple[Joint, ...]:
        """The joint."""
        return (self.joint,) if isinstance(self.joint, Joint) else ()

    def bodies(self) -> tuple[Body, ...]:
        """The bodies of the joint."""
        return (self.joint.first, self.joint.second)

    def values(self) -> list[float]:
        """The coordinates that it holds; those of the drawing where none are given."""
        given = as_numbers(self.value)
        if given is not None:
            return np.atleast_1d(given).tolist()
        drawn = {Helical: [0.0], Translation: [0.0, 0.0, 0.0], Ball: [1.0, 0.0, 0.0, 0.0]}
        return [number for k in self.held() for number in drawn[type(self.joint.motions()[k])]]

    def rows(self) -> tuple[ConstraintRow, ...]:
        """Directions that stay perpendicular, and displacements that stay."""
        return self.rows_at(self.values())

    def rows_at(self, values: Sequence[float]) -> tuple[ConstraintRow, ...]:
        """Its rows when it holds these coordinates."""
        joint, motions, at = self.joint, self.joint.motions(), 0
        ends = ((joint.first, joint.first_at), (joint.second, joint.second_at))
        axes = [m.axis for m in motions if isinstance(m, Helical) and m.rot != 0.0]
        found = []
        for k in self.held():
            motion = motions[k]
            count = NUMBERS_OF[type(motion)]
            own, at = values[at : at + count], at + count
            if isinstance(motion, Translation):
                found += [ConstraintRow("slide", ends, u=AXES[axis], c=value) for axis, value in zip("xyz", own)]
            elif isinstance(motion, Ball):
                inward = matrices(np.array([own]) / np.linalg.norm(own))[0].T
                pairs = (("x", "y"), ("y", "z"), ("z", "x"))
                found += [ConstraintRow("dot", ends, u=AXES[a], v=_vector(inward @ AXES[b]), c=0.0) for a, b in pairs]
            elif motion.rot == 0.0:
                found.append(ConstraintRow("slide", ends, u=motion.axis, c=motion.lin * own[0]))
            else:
                u, v = _turn(axes, motion, motion.rot * own[0])
                found.append(ConstraintRow("dot", ends, u=u, v=v, c=0.0))
        return tuple(found)

    def units(self) -> dict[str, str]:
        """A force where it holds slides, a torque where it holds turns."""
        motions = [self.joint.motions()[k] for k in self.held()]
        slides = [isinstance(m, Translation) or (isinstance(m, Helical) and m.rot == 0.0) for m in motions]
        return ({"force": "N"} if any(slides) else {}) | ({"torque": "N m"} if not all(slides) else {})

    def faults(self) -> list[str]:
        """Coordinates that are none of a joint's, or cannot be held by themselves; values that do not fit."""
        if not isinstance(self.joint, Joint) or (isinstance(self.target, Coordinate) and self.target.name not in self.joint.names):
            return [f"{self.label()}: holds a joint, or a coordinate of one, such as joint.angle, not {short_repr(self.target)}"]
        motions = self.joint.motions()
        if not motions:
            return [f"{self.label()}: {self.joint.label()} has no motion to hold; lock a joint that moves"]
        if not _simple(motions):
            return [f"{self.label()}: {self.joint.label()} is made of motions in series, whose coordinates cannot be locked; split it into joints"]
        wanted, values = sum(NUMBERS_OF[type(motions[k])] for k in self.held()), self.values()
        if len(values) != wanted or np.ndim(self.value) > 1 or not all(map(within, values)):
            return [f"{self.label()}: value must be {wanted} finite number{'s' * (wanted > 1)}, not {short_repr(self.value)}"]
        return []


def _turn(axes: Sequence[Vector], motion: Helical, angle: float) -> tuple[Vector, Vector]:
    """Two directions that are perpendicular at this angle: u in the first frame, v in the second."""
    if len(axes) == 1:
        m1, m2 = perpendicular(motion.axis)
        return m1, _turned(motion.axis, -angle, m2)
    across = np.cross(axes[0], axes[1])
    if motion.axis == axes[0]:
        return _turned(axes[0], angle, across), axes[1]
    return axes[0], _turned(axes[1], -angle, across)


def _simple(motions: Sequence[Motion]) -> bool:
    """Whether motions are slides along the axes of the first frame, then at most one ball, or one or two turns."""
    sliding = [isinstance(m, Translation) or (isinstance(m, Helical) and m.rot == 0.0) for m in motions]
    slides, turns = motions[: sum(sliding)], motions[sum(sliding) :]
    axes = np.array([m.axis for m in slides if isinstance(m, Helical)]).reshape(-1, 3)
    square = np.abs(axes @ axes.T - np.eye(len(axes))).max(initial=0.0) < 1e-12
    alone = len(slides) <= 1 or not any(isinstance(m, Translation) for m in slides)
    balls = sum(isinstance(m, Ball) for m in turns)
    return all(sliding[: len(slides)]) and bool(square) and alone and (len(turns) <= 1 or (balls == 0 and len(turns) == 2))


def _turned(axis: Vector, angle: float, direction: Any) -> Vector:
    return _vector(matrix(about(axis, angle)) @ np.asarray(direction))


def _vector(numbers: np.ndarray) -> Vector:
    x, y, z = numbers.tolist()
    return x, y, z
