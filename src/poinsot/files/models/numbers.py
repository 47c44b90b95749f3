"""Numbers, vectors, rotations, directions and words in files."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poinsot.files.models.context import Kind, Reading, Writing, Wrong, describe_node, is_number
from poinsot.files.models.parameters import value
from poinsot.files.models.yaml_scalars import Node
from poinsot.model.rotation import AXES


def plain(value: Any, to: Writing) -> Any:
    """Numbers, words, and lists of them, free of NumPy."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [plain(part, to) for part in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise to.unwritable(value) from None


def _number(node: Node, of: Reading) -> Any:
    return value(node, of.parameters)


def is_numeric(node: Node, of: Reading) -> bool:
    """Whether this is a number, or an expression that has a value."""
    try:
        value(node, of.parameters)
    except Wrong:
        return False
    return True


def _numbers(node: Node, of: Reading) -> Any:
    """A number, or lists of numbers to any depth."""
    if is_number(node.data) or isinstance(node.data, str):
        return value(node, of.parameters, "numbers")
    if not isinstance(node.data, list) or not node.data:
        raise Wrong(node.line, f"must be numbers, not {describe_node(node)}")
    return [_numbers(part, of) for part in node.data]


def _list(node: Node, of: Reading) -> Any:
    """A list of numbers, which may be empty."""
    if not isinstance(node.data, list):
        raise Wrong(node.line, f"must be a list of numbers, not {describe_node(node)}")
    return [_number(part, of) for part in node.data]


def _rotation(node: Node, of: Reading) -> Any:
    """A value for `rotation=`; [vector, angle] becomes a pair."""
    data = node.data
    if is_number(data) or not isinstance(data, list) or not data:
        return _number(node, of) if not isinstance(data, list) else _numbers(node, of)
    if isinstance(data[0].data, str) and (data[0].data in AXES or not is_numeric(data[0], of)):
        if len(data) != 2 or data[0].data not in AXES or isinstance(data[1].data, list | dict | bool) or data[1].data is None:
            raise Wrong(node.line, f"must be an axis ({', '.join(AXES)}) and an angle in rad, not {describe_node(node)}")
        return [data[0].data, _number(data[1], of)]
    if len(data) == 2 and isinstance(data[0].data, list) and not isinstance(data[1].data, list):
        return (_numbers(data[0], of), _number(data[1], of))
    if all(isinstance(part.data, list) for part in data):
        return [_rotation(part, of) for part in data]
    return _numbers(node, of)


def _direction(node: Node, of: Reading) -> Any:
    return node.data if isinstance(node.data, str) else _numbers(node, of)


def _word(node: Node, of: Reading) -> Any:
    if not isinstance(node.data, str):
        raise Wrong(node.line, f"must be a word, not {describe_node(node)}")
    return node.data


def _write_named(value: Any, to: Writing) -> Any:
    return {name: plain(part, to) for name, part in value.items()} if isinstance(value, dict) else plain(value, to)


def _read_named(node: Node, of: Reading) -> Any:
    """Numbers by name, or a list of them."""
    if isinstance(node.data, dict):
        return {name: _numbers(part, of) for name, part in node.data.items()}
    return _list(node, of)


def _truth(node: Node, of: Reading) -> Any:
    if not isinstance(node.data, bool):
        raise Wrong(node.line, f"must be true or false, not {describe_node(node)}")
    return node.data


# a number, or an expression: letters, digits, operators, parentheses; in repeated elements also braces
SCALAR = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[\w\s.+*/^(),{}-]+$"}]}
TEXT = {"type": "string"}
A_NUMBER, ANY_NUMBERS = {"$ref": "#/$defs/number"}, {"$ref": "#/$defs/numbers"}
FORMS = {  # definitions that others refer to
    "number": SCALAR,
    "numbers": {"anyOf": [A_NUMBER, {"type": "array", "minItems": 1, "items": ANY_NUMBERS}]},
    "rotation": {"anyOf": [ANY_NUMBERS, {"type": "array", "prefixItems": [{"enum": list(AXES)}, A_NUMBER], "items": False, "minItems": 2},
                           {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/rotation"}}]},
}  # fmt: skip

NUMBER = Kind(plain, _number, A_NUMBER)
LIST = Kind(plain, _list, {"type": "array", "items": A_NUMBER})
NAMED = Kind(_write_named, _read_named, {"anyOf": [{"type": "object", "additionalProperties": ANY_NUMBERS}, LIST.form]})
NUMBERS = Kind(plain, _numbers, ANY_NUMBERS)
ROTATION = Kind(plain, _rotation, {"$ref": "#/$defs/rotation"})
DIRECTION = Kind(plain, _direction, {"anyOf": [{"enum": list(AXES)}, {"type": "array", "items": A_NUMBER, "minItems": 2, "maxItems": 3}]})
WORD = Kind(plain, _word, TEXT)
TRUTH = Kind(lambda value, to: bool(value), _truth, {"type": "boolean"})


def exactly(one: Any, other: Any) -> bool:
    """Whether two nested lists of numbers are equal to the bit, including the sign of zeros."""
    one, other = (x.tolist() if isinstance(x, np.ndarray | np.generic) else x for x in (one, other))
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(exactly, one, other))
    if not (is_number(one) and is_number(other)):
        return one is other or (type(one) is type(other) and one == other)
    a, b = float(one), float(other)
    return math.copysign(1.0, a) == math.copysign(1.0, b) and (a == b or (a != a and b != b))
