"""Initial values as users `set` them, turned into joint coordinates and rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.element import finite
from poinsot.model.guard import as_numbers, is_number
from poinsot.model.joint import Ball, Helical, Joint
from poinsot.model.rotation import quaternion
from poinsot.model.vectors import about_normal
from poinsot.model.words import nearest, short_repr

if TYPE_CHECKING:
    from poinsot.model.system import System

BODY_VALUES = ("position", "rotation", "velocity", "angular_velocity", "angular_velocity_body")


def read_initial(system: System, element: Any, values: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    """Check and convert: every value becomes a tuple of numbers under the name of its coordinate or rate."""
    return _read_body(system, element, values) if isinstance(element, Body) else _read_joint(system, element, values)


def _read_body(system: System, body: Body, values: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    result: dict[str, tuple[float, ...]] = {}
    for name, value in values.items():
        where = f"{body.label()}: {name}"
        if name not in BODY_VALUES:
            raise ModelError(f"{body.label()}: cannot set {short_repr(name)}; a body has {', '.join(BODY_VALUES)}{_near(name, BODY_VALUES)}")
        if name == "rotation":
            result[name] = _rotation(system, value, where)
        elif name.startswith("angular"):
            result[name] = system.spin(value, where)
        else:
            result[name] = system.vector(value, where)
    if "angular_velocity" in result and "angular_velocity_body" in result:
        raise ModelError(f"{body.label()}: set angular_velocity or angular_velocity_body, not both")
    return _checked(body, result)


def _read_joint(system: System, joint: Joint, values: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    sizes = {name: motion.rates for name, motion in zip(joint.names, joint.motions())}
    rates = dict(zip(joint.rate_names, sizes.values()))
    balls = {name for name, motion in zip(joint.names, joint.motions()) if isinstance(motion, Ball)}
    result: dict[str, tuple[float, ...]] = {}
    for name, value in values.items():
        where = f"{joint.label()}: {name}"
        if name in balls:
            result[name] = _rotation(system, value, where)
        elif name in sizes:
            result[name] = _numbers(system, value, sizes[name], where)
        elif name in rates:
            result[name] = _numbers(system, value, rates[name], where)
        elif name == "rate" and sizes:
            numbers = _numbers(system, value, sum(sizes.values()), where)
            for rate, size in rates.items():
                result[rate], numbers = numbers[:size], numbers[size:]
        else:
            known = list(dict.fromkeys([*sizes, *rates, "rate"])) if sizes else ["nothing: it does not move"]
            present = joint.present_word(name)
            near = f"; it is called {present}=" if present else _near(name, known)
            raise ModelError(f"{joint.label()}: cannot set {short_repr(name)}; it has {', '.join(known)}{near}")
    return _checked(joint, result)


def _near(name: str, known: Sequence[str]) -> str:
    """The end of a sentence that lists the known names: the nearest one, if there is one."""
    found = nearest(name, known)
    return f"; did you mean {found[0]}=?" if found else ""


def _checked(element: Any, result: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    for name, value in result.items():
        if not finite(value):
            raise ModelError(f"{element.label()}: {name} must be finite, not {value!r}")
    return result


def initial_faults(element: Any, values: dict[str, tuple[float, ...]]) -> list[str]:
    """Initial values so large that energies cannot be computed."""
    return [
        f"{element.label()}: {name} is {_largest(value):g}; initial values must be at most {LARGEST:g}"
        for name, value in values.items()
        if not all(map(within, value))
    ]


def _largest(value: tuple[float, ...]) -> float:
    return max(value, key=abs)


def _rotation(system: System, value: Any, where: str) -> tuple[float, ...]:
    if system.plane is not None and is_number(value):
        value = about_normal(system.plane, value)
    return quaternion(value, where)


def _numbers(system: System, value: Any, count: int, where: str) -> tuple[float, ...]:
    array = as_numbers(value)
    if array is not None and count == 3 and system.plane is not None and array.shape == (2,):
        return system.vector(value, where)
    if array is None or array.size != count or array.ndim > 1:
        raise ModelError(f"{where}: must be {count} number{'s' if count > 1 else ''}, not {short_repr(value)}")
    return tuple(np.atleast_1d(array).tolist())


def joint_values(joint: Joint, given: dict[str, tuple[float, ...]]) -> tuple[list[float], list[float]]:
    """All coordinates and rates of a joint: values that were set, and zero (identity) for the rest."""
    coordinates: list[float] = []
    rates: list[float] = []
    for name, rate, motion in zip(joint.names, joint.rate_names, joint.motions()):
        zero = (
            (1.0, 0.0, 0.0, 0.0)
            if isinstance(motion, Ball)
            else (0.0,)
            if isinstance(motion, Helical)
            else (0.0, 0.0, 0.0)
        )
        coordinates += given.get(name, zero)
        rates += given.get(rate, (0.0,) * motion.rates)
    return coordinates, rates
