"""Users' functions, callable from the compiled loop through their address.

A function is compiled when that gives the same numbers as Python (`compiling.py`); otherwise Python is called through
ctypes from the same loop. When a function raises, `out` becomes NaN, the loop stops, and the exception is raised again
with the results computed until then.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poinsot.errors import CallbackError
from poinsot.layout.compiling import compile_function, plain
from poinsot.layout.forms import Form
from poinsot.model.returned import WrongReturn

NUMBERS = ctypes.POINTER(ctypes.c_double)
SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_double, NUMBERS, NUMBERS, NUMBERS)


@dataclass
class Callback:
    """One user's function: its address, the object that keeps it alive, and the exceptions it raised, if any."""

    label: str
    function: Callable[..., Any]
    form: Form
    address: int
    compiled: bool
    keep: Any = None
    failure: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.python = plain(self.function)

    def call(self, t: float, x: Sequence[float], params: Sequence[float]) -> list[float]:
        """Its numbers, by a call in Python; CallbackError when they are invalid."""
        try:
            return self.form.call(self.python, t, x, params)
        except WrongReturn as wrong:
            raise CallbackError(
                f"the function of {self.label} {wrong}, at t = {t:.9g} s ({place(self.function)})"
            ) from None

    def call_compiled(self, t: float, x: Sequence[float], params: Sequence[float]) -> list[float]:
        """Its numbers, by a call through its address; the first is NaN when it failed."""
        arrays = [np.array([*numbers, 0.0]) for numbers in (x, params, np.zeros(self.form.outputs))]
        SIGNATURE(self.address)(t, *(array.ctypes.data_as(NUMBERS) for array in arrays))
        return arrays[-1][:-1].tolist()


def wrap(label: str, form: Form, function: Callable[..., Any]) -> Callback:
    """Make a callback, compiled if possible."""
    compiled = compile_function(function, form)
    if compiled is not None:
        return Callback(label, function, form, compiled.address, True, compiled)
    return python_callback(label, form, function)


def interpreted(callback: Callback) -> Callback:
    """The same function called through Python, so that an exception it raises can be kept."""
    return python_callback(callback.label, callback.form, callback.function)


def python_callback(label: str, form: Form, function: Callable[..., Any]) -> Callback:
    """A function called through ctypes; exceptions and invalid results are stored, and the result is NaN."""
    callback = Callback(label, function, form, 0, False)

    def guarded(t: float, x: Any, params: Any, out: Any) -> None:
        try:
            for k, value in enumerate(callback.call(t, x, params)):
                out[k] = value
        except BaseException as error:  # nothing may escape into machine code
            callback.failure.append(error)
            out[0] = np.nan

    callback.keep = SIGNATURE(guarded)
    callback.address = ctypes.cast(callback.keep, ctypes.c_void_p).value or 0
    return callback


def first_failure(callbacks: Sequence[Callback]) -> tuple[Callback, BaseException] | None:
    """The function that failed and its exception; the stored exceptions are cleared."""
    found = [(callback, callback.failure[0]) for callback in callbacks if callback.failure]
    for callback in callbacks:
        callback.failure.clear()
    return found[0] if found else None


def place(function: Callable[..., Any], error: BaseException | None = None) -> str:
    """Name, file and line of a function; with an error of it, the line where it was raised."""
    inner = plain(function)
    name = getattr(inner, "__qualname__", type(inner).__qualname__)
    code = getattr(inner, "__code__", None) or getattr(vars(type(inner)).get("__call__"), "__code__", None)
    if code is None:
        return f"`{name}`"
    line, trace = code.co_firstlineno, error.__traceback__ if error else None
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code is code else line
        trace = trace.tb_next
    return f"`{name}`, {code.co_filename}:{line}"
