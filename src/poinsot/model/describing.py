"""Elements in one line, as they are shown in a prompt: `<Revolute 'base': ground to crank, about y at (0, 0, 0)>`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from poinsot.model.body import Body
from poinsot.model.coordinate import Coordinate
from poinsot.model.element import Element
from poinsot.model.guard import as_numbers
from poinsot.model.joint import Helical, Joint
from poinsot.model.words import LONGEST

LISTED = 4  # parts and values that are shown
AXES = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z", (-1.0, 0.0, 0.0): "-x", (0.0, -1.0, 0.0): "-y", (0.0, 0.0, -1.0): "-z"}


def described(element: Element) -> str:
    """Class, name and what it is, in angle brackets; never raises, since faulty elements are shown as well."""
    try:
        words = _words(element)
    except Exception:  # of an element with faults anything may be wrong
        words = ""
    name = str(element.__dict__.get("name") or "")
    return f"<{type(element).__name__}{f' {name!r}' if name else ''}{f': {words}' if words else ''}>"


def _words(element: Element) -> str:
    if isinstance(element, Body):
        return f"{element.mass:g} kg, at {_point(element.position)}" if element.name != "ground" else ""
    if isinstance(element, Joint):
        return _of_joint(element)
    arguments = element.arguments()
    acts = [arguments[key] for key in arguments if isinstance(arguments[key], Coordinate | Element)]
    between = " to ".join(_name(one) for one in acts[:LISTED])
    numbers = [f"{key} {_short(value)}" for key, value in arguments.items() if key not in ("name", "at") and as_numbers(value) is not None]
    return ", ".join([*([between] if between else []), *numbers[:LISTED]])


def _of_joint(joint: Joint) -> str:
    turns = any(isinstance(m, Helical) and m.rot != 0 for m in joint.motions())
    axes = [_axis(axis) for name, axis in joint.axes() if name != "direction"]
    about = f", {'about' if turns else 'along'} {' and '.join(axes)}" if axes else ","
    where = _point(joint.first_at) if joint.first_at == joint.second_at else f"{_point(joint.first_at)} and {_point(joint.second_at)}"
    return f"{joint.first.name} to {joint.second.name}{about} at {where}"


def _name(one: Any) -> str:
    return repr(one) if isinstance(one, Coordinate) else str(one.name)


def _axis(axis: Sequence[float]) -> str:
    return AXES.get((axis[0] + 0.0, axis[1] + 0.0, axis[2] + 0.0), _point(axis))


def _point(numbers: Sequence[float]) -> str:
    return f"({', '.join(f'{number + 0.0:.4g}' for number in numbers)})"


def _short(value: Any) -> str:
    found = as_numbers(value)
    assert found is not None
    text = f"{float(found):.4g}" if found.ndim == 0 else " ".join(str(found.tolist()).split())
    return text if len(text) <= LONGEST // 2 else text[: LONGEST // 2 - 3] + "..."
