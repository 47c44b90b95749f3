"""YAML 1.2 as text: plain data written in a form that people like to read, and text read into nodes that know their line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from poinsot.errors import ModelError

WIDTH = 110  # columns
PLAIN = re.compile(r"[^\W\d](?:[\w.+/#-]| (?=[\w(]))*")  # strings that need no quotes, unless they are
RESERVED = {"null", "true", "false", "yes", "no", "on", "off"}  # these words
INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
SPECIAL = {".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}
CONSTANTS = {"": None, "~": None, "null": None, "true": True, "false": False}
TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")}
DEPTH = 60
NODES = 2_000_000  # entries of a file, aliases counted as often as they are used


@dataclass(frozen=True)
class Node:
    """Something in a file. `data` is a dict of nodes, a list of nodes, a string, a number, True, False or None."""

    data: Any
    line: int
    key_line: int = 0  # of the key it stands under

    def plain(self) -> Any:
        """The same without lines."""
        if isinstance(self.data, dict):
            return {key: node.plain() for key, node in self.data.items()}
        return [node.plain() for node in self.data] if isinstance(self.data, list) else self.data


def scalar(value: Any) -> str:
    """A string, number, True, False or None as it stands in a file; numbers to the last bit."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) and value.lower() not in RESERVED else _quoted(value)
    if isinstance(value, int):
        return repr(int(value))
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(float(value)), repr(float(value)))


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    if character in '"\\':
        return "\\" + character
    if 0x20 <= code < 0x7F or (0xA0 <= code < 0xD800 and code not in (0x2028, 0x2029)) or 0xE000 <= code < 0xFEFF:
        return character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(flow, value)) + "]" if isinstance(value, list) else scalar(value)


def block(value: Any, width: int = WIDTH, spread: int = 0) -> list[str]:
    """A value on as many lines as it needs; the outer `spread` levels always one entry per line."""
    line = flow(value)
    if not isinstance(value, dict | list) or not value or (spread <= 0 and len(line) <= width):
        return [line]
    if isinstance(value, dict):
        return [entry for key, item in value.items() for entry in _entry(scalar(key), item, width, spread)]
    if all(not isinstance(item, dict | list) for item in value):
        return _wrapped(value, width)
    lines = []
    for item in value:
        first, *rest = block(item, width - 2, spread - 1)
        lines += ["- " + first, *("  " + other for other in rest)]
    return lines


def _entry(key: str, item: Any, width: int, spread: int) -> list[str]:
    lines = block(item, width - len(key) - 2, spread - 1)
    if len(lines) == 1 and not lines[0].startswith("- ") and (spread <= 1 or not item or not isinstance(item, dict)):
        return [f"{key}: {lines[0]}"]
    if lines[0].startswith("["):
        return [f"{key}: {lines[0]}", *("  " + line for line in lines[1:])]
    lines = block(item, width - 2, spread - 1)
    return [f"{key}:", *(line if isinstance(item, list) else "  " + line for line in lines)]


def _wrapped(values: list[Any], width: int) -> list[str]:
    lines, now = [], "["
    for k, item in enumerate(values):
        piece = scalar(item) + ("]" if k == len(values) - 1 else ",")
        if len(now) + 1 + len(piece) > width and now.strip() != "[":
            lines.append(now.rstrip())
            now = " "
        now += ("" if now in ("[", " ") else " ") + piece
    return [*lines, now]


def parse(text: str, name: str) -> Node | None:
    """The nodes of a text; None when it is empty. Nothing is constructed: tags that ask for more are faults."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        said = " ".join(str(part) for part in (error.context, error.problem) if part)
        raise ModelError(f"{name}{line}: this is no YAML: {said}; look at this line and the one before") from None
    except (YAMLError, ValueError) as error:
        said = " ".join(str(error).split())
        raise ModelError(f"{name}: this is no YAML: {said}") from None
    except RecursionError:
        raise ModelError(f"{name}: is nested too deeply") from None
    return None if root is None else _node(root, name, 0, [NODES])


def _node(raw: Any, name: str, depth: int, left: list[int], key_line: int = 0) -> Node:
    line = raw.start_mark.line + 1
    left[0] -= 1
    if left[0] < 0:
        raise ModelError(f"{name}:{line}: has more than {NODES} entries; aliases that stand for aliases?")
    if depth > DEPTH:
        raise ModelError(f"{name}:{line}: is nested too deeply; an alias that contains itself?")
    if str(raw.tag) not in TAGS:
        raise ModelError(f"{name}:{line}: the tag {raw.tag} has no meaning in a model; leave it out")
    if isinstance(raw.value, str):
        resolved = raw.value if raw.style or str(raw.tag).endswith(":str") else _resolved(raw.value)
        return Node(resolved, line, key_line)
    if not raw.value or not isinstance(raw.value[0], tuple):
        empty: Any = {} if str(raw.tag).endswith(":map") else []
        return Node([_node(item, name, depth + 1, left) for item in raw.value] or empty, line, key_line)
    data: dict[str, Node] = {}
    for key, item in raw.value:
        at = key.start_mark.line + 1
        if not isinstance(key.value, str):
            raise ModelError(f"{name}:{at}: a key must be a word, not a list or a map")
        if key.value in data:
            raise ModelError(f"{name}:{at}: '{key.value}' stands here twice; keep one of them")
        data[key.value] = _node(item, name, depth + 1, left, at)
    return Node(data, line, key_line)


def _resolved(text: str) -> Any:
    """A word without quotes: what YAML 1.2 makes of it."""
    if text.lower() in CONSTANTS and text in (text.lower(), text.upper(), text.capitalize()):
        return CONSTANTS[text.lower()]
    if INTEGER.fullmatch(text):
        return int(text)
    if FLOAT.fullmatch(text):
        return float(text)
    return SPECIAL.get(text.lower(), text)
