"""A system as sticks: the points of a line drawing of every body; and springs and distances between bodies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from poinsot.layout.freeze import Frozen
from poinsot.model.body import Body
from poinsot.model.joint import Translation
from poinsot.model.mesh import Mesh
from poinsot.model.shapes import Box, Composite, Cylinder, Disc, Rod, Shape
from poinsot.view.meshes import line_drawing

COIL, BAR = "coil", "bar"  # how an element may say that it is drawn between its ends
SAME = 1e-9  # of the size of a body: points nearer to each other, or to a line, are one, or on it
GAP = np.full((1, 3), np.nan)  # where the pen is lifted
ROUND = np.linspace(0.0, 2.0 * np.pi, 25)  # rad


class Stick(NamedTuple):
    """Points (k, 3) in the body frame, rows of NaN between separate lines; `outline`: it shows the shape, not the joints."""

    points: np.ndarray
    outline: bool = False


class Tie(NamedTuple):
    """A spring or a distance between points of two bodies (their indices, 0 the ground) in their frames."""

    bodies: tuple[int, int]
    points: tuple[np.ndarray, np.ndarray]
    spring: bool


def sticks(frozen: Frozen) -> list[Stick]:
    """The lines of every body of the system, between its joints and ends.

    Points in a row become one line, two joints are connected through the centre of mass, three and more become a
    polygon, or spokes from the centre of mass when they are not coplanar. A body with one joint is drawn from there
    through its centre of mass and as far beyond; one that is held at its centre, or not at all, is drawn by its shape.
    """
    joints = frozen.layout.joints
    points: list[list[np.ndarray]] = [[] for _ in frozen.layout.bodies]
    floating = {frozen.topology.joint[b] for b in frozen.topology.roots}  # joints that are not in the drawing
    for k, joint in enumerate(joints):
        if k in floating:
            continue
        points[joint["first"]].append(np.array(joint["first_origin"]))
        points[joint["second"]].append(np.array(joint["second_origin"]))
    return [_stick(body, own) for body, own in zip(frozen.system.bodies, points[1:])]


def pinned(frozen: Frozen) -> np.ndarray:
    """World points (k, 3) where joints that do not slide connect bodies to the ground."""
    points = []
    for joint in frozen.system.joints:
        slides = any(getattr(motion, "lin", 0.0) != 0 or isinstance(motion, Translation) for motion in joint.motions())
        if frozen.system.ground in (joint.first, joint.second) and not slides:
            points.append(np.array(joint.first_at if joint.first is frozen.system.ground else joint.second_at))
    return np.array(_distinct(points)).reshape(-1, 3)


def ties(frozen: Frozen) -> list[Tie]:
    """What is drawn as a line between two points: springs and distances."""
    index, found = frozen.topology.index, []
    elements: list[Any] = [*frozen.system.loads, *frozen.system.constraints]
    for element in elements:
        if element.drawn in (COIL, BAR):
            ends = [body.local(p) for body, p in zip(element.bodies(), element.ends)]
            first, second = (index[body] for body in element.bodies())
            found.append(Tie((first, second), (ends[0], ends[1]), element.drawn == COIL))
    return found


def _stick(body: Body, joints: list[np.ndarray]) -> Stick:
    com = np.array(body.com)
    ends = [] if body.ends is None else [np.array(end) for end in body.ends]
    points = _distinct([*ends, *joints])
    size = max((float(np.linalg.norm(p - com)) for p in points), default=0.0)
    if len(points) < 2:
        shape = outline(body.drawn_shape) if body.drawn_shape is not None else []
        reach = max((float(np.linalg.norm(line - com, axis=1).max()) for line in shape), default=0.0)
        if shape and size <= 0.5 * reach:
            return Stick(np.concatenate([part for line in shape for part in (GAP, line)][1:]), True)
    if size == 0.0:
        return Stick(com[None])
    if len(points) == 1:
        return Stick(np.array([points[0], 2.0 * com - points[0]]))
    middle = np.mean(points, axis=0)
    _, spread, axes = np.linalg.svd(np.array(points) - middle)
    rank = int(np.sum(spread > SAME * size))
    if rank == 1:
        along = [float((p - middle) @ axes[0]) for p in points]
        line = [points[int(np.argmin(along))], points[int(np.argmax(along))]]
        off = np.linalg.norm(np.cross(axes[0], com - middle)) > SAME * size
        return Stick(np.array([line[0], com, line[1]] if off and not ends and len(points) == 2 else line))
    if rank == 2:
        around = [float(np.arctan2((p - middle) @ axes[1], (p - middle) @ axes[0])) for p in points]
        ring = [points[k] for k in np.argsort(around)]
        return Stick(np.array([*ring, ring[0]]))
    return Stick(np.array([q for p in points for q in (com, p)]))


def _distinct(points: list[np.ndarray]) -> list[np.ndarray]:
    """Points without duplicates."""
    size = max((float(np.linalg.norm(p)) for p in points), default=0.0)
    found: list[np.ndarray] = []
    for p in points:
        if all(np.linalg.norm(p - q) > SAME * size for q in found):
            found.append(p)
    return found


def outline(shape: Shape) -> list[np.ndarray]:
    """Lines (k, 3) in the body frame that show a shape; a ball has none."""
    if isinstance(shape, Composite):
        return [line @ R.T + place for part, place, R in shape.placed() for line in outline(part)]
    if isinstance(shape, Mesh):
        return line_drawing(shape)
    if isinstance(shape, Rod):
        half = 0.5 * (shape.length or 0.0)
        return [np.array([(-half, 0.0, 0.0), (half, 0.0, 0.0)])]
    if isinstance(shape, Box):
        u, v = np.array([-1, 1, 1, -1, -1.0]), np.array([-1, -1, 1, 1, -1.0])
        faces = [np.stack([u, v, np.full(5, w)], axis=1) for w in (-1.0, 1.0)]
        edges = [np.array([(a, b, -1.0), (a, b, 1.0)]) for a in (-1.0, 1.0) for b in (-1.0, 1.0)]
        return [0.5 * np.array([shape.x, shape.y, shape.z]) * line for line in (*faces, *edges)]
    if isinstance(shape, Cylinder | Disc):
        long = shape.length if isinstance(shape, Cylinder) else shape.thickness
        k = "xyz".index(shape.axis)
        ring = shape.radius * np.stack([np.cos(ROUND), np.sin(ROUND), 0.0 * ROUND], axis=1)
        rims = [ring + (0.0, 0.0, w) for w in ((-0.5 * long, 0.5 * long) if long > 0 else (0.0,))]
        across = np.array([rims[0][0], -rims[0][0] * (1, 1, -1)])  # a diameter, to make its rotation visible
        return [np.roll(line, k + 1, axis=1) for line in (*rims, across)]
    return []
