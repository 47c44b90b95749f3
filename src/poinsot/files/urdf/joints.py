"""Joints of a robot as they are written: type, links, place, axis, limits, damping, and what they mimic."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poinsot.files.urdf.tags import Notes, Tag
from poinsot.model.words import nearest

TYPES = {  # URDF: the method of a System
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
SCALAR = ("revolute", "continuous", "prismatic")
IN_JOINT = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration", "limits", "hardwareInterface")


@dataclass(frozen=True)
class Mimic:
    """coordinate = ratio * coordinate of the other joint + offset."""

    other: str
    ratio: float
    offset: float


@dataclass(frozen=True)
class UrdfJoint:
    """A joint as it is written.

    Attributes
    ----------
    position, turn : place (3,), (3, 3) of the child's frame in the parent's, where the coordinate is zero
    axis : unit vector in the child's frame
    lower, upper : limits of the coordinate (rad, m); infinite where there are none
    damping : N m s/rad or N s/m
    """

    name: str
    type: str
    parent: str
    child: str
    tag: Tag
    position: np.ndarray
    turn: np.ndarray
    axis: np.ndarray
    lower: float
    upper: float
    damping: float
    mimic: Mimic | None

    @property
    def label(self) -> str:
        """In messages."""
        return f"joint '{self.name}'"

    @property
    def coordinate(self) -> str:
        """Name of its scalar coordinate."""
        return "displacement" if self.type == "prismatic" else "angle"

    def moved(self, value: float) -> tuple[np.ndarray, np.ndarray]:
        """Place (3,), (3, 3) of the child's frame in the parent's at a value of its scalar coordinate."""
        if value == 0.0:
            return self.position, self.turn
        if self.type == "prismatic":
            return self.position + self.turn @ (value * self.axis), self.turn
        x, y, z = self.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        spun = np.eye(3) + math.sin(value) * cross + (1.0 - math.cos(value)) * cross @ cross
        return self.position, self.turn @ spun


def read_joint(tag: Tag, notes: Notes) -> UrdfJoint | None:
    """One joint; None, with faults, where what it needs is missing."""
    name = notes.word(tag, "name", "joint")
    label = f"joint '{name}'"
    notes.unknown(tag, IN_JOINT)
    kind = notes.word(tag, "type", label)
    if kind and kind not in TYPES:
        close = nearest(kind, list(TYPES))
        remedy = f"did you mean {close[0]}?" if close else f"the types are {', '.join(TYPES)}"
        notes.fault(tag, f"{label}: has no type '{kind[:40]}'; {remedy}")
        kind = "fixed"  # to find its other faults
    ends = [_end(tag, which, label, notes) for which in ("parent", "child")]
    if not name or kind not in TYPES or not all(ends):
        return None
    position, turn = notes.place(tag, label)
    axis_tag = tag.first("axis")
    axis = notes.numbers(axis_tag, "xyz", 3, label, (1.0, 0.0, 0.0))
    length = math.hypot(*axis)
    if length == 0 and kind not in ("fixed", "floating"):
        notes.fault(axis_tag or tag, f"{label}: its axis is zero; give a direction, such as xyz=\"0 0 1\"")
    dynamics = tag.first("dynamics")
    damping = notes.number(dynamics, "damping", label, 0.0)
    if notes.number(dynamics, "friction", label, 0.0) != 0 and kind != "fixed":
        notes.leave("dry friction of joints", label)
    if damping != 0 and kind in ("floating", "planar"):
        notes.leave(f"damping of {kind} joints", label)
    if damping < 0:
        notes.fault(dynamics or tag, f"{label}: damping must not be negative, not {damping:g}")
    lower, upper = _limits(tag, kind, label, notes)
    mimic = _mimic(tag, kind, label, notes)
    damped = damping if kind in SCALAR else 0.0
    return UrdfJoint(name, kind, ends[0], ends[1], tag, position, turn, axis / (length or 1.0), lower, upper, damped, mimic)


def _end(tag: Tag, which: str, label: str, notes: Notes) -> str:
    end = tag.first(which)
    if end is None:
        notes.fault(tag, f'{label}: lacks <{which} link="..."/>')
        return ""
    return notes.word(end, "link", label)


def _limits(tag: Tag, kind: str, label: str, notes: Notes) -> tuple[float, float]:
    limit = tag.first("limit")
    if limit is None or kind not in ("revolute", "prismatic") or not {"lower", "upper"} & set(limit.attributes):
        return -math.inf, math.inf
    lower, upper = notes.number(limit, "lower", label, 0.0), notes.number(limit, "upper", label, 0.0)
    if lower > upper:
        notes.fault(limit, f"{label}: its lower limit {lower:g} is above its upper limit {upper:g}; exchange them")
    return lower, upper


def _mimic(tag: Tag, kind: str, label: str, notes: Notes) -> Mimic | None:
    found = tag.first("mimic")
    if found is None:
        return None
    if kind not in SCALAR:
        notes.leave(f"<mimic> of {kind} joints", label)
        return None
    other = notes.word(found, "joint", label)
    return Mimic(other, notes.number(found, "multiplier", label, 1.0), notes.number(found, "offset", label, 0.0)) if other else None
