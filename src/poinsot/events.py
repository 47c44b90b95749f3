"""Events: a run ends where a function of time and state crosses zero."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.driver import Driver, NoState, Progress
from poinsot.errors import CallbackError, ConvergenceError, SettingsError
from poinsot.layout.blame import find_failed_function
from poinsot.layout.callbacks import place
from poinsot.layout.freeze import Frozen
from poinsot.model.returned import WrongReturn, call_fault, number
from poinsot.results.trajectory import Samples
from poinsot.tables.records import Layout
from poinsot.tables.types import CALLBACK

START_AT_ZERO = 1e-8  # relative to the first output: a smaller value at the start is a zero that the run leaves


class Watch:
    """Searches new outputs for the event of `until`."""

    def __init__(
        self,
        frozen: Frozen,
        driver: Driver,
        until: Callable[[float, Any], float] | None,
        step: float | None,
    ):
        self.frozen, self.driver, self.until, self.step = frozen, driver, until, step
        self.last: tuple[float, np.ndarray, float] | None = None

    def value(self, t: float, y: np.ndarray) -> float:
        """The user's function at a copy of a state."""
        assert self.until is not None
        now = replace(self.frozen, layout=self.driver.layout)  # the choice of rows may have changed
        try:
            value = self.until(t, Samples(now, self.driver.formulation, t, y.copy()))
            if isinstance(value, bool | np.bool_):
                raise WrongReturn(
                    "returned a truth value; it must return a number that changes sign at the event: `height`, not `height < 0`"
                )
            return number(value)
        except WrongReturn as wrong:
            raise CallbackError(f"until= {wrong}, at t = {t:.9g} s ({place(self.until)})") from None
        except BaseException as error:
            error.add_note(
                f"raised by until= ({place(self.until, error)}), system '{self.frozen.system.name}' at t = {t:.9g} s"
            )
            raise

    def begin(self, t: float, y: np.ndarray) -> None:
        """The output that is already known: the initial state, or the last one of a resumed run."""
        if self.until is None:
            return
        if not callable(self.until):
            raise SettingsError(f"until must be a function g(t, state), not {self.until!r}")
        if fault := call_fault(self.until, {2: "g(t, state)"}):
            raise SettingsError(f"until= {fault}")
        first, second = self.value(t, y), self.value(t, y)
        if first != second:
            raise SettingsError(
                f"until= gives {first:.9g} and then {second:.9g} for the same time and state; it must depend on them alone ({place(self.until)})"
            )
        self.last = (t, y, first)

    def __call__(self, p: Progress, seen: int, parts: int) -> bool:
        """True when the event happened; outputs after it are dropped and one at the event is added.

        The new outputs are those from number `seen` on, stored in `p.rows[parts:]`.
        """
        if self.until is None:
            return False
        assert self.last is not None
        old, new = p.rows[:parts], np.concatenate(p.rows[parts:])
        for k, (t, y) in enumerate(zip(p.times[seen:], new)):
            value = self.value(t, y)
            t0, y0, before = self.last
            left_zero = p.written + seen + k == 1 and abs(before) <= START_AT_ZERO * abs(value)
            if before * value <= 0.0 and before != 0.0 and not left_zero:
                t, y = self._locate(t0, y0, before, t - t0)
                p.times, p.rows, p.y, p.t = [*p.times[: seen + k], t], [*old, new[:k], y[None]], y, t
                p.stopped = f"by until= at t = {t:.12g} s"
                return True
            self.last = (t, y, value)
        return False

    def _locate(self, t0: float, y0: np.ndarray, before: float, span: float) -> tuple[float, np.ndarray]:
        from scipy.optimize import brentq

        def g(x: float) -> float:
            return before if x == 0.0 else self.value(t0 + x, self._state(t0, y0, x))

        x = float(brentq(g, 0.0, span, xtol=1e-14 * max(abs(t0), span), rtol=1e-14)) if g(span) != 0.0 else span
        return t0 + x, self._state(t0, y0, x)

    def _state(self, t: float, y: np.ndarray, span: float) -> np.ndarray:
        """The state a fraction of an output step after an output; raises an error if it cannot be computed."""
        try:
            return self.driver.to_time(t, y, span, self.step)
        except NoState as stuck:
            where = f"system '{self.frozen.system.name}' between t = {t:.9g} and {t + span:.9g} s, while the event of until= was located"
            if stuck.status != CALLBACK:
                raise ConvergenceError(f"{where}: the steps do not converge; use a smaller step") from None

        def again(layout: Layout) -> None:
            with suppress(NoState):
                Driver(self.driver.formulation, self.driver.method, layout).to_time(t, y, span, self.step)

        who, error = find_failed_function(self.frozen.loads.callbacks, self.driver.layout, again)
        error.add_note(f"raised by {who}, {where}")
        raise error
