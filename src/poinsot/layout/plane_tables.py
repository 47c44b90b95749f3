"""Tables of planar trees: all joints turn about one direction, the normal, or slide perpendicular to it.

Such a tree moves parallel to a plane whatever acts on it, so that three coordinates per body describe it. Axes of the plane are two directions
and the normal; where all joint coordinates are zero the axes of every link are parallel to them.
"""

from __future__ import annotations

import numpy as np

from poinsot.layout.links import Links
from poinsot.layout.weights import Matrix, Row, times
from poinsot.model.joint import perpendicular
from poinsot.tables.records import HELICAL, ON_LOADS, ON_MOTION, PLANE_BODY, PLANE_LINK

PARALLEL = 1e-14  # rad: axes that differ by more than rounding errors are those of a spatial tree


def normal_of(links: Links) -> np.ndarray | None:
    """The normal of a planar tree, a unit vector in the world of the drawing; None where the tree is not planar."""
    table = links.links[1:]
    if not len(table) or (table["kind"] != HELICAL).any() or ((table["rot"] != 0.0) & (table["lin"] != 0.0)).any():
        return None
    axes, turns = links.axes[1:, :, 2], table["rot"] != 0.0
    if turns.any():
        normal = axes[np.argmax(turns)]
    else:
        normal = np.linalg.svd(axes)[2][2]
    across = np.linalg.norm(np.cross(axes[turns], normal), axis=1)
    along = np.abs(axes[~turns] @ normal)
    return normal if max(across.max(initial=0.0), along.max(initial=0.0)) <= PARALLEL else None


def plane_tables(links: Links, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tables of links and bodies of a planar tree, both empty where the tree is spatial; `seen`: for every body whether loads need its state."""
    normal = normal_of(links)
    if normal is None:
        return np.zeros(0, PLANE_LINK), np.zeros(0, PLANE_BODY)
    axes, table, given = _inward(normal) @ links.axes, np.zeros(len(links.links), PLANE_LINK), links.links
    for name in ("parent", "slot", "opens"):
        table[name] = given[name]
    offset = np.einsum("lij,lj->li", axes[given["parent"]], given["origin"])
    table["offset"] = offset[:, :2]
    table["turn"] = given["rot"] * np.sign(axes[:, 2, 2])
    table["slide"] = np.where(given["rot"] == 0.0, given["lin"], 0.0)[:, None] * axes[:, :2, 2]
    weigh(table, given, axes)
    return table, _bodies(links, axes, offset[:, 2], seen)


def plane_axes(links: Links) -> np.ndarray:
    """Axes of all links of a planar tree in those of its plane, columns."""
    normal = normal_of(links)
    assert normal is not None
    return _inward(normal) @ links.axes


def _inward(normal: np.ndarray) -> np.ndarray:
    """From the world of the drawing to axes of the plane."""
    return np.array([*perpendicular((normal[0], normal[1], normal[2])), normal])


def weigh(table: np.ndarray, links: np.ndarray, axes: np.ndarray) -> None:
    """Fill in masses and inertias from the table of links, of one system or of several: the last axis of both counts the links."""
    table["mass"] = links["mass"]
    table["moment"] = times(axes, links["moment"])[..., :2]
    x, y, z = (axes[:, 2, k] for k in range(3))  # the normal in link axes
    xx, yy, zz, xy, xz, yz = (links["inertia"][..., k] for k in range(6))
    table["inertia"] = xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z)


def weigh_link(record: np.ndarray, mass: float, moment: Row, inertia: Row, axes: Matrix) -> None:
    """The same for one link, with numbers of Python, which is faster."""
    (xx, yy, zz, xy, xz, yz), (x, y, z) = inertia, axes[2]
    u, v, w = moment
    record["mass"], record["moment"] = mass, tuple(row[0] * u + row[1] * v + row[2] * w for row in axes[:2])
    record["inertia"] = xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z)


def _bodies(links: Links, axes: np.ndarray, rises: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The table of bodies; `axes` of all links in the plane, `rises`: heights of their origins above those of their parents."""
    height = rises.tolist()
    for i, parent in enumerate(links.links["parent"].tolist()):
        height[i] = height[i] + height[parent] if i else 0.0
    table, bodies = np.zeros(len(links.bodies), PLANE_BODY), links.bodies
    link = bodies["link"]
    table["link"], table["seen"] = link, seen
    table["rotation"] = axes[link] @ bodies["rotation"]
    table["origin"] = np.einsum("bij,bj->bi", axes[link], bodies["origin"])
    table["origin"][:, 2] += np.array(height)[link]
    table["com"] = table["origin"] + np.einsum("bij,bj->bi", table["rotation"], bodies["com"])
    return table


def seen_by_loads(loads: np.ndarray, members: np.ndarray, joints: np.ndarray, motions: np.ndarray, bodies: int) -> np.ndarray:
    """For every body whether loads need its state in the world."""
    seen = np.zeros(bodies, np.int64)
    seen[0] = 1
    acts = loads["acts"]
    if (acts == ON_LOADS).any():
        seen[:] = 1
    for load in loads[acts != ON_MOTION]:
        seen[[load["first"], load["second"], *members[load["item"] : load["item"] + load["items"]]]] = 1
    moved = motions[loads["motion"][acts == ON_MOTION]]
    for joint in joints[moved["joint"][moved["link"] < 0]]:
        seen[[joint["first"], joint["second"]]] = 1
    return seen
