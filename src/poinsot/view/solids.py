"""Shapes and sticks of bodies as simple solids: boxes, cylinders and balls with a pose in the body frame.

A solid is a dictionary of plain numbers: `kind` "box" (`size`, edges x, y, z), "cylinder" (`radius`, `length`, along its own z) or
"sphere" (`radius`), all in m, and, where it is not at the origin, `at` (m) and `turn` (unit quaternion w, x, y, z, solid to body);
where it has a colour of its own, `colour` ("#rrggbb"). A mesh is "mesh", with the Mesh itself (`mesh`) until it is packed (`meshes.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.mesh import Mesh
from poinsot.model.rotation import from_matrix
from poinsot.model.shapes import Box, Composite, Cylinder, Disc, Rod, Shape, Sphere

Solid = dict[str, Any]

THIN = 0.03  # thickness of a thin disc, relative to its radius
OUTSIDE = 0.02  # relative to the size of a shape: a joint further away is connected to it by an arm

ALONG = {  # rotation (3, 3) that takes z to an axis
    "x": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    "y": np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "z": np.eye(3),
}


def solids(shape: Shape) -> list[Solid]:
    """The solids of a shape, in the body frame."""
    return [_solid(part, place, turn) for part, place, turn in _parts(shape)]


def coloured(parts: list[Solid], body: Body) -> list[Solid]:
    """The solids of a body with the colours of its looks, in the same order; others keep the colour that the page gives."""
    colours = [look.colour for look in body.looks for _ in _parts(look.shape)]
    return [part | ({"colour": colour} if colour else {}) for part, colour in zip(parts, colours)] if colours else parts


def tube(a: np.ndarray, b: np.ndarray, radius: float) -> Solid:
    """A cylinder from one point of the body to another."""
    way = b - a
    length = float(np.linalg.norm(way))
    return placed({"kind": "cylinder", "radius": radius, "length": length}, 0.5 * (a + b), towards(way / length))


def ball(at: np.ndarray, radius: float) -> Solid:
    """A ball at a point of the body."""
    return placed({"kind": "sphere", "radius": radius}, at, np.eye(3))


def half_size(shape: Shape) -> np.ndarray:
    """Half the edges (3,) of the box around a simple shape, in its own axes, m."""
    if isinstance(shape, Box):
        return 0.5 * np.array([shape.x, shape.y, shape.z])
    if isinstance(shape, Sphere):
        return np.full(3, shape.radius)
    if isinstance(shape, Mesh):
        return _box(shape)[1]
    long, radius, axis = _round(shape)
    half = np.full(3, radius)
    half["xyz".index(axis)] = 0.5 * long
    return half


def corners(shape: Shape) -> np.ndarray:
    """Corners (8 k, 3) of the boxes around the parts of a shape, in the body frame, m."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    return np.concatenate([(signs * half_size(part) + _centre(part)) @ turn.T + place for part, place, turn in _parts(shape)])


def _box(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Centre (3,) and half the edges (3,) of the box around a mesh, m; a point where it cannot be read."""
    try:
        surface = mesh.surface()
    except ModelError:  # whoever draws it says so
        return np.zeros(3), np.zeros(3)
    low, high = surface.points.min(axis=0), surface.points.max(axis=0)
    return 0.5 * (low + high), 0.5 * (high - low)


def _centre(shape: Shape) -> np.ndarray:
    """Centre (3,) of the box around a simple shape, in its own axes, m."""
    return _box(shape)[0] if isinstance(shape, Mesh) else np.zeros(3)


def arm(shape: Shape, point: np.ndarray) -> np.ndarray | None:
    """Beginning of an arm from the shape to a point of the body; None when the point is on or in the shape."""
    nearest, least = None, np.inf
    for part, place, turn in _parts(shape):
        half, centre = half_size(part), place + turn @ _centre(part)
        own = turn.T @ (point - centre)
        inner = np.clip(own, -half, half)
        if isinstance(part, Rod):  # from its axis, so that the arm is attached to it
            inner[1:] = 0.0
            off = max(0.0, float(np.linalg.norm(own - inner)) - part.radius)
        else:
            off = float(np.linalg.norm(own - inner))
        if off <= OUTSIDE * float(half.max()):
            return None
        if off < least:
            nearest, least = turn @ inner + centre, off
    return nearest


def _parts(shape: Shape) -> list[tuple[Shape, np.ndarray, np.ndarray]]:
    """Simple shapes with their position (3,) and rotation (3, 3) in the body frame."""
    if not isinstance(shape, Composite):
        return [(shape, np.zeros(3), np.eye(3))]
    return [
        (inner, place + turn @ at, turn @ own)
        for part, place, turn in shape.placed()
        for inner, at, own in _parts(part)
    ]


def _solid(shape: Shape, place: np.ndarray, turn: np.ndarray) -> Solid:
    if isinstance(shape, Box):
        return placed({"kind": "box", "size": [shape.x, shape.y, shape.z]}, place, turn)
    if isinstance(shape, Sphere):
        return placed({"kind": "sphere", "radius": shape.radius}, place, turn)
    if isinstance(shape, Mesh):
        return placed({"kind": "mesh", "mesh": shape}, place, turn)
    long, radius, axis = _round(shape)
    return placed({"kind": "cylinder", "radius": radius, "length": long}, place, turn @ ALONG[axis])


def _round(shape: Shape) -> tuple[float, float, str]:
    """Length, radius (m) and axis of a shape of revolution."""
    if isinstance(shape, Rod):
        return shape.length or 0.0, shape.radius, "x"
    if isinstance(shape, Disc):
        return shape.thickness or THIN * shape.radius, shape.radius, shape.axis
    assert isinstance(shape, Cylinder), f"{type(shape).__name__} has no solid"
    return shape.length, shape.radius, shape.axis


def towards(direction: np.ndarray) -> np.ndarray:
    """A rotation (3, 3) that takes z to a unit vector."""
    side = np.cross(direction, np.eye(3)[int(np.argmin(np.abs(direction)))])
    side /= np.linalg.norm(side)
    return np.stack([side, np.cross(direction, side), direction], axis=1)


def placed(solid: Solid, place: np.ndarray, turn: np.ndarray) -> Solid:
    """The solid at a place (3,) of the body, m, with a rotation (3, 3) from its own axes to the body's."""
    if np.any(place):
        solid["at"] = [float(x) for x in place]
    if not np.array_equal(turn, np.eye(3)):
        solid["turn"] = [float(x) for x in from_matrix(turn)]
    return solid
