"""The camera and the floor of pictures of solids: a perspective view fitted to a motion, as in the page (`web/cameras.js`, `web/floor.js`)."""

from __future__ import annotations

import copy

import numpy as np

HALF = np.tan(np.radians(15.0))  # half the field of view
FILLED = 0.84  # part of the picture that the motion fills
CELLS = 12  # of the floor, from its middle to each side
BELOW = 0.02  # of the floor, below the motion, relative to its size
NEAR = 0.02  # relative to the distance of the camera: what is nearer is not drawn


def unit(v: np.ndarray) -> np.ndarray:
    """A vector (3,) of length 1."""
    return v / np.linalg.norm(v)


def from_angles(up: np.ndarray, elevation: float, azimuth: float) -> np.ndarray:
    """The direction (3,) to a camera, in the world; angles in degrees, the azimuth from x, or from y where x is upward."""
    ahead = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    ahead = unit(ahead - (ahead @ up) * up)
    high, round_ = np.radians(elevation), np.radians(azimuth)
    return np.cos(high) * (np.cos(round_) * ahead + np.sin(round_) * np.cross(up, ahead)) + np.sin(high) * up


class Camera:
    """A view along -`look` of points (k, 3) in the world, m, which all fit into a picture of a width and height in pixels.

    Attributes
    ----------
    eye, right, over, look, up : its place (3,) in m, its axes, and the upward direction, unit vectors (3,), all in the world
    focus : pixels of a length of 1 m at a distance of 1 m
    near : m; what is nearer cannot be drawn
    """

    def __init__(self, points: np.ndarray, look: np.ndarray, up: np.ndarray, size: tuple[int, int]):
        side = np.cross(up, look)
        if np.linalg.norm(side) < 1e-6:  # from above: x to the right, or y
            side = np.cross(np.eye(3)[1] if abs(look[1]) < 0.9 else np.eye(3)[2], look)
        self.right, self.look, self.up, self.size = unit(side), look, up, size
        self.over = np.cross(look, self.right)
        self.focus = 0.5 * size[1] / HALF
        tall, wide = HALF * FILLED, HALF * FILLED * size[0] / size[1]
        target, distance = 0.5 * (points.min(axis=0) + points.max(axis=0)), 1.0
        least = 0.1 * float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0
        axes = np.stack([self.right, self.over, look], axis=1)
        for _ in range(6):  # as close as all points allow, then shifted to equal margins on both sides
            seen = (points - target) @ axes
            distance = max(least, float((np.maximum(np.abs(seen[:, 0]) / wide, np.abs(seen[:, 1]) / tall) + seen[:, 2]).max()))
            slopes = seen[:, :2] / (distance - seen[:, 2:])
            target = target + axes[:, :2] @ (0.5 * distance * (slopes.max(axis=0) + slopes.min(axis=0)))
        self.target, self.eye, self.near = target, target + distance * look, NEAR * distance

    def moved(self, way: np.ndarray) -> Camera:
        """The same camera at another place, by (3,) m."""
        other = copy.copy(self)
        other.eye, other.target = self.eye + way, self.target + way
        return other

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points (..., 3) of the world, m, in the picture: pixels (..., 2) from its lower left corner, and distances (...) along the view, m."""
        away = points - self.eye
        depth = -(away @ self.look)
        seen = np.stack([away @ self.right, away @ self.over], axis=-1) * (self.focus / np.maximum(depth, self.near))[..., None]
        return seen + 0.5 * np.array(self.size), depth


class Floor:
    """A grid in a plane with a unit normal (3,), below (or, seen along the normal, behind) a box from `low` to `high` (3,), m.

    `height` (m), where given, is that of the plane. `cell` : width of a square of the grid, m.
    """

    def __init__(self, low: np.ndarray, high: np.ndarray, normal: np.ndarray, camera: Camera, height: float | None):
        size = float(np.linalg.norm(high - low)) or 1.0
        lowest = float(np.minimum(low * normal, high * normal).sum())  # of the corners of the box
        self.normal, self.cell = normal, _round(size / 9.0)
        self.depth = lowest - BELOW * size if height is None else height
        facing = normal @ camera.look > 0.999
        ahead = camera.over if facing else _axis(camera.look, normal)
        self.sides = np.stack([unit(np.cross(ahead, normal)), ahead])
        self.middle = np.round(self.sides @ (0.5 * (low + high)) / self.cell) * self.cell
        steps = np.arange(-CELLS, CELLS + 1)
        i, j = (index.ravel() for index in np.meshgrid(steps, steps[:-1], indexing="ij"))
        ends = np.array([((i, j), (i, j + 1)), ((j, i), (j + 1, i))])  # (2 families, 2 ends, 2 indices, n)
        self.pattern = ends.transpose(0, 3, 1, 2).reshape(-1, 2, 2)
        far = np.linalg.norm(self.pattern.mean(axis=1), axis=1) / CELLS
        self.pattern, self.fading = self.pattern[far < 1.0], (1.0 - far[far < 1.0] ** 2)

    def lines(self, move: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lines (n, 2, 3) of the grid in the world, m, and how opaque they are (n,); moved with a camera that has moved (3,), m."""
        shift = np.round(self.sides @ move / self.cell) * self.cell
        return (self.cell * self.pattern + self.middle + shift) @ self.sides + self.depth * self.normal, self.fading

    def shadows(self, points: np.ndarray, sun: np.ndarray) -> np.ndarray:
        """Where the light from a direction (3,) past points (..., 3), m, meets the floor; points below it stay where they are."""
        above = np.maximum(points @ self.normal - self.depth, 0.0) / (sun @ self.normal)
        return points - above[..., None] * sun


def _axis(direction: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """The direction (3,) in a plane along the world axis that is nearest to a given one: the grid is aligned with axes."""
    level = direction - (direction @ normal) * normal
    axis = np.eye(3)[int(np.argmax(np.abs(level)))]
    return unit(axis - (axis @ normal) * normal)


def _round(x: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(x))
    f = x / power
    return float(power * (1 if f < 1.5 else 2 if f < 3.5 else 5 if f < 7.5 else 10))
