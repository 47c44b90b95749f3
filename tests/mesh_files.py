"""Mesh files, written by hand: what they contain is known without the reader."""

import struct

import numpy as np

CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]  # counterclockwise from outside
TRIANGLES = np.array([t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))])
TETRAHEDRON = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
ITS_FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def box(x, y, z, at=(0.0, 0.0, 0.0)):
    """Vertices of a cuboid with its lowest corner at a point, and triangles."""
    return CUBE * (x, y, z) + at, TRIANGLES


def sphere(n, radius=1.0):
    """A ball of latitudes and longitudes: vertices on the sphere."""
    points, faces = [(0.0, 0.0, radius)], []
    for i in range(1, n):
        for j in range(2 * n):
            a, b = np.pi * i / n, np.pi * j / n
            points.append((radius * np.sin(a) * np.cos(b), radius * np.sin(a) * np.sin(b), radius * np.cos(a)))
    points.append((0.0, 0.0, -radius))

    def at(i, j):
        return 0 if i == 0 else len(points) - 1 if i == n else 1 + (i - 1) * 2 * n + j % (2 * n)

    for i in range(n):
        for j in range(2 * n):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            faces += [(a, b, c)] * (b != c) + [(a, c, d)] * (a != d)
    return np.array(points), np.array(faces)


def stl(path, points, faces):
    """Binary .stl."""
    with open(path, "wb") as file:
        file.write(b"\0" * 80 + struct.pack("<I", len(faces)))
        for face in faces:
            file.write(struct.pack("<12fH", 0, 0, 0, *points[face].ravel(), 0))
    return path


def ascii_stl(path, points, faces):
    lines = ["solid part"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points[face]), "endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid part\n"]))
    return path


def obj(path, points, faces):
    path.write_text("".join(f"v {x:.17g} {y:.17g} {z:.17g}\n" for x, y, z in points) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))
    return path


def glb(path, points, faces, colour=None):
    import trimesh

    mesh = trimesh.Trimesh(points, faces, process=False)
    if colour is not None:
        mesh.visual = trimesh.visual.TextureVisuals(material=trimesh.visual.material.PBRMaterial(baseColorFactor=colour))
    mesh.export(path)
    return path
