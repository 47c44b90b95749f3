"""Bodies welded together by joints without motions. They move as one body, so only the group as a whole needs mass and inertia.

A formulation that inverts the inertia of every single body gives each body of a group an equal share of the total mass and inertia,
at the common centre of mass (`shares`). The motion of the group is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.model.joint import Joint
from poinsot.tables.records import Layout

FLAT = 1e-13  # relative to the largest principal inertia: smaller ones count as zero


def find(leader: list[int], k: int) -> int:
    """Representative of the group of k (union-find)."""
    while leader[k] != k:
        leader[k] = leader[leader[k]]
        k = leader[k]
    return k


def full(six: np.ndarray) -> np.ndarray:
    """Symmetric 3x3 matrices from (xx, yy, zz, xy, xz, yz)."""
    return np.asarray(six)[..., [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]


def lacks_inertia(mass: float, inertia: np.ndarray) -> bool:
    """Whether a mass (kg) and an inertia (6 numbers, kg m^2) leave some force or moment without inertial resistance."""
    principal = np.linalg.eigvalsh(full(inertia))
    return bool(mass <= 0 or principal[0] <= FLAT * max(principal[2], 0.0))


def weld_groups(bodies: int, ends: Sequence[tuple[int, int]], joints: Sequence[Joint]) -> list[int]:
    """Group of every body (the ground is 0): the smallest number among the bodies welded to it, directly or indirectly."""
    leader = list(range(bodies))
    for (a, b), joint in zip(ends, joints):
        if not joint.motions():
            a, b = find(leader, a), find(leader, b)
            leader[max(a, b)] = min(a, b)
    return [find(leader, k) for k in range(bodies)]


@dataclass(frozen=True)
class Shares:
    """Mass (n), centre of mass (n, 3) and inertia about it (n, 3, 3) of all bodies, the ground first, in their own frames.

    Attributes
    ----------
    shared : bodies that have a share of their group's mass and inertia instead of their own
    lacking : bodies that lack mass or inertia even then
    """

    mass: np.ndarray
    com: np.ndarray
    inertia: np.ndarray
    shared: np.ndarray
    lacking: np.ndarray


def lack(mass: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Which bodies lack mass (n) or inertia (n, 3, 3)."""
    principal = np.linalg.eigvalsh(inertia)
    found: np.ndarray = (mass <= 0) | (principal[:, 0] <= FLAT * np.maximum(principal[:, 2], 0.0))
    return found


def shares(layout: Layout, joints: Sequence[Joint]) -> Shares:
    """Invertible mass properties: welded bodies get equal shares where one of them lacks mass or inertia."""
    bodies, n = layout.bodies, len(layout.bodies)
    mass, com, inertia = bodies["mass"].copy(), bodies["com"].copy(), full(bodies["inertia"]).copy()
    lacking = (np.arange(n) > 0) & lack(mass, inertia)
    shared = np.zeros(n, bool)
    if not lacking.any():
        return Shares(mass, com, inertia, shared, lacking)
    ends = [(int(a), int(b)) for a, b in zip(layout.joints["first"], layout.joints["second"])][: len(joints)]
    group = np.array(weld_groups(n, ends, joints))
    for label in np.unique(group[lacking]):
        members = np.flatnonzero((group == label) & (np.arange(n) > 0))
        places = _places(layout, joints, int(members[0]), set(members.tolist()))
        total, centre, tensor = _sum(bodies, places)
        if label == 0:  # welded to the ground, so it does not move
            total, tensor = max(total, 1.0), tensor + np.eye(3) * max(float(np.abs(tensor).max()), 1.0)
        if lacks_inertia(total, tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]):
            continue
        for b in members:
            R, p = places[int(b)]
            mass[b], com[b], inertia[b] = (
                total / len(members),
                R.T @ (centre - p),
                R.T @ tensor @ R / len(members),
            )
        shared[members], lacking[members] = True, False
    return Shares(mass, com, inertia, shared, lacking)


def _places(layout: Layout, joints: Sequence[Joint], root: int, members: set[int]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Axes and origins of welded bodies, relative to one of them."""
    places = {root: (np.eye(3), np.zeros(3))}
    grown = True
    while grown:
        grown = False
        for table, joint in zip(layout.joints, joints):
            a, b = int(table["first"]), int(table["second"])
            if joint.motions() or not {a, b} <= members or (a in places) == (b in places):
                continue
            turn = table["first_rotation"] @ table["second_rotation"].T  # axes of the second body relative to the first
            arm = table["first_origin"] - turn @ table["second_origin"]
            if a in places:
                R, p = places[a]
                places[b] = R @ turn, p + R @ arm
            else:
                R, p = places[b]
                places[a] = R @ turn.T, p - R @ turn.T @ arm
            grown = True
    for b in members - set(places):  # connected through the ground
        places[b] = np.eye(3), np.zeros(3)
    return places


def _sum(bodies: np.ndarray, places: dict[int, tuple[np.ndarray, np.ndarray]]) -> tuple[float, np.ndarray, np.ndarray]:
    """Total mass, centre of mass and inertia about it of welded bodies."""
    total = sum(float(bodies["mass"][b]) for b in places)
    points = {b: p + R @ bodies["com"][b] for b, (R, p) in places.items()}
    centre = sum((bodies["mass"][b] * x for b, x in points.items()), np.zeros(3)) / total if total > 0 else np.zeros(3)
    tensor = np.zeros((3, 3))
    for b, (R, _) in places.items():
        r = points[b] - centre
        tensor += R @ full(bodies["inertia"][b]) @ R.T + bodies["mass"][b] * ((r @ r) * np.eye(3) - np.outer(r, r))
    return total, centre, tensor
