"""Joints as data. Motions are read by formulations in joint coordinates, constraint rows by those in absolute coordinates.

In the drawing the two frames of a joint coincide and are parallel to the world. Its coordinates give the second frame relative to the
first, in the axes of the first, and are zero (identity) in the drawing. One test for all joints moves them at random and
checks that the rows hold.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.coordinate import Coordinate, Rate
from poinsot.model.element import Element, finite
from poinsot.model.guard import TEXT, door
from poinsot.model.rotation import Vector
from poinsot.model.words import short_repr

if TYPE_CHECKING:
    from poinsot.model.body import Body


@dataclass(frozen=True)
class Helical:
    """Rotation by rot * coordinate about an axis and translation by lin * coordinate along it. The axis is fixed in both frames."""

    axis: Vector
    rot: float = 1.0
    lin: float = 0.0
    rates: ClassVar[int] = 1

    def __post_init__(self) -> None:
        length = math.hypot(*self.axis)
        if abs(length - 1.0) > 1e-12 and length > 0:
            x, y, z = self.axis
            object.__setattr__(self, "axis", (x / length, y / length, z / length))


@dataclass(frozen=True)
class Ball:
    """Any rotation: a unit quaternion; its rate is the angular velocity in the moved frame."""

    rates: ClassVar[int] = 3


@dataclass(frozen=True)
class Translation:
    """Any translation: three displacements along the axes of the fixed frame."""

    rates: ClassVar[int] = 3


Motion = Helical | Ball | Translation


@dataclass(frozen=True)
class Coincide:
    """(pb - pa) . e = 0, e fixed in the world."""

    e: Vector


@dataclass(frozen=True)
class Slide:
    """(pb - pa) . (Aa u) = 0."""

    u: Vector


@dataclass(frozen=True)
class Dot:
    """(Aa u) . (Ab v) = c."""

    u: Vector
    v: Vector
    c: float = 0.0


@dataclass(frozen=True)
class Linked:
    """displacement along u - lead * angle about u = 0 (screw): the only row that is not quadratic."""

    u: Vector
    lead: float


Row = Coincide | Slide | Dot | Linked

POINT: tuple[Row, ...] = (Coincide((1.0, 0.0, 0.0)), Coincide((0.0, 1.0, 0.0)), Coincide((0.0, 0.0, 1.0)))


def _parallel(a: Vector, b: Vector) -> bool:
    return abs(abs(sum(x * y for x, y in zip(a, b))) - 1.0) < 1e-9


def perpendicular(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors that form a right-handed frame with a unit axis: (first, second, axis)."""
    x, y, z = axis
    if abs(z) >= abs(x) and abs(z) >= abs(y):
        first = (z, 0.0, -x)
    elif abs(y) >= abs(x):
        first = (0.0, z, -y)
    else:
        first = (-y, x, 0.0)
    n = math.sqrt(first[0] ** 2 + first[1] ** 2 + first[2] ** 2)
    a = (first[0] / n, first[1] / n, first[2] / n)
    b = (y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0])
    return a, b


@dataclass(frozen=True, eq=False)
class Joint(Element, ABC):
    """A joint between two bodies. Build it with `system.revolute(...)` and similar methods.

    Attributes
    ----------
    first, second : the bodies
    first_at, second_at : the joint's point on each of them, in the world of the drawing (m); they differ only in a loop that is not closed yet
    """

    names: ClassVar[tuple[str, ...]] = ()  # one coordinate name per motion

    name: str
    first: Body
    second: Body
    first_at: Vector
    second_at: Vector

    @abstractmethod
    def motions(self) -> tuple[Motion, ...]:
        """Elementary motions from the first frame to the second, one per name in `names`: `Helical`, `Ball`, `Translation`."""

    @abstractmethod
    def rows(self) -> tuple[Row, ...]:
        """Constraint rows between the two frames: `Coincide`, `Slide`, `Dot`, `Linked`."""

    def axes(self) -> tuple[tuple[str, Vector], ...]:
        """The joint's axes, with the name of their argument."""
        return ()

    @property
    def rate_names(self) -> tuple[str, ...]:
        """The name of the rate of every coordinate, in the order of `names`.

        With one coordinate it is `rate`. With several, that of a position is its `velocity`, that of a rotation the `angular_velocity_body` (axes
        of the second frame), and that of a number has the name of its coordinate: `angle_rate`. `rate` are then all of them together.
        """
        if len(self.names) == 1:
            return ("rate",)
        words = {("position", Translation): "velocity", ("rotation", Ball): "angular_velocity_body"}
        return tuple(words.get((name, type(motion)), f"{name}_rate") for name, motion in zip(self.names, self.motions()))

    def present_word(self, word: str) -> str | None:
        """The name of a rate that was called otherwise before: `rate` for `angle_rate` of a revolute joint; None for other words."""
        former = {f"{name}_rate": rate for name, rate in zip(self.names, self.rate_names)}
        return former[word] if word in former and word not in self.rate_names else None

    @property
    def freedoms(self) -> int:
        """Number of rates."""
        return sum(motion.rates for motion in self.motions())

    def set(self, **values: Any) -> None:
        """Initial coordinates (rad, m; a ball: a rotation in any form) and rates (rad/s, m/s) by name; `rate=` takes all rates at once.

        Values that were set are held by assembly.
        """
        if self.system is None:
            raise ModelError(f"{self.label()}: belongs to no system; add it first")
        self.system.set_initial(self, values)

    @door(name=TEXT)
    def coordinate(self, name: str) -> Coordinate:
        """One of its scalar coordinates (rad or m) by name, such as `joint.coordinate("angle1")`, to drive, to lock, or for a law to see."""
        if name not in self.names or not isinstance(self.motions()[self.names.index(name)], Helical):
            scalars = [n for n, m in zip(self.names, self.motions()) if isinstance(m, Helical)]
            raise ModelError(
                f"{self.label()}: has no scalar coordinate {short_repr(name)}; it has {', '.join(scalars) or 'none'}"
            )
        return Coordinate(self, name)

    @property
    def angle(self) -> Coordinate:
        """The joint's angle (rad, right-handed about its axis), as a coordinate: to drive, to lock, or for a law to see."""
        return self.coordinate("angle")

    @property
    def displacement(self) -> Coordinate:
        """The joint's displacement (m, positive along its axis), as a coordinate: to drive, to lock, or for a law to see."""
        return self.coordinate("displacement")

    @property
    def rate(self) -> Rate:
        """The rate of its only scalar coordinate (rad/s or m/s), for feedback laws; joints with several name one: `joint.angle.rate`."""
        scalars = [n for n, m in zip(self.names, self.motions()) if isinstance(m, Helical)]
        if len(scalars) != 1:
            known = ", ".join(f"joint.coordinate('{name}').rate" for name in scalars) or "none"
            raise ModelError(f"{self.label()}: has {len(scalars)} scalar coordinates, not one rate; name it: {known}")
        return self.coordinate(scalars[0]).rate

    def faults(self) -> list[str]:
        """Zero axes, a body connected to itself, points that are not finite."""
        found = []
        if self.first is self.second:
            found.append(f"{self.label()}: connects body '{self.first.name}' to itself; give two different bodies")
        for argument, axis in self.axes():
            if not finite(axis) or math.hypot(*axis) == 0:
                found.append(f"{self.label()}: {argument} {axis} is not a direction; give a non-zero vector")
        if not (finite(self.first_at) and finite(self.second_at)):
            found.append(f"{self.label()}: at must be a point of finite numbers")
        return found or self._motion_faults()

    def _motion_faults(self) -> list[str]:
        """Motions that do not move anything, and a row between slide and turn without one turn that it could mean."""
        motions = self.motions()
        found = [
            f"{self.label()}: its motion {k + 1} neither turns nor slides; give rot or lin"
            for k, motion in enumerate(motions)
            if isinstance(motion, Helical) and motion.rot == 0 and motion.lin == 0
        ]
        if self.freedoms > 6:
            found.append(f"{self.label()}: its motions have {self.freedoms} rates; no joint has more than 6")
        turns = [m for m in motions if isinstance(m, Ball) or (isinstance(m, Helical) and m.rot != 0)]
        for row in self.rows():
            if isinstance(row, Linked) and not (
                len(turns) == 1 and isinstance(turns[0], Helical) and _parallel(turns[0].axis, row.u)
            ):
                found.append(f"{self.label()}: a row that links a slide to a turn needs exactly one turn, about the same axis")
        return found

    def gap(self) -> float:
        """Distance of its two points in the drawing (m)."""
        return float(np.linalg.norm(np.subtract(self.first_at, self.second_at)))
