"""Operators are typed once, with the answers that Numba gives itself."""

import operator

import pytest
from numba.core import types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from poinsot.algebra import typed_operators
from poinsot.algebra.compile import compiled
from poinsot.algebra.typed_operators import operators_remembered

FLOATS = types.Array(types.float64, 1, "C")
NUMBERS = (types.float64, types.int64, types.boolean, types.complex128, types.literal(3), types.UniTuple(types.float64, 3), FLOATS)
CONTEXT = cpu_target.typing_context


def typed(function, args):
    """What Numba says of a call: a signature, or that there is none."""
    try:
        found = CONTEXT.resolve_value_type(function).get_call_type(CONTEXT, args, {})
    except TypingError:
        return None
    return found.return_type, found.args


@pytest.mark.parametrize("function", [operator.add, operator.mul, operator.truediv, operator.lt, operator.getitem, operator.mod, operator.eq])
def test_answers_are_those_of_numba(function):
    CONTEXT.refresh()
    pairs = [(a, b) for a in NUMBERS for b in NUMBERS]
    plain = [typed(function, pair) for pair in pairs]
    with operators_remembered():
        first = [typed(function, pair) for pair in pairs]
        again = [typed(function, pair) for pair in pairs]
    assert first == plain and again == plain
    assert any(plain) and not all(plain)


def test_they_are_looked_up_once(monkeypatch):
    calls = []
    monkeypatch.setattr(BaseFunction, "get_call_type", BaseFunction.get_call_type)  # put back at the end
    monkeypatch.setattr(typed_operators, "_look_up", lambda *given: calls.append(given) or types.float64(types.float64))
    monkeypatch.setattr(typed_operators, "_known", {})
    add = CONTEXT.resolve_value_type(operator.add)
    with operators_remembered():
        for _ in range(3):
            add.get_call_type(CONTEXT, (types.float32, types.float64), {})
    assert len(calls) == 1


def test_numba_is_left_as_it_was():
    before = BaseFunction.get_call_type
    with pytest.raises(ZeroDivisionError), operators_remembered(), operators_remembered():
        assert BaseFunction.get_call_type is not before
        raise ZeroDivisionError
    assert BaseFunction.get_call_type is before
    with pytest.raises(TypingError):

        @compiled(types.float64(FLOATS, types.float64))
        def wrong(x, y):
            return x @ y

    assert BaseFunction.get_call_type is before
