"""What of a system can be drawn: all elements whose places are known, whatever other faults the system has."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.model.body import Body
from poinsot.model.element import finite
from poinsot.model.system import System

FARTHEST = 1e15  # m: places, and other numbers, beyond which nothing can be told apart in float64


def drawable(system: System) -> tuple[System, list[str]]:
    """The same system without what cannot be drawn, and labels of that: elements with faults, and those that refer to something left out."""
    bodies = [body for body in system.bodies if _placed(body)]
    known = {system.ground, *bodies}
    joints = [joint for joint in system.joints if {joint.first, joint.second} <= known and not joint.faults()]
    joints = [joint for joint in joints if _near(joint.first_at) and _near(joint.second_at)]
    parts = known | set(joints)
    loads = [load for load in system.loads if _among(load, parts) and not load.faults()]
    constraints = [constraint for constraint in system.constraints if _among(constraint, parts) and not constraint.faults()]
    drives = [drive for drive in system.drives if not drive.faults() and all(getattr(c.owner, "body", c.owner) in parts for c in drive.outputs)]
    kept = {id(element) for some in (bodies, joints, loads, constraints, drives) for element in some}
    missing = [element.label() for element in system.elements() if id(element) not in kept]
    new = object.__new__(System)
    vars(new).update(vars(system) | {"bodies": bodies, "joints": joints, "loads": loads, "constraints": constraints, "drives": drives})
    return new, missing


def _placed(body: Body) -> bool:
    """Whether the place of a body is known, and its numbers are such that a tree can be made of it."""
    return _near([*body.position, *body.rotation, *body.com, body.mass, *body.inertia])


def _near(numbers: Any) -> bool:
    return finite(numbers) and bool((np.abs(np.asarray(numbers, float)) < FARTHEST).all())


def _among(element: Any, parts: set[Any]) -> bool:
    return {*element.bodies(), *element.joints()} <= parts
