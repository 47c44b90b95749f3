"""The components of efforts, with their names and units: an element may act on coordinates that turn and on others that slide."""

from __future__ import annotations

from typing import Any

from poinsot.model.drives import Drive, Servo
from poinsot.model.forces import JointLoad
from poinsot.model.joint import Ball, Helical, Joint, Motion, Translation


def slides(motion: Motion) -> bool:
    """Whether a motion is measured in metres."""
    return isinstance(motion, Translation) or (isinstance(motion, Helical) and motion.rot == 0)


def coordinate_slides(coordinate: Any) -> bool:
    """Whether a coordinate is measured in metres."""
    owner = coordinate.owner
    if not isinstance(owner, Joint):
        return coordinate.name != "angle"
    return slides(owner.motions()[owner.names.index(coordinate.name)])


def effort_components(element: Any) -> list[tuple[str, str]]:
    """Name and unit of every component of the effort of a drive, or of a load on several coordinates of a joint; empty for others."""
    if isinstance(element, Drive):
        called = [motor.name for motor in element.by] if isinstance(element, Servo) else [repr(c) for c in element.outputs]
        return [(name, _unit(coordinate_slides(c))) for name, c in zip(called, element.inputs)]
    if not isinstance(element, JointLoad) or len(element.motions()) < 2:
        return []
    parts = []
    for k in element.motions():
        name, motion = element.joint.names[k], element.joint.motions()[k]
        several = isinstance(motion, Ball | Translation)
        parts += [(f"{name}_{axis}" if several else name, _unit(slides(motion))) for axis in ("xyz" if several else "x")]
    return parts


def _unit(sliding: bool) -> str:
    return "N" if sliding else "N m"
