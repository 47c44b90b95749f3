"""Differences between two models, in words: names of elements and of their arguments."""

from __future__ import annotations

from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.elements import SECTIONS, entries
from poinsot.files.models.writer import to_data
from poinsot.files.models.yaml_nodes import parse
from poinsot.files.models.yaml_text import scalar
from poinsot.model.system import System


def differences(stored: str | System, given: str | System) -> list[str]:
    """Differences between a stored model and a given one, each a text or a System; empty when they are the same.

    Models are the same when they were given the same arguments and the fingerprints of their functions agree.
    """
    a, b = _data(stored, "stored model"), _data(given, "given model")
    listed = (*SECTIONS, "initial")
    heads = [{key: value for key, value in model.items() if key not in listed} for model in (a, b)]
    found = _changes("", *heads)
    for section in SECTIONS:
        found += _section(section, a.get(section) or [], b.get(section) or [])
    return found + _changes("initial values", a.get("initial") or {}, b.get("initial") or {})


def same_model(stored: str | System, given: str | System) -> bool:
    """Whether two models are the same."""
    return not differences(stored, given)


def _data(model: str | System, name: str) -> dict[str, Any]:
    if isinstance(model, System):
        return to_data(model)
    root = parse(model, name)
    data = None if root is None else root.plain()
    if not isinstance(data, dict) or not all(_listed(data.get(section)) for section in SECTIONS):
        raise ModelError(f"{name}: is not a Poinsot model")
    return data


def _listed(section: Any) -> bool:
    return section is None or (isinstance(section, list) and all(isinstance(e, dict) and e for e in section))


def _section(section: str, a: list[Any], b: list[Any]) -> list[str]:
    one, other = ({_label(element): element for element in elements} for elements in (a, b))
    found = [f"{label}: is only in the stored model" for label in one if label not in other]
    found += [f"{label}: is only in the given model" for label in other if label not in one]
    common = [label for label in one if label in other]
    if common != [label for label in other if label in one]:
        found.append(f"{section}: are in a different order")
    for label in common:
        found += _changes(label, one[label], other[label])
    return found


def _label(element: dict[str, Any]) -> str:
    word, name = next(iter(element.items()))
    return f"{entries()[word].cls.kind if word in entries() else word} '{name}'"


def _changes(label: str, a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    found = []
    for key in [*a, *(key for key in b if key not in a)]:
        where = f"{label}: {key}" if label else key
        x, y = a.get(key), b.get(key)
        if _same(x, y):
            continue
        if (
            isinstance(x, dict)
            and isinstance(y, dict)
            and "function" in x
            and "function" in y
            and _named(x) == _named(y)
        ):
            found.append(f"{where}: the function '{x['function']}' has changed: its source or its constants differ")
        elif isinstance(x, dict) and isinstance(y, dict):
            found += _changes(where, x, y)
        elif key not in a or key not in b:
            found.append(f"{where}: is given only in the {'stored' if key in a else 'given'} model")
        else:
            found.append(f"{where}: {_short(x)} in the stored model, {_short(y)} in the given one")
    return found


def _named(reference: dict[str, Any]) -> Any:
    return reference["function"] if isinstance(reference["function"], str) else None


def _same(x: Any, y: Any) -> bool:
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(_same(x[key], y[key]) for key in x)
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(_same, x, y))
    return x == y or (x != x and y != y)


def _short(value: Any) -> str:
    text = str(value) if isinstance(value, list | dict) else scalar(value)
    return text if len(text) <= 60 else text[:57] + "..."
