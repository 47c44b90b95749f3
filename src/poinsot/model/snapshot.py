"""Copies of a system: one that can be edited, and the snapshot that a run owns, which never changes.

A run describes the system that ran: later `set`, `body` or `add` on the user's system, and later changes of arrays and lists
that were given to it, do not affect the snapshot. Functions are shared: Python functions cannot be copied.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from operator import is_
from types import MappingProxyType
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.body import Point
from poinsot.model.coordinate import Coordinate, Rate
from poinsot.model.element import Element
from poinsot.model.given import Given
from poinsot.model.shapes import Composite
from poinsot.model.signals import Signal
from poinsot.model.system import System

LISTS = ("bodies", "joints", "loads", "constraints", "drives")
DEEP = 100  # lists within each other: no element takes as many
PLAIN = {float, int, str, bool, type(None)}
# attributes of elements that contain only numbers, words and tuples of numbers
FLAT = {"name", "position", "rotation", "mass", "com", "inertia", "ends", "first_at", "second_at", "axis"}


def is_endless(value: Any) -> bool:
    """Whether lists are within themselves, or within more than DEEP others."""
    parts = {id(value): value}
    for _ in range(DEEP):
        inner = [one.values() if isinstance(one, dict) else one for one in parts.values() if isinstance(one, list | tuple | dict)]
        parts = {id(part): part for one in inner for part in one}
    return bool(parts)


class Copying:
    """Copies elements from one system into another; references are replaced by references to the copies.

    `copies` maps every element (and every signal, by its id) to its copy in the new system.
    """

    def __init__(self, new: System):
        self.new = new
        self.copies: dict[Any, Any] = {}
        self.ways: dict[type, Any] = dict.fromkeys((*PLAIN, System))  # how values of a type are copied; None: not copied

    def element(self, old: Element) -> Any:
        """A copy of an element, which belongs to the new system."""
        copied = object.__new__(type(old))
        attributes = vars(copied)
        attributes.update(vars(old))
        for name, value in vars(old).items():
            if name not in FLAT and type(value) not in PLAIN:
                try:
                    attributes[name] = self.value(value)
                except RecursionError:
                    if not is_endless(value):  # called from too deep
                        raise
                    raise ModelError(f"{old.label()}: {name} is a list within itself, or one of too many lists; give values that end") from None
        attributes["_system"] = self.new
        self.copies[old] = copied
        return copied

    def value(self, value: Any) -> Any:
        """The value for the new system; arrays, lists and maps are copied."""
        kind = type(value)
        if kind not in self.ways:
            self.ways[kind] = next((way for known, way in WAYS.items() if issubclass(kind, known)), None)
        way = self.ways[kind]
        return value if way is None else way(self, value)

    def _known(self, value: Any) -> Any:
        return self.copies.get(value, value)  # an element of another system is left as it is, and is a fault

    def _tuple(self, value: tuple[Any, ...]) -> Any:
        parts = [part if type(part) in PLAIN else self.value(part) for part in value]
        return value if all(map(is_, parts, value)) else tuple(parts)

    def _map(self, value: dict[str, Any]) -> dict[str, Any]:
        return {name: part if type(part) in PLAIN else self.value(part) for name, part in value.items()}

    def _given(self, value: Given) -> Given:
        copied = self._map(value.arguments)
        return value if all(map(is_, copied.values(), value.arguments.values())) else Given(value.maker, copied)

    def _signal(self, value: Signal) -> Signal:
        """Copied once, however many elements refer to it."""
        if id(value) not in self.copies:
            self.copies[id(value)] = value.copied()
        return self.copies[id(value)]


WAYS: dict[type, Callable[[Copying, Any], Any]] = {
    Element: Copying._known,
    Given: Copying._given,
    Coordinate: lambda copying, value: Coordinate(copying.value(value.owner), value.name),
    Rate: lambda copying, value: Rate(copying.value(value.coordinate)),
    Point: lambda copying, value: Point(copying.value(value.body), value.position),
    Composite: lambda copying, value: Composite(copying.value(value.parts)),
    Signal: Copying._signal,
    np.ma.MaskedArray: lambda copying, value: value,  # numbers that are missing: nothing accepts them
    np.ndarray: lambda copying, value: fixed(value.copy()),
    tuple: Copying._tuple,
    list: lambda copying, value: [copying.value(part) for part in value],
    dict: Copying._map,
}


def fixed(array: np.ndarray) -> np.ndarray:
    """The same array, which can no longer be written to."""
    array.flags.writeable = False
    return array


class Snapshot(System):
    """A system as it was when a run started. It cannot be changed; its `copy()` can."""

    def _refuse(self, *arguments: Any, **named: Any) -> Any:
        raise ModelError(
            f"system '{self.name}' is the copy that a run owns, and cannot be changed; change "
            "run.system.copy(), or the system that was given to the run"
        )

    add = set_initial = _register = __setattr__ = __delattr__ = _refuse

    def __reduce__(self) -> Any:
        return snapshot, (self.copy(),)


def mutable_copy(system: System) -> System:
    """A copy of this system that can be changed independently."""
    return _copy(system, System)


def snapshot(system: System) -> Snapshot:
    """An unchangeable copy of this system as it is now."""
    if isinstance(system, Snapshot):
        return system
    new = _copy(system, Snapshot)
    attributes = vars(new)
    for name in LISTS:
        attributes[name] = tuple(attributes[name])
    for name in ("initial", "given_values"):
        held = {element: MappingProxyType(values) for element, values in attributes[name].items()}
        attributes[name] = MappingProxyType(held)
    for name in ("by_name", "numbering"):
        attributes[name] = MappingProxyType(attributes[name])
    return new


def _copy(system: System, cls: type[Any]) -> Any:
    new = object.__new__(cls)
    attributes, copying = vars(new), Copying(new)
    attributes.update(vars(system))
    with _without_collecting():
        attributes["ground"] = copying.element(system.ground)
        for name in LISTS:
            attributes[name] = [copying.element(element) for element in getattr(system, name)]
        attributes["by_name"] = {name: copying.value(element) for name, element in system.by_name.items()}
    copies = copying.copies
    attributes["initial"] = {copies.get(e, e): dict(values) for e, values in system.initial.items()}
    attributes["given_values"] = {copies.get(e, e): copying.value(dict(values)) for e, values in system.given_values.items()}
    attributes["numbering"] = dict(system.numbering)
    done = {"ground", "initial", "given_values", "by_name", "numbering", *LISTS}
    attributes.update({name: copying.value(value) for name, value in vars(system).items() if name not in done})
    return new


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Suspend garbage collection: copying creates no garbage, and searching for it takes longer than copying."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def acting(system: System, idle: Collection[str]) -> System:
    """The same system, with the same elements, without the constraints of these names."""
    if not idle:
        return system
    new = object.__new__(type(system))
    vars(new).update(vars(system))
    vars(new)["constraints"] = tuple(c for c in system.constraints if c.name not in idle)
    return new


def idle_at_start(system: System) -> tuple[str, ...]:
    """Names of the constraints that do not act until an event engages them."""
    return tuple(constraint.name for constraint in system.constraints if not constraint.active)
