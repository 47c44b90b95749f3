"""Meshes: surfaces of triangles in files (.stl, .obj, .glb), as looks and, closed, as the form of a body."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.guard import NUMBER, NUMBERS, PATH, as_numbers, door, either, maybe
from poinsot.model.shapes import MassProperties, Shape
from poinsot.model.words import short_repr

FORMATS = (".stl", ".obj", ".glb", ".gltf", ".ply", ".off", ".dae")
SAME = 1e-7  # of the size of a mesh: vertices nearer to each other are one
THINNEST = 1e-9  # of the box around a mesh: a smaller volume is none
MOST_BYTES = 500_000_000  # of a file


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles as they are in a file.

    Attributes
    ----------
    points : (n, 3) vertices, in the units of the file
    faces : (m, 3) vertices of triangles, counterclockwise seen from outside
    colour : "#rrggbb" where the file has one for the whole
    """

    points: np.ndarray
    faces: np.ndarray
    colour: str | None = None

    def opening(self) -> str:
        """Why this surface encloses no volume, in words; empty when it does."""
        edges = np.concatenate([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]])
        count = int(self.faces.max()) + 1
        forth, back = edges[:, 0] * count + edges[:, 1], edges[:, 1] * count + edges[:, 0]
        _, sides = np.unique(np.minimum(forth, back), return_counts=True)
        if np.any(sides == 1):
            return f"is open: {int((sides == 1).sum())} edges belong to one triangle only; close its holes"
        if np.any(sides % 2) or len(np.unique(forth)) < len(forth):
            return "is not consistently oriented: triangles that share an edge disagree on which side is outside; repair its normals"
        return ""

    def moments(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Volume, centre (3,), and second moments (3, 3) about the centre, of what it encloses, in the units of the file."""
        middle = 0.5 * (self.points.min(axis=0) + self.points.max(axis=0))
        a, b, c = np.moveaxis((self.points - middle)[self.faces], 1, 0)
        six = np.einsum("ki,ki->k", a, np.cross(b, c))  # of the tetrahedron from the middle
        volume = float(six.sum()) / 6
        total = a + b + c
        first = six @ total / 24
        second = sum(np.einsum("k,ki,kj->ij", six, x, x) for x in (total, a, b, c)) / 120
        if volume == 0.0:
            return 0.0, middle, np.zeros((3, 3))
        centre = first / volume
        return volume, middle + centre, second - volume * np.outer(centre, centre)


def read_surface(file: str) -> Surface:
    """The triangles of a file; read once as long as it does not change."""
    path = Path(file)
    try:
        found = path.stat()
    except OSError:
        raise ModelError(f"mesh '{file}': there is no such file") from None
    if found.st_size > MOST_BYTES:
        raise ModelError(f"mesh '{file}': has more than {MOST_BYTES:,} bytes; simplify it")
    return _loaded(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=256)
def _loaded(file: str, changed: int, size: int) -> Surface:
    try:
        import trimesh
    except ImportError:
        raise ModelError(f"mesh '{file}': meshes are read by trimesh, which is not installed: pip install 'poinsot[mesh]'") from None
    try:
        scene = trimesh.load_scene(file, process=False)
        mesh = scene.to_mesh()
        points, faces = np.array(mesh.vertices, float), np.array(mesh.faces, np.int64)
    except ImportError as error:
        needed = f"reading {Path(file).suffix} needs a package that is not installed: {error}"
        raise ModelError(f"mesh '{file}': {needed}; convert it to .stl or .glb") from None
    except Exception as error:  # readers of damaged files fail in all ways
        raise ModelError(f"mesh '{file}': cannot be read as {Path(file).suffix}: {type(error).__name__}: {str(error)[:200]}") from None
    if points.ndim != 2 or not len(points) or not len(faces):
        raise ModelError(f"mesh '{file}': has no triangles")
    if not np.all(np.abs(points) <= LARGEST) or faces.min() < 0 or faces.max() >= len(points):
        raise ModelError(f"mesh '{file}': has vertices that are not finite, or that do not exist")
    return _merged(points, faces, _colour(mesh))


def _merged(points: np.ndarray, faces: np.ndarray, colour: str | None) -> Surface:
    """Without double vertices, as .stl has them, and without triangles that are lines."""
    cell = SAME * float(np.ptp(points, axis=0).max()) or 1.0
    _, first, where = np.unique(np.round(points / cell).astype(np.int64), axis=0, return_index=True, return_inverse=True)
    faces = where.reshape(-1)[faces]
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    merged, kept = points[first], faces[real]
    for array in (merged, kept):
        array.flags.writeable = False
    return Surface(merged, kept, colour)


def _colour(mesh: Any) -> str | None:
    """The colour of a whole mesh, if its file has one."""
    try:
        if not mesh.visual.defined:
            return None
        source = mesh.visual.material if hasattr(mesh.visual, "material") else mesh.visual
        r, g, b = (int(x) for x in source.main_color[:3])
    except Exception:  # textures and materials of many kinds
        return None
    return f"#{r:02x}{g:02x}{b:02x}"


@door(file=PATH, scale=either(NUMBER, NUMBERS), mass=maybe(NUMBER), density=maybe(NUMBER))
@dataclass(frozen=True)
class Mesh(Shape):
    """A surface of triangles from a file: .stl, .obj or .glb; other formats that trimesh reads may work.

    As a look (`looks=po.Mesh("part.stl", scale=0.001)`) it is drawn where the axes of the file are those of the body. As the shape of a body,
    with a mass (kg) or density (kg/m^3), it must be closed and consistently oriented; it then gives mass, centre of mass and inertia.

    `scale` : m per unit of the file, 0.001 for a file in mm; or three factors along its axes.
    """

    file: str
    scale: Any = 1.0
    mass: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", os.path.abspath(os.fspath(self.file)))
        if Path(self.file).suffix.lower() not in FORMATS:
            raise ModelError(f"Mesh: {short_repr(Path(self.file).name)} is not a mesh; give a file that ends in .stl, .obj or .glb")
        factors = as_numbers(self.scale)
        right = factors is not None and factors.shape in ((), (3,)) and np.all(np.isfinite(factors)) and np.all(factors != 0)
        if factors is None or not right or np.abs(factors).max() > LARGEST or (factors.shape == () and factors < 0):
            raise ModelError(f"Mesh: scale must be a positive number of m per unit of the file, or three, not {short_repr(self.scale)}")
        object.__setattr__(self, "scale", float(factors) if factors.shape == () else tuple(factors.tolist()))

    def surface(self) -> Surface:
        """Its triangles in m, in the body frame."""
        found = read_surface(self.file)
        factors = np.broadcast_to(np.array(self.scale, float), (3,))
        faces = found.faces if np.prod(factors) > 0 else found.faces[:, ::-1]  # a mirror turns the inside out
        return Surface(found.points * factors, faces, found.colour)

    def _closed(self) -> Surface:
        found, where = self.surface(), f"mesh '{self.file}'"
        if words := found.opening():
            raise ModelError(f"{where}: {words}, or draw it by looks= and give mass=, com= and inertia= yourself")
        volume, box = found.moments()[0], float(np.prod(np.ptp(found.points, axis=0)))
        if volume < 0:
            raise ModelError(f"{where}: is inside out: its triangles are clockwise seen from outside; reverse its normals")
        if not volume > THINNEST * box:
            raise ModelError(f"{where}: encloses no volume; give mass=, com= and inertia= yourself, and draw it by looks=")
        return found

    def volume(self) -> float:
        """Volume in m^3."""
        return self._closed().moments()[0]

    def properties(self) -> MassProperties:
        """Mass, centre of mass and inertia in the body frame."""
        volume, centre, second = self._closed().moments()
        mass = self.total_mass()
        return MassProperties(mass, centre, mass / volume * (np.trace(second) * np.eye(3) - second))
