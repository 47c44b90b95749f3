"""What all forces have in common: the description that layout, formulations, results, pages and files read.

A force says in its class what it acts on and by which law (`rows`), which numbers may change between runs (`parameters`), the units
of its results (`units`), whether it has a potential (`conservative`), whether it acts equally and oppositely (`mutual`), how it is
drawn (`drawn`), and how its own arguments are written in files (`written`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.element import Element
from poinsot.model.guard import as_numbers
from poinsot.model.joint import Joint
from poinsot.model.rotation import Vector
from poinsot.model.words import short_repr


@dataclass(frozen=True)
class LoadRow:
    """One row in the table of loads: a law and what it acts on.

    Attributes
    ----------
    law : name of the law, as in the table `LAWS` of `elements/laws.py` (on a motion), `wrenches.py` (on bodies) or `frame_laws.py` (on frames)
    potential : whether the law, damping aside, follows from an energy that `elements/` gives
    joint, motion : a joint and the number of one of its motions, or
    first, second : bodies, and
    first_at, second_at : points on them, in the world of the drawing (m)
    axes : of a law on frames, the axes of both frames in the world of the drawing: a quaternion; None for a wrench on bodies
    weights : of a potential on frames, which relative motion changes it: (1, 0) displacements, (0, 1) rotations, (1, L^2) both, with a length L (m)
    function, form : a user's function and its form (`layout/loads.py`): "number", "feedback", "vector", "spin", "bodies" or "law"
    local : whether a vector is given in the axes of the second body
    members : bodies that a user's function sees
    offset : where the parameters of this row begin among the `values` of the load
    """

    law: str
    potential: bool = False
    joint: Joint | None = None
    motion: int = -1
    first: Body | None = None
    second: Body | None = None
    first_at: Vector | None = None
    second_at: Vector | None = None
    axes: Any = None
    weights: tuple[float, float] = (0.0, 0.0)
    function: Callable[..., Any] | None = None
    form: str = "number"
    local: bool = False
    members: tuple[Body, ...] = ()
    offset: int = 0


@dataclass(frozen=True, eq=False)
class Load(Element):
    """A force element. `parameters` names the fields that are numbers and may change between runs."""

    parameters: ClassVar[tuple[str, ...]] = ()
    lists: ClassVar[tuple[str, ...]] = ()  # parameters of several numbers
    conservative: ClassVar[bool] = False  # has a potential (and perhaps damping as well)
    mutual: ClassVar[bool] = False  # acts equally and oppositely on the bodies that it names
    scalar: ClassVar[bool] = False  # its effort on bodies is one number
    summed: ClassVar[bool] = False  # its rows act on the same coordinate, and their sum is its effort
    arrow: ClassVar[str] = ""  # how its effort is drawn: "line" (of its ends), "force", "torque", "coordinate" (of its joint), "frames"; or not

    def __post_init__(self) -> None:
        self.note_unadded()

    def rows(self) -> list[LoadRow]:
        """Its rows in the table of loads."""
        raise NotImplementedError(f"{type(self).__name__} must say in rows() what it acts on and by which law")

    def parts(self) -> Iterable[Any]:
        """Its bodies and joints."""
        return (*self.bodies(), *self.joints())

    def values(self) -> list[float]:
        """The parameters as one flat list, in the order of `parameters`."""
        return [float(x) for name in self.parameters for x in np.ravel(getattr(self, name))]

    def units(self) -> dict[str, str]:
        """Its results other than the power, with their units: one for all its rows, or one for each of them."""
        return {"effort": "N"}

    @property
    def lossy(self) -> bool:
        """Whether it does work that no potential accounts for."""
        return not self.conservative or bool(np.any(getattr(self, "damping", 0.0)))

    def stiffnesses(self) -> list[tuple[float, bool]]:
        """Of springs: stiffnesses (N/m or N m/rad), and whether each is of a rotation."""
        return []

    def inputs(self) -> tuple[Load, ...]:
        """Loads whose efforts it gives."""
        return ()

    def changes(self) -> list[str]:
        """Names of what may get another value between runs."""
        return list(self.parameters)

    def bodies(self) -> tuple[Body, ...]:
        """Bodies it acts on."""
        return ()

    def joints(self) -> tuple[Joint, ...]:
        """Joints it acts on."""
        return ()

    def faults(self) -> list[str]:
        """Parameters that are not finite numbers."""
        return [
            f"{self.label()}: {name} must be a finite number of at most {LARGEST:g}, not {short_repr(getattr(self, name))}"
            for name in self.parameters
            if not _bounded(getattr(self, name), name in self.lists)
        ]


def faults_of(read: Callable[[], Any]) -> list[str]:
    """The faults found when some values are read."""
    try:
        read()
    except ModelError as error:
        return error.faults
    return []


def _bounded(value: Any, several: bool) -> bool:
    """Whether a number, or each of several, is finite and not too large to compute with."""
    numbers = as_numbers(value)
    return numbers is not None and (several or numbers.shape == ()) and bool((abs(numbers) <= LARGEST).all())
