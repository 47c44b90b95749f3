"""A system with other values, as if it had been written with them."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.element import Element
from poinsot.model.given import Given, independent_copy
from poinsot.model.initial import read_initial
from poinsot.model.joint import Joint
from poinsot.model.parameters import SHAPED, arguments, initial_names, of_signals, parameters, value_of
from poinsot.model.snapshot import LISTS, Copying
from poinsot.model.system import System

ENTRY = re.compile(r"(.+)\[(\d+)\]")  # one number of several: force1.params[0]
MANY = 2000  # largest number of names among which the nearest is searched
LISTED = 12  # elements in a message
SPINS = {"angular_velocity": "angular_velocity_body", "angular_velocity_body": "angular_velocity"}


def with_change(system: System, change: dict[str, Any]) -> System:
    """A new system like this one with other values.

    Keys are "element.parameter", "element.parameter[k]" for one number of several, and "gravity"; see
    docs/changes.md for the list. Elements that depend on a changed one (a joint or force drawn at the centre of
    mass) are rebuilt with it.
    """
    values, initial, gravity = read_change(system, change)
    new = System(system.name, gravity=gravity, plane=system.plane)
    new.numbering = dict(system.numbering)
    copying = Copying(new)
    copying.copies[system.ground] = new.ground
    rebuilt: set[Element] = set()
    for name in LISTS:
        for element in getattr(system, name):
            if element in values or (rebuilt and _drawn_on(element, rebuilt)):
                copying.copies[element] = _made(copying, element, values.get(element, {}))
                if name == "bodies":
                    rebuilt.add(element)
            else:
                copied = copying.element(element)
                getattr(new, name).append(copied)
                new.by_name.setdefault(copied.name, copied)
    for element, held in system.initial.items():
        if element not in copying.copies:  # removed from the system in the meantime
            continue
        new.initial[copying.copies[element]] = dict(held)
        new.given_values[copying.copies[element]] = dict(system.given_values.get(element, {}))
    for element, given in initial.items():
        mine = copying.copies[element]
        for name in given:  # angular_velocity and angular_velocity_body replace each other
            new.initial.get(mine, {}).pop(SPINS.get(name, name), None)
            new.given_values.get(mine, {}).pop(SPINS.get(name, name), None)
        new.set_initial(mine, given)
    return new


def check_change(system: System, change: dict[str, Any]) -> None:
    """Raise a ModelError when a key or the kind of a value is wrong; whether the values make a possible system is not checked."""
    _, initial, _ = read_change(system, change)
    for element, given in initial.items():
        read_initial(system, element, given)


def _made(copying: Copying, element: Element, values: dict[str, Any]) -> Any:
    """An element rebuilt in the new system with other values."""
    changed = {name: copying.value(value) for name, value in arguments(element, values).items()}
    given: Given | None = getattr(element, "given", None)
    if given is not None:
        return getattr(copying.new, given.maker)(**changed)
    new: Any = type(element)(**changed)
    return copying.new.add(new)


def _drawn_on(element: Any, bodies: set[Element]) -> bool:
    """Whether an element is attached to one of these bodies."""
    parts = [getattr(element, name, None) for name in ("first", "second", "target")]
    return any(isinstance(part, Body) and part in bodies for part in parts)


@dataclass(frozen=True)
class Key:
    """What a key of a change refers to, and which values fit.

    Attributes
    ----------
    element, parameter : None and "" for gravity
    entry : the match of ENTRY, of a key for one number of several
    initial : whether it is an initial value
    free : whether its value may have several forms; otherwise it consists of numbers,
    shape : of this shape, unless that is None,
    one : or a single one
    """

    element: Any
    parameter: str
    entry: re.Match[str] | None
    initial: bool = False
    free: bool = False
    shape: tuple[int, ...] | None = None
    one: bool = False


def read_change(
    system: System, change: dict[str, Any], known: dict[str, Key] | None = None
) -> tuple[dict[Any, dict[str, Any]], dict[Any, dict[str, Any]], Any]:
    """Parameters and initial values by element, and gravity; wrong keys raise a ModelError. `known`: keys that were read before, of a system that
    does not change; new ones are added.
    """
    if not isinstance(change, dict):
        raise ModelError(f"change must be a dict such as {{'spring1.stiffness': 20.0}}, not {change!r}")
    values: dict[Any, dict[str, Any]] = {}
    initial: dict[Any, dict[str, Any]] = {}
    gravity: Any = system.gravity
    known = {} if known is None else known
    for key, given in change.items():
        if key not in known:
            known[key] = _key(system, str(key))
        found = known[key]
        element, parameter, entry = found.element, found.parameter, found.entry
        value = given if entry else independent_copy(given)
        if element is None:
            gravity = _entry(key, gravity, entry, value) if entry else value
            if gravity is not None:
                gravity = system.vector(_numeric(key, gravity), "change: gravity")
        elif found.initial:
            initial.setdefault(element, {})[parameter] = value
        else:
            now = values.setdefault(element, {})
            value = _entry(key, now.get(parameter, value_of(element, parameter)), entry, value) if entry else value
            now[parameter] = _fitting(found, value, str(key))
    for element, names in values.items():
        if isinstance(element, Body) and names.keys() >= set(SHAPED):
            raise ModelError(f"change: {element.label()}: give its mass or its density, not both")
    return values, initial, gravity


def _key(system: System, key: str) -> Key:
    """What a key refers to; a ModelError where there is no such thing."""
    entry = ENTRY.fullmatch(key)
    whole = entry[1] if entry else key
    if whole == "gravity":
        return Key(None, "", entry)
    name, dot, parameter = whole.rpartition(".")
    elements = {element.name: element for element in system.elements()}
    if not dot or name not in elements:
        raise ModelError(_unknown(system, key, name, parameter, elements))
    element: Any = elements[name]
    if parameter in parameters(element):
        if element.free_form(parameter):
            return Key(element, parameter, entry, free=True)
        now = getattr(element, parameter) if parameter in getattr(element, "lists", ()) else None
        shape = np.shape(now) if now is not None and np.ndim(now) == 1 else None
        one = parameter != "inertia" and parameter not in of_signals(element) and np.ndim(value_of(element, parameter)) == 0
        return Key(element, parameter, entry, shape=shape, one=one)
    if parameter in initial_names(element) and not entry:
        return Key(element, parameter, entry, initial=True)
    raise ModelError(_no_parameter(element, parameter))


def _entry(key: str, now: Any, entry: re.Match[str], value: Any) -> Any:
    """Several numbers with one of them replaced."""
    numbers, k = independent_copy(np.asarray(now, float)), int(entry[2])
    if not isinstance(numbers, list) or k >= len(numbers):
        count = len(numbers) if isinstance(numbers, list) else 1
        raise ModelError(f"change: there is no '{key}'; {entry[1]} has {count} number{'s' * (count != 1)}, from [0] on")
    numbers[k] = independent_copy(value)
    return numbers


def _fitting(found: Key, value: Any, key: str) -> Any:
    """A value that can replace the present one."""
    if found.free:
        return value
    value = _numeric(key, value)
    if found.shape is not None and np.shape(value) != found.shape:
        raise ModelError(f"change: {key} must be as many numbers as before, {found.shape[0]}, not {value!r}; one of them is '{key}[0]'")
    if found.one and np.ndim(value) > 0:
        raise ModelError(f"change: {key} must be one number, not {value!r}")
    return value


def _numeric(key: Any, value: Any) -> Any:
    if type(value) is float:
        return value
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.dtype.kind not in "iuf" or array.size == 0:
        raise ModelError(f"change: {key} must be a number, or several, not {value!r}")
    return float(value) if array.ndim == 0 else value


def _unknown(system: System, key: str, name: str, parameter: str, elements: dict[str, Any]) -> str:
    words = f"change: there is no '{key}'; write 'element.parameter', such as '{_example(elements)}', or 'gravity'"
    if name.startswith("free:") and name.removeprefix("free:") in elements:
        body = name.removeprefix("free:")
        return f"{words}; the initial values of a free body are its own: '{body}.velocity', '{body}.position' and so on"
    near = _near(name or key, [*list(elements)[:MANY], "gravity"], f".{parameter}" if name else "")
    return words + (near or f"; its elements are {', '.join(list(elements)[:LISTED])}{', ...' if len(elements) > LISTED else ''}")


def _example(elements: dict[str, Any]) -> str:
    """A name that can be changed in this system, of a load if there is one."""
    named = [(name, element, list(parameters(element))) for name, element in list(elements.items())[:MANY]]
    found = [(isinstance(element, Joint | Body), f"{name}.{known[0]}") for name, element, known in named if known]
    return min(found)[1] if found else "spring1.stiffness"


def _no_parameter(element: Element, parameter: str) -> str:
    known = [*parameters(element), *initial_names(element)]
    words = f"change: {element.label()} has no parameter '{parameter}' to change; it has {', '.join(known) or 'none'}"
    if parameter == "length" and "between" in element.arguments():
        words += "; its length is the distance between the points of between="
    present = element.present_word(parameter) if isinstance(element, Joint) else None
    return words + (f"; it is called '{element.name}.{present}'" if present else _near(parameter, known, ""))


def _near(word: str, known: list[str], rest: str) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.6)
    return f"; did you mean '{close[0]}{'' if close[0] == 'gravity' else rest}'?" if close else ""
