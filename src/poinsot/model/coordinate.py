"""One scalar of the model: a joint's angle or displacement, or a world coordinate of a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poinsot.model.words import NearNames


@dataclass(frozen=True)
class Coordinate(NearNames):
    """A scalar that motors can drive and results contain. `owner` is a Joint or a Point, `name` one of its coordinates."""

    owner: Any
    name: str

    def __repr__(self) -> str:
        owner = getattr(self.owner, "name", None) or f"{self.owner.body.name}{self.owner.position}"
        return f"{owner}.{self.name}"
