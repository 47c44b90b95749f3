"""The users' functions in a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from poinsot.model.element import Element
from poinsot.model.expressions import TimeFunction
from poinsot.model.missing import MissingFunction
from poinsot.model.returned import call_fault
from poinsot.model.signals import Polynomials, Signal


def functions_of(element: Element) -> dict[str, Callable[..., Any]]:
    """The users' functions of an element by argument; those of a signal as `target`, `target.rate`, `target.acceleration`."""
    found: dict[str, Callable[..., Any]] = {}
    for argument, value in element.arguments().items():
        if type(value) is Signal:
            parts = {"": value.function, ".rate": value.rate, ".acceleration": value.acceleration}
            found |= {f"{argument}{part}": f for part, f in parts.items() if f is not None}
        elif callable(value) and not isinstance(value, Polynomials | TimeFunction):
            found[argument] = value
    return found


def function_faults(elements: Any) -> list[str]:
    """A fault for every function that a file names but was not given, and for functions that take the wrong arguments."""
    return [fault for element in elements for name, f in functions_of(element).items() if (fault := _fault(element, name, f))]


def _fault(element: Element, argument: str, function: Callable[..., Any]) -> str | None:
    if isinstance(function, MissingFunction):
        return function.fault()
    wrong = call_fault(function, element.calls(argument))
    return f"{element.label()}: its function {wrong}" if wrong else None


def same_function(one: Any, other: Any) -> bool:
    """Whether two laws are the same function, or signals of the same numbers."""
    if isinstance(one, Polynomials) and isinstance(other, Polynomials):
        tables = ((p.times, p.coefficients) for p in (one, other))
        return all(a.shape == b.shape and bool((a == b).all()) for a, b in zip(*tables))
    return one is other or (isinstance(one, TimeFunction) and one == other)
