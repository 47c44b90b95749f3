"""What feedback laws can see: results of bodies, joints and points at one time, by name or as coordinates.

An output is written as in results, "body.position", "joint.rate", or as an object: `joint.angle`, `joint.rate`, `tip.x`, `tip.x.rate`,
a point. It becomes a few readings, each of them one or more numbers that kernels take from the state of the system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from poinsot.errors import ModelError
from poinsot.model.body import Body, Point
from poinsot.model.coordinate import Coordinate, Rate
from poinsot.model.joint import Ball, Helical, Joint
from poinsot.model.rotation import Vector
from poinsot.model.vectors import PLANES
from poinsot.model.words import nearest, short_repr
from poinsot.tables.feedback_block import (
    SEE_BODY_SPIN,
    SEE_COORDINATE,
    SEE_COORDINATE_RATE,
    SEE_PLACE,
    SEE_PLACE_RATE,
    SEE_QUATERNION,
    SEE_ROTATION,
    SEE_SHIFT,
    SEE_SHIFT_RATE,
    SEE_SPIN,
    SEE_TURN,
    SEE_TURN_QUATERNION,
    SEE_TURN_RATE,
)

if TYPE_CHECKING:
    from poinsot.model.system import System

SIZES = {SEE_COORDINATE: 1, SEE_COORDINATE_RATE: 1, SEE_ROTATION: 9, SEE_QUATERNION: 4, SEE_TURN: 9, SEE_TURN_QUATERNION: 4}  # 3 for the others
ORIGIN: Vector = (0.0, 0.0, 0.0)
AXES = "xyz"
PARTS = {9: [f"[{i}][{j}]" for i in range(3) for j in range(3)], 4: [f".{part}" for part in "wxyz"], 3: [".x", ".y", ".z"]}

OF_BODIES = ("position", "com", "velocity", "com_velocity", "rotation", "quaternion", "angular_velocity", "angular_velocity_body")
BEYOND = (
    *("acceleration", "angular_acceleration", "force", "torque", "effort", "power", "multipliers", "reaction", "signal", "grip"),
    *("conditioning", "contact"),
)  # results that depend on the efforts


@dataclass(frozen=True)
class Reading:
    """Some numbers that a law sees.

    Attributes
    ----------
    kind : SEE_COORDINATE, ...
    name : as users would write it in results
    joint, motion : of readings of joints
    body, point : of readings of bodies; the point in the body frame, m
    pick : which one of its numbers; -1: all of them
    sign : factor of the number picked
    """

    kind: int
    name: str
    joint: Joint | None = None
    motion: int = 0
    body: Body | None = None
    point: Vector = ORIGIN
    pick: int = -1
    sign: float = 1.0

    @property
    def size(self) -> int:
        """How many numbers it is."""
        return SIZES.get(self.kind, 3) if self.pick < 0 else 1

    @property
    def names(self) -> list[str]:
        """The name of every number."""
        return [self.name] if self.size == 1 else [self.name + part for part in PARTS[self.size]]

    @property
    def home(self) -> System | None:
        """The system that it belongs to."""
        owner = self.joint if self.joint is not None else self.body
        return None if owner is None else owner.system


def readings(system: System, output: Any, where: str) -> list[Reading]:
    """The readings of one output; raises a ModelError when a law cannot see it."""
    if isinstance(output, str):
        found = _named(system, output, where)
    elif isinstance(output, Coordinate | Rate):
        found = _coordinate(output, where)
    elif isinstance(output, Point):
        found = _vector(system, Reading(SEE_PLACE, f"point of {output.body.name}", body=output.body, point=output.position))
    else:
        raise ModelError(
            f"{where}: {short_repr(output)} is not something a law can see; give joint.angle, joint.rate, point.x, a point, "
            'or a result by its name, such as "body.position" or "joint.angle"'
        )
    for one in found:
        if one.home is not system:
            raise ModelError(f"{where}: {one.name} belongs to another system")
    return found


def _coordinate(output: Coordinate | Rate, where: str) -> list[Reading]:
    rate = isinstance(output, Rate)
    coordinate = output.coordinate if isinstance(output, Rate) else output
    owner, name = coordinate.owner, f"{output!r}"
    if isinstance(owner, Joint):
        return [_of_motion(owner, coordinate.name, rate, name, where)]
    if isinstance(owner, Point):
        kind = SEE_PLACE_RATE if rate else SEE_PLACE
        return [Reading(kind, name, body=owner.body, point=owner.position, pick=AXES.index(coordinate.name))]
    raise ModelError(
        f"{where}: {name}: the angle of a body is known only up to whole turns; give the angle of a joint, "
        f'or "{owner.name}.rotation" and "{owner.name}.angular_velocity"'
    )


def _of_motion(joint: Joint, stem: str, rate: bool, name: str, where: str) -> Reading:
    k = joint.names.index(stem) if stem in joint.names else -1
    if k < 0:
        raise ModelError(f"{where}: {joint.label()} has no coordinate '{stem}'; it has {', '.join(joint.names) or 'none'}")
    motion = joint.motions()[k]
    if isinstance(motion, Helical):
        kind = SEE_COORDINATE_RATE if rate else SEE_COORDINATE
    elif isinstance(motion, Ball):
        kind = SEE_TURN_RATE if rate else SEE_TURN
    else:
        kind = SEE_SHIFT_RATE if rate else SEE_SHIFT
    return Reading(kind, name, joint=joint, motion=k)


def _named(system: System, text: str, where: str) -> list[Reading]:
    owner, _, result = text.rpartition(".")
    element = system.by_name.get(owner)
    if element is None:
        near = nearest(owner or text, [e.name for e in (*system.bodies, *system.joints)])
        hint = f"; did you mean '{near[0]}.{result}'?" if near and owner else ""
        raise ModelError(f"{where}: there is no {short_repr(text)}; write \"body.position\" or \"joint.angle\"{hint}")
    if isinstance(element, Body):
        known = list(OF_BODIES)
        if result in known:
            return _of_body(system, element, result, text)
    elif isinstance(element, Joint):
        known = _of_joints(element)
        if result in known:
            return _of_joint(element, result, text, where)
    else:
        known = []
    raise ModelError(_unseen(element, result, known, where))


def _unseen(element: Any, result: str, known: list[str], where: str) -> str:
    if not known:
        return f"{where}: a law cannot see results of {element.label()}; it can see those of bodies and joints"
    offered = f"it can see {', '.join(known)}"
    if result in BEYOND:
        return f"{where}: a law cannot see '{result}' of {element.label()}, which depends on the efforts that the law itself gives; {offered}"
    present = element.present_word(result) if isinstance(element, Joint) else None
    near = [present] if present else nearest(result, known)
    return f"{where}: {element.label()} has no result '{result}' that a law can see; {offered}" + (f"; did you mean '{near[0]}'?" if near else "")


def _of_joints(joint: Joint) -> list[str]:
    found = [*joint.names, *joint.rate_names]
    found += ["quaternion"] if "rotation" in joint.names else []
    return list(dict.fromkeys([*found, "rate"])) if joint.names else found


def _of_joint(joint: Joint, result: str, text: str, where: str) -> list[Reading]:
    if result == "rate":
        return [_of_motion(joint, stem, True, f"{joint.name}.{rate}", where) for stem, rate in zip(joint.names, joint.rate_names)]
    if result == "quaternion":
        return [Reading(SEE_TURN_QUATERNION, text, joint=joint, motion=joint.names.index("rotation"))]
    rate = result not in joint.names
    stem = joint.names[joint.rate_names.index(result)] if rate else result
    return [_of_motion(joint, stem, rate, text, where)]


def _of_body(system: System, body: Body, result: str, text: str) -> list[Reading]:
    if result in ("rotation", "quaternion"):
        return [Reading(SEE_ROTATION if result == "rotation" else SEE_QUATERNION, text, body=body)]
    if result in ("angular_velocity", "angular_velocity_body"):
        kind = SEE_SPIN if result == "angular_velocity" else SEE_BODY_SPIN
        if system.plane is None:
            return [Reading(kind, text, body=body)]
        axis = PLANES[system.plane][2]
        return [Reading(kind, text, body=body, pick=axis, sign=system.normal[axis])]
    point = body.com if result.startswith("com") else ORIGIN
    kind = SEE_PLACE_RATE if result.endswith("velocity") else SEE_PLACE
    return _vector(system, Reading(kind, text, body=body, point=point))


def _vector(system: System, one: Reading) -> list[Reading]:
    """A vector: three numbers, or two in a planar system."""
    if system.plane is None:
        return [one]
    return [
        Reading(one.kind, f"{one.name}.{AXES[k]}", body=one.body, point=one.point, pick=k) for k in PLANES[system.plane][:2]
    ]
