"""A System as the text of a model file: the arguments given to its elements, under the same names."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.context import Writing
from poinsot.files.models.elements import ATTRIBUTES, SECTIONS, entries, word_of
from poinsot.files.models.numbers import exactly, plain
from poinsot.files.models.references import flat
from poinsot.files.models.shapes import has_mesh, write_shape
from poinsot.files.models.yaml_text import block
from poinsot.model.body import Body
from poinsot.model.element import Element
from poinsot.model.initial import read_initial
from poinsot.model.system import System

VERSION = 1


def to_text(system: System, folder: Path | None = None) -> str:
    """The text of a system; empty sections are left out, gravity is always written.

    With the `folder` of its file, meshes are named relative to it. Without one, bodies that have their mass from a mesh are written with
    the numbers, so that the text can be read where the mesh is missing.
    """
    lines: list[str] = []
    for key, value in to_data(system, folder).items():
        gap = [""] if lines and (key in SECTIONS or key == "initial") else []
        lines += gap + block({key: value}, spread=1 if key == "initial" else 2)
    return "\n".join(lines) + "\n"


def to_data(system: System, folder: Path | None = None) -> dict[str, Any]:
    """A system as plain data, in the order of the file."""
    names = Counter(["ground", *(element.name for element in system.elements())])
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise ModelError(
            [f"system '{system.name}': the name '{name}' is used twice; names must be unique" for name in twice]
        )
    to = Writing(system, set(names), folder=folder)
    document: dict[str, Any] = {"poinsot": VERSION, "system": system.name}
    if system.plane is not None:
        document["plane"] = system.plane
    still = exactly(system.gravity, (0.0, 0.0, 0.0))
    document["gravity"] = "none" if still else flat(system.gravity, to)
    for section in SECTIONS:
        elements = getattr(system, ATTRIBUTES.get(section, section))
        if elements:
            document[section] = [_element(element, to) for element in elements]
    initial = {element.name: _initial(element, to) for element, values in system.initial.items() if values}
    if initial:
        document["initial"] = initial
    return document


def _element(element: Element, to: Writing) -> dict[str, Any]:
    to.label = element.label()
    entry = entries().get(word_of(type(element)))
    if entry is None or entry.cls is not type(element):
        raise to.unwritable(type(element))
    given = element.arguments()
    if to.folder is None and isinstance(element, Body) and has_mesh(given.get("shape")):
        given = given | _numbers_of(element)
    data: dict[str, Any] = {entry.word: element.name}
    if given.get("shape") is not None:
        data |= write_shape(given["shape"], to)
    for name, kind in entry.arguments.items():
        if name not in given or (name in entry.defaults and exactly(given[name], entry.defaults[name])):
            continue
        data[name] = None if given[name] is None else kind.write(given[name], to)
    return data


def _numbers_of(body: Body) -> dict[str, Any]:
    """Arguments of a body with the mass properties of its shape, which is only drawn."""
    xx, yy, zz, xy, xz, yz = body.inertia
    tensor = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return {"shape": None, "mass": body.mass, "com": body.com, "inertia": tensor, "looks": list(body.looks) or [body.shape]}


def _initial(element: Element, to: Writing) -> dict[str, Any]:
    """Initial values as they were given, if the system still holds them; otherwise those it holds."""
    to.label = element.label()
    system, held = to.system, to.system.initial[element]
    given = system.given_values.get(element, {})
    again: dict[str, tuple[float, ...]] = {}
    for name, value in given.items():
        again |= read_initial(system, element, {name: value})
    if again.keys() == held.keys() and all(exactly(again[name], held[name]) for name in held):
        return {name: plain(value, to) for name, value in given.items()}
    return {name: plain(value[0] if len(value) == 1 else value, to) for name, value in held.items()}
