"""The arguments of building calls as users gave them, stored with the element. Files are written from them, to the bit."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Given:
    """A building call: its name and the arguments that were given."""

    maker: str
    arguments: dict[str, Any]


def record_arguments(build: Callable[P, T]) -> Callable[P, T]:
    """Decorator of a building call that stores its arguments in the attribute `given` of the element."""
    signature = inspect.signature(build)

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> T:
        made = build(*args, **kwargs)
        bound = signature.bind(*args, **kwargs).arguments
        given = Given(build.__name__, {name: independent_copy(value) for name, value in bound.items() if name != "self"})
        object.__setattr__(made, "given", given)
        return made

    return built


def altered(one: T, **attributes: Any) -> T:
    """A copy of an object with other attributes, made without its constructor: `dataclasses.replace` takes several times as long."""
    new: T = object.__new__(type(one))
    vars(new).update(vars(one), **attributes)
    return new


def independent_copy(value: Any) -> Any:
    """A copy that is independent of the user's arrays and lists: arrays become lists of numbers."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(independent_copy(part) for part in value)
    return value
