"""What methods can require of equations: capabilities that formulations have, and methods request by type (`Method.needs`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

NEAR, ONCE = 1.0, 2.0  # what a projection may rely on and need not do: see `Rates`
QUICK_RATE, QUICK_NEARBY, QUICK_PROJECT = 0, 1, 2  # tasks of a `Quick`


@dataclass(frozen=True)
class Lanes:
    """Rates of LANES variants of a model at once (`algebra/lanes.py`), by two kernels of type RATE.

    They are those of `Rates`, on states and derivatives with the numbers of all lanes side by side; layouts are those of `tables/lane_tables.py`.

    Attributes
    ----------
    of : the kernel of velocities of one variant that they stand for
    find : gives the kernels, which are compiled on first use
    positions : number of entries of their state that are q; of `StageLanes`, of one stage
    work_size : length of the work array
    """

    of: Any
    find: Callable[[], tuple[Any, Any]]
    positions: int
    work_size: int

    @property
    def kernels(self) -> tuple[Any, Any]:
        """The two kernels passed to a step."""
        return self.find()


@dataclass(frozen=True)
class StageLanes(Lanes):
    """The same at several stages of one step, one stage per lane: the layout is that of the model, and the last LANES numbers of the work array
    are the times of the lanes.
    """

    WORDS: ClassVar[str] = "stages in lanes (open systems in space, without users' functions)"


@dataclass(frozen=True)
class Nearby:
    """A kernel of type RATE for the derivative of v and w at a state that `project` has just put back, beginning with NEAR.

    On entry the derivative is that at the state of the last call of `velocity`. What is returned differs from what `velocity` would give by less
    than a thousandth of how much both derivatives differ; where that cannot be had for less than an evaluation the kernel returns DISTANT.

    Attributes
    ----------
    of : the kernel of velocities that it stands for
    find : gives the kernel, which is compiled on first use
    """

    of: Any
    find: Callable[[], Any]


@dataclass(frozen=True)
class Once:
    """A kernel of type RATE in place of `project` that does what it is asked for by ONCE.

    Attributes
    ----------
    of : the kernel that it stands for
    find : gives the kernel, which is compiled on first use
    """

    of: Any
    find: Callable[[], Any]


@dataclass(frozen=True)
class Quick:
    """A kernel of type QUICK in place of `velocity`, of that of `nearby` and of `project` with ONCE, for methods that use all three in turn.

    It gives what these give, rates of positions too, or DISTANT where `velocity` and `project` are to be called instead; then the state may have
    been moved towards the constraints. What its task QUICK_RATE left in `work` serves the other two, and only them. QUICK_NEARBY is
    for states that QUICK_PROJECT has put back.

    Attributes
    ----------
    of : the kernel of velocities that it stands for
    find : gives the kernel, which is compiled on first use
    """

    of: Any
    find: Callable[[], Any]


@dataclass(frozen=True)
class Rates:
    """y' = f(t, y), by two kernels of type RATE.

    Attributes
    ----------
    position, velocity : fill the derivatives of q, and of v and w
    positions : number of entries of y that are q
    project : of type RATE, projects an accepted state y onto the constraints; None where there is nothing to do. The last call was one of
        `velocity`, at a state close to y, if its last argument has a first number and that is NEAR or ONCE: what it left in `work` may be used then.
        With ONCE the second number is how far positions have moved since; a single correction does where hardly anything is left to the next one,
        and what it leaves in `work` may belong to y as it was
    nearby : the rate of v and w beside a state at which it is known
    quick : what takes the place of these three where it can
    once : `project` for methods that ask for single corrections; others take ONCE for NEAR
    lanes, stage_lanes : the same rates of several variants, and at several stages

    The last six are None where there are none. Those of other rates, which a formulation made from another one may have taken over, are left out.
    """

    WORDS: ClassVar[str] = "rates"
    position: Any
    velocity: Any
    positions: int
    project: Any = None
    nearby: Nearby | None = None
    once: Once | None = None
    quick: Quick | None = None
    lanes: Lanes | None = None
    stage_lanes: StageLanes | None = None

    def __post_init__(self) -> None:
        for name in ("nearby", "quick", "lanes", "stage_lanes"):
            found = getattr(self, name)
            if found is not None and found.of is not self.velocity:
                object.__setattr__(self, name, None)
        if self.once is not None and self.once.of is not self.project:
            object.__setattr__(self, "once", None)

    @property
    def kernels(self) -> tuple[Any, Any]:
        """The two kernels passed to a step."""
        return self.position, self.velocity


@dataclass(frozen=True)
class Stages:
    """What methods written for one formulation need: two kernels of type RATE; formulations add further attributes."""

    WORDS: ClassVar[str] = "stages"
    kernels: tuple[Any, Any]
