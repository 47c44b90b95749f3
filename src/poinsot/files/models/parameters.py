"""Named numbers of a model file, and elements that are repeated.

    parameters: {L: 2, n: 4, angle: pi/6}
    bodies:
    - body: link{k+1}
      repeat: {k: n}                      # k = 0, 1, ... n - 1; {k: [1, n]}: k = 1, 2, ... n
      box: {x: 0.2, y: 0.2, z: L, mass: 50}
      position: [0, 0, -L*(k + 1/2)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.files.models.context import Wrong, describe_node, is_number, short
from poinsot.files.models.yaml_scalars import Node
from poinsot.model.expressions import CONSTANTS, FUNCTIONS, NAME, TIME, BadExpression, evaluate, parse
from poinsot.model.words import nearest

BRACES = re.compile(r"\{([^{}]*)\}")
MOST = 10_000  # elements that repeats may stand for


def value(node: Node, values: Mapping[str, float], wanted: str = "a number") -> float:
    """A number, or the value of an expression."""
    if is_number(node.data):
        return node.data
    if not isinstance(node.data, str):
        raise Wrong(node.line, f"must be {wanted}, not {describe_node(node)}")
    try:
        found = parse(node.data)
        if found.kind == "number":
            raise BadExpression("is text; leave out the quotes")
        return evaluate(found, values)
    except BadExpression as wrong:
        said = f"; as an expression it {wrong}" if values or re.search(r"[-+*/^()\d]", node.data) else ""
        raise Wrong(node.line, f"must be {wanted}, not {describe_node(node)}{said}") from None


def read_parameters(node: Node | None, given: Mapping[str, Any], file: str) -> dict[str, float]:
    """Parameters of a file in their order, each of which may use those before it; given values replace those of the file."""
    defined = node.data if node is not None and isinstance(node.data, dict) else {}
    if node is not None and node.data is not None and not isinstance(node.data, dict):
        raise Wrong(node.line, f"must be a map of names and numbers, not {describe_node(node)}")
    for name in given:
        if name not in defined:
            close = nearest(name, list(defined))
            known = f"did you mean '{close[0]}'?" if close else f"it has {', '.join(defined) or 'none'}"
            raise ModelError(f"{file}: has no parameter '{short(str(name))}'; {known}")
        if not is_number(given[name]) or not abs(given[name]) < float("inf"):
            raise ModelError(f"{file}: the value of parameter '{name}' must be a finite number, not {given[name]!r}")
    values: dict[str, float] = {}
    for name, item in defined.items():
        if not NAME.fullmatch(name) or name in CONSTANTS or name in FUNCTIONS or name == TIME:
            taken = "has a meaning of its own" if NAME.fullmatch(name) else "is not a name of letters, digits and _"
            raise Wrong(item.key_line, f"parameter '{short(name)}' {taken}; choose another")
        try:
            values[name] = given[name] if name in given else value(item, values)
        except Wrong as wrong:
            raise Wrong(wrong.line, f"parameter '{name}' {wrong}") from None
    return values


def expanded(elements: list[Node], values: Mapping[str, float], room: list[int]) -> Iterator[Node]:
    """Elements with those that have `repeat` written out; `room`: how many more there may be."""
    for node in elements:
        if not isinstance(node.data, dict) or "repeat" not in node.data:
            yield node
            continue
        repeat = node.data["repeat"]
        bare = node._replace(data={key: item for key, item in node.data.items() if key != "repeat"})
        if not isinstance(repeat.data, dict) or not repeat.data:
            raise Wrong(repeat.line, f"repeat must be a map such as {{k: 4}} or {{k: [1, 4]}}, not {describe_node(repeat)}")
        for local in _runs(list(repeat.data.items()), dict(values), {}):
            room[0] -= 1
            if room[0] < 0:
                raise Wrong(repeat.line, f"repeat stands for more than {MOST} elements")
            seen = {**values, **local}
            yield _filled(bare, seen)._replace(local=tuple(local.items()))


def _runs(indices: list[tuple[str, Node]], values: dict[str, float], local: dict[str, float]) -> Iterator[dict[str, float]]:
    """All values of the indices, the last one fastest."""
    if not indices:
        yield local
        return
    (name, node), *rest = indices
    if not NAME.fullmatch(name) or name in values or name in CONSTANTS or name in FUNCTIONS or name == TIME:
        raise Wrong(node.key_line, f"repeat: '{short(name)}' is taken, or is not a name; choose another")
    first, last = (node.data if isinstance(node.data, list) and len(node.data) == 2 else [Node(0, node.line), node])
    begin, end = _whole(first, values), _whole(last, values)
    for k in range(begin, end + isinstance(node.data, list)):
        yield from _runs(rest, {**values, name: k}, {**local, name: k})


def _whole(node: Node, values: Mapping[str, float]) -> int:
    found = value(node, values)
    if found != int(found) or abs(found) > MOST:
        raise Wrong(node.line, f"repeat must count by whole numbers of at most {MOST}, not {found:g}")
    return int(found)


def _filled(node: Node, values: Mapping[str, float]) -> Node:
    """A node with the values of what is in braces in its words."""
    if isinstance(node.data, dict):
        return node._replace(data={_word(key, item.key_line, values): _filled(item, values) for key, item in node.data.items()})
    if isinstance(node.data, list):
        return node._replace(data=[_filled(item, values) for item in node.data])
    return node._replace(data=_word(node.data, node.line, values)) if isinstance(node.data, str) else node


def _word(text: str, line: int, values: Mapping[str, float]) -> str:
    def found(match: re.Match[str]) -> str:
        try:
            number = evaluate(parse(match[1]), values)
        except BadExpression as wrong:
            raise Wrong(line, f"'{short(match[0])}' {wrong}") from None
        return str(int(number)) if number == int(number) else repr(number)

    return BRACES.sub(found, text)
