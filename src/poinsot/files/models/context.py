"""State of writing and reading a model, and kinds of values: for each, how it is written and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.yaml_scalars import Node
from poinsot.model.system import System
from poinsot.model.words import nearest, short_repr

LONGEST = 60  # characters of a value or a name in a message


class Wrong(Exception):
    """A value in a file that cannot be read: line and reason."""

    def __init__(self, line: int, reason: str):
        super().__init__(reason)
        self.line = line


class Broken(Exception):
    """A value that refers to an element that has a fault itself, which is reported once."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of value in a file. `form`: what it may look like, in JSON Schema, for editors; the reader checks more."""

    write: Callable[[Any, Writing], Any]
    read: Callable[[Node, Reading], Any]
    form: dict[str, Any] = field(default_factory=dict)


@dataclass
class Writing:
    """State while a system is being written."""

    system: System
    names: set[str]
    functions: dict[str, Any] = field(default_factory=dict)  # users' functions by their name in the file
    label: str = ""  # the element that is being written
    folder: Path | None = None  # of the file; None for a text that must not depend on other files

    def unwritable(self, value: Any) -> ModelError:
        """The error for a value that cannot be written."""
        return ModelError(f"{self.label}: {short_repr(value)} cannot be written to a model file")


@dataclass
class Reading:
    """State while a file is being read."""

    system: System
    functions: Mapping[str, Any]
    strict: bool
    broken: set[str] = field(default_factory=set)  # names of elements that have faults
    used: set[str] = field(default_factory=set)  # names of functions that were used
    label: str = ""  # the element that is being read, and the argument
    element: str = ""
    argument: str = ""
    folder: Path | None = None  # of the file
    parameters: Mapping[str, float] = field(default_factory=dict)  # named numbers, with the indices of a repeated element

    def find(self, name: str, node: Node, cls: type | tuple[type, ...], what: str) -> Any:
        """An element by its name."""
        found = self.known(name)
        if found is None:
            known = [e.name for e in [self.system.ground, *self.system.elements()] if isinstance(e, cls)]
            raise Wrong(node.line, f"there is no {what} '{short(name)}'{suggestion(name, known)}")
        if not isinstance(found, cls):
            raise Wrong(node.line, f"{found.label()} is not a {what}")
        return found

    def known(self, name: str) -> Any:
        """An element by its name, or None."""
        if name in self.broken:
            raise Broken
        try:
            return self.system[name]
        except ModelError:
            return None


def suggestion(word: str, known: list[str]) -> str:
    """A suggestion for an unknown word, as the end of a sentence. Long words, and long lists of words, are not compared."""
    close = nearest(word, known)
    shown = ", ".join(map(short, known[:12])) + (", ..." if len(known) > 12 else "")
    return f"; did you mean '{close[0]}'?" if close else f"; there is {shown}" if known else ""


def describe_node(node: Node) -> str:
    """A value in a message, shortened."""
    text = repr(_beginning(node, [LONGEST]))
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _beginning(node: Node, left: list[int]) -> Any:
    """The first entries of a value, without line numbers; no more is shown."""
    left[0] -= 1
    if isinstance(node.data, dict):
        return {short(key): _beginning(item, left) for key, item in node.data.items() if left[0] > 0}
    if isinstance(node.data, list):
        return [_beginning(item, left) for item in node.data if left[0] > 0]
    return short(node.data) if isinstance(node.data, str) else node.data


def short(text: str) -> str:
    """A name in a message, shortened."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def is_number(value: Any) -> bool:
    """Whether this is a number, but not True or False."""
    return isinstance(value, int | float) and not isinstance(value, bool)
