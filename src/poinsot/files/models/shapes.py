"""Shapes in files: `rod: {radius: 0.02, mass: 1.0}`; a composite is the list of its parts, each with its position."""

from __future__ import annotations

import os
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.context import Kind, Reading, Writing, Wrong, describe_node, suggestion
from poinsot.files.models.numbers import NUMBER, NUMBERS, ROTATION, WORD, exactly, plain
from poinsot.files.models.yaml_scalars import Node
from poinsot.model.guard import is_path
from poinsot.model.looks import COLOUR, Look
from poinsot.model.mesh import Mesh
from poinsot.model.shapes import Composite, Shape


def _write_file(file: str, to: Writing) -> str:
    """The path of a mesh: relative to the folder of the model file, where there is one."""
    if to.folder is None:
        return file
    try:
        return Path(os.path.relpath(file, to.folder)).as_posix()
    except ValueError:  # on another drive
        return file


def _read_file(node: Node, of: Reading) -> str:
    if not isinstance(node.data, str) or not is_path(node.data):
        raise Wrong(node.line, f"must be the path of a mesh, not {describe_node(node)}")
    return str((of.folder or Path()) / node.data)


def _read_scale(node: Node, of: Reading) -> Any:
    return (NUMBERS if isinstance(node.data, list) else NUMBER).read(node, of)


KINDS = {"axis": WORD, "file": Kind(_write_file, _read_file), "scale": Kind(plain, _read_scale)}  # every other field of a shape is a number
PLACE = {"position": NUMBERS, "rotation": ROTATION}


def shape_classes() -> dict[str, type[Shape]]:
    """Every shape of the package by its keyword."""
    own = [cls for cls in Shape.__subclasses__() if cls.__module__ in (Shape.__module__, Mesh.__module__)]
    return {cls.__name__.lower(): cls for cls in own}


def write_shape(shape: Any, to: Writing) -> dict[str, Any]:
    """The keyword of a shape and its arguments."""
    word = type(shape).__name__.lower()
    if shape_classes().get(word) is not type(shape):
        raise to.unwritable(shape)
    if isinstance(shape, Composite):
        return {word: [_write_part(part, to) for part in shape.parts]}
    values = {f.name: (getattr(shape, f.name), f.default) for f in fields(shape)}  # type: ignore[arg-type]
    write = {name: KINDS[name].write if name in KINDS else plain for name in values}
    return {word: {name: write[name](value, to) for name, (value, default) in values.items() if not exactly(value, default)}}


def has_mesh(shape: Any) -> bool:
    """Whether a shape depends on the file of a mesh."""
    return any(has_mesh(part) for part, _, _ in shape.placed()) if isinstance(shape, Composite) else isinstance(shape, Mesh)


def _write_part(part: Any, to: Writing) -> dict[str, Any]:
    shape, position, rotation = (*part, None, None)[:3] if isinstance(part, tuple | list) else (part, None, None)
    place = {"position": position, "rotation": rotation}
    return write_shape(shape, to) | {key: plain(value, to) for key, value in place.items() if value is not None}


def read_shape(word: str, node: Node, of: Reading) -> Shape:
    """The shape for a keyword."""
    cls = shape_classes()[word]
    if cls is Composite:
        if not isinstance(node.data, list):
            raise Wrong(node.line, f"composite must be a list of shapes with their positions, not {describe_node(node)}")
        return Composite([_read_part(part, of) for part in node.data])
    if not isinstance(node.data, dict):
        raise Wrong(node.line, f"{word} must be a map with its arguments, not {describe_node(node)}")
    known = {f.name: f.default is MISSING for f in fields(cls)}  # type: ignore[arg-type]
    for key, item in node.data.items():
        if key not in known:
            raise Wrong(item.key_line, f"{word} has no '{key}'{suggestion(key, list(known))}")
    missing = [name for name, required in known.items() if required and name not in node.data]
    if missing:
        raise Wrong(node.line, f"{word} lacks {', '.join(missing)}")
    values = {}
    for key, item in node.data.items():
        try:
            values[key] = KINDS.get(key, NUMBER).read(item, of)
        except Wrong as wrong:
            raise Wrong(wrong.line, f"{word}: {key} {wrong}") from None
    try:
        return cls(**values)
    except ModelError as error:
        raise Wrong(node.line, str(error)) from None


def _read_part(node: Node, of: Reading, what: str = "a part of a composite") -> tuple[Shape, Any, Any]:
    words = [key for key in node.data if key in shape_classes()] if isinstance(node.data, dict) else []
    unknown = [key for key in node.data if key not in words and key not in PLACE] if words else []
    if len(words) != 1 or unknown:
        shapes = ", ".join(shape_classes())
        raise Wrong(
            node.line, f"{what} is one of {shapes}, with position and rotation, not {describe_node(node)}"
        )
    position, rotation = (PLACE[k].read(node.data[k], of) if k in node.data else None for k in PLACE)
    return (read_shape(words[0], node.data[words[0]], of), position, rotation)


def _write_looks(looks: Any, to: Writing) -> Any:
    parts = looks if isinstance(looks, list | tuple) else [looks]
    return [_write_look(part if isinstance(part, Look) else Look(part), to) for part in parts]


def _write_look(look: Look, to: Writing) -> dict[str, Any]:
    place = _write_part((look.shape, look.position, look.rotation), to)
    return place | ({} if look.colour is None else {"colour": look.colour})


def _read_looks(node: Node, of: Reading) -> list[Look]:
    if not isinstance(node.data, list):
        raise Wrong(node.line, f"must be a list of shapes with position, rotation and colour, not {describe_node(node)}")
    return [_read_look(part, of) for part in node.data]


def _read_look(node: Node, of: Reading) -> Look:
    colour = node.data.get("colour") if isinstance(node.data, dict) else None
    if colour is not None and not (isinstance(colour.data, str) and COLOUR.fullmatch(colour.data)):
        raise Wrong(colour.line, f"colour must be like '#ff8800', in quotes, not {describe_node(colour)}")
    bare = node if colour is None else node._replace(data={k: v for k, v in node.data.items() if k != "colour"})
    return Look(*_read_part(bare, of, "a look"), None if colour is None else colour.data)


def shape_forms() -> dict[str, dict[str, Any]]:
    """What may stand under the keyword of each shape, in JSON Schema."""
    found: dict[str, dict[str, Any]] = {}
    for word, cls in shape_classes().items():
        if cls is Composite:
            found[word] = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/part"}}
            continue
        own = fields(cls)  # type: ignore[arg-type]
        parts = {f.name: {"anyOf": [KINDS.get(f.name, NUMBER).form, {"type": "null"}]} for f in own}
        required = [f.name for f in own if f.default is MISSING]
        found[word] = {"type": "object", "properties": parts, "required": required, "additionalProperties": False}
    return found


def part_forms() -> dict[str, dict[str, Any]]:
    """A part of a composite, and a look: one shape, with its place."""
    one = {"oneOf": [{"required": [word]} for word in shape_forms()]}
    part = shape_forms() | {key: kind.form for key, kind in PLACE.items()}
    look = part | {"colour": {"type": "string", "pattern": f"^{COLOUR.pattern}$"}}
    return {name: {"type": "object", "properties": own, "additionalProperties": False, **one} for name, own in (("part", part), ("look", look))}


LOOKS = Kind(_write_looks, _read_looks, {"type": "array", "items": {"$ref": "#/$defs/look"}})
