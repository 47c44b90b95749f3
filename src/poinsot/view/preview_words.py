"""What a drawing shows, in words: bodies, joints, further elements, gaps, freedoms."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from poinsot.analysis.check import GAP
from poinsot.analysis.drawn_rows import Movement, opening
from poinsot.analysis.freedoms import Freedom
from poinsot.model.joint import Joint
from poinsot.model.system import System
from poinsot.view.solids import arm

NAMED, DETAILED = 3, 8  # how many joints the name of a freedom gives, and its description
AXES = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}


def number(value: float) -> str:
    """A number with four digits; rounding is zero."""
    return f"{0.0 if abs(value) < 1e-12 else value:.4g}"


def point(place: Any) -> str:
    """A point in m."""
    return "(" + ", ".join(number(float(x)) for x in place) + ") m"


def count(n: int, noun: str) -> str:
    """A number with its noun."""
    return f"{n} {noun if n == 1 else {'body': 'bodies'}.get(noun, noun + 's')}"


def direction(axis: Any) -> str:
    """x, -y or three numbers."""
    x, y, z = (float(part) for part in axis)
    for sign, mark in ((1.0, ""), (-1.0, "-")):
        if (name := AXES.get((sign * x, sign * y, sign * z))) is not None:
            return mark + name
    return "(" + ", ".join(number(part) for part in (x, y, z)) + ")"


def body_words(system: System) -> list[tuple[str, str]]:
    """Every body with its mass and its centre of mass in the drawing."""
    return [(body.name, f"{number(body.mass)} kg, centre of mass at {point(body.world(body.com))}") for body in system.bodies]


def joint_words(system: System) -> list[tuple[str, str]]:
    """Every joint: its kind, bodies, place, axes and coordinates, and what was set for the start of a run."""
    found = []
    for joint in system.joints:
        axes = ", ".join(f"{name} {direction(axis)}" for name, axis in joint.axes())
        text = f"{joint.kind}, {joint.first.name} to {joint.second.name}, at {point(joint.first_at)}"
        if joint.gap() > GAP:
            text += f" on {joint.first.name} and {point(joint.second_at)} on {joint.second.name}"
        text += (f", {axes}" if axes else "") + (f"; coordinates: {', '.join(joint.names)}" if joint.names else "") + _off(joint)
        given = ", ".join(f"{name} = {_given(value)}" for name, value in system.given_values.get(joint, {}).items())
        found.append((joint.name, text + (f"; at the start of a run: {given}" if given else "")))
    return found


def _off(joint: Joint) -> str:
    """How far a joint is from the shapes of its bodies, in words; nothing where it is on or in them."""
    found = []
    for body, place in ((joint.first, joint.first_at), (joint.second, joint.second_at)):
        begin = arm(body.drawn_shape, body.local(place)) if body.drawn_shape is not None and joint.rows() else None
        if begin is not None:
            found.append(f"{number(float(np.linalg.norm(body.local(place) - begin)))} m from the shape of {body.name}")
    return f"; {_listed(found)}" if found else ""


def further_words(system: System) -> list[tuple[str, str]]:
    """Every load, further constraint and drive: its kind and what it acts on."""
    found = []
    for element in (*system.loads, *system.constraints, *system.drives):
        parts = [part.name for part in getattr(element, "parts", tuple)() if hasattr(part, "name")]
        found.append((element.name, element.kind + (f": {', '.join(dict.fromkeys(parts))}" if parts else "")))
    return found


def gaps(system: System, loops: Collection[Joint]) -> list[dict[str, Any]]:
    """Joints and constraints that do not close in the drawing: their two points in the frames of their bodies, and how far they are apart, in words.

    `loops`: joints that close a loop; a run moves the outer body of the others.
    """
    found: list[dict[str, Any]] = []
    everyone = {body: k for k, body in enumerate((system.ground, *system.bodies))}

    def add(element: Any, ends: Any, size: float, words: str) -> None:
        bodies = [everyone[element.first], everyone[element.second]]
        points = [body.local(p).tolist() for body, p in zip((element.first, element.second), ends)]
        found.append({"name": element.name, "size": size, "words": words, "bodies": bodies, "points": points})

    for joint in system.joints:
        if joint.gap() > GAP:
            between = f"its point on '{joint.first.name}' and its point on '{joint.second.name}' are {number(joint.gap())} m apart"
            how = "assembly closes the gap" if joint in loops else "the outer body is moved to close the gap"
            add(joint, (joint.first_at, joint.second_at), joint.gap(), f"{joint.label()}: {between}. Before a run {how}, if it can.")
    for constraint in system.constraints:
        size, ends = opening(constraint) if constraint.active else (0.0, [])
        if abs(size) > GAP:
            how = "longer" if constraint.rows()[0].kind == "distance" else "higher"
            how = how if size > 0 else {"longer": "shorter", "higher": "lower"}[how]
            add(constraint, ends, abs(size), f"{constraint.label()}: it is drawn {number(abs(size))} m {how} than it keeps.")
    return found


def freedom_words(freedom: Freedom, moved: list[tuple[Movement, float]]) -> tuple[str, str]:
    """The name of a freedom, by what moves most, and how much everything moves relative to its lead."""
    others = [(_short(movement, moved), rate, _unit(movement)) for movement, rate in moved if movement is not freedom.lead]
    joints = [movement.joint for movement, _ in moved if movement.joint is not freedom.lead.joint]
    names = list(dict.fromkeys(joint.name.removeprefix("free:") for joint in joints))
    more = len(names) - NAMED
    listed = _listed([*names[:NAMED], f"{more} more joints"] if more > 1 else names)
    title = freedom.lead.words() + (f", with {listed}" if names else "")
    if not others:
        return title, ""
    rates = ", ".join(f"{name} {number(rate)} {unit}" for name, rate, unit in others[:DETAILED])
    rest = f", and {len(others) - DETAILED} more" if len(others) > DETAILED else ""
    return title, f"per {_unit(freedom.lead)} of {_short(freedom.lead, moved)}: {rates}{rest}"


def _short(movement: Movement, moved: list[tuple[Movement, float]]) -> str:
    """The name of a joint, with that of its coordinate where several of them move."""
    own = movement.joint.name.removeprefix("free:")
    alone = sum(other.joint is movement.joint for other, _ in moved) == 1
    return own if alone else f"{own}.{movement.name}" + (f" {movement.axis}" if movement.axis else "")


def _unit(movement: Movement) -> str:
    return "rad" if movement.turns else "m"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _given(value: Any) -> str:
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError):
        return str(value)
    return number(float(numbers)) if numbers.ndim == 0 else f"({', '.join(number(float(x)) for x in numbers.ravel())})"
