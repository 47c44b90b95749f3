"""Signals: functions of time with their rates and accelerations. Targets of motions and servos."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.errors import ModelError
from poinsot.model.given import Given, record_arguments
from poinsot.model.guard import NUMBER, NUMBERS, door
from poinsot.model.missing import MissingFunction
from poinsot.model.returned import WrongReturn, call_fault, number, numbers
from poinsot.model.smoothness import Break, find_break
from poinsot.model.words import NearNames, short_repr


@door()
class Signal(NearNames):
    """A function of time (s) that returns one number or several, with its first two derivatives given or computed numerically.

    `rate` and `acceleration` are functions like the first; without them the derivatives come from differences of
    eighth order over 2 ms on either side, accurate to about 1e-13 and 1e-10 of the signal's size.
    """

    smoothness: int | None = None  # number of continuous derivatives, if known
    given: Given | None = None  # the call that made it: step, spline, table

    def __init__(
        self,
        function: Callable[[float], Any],
        rate: Callable[[float], Any] | None = None,
        acceleration: Callable[[float], Any] | None = None,
    ):
        for what, f in (("function", function), ("rate", rate), ("acceleration", acceleration)):
            if not (callable(f) or (f is None and what != "function")):
                raise ModelError(f"signal: {what} must be a function of time, not {short_repr(f)}")
            if f is not None and (fault := call_fault(f, {1: "f(t)"})):
                raise ModelError(f"signal: its {what} {fault}")
        self.function, self.rate, self.acceleration = function, rate, acceleration
        if isinstance(function, MissingFunction):
            self.size = function.size
            return
        try:
            self.size = _size(function(0.0))
        except WrongReturn as wrong:
            raise ModelError(f"signal: function(0.0) {wrong}; it must return a number or a sequence of numbers") from None
        except Exception as error:
            raise ModelError(
                f"signal: function(0.0) raises {type(error).__name__}: {error}; its value there is needed to find how many numbers it returns"
            ) from error

    def __call__(self, t: float) -> Any:
        """Its value: one number, or an array of several."""
        value = self.at(t)[0]
        return float(value[0]) if self.size == 1 else value

    def smooth(self, begin: float, end: float) -> int | None:
        """How many derivatives are continuous after `begin` and until `end` (s); -1: not even the value; None: not known."""
        return self.smoothness

    def break_between(self, begin: float, end: float, points: int = 0) -> Break | None:
        """A jump in value, rate or acceleration found by sampling the function at many times; None: none was found.

        Where derivatives are computed numerically, the times just before and after are sampled as well.
        """
        margin = 0.0 if self.rate and self.acceleration else 4.0 * STEP
        return find_break(lambda t: np.array(self._read(self.function, t)), begin - margin, end + margin, points)
    def copied(self) -> Signal:
        """A copy of this signal that is independent of later changes of this one."""
        return copy(self)

    def at(self, t: float) -> np.ndarray:
        """Value, rate and acceleration (3, size) at a time (s): rad, rad/s, rad/s^2, or m, m/s, m/s^2."""
        rows = [None if f is None else self._read(f, t) for f in (self.function, self.rate, self.acceleration)]
        if rows[1] is None or rows[2] is None:
            samples = np.array([self._read(self.function, t + d) for d in np.arange(-4, 5) * STEP])
            rows[1] = FIRST @ samples / STEP if rows[1] is None else rows[1]
            rows[2] = SECOND @ samples / STEP**2 if rows[2] is None else rows[2]
        return np.array(rows)

    def _read(self, function: Callable[[float], Any], t: float) -> list[float]:
        value = function(float(t))
        if self.size == 1 and not isinstance(value, list | tuple):
            return [number(value)]
        return numbers(value, self.size)


def _size(value: Any) -> int:
    """How many numbers a signal has."""
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1):
        numbers(value, len(value))
        return len(value)
    number(value)
    return 1


STEP = 2e-3  # s
ROUNDING = float(np.finfo(float).eps)
FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])


@door(times=NUMBERS, coefficients=NUMBERS)
class Polynomials(Signal):
    """Piecewise polynomials: between times[j] and times[j + 1] the value is sum_k coefficients[j, k] (t - times[j])^k.

    Before the first time and after the last the value is constant.

    Parameters
    ----------
    times : (n + 1,) s, increasing
    coefficients : (n, degree + 1) of a single number, or (n, degree + 1, size)
    """

    def __init__(self, times: Sequence[float] | np.ndarray, coefficients: Any):
        self.times = np.array(times, float)
        table = np.array(coefficients, float)
        self.coefficients = table[..., None] if table.ndim == 2 else table
        n = self.times.size - 1
        if self.times.ndim != 1 or n < 1 or self.coefficients.shape[:1] != (n,) or self.coefficients.ndim != 3:
            raise ModelError("polynomials: give n + 1 times and n rows of coefficients")
        if not (_rising(self.times) and np.all(np.abs(self.coefficients) <= LARGEST)):
            raise ModelError(f"polynomials: times must increase and coefficients must be finite, at most {LARGEST:g}")
        if 0 in self.coefficients.shape:
            raise ModelError("polynomials: give at least one coefficient for every piece")
        self.size = self.coefficients.shape[2]
        self.times.flags.writeable = self.coefficients.flags.writeable = False
        self._bind()
        self.smoothness = self.smooth(-math.inf, math.inf)

    def _bind(self) -> None:
        self.function, self.rate, self.acceleration = (lambda t, k=k: self.at(t)[k] for k in range(3))

    def copied(self) -> Polynomials:
        """A copy of this signal that is independent of later changes of this one."""
        new = copy(self)
        new._bind()
        return new

    def at(self, t: float) -> np.ndarray:
        """Value, rate and acceleration (3, size) at a time (s): rad, rad/s, rad/s^2, or m, m/s, m/s^2."""
        inside = min(max(t, self.times[0]), self.times[-1])
        j = min(int(np.searchsorted(self.times, inside, side="right")) - 1, len(self.times) - 2)
        result = self._derivatives(j, inside - self.times[j], 3)
        if t < self.times[0] or t > self.times[-1]:
            result[1:] = 0.0
        return result

    def _derivatives(self, j: int, x: float, count: int, bound: bool = False) -> np.ndarray:
        """Value and derivatives (count, size) of piece j at x from its start; or a `bound` on their sizes from there to the start."""
        c, rows = self.coefficients[j], np.zeros((count, self.size))
        if bound:
            c = np.abs(c)
        for k in range(min(count, len(c))):
            rows[k] = x ** np.arange(len(c)) @ c
            c = np.arange(1, len(c))[:, None] * c[1:]
        return rows

    def break_between(self, begin: float, end: float, points: int = 0) -> None:
        """None: `smooth` is exact for polynomials."""

    def smooth(self, begin: float, end: float) -> int:
        """How many derivatives are continuous after `begin` and until `end` (s), the constant ends included; -1: not even the value."""
        least = 10
        count = min(10, max(3, self.coefficients.shape[1]))
        for j in np.nonzero((self.times > begin) & (self.times <= end))[0].tolist():
            left = self._derivatives(j - 1, self.times[j] - self.times[j - 1], count) if j > 0 else None
            right = self._derivatives(j, 0.0, count) if j < len(self.times) - 1 else None
            unlike = self._unlike(j, count)
            for k in range(count):
                a = left[k] if left is not None else (right[k] if k == 0 else 0.0 * right[k])  # type: ignore[index]
                b = right[k] if right is not None else (a if k == 0 else 0.0 * a)
                if (np.abs(a - b) > unlike[k]).any():
                    least = min(least, k - 1)
                    break
        return least

    def _unlike(self, j: int, count: int) -> np.ndarray:
        """By how much value and derivatives (count, size) before and after times[j] differ if they jump: more than by rounding, in any units."""
        spans = np.diff(self.times)
        pieces = [i for i in (j - 1, j) if 0 <= i < len(spans)]
        sizes = np.max([self._derivatives(i, spans[i], count + 1, bound=True) for i in pieces], axis=0)
        late = ROUNDING * abs(self.times[j]) * sizes[1:]
        coarse = 1e3 * ROUNDING * sizes[0] / min(spans[i] for i in pieces) ** np.arange(count)[:, None]
        return np.asarray(1e-9 * sizes[:-1] + late + coarse)


@record_arguments
@door(start=NUMBER, end=NUMBER, to=NUMBERS, begin=NUMBERS)
def step(start: float, end: float, to: Any, begin: Any = 0.0) -> Polynomials:
    """A smooth step: a polynomial of degree 7 with three continuous derivatives, constant before and after.

    Parameters
    ----------
    start, end : times, s
    to : value at and after the end, rad or m: a number, or several
    begin : value until the start, in the same form
    """
    span = end - start
    if not (span > 0 and within(start) and within(end)):
        raise ModelError(f"step: must end after it starts, not from {start!r} to {end!r} s")
    first, last = np.atleast_1d(np.asarray(begin, float)), np.atleast_1d(np.asarray(to, float))
    if first.ndim > 1 or last.ndim > 1 or not last.size or len({1, first.size, last.size}) > 2:
        raise ModelError(f"step: begin and to must be numbers, the same number of each, not {short_repr(begin)} and {short_repr(to)}")
    if not (np.all(np.abs(first) <= LARGEST) and np.all(np.abs(last) <= LARGEST)):
        raise ModelError(f"step: begin and to must be finite, and at most {LARGEST:g}, not {short_repr(begin)} and {short_repr(to)}")
    if 84.0 * np.max(np.abs(last - first)) > LARGEST * min(span, 1.0) ** 7:
        raise ModelError(f"step: from {short_repr(begin)} to {short_repr(to)} within {span:g} s is too steep to compute with; give it more time")
    shape = np.array([0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0]) / span ** np.arange(8)
    return Polynomials([start, end], (shape[:, None] * (last - first) + np.eye(8)[0][:, None] * first)[None])


@record_arguments
@door(times=NUMBERS, values=NUMBERS)
def spline(times: Sequence[float], values: Any) -> Polynomials:
    """A spline of degree 5 through points, at rest at both ends: four continuous derivatives inside, two at the ends.

    Parameters
    ----------
    times : (n,) s, increasing
    values : at these times, rad or m: (n,), or (n, k) of a signal of k numbers
    """
    from scipy.interpolate import make_interp_spline

    at, points = _points("spline", times, values)
    rest = [(1, np.zeros(points.shape[1])), (2, np.zeros(points.shape[1]))]
    through = make_interp_spline(at, points, k=5, bc_type=(rest, rest))
    return Polynomials(at, np.stack([through(at[:-1], k) / math.factorial(k) for k in range(6)], axis=1))


@record_arguments
@door(times=NUMBERS, values=NUMBERS)
def table(times: Sequence[float], values: Any) -> Polynomials:
    """Linear interpolation between points: the value is continuous, its rate is not.

    Parameters
    ----------
    times : (n,) s, increasing
    values : at these times, rad or m, or N m or N as the effort of a motor: (n,), or (n, k) of a signal of k numbers
    """
    at, points = _points("table", times, values)
    slopes = np.diff(points, axis=0) / np.diff(at)[:, None]
    return Polynomials(at, np.stack([points[:-1], slopes], axis=1))


def _rising(times: np.ndarray) -> bool:
    """Whether times are finite and each is later than the one before."""
    return bool(np.all(np.abs(times) <= LARGEST) and np.all(np.diff(times) > 0))


def _points(what: str, times: Any, values: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) and points (n, size) of a signal through points, checked."""
    at, points = np.asarray(times, float), np.asarray(values, float)
    points = points[:, None] if points.ndim == 1 else points
    if at.ndim != 1 or len(at) < 2 or points.ndim != 2 or len(points) != len(at) or points.shape[1] == 0:
        raise ModelError(f"{what}: give at least two times and the same number of values, not {at.shape} and {points.shape}")
    if not (_rising(at) and np.all(np.abs(points) <= LARGEST)):
        raise ModelError(f"{what}: times must increase and values must be finite, at most {LARGEST:g}")
    return at, points
