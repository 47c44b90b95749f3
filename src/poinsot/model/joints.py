"""The joints, and the methods of a System that build them.

Each is data: its motions, its rows, the names of its coordinates. Axes are unit vectors, world axes of the drawing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from poinsot.model.body import Body
from poinsot.model.given import record_arguments
from poinsot.model.guard import NUMBER, door
from poinsot.model.joint import (
    POINT,
    Ball,
    Dot,
    Helical,
    Joint,
    Linked,
    Motion,
    Row,
    Slide,
    Translation,
    perpendicular,
)
from poinsot.model.joint_building import ENDS, PLACE, JointBuilding
from poinsot.model.joint_words import explained
from poinsot.model.rotation import AXES, Vector


@dataclass(frozen=True, eq=False)
class Fixed(Joint):
    """No motion. 6 constraints, 0 degrees of freedom."""

    kind: ClassVar[str] = "fixed"

    def motions(self) -> tuple[Motion, ...]:
        """None."""
        return ()

    def rows(self) -> tuple[Row, ...]:
        """The points coincide and three pairs of axes stay perpendicular."""
        x, y, z = AXES["x"], AXES["y"], AXES["z"]
        return (*POINT, Dot(x, y), Dot(y, z), Dot(z, x))


@dataclass(frozen=True, eq=False)
class Axial(Joint):
    """A joint with one axis, fixed in both bodies."""

    axis: Vector

    def axes(self) -> tuple[tuple[str, Vector], ...]:
        """The axis."""
        return (("axis", self.axis),)

    def parallel(self) -> tuple[Row, ...]:
        """The axis stays parallel in both frames."""
        m1, m2 = perpendicular(self.axis)
        return (Dot(m1, self.axis), Dot(m2, self.axis))

    def collinear(self) -> tuple[Row, ...]:
        """The second point stays on the axis of the first, and the axes parallel."""
        m1, m2 = perpendicular(self.axis)
        return (Slide(m1), Slide(m2), *self.parallel())


@dataclass(frozen=True, eq=False)
class Revolute(Axial):
    """Rotation about an axis. 5 constraints, 1 degree of freedom: angle (rad)."""

    kind: ClassVar[str] = "revolute"
    names: ClassVar = ("angle",)

    def motions(self) -> tuple[Motion, ...]:
        """A rotation."""
        return (Helical(self.axis),)

    def rows(self) -> tuple[Row, ...]:
        """The points coincide, the axes are parallel."""
        return (*POINT, *self.parallel())


@dataclass(frozen=True, eq=False)
class Prismatic(Axial):
    """Translation along an axis. 5 constraints, 1 degree of freedom: displacement (m)."""

    kind: ClassVar[str] = "prismatic"
    names: ClassVar = ("displacement",)

    def motions(self) -> tuple[Motion, ...]:
        """A translation."""
        return (Helical(self.axis, rot=0.0, lin=1.0),)

    def rows(self) -> tuple[Row, ...]:
        """The second point stays on the axis, the axes parallel, and there is no rotation about them."""
        m1, m2 = perpendicular(self.axis)
        return (*self.collinear(), Dot(m1, m2))


@dataclass(frozen=True, eq=False)
class Cylindrical(Axial):
    """Translation along and rotation about an axis. 4 constraints, 2 degrees of freedom: displacement (m), angle (rad)."""

    kind: ClassVar[str] = "cylindrical"
    names: ClassVar = ("displacement", "angle")

    def motions(self) -> tuple[Motion, ...]:
        """A translation, then a rotation."""
        return (Helical(self.axis, rot=0.0, lin=1.0), Helical(self.axis))

    def rows(self) -> tuple[Row, ...]:
        """The second point stays on the axis, and the axes parallel."""
        return self.collinear()


@dataclass(frozen=True, eq=False)
class Screw(Axial):
    """A screw: rotation with a translation along the axis of `pitch` metres per turn. 5 constraints, 1 degree of freedom: angle (rad)."""

    kind: ClassVar[str] = "screw"
    names: ClassVar = ("angle",)
    pitch: float = 0.0

    def changes(self) -> list[str]:
        """The pitch."""
        return ["pitch"]

    def motions(self) -> tuple[Motion, ...]:
        """A rotation with a proportional translation."""
        return (Helical(self.axis, lin=self.pitch / (2 * math.pi)),)

    def rows(self) -> tuple[Row, ...]:
        """The second point stays on the axis, the axes parallel, and the translation is proportional to the angle."""
        return (*self.collinear(), Linked(self.axis, self.pitch / (2 * math.pi)))

    def faults(self) -> list[str]:
        """Also a pitch that is not a number."""
        found = super().faults()
        if not math.isfinite(self.pitch):
            found.append(f"{self.label()}: pitch must be a finite number of metres per turn, not {self.pitch!r}")
        return found


@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """Rotation about `axis`, fixed in the first body, then about `axis2`, fixed in the second. 4 constraints, 2
    degrees of freedom: angle1, angle2 (rad).
    """

    kind: ClassVar[str] = "universal"
    names: ClassVar = ("angle1", "angle2")
    axis: Vector
    axis2: Vector

    def axes(self) -> tuple[tuple[str, Vector], ...]:
        """Both axes."""
        return (("axis", self.axis), ("axis2", self.axis2))

    def motions(self) -> tuple[Motion, ...]:
        """Two rotations."""
        return (Helical(self.axis), Helical(self.axis2))

    def rows(self) -> tuple[Row, ...]:
        """The points coincide, the angle between the axes is constant."""
        c = sum(a * b for a, b in zip(self.axis, self.axis2))
        return (*POINT, Dot(self.axis, self.axis2, c))

    def faults(self) -> list[str]:
        """Also parallel axes."""
        found = super().faults()
        if not found and abs(sum(a * b for a, b in zip(self.axis, self.axis2))) > 1 - 1e-9:
            found.append(
                f"{self.label()}: axis and axis2 are parallel; give two different directions, or use a revolute"
            )
        return found


@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """Any rotation about a point. 3 constraints, 3 degrees of freedom: rotation; its rate is in the second frame (rad/s)."""

    kind: ClassVar[str] = "spherical"
    names: ClassVar = ("rotation",)

    def motions(self) -> tuple[Motion, ...]:
        """A ball."""
        return (Ball(),)

    def rows(self) -> tuple[Row, ...]:
        """The points coincide."""
        return POINT


@dataclass(frozen=True, eq=False)
class Planar(Axial):
    """Motion in a plane with normal `axis`: x along `direction`, y along axis x direction (m), angle about the normal
    (rad). 3 constraints.
    """

    kind: ClassVar[str] = "planar"
    names: ClassVar = ("x", "y", "angle")
    direction: Vector = (1.0, 0.0, 0.0)

    def axes(self) -> tuple[tuple[str, Vector], ...]:
        """Normal and direction of x."""
        return (("axis", self.axis), ("direction", self.direction))

    def motions(self) -> tuple[Motion, ...]:
        """Two translations and a rotation."""
        (nx, ny, nz), (dx, dy, dz) = self.axis, self.direction
        second = (ny * dz - nz * dy, nz * dx - nx * dz, nx * dy - ny * dx)
        return (Helical(self.direction, 0.0, 1.0), Helical(second, 0.0, 1.0), Helical(self.axis))

    def rows(self) -> tuple[Row, ...]:
        """The second point stays in the plane, and the normals parallel."""
        return (Slide(self.axis), *self.parallel())

    def faults(self) -> list[str]:
        """Also a direction that does not lie in the plane."""
        found = super().faults()
        if not found and abs(sum(a * b for a, b in zip(self.axis, self.direction))) > 1e-9:
            found.append(
                f"{self.label()}: direction {self.direction} does not lie in the plane with normal {self.axis}"
            )
        return found


@dataclass(frozen=True, eq=False)
class Free(Joint):
    """No constraint, 6 degrees of freedom: position (m, axes of the first frame) and rotation; rates are its velocity and the
    angular velocity in the second frame.
    """

    kind: ClassVar[str] = "free"
    names: ClassVar = ("position", "rotation")

    def motions(self) -> tuple[Motion, ...]:
        """A translation, then a ball."""
        return (Translation(), Ball())

    def rows(self) -> tuple[Row, ...]:
        """None."""
        return ()


class JointMaking(JointBuilding):
    """What a System builds its joints with: one method for each, under the name of its kind."""

    @record_arguments
    @door(**ENDS)
    @explained
    def fixed(self, first: Body, second: Body, *, at: Any = None, name: str = "") -> Fixed:
        """Weld two bodies together. 6 constraints, no coordinate."""
        return self._joint(Fixed, first, second, at, name)

    @record_arguments
    @door(**ENDS, at=PLACE)
    @explained
    def revolute(self, first: Body, second: Body, *, at: Any, axis: Any = None, name: str = "") -> Revolute:
        """A hinge: the second body turns about an axis. 5 constraints; `angle` (rad, right-handed about the axis, whole turns counted)."""
        return self._axial(Revolute, first, second, at, axis, name)

    @record_arguments
    @door(**ENDS)
    @explained
    def prismatic(self, first: Body, second: Body, *, axis: Any, at: Any = None, name: str = "") -> Prismatic:
        """A slide: the second body moves along an axis and does not turn. 5 constraints; `displacement` (m, positive along the axis)."""
        return self._axial(Prismatic, first, second, at, axis, name)

    @record_arguments
    @door(**ENDS, at=PLACE)
    @explained
    def cylindrical(self, first: Body, second: Body, *, at: Any, axis: Any, name: str = "") -> Cylindrical:
        """Slide along and turn about an axis, independently. 4 constraints; `displacement` (m) and `angle` (rad, right-handed)."""
        return self._axial(Cylindrical, first, second, at, axis, name)

    @record_arguments
    @door(**ENDS, at=PLACE, pitch=NUMBER)
    @explained
    def screw(self, first: Body, second: Body, *, at: Any, axis: Any, pitch: float, name: str = "") -> Screw:
        """A turn that slides by `pitch` metres per turn. 5 constraints; `angle` (rad, right-handed); `displacement` (m) is a result too."""
        return self._axial(Screw, first, second, at, axis, name, pitch=float(pitch))

    @record_arguments
    @door(**ENDS, at=PLACE)
    @explained
    def universal(
        self, first: Body, second: Body, *, at: Any, axis: Any, axis2: Any, name: str = ""
    ) -> Universal:
        """A turn about `axis`, fixed in the first body, then about `axis2`, fixed in the second. 4 constraints; `angle1`, `angle2` (rad)."""
        return self._axial(
            Universal, first, second, at, axis, name, axis2=self.axis(axis2, f"universal '{name}'")
        )

    @record_arguments
    @door(**ENDS, at=PLACE)
    @explained
    def spherical(self, first: Body, second: Body, *, at: Any, name: str = "") -> Spherical:
        """A ball: any rotation about a point. 3 constraints; `rotation`, its rate in the axes of the second body (rad/s)."""
        return self._joint(Spherical, first, second, at, name)

    @record_arguments
    @door(**ENDS)
    @explained
    def planar(
        self, first: Body, second: Body, *, at: Any = None, axis: Any = None, direction: Any = None, name: str = ""
    ) -> Planar:
        """Motion in a plane. 3 constraints; `x` along `direction`, `y` along axis x direction (m), `angle` about the normal (rad)."""
        normal = (
            self.normal if axis is None and self.plane else self.axis("z" if axis is None else axis, f"planar '{name}'")
        )
        x = _in_plane(normal) if direction is None else self.axis(direction, f"planar '{name}': direction")
        return self._joint(Planar, first, second, at, name, axis=normal, direction=x)

    @record_arguments
    @door(**ENDS)
    @explained
    def free(self, first: Body, second: Body, *, at: Any = None, name: str = "") -> Free:
        """No constraint: `position` (m, axes of the first frame) and `rotation`, its rate in the axes of the second body (rad/s)."""
        return self._joint(Free, first, second, at, name)


def _in_plane(normal: Vector) -> Vector:
    """The world x axis when it lies in the plane, else any direction of the plane."""
    return (1.0, 0.0, 0.0) if normal[0] == 0 else perpendicular(normal)[0]


JOINTS: tuple[type[Joint], ...] = (
    Fixed,
    Revolute,
    Prismatic,
    Cylindrical,
    Screw,
    Universal,
    Spherical,
    Planar,
    Free,
)
