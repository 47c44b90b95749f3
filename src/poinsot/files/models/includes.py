"""Model files that include others: `include: [legs.yaml]` takes the parameters, elements and initial values of other files.

Elements of included files come first, parameters and initial values of the including file replace theirs. Paths are relative to the
including file. What describes the whole system (name, gravity, plane) belongs to the including file alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.context import describe_node
from poinsot.files.models.elements import SECTIONS
from poinsot.files.models.yaml_nodes import parse
from poinsot.files.models.yaml_scalars import Node

DEEPEST = 10  # files that include each other
MOST = 100  # files altogether
MAPS = ("parameters", "initial")
LARGEST = 50_000_000  # bytes of a file


class Line(int):
    """A line of an included file."""

    file: str


def with_includes(root: Node, name: str, folder: Path | None) -> Node:
    """The root of a file with what it includes."""
    return _merged(root, name, folder, [str(name)], [MOST])


def _merged(root: Node, name: str, folder: Path | None, above: list[str], room: list[int]) -> Node:
    if not isinstance(root.data, dict) or "include" not in root.data:
        return root
    node = root.data["include"]
    files = node.data if isinstance(node.data, list) else [node]
    if not all(isinstance(file.data, str) and file.data for file in files):
        raise ModelError(f"{name}:{node.line}: include must be a list of files, not {describe_node(node)}")
    if folder is None:
        raise ModelError(f"{name}:{node.line}: a model that is not a file cannot include others; read it with po.read")
    top: dict[str, Any] = {key: item for key, item in root.data.items() if key != "include"}
    for file in reversed(files):
        _take(top, _included(folder / file.data, f"{name}:{file.line}", above, room), name)
    return root._replace(data=top)


def _included(path: Path, where: str, above: list[str], room: list[int]) -> dict[str, Node]:
    """The top of an included file, its lines with its name."""
    room[0] -= 1
    if str(path.resolve()) in above:
        raise ModelError(f"{where}: {path} includes itself, directly or by another file")
    if len(above) > DEEPEST or room[0] < 0:
        raise ModelError(f"{where}: too many files include each other; {DEEPEST} deep and {MOST} altogether are allowed")
    try:
        if path.exists() and not path.is_file():
            raise ValueError("is not a regular file")
        with path.open("rb") as file:
            text = file.read(LARGEST).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or error
        raise ModelError(f"{where}: {path} cannot be included: {reason}") from None
    root = parse(text, str(path))
    if root is None or not isinstance(root.data, dict) or "poinsot" not in root.data:
        raise ModelError(f"{where}: {path} is not a Poinsot model; a model file begins with the line 'poinsot: 1'")
    for key, node in root.data.items():
        if key not in ("poinsot", "include", *MAPS, *SECTIONS):
            raise ModelError(f"{path}:{node.key_line}: '{key}' has no meaning in an included file; move it to the file that includes it")
    named = _named(root, str(path))
    return _merged(named, str(path), path.parent, [*above, str(path.resolve())], room).data


def _take(top: dict[str, Node], included: dict[str, Node], name: str) -> None:
    """Add what a file includes: lists in front, entries of maps where there are none."""
    for key, node in included.items():
        own = top.get(key)
        if key == "poinsot":
            continue
        if own is None or own.data is None:
            top[key] = node
        elif key in MAPS and isinstance(own.data, dict) and isinstance(node.data, dict):
            top[key] = own._replace(data={**node.data, **own.data})
        elif isinstance(own.data, list) and isinstance(node.data, list):
            top[key] = own._replace(data=[*node.data, *own.data])
        elif node.data is not None:
            raise ModelError(f"{name}:{own.line}: {key} is a {_form(own)} here and a {_form(node)} in an included file")


def _form(node: Node) -> str:
    return "list" if isinstance(node.data, list) else "map" if isinstance(node.data, dict) else "value"


def _named(node: Node, file: str) -> Node:
    """A node whose lines know their file."""
    data: Any = node.data
    if isinstance(data, dict):
        data = {key: _named(item, file) for key, item in data.items()}
    elif isinstance(data, list):
        data = [_named(item, file) for item in data]
    lines = [Line(line) for line in (node.line, node.key_line)]
    for line in lines:
        line.file = file
    return node._replace(data=data, line=lines[0], key_line=lines[1])
