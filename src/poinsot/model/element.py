"""The base class of all parts of a model: a name, the system it belongs to, and identity."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from itertools import count
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from poinsot.errors import ModelError
from poinsot.model.words import NearNames

if TYPE_CHECKING:
    from poinsot.model.given import Given
    from poinsot.model.system import System

_MADE = count()  # numbers elements in the order of their creation
_UNADDED: WeakKeyDictionary[Any, dict[int, str]] = WeakKeyDictionary()  # by system: elements that act on its parts and were not added yet

_ARGUMENTS: dict[type, tuple[str, ...]] = {}


def unadded(system: Any) -> list[str]:
    """Labels of forces, constraints and drives that act on parts of a system but were never added."""
    return list(_UNADDED.get(system, {}).values())


def argument_names(made: type) -> tuple[str, ...]:
    """Names of the arguments with which elements of a class are made."""
    if made not in _ARGUMENTS:
        _ARGUMENTS[made] = tuple(inspect.signature(made).parameters)
    return _ARGUMENTS[made]


class Element(NearNames):
    """A named part of a System. Frozen; two elements are equal only when they are the same object."""

    kind: ClassVar[str] = "element"
    attribute_names: ClassVar[dict[str, str]] = {}  # arguments whose attribute has another name
    written: ClassVar[dict[str, str]] = {}  # arguments whose form in files is not what their names suggest (KINDS of `files/models/elements.py`)
    called: ClassVar[dict[int, str]] = {1: "f(t)"}  # how users' functions are called, by number of arguments
    drawn: ClassVar[str] = ""  # how it is drawn between its two points: "coil" or "bar"; a mark of joints ("fixed", "revolute", ...); or nothing
    name: str

    def __init_subclass__(cls, **options: Any) -> None:
        """Elements are printed alike: a dataclass writes its own `__repr__` only where its class has none."""
        super().__init_subclass__(**options)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Element.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        from poinsot.model.describing import described

        return described(self)

    @property
    def system(self) -> System | None:
        """The system this element was added to; None before that."""
        return getattr(self, "_system", None)

    def attach(self, system: System) -> None:
        """Called by `System.add`: give the element its system, and a name when it has none."""
        if self.system is not None:
            raise ModelError(
                f"{self.kind} '{self.name}' is already part of system '{self.system.name}'; build a new one"
            )
        self.note_used()
        if not self.name:
            object.__setattr__(self, "name", system.free_name(self.kind))
        object.__setattr__(self, "_system", system)

    def arguments(self) -> dict[str, Any]:
        """Its arguments by name: as given to a method of the system, otherwise its attributes."""
        given: Given | None = getattr(self, "given", None)
        if given is not None:
            return given.arguments | {"name": self.name}
        return {name: getattr(self, self.attribute_names.get(name, name)) for name in argument_names(type(self))}

    def parts(self) -> Iterable[Any]:
        """Bodies and joints that it acts on, if any."""
        return ()

    def changes(self) -> list[str]:
        """Names of what may get another value between runs, initial values and what signals are made of aside."""
        return []

    def calls(self, argument: str) -> dict[int, str]:
        """How the user's function given by an argument is called, by number of arguments."""
        return self.called

    def free_form(self, parameter: str) -> bool:
        """Whether a parameter may be given in several forms, such as a rotation, which only the element itself can read."""
        return False

    def note_unadded(self) -> None:
        """Called on creation: the systems of its parts remember it until it is added."""
        object.__setattr__(self, "_number", next(_MADE))
        for home in self._homes():
            label = self.label() if self.name else f"a {self.kind}"
            _UNADDED.setdefault(home, {})[self._number] = label  # type: ignore[attr-defined]

    def note_used(self) -> None:
        """Called when it is added, or given to an event: no system remembers it as forgotten."""
        for home in self._homes():
            _UNADDED.get(home, {}).pop(getattr(self, "_number", -1), None)

    def _homes(self) -> set[System]:
        """Systems of its parts."""
        return {part.system for part in self.parts() if isinstance(part, Element) and part.system is not None}

    def faults(self) -> list[str]:
        """Faults of this element, in words; empty when there are none."""
        return []

    def label(self) -> str:
        """Kind and name, as used in errors."""
        return f"{self.kind} '{self.name}'"

    def _called(self) -> str:
        return self.label()


def finite(value: Any) -> bool:
    """Whether a number, or every number of a sequence, is finite."""
    if type(value) is tuple and {*map(type, value)} == {float}:
        return all(map(isfinite, value))
    import numpy as np

    try:
        return bool(np.all(np.isfinite(np.asarray(value, float))))
    except (TypeError, ValueError, OverflowError):
        return False
