"""Which systems move parallel to a plane as kernels in the plane take it, and the tables of those."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.formulations.absolute.tables import place_rows
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import COINCIDE, DISTANCE, DOT, PLANE_FRAME, SLIDE, Layout

SPATIAL, AS_ASKED = "spatial", "as was asked for"  # the option of formulations with which kernels are in space, and why they are
ALIGNED = 1e-13  # rad, or of a unit vector: axes that differ by more than rounding errors are different
PLANE_KINDS = (COINCIDE, SLIDE, DOT, DISTANCE)
IN_PLANE, ACROSS, MIXED = 0, 1, 2  # what a row holds: motion in the plane, motion out of it, or both


class Axes(NamedTuple):
    """World axes of the plane (first, second) and its normal; where no joint is displaced, the directors (n, 3, 3) of all bodies in the world."""

    first: int
    second: int
    normal: int
    directors: np.ndarray

    def body(self, vectors: np.ndarray, bodies: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """Vectors (m, 3) in director axes of some bodies, in axes of the plane that turn with the body, third number along the normal."""
        a, b, c = (np.take_along_axis(vectors, frames[name][bodies][:, None], 1)[:, 0] for name in ("first", "second", "third"))
        return np.stack([a, frames["sense"][bodies] * b, frames["sense"][bodies] * c], axis=1)


def why_spatial(frozen: Frozen, layout: Layout) -> str:
    """Why a system, with all tables of bodies in absolute coordinates, is not computed in its plane; empty where it is."""
    if not len(layout.plane_links):
        return "its joints do not all turn about one direction or slide across it"
    if frozen.system.drives:
        return f"{frozen.system.drives[0].label()} is a drive"
    other = ~np.isin(np.concatenate([layout.terms, layout.left_out])["kind"], PLANE_KINDS)
    if other.any():
        joint = int(np.concatenate([layout.terms, layout.left_out])["joint"][other][0])
        return f"{frozen.owners[joint].label()} has constraints that are not quadratic in positions and directors"
    normal = layout.plane_bodies["rotation"][0, 2]
    if np.sort(np.abs(normal))[1] > ALIGNED:
        return "the plane is not perpendicular to an axis of the world"
    axes = axes_of(layout)
    frames = plane_frames(layout, axes)
    along = np.abs(axes.directors[:, axes.normal, :])
    tilted = np.flatnonzero(np.sort(along[1:], axis=1)[:, 1] > ALIGNED)
    if len(tilted):
        return f"body '{frozen.system.bodies[tilted[0]].name}': the normal of the plane is not one of its principal axes of inertia"
    if (without := lacks_inertia(frames)).any():
        return f"body '{frozen.system.bodies[int(np.argmax(without))].name}' has no inertia about the normal of the plane"
    holds, left = (what_rows_hold(table, frames, axes) for table in (layout.terms, layout.left_out))
    if (holds == MIXED).any():
        joint = int(layout.terms["joint"][holds == MIXED][0])
        return f"{frozen.owners[joint].label()} has constraints that act neither in the plane nor perpendicular to it"
    if (left != ACROSS).any():
        return f"{frozen.owners[int(layout.left_out['joint'][left != ACROSS][0])].label()} has redundant constraints in the plane"
    if not (holds == IN_PLANE).any():
        return "no constraint acts in the plane"
    if np.count_nonzero(holds == ACROSS) < 3 * (len(layout.bodies) - 1):  # more: redundant ones are not known yet
        return "constraints in use do not hold every body in the plane"
    return ""


def which_kernels(layout: Layout, why: str) -> str:
    """What a formulation says of its kernels; `why` they are in space, or nothing where they are not."""
    if not why:
        return "in the plane"
    return f"in space, {why}" if len(layout.plane_links) else ""


def axes_of(layout: Layout) -> Axes:
    """Axes of a plane that is perpendicular to a world axis."""
    rotation = layout.plane_bodies["rotation"]
    normal = int(np.argmax(np.abs(rotation[0, 2])))
    directors = rotation[0].T @ rotation @ layout.frames["axes"]
    return Axes((normal + 1) % 3, (normal + 2) % 3, normal, directors)


def plane_frames(layout: Layout, axes: Axes) -> np.ndarray:
    """Bodies in the plane; of the ground the axes of the plane."""
    table, along = np.zeros(len(layout.bodies), PLANE_FRAME), axes.directors[:, axes.normal, :]
    third = np.argmax(np.abs(along), axis=1)
    table["first"], table["second"], table["third"] = (third + 1) % 3, (third + 2) % 3, third
    table["sense"] = np.sign(np.take_along_axis(along, third[:, None], 1)[:, 0])
    weigh(table, layout.frames)
    ground = np.eye(3)[[axes.first, axes.second, axes.normal]]  # its directors are the world axes
    assert np.array_equal(layout.frames["axes"][0], np.eye(3)) and np.linalg.det(ground) > 0.0
    return table


def weigh(table: np.ndarray, frames: np.ndarray) -> None:
    """Fill masses of bodies in the plane and inertias about its normal."""
    body = np.arange(len(frames))
    table["mass"] = frames["mass"]
    table["inertia"] = frames["euler"][body, table["first"]] + frames["euler"][body, table["second"]]


def with_plane_frames(layout: Layout, plane: np.ndarray) -> np.ndarray:
    """The table of bodies with what kernels in the plane read of them."""
    frames = layout.frames.copy()
    frames["plane"] = plane
    return frames


def reweighed(layout: Layout) -> Layout | None:
    """The complete layout of a planar system whose bodies have other masses in the same frames; None where one has no inertia about the normal."""
    frames = layout.frames["plane"]
    weigh(frames, layout.frames)
    return None if lacks_inertia(frames).any() else layout


def lacks_inertia(frames: np.ndarray) -> np.ndarray:
    """Which bodies, other than the ground, have no inertia about the normal of the plane."""
    return frames["inertia"][1:] <= 0.0


def what_rows_hold(table: np.ndarray, frames: np.ndarray, axes: Axes) -> np.ndarray:
    """IN_PLANE, ACROSS or MIXED for every scalar. A distance counts as in the plane: joints hold its bodies against what it does across it."""
    found = np.full(len(table), IN_PLANE)
    turned = in_plane(table, frames, axes, np.zeros(len(frames)))
    flat = {name: np.linalg.norm(turned[name][:, :2], axis=1) > ALIGNED for name in ("a", "b")}
    high = {name: np.abs(turned[name][:, 2]) > ALIGNED for name in ("a", "b")}
    along, dot = np.isin(table["kind"], (COINCIDE, SLIDE)), table["kind"] == DOT
    across = (along & ~flat["a"]) | (dot & ~(flat["a"] & flat["b"]))
    mixed = ~across & ((along & high["a"]) | (dot & (high["a"] | high["b"])))
    found[across], found[mixed] = ACROSS, MIXED
    return found


def in_plane(table: np.ndarray, frames: np.ndarray, axes: Axes, height: np.ndarray) -> np.ndarray:
    """Scalars with directions and points in the axes of the plane; `height` of all centres of mass above the world's origin."""
    new = table.copy()
    world = table["kind"] == COINCIDE
    for side, names in (("first", ("a", "a2", "first_point")), ("second", ("b", "b2", "second_point"))):
        for name in names:
            new[name] = axes.body(table[name], table[side], frames)
        new[f"{side}_point"][:, 2] += height[table[side]]
    new["a"][world] = table["a"][world][:, [axes.first, axes.second, axes.normal]]
    return new


def heights(layout: Layout, axes: Axes) -> np.ndarray:
    """Of all centres of mass along the normal, m."""
    bodies = layout.plane_bodies
    high = bodies["origin"][:, 2] + np.einsum("bj,bj->b", bodies["rotation"][:, 2], layout.frames["com"])
    return high * np.sign(bodies["rotation"][0, 2, axes.normal])


def with_plane(layout: Layout) -> Layout:
    """The layout of a planar system with tables in the plane: bodies, rows in the plane, and their pattern behind that of all rows."""
    axes = axes_of(layout)
    frames = plane_frames(layout, axes)
    used = what_rows_hold(layout.terms, frames, axes) == IN_PLANE
    table = layout.terms[used]
    table["row"] = table["number"]
    others = set(range(len(layout.rows))) - set(table["row"].tolist())
    table, pattern = place_rows(layout, table, others)
    table = in_plane(table, frames, axes, heights(layout, axes))
    table["point"] = points(table)
    bodies = layout.plane_bodies.copy()
    bodies["link"] = np.arange(len(bodies))
    return layout._replace(
        frames=with_plane_frames(layout, frames), plane_bodies=bodies, plane_scalars=table, pattern=np.concatenate([layout.pattern, pattern.numbers])
    )


def points(table: np.ndarray) -> np.ndarray:
    """Whether a scalar is the first of two that let two points of the plane coincide, along both its axes: kernels take them together."""
    found = np.zeros(len(table), np.int64)
    along = [(table["kind"] == COINCIDE) & (table["a"][:, :2] == axis).all(axis=1) for axis in np.eye(2)]
    for k in range(len(table) - 1):
        same = table["joint"][k] == table["joint"][k + 1] and table["row"][k] // 3 == table["row"][k + 1] // 3
        found[k] = same and table["row"][k + 1] == table["row"][k] + 1 and along[0][k] and along[1][k + 1]
    return found
