"""The forms of users' functions: how each is called, compiled and in Python, and what it must return.

Compiled, all have one signature: void f(double t, double *x, double *params, double *out). A function called in Python
gets copies, so that it can neither change the data of the run nor keep references to its memory, and its
return value is read strictly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import carray, from_dtype, types

from poinsot.model.feedback import Feedback
from poinsot.model.returned import WrongReturn, describe_value, number, numbers
from poinsot.model.signals import Signal

POSE = 13  # numbers of a body in `x` of a user's force
WRENCH = 6  # numbers of a body in its `out`
READ_ONLY = types.Array(types.float64, 1, "C", readonly=True)
WRITTEN = types.Array(types.float64, 1, "C")

REALS = types.Integer | types.Float | types.Boolean


@dataclass(frozen=True)
class Form:
    """How functions of one kind are called.

    Attributes
    ----------
    outputs : how many numbers they return
    inputs : how many numbers of x they read
    call : (function, t, x, params) -> numbers; in Python
    adapter : compiled function -> function (t, x, params, out) on pointers, to be compiled; None: never compiled
    arguments : Numba types of the arguments
    gives : whether the function may return a given Numba type
    key : all that adapter and arguments depend on, where that is known: functions of this package are compiled once for each
    """

    outputs: int
    inputs: int
    call: Callable[[Callable[..., Any], float, Sequence[float], Sequence[float]], list[float]]
    adapter: Callable[[Any], Callable[..., None]] | None = None
    arguments: tuple[Any, ...] = (types.float64,)
    gives: Callable[[Any], bool] = lambda kind: isinstance(kind, REALS)
    key: tuple[Any, ...] | None = None


def _scalar_adapter(function):
    def body(t, x, params, out):
        out[0] = function(t)

    return body


def _feedback_adapter(function):
    def body(t, x, params, out):
        out[0] = function(t, x[0], x[1])

    return body


SCALAR = Form(1, 0, lambda f, t, x, params: [number(f(t))], _scalar_adapter)
FEEDBACK = Form(
    1, 2, lambda f, t, x, params: [number(f(t, x[0], x[1]))], _feedback_adapter, (types.float64,) * 3
)  # f(t, coordinate, rate)


def vector_form(places: tuple[int, ...]) -> Form:
    """f(t) that returns a vector; `places` are the positions of its components in (x, y, z)."""
    size = len(places)

    def call(function, t, x, params):
        result = [0.0, 0.0, 0.0]
        for place, value in zip(places, numbers(function(t), size)):
            result[place] = value
        return result

    def adapter(function):
        def body(t, x, params, out):
            value = function(t)
            if len(value) != size:
                raise ValueError("wrong number of components")
            for k in range(size):
                out[places[k]] = value[k]

        return body

    def gives(kind):
        if isinstance(kind, types.UniTuple | types.Tuple):
            return len(kind) == size and all(isinstance(part, REALS) for part in kind)
        one = isinstance(kind, types.List) or (isinstance(kind, types.Array) and kind.ndim == 1)
        return one and isinstance(kind.dtype, REALS)

    return Form(3, 0, call, adapter, gives=gives)


def spin_form(normal: tuple[float, float, float]) -> Form:
    """f(t) that returns a number about the normal of a planar system."""

    def call(function, t, x, params):
        value = number(function(t))
        return [value * part for part in normal]

    def adapter(function):
        def body(t, x, params, out):
            value = function(t)
            for k in range(3):
                out[k] = value * normal[k]

        return body

    return Form(3, 0, call, adapter)


def body_form(bodies: int, parameters: int) -> Form:
    """f(t, x, params, out) of a force: `out` is (bodies, 6)."""
    return filling_form(bodies, parameters, (bodies, WRENCH), "(bodies, 6)")


def rows_form(bodies: int, parameters: int, rows: int) -> Form:
    """f(t, x, params, out) of constraint rows: `out` is (rows, 6 bodies + 1)."""
    return filling_form(bodies, parameters, (rows, WRENCH * bodies + 1), "(rows, 6 * bodies + 1)")


def filling_form(bodies: int, parameters: int, shape: tuple[int, int], words: str) -> Form:
    """f(t, x, params, out) on arrays (bodies, 13), (parameters,), both read-only, and one of this shape to be filled."""

    def call(function, t, x, params):
        states, given, out = (
            np.array(x[: POSE * bodies]),
            np.array(params[:parameters], float),
            np.zeros(shape),
        )
        states.flags.writeable = given.flags.writeable = False
        returned = function(t, states.reshape(bodies, POSE), given, out)
        if returned is not None and returned is not out:
            raise WrongReturn(f"returned {describe_value(returned)}; it must fill `out` {words} and return nothing")
        if out.shape != shape:
            raise WrongReturn(f"changed the shape of `out` to {out.shape}; it must fill it as it is, {shape}")
        bad = np.argwhere(~np.isfinite(out))
        if len(bad):
            row, column = bad[0]
            raise WrongReturn(f"put {out[row, column]} into out[{row}, {column}], a number that is not finite")
        return out.ravel().tolist()

    def adapter(function):
        def body(t, x, params, out):
            function(t, carray(x, (bodies, POSE)), carray(params, (parameters,)), carray(out, shape))

        return body

    read, one = (types.Array(types.float64, n, "C", readonly=True) for n in (2, 1))
    written = types.Array(types.float64, 2, "C")
    arguments = (types.float64, read, one, written)
    return Form(shape[0] * shape[1], POSE * bodies, call, adapter, arguments, lambda kind: kind == types.none)


def signal_form(signal: Signal) -> Form:
    """A signal that is a function of time: values, rates and accelerations."""
    return Form(3 * signal.size, 0, lambda function, t, x, params: signal.at(t).ravel().tolist())


def named_parameters(params: Any, numbers: Sequence[float] | np.ndarray) -> Any:
    """Parameters as a law gets them: with names p.kp, or an array; read-only."""
    flat = np.array(numbers, float)
    flat.flags.writeable = False
    kind = parameter_type(params)
    return flat if kind is None else flat.view(kind).view(np.recarray)[0]


def parameter_type(params: Any) -> np.dtype | None:
    """The record of parameters that have names; None for those without."""
    if not isinstance(params, dict) or not params:
        return None
    return np.dtype([(name, "f8", np.shape(value)) for name, value in params.items()])


def law_form(feedback: Feedback) -> Form:
    """law(t, x, p, u), or law(t, x, p, u, z, dz) of a controller with states; x and z, then u and dz stand in one array each."""
    seen, efforts, states = len(feedback.seen_names), len(feedback.channels()), feedback.state_count
    count, kind, given = len(feedback.values()), parameter_type(feedback.params), feedback.params
    label = "efforts u and rates dz of its states" if states else "efforts u"

    def call(function, t, x, params):
        both = np.array(x[: seen + states])
        both.flags.writeable = False
        out = np.zeros(efforts + states)
        arguments = (both[:seen], named_parameters(given, params[:count]), out[:efforts])
        more = (both[seen:], out[efforts:]) if states else ()
        returned = function(t, *arguments, *more)
        if returned is not None:
            raise WrongReturn(f"returned {describe_value(returned)}; it must fill its {label} and return nothing")
        bad = np.flatnonzero(~np.isfinite(out))
        if len(bad):
            k = int(bad[0])
            name = f"u[{k}]" if k < efforts else f"dz[{k - efforts}]"
            raise WrongReturn(f"put {out[k]} into {name}, a number that is not finite")
        return out.tolist()

    def adapter(function):
        if kind is None and states:

            def body(t, x, params, out):
                both, given = carray(x, (seen + states,)), carray(out, (efforts + states,))
                function(t, both[:seen], carray(params, (count,)), given[:efforts], both[seen:], given[efforts:])

        elif kind is None:

            def body(t, x, params, out):
                function(t, carray(x, (seen,)), carray(params, (count,)), carray(out, (efforts,)))

        elif states:

            def body(t, x, params, out):
                both, given = carray(x, (seen + states,)), carray(out, (efforts + states,))
                p = carray(params, (count,)).view(kind)[0]
                function(t, both[:seen], p, given[:efforts], both[seen:], given[efforts:])

        else:

            def body(t, x, params, out):
                function(t, carray(x, (seen,)), carray(params, (count,)).view(kind)[0], carray(out, (efforts,)))

        return body

    p = READ_ONLY if kind is None else from_dtype(kind)
    arguments = (types.float64, READ_ONLY, p, WRITTEN, *((READ_ONLY, WRITTEN) if states else ()))
    key = (seen, efforts, states, count, None if kind is None else tuple(kind.descr))
    return Form(efforts + states, seen + states, call, adapter, arguments, lambda returned: returned == types.none, key)
