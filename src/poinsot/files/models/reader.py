"""The text of a model file as a System. Every fault is found, with its line; nothing in a file is executed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.files.models.context import Broken, Reading, Wrong, describe_node, is_number, suggestion
from poinsot.files.models.elements import SECTIONS, Entry, entries
from poinsot.files.models.former import present_arguments, present_values
from poinsot.files.models.includes import with_includes
from poinsot.files.models.numbers import NUMBERS, ROTATION
from poinsot.files.models.parameters import MOST as MOST_REPEATED
from poinsot.files.models.parameters import expanded, read_parameters
from poinsot.files.models.shapes import read_shape, shape_classes
from poinsot.files.models.writer import VERSION
from poinsot.files.models.yaml_nodes import parse
from poinsot.files.models.yaml_scalars import Node
from poinsot.files.models.yaml_text import escaped
from poinsot.model.system import PLANES, System

HEAD = ("poinsot", "system", "plane", "gravity")
KEYS = (*HEAD, "parameters", *SECTIONS, "initial")
START = "a model file begins with the line 'poinsot: 1'"
MOST = 100  # faults that are reported at once
LONGEST = 800  # characters of a fault


def from_text(
    text: str, name: str, functions: Mapping[str, Any] | None = None, strict: bool = True, parameters: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> System:
    """Read a model. `name` identifies the text in errors: its file."""
    root = parse(text, name)
    if root is None:
        raise ModelError(f"{name}: is empty; {START}")
    root = with_includes(root, name, folder)
    return _Reader(name, root, functions or {}, strict, parameters or {}, folder).system()


class _Enough(Exception):
    """More faults than are reported."""


class _Reader:
    """Goes through the nodes of one file and collects its faults."""

    def __init__(self, name: str, root: Node, functions: Mapping[str, Any], strict: bool, parameters: Mapping[str, Any], folder: Path | None):
        self.folder = folder
        self.name, self.root, self.given, self.given_parameters = name, root, (functions, strict), parameters
        self.parameters: dict[str, float] = {}
        self.written_out: dict[str, list[Node]] = {}  # elements by section, repeated ones as often as they are
        self.faults: list[str] = []
        self.top: dict[str, Node] = {}
        self.of: Reading

    def system(self) -> System:
        """The system, or all faults at once: the first hundred of them."""
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                self._read()
        except _Enough:
            raise ModelError([*self.faults, f"{self.name}: has more faults; correct these first"]) from None
        if self.faults:
            raise ModelError(self.faults)
        return self.of.system

    def _read(self) -> None:
        self.top = self._head()
        before = len(self.faults)
        with self._guarded("parameters", self.top.get("parameters") or self.root):
            self.parameters = read_parameters(self.top.get("parameters"), self.given_parameters, self.name)
        if len(self.faults) > before:
            raise ModelError(self.faults)  # without them no number can be read
        self.of = Reading(self._empty(), *self.given, folder=self.folder, parameters=self.parameters)
        room = [MOST_REPEATED]
        for section in SECTIONS:
            with self._guarded(section, self.top.get(section) or self.root):
                self.written_out[section] = list(expanded(self._written(section), self.parameters, room))
        places = self._names()
        for section, node in self._all():
            self._element(section, node)
        self._initial(places)
        unused = [name for name in self.of.functions if name not in self.of.used]
        if unused and not self.faults:
            known = ", ".join(sorted(self._functions())) or "none"
            self.faults += [
                f"{self.name}: the model has no function '{f}'; it has {known}; leave it out" for f in unused
            ]

    # --- the head --------------------------------------------------------------------------------------------------

    def _head(self) -> dict[str, Node]:
        top = self.root.data
        if not isinstance(top, dict) or "poinsot" not in top:
            raise ModelError(f"{self.name}: is not a Poinsot model; {START}")
        version = top["poinsot"]
        if version.data != VERSION or not is_number(version.data):
            what = "from a later Poinsot; update the package" if is_number(version.data) else f"not valid; {START}"
            raise ModelError(f"{self.name}:{version.line}: version {describe_node(version)} of the format is {what}")
        for key, node in top.items():
            if key not in KEYS:
                self._fault(node.key_line, f"'{key}' has no meaning here{suggestion(key, list(KEYS))}")
        return top

    def _empty(self) -> System:
        values = {key: self.top[key] for key in HEAD if key in self.top}
        name, plane, gravity = values.get("system"), values.get("plane"), values.get("gravity")
        if name is not None and not isinstance(name.data, str):
            self._fault(name.line, f"the name of the system must be a word, not {describe_node(name)}; put it in quotes")
        if plane is not None and plane.data is not None and plane.data not in list(PLANES):
            self._fault(plane.line, f"plane must be one of {', '.join(PLANES)}, not {describe_node(plane)}")
            raise ModelError(self.faults)  # without it no vector can be read
        if gravity is None:
            self._fault(1, "gravity is missing; say 'gravity: none' or three numbers, such as [0, 0, -9.81]")
        title = name.data if name is not None and isinstance(name.data, str) else "system"
        flat = plane.data if plane is not None else None
        if gravity is not None and gravity.data not in (None, "none"):
            with self._guarded("gravity", gravity):
                return System(title, gravity=NUMBERS.read(gravity, Reading(None, {}, True, parameters=self.parameters)), plane=flat)  # type: ignore[arg-type]
        return System(title, gravity=None, plane=flat)

    # --- elements --------------------------------------------------------------------------------------------------

    def _list(self, section: str) -> list[Node]:
        return self.written_out.get(section, [])

    def _written(self, section: str) -> list[Node]:
        node = self.top.get(section)
        return node.data if node is not None and isinstance(node.data, list) else []

    def _all(self) -> Iterator[tuple[str, Node]]:
        """Every element with its section."""
        for section in SECTIONS:
            node = self.top.get(section)
            if node is not None and node.data is not None and not isinstance(node.data, list):
                words = f"{section} must be a list, every element a line '- kind: name' with its arguments below"
                self._fault(node.line, words)
            yield from ((section, element) for element in self._list(section))

    def _names(self) -> dict[str, int]:
        """Line numbers of all names; a name that occurs twice is a fault."""
        lines: dict[str, int] = {}
        for section in SECTIONS:
            for node in self._list(section):
                head = node.data[_word(node)].data if isinstance(node.data, dict) and _word(node) else None
                if not isinstance(head, str) or not head:
                    continue
                if head in lines or head == "ground":
                    where = f"in line {lines[head]}{_of_file(lines[head])}" if head in lines else "by the ground"
                    self._fault(node.line, f"the name '{head}' is already taken {where}; names must be unique")
                lines.setdefault(head, node.line)
        return lines

    def _element(self, section: str, node: Node) -> None:
        words = [word for word, entry in entries().items() if entry.section == section]
        word = _word(node) if isinstance(node.data, dict) else None
        if word is None or entries()[word].section != section:
            first = next(iter(node.data), "") if isinstance(node.data, dict) else ""
            hint = f"; '{word}' belongs to {entries()[word].section}" if word else suggestion(str(first), words)
            self._fault(node.line, f"{section}: an element begins with its kind and name{hint}, not {describe_node(node)}")
            return
        entry, head = entries()[word], node.data[word]
        name = "" if head.data is None else head.data
        label = f"{entry.cls.kind} '{name}'"
        self.of.parameters = {**self.parameters, **dict(node.local)} if node.local else self.parameters
        if not isinstance(name, str) or (section == "bodies" and not name):
            hint = "; put it in quotes" if is_number(head.data) else ""
            self._fault(head.key_line, f"{entry.cls.kind}: its name must be a word, not {describe_node(head)}{hint}")
            return
        arguments = self._arguments(entry, node, label, name)
        if arguments is not None:
            with self._guarded(label, node):
                entry.make(self.of.system, {"name": name} | arguments)
                return
        self.of.broken.add(name)

    def _arguments(self, entry: Entry, node: Node, label: str, name: str) -> dict[str, Any] | None:
        """The arguments of an element by name; None when one of them has a fault."""
        arguments: dict[str, Any] = {}
        good, given = True, present_arguments(entry.word, node.data)
        for key, item in given.items():
            if key == entry.word:
                continue
            shape = entry.section == "bodies" and key in shape_classes()
            if not shape and key not in entry.arguments:
                known = [*entry.arguments, *(shape_classes() if entry.section == "bodies" else ())]
                self._fault(item.key_line, f"{label}: has no '{key}'{suggestion(key, known)}")
                good = False
                continue
            with self._guarded(label if shape else f"{label}: {key}", item):
                self.of.label, self.of.element, self.of.argument = f"{label}: {key}", name, key
                if shape and "shape" in arguments:
                    raise Wrong(item.key_line, "has two shapes; make them parts of a composite")
                value = read_shape(key, item, self.of) if shape else None
                if not shape and item.data is not None:
                    value = entry.arguments[key].read(item, self.of)
                arguments["shape" if shape else key] = value
                continue
            good = False
        missing = [argument for argument in entry.required if argument not in given]
        if missing:
            self._fault(node.line, f"{label}: lacks {', '.join(missing)}")
        return arguments if good and not missing else None

    def _initial(self, places: dict[str, int]) -> None:
        node = self.top.get("initial")
        if node is None or node.data is None:
            return
        if not isinstance(node.data, dict):
            self._fault(node.line, "initial must be a map from names of joints and bodies to their values")
            return
        for name, values in node.data.items():
            with self._guarded(f"initial: '{name}'", values):
                element = self.of.known(name)
                if element is None:
                    raise Wrong(values.key_line, f"there is no such element{suggestion(name, list(places))}")
                if not hasattr(element, "set") or element is self.of.system.ground:
                    raise Wrong(
                        values.key_line, f"{element.label()} has no initial values; joints and free bodies have"
                    )
                if not isinstance(values.data, dict):
                    raise Wrong(values.line, f"must be a map such as {{angle: 0.1, rate: 2.0}}, not {describe_node(values)}")
                for key, item in present_values(element, values.data).items():
                    with self._guarded(f"initial: '{name}': {key}", item):
                        kind = ROTATION if key == "rotation" else NUMBERS
                        element.set(**{key: kind.read(item, self.of)})

    # --- faults ----------------------------------------------------------------------------------------------------

    def _fault(self, line: int, words: str) -> None:
        cut = words if len(words) <= LONGEST else f"{words[: LONGEST // 2]} ... {words[-LONGEST // 2 :]}"
        self.faults.append(f"{getattr(line, 'file', self.name)}:{line}: {escaped(cut)}")
        if len(self.faults) == MOST:
            raise _Enough

    @contextmanager
    def _guarded(self, label: str, node: Node) -> Iterator[None]:
        """Turn errors inside into faults with their line."""
        try:
            yield
        except Wrong as wrong:
            self._fault(wrong.line, f"{label} {wrong}" if str(wrong).startswith("must") else f"{label}: {wrong}")
        except Broken:
            pass
        except ModelError as error:
            for fault in error.faults:
                known = fault.startswith(label.partition(":")[0]) or "initial" in label
                self._fault(node.key_line or node.line, fault if known else f"{label}: {fault}")
        except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
            self._fault(node.key_line or node.line, f"{label}: cannot be read ({error})")

    def _functions(self) -> set[str]:
        """Names of all functions in the file."""
        found: set[str] = set()
        stack: list[Any] = [self.root.plain()]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                found |= {value["function"]} if isinstance(value.get("function"), str) else set()
                stack += value.values()
            elif isinstance(value, list):
                stack += value
        return found


def _of_file(line: int) -> str:
    """The file of a line that is in an included file, as the end of a phrase."""
    file = getattr(line, "file", None)
    return f" of {file}" if file else ""


def _word(node: Node) -> str | None:
    """The key that gives the kind of an element: the first, if it is known."""
    first = next(iter(node.data), None)
    return first if first in entries() else None
