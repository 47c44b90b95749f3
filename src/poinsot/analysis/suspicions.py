"""Suspicious but possible: probable mistakes in a model. Runs warn of them, `check()` lists them, none is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ModelWarning, warn
from poinsot.model.body import Body
from poinsot.model.element import unadded
from poinsot.model.guard import as_numbers, is_number
from poinsot.model.joint import Helical, Joint
from poinsot.model.system import System
from poinsot.model.words import short_repr

TURN = 2 * math.pi  # rad
THINNEST = 1e-3  # kg/m^3: a thousandth of the density of air
STRONGEST = 500.0  # m/s^2 of gravity
OUTSIDE = 100.0  # distance of the centre of mass, in sizes of the shape, beyond which it is probably a mistake
SAME = 1e-9  # relative to the size of the drawing: two joints closer than this are at the same place
COARSE = 10.0  # periods of a spring in one step
MEANT = 'if this is intended, silence it: warnings.simplefilter("ignore", po.ModelWarning)'


def warn_of(system: System, step: Any = None) -> bool:
    """Warn of everything suspicious in a system about to run, with steps of this size (s); returns whether there was anything."""
    odd = [*suspicions(system), *_coarse(system, step)]
    for found in odd:
        warn(f"{found}; {MEANT}", ModelWarning)
    return bool(odd)


def warn_of_standing(name: str) -> None:
    """Warn of a run in which nothing can move."""
    remedy = "look for redundant joints, or axes that are not parallel"
    warn(f"system '{name}': 0 degrees of freedom, so nothing can move; {remedy}; {MEANT}", ModelWarning)


def suspicions(system: System) -> list[str]:
    """Probable mistakes, in words: the element, what looks odd, and what may have been intended."""
    found = [*_gravity(system), *_initial(system)]
    for body in system.bodies:
        found += _body(system, body)
    found += [*_twins(system), *_signs(system)]
    return found + [
        f"{label}: was created but never added, so it has no effect; call system.add(...)" for label in unadded(system)
    ]


def _gravity(system: System) -> Iterator[str]:
    size = math.hypot(*system.gravity)
    if size > STRONGEST:
        yield f"system '{system.name}': gravity of {size:g} m/s^2; is it in mm/s^2 or cm/s^2?"


def _initial(system: System) -> Iterator[str]:
    """Angles of more than two turns, and rotations of more than one: probably given in degrees instead of radians."""
    for element, given in system.given_values.items():
        for name, value in given.items():
            where = f"{element.label()}: {name}"
            if isinstance(element, Joint) and name in element.names:
                motion = element.motions()[element.names.index(name)]
                turns = isinstance(motion, Helical) and motion.rot != 0 and motion.lin == 0
                if turns and abs(float(np.asarray(value).ravel()[0])) > 2 * TURN:
                    yield _degrees(where, float(np.asarray(value).ravel()[0]))
            if name == "rotation":
                yield from (_degrees(where, angle) for angle in _angles(value) if abs(angle) > TURN + 1e-9)


def _degrees(where: str, angle: float) -> str:
    return f"{where} is {angle:g} rad, {abs(angle) / TURN:.3g} turns; angles are in radians: np.deg2rad({angle:g})?"


def _angles(rotation: Any, depth: int = 0) -> Iterator[float]:
    """Angles (rad) in a rotation as a user wrote it."""
    if is_number(rotation):
        yield float(rotation)
    elif isinstance(rotation, list | tuple) and len(rotation) == 2 and is_number(rotation[1]) and not is_number(rotation[0]):
        yield float(rotation[1])
    elif isinstance(rotation, list | tuple):
        numbers = as_numbers(rotation)
        if numbers is not None and numbers.shape == (3,):
            yield float(np.linalg.norm(numbers))
        elif numbers is None and depth < 8:
            for part in rotation:
                yield from _angles(part, depth + 1)


def _body(system: System, body: Body) -> Iterator[str]:
    given = getattr(body, "given", None)
    if given is not None and "rotation" in given.arguments:
        for angle in _angles(given.arguments["rotation"]):
            if abs(angle) > TURN + 1e-9:
                yield _degrees(f"{body.label()}: rotation", angle)
    if body.shape is None:
        return
    try:
        volume = body.shape.volume()
    except ModelError:  # a thin disc
        return
    size = volume ** (1 / 3)
    if 0 < body.mass < THINNEST * volume:
        yield (
            f"{body.label()}: {body.mass:.3g} kg in {volume:.3g} m^3, {body.mass / volume:.2g} kg/m^3, is far lighter than air; "
            "are its lengths in mm, or its mass in t?"
        )
    if given is not None and given.arguments.get("com") is not None and math.hypot(*body.com) > OUTSIDE * max(size, _reach(body)):
        yield f"{body.label()}: its centre of mass lies {math.hypot(*body.com):.3g} m from its origin, far outside its shape; is com in mm?"


def _reach(body: Body) -> float:
    """Largest radius of gyration of a body (m)."""
    return math.sqrt(max(body.inertia[:3]) / body.mass) if body.mass > 0 else 0.0


def _twins(system: System) -> Iterator[str]:
    """Two joints between the same two bodies at one place."""
    seen: dict[frozenset[int], list[Joint]] = {}
    for joint in system.joints:
        between = seen.setdefault(frozenset((id(joint.first), id(joint.second))), [])
        for other in between:
            size = max(1.0, math.hypot(*joint.first_at))
            if math.dist(joint.first_at, other.first_at) <= SAME * size:
                yield (
                    f"{joint.label()}: joins '{joint.first.name}' and '{joint.second.name}' where {other.label()} does already; "
                    "is one of them meant for another body?"
                )
                break
        between.append(joint)


def _signs(system: System) -> Iterator[str]:
    """Springs and dampers with negative coefficients."""
    for load in system.loads:
        for name in ("stiffness", "damping"):
            given = as_numbers(getattr(load, name)) if name in load.parameters else None
            if given is not None and given.size and given.min() < 0:
                value = getattr(load, name) if given.ndim == 0 else float(given.min())
                effect = "pushes away from its rest" if name == "stiffness" else "feeds energy into the motion"
                yield f"{load.label()}: {name} is {short_repr(value)}, so it {effect}; is the sign right?"


def _coarse(system: System, step: Any) -> Iterator[str]:
    """Springs that oscillate many times within a step."""
    if not is_number(step):
        return
    for load in system.loads:
        stiffness = max((k for k, turns in load.stiffnesses() if not turns), default=0.0) if load.bodies() else 0.0
        if stiffness > 0:
            inverse = sum(1 / body.mass for body in load.bodies() if body.mass > 0)
            period = TURN / math.sqrt(stiffness * inverse) if inverse > 0 else math.inf
            if step > COARSE * period:
                yield (
                    f"{load.label()}: with the masses at its ends its period is {period:.2g} s, too short for a step of {step:g} s; "
                    "take smaller steps, or a softer spring"
                )
