"""Words of earlier versions in model files: they are read as the present ones, and never written."""

from __future__ import annotations

from typing import Any

from poinsot.model.joint import Joint
from poinsot.model.system import System

ARGUMENTS = {("motion", "follows"): "signal"}  # by keyword of the element and earlier name


def present_arguments(word: str, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of an element with their present names; an earlier name beside the present one is left as it is, and is a fault."""
    return _renamed(given, {key: ARGUMENTS.get((word, key)) for key in given})


def present_values(element: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Initial values with the present names of rates: `rate` for `angle_rate` of a joint with one coordinate."""
    return _renamed(given, {key: element.present_word(key) for key in given}) if isinstance(element, Joint) else given


def present_result(text: str, system: System) -> str:
    """The name of a result with the present name of a rate."""
    owner, _, result = text.rpartition(".")
    element = system.by_name.get(owner)
    present = element.present_word(result) if isinstance(element, Joint) else None
    return f"{owner}.{present}" if present else text


def _renamed(given: dict[str, Any], words: dict[str, str | None]) -> dict[str, Any]:
    return {(word if word and word not in given else key): given[key] for key, word in words.items()}
