"""The contents of a system as bytes: equal only for systems that are described identically, to the bit.

Everything that a system and its elements hold is taken, whatever its name, so that nothing that matters can be forgotten. Functions, and
whatever else may change without changing its identity, have no bytes: a system that holds any has no contents.
"""

from __future__ import annotations

import marshal
from collections.abc import Collection
from types import MappingProxyType
from typing import Any

import numpy as np

from poinsot.model.body import Body
from poinsot.model.element import Element
from poinsot.model.feedback import Feedback
from poinsot.model.load import Load
from poinsot.model.snapshot import LISTS, PLAIN
from poinsot.model.system import System

LARGEST = 200  # elements: contents of larger systems are not taken
BODY_NUMBERS = frozenset(("mass", "inertia", "shape", "given"))
SYSTEM_NUMBERS = ("gravity", "initial", "given_values")
NUMPY_NUMBERS = frozenset(np.sctypeDict.values())
LAW = frozenset(("law",))  # of a motor, under whatever name it was given
_COUNTER = "_number"  # of elements, in the order of their creation; says nothing of them
_VERSION = 2  # of the format: the last one whose bytes depend on values alone, not on which of them are the same object


class _Unknown(Exception):
    """A value that has no bytes."""


class Taken:
    """What a system and options hold, taken once: as bytes, whole or without the numbers with which tables of the system can be refilled."""

    def __init__(self, system: System, options: dict[str, Any]):
        elements = _elements(system)
        if len(elements) > LARGEST:
            raise _Unknown
        taking = _Taking({id(element): k for k, element in enumerate(elements)}, system)
        self._own = [(_number(type(element)), taking.attributes(vars(element))) for element in elements]
        self._of_system = _number(type(system)), taking.attributes(vars(system))
        self._options = taking.attributes(options)
        self._elements = elements

    def contents(self) -> bytes:
        """Bytes that two systems with options have in common only when both are described identically."""
        return marshal.dumps((self._own, *self._of_system, self._options), _VERSION)

    def likeness(self) -> bytes:
        """The same without the numbers with which tables of the system can be refilled (`model/renewed.py`): equal for systems of one structure and
        geometry.
        """
        own = [(kind, _without(held, _numbers_of(element))) for (kind, held), element in zip(self._own, self._elements)]
        kind, held = self._of_system
        return marshal.dumps((own, kind, _without(held, SYSTEM_NUMBERS), self._options), _VERSION)


def taken(system: System, options: dict[str, Any]) -> Taken | None:
    """What a system and options hold; None if it cannot be told by bytes: what is at fault in it is for checks to say."""
    try:
        return Taken(system, options)
    except (_Unknown, RecursionError):  # lists that hold themselves have no end
        return None


def contents(system: System, options: dict[str, Any]) -> bytes | None:
    """The contents of a system with options; None if they cannot be told by bytes."""
    found = taken(system, options)
    return None if found is None else found.contents()


def likeness(system: System, options: dict[str, Any]) -> bytes | None:
    """The likeness of a system with options; None where it has no contents."""
    found = taken(system, options)
    return None if found is None else found.likeness()


def _without(held: list[Any], numbers: Collection[str]) -> list[Any]:
    """Names and values of attributes; of `numbers` names alone."""
    return [(name, None if name in numbers else part) for name, part in held] if numbers else held


def _elements(system: System) -> list[Any]:
    return [system.ground, *(element for name in LISTS for element in getattr(system, name))]


def _numbers_of(element: Element) -> frozenset[str]:
    """Attributes that hold numbers of an element, and what they were made from."""
    if isinstance(element, Body):
        return BODY_NUMBERS
    return frozenset(element.changes()) | LAW if isinstance(element, Load) and not isinstance(element, Feedback) else frozenset()


class _Taking:
    """Converts values to numbers, texts and tuples of them; elements of the system to their positions in it."""

    def __init__(self, places: dict[int, int], system: System):
        self.places, self.system = places, system

    def attributes(self, held: dict[str, Any]) -> list[Any]:
        """Names and values of attributes."""
        value = self.value
        return [(name, part if type(part) in PLAIN else value(part)) for name, part in held.items() if name != _COUNTER]

    def value(self, value: Any) -> Any:
        """One value; tuples whose first part is a text stand for what marshalling does not know.

        Only values of known types are looked into. Others may fail when they are, or hold more than they show: arrays with masks, for example.
        """
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is tuple:
            return ("tuple", [part if type(part) in PLAIN else self.value(part) for part in value])
        if kind is list:
            return [part if type(part) in PLAIN else self.value(part) for part in value]
        place = self.places.get(id(value))
        if place is not None:
            return ("element", place)
        if kind is dict or kind is MappingProxyType:
            return ("map", [(self.value(name), self.value(part)) for name, part in value.items()])
        if value is self.system:
            return ("system",)
        if (kind is np.ndarray or kind in NUMPY_NUMBERS) and value.dtype.kind in "biuf":
            return ("array", kind.__name__, value.dtype.str, list(value.shape), value.tobytes())
        number = _number(kind)
        if issubclass(kind, Element) or not hasattr(value, "__dict__"):
            raise _Unknown
        return ("object", number, self.attributes(vars(value)))


def _number(kind: type) -> int:
    """A number of a class of this package; what others do may change."""
    if not str(kind.__module__).startswith("poinsot.model."):
        raise _Unknown
    return id(kind)  # classes of the package are never removed
