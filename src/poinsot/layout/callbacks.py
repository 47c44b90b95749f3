"""Users' functions, callable from the compiled loop through their address.

All have one form in machine code: void f(double t, double *x, double *params, double *out). A function is compiled
when Numba can; otherwise Python is called through ctypes from the same loop. When a function raises, `out` becomes
NaN, the loop stops, and the exception is raised again with what was computed until then.
"""

from __future__ import annotations

import ctypes
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import carray, cfunc, extending, types
from numba.core.errors import NumbaError

from poinsot.algebra.compile import njit
from poinsot.errors import CallbackError

SIGNATURE = ctypes.CFUNCTYPE(
    None,
    ctypes.c_double,
    ctypes.POINTER(ctypes.c_double),
    ctypes.POINTER(ctypes.c_double),
    ctypes.POINTER(ctypes.c_double),
)


@dataclass
class Callback:
    """One user's function: its address, what keeps it alive, and the exception it raised, if any."""

    label: str
    function: Callable[..., Any]
    address: int
    compiled: bool
    adapter: Callable[..., Any]
    outputs: int
    keep: Any = None
    failure: list[BaseException] = field(default_factory=list)


def arity(function: Callable[..., Any]) -> int:
    """Number of positional arguments a law takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty for p in parameters)


def wrap(label: str, adapter: Callable[..., Any], function: Callable[..., Any], outputs: int) -> Callback:
    """Make a callback. `adapter(function)` gives the Python function (t, x, params, out) on arrays; it must compile
    when `function` does.
    """
    compiled = _compile(adapter, function)
    if compiled is not None:
        return Callback(label, function, compiled.address, True, adapter, outputs, compiled)
    return python_callback(label, adapter, function, outputs)


def interpreted(callback: Callback) -> Callback:
    """The same function called through Python, so that an exception it raises can be kept."""
    return python_callback(callback.label, callback.adapter, callback.function, callback.outputs)


def python_callback(label: str, adapter: Callable[..., Any], function: Callable[..., Any], outputs: int) -> Callback:
    """A function called through ctypes; what it raises is kept, numbers that are not finite are kept as an error, and both show as NaN."""
    failure: list[BaseException] = []
    body = adapter(function)

    def guarded(t: float, x: Any, params: Any, out: Any) -> None:
        try:
            body(t, x, params, out)
            if not all(math.isfinite(out[k]) for k in range(outputs)):
                raise CallbackError(f"the function of {label} returned a number that is not finite at t = {t:.9g} s")
        except BaseException as error:  # nothing may escape into machine code
            failure.append(error)
            out[0] = np.nan

    pointer = SIGNATURE(guarded)
    return Callback(
        label, function, ctypes.cast(pointer, ctypes.c_void_p).value or 0, False, adapter, outputs, pointer, failure
    )


def _compile(adapter: Callable[..., Any], function: Callable[..., Any]) -> Any:
    pointer = types.CPointer(types.float64)
    try:
        inner = njit(adapter(njit(function)))

        def outer(t, x, params, out):
            try:
                inner(t, x, params, out)
            except Exception:
                out[0] = np.nan

        return cfunc(types.void(types.float64, pointer, pointer, pointer))(outer)
    except (NumbaError, NotImplementedError, TypeError, AttributeError, AssertionError, ValueError, KeyError):
        return None


def scalar_law(function: Callable[..., float]) -> Callable[..., Any]:
    """Adapter of f(t)."""

    def body(t, x, params, out):
        out[0] = function(t)

    return body


def feedback_law(function: Callable[..., float]) -> Callable[..., Any]:
    """Adapter of f(t, coordinate, rate)."""

    def body(t, x, params, out):
        out[0] = function(t, x[0], x[1])

    return body


def vector_law(places: tuple[int, ...]) -> Callable[..., Any]:
    """Adapter of f(t) that gives a vector; `places` says where its components go among (x, y, z)."""

    def adapter(function):
        def body(t, x, params, out):
            value = function(t)
            for k in range(len(places)):
                out[places[k]] = value[k]

        return body

    return adapter


def spin_law(normal: tuple[float, float, float]) -> Callable[..., Any]:
    """Adapter of f(t) that gives a number about the normal of a planar system."""

    def adapter(function):
        def body(t, x, params, out):
            value = function(t)
            for k in range(3):
                out[k] = value * normal[k]

        return body

    return adapter


def as_array(pointer, shape):
    """An array over memory, in Python as in compiled code."""
    return np.ctypeslib.as_array(pointer, shape)


@extending.overload(as_array)
def _as_array_compiled(pointer, shape):
    return lambda pointer, shape: carray(pointer, shape)


def body_law(bodies: int, parameters: int) -> Callable[..., Any]:
    """Adapter of f(t, x, params, out) on arrays (bodies, 13), (parameters,), (bodies, 6)."""

    def adapter(function):
        def body(t, x, params, out):
            function(t, as_array(x, (bodies, 13)), as_array(params, (parameters,)), as_array(out, (bodies, 6)))

        return body

    return adapter
