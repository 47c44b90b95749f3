"""Topology: the spanning tree of a System, its loops, and the parts that move freely.

Bodies are numbered from 1 in the order of the system; 0 is the ground. A joint closes a loop when the joints before
it already connect its two bodies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.layout.welds import find, lacks_inertia, weld_groups
from poinsot.model.body import Body
from poinsot.model.joint import Joint
from poinsot.model.joints import Free, Planar
from poinsot.model.system import PLANES, System


@dataclass(frozen=True)
class Topology:
    """Tree of bodies.

    Attributes
    ----------
    joints : those of the system, then the free joints given to parts that are not connected to the ground
    order : bodies from the ground outward, every body after its parent, without the ground
    parent, joint, direction : of every body; direction is 1 when the body is the joint's second, -1 when its first
    loops : joints that close a loop
    roots : bodies that carry a free joint of their own
    """

    index: dict[Body, int]
    joints: list[Joint]
    order: list[int]
    parent: list[int]
    joint: list[int]
    direction: list[int]
    loops: list[int]
    roots: list[int]


def build_topology(system: System) -> Topology:
    """Spanning tree of a system whose elements are free of faults."""
    index = {system.ground: 0} | {body: k for k, body in enumerate(system.bodies, 1)}
    joints = list(system.joints)
    ends = [(index[joint.first], index[joint.second]) for joint in joints]
    leader = list(range(len(index)))
    loops, tree = [], []
    for k in _welds_first(system, ends):
        a, b = (find(leader, end) for end in ends[k])
        if a == b:
            loops.append(k)
        else:
            leader[max(a, b)] = min(a, b)
            tree.append(k)
    tree.sort()
    loops.sort()
    roots = []
    for k, body in enumerate(system.bodies, 1):
        top = find(leader, k)
        if top != 0:
            leader[top] = 0
            roots.append(k)
            joints.append(free_joint(system, body))
            ends.append((0, k))
            tree.append(len(joints) - 1)
    return Topology(index, joints, *_walk(len(index), ends, tree), loops, roots)


def free_joint(system: System, body: Body) -> Joint:
    """The joint of a part that is not connected to the ground: free in space, planar in a planar system, at the centre of mass."""
    x, y, z = body.world(body.com).tolist()
    at = (x, y, z)
    if system.plane is None:
        joint: Joint = Free(f"free:{body.name}", system.ground, body, at, at)
    else:
        direction = [0.0, 0.0, 0.0]
        direction[PLANES[system.plane][0]] = 1.0
        joint = Planar(
            f"free:{body.name}", system.ground, body, at, at, system.normal, (direction[0], direction[1], direction[2])
        )
    joint.attach(system)
    return joint


def _welds_first(system: System, ends: list[tuple[int, int]]) -> list[int]:
    """Joints in order, with welds to bodies that lack mass or inertia first, so that the tree contains them."""
    lacking = [k for k, body in enumerate(system.bodies, 1) if lacks_inertia(body.mass, np.array(body.inertia))]
    if not lacking:
        return list(range(len(ends)))
    group = weld_groups(len(system.bodies) + 1, ends, system.joints)
    wanting = {group[k] for k in lacking}
    later = [bool(joint.motions()) or group[a] not in wanting for (a, _), joint in zip(ends, system.joints)]
    return sorted(range(len(ends)), key=lambda k: (later[k], k))


def _walk(n: int, ends: list[tuple[int, int]], tree: list[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Depth first from the ground, so that a branch is contiguous in memory."""
    neighbours: list[list[tuple[int, int, int]]] = [[] for _ in range(n)]
    for k in tree:
        a, b = ends[k]
        neighbours[a].append((b, k, 1))
        neighbours[b].append((a, k, -1))
    order: list[int] = []
    parent, joint, direction = [0] * n, [-1] * n, [0] * n
    stack = [(0, -1)]
    while stack:
        body, came_by = stack.pop()
        if body:
            order.append(body)
        for other, k, way in reversed(neighbours[body]):
            if k != came_by:
                parent[other], joint[other], direction[other] = body, k, way
                stack.append((other, k))
    return order, parent, joint, direction
