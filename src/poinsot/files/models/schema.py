"""The JSON Schema of model files, for editors: made of the same descriptions that the reader uses. The reader checks more."""

from __future__ import annotations

from typing import Any

from poinsot.files.models.elements import SECTIONS, Entry, entries
from poinsot.files.models.includes import MAPS
from poinsot.files.models.numbers import FORMS, NUMBER, NUMBERS, ROTATION, TEXT
from poinsot.files.models.reader import KEYS
from poinsot.files.models.shapes import part_forms, shape_forms
from poinsot.files.models.writer import VERSION
from poinsot.model.system import PLANES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NULL = {"type": "null"}
PAIR = {"type": "array", "items": NUMBER.form, "minItems": 2, "maxItems": 2}
REPEAT = {"type": "object", "minProperties": 1, "additionalProperties": {"anyOf": [NUMBER.form, PAIR]}}


def schema() -> dict[str, Any]:
    """The schema, as plain data."""
    head = {
        "poinsot": {"const": VERSION, "description": "the version of the format"},
        "system": {**TEXT, "description": "the name of the system"},
        "plane": {"enum": [*PLANES, None], "description": "of planar systems"},
        "gravity": {"anyOf": [{"enum": ["none", None]}, NUMBERS.form], "description": "acceleration (m/s^2), or none"},
        "parameters": {"type": ["object", "null"], "additionalProperties": NUMBER.form, "description": "numbers by name"},
        "initial": {"type": ["object", "null"], "additionalProperties": {"type": "object", "additionalProperties": ROTATION.form}},
        "include": {"anyOf": [TEXT, {"type": "array", "items": TEXT}], "description": "other model files"},
    }
    sections = {section: {"type": ["array", "null"], "items": {"anyOf": _elements(section)}} for section in SECTIONS}
    assert {*head, *sections} == {*KEYS, "include"} and set(MAPS) <= set(head)
    return {
        "$schema": DIALECT,
        "title": "Poinsot model",
        "type": "object",
        "properties": {**head, **sections},
        "required": ["poinsot"],
        "anyOf": [{"required": ["gravity"]}, {"not": {"required": ["system"]}}],  # files to include have no gravity
        "additionalProperties": False,
        "$defs": {**FORMS, **part_forms(), **{word: _element(entry) for word, entry in entries().items()}},
    }


def _or_null(form: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [form, NULL]}


def _elements(section: str) -> list[dict[str, str]]:
    return [{"$ref": f"#/$defs/{word}"} for word, entry in entries().items() if entry.section == section]


def _element(entry: Entry) -> dict[str, Any]:
    """One kind of element: its keyword with its name, its arguments, and the shape of a body."""
    body = entry.section == "bodies"
    name = {"type": "string", "minLength": 1} if body else {"type": ["string", "null"]}
    shapes = {word: _or_null(form) for word, form in shape_forms().items()} if body else {}
    arguments = {argument: _or_null(kind.form) for argument, kind in entry.arguments.items()}
    words = " ".join((entry.cls.__doc__ or "").split())
    return {
        "type": "object",
        "description": words,
        "properties": {entry.word: name, **arguments, **shapes, "repeat": REPEAT},
        "required": [entry.word, *entry.required],
        "additionalProperties": False,
    }
