"""How elements in files name bodies, points of bodies, joints, and coordinates of both."""

from __future__ import annotations

from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.context import Kind, Reading, Writing, Wrong, describe_node, is_number
from poinsot.files.models.former import present_result
from poinsot.files.models.numbers import NUMBER, NUMBERS, TEXT, exactly, is_numeric, plain
from poinsot.files.models.yaml_scalars import Node
from poinsot.model.body import Body, Point
from poinsot.model.coordinate import Coordinate, Rate
from poinsot.model.element import Element
from poinsot.model.forces import Motor
from poinsot.model.joint import Joint
from poinsot.model.load import Load
from poinsot.model.system import PLANES
from poinsot.model.words import short_repr

ENDS = ("start", "end")
WORLD = ("x", "y", "z")


# --- elements by their names -------------------------------------------------------------------------------------------


def _named(value: Any, to: Writing) -> str:
    """The name of an element of this system."""
    if not isinstance(value, Element) or value.system is not to.system or not isinstance(value.name, str):
        raise ModelError(f"{to.label}: {short_repr(value)} is not an element of system '{to.system.name}'; use elements of one system")
    return value.name


def _text(node: Node, what: str) -> str:
    if not isinstance(node.data, str):
        hint = "; put a name that looks like a number in quotes" if is_number(node.data) else ""
        raise Wrong(node.line, f"must be the name of a {what}, not {describe_node(node)}{hint}")
    return node.data


def _body(node: Node, of: Reading) -> Any:
    return of.find(_text(node, "body"), node, Body, "body")


def _many(one: Kind) -> Kind:
    """A list of such values."""

    def read(node: Node, of: Reading) -> Any:
        if not isinstance(node.data, list):
            raise Wrong(node.line, f"must be a list, not {describe_node(node)}")
        return [one.read(part, of) for part in node.data]

    return Kind(lambda values, to: [one.write(value, to) for value in values], read, {"type": "array", "items": one.form})


# --- points ------------------------------------------------------------------------------------------------------------


def flat(vector: Any, to: Writing) -> list[float]:
    """Three numbers, or two in a planar system if the third is zero."""
    numbers = [float(x) for x in vector]
    if to.system.plane is not None:
        first, second, out = PLANES[to.system.plane]
        if exactly(numbers[out], 0.0):
            return [numbers[first], numbers[second]]
    return numbers


def _write_point(value: Any, to: Writing) -> Any:
    """A point in the world as numbers, an end of a body as `body.end`, any other point of a body as a map."""
    if not isinstance(value, Point):
        return plain(value, to)
    name = _named(value.body, to)
    for k, end in enumerate(ENDS):
        ends = value.body.ends
        if ends is not None and exactly(value.position, ends[k]) and f"{name}.{end}" not in to.names:
            return f"{name}.{end}"
    return {"body": name, "point": flat(value.position, to)}


def _read_point(node: Node, of: Reading) -> Any:
    if isinstance(node.data, str):
        return _end(node.data, node, of)
    if isinstance(node.data, dict):
        _keys(node, ("body", "point"))
        return _body(node.data["body"], of).at(NUMBERS.read(node.data["point"], of))
    return NUMBERS.read(node, of)


def _end(text: str, node: Node, of: Reading) -> Point:
    name, _, end = text.rpartition(".")
    if end not in ENDS or not name:
        raise Wrong(node.line, f"'{text}' is not a point; give numbers, body.start, body.end or {{body: ..., point: ...}}")
    return getattr(of.find(name, node, Body, "body"), end)


def _keys(node: Node, wanted: tuple[str, ...]) -> None:
    if set(node.data) != set(wanted):
        raise Wrong(node.line, f"must have the keys {', '.join(wanted)}, not {', '.join(node.data) or 'none'}")


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and not is_number(value[0])


def _write_place(value: Any, to: Writing) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    return [_write_point(point, to) for point in value] if _is_pair(value) else _write_point(value, to)


def _read_place(node: Node, of: Reading) -> Any:
    """A point, or a pair of points: on the first and on the second body."""
    if isinstance(node.data, list) and len(node.data) == 2 and not is_numeric(node.data[0], of):
        return tuple(_read_point(point, of) for point in node.data)
    return _read_point(node, of)


def _write_part(value: Any, to: Writing) -> Any:
    return _write_point(value, to) if isinstance(value, Point) else _named(value, to)


def _read_part(node: Node, of: Reading) -> Any:
    """A body, or a point of a body."""
    if isinstance(node.data, str):
        found = of.known(node.data)
        if found is None and node.data.rpartition(".")[2] in ENDS:
            return _end(node.data, node, of)
        return _body(node, of)
    return _read_point(node, of)


# --- coordinates -------------------------------------------------------------------------------------------------------


def _write_coordinate(value: Any, to: Writing) -> Any:
    """`joint.angle`, `body.x`, `body.end.y`; a map for other points, and where a name would be ambiguous."""
    if not isinstance(value, Coordinate):
        return _named(value, to)  # a joint: all its coordinates
    owner = value.owner
    if not isinstance(owner, Point):
        name = _named(owner, to)
        kind = "joint" if isinstance(owner, Joint) else "body"
        short = f"{name}.{value.name}"
        return short if short not in to.names else {kind: name, "coordinate": value.name}
    point = _write_point(owner, to)
    if exactly(owner.position, (0.0, 0.0, 0.0)):
        point = _named(owner.body, to)
    if isinstance(point, str) and f"{point}.{value.name}" not in to.names:
        return f"{point}.{value.name}"
    place = {"body": owner.body.name, "point": flat(owner.position, to)}
    return {**place, "coordinate": value.name}


def _read_coordinate(node: Node, of: Reading) -> Any:
    if isinstance(node.data, dict):
        return _mapped(node, of)
    text = _text(node, "coordinate, such as joint.angle or body.end.x")
    owner, dot, name = text.rpartition(".")
    if not dot:
        raise Wrong(node.line, f"'{text}' is not a coordinate; give one such as joint.angle, body.x or body.end.y")
    found = of.known(owner)
    if found is None and owner.rpartition(".")[2] in ENDS:
        found = _end(owner, node, of)
    if found is None:
        found = of.find(owner, node, (Joint, Body), "joint or body")
    return _coordinate(found, name, node)


def _mapped(node: Node, of: Reading) -> Any:
    if "joint" in node.data:
        _keys(node, ("joint", "coordinate"))
        owner = of.find(_text(node.data["joint"], "joint"), node, Joint, "joint")
    elif "point" in node.data:
        _keys(node, ("body", "point", "coordinate"))
        owner = _body(node.data["body"], of).at(NUMBERS.read(node.data["point"], of))
    else:
        _keys(node, ("body", "coordinate"))
        owner = _body(node.data["body"], of)
    return _coordinate(owner, _text(node.data["coordinate"], "coordinate"), node)


def _coordinate(owner: Any, name: str, node: Node) -> Coordinate:
    if isinstance(owner, Joint):
        if name in owner.names:
            return Coordinate(owner, name)
        raise Wrong(node.line, f"{owner.label()} has no coordinate '{name}'; it has {', '.join(owner.names) or 'none'}")
    known = WORLD if isinstance(owner, Point) else (*WORLD, "angle")
    if name not in known or not isinstance(owner, Point | Body):
        raise Wrong(node.line, f"there is no coordinate '{name}' here; there is {', '.join(known)}")
    return getattr(owner, name)


def _read_target(node: Node, of: Reading) -> Any:
    """A joint, or one of its coordinates."""
    found = of.known(node.data) if isinstance(node.data, str) else None
    if isinstance(found, Joint):
        return found
    if isinstance(node.data, str) and "." not in node.data:
        return of.find(node.data, node, Joint, "joint")
    return _read_coordinate(node, of)


def _read_motor(node: Node, of: Reading) -> Any:
    return of.find(_text(node, "motor"), node, Motor, "motor")


def _read_input(node: Node, of: Reading) -> Any:
    return of.find(_text(node, "motor, force or torque"), node, Load, "motor, force or torque")


# --- what feedback laws see --------------------------------------------------------------------------------------------


def _write_reading(value: Any, to: Writing) -> Any:
    """A result by its name; a coordinate under `coordinate`, its rate under `rate`, a point as a map."""
    if isinstance(value, str):
        return value
    if isinstance(value, Rate):
        return {"rate": _write_coordinate(value.coordinate, to)}
    if isinstance(value, Point):
        return {"body": _named(value.body, to), "point": flat(value.position, to)}
    return {"coordinate": _write_coordinate(value, to)}


def _read_reading(node: Node, of: Reading) -> Any:
    if isinstance(node.data, str):
        return present_result(node.data, of.system)
    if isinstance(node.data, dict) and set(node.data) == {"rate"}:
        return Rate(_read_coordinate(node.data["rate"], of))
    if isinstance(node.data, dict) and set(node.data) == {"coordinate"}:
        return _read_coordinate(node.data["coordinate"], of)
    if isinstance(node.data, dict):
        return _read_point(node, of)
    raise Wrong(node.line, f"must be a result such as joint.angle, {{coordinate: ...}}, {{rate: ...}} or a point, not {describe_node(node)}")


def _map(**parts: dict[str, Any]) -> dict[str, Any]:
    """The form of a map with exactly these keys."""
    return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}


def _one_of(*forms: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": list(forms)}


BODY_POINT = _map(body=TEXT, point=NUMBERS.form)
A_POINT = _one_of({"type": "string", "pattern": r"\.(start|end)$"}, BODY_POINT, {"type": "array", "items": NUMBER.form, "minItems": 2, "maxItems": 3})
NAMED_COORDINATE = {"type": "string", "pattern": r"^[\s\S]+\.\w+$"}
MAPPED_COORDINATE = _one_of(
    _map(joint=TEXT, coordinate=TEXT), _map(body=TEXT, coordinate=TEXT), _map(body=TEXT, point=NUMBERS.form, coordinate=TEXT)
)
A_COORDINATE = _one_of(NAMED_COORDINATE, MAPPED_COORDINATE)

BODY = Kind(_named, _body, TEXT)
BODIES = _many(BODY)
PART = Kind(_write_part, _read_part, _one_of(TEXT, BODY_POINT))
PLACE = Kind(_write_place, _read_place, _one_of(A_POINT, {"type": "array", "items": A_POINT, "minItems": 2, "maxItems": 2}))
POINTS = _many(Kind(_write_point, _read_point, A_POINT))
TARGET = Kind(_write_coordinate, _read_target, _one_of(TEXT, MAPPED_COORDINATE))
COORDINATE = Kind(_write_coordinate, _read_coordinate, A_COORDINATE)
COORDINATES = _many(COORDINATE)
MOTORS = _many(Kind(_named, _read_motor, TEXT))
INPUTS = _many(Kind(_named, _read_input, TEXT))
READINGS = _many(Kind(_write_reading, _read_reading, _one_of(TEXT, _map(rate=A_COORDINATE), _map(coordinate=A_COORDINATE), BODY_POINT)))
