"""Arithmetic in model files: numbers, names, + - * / ^, parentheses and the usual functions. A small parser; nothing is executed.

    expression := term (("+" | "-") term)*          term := sign (("*" | "/") sign)*
    sign := ("+" | "-") sign | power                power := atom (("^" | "**") sign)?
    atom := number | name | name "(" expression ("," expression)* ")" | "(" expression ")"
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from poinsot.model.words import nearest

TOKEN = re.compile(r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\*\*|[-+*/^(),]))", re.ASCII)
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
CONSTANTS = {"pi": math.pi, "deg": math.pi / 180}
FUNCTIONS: dict[str, tuple[Callable[..., float], int]] = {  # with the number of arguments; -1: one or more
    **{name: (getattr(math, name), 1) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sqrt", "exp", "log")},
    "atan2": (math.atan2, 2),
    "abs": (abs, 1),
    "min": (min, -1),
    "max": (max, -1),
}
TIME = "t"
DATE = re.compile(r"\s*\d+-\d+-\d+(\s.*)?", re.ASCII | re.DOTALL)  # without spaces around the signs
LONGEST, DEEPEST = 1000, 50  # characters, nested parts


class BadExpression(Exception):
    """A text that is not an expression, or has no value: the reason, as the end of a sentence."""


class Expression(NamedTuple):
    """A number, a name, or an operation on parts: "+", "-", "*", "/", "^", "neg" or the name of a function."""

    kind: str
    value: float = 0.0
    parts: tuple[Expression, ...] = ()

    def names(self) -> set[str]:
        """Names that it contains."""
        own = {self.kind} if not self.parts and self.kind != "number" else set()
        return own.union(*(part.names() for part in self.parts))


def parse(text: str) -> Expression:
    """The expression of a text."""
    if len(text) > LONGEST:
        raise BadExpression(f"is longer than {LONGEST} characters; use parameters for its parts")
    if DATE.fullmatch(text):
        raise BadExpression("looks like a date; put spaces around its signs if it is a difference")
    return _Parser(text).whole()


def evaluate(expression: Expression, values: Mapping[str, float]) -> float:
    """Its value; names are looked up among the values, then the constants."""
    kind, parts = expression.kind, expression.parts
    if kind == "number":
        return expression.value
    if not parts:
        if kind in values:
            return values[kind]
        if kind in CONSTANTS:
            return CONSTANTS[kind]
        close = nearest(kind, [*values, *CONSTANTS])
        raise BadExpression(f"has no parameter '{kind}'" + (f"; did you mean '{close[0]}'?" if close else "; define it under 'parameters'"))
    numbers = [evaluate(part, values) for part in parts]
    try:
        found = _OPERATIONS[kind](*numbers) if kind in _OPERATIONS else FUNCTIONS[kind][0](*numbers)
    except (ValueError, ArithmeticError):
        found = math.nan
    if not math.isfinite(found):
        shown = f" {kind} ".join(f"{x:g}" for x in numbers) if kind in _OPERATIONS else f"{kind}({', '.join(f'{x:g}' for x in numbers)})"
        raise BadExpression(f"has no finite value: {shown}")
    return float(found)


def bind(expression: Expression, values: Mapping[str, float], free: str) -> Expression:
    """The same with the values of its names written in, except of one that stays free."""
    if expression.kind == free and not expression.parts:
        return expression
    if not expression.parts:
        return Expression("number", evaluate(expression, values))
    return expression._replace(parts=tuple(bind(part, values, free) for part in expression.parts))


def written(expression: Expression) -> str:
    """A text that is read as the same expression, to the bit."""
    kind, parts = expression.kind, expression.parts
    if kind == "number":
        return repr(expression.value) if expression.value >= 0 else f"({expression.value!r})"
    if not parts:
        return kind
    inner = [written(part) for part in parts]
    if kind == "neg":
        return f"(-{inner[0]})"
    return f"({inner[0]} {kind} {inner[1]})" if kind in _OPERATIONS else f"{kind}({', '.join(inner)})"


_OPERATIONS: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": math.pow,
    "neg": lambda a: -a,
}


class TimeFunction:
    """A function of the time t (s), given by expressions: a number, or several for a list of them. It is written to files as text."""

    def __init__(self, expressions: tuple[Expression, ...], single: bool):
        self.expressions, self.single = expressions, single

    def __call__(self, t: float) -> Any:
        """Its value at a time."""
        values = {TIME: float(t)}
        try:
            numbers = [evaluate(expression, values) for expression in self.expressions]
        except BadExpression as wrong:
            raise ValueError(f"'{self.text()}' at t = {t:g} s {wrong}") from None
        return numbers[0] if self.single else numbers

    def text(self) -> Any:
        """How it is written in files."""
        texts: list[Any] = [e.value if e.kind == "number" else written(e) for e in self.expressions]
        return texts[0] if self.single else texts

    def __repr__(self) -> str:
        return f"TimeFunction({self.text()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimeFunction) and (self.expressions, self.single) == (other.expressions, other.single)

    def __hash__(self) -> int:
        return hash((self.expressions, self.single))


class _Parser:
    def __init__(self, text: str):
        self.text, self.tokens, self.k, self.depth = text, self._split(text), 0, 0

    def _split(self, text: str) -> list[tuple[str, str]]:
        found, at = [], 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if match is None:
                raise BadExpression(f"has '{text[at:].strip()[:1]}', which has no meaning there")
            found.append((match.lastgroup or "", match.group().strip()))
            at = match.end()
        return found

    def whole(self) -> Expression:
        """The expression that the whole text is."""
        result = self._sum()
        if self.k < len(self.tokens):
            raise BadExpression(f"has '{self.tokens[self.k][1]}' where it should end")
        return result

    def _next(self) -> str:
        return self.tokens[self.k][1] if self.k < len(self.tokens) and self.tokens[self.k][0] == "sign" else ""

    def _take(self, sign: str) -> None:
        if self._next() != sign:
            raise BadExpression(f"lacks '{sign}'")
        self.k += 1

    def _sum(self) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadExpression(f"is nested more than {DEEPEST} deep")
        left = self._product()
        while self._next() in ("+", "-"):
            kind = self._next()
            self.k += 1
            left = Expression(kind, 0.0, (left, self._product()))
        self.depth -= 1
        return left

    def _product(self) -> Expression:
        left = self._signed()
        while self._next() in ("*", "/"):
            kind = self._next()
            self.k += 1
            left = Expression(kind, 0.0, (left, self._signed()))
        return left

    def _signed(self) -> Expression:
        negative = False
        while self._next() in ("+", "-"):
            negative ^= self._next() == "-"
            self.k += 1
        inner = self._power()
        return Expression("neg", 0.0, (inner,)) if negative else inner

    def _power(self) -> Expression:
        base = self._atom()
        if self._next() not in ("^", "**"):
            return base
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadExpression(f"is nested more than {DEEPEST} deep")
        self.k += 1
        result = Expression("^", 0.0, (base, self._signed()))
        self.depth -= 1
        return result

    def _atom(self) -> Expression:
        if self.k >= len(self.tokens):
            raise BadExpression("ends too early" if self.tokens else "is empty")
        kind, word = self.tokens[self.k]
        self.k += 1
        if kind == "number":
            return Expression("number", float(word))
        if kind == "name":
            return self._call(word) if self._next() == "(" else Expression(word)
        if word != "(":
            raise BadExpression(f"has '{word}' where a number or a name should be")
        inner = self._sum()
        self._take(")")
        return inner

    def _call(self, name: str) -> Expression:
        if name not in FUNCTIONS:
            close: Any = nearest(name, list(FUNCTIONS))
            raise BadExpression(f"has no function '{name}'; " + (f"did you mean '{close[0]}'?" if close else f"there are {', '.join(FUNCTIONS)}"))
        self._take("(")
        parts = [self._sum()]
        while self._next() == ",":
            self.k += 1
            parts.append(self._sum())
        self._take(")")
        count = FUNCTIONS[name][1]
        if count not in (-1, len(parts)):
            raise BadExpression(f"gives {name} {len(parts)} arguments; it takes {count}")
        return Expression(name, 0.0, tuple(parts))
