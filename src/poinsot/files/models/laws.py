"""Laws, functions and signals in files: numbers, the names of functions, and signals made of numbers."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from typing import Any

from poinsot.files.models.context import Kind, Reading, Writing, Wrong, describe_node, suggestion
from poinsot.files.models.functions import file_name, file_names, fingerprint
from poinsot.files.models.numbers import NUMBERS, TEXT, plain
from poinsot.files.models.yaml_scalars import Node
from poinsot.model import signals
from poinsot.model.expressions import TIME, BadExpression, Expression, TimeFunction, bind, parse
from poinsot.model.missing import MissingFunction
from poinsot.model.signals import Polynomials, Signal

MAKERS: dict[str, Callable[..., Polynomials]] = {
    "step": signals.step,
    "spline": signals.spline,
    "table": signals.table,
    "polynomials": Polynomials,
}
FORMS = ("function", "signal", *MAKERS)
SIGNAL_FUNCTIONS = ("function", "rate", "acceleration")


# --- writing -----------------------------------------------------------------------------------------------------------


def _write(value: Any, to: Writing) -> Any:
    """A number, numbers, a function, a signal."""
    if isinstance(value, Polynomials):
        return _polynomials(value, to)
    if isinstance(value, TimeFunction):
        return value.text()
    if type(value) is Signal:
        parts = {"function": value.function, "rate": value.rate, "acceleration": value.acceleration}
        written = {key: _reference(f, to, sized=False) for key, f in parts.items() if f is not None}
        return {"signal": written | ({"size": value.size} if value.size != 1 else {})}
    return _reference(value, to) if callable(value) else plain(value, to)


def _polynomials(value: Polynomials, to: Writing) -> Any:
    if value.given is not None and value.given.maker in MAKERS:
        return {value.given.maker: {name: plain(part, to) for name, part in value.given.arguments.items()}}
    table = value.coefficients[..., 0] if value.size == 1 else value.coefficients
    return {"polynomials": {"times": value.times.tolist(), "coefficients": table.tolist()}}


def _reference(function: Any, to: Writing, sized: bool = True) -> Any:
    if not to.functions:
        to.functions.update(file_names(to.system))
    reference = {"function": file_name(function, to.functions), "sha256": fingerprint(function)}
    if not sized:
        return reference
    size = function.size if isinstance(function, MissingFunction | Signal) else _size(function, to)
    return reference | ({"size": size} if size != 1 else {})


def _size(function: Any, to: Writing) -> int:
    """How many numbers a function returns that is used as a signal."""
    owner = next((d for d in to.system.drives if getattr(d.signal, "function", None) is function), None)
    direct = owner is not None and any(value is function for value in owner.arguments().values())
    return owner.signal.size if owner is not None and direct else 1


# --- reading -----------------------------------------------------------------------------------------------------------


def _read(node: Node, of: Reading) -> Any:
    if not isinstance(node.data, dict):
        return _of_time(node, of) or NUMBERS.read(node, of)
    form = next(iter(node.data), None)
    if form == "function":
        return _function(node, of, of.argument)
    if len(node.data) != 1 or form not in FORMS:
        raise Wrong(node.line, f"must be a number or a map with one of {', '.join(FORMS)}, not {describe_node(node)}")
    inner = node.data[form]
    if not isinstance(inner.data, dict):
        raise Wrong(inner.line, f"{form} must be a map with its arguments, not {describe_node(inner)}")
    return _signal(inner, of) if form == "signal" else _made(form, inner, of)


def _of_time(node: Node, of: Reading) -> TimeFunction | None:
    """The function of time that an expression with t, or a list with some, stands for; None where there is none."""
    parts = node.data if isinstance(node.data, list) else [node]
    found = [_parsed(part) for part in parts]
    if not any(TIME in part.names() for part in found if part is not None):
        return None
    bound = []
    for part, expression in zip(parts, found):
        try:
            number = Expression("number", float(NUMBERS.read(part, of))) if expression is None else expression
            bound.append(bind(number, of.parameters, TIME))
        except BadExpression as wrong:
            raise Wrong(part.line, f"must be a number or a function of t, not {describe_node(part)}; as an expression it {wrong}") from None
    return TimeFunction(tuple(bound), not isinstance(node.data, list))


def _parsed(node: Node) -> Expression | None:
    try:
        return parse(node.data) if isinstance(node.data, str) else None
    except BadExpression:
        return None


def _made(form: str, node: Node, of: Reading) -> Polynomials:
    """A signal given by numbers, made by the constructor of its name."""
    maker = MAKERS[form]
    parameters = inspect.signature(maker).parameters
    for key, item in node.data.items():
        if key not in parameters:
            raise Wrong(item.key_line, f"{form} has no '{key}'{suggestion(key, list(parameters))}")
    missing = [name for name, p in parameters.items() if p.default is p.empty and name not in node.data]
    if missing:
        raise Wrong(node.line, f"{form} lacks {', '.join(missing)}")
    numbers = {key: NUMBERS.read(item, of) for key, item in node.data.items()}
    try:
        return maker(**numbers)
    except (ValueError, TypeError) as error:
        raise Wrong(node.line, f"{form}: {error}") from None


def _signal(node: Node, of: Reading) -> Signal:
    known = (*SIGNAL_FUNCTIONS, "size")
    for key, item in node.data.items():
        if key not in known:
            raise Wrong(item.key_line, f"signal has no '{key}'{suggestion(key, list(known))}")
    if "function" not in node.data:
        raise Wrong(node.line, "signal lacks function")
    size = node.data["size"].data if "size" in node.data else 1
    parts = {}
    for key in SIGNAL_FUNCTIONS:
        if key in node.data:
            part = of.argument if key == "function" else f"{of.argument}.{key}"
            parts[key] = _function(node.data[key], of, part, size)
    return Signal(**parts)


def _function(node: Node, of: Reading, argument: str, size: int = 1) -> Any:
    """The function given for this name, or a placeholder."""
    if not isinstance(node.data, dict) or not set(node.data) <= {"function", "sha256", "size"}:
        raise Wrong(node.line, f"a function is written {{function: name, sha256: ...}}, not {describe_node(node)}")
    reference = node.plain()
    name, sha256, size = reference.get("function"), reference.get("sha256"), reference.get("size", size)
    if not isinstance(name, str) or not name:
        raise Wrong(node.line, f"the function must be given by its name, not {describe_node(node)}")
    if sha256 is not None and not (isinstance(sha256, str) and re.fullmatch("[0-9a-f]{64}", sha256)):
        raise Wrong(node.line, f"sha256 of function '{name}' must be 64 hexadecimal digits or null")
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise Wrong(node.line, f"size of function '{name}' must be a whole number, not {size!r}")
    for key in (name, f"{of.element}.{argument}"):
        if key in of.functions:
            of.used.add(key)
            return _given(of.functions[key], name, sha256, node, of)
    return MissingFunction(name, sha256, size, of.label)


def _given(function: Any, name: str, sha256: str | None, node: Node, of: Reading) -> Any:
    if not callable(function):
        raise Wrong(node.line, f"the value given for function '{name}' is not a function: {function!r}")
    if sha256 is None or fingerprint(function) == sha256:
        return function
    words = (
        f"the function given for '{name}' is not the one the model was written with: its source or its constants differ"
    )
    if of.strict:
        raise Wrong(node.line, f"{words}; give the same one, or strict=False to use this one")
    warnings.warn(f"{of.label}: {words}", stacklevel=2)
    return function


def _read_only_function(node: Node, of: Reading) -> Any:
    return _function(node, of, of.argument)


def _function_form() -> dict[str, Any]:
    keys = {"function": TEXT, "sha256": {"type": ["string", "null"]}, "size": {"type": "integer", "minimum": 1}}
    return {"type": "object", "properties": keys, "required": ["function"], "additionalProperties": False}


def _made_form(maker: Callable[..., Any]) -> dict[str, Any]:
    """The form of the arguments of a signal given by numbers."""
    parameters = inspect.signature(maker).parameters
    required = [name for name, p in parameters.items() if p.default is p.empty]
    return {"type": "object", "properties": dict.fromkeys(parameters, NUMBERS.form), "required": required, "additionalProperties": False}


def _law_form() -> dict[str, Any]:
    function = _function_form()
    parts = dict.fromkeys(SIGNAL_FUNCTIONS, function) | {"size": {"type": "integer"}}
    signal = {"type": "object", "properties": parts, "required": ["function"], "additionalProperties": False}
    forms = {"signal": signal} | {word: _made_form(maker) for word, maker in MAKERS.items()}
    maps = [{"type": "object", "properties": {word: form}, "required": [word], "additionalProperties": False} for word, form in forms.items()]
    return {"anyOf": [NUMBERS.form, function, *maps]}


LAW = Kind(_write, _read, _law_form())
FUNCTION = Kind(_write, _read_only_function, _function_form())
