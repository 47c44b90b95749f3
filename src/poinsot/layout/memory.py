"""State that a user's function keeps between calls: in its object, closure, defaults, or variables of its module."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

MOST = 16  # largest number of entries of a container that are compared, half of them from either end
DEPTH = 3  # nesting depth of containers


def stored_state(function: Callable[..., Any]) -> dict[str, Any]:
    """Everything that the function could have written to, by name; compares equal when nothing has changed."""
    return {name: _image(value, DEPTH) for name, value in _within_reach(function)}


def _within_reach(function: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(function, functools.partial):
        yield from _within_reach(function.func)
        yield from ((f"argument {k}", value) for k, value in enumerate(function.args))
        yield from function.keywords.items()
        return
    if inspect.ismethod(function):
        yield type(function.__self__).__name__, function.__self__
        function = function.__func__
    if not isinstance(function, FunctionType):
        if not isinstance(function, type) and hasattr(function, "__dict__"):
            yield type(function).__name__, function
            yield from _within_reach(vars(type(function)).get("__call__"))
        return
    yield f"{function.__name__}.__dict__", vars(function)
    yield "defaults", (function.__defaults__, function.__kwdefaults__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:  # an empty cell
            yield name, None
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: CodeType) -> set[str]:
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*(_names(part) for part in inner))


def _image(value: Any, depth: int) -> Any:
    """An object that compares equal as long as the value does not change."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, ModuleType | type | FunctionType) or inspect.isbuiltin(value) or depth == 0:
        return id(value)
    if isinstance(value, np.ndarray | np.generic):
        return (value.shape, str(value.dtype), hash(value.tobytes()) if value.dtype.kind != "O" else None)
    if isinstance(value, list | tuple):
        ends = [*value[: MOST // 2], *value[-MOST // 2 :]]
        return (len(value), *(_image(part, depth - 1) for part in ends))
    if isinstance(value, dict):
        items = list(value.items())
        return (
            len(items),
            *((_image(k, 1), _image(v, depth - 1)) for k, v in [*items[: MOST // 2], *items[-MOST // 2 :]]),
        )
    if isinstance(value, set | frozenset):
        return len(value)
    own = getattr(value, "__dict__", None)
    return (type(value).__name__, _image(own, depth - 1)) if isinstance(own, dict) else id(value)
