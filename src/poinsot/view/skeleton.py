"""A system as sticks: for every body the points that a line drawing of it goes through."""

from __future__ import annotations

import numpy as np

from poinsot.layout.freeze import Frozen


def sticks(frozen: Frozen) -> list[np.ndarray]:
    """Points (k, 3) in the body frame of every body of the system: its ends, or its joints by way of the centre of mass.

    A body with one joint is drawn from there through its centre of mass and as far beyond, one with more than two as a
    polygon of its joints.
    """
    joints = frozen.layout.joints
    points: list[list[np.ndarray]] = [[] for _ in frozen.layout.bodies]
    floating = {frozen.topology.joint[b] for b in frozen.topology.roots}  # joints that nobody drew
    for k, joint in enumerate(joints):
        if k in floating:
            continue
        points[joint["first"]].append(np.array(joint["first_origin"]))
        points[joint["second"]].append(np.array(joint["second_origin"]))
    drawn = []
    for body, own in zip(frozen.system.bodies, points[1:]):
        com = np.array(body.com)
        if body.ends is not None:
            drawn.append(np.array(body.ends))
        elif len(own) == 1:
            drawn.append(np.array([own[0], 2.0 * com - own[0]]))
        elif len(own) > 2:
            drawn.append(np.array([*own, own[0]]))
        else:
            line = own[:1] if _straight(own, com) else [own[0], com]
            drawn.append(np.array([*line, *own[1:]]) if own else com[None])
    return drawn


def _straight(points: list[np.ndarray], com: np.ndarray) -> bool:
    """Whether two joints and the centre of mass lie on one line."""
    if len(points) != 2:
        return False
    along = points[1] - points[0]
    return bool(np.linalg.norm(np.cross(along, com - points[0])) <= 1e-9 * (1e-300 + along @ along))
