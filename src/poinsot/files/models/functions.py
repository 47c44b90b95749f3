"""Fingerprints of users' functions: a file names a function and stores a hash of its source, but not its code."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import textwrap
from collections.abc import Callable
from tokenize import TokenError
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from poinsot.files.models.context import is_number
from poinsot.model.functions import functions_of
from poinsot.model.missing import MissingFunction
from poinsot.model.signals import Polynomials
from poinsot.model.system import System


def function_name(function: Any) -> str:
    """The qualified name of a function without its module; that of its class for other callables."""
    if isinstance(function, MissingFunction):
        return function.name
    if isinstance(function, functools.partial):
        return function_name(function.func)
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def fingerprint(function: Any) -> str | None:
    """Hash of the source of a function, of its defaults, and of the numbers, strings and functions that it uses from outside.

    Functions without source are identified by their bytecode; None when there is neither.
    """
    if isinstance(function, MissingFunction):
        return function.sha256
    text = _described(function, set())
    return None if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def file_names(system: System) -> dict[str, Callable[..., Any]]:
    """Every function of a system by its name in a file; functions of the same name are numbered: f, f#2, f#3."""
    names: dict[str, Callable[..., Any]] = {}
    for element in system.elements():
        for function in functions_of(element).values():
            stem = name = function_name(function)
            count = 1
            while name in names and not _same(names[name], function):
                count += 1
                name = f"{stem}#{count}"
            names[name] = function
    return names


def file_name(function: Any, names: dict[str, Callable[..., Any]]) -> str:
    """The name of one of them."""
    return next(name for name, other in names.items() if _same(other, function))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, MissingFunction) and isinstance(other, MissingFunction):
        return (one.name, one.sha256) == (other.name, other.sha256)
    return one is other or (inspect.ismethod(one) and inspect.ismethod(other) and one == other)


def function_references(system: System) -> dict[tuple[str, str], tuple[str, str | None]]:
    """By element and argument: the name of the function and its fingerprint. Compare those of two systems to see what changed."""
    names = file_names(system)
    return {
        (element.name, argument): (file_name(function, names), fingerprint(function))
        for element in system.elements()
        for argument, function in functions_of(element).items()
    }


def _described(function: Any, seen: set[int]) -> str | None:
    """A text that changes when the function does."""
    if isinstance(function, Polynomials):
        return f"polynomials {function.times.tolist()!r} {function.coefficients.tolist()!r}"
    function = getattr(function, "py_func", function)  # already compiled by the user
    if id(function) in seen:
        return function_name(function)
    seen.add(id(function))
    if isinstance(function, functools.partial):
        parts = [function.func, *function.args, *sorted(function.keywords.items())]
        return "partial " + " ".join(_value(part, seen) for part in parts)
    if inspect.ismethod(function):
        return f"{_described(function.__func__, seen)} of {_value(vars_of(function.__self__), seen)}"
    if isinstance(function, FunctionType):
        return "\n".join([_source(function), *_taken(function, seen)])
    source = _text_of(function if inspect.isclass(function) else type(function))
    return None if source is None else f"{source}\n{_value(vars_of(function), seen)}"


def vars_of(thing: Any) -> dict[str, Any]:
    """The attributes of an object."""
    return getattr(thing, "__dict__", {}) if not inspect.isclass(thing) else {}


def _text_of(thing: Any) -> str | None:
    try:
        return textwrap.dedent(inspect.getsource(thing))
    except (OSError, TypeError, SyntaxError, TokenError):
        return None


def _source(function: FunctionType) -> str:
    text = _text_of(function)
    if text is None:
        return _bytecode(function.__code__)
    if function.__name__ != "<lambda>":
        return text
    try:  # the source lines of a lambda may contain more than the lambda
        found = [node for node in ast.walk(ast.parse(text.strip())) if isinstance(node, ast.Lambda)]
    except SyntaxError:
        found = []
    if len(found) == 1:
        return ast.get_source_segment(text.strip(), found[0]) or text
    return text + _bytecode(function.__code__)


def _bytecode(code: CodeType) -> str:
    inner = [_bytecode(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return " ".join([code.co_code.hex(), *inner, *code.co_names])


def _taken(function: FunctionType, seen: set[int]) -> list[str]:
    """Defaults, and the values that the function uses from outside."""
    try:
        outside = inspect.getclosurevars(function)
        found = {**outside.globals, **outside.nonlocals}
    except ValueError:  # a name that is not bound yet
        found = {}
    lines = [f"{name} = {_outside(value, function, seen)}" for name, value in sorted(found.items())]
    return [f"defaults {_value((function.__defaults__, function.__kwdefaults__), seen)}", *lines]


def _outside(value: Any, function: FunctionType, seen: set[int]) -> str:
    """Other functions are followed within their module; those of libraries are identified by their names."""
    module = getattr(value, "__module__", None)
    if isinstance(value, FunctionType) and module != function.__module__:
        return f"{module}.{value.__qualname__}"
    return _value(value, seen)


def _value(value: Any, seen: set[int]) -> str:
    """A constant exactly; a function by its source; anything else by its type alone."""
    if value is None or isinstance(value, bool | str | bytes | complex) or is_number(value):
        return repr(value)
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype} {value.shape} {value.tolist()!r}"
    if isinstance(value, tuple | list):
        return f"({', '.join(_value(part, seen) for part in value)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_value(part, seen)}' for key, part in value.items())}}}"
    if inspect.ismodule(value):
        return value.__name__
    if callable(value) and not inspect.isclass(value):
        return _described(value, seen) or function_name(value)
    return type(value).__qualname__
