"""Mesh geoms of a MuJoCo model as looks: the files of their meshes, where they are in the frames of the geoms.

MuJoCo moves the vertices of a file: v becomes w = Q' (S R' (v - r) - c), with the reference point r and orientation R of the mesh, its scales
S, and the centre c and principal axes Q of its inertia, by which the geom is then placed. A look has the scales first.
"""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError
from poinsot.files.mjcf.source import Source
from poinsot.model.mesh import Mesh
from poinsot.model.rotation import matrix, quaternion
from poinsot.model.shapes import Shape

UNREADABLE = "meshes that cannot be drawn"


def mesh_look(source: Source, g: int) -> list[tuple[Shape, np.ndarray, np.ndarray]]:
    """The mesh of a geom with its position (3,) and orientation (3, 3) in the geom's frame; nothing, and a note, where it cannot be drawn."""
    model, k = source.model, int(source.model.geom_dataid[g])
    label = source.name("geom", g) or f"geom {g}"
    name = source.name("mesh", k) if k >= 0 else ""
    given = source.meshes_given.get(name)
    if given is None or given.file is None:
        source.notes.leave("meshes without a file are not drawn", name or label)
        return []
    turned, even = not np.array_equal(given.turn, np.eye(3)), len(set(given.scale)) == 1
    if turned and not even:
        source.notes.leave(f"{UNREADABLE}: refquat with different scales", name)
        return []
    try:
        found = Mesh(str(given.file), given.scale[0] if even and given.scale[0] > 0 else given.scale)
        found.surface()
    except ModelError as error:
        source.notes.leave(f"{UNREADABLE}: {error}", label)
        return []
    axes = matrix(quaternion(model.mesh_quat[k] / np.linalg.norm(model.mesh_quat[k]), "MuJoCo's quaternion"))
    origin = -(given.turn.T @ given.origin) * given.scale
    return [(found, axes.T @ (origin - model.mesh_pos[k]), axes.T @ given.turn.T)]
