"""The elements of a model file and the kinds of their arguments, listed here once; the rest comes from the element classes.

An element is written in its section as `- kind: name` with its arguments below, named as in Python. The classes and their arguments
are found by inspecting the package; an element whose argument is not what its name suggests here declares that in its attribute `written`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from poinsot.files.models.context import Kind
from poinsot.files.models.laws import FUNCTION, LAW
from poinsot.files.models.numbers import DIRECTION, LIST, NAMED, NUMBER, NUMBERS, ROTATION, TRUTH, WORD
from poinsot.files.models.references import (
    BODIES,
    BODY,
    COORDINATE,
    COORDINATES,
    INPUTS,
    MOTORS,
    PART,
    PLACE,
    READINGS,
    TARGET,
)
from poinsot.files.models.shapes import LOOKS
from poinsot.model.body import Body
from poinsot.model.constraints import Constraint
from poinsot.model.drives import Drive
from poinsot.model.element import Element
from poinsot.model.joints import JOINTS
from poinsot.model.load import Load
from poinsot.model.system import System

SECTIONS = ("bodies", "joints", "forces", "constraints", "drives")
ATTRIBUTES = {"forces": "loads"}  # sections whose list in a System has a different name
NOT_WRITTEN = ("self", "name", "shape")  # the name follows the kind, the shape goes under its own keyword

ARGUMENTS: dict[str, Kind] = {
    "active": TRUTH,
    "at": PLACE,
    "axis": DIRECTION,
    "axis2": DIRECTION,
    "between": NUMBERS,
    "bodies": BODIES,
    "body": PART,
    "com": NUMBERS,
    "coordinate": COORDINATE,
    "damping": NUMBER,
    "direction": DIRECTION,
    "first": BODY,
    "force": LAW,
    "frame": WORD,
    "function": FUNCTION,
    "inertia": NUMBERS,
    "inputs": MOTORS,
    "law": LAW,
    "length": NUMBER,
    "looks": LOOKS,
    "mass": NUMBER,
    "outputs": COORDINATES,
    "params": LIST,
    "pitch": NUMBER,
    "position": NUMBERS,
    "ratio": NUMBER,
    "rest": ROTATION,
    "rotation": ROTATION,
    "second": BODY,
    "signal": LAW,
    "stiffness": NUMBER,
    "target": TARGET,
    "torque": LAW,
    "vector": LAW,
}

KINDS: dict[str, Kind] = {  # kinds of arguments that an element may declare in `written`
    "bodies": BODIES,
    "body": BODY,
    "coordinate": COORDINATE,
    "direction": DIRECTION,
    "function": FUNCTION,
    "law": LAW,
    "list": LIST,
    "number": NUMBER,
    "numbers": NUMBERS,
    "place": PLACE,
    "rotation": ROTATION,
    "target": TARGET,
    "word": WORD,
    "inputs": INPUTS,
    "named": NAMED,
    "readings": READINGS,
}


@dataclass(frozen=True)
class Entry:
    """One kind of element: its keyword in the file, its section, and the call that creates it from arguments by name."""

    word: str
    section: str
    cls: type[Element]
    make: Callable[[System, dict[str, Any]], Element]
    arguments: dict[str, Kind]
    required: tuple[str, ...]
    defaults: dict[str, Any]


@cache
def entries() -> dict[str, Entry]:
    """Every element of the package by its keyword."""
    found = [_entry(Body, "bodies", System.body)]
    found += [_entry(cls, "joints", getattr(System, cls.kind)) for cls in JOINTS]
    for section, base in (("forces", Load), ("constraints", Constraint), ("drives", Drive)):
        found += [_entry(cls, section, cls) for cls in _kinds(base)]
    return {entry.word: entry for entry in found}


def word_of(cls: type[Element]) -> str:
    """The keyword of an element in a file: its kind without spaces."""
    return cls.kind.replace(" ", "_")


def _kinds(base: type) -> list[type]:
    """The elements of the package below a base class: those with a kind of their own."""
    children: list[type] = base.__subclasses__()
    below = [cls for child in children for cls in (child, *_kinds(child))]
    return [cls for cls in below if "kind" in cls.__dict__ and cls.__module__.startswith("poinsot.")]


def _entry(cls: type[Element], section: str, maker: Callable[..., Any]) -> Entry:
    word = word_of(cls)
    given = {name: p for name, p in inspect.signature(maker).parameters.items() if name not in NOT_WRITTEN}
    kinds = {name: KINDS[cls.written[name]] if name in cls.written else ARGUMENTS[name] for name in given}

    def make(system: System, arguments: dict[str, Any]) -> Element:
        if maker is not cls:
            return maker(system, **arguments)
        new: Any = maker(**arguments)
        added: Element = system.add(new)
        return added

    required = tuple(name for name, p in given.items() if p.default is p.empty)
    defaults = {name: p.default for name, p in given.items() if p.default is not p.empty}
    return Entry(word, section, cls, make, kinds, required, defaults)
