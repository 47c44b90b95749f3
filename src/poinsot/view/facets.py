"""Solids as flat faces with few corners, and how light falls on them: for pictures of shaded solids by matplotlib."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from poinsot.model.mesh import Surface
from poinsot.model.rotation import matrix
from poinsot.view.meshes import STEPS, coarser
from poinsot.view.resample import unpack
from poinsot.view.solids import Solid

SKY, EARTH = np.ones(3), np.array([0.323, 0.362, 0.418])  # light from above and from below, linear; as in `web/scene.js`
AROUND, FILL, SUN = 1.75 / np.pi, 0.75 / np.pi, 1.4 / np.pi  # its strength, that from the camera, and that of the sun
SPOKE = 0.72  # brightness of two spokes of a disc, which make its rotation visible
SLIM = 0.1  # relative to a tile: round solids of a smaller radius have half as many sides
TRIANGLES = 12.0  # bytes of a triangle, of `coarser`


class Detail(NamedTuple):
    """How fine solids are: sides of round ones, tiles along a face at most, triangles of a mesh, and the length of a tile in m."""

    sides: int
    tiles: int
    triangles: int
    tile: float


class Facets(NamedTuple):
    """Faces: corners (n, 4, 3) in m, the last one twice where there are three, outward unit normals (n, 3), linear colours (n, 3)."""

    corners: np.ndarray
    normals: np.ndarray
    colours: np.ndarray

    def moved(self, place: np.ndarray, turn: np.ndarray) -> Facets:
        """At a place (3,), m, with a rotation (3, 3)."""
        return Facets(self.corners @ turn.T + place, self.normals @ turn.T, self.colours)


def facets(solid: Solid, meshes: list[Surface], colour: str, detail: Detail) -> Facets:
    """The faces of a solid (`solids.py`) in the body frame; `colour` ("#rrggbb") is for one without a colour of its own."""
    kind = solid["kind"]
    if kind == "box":
        corners, shades = _box(np.array(solid["size"]), detail)
    elif kind == "cylinder":
        corners, shades = _cylinder(solid["radius"], solid["length"], detail)
    elif kind == "pyramid":
        corners, shades = _pyramid(np.array(solid["size"]))
    elif kind == "mesh":
        corners = meshes[solid["mesh"]].points[meshes[solid["mesh"]].faces[:, [0, 1, 2, 2]]]
        shades = np.ones(len(corners))
    else:
        corners, shades = _sphere(solid["radius"], detail)
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    found = Facets(corners, normals, shades[:, None] * linear(solid.get("colour", colour)))
    return found.moved(np.array(solid.get("at", (0.0, 0.0, 0.0))), matrix(solid["turn"]) if "turn" in solid else np.eye(3))


def unpacked(meshes: list[dict[str, Any]], triangles: int) -> list[Surface]:
    """Meshes of a page (`meshes.packed_meshes`) as triangles again, each with about that many at most."""
    found = []
    for mesh in meshes:
        points = np.array(mesh["low"]) + np.array(mesh["size"]) * unpack(mesh["points"], "<u2").reshape(-1, 3) / STEPS
        faces = unpack(mesh["faces"], "<u4" if mesh["wide"] else "<u2").reshape(-1, 3).astype(int)
        found.append(coarser(Surface(points, faces), TRIANGLES * triangles))
    return found


def linear(colour: str) -> np.ndarray:
    """Amounts of light (3,), 0 to 1, of a colour "#rrggbb"."""
    c = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lit(colours: np.ndarray, normals: np.ndarray, up: np.ndarray, look: np.ndarray, sun: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of the screen, 0 to 1, of matt faces with linear colours (n, 3) and outward unit normals (n, 3) in the world.

    `up`, `look` (to the camera) and `sun` (to the sun) are unit vectors (3,) in the world.
    """
    above = 0.5 + 0.5 * (normals @ up)[:, None]
    light = AROUND * (above * SKY + (1.0 - above) * EARTH)
    light = light + (FILL * np.maximum(normals @ look, 0.0) + SUN * np.maximum(normals @ sun, 0.0))[:, None]
    shown = np.clip(colours * light, 0.0, 1.0)
    return np.where(shown <= 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055)


def _tiled(corner: np.ndarray, u: np.ndarray, v: np.ndarray, detail: Detail) -> np.ndarray:
    """A rectangle from a corner along two edges (3,) as tiles (n, 4, 3): small faces hide each other correctly where large ones do not."""
    n, m = (int(np.clip(np.ceil(np.linalg.norm(edge) / detail.tile), 1, detail.tiles)) for edge in (u, v))
    i, j = (index.reshape(-1, 1) for index in np.meshgrid(np.arange(n), np.arange(m), indexing="ij"))
    return np.stack([corner + (i + a) / n * u + (j + b) / m * v for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))], axis=1)


def _box(size: np.ndarray, detail: Detail) -> tuple[np.ndarray, np.ndarray]:
    faces = []
    for k in range(3):
        a, b, c = (size[i % 3] * np.eye(3)[i % 3] for i in (k, k + 1, k + 2))  # faces across a, with edges b and c
        faces += [_tiled(0.5 * (a - b - c), b, c, detail), _tiled(0.5 * (-a - b - c), c, b, detail)]
    corners = np.concatenate(faces)
    return corners, np.ones(len(corners))


def _cylinder(radius: float, length: float, detail: Detail) -> tuple[np.ndarray, np.ndarray]:
    """About z, centred; the faces of a disc have two darker spokes."""
    sides = detail.sides if radius > SLIM * detail.tile else max(6, detail.sides // 2)
    slices = int(np.clip(np.ceil(length / detail.tile), 1, 2 * detail.tiles))
    angle = 2.0 * np.pi * np.arange(sides + 1) / sides
    ring = radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    heights = np.linspace(-0.5 * length, 0.5 * length, slices + 1)[:, None, None] * np.eye(3)[2]
    rims = ring + heights  # (slices + 1, sides + 1, 3)
    round_ = np.stack([rims[:-1, :-1], rims[:-1, 1:], rims[1:, 1:], rims[1:, :-1]], axis=2).reshape(-1, 4, 3)
    middle = np.zeros((sides, 3))
    top = np.stack([middle, ring[:-1], ring[1:], ring[1:]], axis=1) + heights[-1]
    bottom = np.stack([middle, ring[1:], ring[:-1], ring[:-1]], axis=1) + heights[0]
    shades = np.ones(sides)
    if length < radius:
        shades[[0, sides // 2]] = SPOKE
    return np.concatenate([round_, top, bottom]), np.concatenate([np.ones(len(round_)), shades, shades])


def _sphere(radius: float, detail: Detail) -> tuple[np.ndarray, np.ndarray]:
    sides = detail.sides if radius > SLIM * detail.tile else max(6, detail.sides // 2)
    over, around = np.linspace(0.0, np.pi, sides // 2 + 1)[:, None], 2.0 * np.pi * np.arange(sides + 1) / sides
    net = radius * np.stack([np.sin(over) * np.cos(around), np.sin(over) * np.sin(around), np.cos(over) + 0.0 * around], axis=2)
    corners = np.stack([net[:-1, :-1], net[1:, :-1], net[1:, 1:], net[:-1, 1:]], axis=2).reshape(-1, 4, 3)
    return corners, np.ones(len(corners))


def _pyramid(size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """With its tip at the origin, and its base, a rectangle, at a distance size[2] below, along z."""
    x, y, z = size * (0.5, 0.5, 1.0)
    base = np.array([(x, y, -z), (-x, y, -z), (-x, -y, -z), (x, -y, -z)])
    sides = [np.array([np.zeros(3), base[k], base[(k + 1) % 4], base[(k + 1) % 4]]) for k in range(4)]
    return np.stack([*sides, base[::-1]]), np.ones(5)
