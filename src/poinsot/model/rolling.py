"""Constraints on velocities: rolling without slipping, blades that do not slide sideways, axes about which nothing turns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.model.body import BODY, Body
from poinsot.model.constraints import Constraint, ConstraintRow
from poinsot.model.element import finite
from poinsot.model.guard import NUMBER, TEXT, TRUTH, door, is_number
from poinsot.model.joint import perpendicular
from poinsot.model.rotation import Vector
from poinsot.model.words import short_repr

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = ["AxisConstraint", "KnifeEdge", "Rolling"]

FLAT = 1e-6  # sine of the angle between axis and normal below which a disc lies on its side


@dataclass(frozen=True, eq=False)
class VelocityConstraint(Constraint):
    """A constraint between two bodies that is not, or not only, one on positions."""

    first: Body
    second: Body

    def bodies(self) -> tuple[Body, ...]:
        """The two bodies."""
        return (self.first, self.second)

    def violated(self, values: list[float], rates: bool) -> str:
        """How it is violated by a start whose rows have these values (m, rad), or these rates; empty when it is not."""
        return ""

    def _resolved(self, name: str) -> Any:
        return getattr(self, f"_{name}", None)

    def faults(self) -> list[str]:
        """Both on one body; directions that are none."""
        found = []
        if self.first is self.second:
            found.append(f"{self.label()}: both are body '{self.first.name}'; give two different bodies")
        for name in ("axis", "normal"):
            direction = self._resolved(name)
            if direction is not None and (not finite(direction) or not any(direction)):
                found.append(f"{self.label()}: {name} {short_repr(getattr(self, name))} is not a direction")
        if not finite(self._resolved("at") or 0.0):
            found.append(f"{self.label()}: at must be a point of finite numbers")
        return found


@door(first=BODY, second=BODY, radius=NUMBER, name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class Rolling(VelocityConstraint):
    """Rolls without slipping: a wheel, a disc or a sphere of the second body on a plane of the first, which may move.

    The centre is kept at its height, and the point of contact does not slip; its force is a result. The body cannot lift off: look at the
    sign of the force.

    Parameters
    ----------
    first : the body of the plane, or `system.ground`
    second : the body that rolls
    at : centre of the wheel or sphere in the drawing (m)
    radius : m
    axis : that of a wheel or disc (thin, with a sharp rim), in the drawing; default: a sphere
    normal : of the plane, towards the rolling body; default: against gravity, z where there is none
    through : a point of the plane; default: the point that is touched in the drawing
    name : of the element; results are `run[name].force` (N, on the rolling body) and `.contact` (m)
    active : False: it does not act until an event engages it
    """

    kind: ClassVar[str] = "rolling"
    parameter: ClassVar[str] = "radius"
    written: ClassVar = {"at": "place", "radius": "number", "axis": "direction", "normal": "direction", "through": "place"}
    at: Any
    radius: float
    axis: Any = None
    normal: Any = None
    through: Any = None
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve points and directions."""
        super().attach(system)
        where = self.label()
        centre = system.point(self.at, self.second, f"{where}: at")
        n = system.axis(self.normal, f"{where}: normal") if self.normal is not None else _upwards(system)
        axis = system.axis(self.axis, f"{where}: axis") if self.axis is not None and system.plane is None else None
        for name, value in (("at", centre), ("normal", n), ("axis", axis), ("planar", system.normal if system.plane is not None else None)):
            object.__setattr__(self, f"_{name}", value)
        through = system.point(self.through, self.first, f"{where}: through") if self.through is not None else self.lowest()
        object.__setattr__(self, "_through", through)

    def lowest(self) -> Vector:
        """The point nearest to the plane in the drawing, m."""
        centre, n, f = (np.array(self._resolved(name) or (0.0, 0.0, 0.0)) for name in ("at", "normal", "axis"))
        if not is_number(self.radius) or not finite((*centre, *n, *f, self.radius)):
            return _vector(centre)
        down = n - (n @ f) * f
        size = float(np.linalg.norm(down))
        return _vector(centre - float(self.radius) * down / size if size > FLAT else centre)

    def rows(self) -> tuple[ConstraintRow, ...]:
        """Its height, and two directions in the plane in which it does not slip; one in a planar system."""
        n, planar = self._resolved("normal"), self._resolved("planar")
        ends = ((self.first, self._resolved("through")), (self.second, self._resolved("at")))
        tangents = perpendicular(n) if planar is None else (_vector(np.cross(planar, n)),)
        own = {"ends": ends, "u": n, "v": self._resolved("axis")}
        height = "touch" if self._resolved("axis") is not None else "slide"  # that of a sphere is quadratic in poses, which steps keep exactly
        return (ConstraintRow(height, **own), *(ConstraintRow("slip", **own, w=t) for t in tangents))

    def violated(self, values: list[float], rates: bool) -> str:
        """Slip at its contact, or height over its plane."""
        height, slip = values[0], math.hypot(*values[1:])
        if not rates:
            where = "above" if height > 0 else "below"
            return f"is {abs(height):.4g} m {where} its plane: place it on the plane, or give its plane by through=" if height else ""
        if slip < abs(height):
            return f"leaves its plane at {abs(height):.4g} m/s: set a velocity along the plane"
        return f"slips by {slip:.4g} m/s at its contact: set its velocity or its angular velocity, and the other follows, or values that roll"

    def wheel(self) -> tuple[Body, Vector, Vector | None, float]:
        """What rolls, as it is drawn; a disc in a planar system."""
        axis = self._resolved("axis") if self._resolved("planar") is None else self._resolved("planar")
        return self.second, self._resolved("at"), axis, float(self.radius)

    def units(self) -> dict[str, str]:
        """The force on the rolling body, and where it touches."""
        return {"force": "N", "contact": "m"}

    def faults(self) -> list[str]:
        """A radius that is not positive, a disc on its side, a plane without a normal."""
        found = super().faults()
        if not is_number(self.radius) or not 0 < float(self.radius) <= LARGEST:
            found.append(f"{self.label()}: radius must be a positive number of metres, not {short_repr(self.radius)}")
        n, f = self._resolved("normal"), self._resolved("axis")
        if n is not None and f is not None and finite(f) and finite(n) and any(f) and math.dist(np.cross(n, f), (0, 0, 0)) < FLAT:
            found.append(f"{self.label()}: its axis is along the normal of the plane, so that it lies on its side; give another axis")
        if not finite(self._resolved("through") or 0.0):
            found.append(f"{self.label()}: through must be a point of finite numbers")
        return found


@door(first=BODY, second=BODY, name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class KnifeEdge(VelocityConstraint):
    """A blade or wheel that does not slide sideways: the velocity of its point `at` over the first body has no part along `axis`.

    Parameters
    ----------
    first : the body that it slides on, or `system.ground`
    second : the body of the blade
    at : its point in the drawing (m)
    axis : the direction across the blade, fixed in the second body, in the drawing
    name : of the element; its result is `run[name].force` (N, on the second body)
    active : False: it does not act until an event engages it
    """

    kind: ClassVar[str] = "knife edge"
    written: ClassVar = {"at": "place", "axis": "direction"}
    at: Any
    axis: Any
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve the point and the direction."""
        super().attach(system)
        object.__setattr__(self, "_at", system.point(self.at, self.second, f"{self.label()}: at"))
        object.__setattr__(self, "_axis", system.axis(self.axis, f"{self.label()}: axis"))

    def row(self) -> ConstraintRow:
        """No velocity across the blade."""
        place = self._resolved("at")
        return ConstraintRow("edge", ends=((self.first, place), (self.second, place)), v=self._resolved("axis"))

    def blade(self) -> tuple[Body, Vector, Vector]:
        """The blade, as it is drawn."""
        return self.second, self._resolved("at"), self._resolved("axis")

    def violated(self, values: list[float], rates: bool) -> str:
        """Velocity across the blade."""
        return f"slides sideways at {abs(values[0]):.4g} m/s: set a velocity along the blade at its point" if rates else ""


@door(first=BODY, second=BODY, name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class AxisConstraint(VelocityConstraint):
    """The second body does not turn relative to the first about an axis that is fixed in the first (hemami2002).

    Parameters
    ----------
    first, second : the bodies; the first may be `system.ground`
    axis : a direction, in the drawing
    name : of the element; its result is `run[name].torque` (N m, on the second body)
    active : False: it does not act until an event engages it
    """

    kind: ClassVar[str] = "axis constraint"
    written: ClassVar = {"axis": "direction"}
    axis: Any
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve the direction."""
        super().attach(system)
        object.__setattr__(self, "_axis", system.axis(self.axis, f"{self.label()}: axis"))

    def row(self) -> ConstraintRow:
        """No relative angular velocity about the axis."""
        place = self.second.position
        return ConstraintRow("still", ends=((self.first, place), (self.second, place)), u=self._resolved("axis"))

    def violated(self, values: list[float], rates: bool) -> str:
        """Angular velocity about the axis."""
        return f"turns at {abs(values[0]):.4g} rad/s about its axis: set angular velocities without a part along it" if rates else ""

    def units(self) -> dict[str, str]:
        """The torque on the second body."""
        return {"torque": "N m"}


def _upwards(system: System) -> Vector:
    """Against gravity; where there is none, along z, or along the second axis of a planar system."""
    g = np.array(system.gravity, float)
    size = float(np.linalg.norm(g))
    if size > 0.0 and np.isfinite(size):
        return _vector(-g / size)
    return system.axis("z" if system.plane is None else system.plane[1], "normal")


def _vector(numbers: np.ndarray) -> Vector:
    x, y, z = numbers.tolist()
    return x, y, z
