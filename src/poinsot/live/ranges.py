"""Ranges of sliders where none are given, the units of their values, and which values have a slider when none are named."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.body import Body
from poinsot.model.change import ENTRY
from poinsot.model.forces import JointLoad, Motor
from poinsot.model.joint import Ball, Helical, Joint
from poinsot.model.load import Load
from poinsot.model.parameters import value_of
from poinsot.model.system import System
from poinsot.model.vectors import PLANES

MOST = 8  # sliders of a page for which none are named
OF_EACH = 3  # of them, of every sort; more where other sorts have fewer
TURN, SLIDE = 1.0, 0.5  # rad and m to both sides of an initial coordinate
LEAST, LARGEST = 0.2, 3.0  # ends of the range of a positive number, relative to its value
STEPS = 100  # of a range, about
POSITIVE = ("mass", "density", "radius", "thickness", "x", "y", "z", "stiffness", "damping", "length")
SIZES = ("radius", "thickness", "length", "x", "y", "z", "displacement", "position", "com")
UNITS = {
    "mass": "kg",
    "density": "kg/m^3",
    "inertia": "kg m^2",
    "gravity": "m/s^2",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "angular_velocity_body": "rad/s",
    **dict.fromkeys(SIZES, "m"),
    **dict.fromkeys(("angle", "angle1", "angle2", "rotation"), "rad"),
}


def parameter_of(name: str) -> str:
    """The last word of a name: "stiffness" of "mount.stiffness[2]"."""
    entry = ENTRY.fullmatch(name)
    return (entry[1] if entry else name).rpartition(".")[2]


def unit_of(element: Any, name: str) -> str:
    """The unit of a value, where it is known."""
    parameter = parameter_of(name)
    if isinstance(element, Joint):
        return _unit_of_joint(element, parameter)
    if isinstance(element, Load) and parameter in ("stiffness", "damping"):
        effort = set(element.units().values()) if isinstance(element, JointLoad) else {"N"} if getattr(element, "scalar", False) else set()
        if len(effort) != 1:
            return ""
        turns = effort == {"N m"}
        return f"{'N m' if turns else 'N'}{' s' if parameter == 'damping' else ''}/{'rad' if turns else 'm'}"
    if isinstance(element, Motor) and parameter in ("law", "torque", "force"):
        return next(iter(element.units().values()))
    if isinstance(element, Load):
        return "m" if parameter == "length" else ""
    return UNITS.get(parameter, "")


def _unit_of_joint(joint: Joint, parameter: str) -> str:
    motions = dict(zip(joint.names, joint.motions()))
    if parameter == "rate" and len(motions) == 1:
        parameter = f"{joint.names[0]}_rate"
    motion = motions.get(parameter.removesuffix("_rate"))
    if motion is None:
        return ""
    turns = isinstance(motion, Ball) or (isinstance(motion, Helical) and motion.rot != 0.0)
    return ("rad" if turns else "m") + ("/s" if parameter.endswith("_rate") else "")


def rounded_step(x: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not larger than x."""
    power = 10.0 ** math.floor(math.log10(x) + 1e-9)
    return float(f"{max(f for f in (1, 2, 5) if f * power <= x * (1 + 1e-9)) * power:.12g}")


def range_around(name: str, value: float) -> tuple[float, float, float]:
    """Lowest, highest and step of a slider whose value at the start is given."""
    parameter = parameter_of(name)
    if parameter in POSITIVE and value > 0.0:
        low, high = LEAST * value, LARGEST * value
    elif parameter.startswith(("angle", "rotation")) and not parameter.endswith("_rate"):
        low, high = value - TURN, value + TURN
    elif parameter in ("displacement", "position"):
        low, high = value - max(SLIDE, abs(value)), value + max(SLIDE, abs(value))
    else:
        low, high = value - max(1.0, abs(value)), value + max(1.0, abs(value))
    step = rounded_step((high - low) / STEPS)
    return _shifted(low, step, math.floor), _shifted(high, step, math.ceil), step


def _shifted(x: float, step: float, towards: Any) -> float:
    """The multiple of a step next to x; never zero where x is not."""
    found = float(f"{towards(x / step) * step:.12g}") + 0.0
    return found if found or not x else float(f"{x:.3g}")


def suitable(system: System) -> list[str]:
    """Names of values that have a slider when none are named: initial values that were set, springs and dampers, masses, gravity, at most eight."""
    sorts = [list(_initial(system)), list(_loads(system)), list(_masses(system)), list(_gravity(system))]
    taken = [sort[:OF_EACH] for sort in sorts]
    for sort, chosen in zip(sorts, taken):
        chosen += sort[OF_EACH : OF_EACH + max(0, MOST - sum(map(len, taken)))]
    found = [name for chosen in taken for name in chosen][:MOST]
    if not found:
        raise SettingsError(f"system '{system.name}' has no masses, springs or initial values for sliders; name values in sliders=")
    return found


def _initial(system: System) -> Iterator[str]:
    """Initial values that were set; without any, the coordinate of the first joint that has one, unless drives determine it."""
    given: list[tuple[Any, str]] = [(element, name) for element in (*system.joints, *system.bodies) for name in system.initial.get(element, {})]
    if not given and not system.drives:
        given = [(joint, joint.names[0]) for joint in system.joints if joint.names][:1]
    for element, name in given:
        numbers = np.array(system.initial[element][name] if name in system.initial.get(element, {}) else _zero(element, name))
        if len(numbers) == 1:
            yield f"{element.name}.{name}"
            continue
        turned = len(numbers) == 4  # a quaternion, whose rotation vector has the numbers of sliders
        if turned and isinstance(element, Body) and system.plane is not None:
            yield f"{element.name}.{name}"
            continue
        changed = np.flatnonzero(numbers[1:] if turned else numbers)
        if isinstance(element, Body) and system.plane is not None:
            yield from _in_plane(system, element, name, changed)
        else:
            yield from (f"{element.name}.{name}[{k}]" for k in (changed if len(changed) else (0,)))


def _zero(joint: Joint, name: str) -> tuple[float, ...]:
    return (0.0,) * joint.motions()[joint.names.index(name)].rates


def _in_plane(system: System, body: Body, name: str, changed: np.ndarray) -> Iterator[str]:
    """Numbers of an initial value of a planar body: two of a vector, or the one about the normal."""
    if name.startswith("angular"):
        yield f"{body.name}.{name}"
    else:
        axes = PLANES[system.plane or "xy"][:2]
        yield from (f"{body.name}.{name}[{axes.index(k)}]" for k in (changed.tolist() or axes[:1]))


def _loads(system: System) -> Iterator[str]:
    for parameter in ("stiffness", "damping", "law"):
        for load in system.loads:
            names = ("law", "torque", "force") if parameter == "law" and isinstance(load, Motor) else (parameter,)
            for name in (name for name in names[:1] if name in load.changes()):
                value = value_of(load, name)
                if np.ndim(value) == 0 and isinstance(value, int | float) and value != 0.0:
                    yield f"{load.name}.{name}"


def _masses(system: System) -> Iterator[str]:
    for body in system.bodies:
        if body.mass > 0.0:
            yield f"{body.name}.mass"


def _gravity(system: System) -> Iterator[str]:
    yield from (f"gravity[{k}]" for k in np.flatnonzero(system.gravity))
