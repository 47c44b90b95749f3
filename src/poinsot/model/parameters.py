"""The parameters of an element that may change between runs, and the arguments that rebuild it with the new values.

The rule for all of them: a changed model is the same as one written with the new value. Other arguments stay as given;
derived values are recomputed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import signals
from poinsot.model.body import Body
from poinsot.model.element import Element
from poinsot.model.feedback import Feedback
from poinsot.model.forces import Motor
from poinsot.model.initial import BODY_VALUES
from poinsot.model.joint import Joint
from poinsot.model.shapes import Composite, Shape
from poinsot.model.signals import Polynomials

MASSES = ("mass", "com", "inertia")
SHAPED = ("mass", "density")  # a shape has one of them
MAKERS: dict[str, Callable[..., Polynomials]] = {
    "step": signals.step,
    "spline": signals.spline,
    "table": signals.table,
}
LAWS = ("law", "torque", "force")  # arguments that give the effort of a motor


def parameters(element: Element) -> list[str]:
    """Names of the parameters that may change: numbers that define the element."""
    if isinstance(element, Body):
        return [*MASSES, *sizes(element.arguments().get("shape"))]
    return element.changes() + of_signals(element)


def initial_names(element: Element) -> list[str]:
    """Names of the initial values that it may have."""
    if isinstance(element, Body):
        return list(BODY_VALUES)
    if isinstance(element, Joint) and element.names:
        return list(dict.fromkeys([*element.names, *element.rate_names, "rate"]))
    return []


def sizes(shape: Shape | None) -> list[str]:
    """Names of the sizes (m) of a shape that may change, and its density where it has one."""
    if isinstance(shape, Composite):
        return []
    names = _fields(shape)
    own = [name for name in names if name not in SHAPED and _number(getattr(shape, name))]
    return own + [name for name in names if name == "density"]


def of_signals(element: Element) -> list[str]:
    """Those of its parameters that define a signal."""
    return [name for _, signal in _signals(element) for name in _numbers(signal)]


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def _fields(shape: Any) -> tuple[str, ...]:
    kind: Any = type(shape)
    return _names(kind)


def value_of(element: Element, name: str) -> Any:
    """The present value of a parameter."""
    if isinstance(element, Body) and name not in MASSES:
        return getattr(element.arguments()["shape"], name)
    if name == "inertia" and isinstance(element, Body):
        given = element.arguments().get("inertia")
        return element.inertia_matrix() if given is None else given
    if isinstance(element, Feedback) and isinstance(element.params, dict) and name in element.params:
        return element.params[name]
    for _, signal in _signals(element):
        if name in _numbers(signal):
            return _numbers(signal)[name]
    return getattr(element, "law" if name in LAWS else name)


def arguments(element: Element, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments that rebuild an element with other values of some parameters."""
    changed = dict(element.arguments())
    for name, value in given.items():
        try:
            _change(element, changed, name, value)
        except ModelError as error:  # of a shape or a signal, which do not know whose they are
            label = element.label()
            raise ModelError([fault if label in fault else f"change: {label}: {fault}" for fault in error.faults]) from None
    return changed


def _change(element: Element, changed: dict[str, Any], name: str, value: Any) -> None:
    """Put another value of a parameter into the arguments that make an element."""
    if isinstance(element, Body):
        _change_body(element, changed, name, value)
    elif isinstance(element, Feedback) and isinstance(element.params, dict):
        changed["params"] = changed["params"] | {name: value}
    elif isinstance(element, Motor) and name in LAWS:
        changed[next(law for law in LAWS if changed[law] is not None)] = value
    elif name in changed and (name in element.changes() or name in of_signals(element)):
        changed[name] = value
    else:
        argument = next(argument for argument, signal in _signals(element) if name in _numbers(signal))
        changed[argument] = _made(changed[argument], name, value)


def _change_body(body: Body, changed: dict[str, Any], name: str, value: Any) -> None:
    shape: Any = changed.get("shape")
    if name in ("com", "inertia") or (name == "mass" and shape is None):
        changed[name] = value
    elif isinstance(shape, Composite):
        changed["shape"] = _heavier(shape, value, body.label())
    elif name not in _fields(shape):
        raise ModelError(f"change: {body.label()}: its {type(shape).__name__} has no '{name}' that could change")
    elif name in SHAPED:
        changed["shape"] = replace(shape, **(dict.fromkeys(SHAPED) | {name: value}))
    else:
        changed["shape"] = replace(shape, **{name: value})


def _heavier(shape: Composite, mass: float, where: str) -> Composite:
    """The same parts, all of them heavier or lighter by the same factor, so that together they have a mass (kg)."""
    before = shape.properties().mass
    if not before > 0:
        raise ModelError(f"change: {where} has no mass that could be distributed over its parts; build a new one")

    def part(given: Any) -> Any:
        inner, *place = given if isinstance(given, tuple | list) else (given,)
        if isinstance(inner, Composite):
            return (_heavier(inner, inner.properties().mass * mass / before, where), *place)
        own = "mass" if inner.mass is not None else "density"
        return (replace(inner, **{own: getattr(inner, own) * (mass / before)}), *place)

    return Composite([part(given) for given in shape.parts])


def _signals(element: Element) -> list[tuple[str, Polynomials]]:
    """Arguments that are signals defined by numbers."""
    if isinstance(element, Body | Joint):
        return []
    return [(name, value) for name, value in element.arguments().items() if isinstance(value, Polynomials)]


def _numbers(signal: Polynomials) -> dict[str, Any]:
    """The arguments that define a signal, by name."""
    given = signal.given
    if given is None or given.maker not in MAKERS:
        return {"times": signal.times, "coefficients": signal.coefficients}
    return ({"begin": 0.0} if given.maker == "step" else {}) | given.arguments


def _made(signal: Polynomials, name: str, value: Any) -> Polynomials:
    """The same signal with another value of one of its arguments."""
    maker: Callable[..., Polynomials] = Polynomials if signal.given is None else MAKERS[signal.given.maker]
    return maker(**(_numbers(signal) | {name: value}))


def _number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)
