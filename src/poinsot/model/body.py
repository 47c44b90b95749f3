"""Rigid bodies, the ground, and points fixed to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.errors import ModelError
from poinsot.model.coordinate import Coordinate
from poinsot.model.element import Element, finite
from poinsot.model.guard import door, instance
from poinsot.model.looks import Look, drawn_shape
from poinsot.model.rotation import IDENTITY, Quaternion, Vector, matrix
from poinsot.model.shapes import Shape
from poinsot.model.vectors import read_vector
from poinsot.model.words import NearNames


@dataclass(frozen=True, eq=False)
class Body(Element):
    """A rigid body in the drawing.

    Attributes
    ----------
    position : origin of the body frame in the world, m
    rotation : unit quaternion (w, x, y, z), body to world
    mass : kg
    com : centre of mass in the body frame, m
    inertia : (xx, yy, zz, xy, xz, yz) about the centre of mass in body axes, kg m^2
    ends : start and end point in the body frame when placed with `between=`
    looks : what is drawn in place of the shape
    """

    kind: ClassVar[str] = "body"
    name: str
    position: Vector
    rotation: Quaternion
    mass: float
    com: Vector
    inertia: tuple[float, float, float, float, float, float]
    shape: Shape | None = None
    ends: tuple[Vector, Vector] | None = None
    looks: tuple[Look, ...] = ()

    @door()
    def at(self, point: Any) -> Point:
        """A point fixed to this body, given in the body frame (m)."""
        return Point(self, self._owner().vector(point, f"{self.label()}: at"))

    @property
    def start(self) -> Point:
        """The first of the two points the body was placed between."""
        return self._end(0)

    @property
    def end(self) -> Point:
        """The second of the two points the body was placed between."""
        return self._end(1)

    @property
    def x(self) -> Coordinate:
        """World x of the body's origin (m), as a coordinate: to prescribe, or for a law to see."""
        return Point(self, (0.0, 0.0, 0.0)).x

    @property
    def y(self) -> Coordinate:
        """World y of the body's origin (m), as a coordinate: to prescribe, or for a law to see."""
        return Point(self, (0.0, 0.0, 0.0)).y

    @property
    def z(self) -> Coordinate:
        """World z of the body's origin (m), as a coordinate: to prescribe, or for a law to see."""
        return Point(self, (0.0, 0.0, 0.0)).z

    @property
    def angle(self) -> Coordinate:
        """In a planar system: its angle from the drawing (rad, positive about the normal), as a coordinate: to prescribe, or for a law to see."""
        return Coordinate(self, "angle")

    @property
    def drawn_shape(self) -> Shape | None:
        """What is drawn: its looks, otherwise its shape."""
        return drawn_shape(self.looks, self.shape)

    def _end(self, k: int) -> Point:
        if self.ends is None:
            raise ModelError(
                f"{self.label()}: has no start and end; place it with between=(a, b), or use body.at(point)"
            )
        return Point(self, self.ends[k])

    def set(self, **values: Any) -> None:
        """Initial motion of a body that is free to move: velocity (m/s, of the origin, world axes), angular_velocity (rad/s, world)
        or angular_velocity_body (rad/s, body axes), position (m) and rotation (in any form) instead of the drawing's.

        A body carried by a joint gets its initial motion from the joint: `joint.set(...)`.
        """
        self._owner().set_initial(self, values)

    def local(self, point: Any) -> np.ndarray:
        """A world point of the drawing, in the body frame (m)."""
        return matrix(self.rotation).T @ np.subtract(read_vector(None, point, f"{self.label()}: local"), self.position)

    def world(self, point: Any) -> np.ndarray:
        """A point given in the body frame, in the world of the drawing (m)."""
        return np.asarray(self.position) + matrix(self.rotation) @ read_vector(None, point, f"{self.label()}: world")

    def inertia_matrix(self) -> np.ndarray:
        """Inertia (3, 3) about the centre of mass, body axes, kg m^2."""
        xx, yy, zz, xy, xz, yz = self.inertia
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def faults(self) -> list[str]:
        """Mass or inertia that is physically impossible."""
        found = []
        if not 0 <= self.mass <= LARGEST:
            found.append(f"{self.label()}: mass must be a finite number >= 0 kg (at most {LARGEST:g}), not {self.mass!r}")
        if not (finite(self.position) and finite(self.com)):
            found.append(f"{self.label()}: position and com must be finite numbers")
        if not all(map(within, self.inertia)):
            found.append(f"{self.label()}: inertia must be finite numbers of at most {LARGEST:g} kg m^2")
        elif self.inertia[3:] == (0.0, 0.0, 0.0):
            found += self._inertia_faults(sorted(self.inertia[:3]))
        else:
            found += self._inertia_faults(np.linalg.eigvalsh(self.inertia_matrix()).tolist())
        if self.mass == 0 and any(self.inertia):
            found.append(f"{self.label()}: has inertia but no mass; give mass= (kg) as well")
        return found

    def _inertia_faults(self, principal: list[float]) -> list[str]:
        small, middle, large = principal
        slack = 1e-10 * max(abs(small), abs(large))
        if not (small < -slack or small + middle < large - slack):
            return []
        values = ", ".join(f"{value:.6g}" for value in principal)
        if small < -slack:
            return [f"{self.label()}: inertia has a negative principal value ({values} kg m^2)"]
        return [
            f"{self.label()}: no mass distribution has the principal inertias {values} kg m^2 (each must be at most the sum of the "
            "other two); is it about the centre of mass?"
        ]

    def _owner(self) -> Any:
        if self.system is None:
            raise ModelError(f"{self.label()}: belongs to no system; make bodies with system.body(...)")
        return self.system


BODY = instance(Body, "a body of the system, or system.ground")


def ground() -> Body:
    """The body that does not move; its frame is the world frame."""
    return Body("ground", (0.0, 0.0, 0.0), IDENTITY, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True)
class Point(NearNames):
    """A point fixed to a body, in the body frame (m). Its coordinates x, y, z in the world can be prescribed and used as outputs."""

    body: Body
    position: Vector

    @property
    def world(self) -> Vector:
        """Its position in the drawing (m)."""
        x, y, z = self.body.world(self.position).tolist()
        return (x, y, z)

    @property
    def x(self) -> Coordinate:
        """World x of the point (m), as a coordinate: to prescribe, or for a law to see."""
        return Coordinate(self, "x")

    @property
    def y(self) -> Coordinate:
        """World y of the point (m), as a coordinate: to prescribe, or for a law to see."""
        return Coordinate(self, "y")

    @property
    def z(self) -> Coordinate:
        """World z of the point (m), as a coordinate: to prescribe, or for a law to see."""
        return Coordinate(self, "z")
