"""Looks: how a body is drawn, where that is not the shape that its mass comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from poinsot.errors import ModelError
from poinsot.model.given import independent_copy
from poinsot.model.guard import TEXT, door, instance, maybe
from poinsot.model.rotation import quaternion
from poinsot.model.shapes import Composite, Shape
from poinsot.model.vectors import read_vector
from poinsot.model.words import short_repr

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@door(shape=instance(Shape, "a shape, such as po.Box(x, y, z)"), colour=maybe(TEXT))
@dataclass(frozen=True)
class Look:
    """A shape to draw: where in the body frame (m), how it is turned (any form of a rotation), and its colour "#rrggbb". It has no mass."""

    shape: Shape
    position: Any = None
    rotation: Any = None
    colour: str | None = None

    def __post_init__(self) -> None:
        if self.colour is not None and not COLOUR.fullmatch(self.colour):
            raise ModelError(f"Look: colour must be like '#ff8800', not {short_repr(self.colour)}")
        quaternion(self.rotation, "Look: rotation")
        if self.position is not None:
            object.__setattr__(self, "position", read_vector(None, self.position, "Look: position"))
        object.__setattr__(self, "rotation", independent_copy(self.rotation))


def read_looks(given: Any, where: str) -> tuple[Look, ...]:
    """The argument `looks` of a body: a shape, a Look, or a list of them."""
    parts = given if isinstance(given, list | tuple) else [given]
    for part in parts:
        if not isinstance(part, Look | Shape):
            raise ModelError(f"{where}: looks must be shapes or po.Look(shape, position, rotation, colour), not {short_repr(part)}")
    return tuple(part if isinstance(part, Look) else Look(part) for part in parts)


def drawn_shape(looks: tuple[Look, ...], shape: Shape | None) -> Shape | None:
    """The shape to draw: all looks together, otherwise the shape that gives the mass."""
    return Composite([(look.shape, look.position, look.rotation) for look in looks]) if looks else shape
