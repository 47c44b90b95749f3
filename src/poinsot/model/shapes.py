"""Shapes: the form of a body, and the mass, centre of mass and inertia that result from it.

Every shape has its centre at the origin of the body frame. Lengths in m, mass in kg, density in kg/m^3; inertia about
the centre of mass, body axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.guard import NUMBER, TEXT, as_numbers, door, maybe
from poinsot.model.rotation import matrix, quaternion
from poinsot.model.words import NearNames, short_repr

AXIS_INDEX = {"x": 0, "y": 1, "z": 2}


@dataclass(frozen=True)
class MassProperties:
    """Mass (kg), centre of mass (3,) and inertia (3, 3) about it, in one frame."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray

    def moved(self, position: np.ndarray, rotation: np.ndarray) -> MassProperties:
        """The same in a frame in which this one has a position and rotation."""
        return MassProperties(self.mass, position + rotation @ self.com, rotation @ self.inertia @ rotation.T)


class Shape(NearNames):
    """The form of a body. Give `mass` or `density`, not both."""

    mass: float | None
    density: float | None

    def volume(self) -> float:
        """Volume in m^3."""
        raise ModelError(f"{type(self).__name__}: has no volume; give mass= instead of density=")

    def unit_inertia(self) -> tuple[float, float, float]:
        """Principal inertia per kilogram (m^2) about the centre, body axes."""
        raise ModelError(f"{type(self).__name__}: does not define its inertia")

    def total_mass(self) -> float:
        """Mass in kg, from the volume when a density was given."""
        if (self.mass is None) == (self.density is None):
            raise ModelError(f"{type(self).__name__}: give either mass= (kg) or density= (kg/m^3)")
        mass = float(self.mass) if self.mass is not None else float(self.density) * self.volume()  # type: ignore[arg-type]
        if mass > LARGEST:
            raise ModelError(f"{type(self).__name__}: its mass is {mass:g} kg; the largest is {LARGEST:g} kg")
        return mass

    def properties(self) -> MassProperties:
        """Mass, centre of mass and inertia in the body frame."""
        mass = self.total_mass()
        return MassProperties(mass, np.zeros(3), np.diag([mass * value for value in self.unit_inertia()]))


def _positive(shape: Shape, **lengths: float | None) -> None:
    for name, value in lengths.items():
        if value is None or not 0 < value <= LARGEST:
            most = f"; the largest is {LARGEST:g}" if value is not None and value > LARGEST else ""
            raise ModelError(f"{type(shape).__name__}: {name} must be a positive length in m, not {short_repr(value)}{most}")


def _axis(shape: Shape, axis: str) -> None:
    if axis not in AXIS_INDEX:
        raise ModelError(f"{type(shape).__name__}: axis must be 'x', 'y' or 'z', not {short_repr(axis)}")


def _around(axis: str, along: float, across: float) -> tuple[float, float, float]:
    values = [across, across, across]
    values[AXIS_INDEX[axis]] = along
    return (values[0], values[1], values[2])


@door(x=NUMBER, y=NUMBER, z=NUMBER, mass=maybe(NUMBER), density=maybe(NUMBER))
@dataclass(frozen=True)
class Box(Shape):
    """A cuboid with its centre at the origin of the body frame and its edges along the axes.

    Parameters
    ----------
    x, y, z : lengths of the edges along the axes of the body, m
    mass, density : kg, or kg/m^3: one of the two; neither where the shape is only a look
    """

    x: float
    y: float
    z: float
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        _positive(self, x=self.x, y=self.y, z=self.z)

    def volume(self) -> float:
        """Volume in m^3."""
        return self.x * self.y * self.z

    def unit_inertia(self) -> tuple[float, float, float]:
        """Principal inertia per kilogram (m^2)."""
        xx, yy, zz = self.x * self.x / 12, self.y * self.y / 12, self.z * self.z / 12
        return (yy + zz, xx + zz, xx + yy)


@door(radius=NUMBER, length=NUMBER, axis=TEXT, mass=maybe(NUMBER), density=maybe(NUMBER))
@dataclass(frozen=True)
class Cylinder(Shape):
    """A solid cylinder with its centre at the origin of the body frame.

    Parameters
    ----------
    radius, length : m
    axis : axis of the body along which it lies, "x", "y" or "z"
    mass, density : kg, or kg/m^3: one of the two; neither where the shape is only a look
    """

    radius: float
    length: float
    axis: str = "z"
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius, length=self.length)
        _axis(self, self.axis)

    def volume(self) -> float:
        """Volume in m^3."""
        return math.pi * self.radius * self.radius * self.length

    def unit_inertia(self) -> tuple[float, float, float]:
        """Principal inertia per kilogram (m^2)."""
        return _around(
            self.axis, self.radius * self.radius / 2, self.radius * self.radius / 4 + self.length * self.length / 12
        )


@door(radius=NUMBER, length=maybe(NUMBER), mass=maybe(NUMBER), density=maybe(NUMBER))
@dataclass(frozen=True)
class Rod(Shape):
    """A solid round rod along the body's x axis, with its centre at the origin of the body frame.

    Parameters
    ----------
    radius : m
    length : m; of a body that is placed `between=` two points it is their distance, and is left out
    mass, density : kg, or kg/m^3: one of the two; neither where the shape is only a look
    """

    radius: float
    length: float | None = None
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius)
        if self.length is not None:
            _positive(self, length=self.length)

    def fitted(self, length: float) -> Rod:
        """The rod between two points of this distance."""
        if self.length is not None and abs(self.length - length) > 1e-9 * length:
            raise ModelError(
                f"Rod: its length {self.length:g} m contradicts between=, whose points are {length:g} m apart"
            )
        return replace(self, length=length)

    def volume(self) -> float:
        """Volume in m^3."""
        return math.pi * self.radius * self.radius * self._length()

    def unit_inertia(self) -> tuple[float, float, float]:
        """Principal inertia per kilogram (m^2)."""
        return _around("x", self.radius * self.radius / 2, self.radius * self.radius / 4 + self._length() * self._length() / 12)

    def _length(self) -> float:
        if self.length is None:
            raise ModelError("Rod: has no length; give length= (m), or place the body with between=(a, b)")
        return self.length


@door(radius=NUMBER, mass=maybe(NUMBER), density=maybe(NUMBER))
@dataclass(frozen=True)
class Sphere(Shape):
    """A solid ball with its centre at the origin of the body frame.

    Parameters
    ----------
    radius : m
    mass, density : kg, or kg/m^3: one of the two; neither where the shape is only a look
    """

    radius: float
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius)

    def volume(self) -> float:
        """Volume in m^3."""
        return 4.0 / 3.0 * math.pi * self.radius * self.radius * self.radius

    def unit_inertia(self) -> tuple[float, float, float]:
        """Principal inertia per kilogram (m^2)."""
        value = 0.4 * self.radius * self.radius
        return (value, value, value)


@door(radius=NUMBER, thickness=NUMBER, axis=TEXT, mass=maybe(NUMBER), density=maybe(NUMBER))
@dataclass(frozen=True)
class Disc(Shape):
    """A round disc with its centre at the origin of the body frame.

    Parameters
    ----------
    radius : m
    thickness : m; 0: a thin disc, which needs a mass
    axis : axis of the body about which it is round, "x", "y" or "z"
    mass, density : kg, or kg/m^3: one of the two; neither where the shape is only a look
    """

    radius: float
    thickness: float = 0.0
    axis: str = "z"
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius)
        if not 0 <= self.thickness <= LARGEST:
            raise ModelError(f"Disc: thickness must be a non-negative length in m, not {self.thickness!r}")
        _axis(self, self.axis)

    def volume(self) -> float:
        """Volume in m^3; a thin disc has none."""
        return super().volume() if self.thickness == 0 else math.pi * self.radius * self.radius * self.thickness

    def unit_inertia(self) -> tuple[float, float, float]:
        """Principal inertia per kilogram (m^2)."""
        across = self.radius * self.radius / 4 + self.thickness * self.thickness / 12
        return _around(self.axis, self.radius * self.radius / 2, across)


@door()
@dataclass(frozen=True)
class Composite(Shape):
    """Several shapes welded together, each with its own mass or density.

    Parameters
    ----------
    parts : a list of shapes, or of (shape, position) or (shape, position, rotation): position in the body frame (m), rotation in any form
    mass, density : None: the parts have them
    """

    parts: Any
    mass: None = None
    density: None = None

    def __post_init__(self) -> None:
        if not isinstance(self.parts, list | tuple):
            raise ModelError(f"Composite: parts must be a list of shapes, not {short_repr(self.parts)}")
        if self.mass is not None or self.density is not None:
            raise ModelError("Composite: its parts have the mass; leave out mass= and density=")
        self.placed()

    def placed(self) -> list[tuple[Shape, np.ndarray, np.ndarray]]:
        """Every part with its position (3,) and rotation (3, 3) in the body frame."""
        result = []
        for part in self.parts:
            shape, position, rotation = (
                (*part, None, None)[:3] if isinstance(part, tuple | list) else (part, None, None)
            )
            if not isinstance(shape, Shape) or (isinstance(part, tuple | list) and len(part) > 3):
                raise ModelError(f"Composite: {short_repr(part)} is not a shape; give (shape, position, rotation)")
            place = np.zeros(3) if position is None else as_numbers(position)
            if place is None or place.shape != (3,):
                raise ModelError(f"Composite: a position must be three numbers (m), not {short_repr(position)}")
            result.append((shape, place, matrix(quaternion(rotation, "Composite"))))
        if not result:
            raise ModelError("Composite: has no parts")
        return result

    def volume(self) -> float:
        """Volume in m^3."""
        return sum(shape.volume() for shape, _, _ in self.placed())

    def properties(self) -> MassProperties:
        """Mass, centre of mass and inertia in the body frame, by the parallel-axis theorem."""
        parts = [shape.properties().moved(position, rotation) for shape, position, rotation in self.placed()]
        mass = sum(part.mass for part in parts)
        if not mass > 0:
            raise ModelError(f"Composite: its parts together must have a positive mass (kg), not {mass!r}")
        com = np.sum([part.mass * part.com for part in parts], axis=0) / mass
        inertia = np.zeros((3, 3))
        for part in parts:
            d = part.com - com
            inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return MassProperties(mass, com, inertia)
