"""Further constraints between bodies, other than joints. They have rows but no motions, and carry no body."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from poinsot.algebra.bounds import LARGEST, within
from poinsot.model.body import BODY, Body
from poinsot.model.coordinate import Coordinate
from poinsot.model.element import Element, finite
from poinsot.model.guard import NUMBER, TEXT, TRUTH, door, is_number, maybe
from poinsot.model.joint import Helical, Joint
from poinsot.model.rotation import Vector
from poinsot.model.vectors import two_points
from poinsot.model.words import short_repr

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = ["Distance", "Gear"]


@dataclass(frozen=True)
class ConstraintRow:
    """A constraint as a row of the tables: its kind (ROWS of `tables/records.py`), and what it is kept between.

    Attributes
    ----------
    ends : two bodies, each with a point on it in the world of the drawing (m), or
    coordinates : two scalar joint coordinates
    members : of a row written by users: its bodies, or
    u, v, w : directions of the kinds that have some, in the world of the drawing: u and w fixed in the first body, v in the second
    c : number of the row; None: the parameter of its constraint
    """

    kind: str
    ends: tuple[tuple[Body, Vector], tuple[Body, Vector]] | None = None
    coordinates: tuple[Coordinate, Coordinate] | None = None
    u: Vector | None = None
    v: Vector | None = None
    w: Vector | None = None
    members: tuple[Body, ...] = ()
    c: float | None = None


@dataclass(frozen=True, eq=False)
class Constraint(Element):
    """Scalars, or rates, kept at zero; most keep one. `parameter` names the field that is the number c of its row and may change between runs.

    With `active=False` it does not act until an event engages it (`po.Engage`, `po.Impose`).
    """

    parameter: ClassVar[str] = ""
    active: bool = field(default=True, kw_only=True)

    def row(self) -> ConstraintRow:
        """Its row in the tables, of a constraint that has one."""
        raise NotImplementedError(f"{type(self).__name__} must say in row() or rows() what it keeps")

    def rows(self) -> tuple[ConstraintRow, ...]:
        """Its rows in the tables, all between the same two bodies and points."""
        return (self.row(),)

    def units(self) -> dict[str, str]:
        """Its results with their units."""
        return {"force": "N"}

    def wheel(self) -> tuple[Body, Vector, Vector | None, float] | None:
        """What rolls: its body, centre (m) and axis in the world of the drawing (None: a sphere), radius (m); None: nothing does."""
        return None

    def blade(self) -> tuple[Body, Vector, Vector] | None:
        """What does not slide sideways: its body, point (m) and the direction across it in the world of the drawing; None: nothing."""
        return None

    def changes(self) -> list[str]:
        """Its parameter."""
        return [self.parameter] if self.parameter else []

    def __post_init__(self) -> None:
        self.note_unadded()

    def parts(self) -> tuple[Any, ...]:
        """Its bodies and joints."""
        return (*self.bodies(), *self.joints())

    def bodies(self) -> tuple[Body, ...]:
        """Bodies it refers to."""
        return ()

    def joints(self) -> tuple[Joint, ...]:
        """Joints it refers to."""
        return ()


@door(first=BODY, second=BODY, length=maybe(NUMBER), name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class Distance(Constraint):
    """Keeps two body-fixed points at a distance: a massless rod with a ball joint at either end.

    Parameters
    ----------
    first, second : the bodies, or `system.ground`
    at : a pair: the point on the first and on the second body, in the world of the drawing (m), or points of the bodies
    length : m; default: the distance in the drawing. A different one is reached by assembly
    name : of the element; results are `run[name].force` (N, on the second body) and `.tension` (N, positive where it pulls)
    active : False: it does not act until an event engages it
    """

    kind: ClassVar[str] = "distance"
    drawn: ClassVar[str] = "bar"
    parameter: ClassVar[str] = "length"
    first: Body
    second: Body
    at: Any
    length: float | None = None
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve the two points."""
        super().attach(system)
        where = f"{self.label()}: at"
        ends = tuple(
            system.point(p, body, where) for p, body in zip(two_points(self.at, where), (self.first, self.second))
        )
        object.__setattr__(self, "ends", ends)
        if self.length is None:
            object.__setattr__(self, "length", math.dist(*ends))

    @property
    def points(self) -> tuple[Vector, Vector]:
        """Its two points in the world of the drawing (m)."""
        return self.ends  # type: ignore[attr-defined]

    def bodies(self) -> tuple[Body, ...]:
        """The two bodies."""
        return (self.first, self.second)

    def row(self) -> ConstraintRow:
        """The distance of its points."""
        return ConstraintRow("distance", ends=((self.first, self.points[0]), (self.second, self.points[1])))

    def units(self) -> dict[str, str]:
        """The force, and its part along the line."""
        return {"force": "N", "tension": "N"}

    def faults(self) -> list[str]:
        """Both points on one body, points that are not finite, a length that is not positive."""
        found = []
        if self.first is self.second:
            found.append(f"{self.label()}: both points are on body '{self.first.name}'; give two different bodies")
        if not finite(self.points):
            found.append(f"{self.label()}: at must be points of finite numbers")
        elif not is_number(self.length) or not 0 < float(self.length) <= LARGEST:
            found.append(
                f"{self.label()}: length must be a positive number of metres, not {short_repr(self.length)}; two points that "
                "coincide are a spherical joint"
            )
        return found


@door(ratio=NUMBER, name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class Gear(Constraint):
    """Couples two scalar joint coordinates: first - ratio * second = 0; both are zero in the drawing.

    Two angles are a pair of gear wheels (they turn the same way when the ratio is positive), a displacement and an angle
    are a rack and pinion.

    Parameters
    ----------
    first, second : coordinates, such as `joint.angle` or `joint.displacement`
    ratio : units of the first per unit of the second (rad/rad, m/rad, ...)
    name : of the element; its result is `run[name].effort` (N m or N, on the first coordinate)
    active : False: it does not act until an event engages it
    """

    kind: ClassVar[str] = "gear"
    written: ClassVar = {"first": "coordinate", "second": "coordinate"}
    parameter: ClassVar[str] = "ratio"
    first: Coordinate
    second: Coordinate
    ratio: float
    name: str = ""

    def joints(self) -> tuple[Joint, ...]:
        """The joints of its coordinates."""
        owners = (coordinate.owner for coordinate in (self.first, self.second) if isinstance(coordinate, Coordinate))
        return tuple(owner for owner in owners if isinstance(owner, Joint))

    def row(self) -> ConstraintRow:
        """The difference of its coordinates."""
        return ConstraintRow("gear", coordinates=(self.first, self.second))

    def units(self) -> dict[str, str]:
        """The effort on its first coordinate: N where that slides."""
        joint = self.first.owner
        motion = joint.motions()[joint.names.index(self.first.name)]
        return {"effort": "N" if isinstance(motion, Helical) and motion.rot == 0 else "N m"}

    def faults(self) -> list[str]:
        """Anything other than two different scalar joint coordinates; a ratio of zero."""
        found = []
        for which, coordinate in (("first", self.first), ("second", self.second)):
            if not _scalar(coordinate):
                found.append(
                    f"{self.label()}: the {which} must be a scalar joint coordinate, such as joint.angle or "
                    f"joint.displacement, not {short_repr(coordinate)}"
                )
        if not found and self.first == self.second:
            found.append(f"{self.label()}: couples {self.first!r} to itself; give two different coordinates")
        if not is_number(self.ratio) or not within(self.ratio) or float(self.ratio) == 0:
            found.append(f"{self.label()}: ratio must be a finite number other than zero, not {short_repr(self.ratio)}")
        return found


def _scalar(coordinate: Any) -> bool:
    """Whether this is a scalar coordinate of a joint."""
    if not isinstance(coordinate, Coordinate) or not isinstance(coordinate.owner, Joint):
        return False
    joint = coordinate.owner
    return coordinate.name in joint.names and isinstance(joint.motions()[joint.names.index(coordinate.name)], Helical)
