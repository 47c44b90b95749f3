"""What every part of a model has in common: a name, a system it belongs to, and identity."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar

from poinsot.errors import ModelError

if TYPE_CHECKING:
    from poinsot.model.given import Given
    from poinsot.model.system import System


class Element:
    """A named part of a System. Frozen; two elements are equal only when they are the same object."""

    kind: ClassVar[str] = "element"
    kept_as: ClassVar[dict[str, str]] = {}  # arguments whose attribute has another name
    name: str

    @property
    def system(self) -> System | None:
        """The system this element was added to; None before."""
        return getattr(self, "_system", None)

    def attach(self, system: System) -> None:
        """Called by `System.add`: give the element its system, and a name when it has none."""
        if self.system is not None:
            raise ModelError(
                f"{self.kind} '{self.name}' is already part of system '{self.system.name}'; build a new one"
            )
        if not self.name:
            object.__setattr__(self, "name", system.free_name(self.kind))
        object.__setattr__(self, "_system", system)

    def arguments(self) -> dict[str, Any]:
        """What it was made from, by the names of the arguments: as given to a method of the system, otherwise its attributes."""
        given: Given | None = getattr(self, "given", None)
        if given is not None:
            return given.arguments | {"name": self.name}
        names = inspect.signature(type(self)).parameters
        return {name: getattr(self, self.kept_as.get(name, name)) for name in names}

    def faults(self) -> list[str]:
        """What is wrong with this element, in words; empty when nothing is."""
        return []

    def label(self) -> str:
        """How errors call it: kind and name."""
        return f"{self.kind} '{self.name}'"


def finite(value: Any) -> bool:
    """Whether a number, or every number of a sequence, is finite."""
    import numpy as np

    try:
        return bool(np.all(np.isfinite(np.asarray(value, float))))
    except (TypeError, ValueError):
        return False
