"""What methods can require of equations: capabilities that formulations have, and methods request by type (`Method.needs`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

NEAR = 1.0


@dataclass(frozen=True)
class Rates:
    """y' = f(t, y), by two kernels of type RATE.

    Attributes
    ----------
    position, velocity : fill the derivatives of q, and of v and w
    positions : number of entries of y that are q
    project : of type RATE, projects an accepted state y onto the constraints; None where there is nothing to do. The last call was one of
        `velocity`, at a state close to y, if its last argument has a first number and that is NEAR: what it left in `work` may be used then
    """

    WORDS: ClassVar[str] = "rates"
    position: Any
    velocity: Any
    positions: int
    project: Any = None

    @property
    def kernels(self) -> tuple[Any, Any]:
        """The two kernels passed to a step."""
        return self.position, self.velocity


@dataclass(frozen=True)
class Stages:
    """What methods written for one formulation need: two kernels of type RATE; formulations add further attributes."""

    WORDS: ClassVar[str] = "stages"
    kernels: tuple[Any, Any]
