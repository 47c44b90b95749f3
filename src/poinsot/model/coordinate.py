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

    @property
    def rate(self) -> Rate:
        """Its derivative with respect to time, as something that a feedback law can see."""
        return Rate(self)

    def __repr__(self) -> str:
        owner = getattr(self.owner, "name", None) or f"{self.owner.body.name}{self.owner.position}"
        return f"{owner}.{self.name}"


@dataclass(frozen=True)
class Rate(NearNames):
    """The rate of a coordinate: an output that feedback laws can see. It cannot be driven."""

    coordinate: Coordinate

    def __repr__(self) -> str:
        owner, name = self.coordinate.owner, self.coordinate.name
        names = getattr(owner, "names", ())
        rates = owner.rate_names if name in names else ()
        return f"{owner.name}.{rates[names.index(name)]}" if rates else f"{self.coordinate!r}_rate"
