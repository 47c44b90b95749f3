"""The numbers that a change gives to a system, or that another system has, where nothing else differs: tables are refilled with them.

Only what is certain is taken. Whatever else a change may do (a centre of mass that moves joints, a body that loses its mass, a value at fault)
is left to `change.py`, which rebuilds the system, or says what is wrong.
"""

from __future__ import annotations

import marshal
from dataclasses import dataclass, field, replace
from typing import Any

from poinsot.algebra.bounds import within
from poinsot.model.body import Body
from poinsot.model.change import SPINS, Key, read_change
from poinsot.model.element import Element
from poinsot.model.feedback import Feedback
from poinsot.model.initial import initial_faults, read_initial
from poinsot.model.load import Load, LoadRow
from poinsot.model.parameters import arguments
from poinsot.model.rotation import Vector
from poinsot.model.shapes import Rod
from poinsot.model.system import System

BITS = 2  # of marshalling: the last version whose bytes depend on values alone


@dataclass
class Renewed:
    """Numbers of a system with a change: gravity (m/s^2), and of those elements that it changes what tables hold of them.

    Attributes
    ----------
    bodies : by body of the system, a body like it with another mass (kg) and inertia (kg m^2)
    values : by load of the system, its `values()`
    initial : by joint or free body of the system, all of its initial values
    """

    gravity: Vector
    bodies: dict[Body, Body] = field(default_factory=dict)
    values: dict[Load, list[float]] = field(default_factory=dict)
    initial: dict[Element, dict[str, tuple[float, ...]]] = field(default_factory=dict)


def renewed(system: System, change: dict[str, Any], rows: dict[Load, list[LoadRow]], known: dict[str, Key]) -> Renewed | None:
    """The numbers of a system with a change; None where it may change more than numbers, or is not possible.

    `rows` : of the loads of the system, found once; `known` : keys that were read before
    """
    values, initial, gravity = read_change(system, change, known)
    found = Renewed((0.0, 0.0, 0.0) if gravity is None else gravity)
    try:
        if not all(map(within, found.gravity)):
            return None
        for element, given in values.items():
            if isinstance(element, Body):
                body = _body(system, element, given)
                if body is None:
                    return None
                found.bodies[element] = body
            elif isinstance(element, Load) and not isinstance(element, Feedback):
                numbers = _values(system, element, given, rows[element])
                if numbers is None:
                    return None
                found.values[element] = numbers
            else:
                return None
        for element, given in initial.items():
            now = dict(system.initial.get(element, {}))
            for name in given:
                now.pop(SPINS.get(name, name), None)
            found.initial[element] = now | read_initial(system, element, given)
            if initial_faults(element, found.initial[element]):
                return None
    except Exception:  # whoever rebuilds the system will say what is wrong
        return None
    return found


def renewed_by(known: System, system: System, rows: dict[Load, list[LoadRow]]) -> Renewed | None:
    """The numbers of a system, for the elements of a known one that has the same structure and geometry (`likeness` of `contents.py`); None where
    they may change more than numbers, or are not possible.
    """
    found = Renewed(system.gravity)
    own = dict(zip(system.elements(), known.elements()))
    own[system.ground] = known.ground
    try:
        if len(found.gravity) != 3 or not all(map(within, found.gravity)):
            return None
        for body, old in zip(system.bodies, known.bodies):
            if _differ((body.mass, body.inertia), (old.mass, old.inertia)):
                if body.faults():
                    return None
                found.bodies[old] = body
        for load, before in zip(system.loads, known.loads):
            numbers = load.values()
            if load.faults() or len(numbers) != len(before.values()) or _of(load.rows(), own) != rows[before]:
                return None
            found.values[before] = numbers
        for element in dict.fromkeys([*system.initial, *(now for now, old in own.items() if old in known.initial)]):
            values = dict(system.initial.get(element, {}))
            if initial_faults(element, values):
                return None
            if _differ(values, dict(known.initial.get(own[element], {}))):
                found.initial[own[element]] = values
    except Exception:  # whoever checks the whole system will say what is wrong
        return None
    return found


def _differ(one: Any, other: Any) -> bool:
    """Whether numbers differ in any bit, signs of zeros included."""
    return marshal.dumps(one, BITS) != marshal.dumps(other, BITS)


def _of(rows: list[LoadRow], own: dict[Any, Any]) -> list[LoadRow]:
    """The same rows on elements of another system."""
    return [
        replace(
            row, joint=own.get(row.joint), first=own.get(row.first), second=own.get(row.second), members=tuple(own[body] for body in row.members)
        )
        for row in rows
    ]


def _body(system: System, body: Body, given: dict[str, Any]) -> Body | None:
    """The body with other values, if these are possible and it stays where it is."""
    changed = arguments(body, given)
    shape = changed.get("shape")
    if isinstance(shape, Rod) and changed.get("between") is not None:
        assert body.ends is not None
        shape = shape.fitted(2.0 * body.ends[1][0])
    numbers = (changed.get(name) for name in ("mass", "com", "inertia"))
    mass, com, inertia = system.mass_properties(f"body '{body.name}'", shape, *numbers)
    if _differ(com, body.com):
        return None
    new = replace(body, mass=mass, inertia=inertia, shape=shape)
    return None if new.faults() else new


def _values(system: System, load: Load, given: dict[str, Any], rows: list[LoadRow]) -> list[float] | None:
    """The values of a load, if it acts as before."""
    new: Load = type(load)(**arguments(load, given))
    new.attach(system)
    return None if new.faults() or new.rows() != rows else new.values()
