"""Other values for the parameters of a frozen system, without freezing it again."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.layout.constraints import parameter as row_number
from poinsot.layout.freeze import Frozen
from poinsot.layout.initial import initial_values
from poinsot.layout.links import build_links
from poinsot.model.body import Body
from poinsot.model.constraints import Constraint
from poinsot.model.forces import Load
from poinsot.model.initial import joint_values, read_initial
from poinsot.model.joint import Joint

BODY_PARAMETERS = ("mass", "com", "inertia")


def changed(frozen: Frozen, change: dict[str, Any]) -> tuple[Frozen, tuple[np.ndarray, np.ndarray]]:
    """A frozen system with some parameters changed, and its initial coordinates and rates. The original stays as it is.

    Keys are "element.parameter": parameters of forces, length of distances, ratio of gears, mass, com and
    inertia of bodies, initial values of joints; and "gravity".
    """
    coordinates, rates = initial_values(frozen.system, frozen.topology)
    if not change:
        return frozen, (coordinates, rates)
    values, rows = frozen.layout.values.copy(), frozen.layout.rows
    bodies: dict[Body, dict[str, Any]] = {}
    joints: dict[Joint, dict[str, Any]] = {}
    for key, value in change.items():
        if key == "gravity":
            values[:3] = (0.0, 0.0, 0.0) if value is None else frozen.system.vector(value, "gravity")
            continue
        element, parameter = _find(frozen, key)
        if isinstance(element, Load):
            _set_load(frozen, element, parameter, value, values)
        elif isinstance(element, Constraint):
            rows = rows.copy()
            rows["c"][rows["joint"] == frozen.owners.index(element)] = _constraint_number(element, parameter, value)
        elif isinstance(element, Body):
            bodies.setdefault(element, {})[parameter] = value
        else:
            joints.setdefault(element, {})[parameter] = value
    for joint, given in joints.items():
        _set_joint(frozen, joint, given, coordinates, rates)
    layout = frozen.layout._replace(values=values, rows=rows)
    links = frozen.links
    if bodies:
        links = build_links(_with_bodies(frozen, bodies), frozen.topology)
        motions = frozen.layout.motions.copy()
        moving = motions["link"] >= 0
        motions["rotation"][moving] = links.axes[motions["link"][moving]]
        layout = layout._replace(bodies=links.bodies, links=links.links, motions=motions)
    return replace(frozen, layout=layout, links=links), (coordinates, rates)


def _find(frozen: Frozen, key: str) -> tuple[Any, str]:
    name, dot, parameter = key.rpartition(".")
    elements = {element.name: element for element in [*frozen.system.elements(), *frozen.joints]}
    if not dot or name not in elements:
        raise ModelError(f"change: there is no '{key}'; write 'element.parameter', such as 'spring1.stiffness'")
    return elements[name], parameter


def _set_load(frozen: Frozen, load: Load, parameter: str, value: Any, values: np.ndarray) -> None:
    if parameter not in load.parameters:
        raise ModelError(
            f"change: {load.label()} has no parameter '{parameter}' to change; it has {', '.join(load.parameters) or 'none'}"
        )
    new = _copy(load, {parameter: value})
    faults = new.faults()
    numbers = [] if faults else new.values()
    start = frozen.loads.offsets[load]
    if not faults and len(numbers) != len(load.values()):
        faults = [f"{load.label()}: {parameter} must have as many numbers as before"]
    if faults:
        raise ModelError(faults)
    values[start : start + len(numbers)] = numbers


def _constraint_number(constraint: Constraint, parameter: str, value: Any) -> float:
    if parameter != constraint.parameter:
        raise ModelError(
            f"change: {constraint.label()} has no parameter '{parameter}' to change; it has {constraint.parameter}"
        )
    new = _copy(constraint, {parameter: value})
    if new.faults():
        raise ModelError(new.faults())
    return row_number(new)


def _set_joint(frozen: Frozen, joint: Joint, given: dict[str, Any], coordinates: np.ndarray, rates: np.ndarray) -> None:
    known = dict(frozen.system.initial.get(joint, {})) | read_initial(frozen.system, joint, given)
    q, v = joint_values(joint, known)
    first = frozen.layout.joints["motion"][frozen.joints.index(joint)]
    motion = frozen.layout.motions[first]
    coordinates[motion["ic"] : motion["ic"] + len(q)] = q
    rates[motion["ir"] : motion["ir"] + len(v)] = v


def _with_bodies(frozen: Frozen, change: dict[Body, dict[str, Any]]) -> list[Body]:
    """All bodies, the ground first, some of them with other masses."""
    return [frozen.system.ground, *(_new_body(frozen, body, change.get(body, {})) for body in frozen.system.bodies)]


def _new_body(frozen: Frozen, body: Body, given: dict[str, Any]) -> Body:
    if not given:
        return body
    for name in given:
        if name not in BODY_PARAMETERS:
            known = ", ".join(BODY_PARAMETERS)
            raise ModelError(f"change: {body.label()} has no parameter '{name}' to change; it has {known}")
    values = {"mass": body.mass, "com": body.com, "inertia": body.inertia_matrix()} | given
    mass, com, inertia = frozen.system.mass_properties(body.label(), None, *values.values())
    new = replace(body, mass=mass, com=com, inertia=inertia)
    if new.faults():
        raise ModelError(new.faults())
    return new


def _copy(element: Load | Constraint, fields: dict[str, Any]) -> Any:
    """An element like this one with some fields replaced, in the same system."""
    new = copy(element)
    for name, value in fields.items():
        object.__setattr__(new, name, value)
    return new
