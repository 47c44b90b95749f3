"""From bodies and joints to links: every elementary motion carries one, with its frame oriented for an accurate recursion.

All joint frames are parallel to the world in the drawing, so the axes A of a link, given in its joint frame, are also
its axes in the world of the drawing, and everything here is computed there, for all links at once.

A link's origin is its joint's point. Its z axis is the axis of a helical motion; for a ball it points along the offset to a child that carries
about as much as the heaviest, or, at a leaf, along a direction about which its moment of inertia is small: the elimination of a ball leaves -[d] M
[d], whose null vector d would otherwise be spoilt by rounding. Directions are those of the drawing where these serve, so that most other masses
leave all axes as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.layout.topology import Topology
from poinsot.layout.weights import Loose, Skeleton, clean, frames, in_links, product, times
from poinsot.model.body import Body
from poinsot.model.joint import Ball, Helical
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
    skeleton: Skeleton
    places: tuple[np.ndarray, np.ndarray]  # of every body: its rotation in the drawing, and its origin from that of its link (m)


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
    rotations, positions = matrices(np.array([b.rotation for b in drawn])), np.array([b.position for b in drawn])
    arms = positions + shift + times(rotations, bodies["com"]) - origins[link_of]
    skeleton = _skeleton(links, points, origins, np.array(axis), bodies["link"], rotations, arms)
    placed = skeleton.placed(bodies["mass"][None], bodies["inertia"][None])
    axes = skeleton.axes_of(placed)
    links["mass"], links["moment"], links["inertia"] = (part[0] for part in in_links(axes, placed))
    slots = _slots(links)
    places = rotations, positions + shift - origins[link_of]
    turn_tables(bodies, links, skeleton, axes[0], places)
    return Links(bodies, links, of_motion, axes[0], slots, skeleton, places)


def turn_tables(bodies: np.ndarray, links: np.ndarray, skeleton: Skeleton, axes: np.ndarray, places: tuple[np.ndarray, np.ndarray]) -> None:
    """Fill in what the tables say of places and attitudes; `places`: of every body its rotation, and its origin from that of its link."""
    outer = np.swapaxes(axes[skeleton.parents], 1, 2)
    links["rotation"] = clean(product(outer, axes), 2)
    links["origin"] = clean(times(outer, skeleton.offsets), 1)
    inward = np.swapaxes(axes[skeleton.link_of], 1, 2)
    bodies["rotation"] = product(inward, places[0])
    bodies["origin"] = times(inward, places[1])


def _skeleton(
    links: np.ndarray,
    points: np.ndarray,
    origins: np.ndarray,
    axis: np.ndarray,
    link_of: np.ndarray,
    turns: np.ndarray,
    arms: np.ndarray,
) -> Skeleton:
    """All that does not depend on masses; the axes of a ball do unless it has one child that is not at its own origin."""
    parents, kinds = links["parent"].tolist(), links["kind"].tolist()
    offsets = points - origins[parents]
    far = (np.abs(offsets).max(axis=1) > 1e-12 * (1.0 + np.abs(points).max(axis=1))).tolist()
    children: list[list[int]] = [[] for _ in parents]
    for i in range(1, len(parents)):
        if far[i]:
            children[parents[i]].append(i)
    axes, directions, loose = np.repeat(np.eye(3)[None], len(parents), axis=0), axis.copy(), []
    for i, kind in enumerate(kinds):
        if kind == BALL and len(children[i]) == 1:
            directions[i] = offsets[children[i][0]]
        elif kind == BALL:
            loose.append(Loose(i, children[i], np.zeros((0, 3, 3)) if children[i] else _shown(turns[link_of == i], arms[link_of == i], origins[i])))
    fixed = links["kind"] != TRANSLATION
    axes[fixed] = frames(directions[fixed])
    return Skeleton(link_of, len(np.unique(link_of)) == len(link_of), turns, arms, parents, offsets, axes, loose)


def _shown(turns: np.ndarray, arms: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Frames (n, 3, 3) of a leaf along the directions that its drawing shows: to the centres of mass of its bodies, and their axes.

    A link between two motions of one joint has no bodies.
    """
    far = np.abs(arms).max(axis=1) > 1e-12 * (1.0 + np.abs(origin).max())
    along = np.concatenate([arms[far], np.swapaxes(turns, 1, 2)[:, [2, 0, 1]].reshape(-1, 3)]) if len(arms) else np.eye(3)[:1]
    ahead = np.take_along_axis(along, np.abs(along).argmax(axis=1)[:, None], axis=1)
    return frames(np.where(ahead < 0.0, -along, along))  # on either side of the joint alike


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


def _body_table(drawn: list[Body], topology: Topology, link_of: list[int]) -> np.ndarray:
    table = np.zeros(len(link_of), BODY)
    table["link"], table["parent"], table["joint"] = link_of, topology.parent, topology.joint
    table["order"][1:] = topology.order
    table["mass"] = [b.mass for b in drawn]
    table["com"] = [b.com for b in drawn]
    table["inertia"] = [b.inertia for b in drawn]
    return table
