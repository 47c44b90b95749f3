"""Points and signals too large to compute with: squares of lengths, and their products with masses, must not overflow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.model.body import Body, Point
from poinsot.model.constraints import Constraint
from poinsot.model.element import Element
from poinsot.model.joint import Joint
from poinsot.model.signals import Polynomials
from poinsot.model.system import System

REPORTS = Body | Joint | Constraint  # elements that say themselves which of their points are not finite


def far_faults(system: System) -> list[str]:
    """Points and signals of numbers beyond `LARGEST`, element by element."""
    found = []
    for element in system.elements():
        for argument, point in _points(element):
            reported = isinstance(element, REPORTS) and not all(map(math.isfinite, point))
            if not all(map(within, point)) and not reported:
                shown = ", ".join(f"{x:.6g}" for x in point)
                found.append(
                    f"{element.label()}: {argument} ({shown}) is too far away; coordinates must be numbers of at most {LARGEST:g} m"
                )
        for argument, signal in _signals(element):
            if float(np.abs(signal.coefficients).max(initial=0.0)) > LARGEST:
                found.append(
                    f"{element.label()}: {argument} is too large or too steep; coefficients of signals must be at most {LARGEST:g}"
                )
    return list(dict.fromkeys(found))  # the two points of a joint often coincide


def _points(element: Any) -> Iterator[tuple[str, Any]]:
    """All points of an element (m), with the argument they came from."""
    named = {"position": "position", "com": "com", "first_at": "at", "second_at": "at", "place": "at"}
    for attribute, argument in named.items():
        if attribute in vars(element):
            yield argument, getattr(element, attribute)
    for point in vars(element).get("ends") or ():
        yield "between" if isinstance(element, Body) else "at", point
    for coordinate in getattr(element, "outputs", ()):
        if isinstance(getattr(coordinate, "owner", None), Point):
            yield "point", coordinate.owner.position


def _signals(element: Element) -> Iterator[tuple[str, Polynomials]]:
    for argument, value in element.arguments().items():
        if isinstance(value, Polynomials):
            yield argument, value
