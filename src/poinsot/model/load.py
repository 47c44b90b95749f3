"""The base class of forces: parameters, the elements they act on, and their faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.element import Element
from poinsot.model.guard import as_numbers
from poinsot.model.joint import Joint
from poinsot.model.words import shown


@dataclass(frozen=True, eq=False)
class Load(Element):
    """A force element. `parameters` names the fields that are numbers and may change between runs."""

    parameters: ClassVar[tuple[str, ...]] = ()
    lists: ClassVar[tuple[str, ...]] = ()  # parameters of several numbers
    conservative: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.remembered()

    def parts(self) -> Iterable[Any]:
        """Its bodies and joints."""
        return (*self.bodies(), *self.joints())

    def values(self) -> list[float]:
        """The parameters as one flat list, in the order of `parameters`."""
        return [float(getattr(self, name)) for name in self.parameters]

    def bodies(self) -> tuple[Body, ...]:
        """Bodies it acts on."""
        return ()

    def joints(self) -> tuple[Joint, ...]:
        """Joints it acts on."""
        return ()

    def faults(self) -> list[str]:
        """Parameters that are not finite numbers."""
        return [
            f"{self.label()}: {name} must be a finite number of at most {LARGEST:g}, not {shown(getattr(self, name))}"
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
