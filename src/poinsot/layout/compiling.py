"""Users' functions compiled, where that gives the same numbers as Python; otherwise Python is called.

Every index is checked. Integers have 64 bits here and any size in Python: a function that multiplies, shifts or raises
them so that they may overflow is not compiled.
"""

from __future__ import annotations

import dis
import operator
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

import numba
import numpy as np
from numba import cfunc, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import is_jitted

from poinsot.algebra.compile import njit
from poinsot.layout.forms import Form

POINTER = types.CPointer(types.float64)
ADDRESSED = types.void(types.float64, POINTER, POINTER, POINTER)
POWERS = (operator.pow, operator.ipow)
PRODUCTS = (operator.mul, operator.imul)
SHIFTS = (operator.lshift, operator.ilshift)
LARGEST = 2**63
SLOW = (
    "_MAP",
    "_SET",
    "MAP_",
    "SET_ADD",
    "SET_UPDATE",
    "DICT_",
)  # instructions on dicts and sets, which Numba takes seconds to compile

_KNOWN: dict[Any, Any] = {}  # compiled functions of this package by function and form


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function of one that its user has already compiled."""
    return function.py_func if is_jitted(function) else function


def compile_function(function: Callable[..., Any], form: Form) -> Any:
    """The function in machine code, as a Numba cfunc, or None if it cannot be compiled for any reason.

    Functions of this package, whose constants never change, are compiled once.
    """
    if form.key is None or not str(getattr(function, "__module__", "")).startswith("poinsot.") or getattr(function, "__closure__", None):
        return _compile(function, form)
    key = function, form.key
    if key not in _KNOWN:
        _KNOWN[key] = _compile(function, form)
    return _KNOWN[key]


def _compile(function: Callable[..., Any], form: Form) -> Any:
    code = getattr(plain(function), "__code__", None)
    if form.adapter is None or not isinstance(code, CodeType) or _is_for_python(code):
        return None
    try:
        with _checked():
            inner = njit(boundscheck=True)(plain(function))
            inner.compile(form.arguments)
            inner.disable_compile()
            made = inner.overloads[form.arguments]
            if not form.gives(made.signature.return_type) or _may_overflow(made.type_annotation):
                return None
            body = njit(form.adapter(inner))

            def outer(t, x, params, out):
                try:
                    body(t, x, params, out)
                except Exception:
                    out[0] = np.nan

            return cfunc(ADDRESSED)(outer)
    except Exception:  # whatever Numba cannot compile, Python can run
        return None


@contextmanager
def _checked() -> Iterator[None]:
    """Check bounds in everything compiled inside this context, including users' own compiled helpers; nothing else is compiled at the same time."""
    with global_compiler_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config: Any = numba.config
        before, config.BOUNDSCHECK = config.BOUNDSCHECK, 1
        try:
            yield
        finally:
            config.BOUNDSCHECK = before


def _is_for_python(code: CodeType) -> bool:
    """Whether a function has integers of more than 64 bits, which Numba truncates, or creates dicts or sets."""
    if any(word in step.opname for step in dis.get_instructions(code) for word in SLOW):
        return True
    return any(
        _is_for_python(part) if isinstance(part, CodeType) else isinstance(part, int) and not -LARGEST <= part < LARGEST
        for part in code.co_consts
    )


def _may_overflow(annotation: Any) -> bool:
    """Whether integers are raised to powers, shifted, or multiplied with each other, none of them a literal of the function."""
    return any(_is_large(expression, annotation.typemap) for expression in annotation.calltypes)


def _is_large(expression: Any, kinds: dict[str, Any]) -> bool:
    if getattr(expression, "op", None) not in ("binop", "inplace_binop"):
        return False
    left, right = kinds[expression.lhs.name], kinds[expression.rhs.name]
    if not (isinstance(left, types.Integer) and isinstance(right, types.Integer)):
        return False
    if expression.fn in POWERS:
        return not (isinstance(left, types.IntegerLiteral) and abs(left.literal_value) <= 1)
    if expression.fn in PRODUCTS:
        return not any(isinstance(side, types.IntegerLiteral) for side in (left, right))
    return expression.fn in SHIFTS
