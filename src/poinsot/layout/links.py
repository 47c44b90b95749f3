"""From bodies and joints to links: every elementary motion carries one, with its frame oriented for an accurate recursion.

All joint frames are parallel to the world in the drawing, so the axes A of a link, given in its joint frame, are also
its axes in the world of the drawing, and everything here is computed there, for all links at once.

A link's origin is its joint's point. Its z axis is the axis of a helical motion; for a ball it points along the
offset to the heaviest child, or, at a leaf, along the smallest principal axis: the elimination of a ball leaves -[d]
M [d], whose null vector d would otherwise be spoilt by rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.layout.topology import Topology
from poinsot.model.body import Body
from poinsot.model.joint import Ball, Helical, perpendicular
from poinsot.model.rotation import matrices
from poinsot.tables.records import BALL, BODY, COORDINATES, HELICAL, LINK, RATES, TRANSLATION


@dataclass(frozen=True)
class Links:
    """Tables of bodies and links, and for every motion of a tree joint (joint, position in it) its link and axes."""

    bodies: np.ndarray
    links: np.ndarray
    of_motion: dict[tuple[int, int], int]
    axes: np.ndarray  # (n_links, 3, 3), columns the link's axes in the world of the drawing
    slots: int  # largest number of sums over children that are open at one time


def build_links(drawn: list[Body], topology: Topology) -> Links:
    """Sequence of links along the spanning tree; fixed joints merge their body into the parent's link. `drawn`: all bodies, the ground first."""
    n = len(drawn)
    link_of, shift = [0] * n, np.zeros((n, 3))
    parent, kind, rot, lin, axis = [0], [TRANSLATION], [0.0], [0.0], [(0.0, 0.0, 1.0)]
    on_parent, origin = [(0.0, 0.0, 0.0)], [(0.0, 0.0, 0.0)]
    carrier = [0]  # body whose shift applies to the point on the parent; 0: none
    of_motion: dict[tuple[int, int], int] = {}
    for b in topology.order:
        j = topology.joint[b]
        joint, outward = topology.joints[j], topology.direction[b] == 1
        near, far = (joint.first_at, joint.second_at) if outward else (joint.second_at, joint.first_at)
        motions = list(enumerate(joint.motions()))
        top = topology.parent[b]
        link_of[b] = link_of[top]
        if not motions:
            shift[b] = shift[top] + np.subtract(near, far)
        for step, (k, motion) in enumerate(motions if outward else reversed(motions)):
            parent.append(link_of[b])
            helical = isinstance(motion, Helical)
            kind.append(HELICAL if helical else BALL if isinstance(motion, Ball) else TRANSLATION)
            rot.append(motion.rot if isinstance(motion, Helical) else 0.0)
            lin.append(motion.lin if isinstance(motion, Helical) else 0.0)
            axis.append(motion.axis if isinstance(motion, Helical) else (0.0, 0.0, 1.0))
            on_parent.append(near if step == 0 else far)
            carrier.append(top if step == 0 else 0)
            origin.append(far)
            link_of[b] = len(parent) - 1
            of_motion[j, k] = link_of[b]
    links = np.zeros(len(parent), LINK)
    links["parent"], links["kind"], links["rot"], links["lin"] = parent, kind, rot, lin
    links["iq"] = np.concatenate([[0, 0], np.cumsum(COORDINATES[links["kind"][1:]])[:-1]]) if len(parent) > 1 else 0
    links["iv"] = np.concatenate([[0, 0], np.cumsum(RATES[links["kind"][1:]])[:-1]]) if len(parent) > 1 else 0
    points, origins = np.array(on_parent), np.array(origin)
    points += shift[carrier]
    bodies = _body_table(drawn, topology, link_of)
    placed = _masses_in_drawing(drawn, bodies, shift, origins)
    axes = _axes(links, points, origins, np.array(axis), placed)
    _fill_links(links, points, origins, axes, placed)
    slots = _slots(links)
    rotations, positions = _poses(drawn)
    inward = np.swapaxes(axes[link_of], 1, 2)
    bodies["rotation"] = inward @ rotations
    bodies["origin"] = np.einsum("bij,bj->bi", inward, positions + shift - origins[link_of])
    return Links(bodies, links, of_motion, axes, slots)


def _slots(links: np.ndarray) -> int:
    """Give every link with children a slot for the sum over them, shared with links whose sum is not open at the same time.

    In the recursion from the tips to the ground only few sums are open: one in a chain. They stay in the processor's cache.
    """
    parents = links["parent"].tolist()
    slot, opens, free, count = [-1] * len(links), [0] * len(links), [], 0
    for i in range(len(links) - 1, 0, -1):
        if slot[i] >= 0:
            free.append(slot[i])
        p = parents[i]
        if p > 0 and slot[p] < 0:
            if not free:
                free.append(count)
                count += 1
            slot[p] = free.pop()
            opens[i] = 1
    links["slot"], links["opens"] = slot, opens
    return count


def _poses(drawn: list[Body]) -> tuple[np.ndarray, np.ndarray]:
    return matrices(np.array([b.rotation for b in drawn])), np.array([b.position for b in drawn])


def _body_table(drawn: list[Body], topology: Topology, link_of: list[int]) -> np.ndarray:
    table = np.zeros(len(link_of), BODY)
    table["link"], table["parent"], table["joint"] = link_of, topology.parent, topology.joint
    table["order"][1:] = topology.order
    table["mass"] = [b.mass for b in drawn]
    table["com"] = [b.com for b in drawn]
    table["inertia"] = [b.inertia for b in drawn]
    return table


def _full(symmetric: np.ndarray) -> np.ndarray:
    return symmetric[..., [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]


def _six(S: np.ndarray) -> np.ndarray:
    return np.stack([S[..., 0, 0], S[..., 1, 1], S[..., 2, 2], S[..., 0, 1], S[..., 0, 2], S[..., 1, 2]], axis=-1)


def _masses_in_drawing(
    drawn: list[Body], bodies: np.ndarray, shift: np.ndarray, origins: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass, first moment and inertia of every link about its origin, world axes of the drawing."""
    rotations, positions = _poses(drawn)
    link = bodies["link"]
    mass, moment, inertia = np.zeros(len(origins)), np.zeros((len(origins), 3)), np.zeros((len(origins), 3, 3))
    arm = positions + shift + np.einsum("bij,bj->bi", rotations, bodies["com"]) - origins[link]
    m = bodies["mass"]
    np.add.at(mass, link, m)
    np.add.at(moment, link, m[:, None] * arm)
    turned = rotations @ _full(bodies["inertia"]) @ np.swapaxes(rotations, 1, 2)
    square = np.einsum("bi,bi->b", arm, arm)[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :]
    np.add.at(inertia, link, turned + m[:, None, None] * square)
    return mass, moment, inertia


def _axes(links: np.ndarray, points: np.ndarray, origins: np.ndarray, axis: np.ndarray, placed: tuple) -> np.ndarray:
    """Axes of every link in the world of the drawing."""
    mass, _, inertia = placed
    n = len(links)
    subtree = mass.tolist()
    parents = links["parent"].tolist()
    for i in range(n - 1, 0, -1):
        subtree[parents[i]] += subtree[i]
    heaviest = [0] * n
    offset = points - origins[parents]
    far = (np.abs(offset).max(axis=1) > 1e-12 * (1.0 + np.abs(points).max(axis=1))).tolist()
    for i in range(1, n):
        p = parents[i]
        if far[i] and (heaviest[p] == 0 or subtree[i] > subtree[heaviest[p]]):
            heaviest[p] = i
    heavy = np.array(heaviest)
    principal = np.linalg.eigh(inertia)[1][:, :, 0]
    direction = np.where((heavy > 0)[:, None], offset[heavy], principal)
    ball = links["kind"] == BALL
    z = np.where(ball[:, None], direction, axis)
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    across = [perpendicular((x, y, w)) for x, y, w in z.tolist()]
    axes = np.concatenate([np.array(across), z[:, None, :]], axis=1).swapaxes(1, 2)
    axes[links["kind"] == TRANSLATION] = np.eye(3)
    return axes


def _fill_links(links: np.ndarray, points: np.ndarray, origins: np.ndarray, axes: np.ndarray, placed: tuple) -> None:
    mass, moment, inertia = placed
    parents = links["parent"]
    outer = np.swapaxes(axes[parents], 1, 2)
    inner = np.swapaxes(axes, 1, 2)
    links["rotation"] = _clean(outer @ axes)
    links["origin"] = _clean(np.einsum("lij,lj->li", outer, points - origins[parents]))
    links["mass"] = mass
    links["moment"] = _clean(np.einsum("lij,lj->li", inner, moment))
    links["inertia"] = _clean(_six(inner @ inertia @ axes))


def _clean(values: np.ndarray) -> np.ndarray:
    """Set to exactly zero what is rounding error relative to the largest number of the same link: aligned frames need exact zeros."""
    largest = np.abs(values).max(axis=tuple(range(1, values.ndim)), keepdims=True)
    return np.where(np.abs(values) < 4e-16 * largest, 0.0, values)
