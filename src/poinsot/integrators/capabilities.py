"""What methods can need of equations: capabilities that formulations have, and methods ask for by type (`Method.needs`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Rates:
    """y' = f(t, y), by two kernels of type RATE.

    Attributes
    ----------
    position, velocity : fill the derivatives of q, and of v and w
    positions : how many numbers of y are q
    project : of type RATE, puts an accepted state y back onto the constraints (its last argument is room for a state);
        None where there is nothing to do
    """

    WORDS: ClassVar[str] = "rates"
    position: Any
    velocity: Any
    positions: int
    project: Any = None

    @property
    def kernels(self) -> tuple[Any, Any]:
        """What a step is given."""
        return self.position, self.velocity


@dataclass(frozen=True)
class Stages:
    """What methods written for one formulation need: two kernels of type RATE; formulations extend it by what else there is."""

    WORDS: ClassVar[str] = "stages"
    kernels: tuple[Any, Any]
