"""YAML 1.2 read into nodes that know their line. No objects are constructed: whatever requires more than plain data is a fault.

The size that a small file can expand to is bounded: depth, entries that aliases stand for, digits of a number.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.yaml_quick import quickly
from poinsot.files.models.yaml_scalars import Node, TooLarge, resolved
from poinsot.files.models.yaml_text import escaped

TAG = "tag:yaml.org,2002:"
TYPES = {"int": int, "float": float, "bool": bool, "null": type(None), "seq": list, "map": dict}  # by their tags
DEPTH = 60
ALIASED = 1000  # entries that aliases may stand for in a small file; in a large one,
ALIASED_PER_ENTRY = 10  # this many for each entry that is written


def parse(text: str, name: str) -> Node | None:
    """The nodes of a text; None when it is empty."""
    collecting = gc.isenabled()
    gc.disable()  # nodes hold no cycles: there is nothing to look for
    try:
        return quickly(text) or parse_all(text, name)
    finally:
        if collecting:
            gc.enable()


def parse_all(text: str, name: str) -> Node | None:
    """The same for any text, by a parser for all of YAML."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return _Composer(name).composed(YAML(typ="safe", pure=True).parse(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        problem = escaped(" ".join(" ".join(str(part).split()) for part in (error.context, error.problem) if part))
        raise ModelError(f"{name}{line}: this is not YAML: {problem}; look at this line and the one before") from None
    except (YAMLError, ValueError, OverflowError) as error:
        problem = escaped(" ".join(str(error).split()))
        raise ModelError(f"{name}: this is not YAML: {problem}") from None


class _Open:
    """A list or map that is still being read."""

    def __init__(self, data: Any, line: int, event: Any):
        self.data, self.line, self.anchor = data, line, event.anchor
        self.key: str | None = None  # of the value that comes next
        self.key_line = 0
        self.entries = 1  # including those that aliases stand for


class _Composer:
    """Builds nodes from the events of a parser, without recursion."""

    def __init__(self, name: str):
        self.name = name
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Node, int] | None] = {}  # with the number of entries; None: still being read
        self.written = self.aliased = 0
        self.root: Node | None = None

    def composed(self, events: Iterable[Any]) -> Node | None:
        """The root; None when there is none."""
        from ruamel.yaml import events as kinds

        for event in events:
            line = event.start_mark.line + 1
            if isinstance(event, kinds.ScalarEvent):
                self._scalar(event, line)
            elif isinstance(event, kinds.SequenceStartEvent | kinds.MappingStartEvent):
                self._begin([] if isinstance(event, kinds.SequenceStartEvent) else {}, event, line)
            elif isinstance(event, kinds.SequenceEndEvent | kinds.MappingEndEvent):
                ended = self.open.pop()
                self._put(Node(ended.data, ended.line), ended.entries, ended.anchor)
            elif isinstance(event, kinds.AliasEvent):
                self._alias(event.anchor, line)
            elif isinstance(event, kinds.DocumentStartEvent) and self.root is not None:
                raise self._wrong(line, "a second document begins here; a model file is one document")
        return self.root

    def _wrong(self, line: int, words: str) -> ModelError:
        return ModelError(f"{self.name}:{line}: {escaped(words)}")

    def _scalar(self, event: Any, line: int) -> None:
        value = event.value if event.style or event.tag in ("!", TAG + "str") else self._resolved(event.value, line)
        tagged = event.tag is not None and event.tag not in ("!", TAG + "str")
        if tagged and (TYPES.get(event.tag.removeprefix(TAG)) is not type(value) or event.style):
            raise self._tag(event, line)
        if not self._is_key():
            self._put(Node(value, line), 1, event.anchor)
            return
        parent = self.open[-1]
        if not isinstance(value, str):
            raise self._wrong(line, f"a key must be a word, not {_short(event.value)}; put it in quotes if it is a name")
        if value == "<<" and not event.style:
            raise self._wrong(line, "the merge key << has no meaning in a model; write the entries out")
        if value in parent.data:
            raise self._wrong(line, f"'{_short(value)}' occurs twice here; keep one of them")
        if event.anchor:
            self.anchors[event.anchor] = (Node(value, line), 1)
        parent.key, parent.key_line = value, line

    def _begin(self, data: Any, event: Any, line: int) -> None:
        if self._is_key():
            raise self._wrong(line, "a key must be a word, not a list or a map")
        if len(self.open) >= DEPTH:
            raise self._wrong(line, f"is nested too deeply: more than {DEPTH} levels")
        if event.tag not in (None, "!") and TYPES.get(event.tag.removeprefix(TAG)) is not type(data):
            raise self._tag(event, line)
        if event.anchor:
            self.anchors[event.anchor] = None
        self.open.append(_Open(data, line, event))

    def _alias(self, anchor: str, line: int) -> None:
        if anchor not in self.anchors:
            raise self._wrong(line, f"this is not YAML: the alias *{_short(anchor)} is not defined; define it before with &")
        known = self.anchors[anchor]
        if known is None:
            raise self._wrong(line, f"is nested too deeply: the alias *{_short(anchor)} contains itself")
        node, entries = known
        if self._is_key():
            raise self._wrong(line, "a key must be a word, not an alias")
        self.aliased += entries
        if self.aliased > ALIASED + ALIASED_PER_ENTRY * self.written:
            raise self._wrong(line, f"aliases stand for more than {self.aliased - entries} entries; write them out")
        self.written -= 1  # `_put` counts an entry that was not written
        self._put(node, entries, None)

    def _put(self, node: Node, entries: int, anchor: str | None) -> None:
        """Put a value where it belongs."""
        self.written += 1
        if anchor:
            self.anchors[anchor] = (node, entries)
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.entries += entries
        if isinstance(parent.data, list):
            parent.data.append(node)
        else:
            parent.data[parent.key] = node._replace(key_line=parent.key_line)
            parent.key = None

    def _is_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].data, dict) and self.open[-1].key is None

    def _tag(self, event: Any, line: int) -> ModelError:
        return self._wrong(line, f"the tag {_short(event.tag)} has no meaning here; leave it out")

    def _resolved(self, text: str, line: int) -> Any:
        """An unquoted word as interpreted by YAML 1.2. Numbers that a float cannot hold are faults."""
        try:
            return resolved(text)
        except TooLarge as error:
            raise self._wrong(line, f"the number {_short(text)} is too large{error}") from None


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:60] + "..."
