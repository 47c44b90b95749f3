"""Bearing loads: the force of a joint in the plane normal to its axis, seen from the body that carries the bearing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.model.rotation import matrix
from poinsot.results.quantities import Quantity
from poinsot.view.arrows import in_space

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

SUFFIX = "bearing_load"
ALIGNED = 1.0 - 1e-9  # cosine between an axis and a world axis: a greater one is that axis


def has_bearing(joint: Any) -> bool:
    """Whether a joint turns about one axis and carries forces normal to it."""
    axes, motions = dict(joint.axes()), joint.motions()
    turning = [motion for motion in motions if getattr(motion, "rot", 0.0) != 0.0]
    return bool(joint.rows()) and set(axes) == {"axis"} and len(turning) == 1


def bearing_load(run: Trajectory, joint: Any) -> Quantity:
    """The reaction force (n, 2), N, on the second body, normal to the axis, in axes that the first body carries.

    These are parallel to the world in the drawing: two of x, y, z where the axis is the third, otherwise u and v, perpendicular to it.
    """
    names, across = plane_of(np.array(dict(joint.axes())["axis"], float))
    turns = run[joint.first].rotation
    carried = np.einsum("ij,tkj,tk->ti", matrix(joint.first.rotation), turns, in_space(run, run[joint].force))
    name = f"{joint.name}.{SUFFIX}"
    return Quantity(name, run.t, carried @ across.T, names, "N", f"bearing load of {joint.name}, axes of {joint.first.name}")


def plane_of(axis: np.ndarray) -> tuple[tuple[str, str], np.ndarray]:
    """Names and directions (2, 3) of the axes of the plane normal to a unit vector."""
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) > ALIGNED:
        others = [i for i in range(3) if i != k]
        return ("xyz"[others[0]], "xyz"[others[1]]), np.eye(3)[others]
    u = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    u /= np.linalg.norm(u)
    return ("u", "v"), np.stack([u, np.cross(axis, u)])
