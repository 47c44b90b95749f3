"""The part of YAML that model files mostly consist of, read quickly.

Lines `key: value` and `- key: value`, whose values are words, numbers, quoted words without escapes, lists and maps in brackets, or stand
below, indented; comments. Wherever anything else occurs the whole text is left to the parser for all of YAML (`yaml_nodes.py`), which
finds the same nodes, and the faults. Patterns never go back in what they matched (`*+`), so that no text takes long.
"""

from __future__ import annotations

import re
from typing import Any

from poinsot.files.models.yaml_scalars import Node, TooLarge, resolved

DEEPEST = 20  # levels
LONGEST = 1000  # characters of a key
WORD = r"(?:[A-Za-z0-9_.(+/]|-(?=[\w.(]))"  # how an unquoted value begins,
BLOCK, FLOW = r"[\w.+*/^()=<>,{}\[\]-]", r"[\w.+*/^()=<>-]"  # what it consists of besides spaces, below a key and within brackets
QUOTED = r"\"([^\"\\\n]*)\"|'([^'\n]*)'(?!')"
END = r"(?: ++#[^\n]*+| *+)(?:\n|\Z)"  # of a line
STRANGE = re.compile(r"[^\x20-\x7e\n]")
EMPTY = re.compile(r"(?: *+(?:#[^\n]*+)?\n)*+(?: *+(?:#[^\n]*+)?\Z)?")  # lines without content
INDENT = re.compile(r" *")
KEY = re.compile(rf"(?:([A-Za-z_][\w.]*+(?: [\w.]++)*+)|{QUOTED}):(?=[ \n]|\Z) *", re.ASCII)
DASH = re.compile(r"-(?=[ \n]|\Z) *")
LINE_END = re.compile(END)
VALUE = re.compile(rf"(?:({WORD}{BLOCK}*+(?: ++{BLOCK}++)*+)|{QUOTED}){END}", re.ASCII)
TOKEN = re.compile(rf"(?:[ \n]++|(?<=[ \n])#[^\n]*+)*+(?:([\[\]{{}},])|({WORD}{FLOW}*+(?: ++{FLOW}++)*+)|{QUOTED})(:(?=[ \n]))?", re.ASCII)
MARK, PLAIN = 1, 2  # groups of a token: a bracket or comma, an unquoted word; then words in double and in single quotes
DOUBLE, COLON = 3, 5


class Unusual(Exception):
    """Something that is not read here."""


def quickly(text: str) -> Node | None:
    """The nodes of a text; None where it has anything that is not read here."""
    if STRANGE.search(text):
        return None
    try:
        return _Quick(text).root()
    except (Unusual, TooLarge):
        return None


class _Quick:
    """Where reading is: at the beginning of the content of a line, with its number and indentation (-1 at the end)."""

    def __init__(self, text: str):
        self.text, self.at, self.line, self.indent = text, 0, 1, 0
        self.known: dict[str, Any] = {}  # meanings of unquoted words
        self._next_line(0)

    def root(self) -> Node:
        """The whole text."""
        if self.indent != 0:
            raise Unusual
        found = self._map(0, 1)
        if self.indent != -1:  # a line that belongs to no map or list, such as the rest of a word
            raise Unusual
        return found

    def _next_line(self, end: int) -> None:
        """Go to the next line with content, from the end of a line."""
        empty = EMPTY.match(self.text, end)
        assert empty is not None
        self.line += self.text.count("\n", end, empty.end())
        indent = INDENT.match(self.text, empty.end())
        assert indent is not None
        self.at = indent.end()
        self.indent = -1 if self.at >= len(self.text) else self.at - empty.end()

    def _leave(self, end: int) -> None:
        """The same, from the end of the content of this line."""
        if end > 0 and self.text[end - 1] == "\n":
            self.line += 1
        self._next_line(end)

    def _meaning(self, word: str) -> Any:
        if word not in self.known:
            self.known[word] = resolved(word)
        return self.known[word]

    # --- lines -----------------------------------------------------------------------------------------------------

    def _map(self, indent: int, depth: int) -> Node:
        found, line = dict[str, Node](), self.line
        while self.indent == indent:
            key = KEY.match(self.text, self.at)
            if key is None:
                raise Unusual
            name, key_line = key[key.lastindex or 1], self.line
            if name in found or len(name) > LONGEST or (key.lastindex == 1 and not isinstance(self._meaning(name), str)):
                raise Unusual
            value = self._value(key.end(), indent, depth, True)
            found[name] = Node(value.data, value.line, key_line)
        return Node(found, line)

    def _list(self, indent: int, depth: int) -> Node:
        found, line = list[Node](), self.line
        while self.indent == indent:
            dash = DASH.match(self.text, self.at)
            if dash is None:
                break
            if KEY.match(self.text, dash.end()):
                self.indent += dash.end() - self.at
                self.at = dash.end()
                if depth > DEEPEST:
                    raise Unusual
                found.append(self._map(self.indent, depth + 1))
            else:
                found.append(self._value(dash.end(), indent, depth, False))
        return Node(found, line)

    def _value(self, at: int, indent: int, depth: int, keyed: bool) -> Node:
        """The value that begins here, or on the lines below; `keyed`: whether it has a key, so that a list may begin at its indentation."""
        if depth > DEEPEST:
            raise Unusual
        simple = VALUE.match(self.text, at)
        if simple is not None:
            group, line = simple.lastindex or 1, self.line
            self._leave(simple.end())
            return Node(self._meaning(simple[1]) if group == 1 else simple[group], line)
        if self.text[at : at + 1] in ("[", "{"):
            node, end = self._bracket(at, indent, depth)
            rest = LINE_END.match(self.text, end)
            if rest is None:
                raise Unusual
            self._leave(rest.end())
            return node
        end_of_line = LINE_END.match(self.text, at)
        if end_of_line is None:
            raise Unusual
        self._leave(end_of_line.end())
        listed = DASH.match(self.text, self.at) is not None
        if self.indent > indent:
            return (self._list if listed else self._map)(self.indent, depth + 1)
        if keyed and listed and self.indent == indent:
            return self._list(indent, depth + 1)
        raise Unusual  # nothing, of which the other parser knows the line

    # --- brackets --------------------------------------------------------------------------------------------------

    def _token(self, at: int, indent: int) -> re.Match[str]:
        """The next token; `self.line` becomes its line."""
        token = TOKEN.match(self.text, at)
        if token is None:
            raise Unusual
        last = token.lastindex or COLON
        begin = token.start(self._group(token) if last == COLON else last)
        lines = self.text.count("\n", at, begin)
        if lines:
            self.line += lines
            if begin - self.text.rfind("\n", at, begin) - 1 <= indent:  # a quote is counted in, on the safe side
                raise Unusual
        return token

    def _group(self, token: re.Match[str]) -> int:
        return next(k for k in (MARK, PLAIN, DOUBLE, DOUBLE + 1) if token[k] is not None)

    def _bracket(self, at: int, indent: int, depth: int) -> tuple[Node, int]:
        """A list or map in brackets, and where it ends."""
        if depth > DEEPEST:
            raise Unusual
        line, keyed = self.line, self.text[at] == "{"
        data: Any = {} if keyed else []
        at, close = at + 1, "}" if keyed else "]"
        token = self._token(at, indent)
        if token[MARK] == close and token[COLON] is None:
            return Node(data, line), token.end()
        while True:
            key, key_line = "", 0
            if keyed:
                group = self._group(token)
                key, key_line = token[group], self.line
                wrong = group == PLAIN and not isinstance(self._meaning(key), str)
                if token[COLON] is None or group == MARK or wrong or key in data or len(key) > LONGEST:
                    raise Unusual
                token = self._token(token.end(), indent)
            node, end = self._entry(token, indent, depth)
            if keyed:
                data[key] = Node(node.data, node.line, key_line)
            else:
                data.append(node)
            token = self._token(end, indent)
            if token[COLON] is not None or token[MARK] not in (",", close):
                raise Unusual
            if token[MARK] == close:
                return Node(data, line), token.end()
            token = self._token(token.end(), indent)

    def _entry(self, token: re.Match[str], indent: int, depth: int) -> tuple[Node, int]:
        """A value within brackets, and where it ends."""
        if token[COLON] is not None:
            raise Unusual
        if token[PLAIN] is not None:
            return Node(self._meaning(token[PLAIN]), self.line), token.end()
        if token[MARK] is None:
            return Node(token[self._group(token)], self.line), token.end()
        if token[MARK] not in ("[", "{"):
            raise Unusual
        return self._bracket(token.start(MARK), indent, depth + 1)
