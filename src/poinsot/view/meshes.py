"""Meshes for the page: quantised, packed, each once, with fewer triangles where they need too many bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ModelWarning, warn
from poinsot.model.body import Body
from poinsot.model.mesh import Mesh, Surface
from poinsot.model.shapes import Composite, Shape
from poinsot.view.resample import pack

STEPS = 65535  # of a quantised coordinate, from end to end of a mesh
TEXT = 4 / 3  # characters of base64 per byte
FINEST, COARSEST, COARSER = 1024.0, 4.0, 0.85  # cells along a mesh whose vertices are merged, and how they shrink
LINES = 400  # segments of a line drawing
SHARP = 0.87  # cosine of the angle between triangles beyond which their edge is drawn


def surface_of(mesh: Mesh, where: str = "") -> Surface | None:
    """The triangles of a mesh; None, with a warning, where it cannot be read."""
    try:
        return mesh.surface()
    except ModelError as error:
        warn(f"{where + ': ' if where else ''}{error}; it is not drawn", ModelWarning)
        return None


def warn_of_missing(bodies: Sequence[Body]) -> None:
    """Warn of meshes that pictures cannot show, because they cannot be read."""
    for body in bodies:
        for mesh in meshes_of(body.drawn_shape):
            surface_of(mesh, body.label())


def meshes_of(shape: Shape | None) -> list[Mesh]:
    """The meshes that a shape consists of."""
    if isinstance(shape, Composite):
        return [mesh for part, _, _ in shape.placed() for mesh in meshes_of(part)]
    return [shape] if isinstance(shape, Mesh) else []


def packed_meshes(bodies: list[dict[str, Any]], room: float) -> list[dict[str, Any]]:
    """Replace meshes in the parts of bodies by indices of the meshes returned, which need at most `room` bytes as text.

    Parts whose mesh cannot be read are removed.
    """
    surfaces: dict[Any, Surface | None] = {}
    users: dict[Any, str] = {}
    for body in bodies:
        for part in body["parts"]:
            if part["kind"] == "mesh":
                mesh = part["mesh"]
                key = (mesh.file, mesh.scale)
                if key not in surfaces:
                    surfaces[key], users[key] = surface_of(mesh, f"body '{body['name']}'"), body["name"]
                part["mesh"] = key
        body["parts"] = [part for part in body["parts"] if part["kind"] != "mesh" or surfaces[part["mesh"]] is not None]
    found = {key: surface for key, surface in surfaces.items() if surface is not None}
    whole = sum(_bytes(surface) for surface in found.values())
    if whole > room:
        fewer = {key: coarser(surface, room * _bytes(surface) / whole) for key, surface in found.items()}
        words = ", ".join(f"'{users[key]}' {len(fewer[key].faces)} of {len(found[key].faces)}" for key in list(found)[:6])
        warn(f"meshes are drawn with fewer triangles, so that the page stays small: {words}{', ...' if len(found) > 6 else ''}", ModelWarning)
        found = fewer
    order = list(found)
    for body in bodies:
        for part in body["parts"]:
            if part["kind"] == "mesh":
                colour = found[part["mesh"]].colour
                part["mesh"] = order.index(part["mesh"])
                if colour and "colour" not in part:
                    part["colour"] = colour
    return [_packed(surface) for surface in found.values()]


def _packed(surface: Surface) -> dict[str, Any]:
    low, size = surface.points.min(axis=0), np.ptp(surface.points, axis=0)
    steps = np.round((surface.points - low) / np.where(size > 0, size, 1.0) * STEPS)
    kind = "<u2" if len(surface.points) <= STEPS else "<u4"
    return {"low": low.tolist(), "size": size.tolist(), "points": pack(steps, "<u2"), "faces": pack(surface.faces, kind), "wide": kind == "<u4"}


def _bytes(surface: Surface) -> float:
    """Bytes of a mesh in the page."""
    return TEXT * (6 * len(surface.points) + 3 * len(surface.faces) * (2 if len(surface.points) <= STEPS else 4)) + 200


def coarser(surface: Surface, room: float) -> Surface:
    """The same with vertices in one cell merged, so that it needs no more bytes than this, if possible."""
    size, cells = float(np.ptp(surface.points, axis=0).max()) or 1.0, FINEST
    found = surface
    while _bytes(found) > room and cells > COARSEST:
        found = clustered(surface, size / cells)
        cells *= COARSER
    return found


def clustered(surface: Surface, cell: float) -> Surface:
    """Vertices in one cell (m) become their mean; triangles that collapse, or occur twice, are left out."""
    _, where, count = np.unique(np.floor(surface.points / cell).astype(np.int64), axis=0, return_inverse=True, return_counts=True)
    where = where.reshape(-1)
    points = np.stack([np.bincount(where, surface.points[:, k]) for k in range(3)], axis=1) / count[:, None]
    faces = where[surface.faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    if len(faces):
        faces = faces[np.sort(np.unique(np.sort(faces, axis=1), axis=0, return_index=True)[1])]
    used, again = np.unique(faces, return_inverse=True)
    return Surface(points[used], again.reshape(-1, 3), surface.colour) if len(faces) else surface


def line_drawing(mesh: Mesh) -> list[np.ndarray]:
    """Sharp and open edges of a mesh as lines (2, 3), the longest of them; the box around it where it has none."""
    try:
        surface = mesh.surface()
    except ModelError:  # see `warn_of_missing`
        return []
    a, b, c = np.moveaxis(surface.points[surface.faces], 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    faces = surface.faces
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(faces)), 3)
    unique, where, count = np.unique(edges, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(where.reshape(-1), kind="stable")
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    one, other = owner[order[first]], owner[order[np.minimum(first + 1, len(order) - 1)]]
    sharp = (count != 2) | (np.einsum("ki,ki->k", normals[one], normals[other]) < SHARP)
    chosen = unique[sharp]
    lengths = np.linalg.norm(surface.points[chosen[:, 0]] - surface.points[chosen[:, 1]], axis=1)
    kept = chosen[np.argsort(-lengths, kind="stable")[:LINES]]
    if len(kept):
        return [surface.points[pair] for pair in kept]
    low, high = surface.points.min(axis=0), surface.points.max(axis=0)
    corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    pairs = [(p, p | bit) for p in range(8) for bit in (1, 2, 4) if not p & bit]
    return [corners[list(pair)] for pair in pairs]
