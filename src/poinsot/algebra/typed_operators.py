"""The types of operators, looked up once while kernels are compiled.

For every `+` or `[]` of a kernel Numba tries the rules of all types in turn until one fits, three times over: a third of the time that
it takes to compile a small function. The answer depends on the operator and the types of its operands alone.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.errors import TypingError
from numba.core.types import Function
from numba.core.types.functions import BaseFunction

OPERATORS = frozenset(function for function in vars(operator).values() if callable(function))

_look_up = BaseFunction.get_call_type
_known: dict[tuple[int, ...], tuple[Any, Any, str]] = {}  # by identity; what the numbers identify is kept alive with the answer


def _call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """In place of Numba's method: the signature of a call with arguments of these types, or a TypingError."""
    if kws or type(self) is not Function or self.typing_key not in OPERATORS:
        return _look_up(self, context, args, kws)
    key = (id(context), id(self), *map(id, args))
    if key not in _known:
        signature, refusal = None, ""
        try:
            signature = _look_up(self, context, args, kws)
        except TypingError as error:
            if type(error) is not TypingError:  # a request to try otherwise
                raise
            refusal = str(error)
        _known[key] = ((context, self, tuple(args)), signature, refusal)
    _, signature, refusal = _known[key]
    if signature is None:
        raise TypingError(refusal)
    return signature


@contextmanager
def operators_remembered() -> Iterator[None]:
    """Within it, types of operators are looked up once."""
    within = BaseFunction.get_call_type is _call_type
    BaseFunction.get_call_type = _call_type  # type: ignore[method-assign]
    try:
        yield
    finally:
        if not within:
            BaseFunction.get_call_type = _look_up  # type: ignore[method-assign]
