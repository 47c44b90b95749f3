"""YAML 1.2 as text: plain data in a form that is easy to read.

A value is written on the line of its key where it fits; a list of numbers is wrapped in its brackets; everything else goes below its
key, an entry per line. So a bracket is never opened on a line of its own, where YAML would require deeper indentation.
"""

from __future__ import annotations

import re
from typing import Any

WIDTH = 110  # columns
LONGEST_KEY = 1000  # characters: a YAML parser looks for the colon after a key within 1024, unless `?` precedes it
PLAIN = re.compile(r"[^\W\d](?:[\w.+/#-]| (?=[\w(]))*")  # strings that need no quotes, unless they are
RESERVED = {"null", "true", "false", "yes", "no", "on", "off"}  # one of these words


def scalar(value: Any) -> str:
    """A string, number, True, False or None as written in a file; numbers to the last bit."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        plain = PLAIN.fullmatch(value) and value.isprintable() and value.lower() not in RESERVED
        return str(value) if plain else _quoted(value)
    if isinstance(value, int):
        return repr(int(value))
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(float(value)), repr(float(value)))


def _quoted(text: str) -> str:
    return '"' + "".join("\\" + c if c in '"\\' else escaped(c) for c in text) + '"'


def escaped(text: str) -> str:
    """A text with invisible characters escaped: line ends, control characters, direction marks, surrogates."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _code(ord(c)) for c in text)


def _code(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow_key(scalar(key))}: {flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(flow, value)) + "]" if isinstance(value, list) else scalar(value)


def _flow_key(key: str) -> str:
    return key if len(key) <= LONGEST_KEY else f"? {key} "


def block(entries: dict[Any, Any], spread: int = 0, width: int = WIDTH) -> list[str]:
    """A map on as many lines as needed, one key per line; `spread` levels below it always have one entry per line."""
    lines: list[str] = []
    for key, item in entries.items():
        word = scalar(key)
        if len(word) <= LONGEST_KEY:
            lines += _below(f"{word}:", item, spread, width)
        else:
            lines += [f"? {word}", *_below(":", item, spread, width)]
    return lines


def _below(head: str, item: Any, spread: int, width: int) -> list[str]:
    """An entry: its key, then its value beside or below it."""
    beside = _beside(item, spread, width - len(head) - 1)
    if beside is not None:
        first, *rest = beside
        return [f"{head} {first}", *_indented(rest)]
    if isinstance(item, dict):
        return [head, *_indented(block(item, spread - 1, width - 2))]
    lines = _items(item, spread - 1, width - 2)
    return [head, *(_indented(lines) if head == ":" else lines)]


def _beside(item: Any, spread: int, width: int) -> list[str] | None:
    """The lines of a value that begins on the line of its key; None when it must be below."""
    if not isinstance(item, dict | list) or not item:
        return [flow(item)]
    if isinstance(item, list) and not any(isinstance(part, dict | list) for part in item):
        return _wrapped(item, width)
    line = flow(item)
    return [line] if spread <= 0 and len(line) <= width else None


def _items(values: list[Any], spread: int, width: int) -> list[str]:
    """A list with a line `- ...` for every entry."""
    lines: list[str] = []
    for item in values:
        below = _beside(item, spread, width - 2)
        if below is None:
            below = (block if isinstance(item, dict) else _items)(item, spread - 1, width - 2)
        first, *rest = below
        lines += [f"- {first}", *_indented(rest)]
    return lines


def _indented(lines: list[str]) -> list[str]:
    return ["  " + line for line in lines]


def _wrapped(values: list[Any], width: int) -> list[str]:
    lines, now = [], "["
    for k, item in enumerate(values):
        piece = scalar(item) + ("]" if k == len(values) - 1 else ",")
        if len(now) + 1 + len(piece) > width and now.strip() not in ("[", ""):
            lines.append(now)
            now = " "
        now += ("" if now in ("[", " ") else " ") + piece
    return [*lines, now]
