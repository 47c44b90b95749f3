"""Marks of joints as solids, as the page draws them (`web/marks.js`): pins, balls, blocks, collars, rails, feet on the ground."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.view.solids import Solid, ball, placed, towards, tube

Mark = tuple[int, Solid]  # index of the body that it is fixed to, 0 the ground, and the solid in its frame
Bar = tuple[tuple[int, int], tuple[np.ndarray, np.ndarray], float]  # two bodies, a point (3,) of each in its frame, radius; m

PINS = {  # of joints by their drawing: on the first body (0) or the second, along which axis, radius and length relative to the mark
    "revolute": ((0, "axis", 1.0, 3.0),),
    "universal": ((0, "axis", 0.6, 3.6), (1, "axis2", 0.6, 3.6)),
    "planar": ((0, "axis", 2.2, 0.4),),
}


def marks(scene: dict[str, Any], turns: np.ndarray) -> list[Mark]:
    """The marks of all joints of a scene (`scene.describe`) on bodies whose rotations (n, 3, 3) at the start are given, the ground first."""
    found: list[Mark] = []
    for joint in scene["joints"]:
        found += _joint(joint, turns, scene["mark"])
        if "leans" in joint and "range" not in joint:
            found += _foot(joint, np.array(scene["up"]), scene["mark"])
    return found


def bars(scene: dict[str, Any]) -> list[Bar]:
    """What is drawn as a bar between two bodies: distances, and slides between bodies that both move."""
    mark = scene["mark"]
    spans = [(tie["bodies"], tie["points"], 0.45 * mark) for tie in scene["ties"] if not tie["spring"]]
    spans += [
        (joint["bodies"], (joint["rail"], joint["points"][1]), 0.6 * mark) for joint in scene["joints"] if "range" in joint and joint["bodies"][0]
    ]
    return [((a, b), (np.array(p), np.array(q)), radius) for (a, b), (p, q), radius in spans]


def _joint(joint: dict[str, Any], turns: np.ndarray, mark: float) -> list[Mark]:
    (first, second), (pa, pb) = joint["bodies"], (np.array(p) for p in joint["points"])
    kind, r = joint["kind"], joint["radius"]
    axis = np.array(joint["axis"]) if "axis" in joint else None
    if axis is not None and "range" in joint:
        size, seen = min(r, 1.3 * mark), turns[second].T @ turns[first] @ axis
        block: Solid = {"kind": "box", "size": [2.6 * size, 2.6 * size, 5.0 * size]}
        collar = placed(block, pb, towards(seen)) if kind == "prismatic" else _pin(pb, seen, 1.5 * size, 5.0 * size)
        low, high = joint["range"]
        rail = [(0, _pin(pa + 0.5 * (low + high) * axis, axis, 0.6 * mark, high - low + 16.0 * mark))] if first == 0 else []
        return [(second, collar), *rail]
    pins = PINS.get(kind, ())
    if pins and all(name in joint for _, name, _, _ in pins):
        own = ((first, pa), (second, pb))
        return [(own[end][0], _pin(own[end][1], np.array(joint[name]), radius * r, length * r)) for end, name, radius, length in pins]
    if kind == "spherical":
        return [(second, ball(pb, 1.25 * r))]
    if kind == "fixed":
        return [(first, placed({"kind": "box", "size": [1.6 * r] * 3}, pa, np.eye(3)))]
    return [(first, ball(pa, 0.9 * r)), (second, ball(pb, 0.9 * r))]


def _pin(at: np.ndarray, axis: np.ndarray, radius: float, length: float) -> Solid:
    return tube(at - 0.5 * length * axis, at + 0.5 * length * axis, radius)


def _foot(joint: dict[str, Any], up: np.ndarray, mark: float) -> list[Mark]:
    """A pyramid on a plate, below or above a joint of the ground: on the side away from the body."""
    at, leans = np.array(joint["points"][0 if joint["bodies"][0] == 0 else 1]), np.array(joint["leans"])
    side = max(mark, 0.7 * joint["radius"])
    away = -up if leans @ up < -0.05 * np.linalg.norm(leans) else up
    turn = towards(away)
    pyramid: Solid = {"kind": "pyramid", "size": [3.0 * side, 3.0 * side, 3.0 * side]}
    plate: Solid = {"kind": "box", "size": [5.0 * side, 5.0 * side, 0.6 * side]}
    return [(0, placed(pyramid, at, turn)), (0, placed(plate, at - 3.2 * side * away, turn))]
