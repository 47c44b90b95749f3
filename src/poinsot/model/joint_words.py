"""What the arguments of joints are, said once for all methods that build them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])

ARGUMENTS = {
    "joint": "a class derived from Joint",
    "first": "the first body, or `system.ground`",
    "second": "the second body; coordinates are its motion relative to the first, and reactions act on it",
    "at": """the joint's point in the world of the drawing (m), a point of a body (`rod.end`), or a pair of points, one on each body, which
        assembly brings together""",
    "axis": """a direction in the world of the drawing, "x", "-z" or a vector of any length, fixed in both bodies""",
    "axis2": "the second axis, in the drawing, fixed in the second body",
    "pitch": "translation along the axis, m per turn; negative: left-handed",
    "direction": "direction of the coordinate x, in the plane; default: the world x axis where it lies in the plane",
    "data": "further fields of the class, by name",
    "name": "of the joint; results are `run[name]`, with coordinates, rates, `force` (N) and `torque` (N m); default: its kind and a number",
}
OWN = {  # where an argument means something else
    ("universal", "axis"): "the first axis, in the drawing, fixed in the first body",
    ("planar", "axis"): "normal of the plane, in the drawing; default: z, or the normal of a planar system",
}
DEFAULTS = {
    "at": "default: the centre of mass of the second body, or of the first where the second is the ground",
    "axis": "default in a planar system: its normal",
}


def explained(build: T) -> T:
    """Decorator: appends the section Parameters to the docstring of a method that builds a joint."""
    lines = [inspect.cleandoc(build.__doc__ or ""), "", "Parameters", "----------"]
    for parameter in inspect.signature(build).parameters.values():
        if parameter.name != "self":
            own = OWN.get((build.__name__, parameter.name))
            words = own or ARGUMENTS[parameter.name]
            default = DEFAULTS.get(parameter.name, "") if parameter.default is None and not own else ""
            lines.append(f"{parameter.name} : {' '.join(words.split())}" + (f"; {default}" if default else ""))
    build.__doc__ = "\n".join(lines)
    return build
