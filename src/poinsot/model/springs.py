"""Springs between two points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from poinsot.model.body import BODY, Body
from poinsot.model.guard import NUMBER, TEXT, door, maybe
from poinsot.model.load import Load, LoadRow
from poinsot.model.vectors import two_points

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = ["Spring"]


@door(first=BODY, second=BODY, stiffness=NUMBER, damping=NUMBER, length=maybe(NUMBER), name=TEXT)
@dataclass(frozen=True, eq=False)
class Spring(Load):
    """A spring-damper between two points of two bodies.

    Its tension is stiffness (distance - length) + damping d(distance)/dt, positive where it pulls its ends together.

    Parameters
    ----------
    first, second : the bodies, or `system.ground`
    at : a pair: the point on the first and on the second body, in the world of the drawing (m), or points of the bodies (`rod.end`)
    stiffness : N/m
    damping : N s/m
    length : rest length (m); default: the distance in the drawing
    name : of the element; results are `run[name].effort` (the tension, N) and `.power` (of its damping, W)
    """

    kind: ClassVar[str] = "spring"
    parameters: ClassVar = ("stiffness", "damping", "length")
    conservative: ClassVar[bool] = True
    mutual: ClassVar[bool] = True
    scalar: ClassVar[bool] = True
    drawn: ClassVar[str] = "coil"
    arrow: ClassVar[str] = "line"
    first: Body
    second: Body
    at: Any
    stiffness: float
    damping: float = 0.0
    length: float | None = None
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve the two points."""
        super().attach(system)
        where = f"{self.label()}: at"
        ends = tuple(
            system.point(p, body, where) for p, body in zip(two_points(self.at, where), (self.first, self.second))
        )
        object.__setattr__(self, "ends", ends)
        if self.length is None:
            object.__setattr__(self, "length", math.dist(*ends))

    def rows(self) -> list[LoadRow]:
        """A tension between its two points."""
        a, b = self.ends  # type: ignore[attr-defined]
        return [LoadRow(self.kind, True, first=self.first, second=self.second, first_at=a, second_at=b)]

    def stiffnesses(self) -> list[tuple[float, bool]]:
        """Its stiffness."""
        return [(self.stiffness, False)]

    def bodies(self) -> tuple[Body, ...]:
        """The two bodies."""
        return (self.first, self.second)

    def faults(self) -> list[str]:
        """Also both ends on one body."""
        found = super().faults()
        if self.first is self.second:
            found.append(f"{self.label()}: both ends are on body '{self.first.name}'; give two different bodies")
        if not found and self.length is not None and self.length < 0:
            found.append(f"{self.label()}: length must not be negative, not {self.length!r} m")
        return found
