"""Argument checks: the arguments of public functions are checked once, before they are used.

`@door(mass=NUMBER, shape=maybe(SHAPE))` decorates a public function or class. For arguments of the wrong kind, misspelt
and missing ones the error names the element, what was expected, and the nearest right name. The meaning of a value
(negative lengths, joints that do not fit) is checked where it is used.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import chain
from typing import Any, NamedTuple, TypeGuard, TypeVar

import numpy as np

from poinsot.errors import ModelError, SettingsError
from poinsot.model.words import nearest, short_repr

T = TypeVar("T")
MOST_BITS = 1023  # of a whole number that a float can hold


class Kind(NamedTuple):
    """A kind of argument: a test for values, and a description of what is expected."""

    fits: Callable[[Any], bool]
    words: str


def is_number(value: Any) -> TypeGuard[float]:
    """Whether this is one real number, not a truth value, text or array; NaN and infinity count as numbers."""
    if type(value) is float:
        return True
    if isinstance(value, int):
        return not isinstance(value, bool) and value.bit_length() <= MOST_BITS
    if isinstance(value, np.generic):
        return value.dtype.kind in "iuf"
    if isinstance(value, np.ndarray):
        return value.shape == () and value.dtype.kind in "iuf" and not np.ma.is_masked(value)
    return isinstance(value, float)


def as_numbers(value: Any) -> np.ndarray | None:
    """Numbers of a sequence, of sequences, or a single one, as an array; None for anything else."""
    try:
        if isinstance(value, list | tuple | range):
            parts = [float(part) if is_number(part) else as_numbers(part) for part in value]
            return None if any(part is None for part in parts) else np.array(parts, float)
        if isinstance(value, str | bytes | bytearray | memoryview | dict | set | frozenset) or np.ma.is_masked(value):
            return None
        array = np.asarray(value)
        return np.array(array, float) if array.dtype.kind in "iuf" else None
    except Exception:  # ragged, endless, or a foreign object that fails when it is inspected
        return None


def whole(value: Any) -> TypeGuard[int]:
    """Whether this is a whole number."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_path(value: Any) -> bool:
    """Whether this can be a file path."""
    try:
        text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
        return isinstance(text, str) and text != "" and b"\0" not in os.fsencode(text)
    except (TypeError, ValueError):
        return False


def maybe(kind: Kind) -> Kind:
    """A value of the kind, or None."""
    return Kind(lambda value: value is None or kind.fits(value), f"{kind.words}, or None")


def either(*kinds: Kind) -> Kind:
    """One of several kinds."""
    return Kind(lambda value: any(kind.fits(value) for kind in kinds), " or ".join(kind.words for kind in kinds))


def instance(cls: type | tuple[type, ...], words: str) -> Kind:
    """An object of a class."""
    return Kind(lambda value: isinstance(value, cls), words)


def several(kind: Kind, words: str) -> Kind:
    """A list or tuple of values of a kind."""
    return Kind(lambda value: isinstance(value, list | tuple) and all(map(kind.fits, value)), words)


NUMBER = Kind(is_number, "a number")
NUMBERS = Kind(lambda value: as_numbers(value) is not None, "numbers")
WHOLE = Kind(whole, "a whole number")
TEXT = instance(str, "a text")
FUNCTION = Kind(callable, "a function")
TRUTH = instance((bool, np.bool_), "True or False")
PATH = Kind(is_path, "the path of a file")


def door(**kinds: Kind) -> Callable[[T], T]:
    """Guard a function or class of the model: arguments must be of these kinds and have known names."""
    return _door(ModelError, kinds)


def settings_door(**kinds: Kind) -> Callable[[T], T]:
    """Guard a function whose arguments are settings of a run."""
    return _door(SettingsError, kinds)


def _door(error: type[Exception], kinds: dict[str, Kind]) -> Callable[[T], T]:

    def guard(made: Any) -> Any:
        if not isinstance(made, type):
            return _guarded(made, made.__name__, error, kinds)
        called = getattr(made, "kind", made.__name__)
        made.__init__ = _guarded(made.__init__, called, error, kinds)  # type: ignore[misc]
        return made

    return guard


def _guarded(f: Callable[..., Any], called: str, error: type[Exception], kinds: dict[str, Kind]) -> Callable[..., Any]:
    parameters = inspect.signature(f).parameters
    ordered = [p.name for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    unknown = [name for name in kinds if name not in parameters]
    assert not unknown, f"{called}: has no {unknown} to guard"

    @wraps(f)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        for name, value in chain(zip(ordered, args), kwargs.items()):
            kind = kinds.get(name)
            if kind is not None and not kind.fits(value):
                where = _where(called, dict(zip(ordered, args)) | kwargs)
                raise error(f"{where}: {name} must be {kind.words}, not {short_repr(value)}")
        try:
            return f(*args, **kwargs)
        except TypeError as wrong:
            if wrong.__traceback__ is not None and wrong.__traceback__.tb_next is not None:
                raise  # raised inside the function
            where = _where(called, dict(zip(ordered, args)) | kwargs)
            raise TypeError(f"{where}: {_misfit(parameters, ordered, args, kwargs)}") from None

    return guarded


def _where(called: str, given: dict[str, Any]) -> str:
    """The element whose method is called, or the one that is being created."""
    owner, name = given.get("self"), given.get("name")
    if "name" in getattr(owner, "__dict__", {}) and hasattr(owner, "label"):
        return str(owner.label())  # type: ignore[union-attr]
    return f"{called} {short_repr(name)}" if isinstance(name, str) and name else called


def _misfit(parameters: Any, ordered: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """Why arguments do not fit the parameters of a function."""
    known = [name for name in parameters if name != "self"]
    for name in kwargs:
        if name not in known:
            near = nearest(name, known)
            remedy = f"did you mean {near[0]}=?" if near else f"it takes {', '.join(known) or 'none'}"
            return f"has no argument '{short_repr(name)[1:-1]}'; {remedy}"
    twice = [name for name in ordered[: len(args)] if name in kwargs]
    if twice:
        return f"{twice[0]} is given twice, by position and by name"
    if len(args) > len(ordered):
        by_name = ", ".join(f"{name}=" for name in known if name not in ordered)
        wanted = ", ".join(name for name in ordered if name != "self")
        return f"{f'takes only {wanted}' if wanted else 'takes nothing'} by position" + (f"; give by name: {by_name}" if by_name else "")
    given, optional = {*ordered[: len(args)], *kwargs}, (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [p.name for p in parameters.values() if p.default is p.empty and p.kind not in optional]
    return f"needs {', '.join(f'{name}=' for name in needed if name not in given)}"
