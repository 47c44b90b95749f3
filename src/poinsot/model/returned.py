"""Arguments and return values of users' functions, read strictly: nothing is dropped, truncated or converted from text."""

from __future__ import annotations

import dis
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

REAL = "fiub"  # kinds of NumPy numbers that are converted to float


class WrongReturn(ValueError):
    """A user's function returned a wrong value; the message continues "the function of ..." and ends with the remedy."""


def number(value: Any) -> float:
    """One finite number; an array of one entry counts as one."""
    given = value
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise WrongReturn(f"returned an array of shape {value.shape}, not one number")
        value = value.reshape(-1)[0]
    if not _is_real(value):
        raise WrongReturn(f"returned {describe_value(given)}, not one number{_hint(given)}")
    try:
        result = float(value)
    except (OverflowError, ValueError, TypeError) as error:
        raise WrongReturn(f"returned {describe_value(given)}, which is not a floating-point number ({error})") from None
    if not math.isfinite(result):
        raise WrongReturn(f"returned a number that is not finite, {result!r}")
    return result


def numbers(value: Any, size: int) -> list[float]:
    """The right number of finite numbers: a list, a tuple or a one-dimensional array."""
    wanted = f"{size} number{'' if size == 1 else 's'}"
    if isinstance(value, str | bytes | dict | set) or not (hasattr(value, "__len__") or isinstance(value, np.ndarray)):
        raise WrongReturn(f"returned {describe_value(value)}, not {wanted}{_hint(value)}")
    if isinstance(value, np.ndarray) and value.shape != (size,):
        raise WrongReturn(f"returned an array of shape {value.shape}, not {wanted}")
    parts = list(value)
    if len(parts) != size:
        raise WrongReturn(f"returned {len(parts)} numbers, not {wanted}")
    return [number(part) for part in parts]


def describe_value(value: Any) -> str:
    """A short description of a value."""
    if value is None:
        return "None"
    text = repr(value) if isinstance(value, str | bytes | bool | complex | float | np.generic) else ""
    kind = type(value).__name__
    if isinstance(value, list | tuple | dict | set):
        return f"a {kind} of {len(value)}"
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    return f"{text} ({kind})" if text and len(text) < 40 else f"{article} {kind}"


def accepts(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with this many positional arguments; True where that cannot be determined.

    For a wrapper that passes on all its arguments the wrapped function is inspected.
    """
    for wrapped in (False, True):
        try:
            signature = inspect.signature(function, follow_wrapped=wrapped)
        except Exception:  # objects may raise anything when inspected
            continue
        if wrapped or not (hasattr(function, "__wrapped__") and _takes_any(signature)):
            return _binds(signature, count)
    return True


def _takes_any(signature: inspect.Signature) -> bool:
    return any(parameter.kind is parameter.VAR_POSITIONAL for parameter in signature.parameters.values())


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def call_fault(function: Any, forms: dict[int, str]) -> str | None:
    """The fault of a function that should take one of these numbers of arguments; None when there is none."""
    allowed = " or ".join(forms.values())
    inner = function if inspect.isroutine(function) else vars(type(function)).get("__call__")
    if inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner):
        return f"is an async function, which does not return a number when it is called; write a plain function, {allowed}"
    if inspect.isgeneratorfunction(inner):
        return f"uses yield, so it returns a generator, not a number; use return, {allowed}"
    if any(accepts(function, count) for count in forms):
        return None
    return f"takes the wrong arguments, {_signature(function)}; it must be {allowed}"


def rebinds(function: Any, argument: int) -> bool:
    """Whether a function rebinds one of its arguments instead of changing it in place."""
    code = getattr(function, "__code__", None)
    if code is None or argument >= code.co_argcount:
        return False
    name, steps = code.co_varnames[argument], list(dis.get_instructions(code))
    stores = [k for k, step in enumerate(steps) if "STORE_FAST" in step.opname and name in _names(step.argval)]
    return any(not steps[k - 1].argrepr.endswith("=") for k in stores)


def _names(argument: Any) -> tuple[Any, ...]:
    return argument if isinstance(argument, tuple) else (argument,)  # later versions of Python combine two instructions


def _signature(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return f"{'lambda' if name == '<lambda>' else name}{inspect.signature(function)}"


def _is_real(value: Any) -> bool:
    if isinstance(value, float | int):
        return True
    if value is np.ma.masked or isinstance(value, str | bytes | complex):
        return False
    if isinstance(value, np.generic | np.ndarray):
        return value.dtype.kind in REAL
    return hasattr(type(value), "__float__") and not hasattr(type(value), "__len__")


def _hint(value: Any) -> str:
    return " (is a return statement missing?)" if value is None else ""
