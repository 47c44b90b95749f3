"""The links and joints of a robot as a tree: who carries whom, where everything is at zero coordinates, what is welded together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError
from poinsot.files.urdf.joints import UrdfJoint
from poinsot.files.urdf.links import Link
from poinsot.files.urdf.tags import Notes, Tag
from poinsot.model.shapes import MassProperties
from poinsot.model.words import nearest


@dataclass
class Placed:
    """A link in the drawing: position (3,) and rotation (3, 3) in the world, and the link whose body it is part of."""

    link: Link
    position: np.ndarray
    turn: np.ndarray
    leader: str


def check_ends(joints: list[UrdfJoint], links: list[str], notes: Notes) -> None:
    """Faults of joints between links that do not exist."""
    for joint in joints:
        for which, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                close = nearest(name, links)
                hint = f"; did you mean '{close[0]}'?" if close else "; write a <link> of that name"
                notes.fault(joint.tag, f"{joint.label}: its {which}, link '{name}', does not exist{hint}")


class Tree:
    """Links in an order in which every parent precedes its children.

    Attributes
    ----------
    root : name of the link that no joint carries
    joints : in the order of the file
    placed : links by name, parents first
    zeros : values of the scalar coordinates in the drawing, other than zero (joints that mimic others with an offset)
    """

    def __init__(self, robot: Tag, links: dict[str, Link], joints: list[UrdfJoint], notes: Notes, merge: bool):
        self.links, self.notes, self.merge = links, notes, merge
        self.joints = joints
        self.by_name = {joint.name: joint for joint in joints}
        self.carrier: dict[str, UrdfJoint] = {}
        self._connect()
        self.root = self._root(robot)
        self.zeros = self._zeros()
        self.placed = self._place()

    def _connect(self) -> None:
        for joint in self.joints:
            if joint.child in self.carrier:
                other = self.carrier[joint.child]
                where = f"{other.label} (line {other.tag.line})"
                self.notes.fault(joint.tag, f"{joint.label}: link '{joint.child}' is already the child of {where}; a link has one parent")
            self.carrier.setdefault(joint.child, joint)

    def _root(self, robot: Tag) -> str:
        roots = [name for name in self.links if name not in self.carrier]
        if self.links and not roots:
            self.notes.fault(robot, "every link is the child of a joint, so the links form a ring; one link must be the root")
        if len(roots) > 1:
            names = ", ".join(f"'{name}'" for name in roots[:6]) + (", ..." if len(roots) > 6 else "")
            self.notes.fault(self.links[roots[1]].tag, f"links {names} have no parent; connect all but one of them by joints")
        if not self.links:
            self.notes.fault(robot, 'the robot has no link; write <link name="..."/>')
        if self.notes.faults:
            raise ModelError(self.notes.faults)
        return roots[0]

    def _zeros(self) -> dict[str, float]:
        """Values of coordinates at which mimicked coordinates are zero; faults of what mimics."""
        zeros: dict[str, float] = {}
        for joint in self.joints:
            chain: list[UrdfJoint] = []
            at: UrdfJoint | None = joint
            while at is not None and at.mimic is not None and at not in chain:
                chain.append(at)
                other = self.by_name.get(at.mimic.other)
                if other is None or other.type in ("fixed", "floating", "planar"):
                    close = nearest(at.mimic.other, list(self.by_name))
                    hint = f"; did you mean '{close[0]}'?" if other is None and close else ""
                    what = "does not exist" if other is None else f"is {other.type} and has no scalar coordinate"
                    if at is joint:
                        self.notes.fault(joint.tag, f"{joint.label}: mimics joint '{at.mimic.other}', which {what}{hint}")
                    chain = []
                at = other if chain else None
            if chain and at in chain:
                self.notes.fault(joint.tag, f"{joint.label}: mimics itself, through {', '.join(j.name for j in chain)}")
                continue
            value = 0.0
            for follower in reversed(chain):
                assert follower.mimic is not None
                value = follower.mimic.ratio * value + follower.mimic.offset
            if value != 0.0:
                zeros[joint.name] = value
        if self.notes.faults:
            raise ModelError(self.notes.faults)
        return zeros

    def welded(self, joint: UrdfJoint) -> bool:
        """Whether a joint never moves: a fixed one, or one that mimics with a multiplier of zero."""
        return joint.type == "fixed" or (joint.mimic is not None and joint.mimic.ratio == 0.0)

    def _place(self) -> dict[str, Placed]:
        carried: dict[str, list[UrdfJoint]] = {}
        for joint in self.joints:
            carried.setdefault(joint.parent, []).append(joint)
        root = self.links[self.root]
        placed = {self.root: Placed(root, np.zeros(3), np.eye(3), self.root)}
        waiting = [self.root]
        while waiting:
            at = placed[waiting.pop()]
            for joint in reversed(carried.get(at.link.name, [])):
                position, turn = joint.moved(self.zeros.get(joint.name, 0.0))
                leader = at.leader if self.merge and self.welded(joint) else joint.child
                placed[joint.child] = Placed(self.links[joint.child], at.position + at.turn @ position, at.turn @ turn, leader)
                waiting.append(joint.child)
        lost = [name for name in self.links if name not in placed]
        if lost:
            self.notes.fault(self.carrier[lost[0]].tag, f"links {', '.join(lost[:6])} form a ring that is not connected to the root '{self.root}'")
            raise ModelError(self.notes.faults)
        return placed

    def group(self, leader: str) -> tuple[MassProperties, list[tuple[Placed, np.ndarray, np.ndarray]]]:
        """Of all links of a body: mass properties in its frame, and every link with its place (3,), (3, 3) there."""
        base = self.placed[leader]
        members = [p for p in self.placed.values() if p.leader == leader]
        places = [(p, base.turn.T @ (p.position - base.position), base.turn.T @ p.turn) for p in members]
        own = [(p.link.properties, *place) for p, *place in places]
        if len(own) == 1:
            return own[0][0], [(base, np.zeros(3), np.eye(3))]
        return combined([properties.moved(position, turn) for properties, position, turn in own]), places


def combined(parts: list[MassProperties]) -> MassProperties:
    """Mass properties of several parts together, all in one frame."""
    mass = sum(part.mass for part in parts)
    com = sum((part.mass * part.com for part in parts), np.zeros(3)) / mass if mass > 0 else np.zeros(3)
    inertia = np.zeros((3, 3))
    for part in parts:
        d = part.com - com
        inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return MassProperties(mass, com, 0.5 * (inertia + inertia.T))
