"""What methods can require of equations: capabilities that formulations have, and methods request by type (`Method.needs`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class Rates:
    """y' = f(t, y), by two kernels of type RATE.

    Attributes
    ----------
    position, velocity : fill the derivatives of q, and of v and w
    positions : number of entries of y that are q
    project : of type RATE, projects an accepted state y onto the constraints (its last argument is scratch for a state);
        None where there is nothing to do
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
class StageLanes:
    """Rates at several stages of one step at once, one stage per lane (`algebra/lanes.py`), by two kernels of type RATE.

    They are those of `Rates`, on states and derivatives with the numbers of all lanes side by side. The times of the lanes are the last LANES
    numbers of the work array.

    Attributes
    ----------
    find : gives the kernels, which are compiled on first use
    positions : number of entries of the state of one stage that are q
    work_size : length of the work array
    """

    WORDS: ClassVar[str] = "stages in lanes (open systems in space, without users' functions)"
    find: Callable[[], tuple[Any, Any]]
    positions: int
    work_size: int

    @property
    def kernels(self) -> tuple[Any, Any]:
        """The two kernels passed to a step."""
        return self.find()


@dataclass(frozen=True)
class Stages:
    """What methods written for one formulation need: two kernels of type RATE; formulations add further attributes."""

    WORDS: ClassVar[str] = "stages"
    kernels: tuple[Any, Any]
