"""Functions of time and state that cross zero in a run: `until=`, which ends it, and events, which change velocities or constraints."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from poinsot.driver import Driver, NoState
from poinsot.errors import CallbackError, ConvergenceError, RunError, SettingsError
from poinsot.layout.blame import find_failed_function
from poinsot.layout.callbacks import place
from poinsot.layout.freeze import Frozen
from poinsot.model.returned import WrongReturn, number
from poinsot.results.trajectory import Samples
from poinsot.tables.records import Layout
from poinsot.tables.types import CALLBACK

START_AT_ZERO = 1e-8  # relative to the first output: a smaller value at the start is a zero that the run leaves
NOTHING = 1e-12  # relative to the largest value so far: smaller ones are rounding, between which there are no crossings
SOON, SOONER = 1e-3, 1e-6  # after an event, relative to what is left until the next output: where its function is looked at to see where it goes


@dataclass
class Crossing:
    """A user's function whose zeros are looked for. `who`: its name in messages; `state(t, y, span)`: the state some time (s) after a state.

    `last`: time, state and value where it was evaluated last; `leaves`: it may be zero there without a crossing.
    """

    who: str
    function: Callable[[float, Any], float]
    frozen: Frozen
    driver: Driver
    state: Callable[[float, np.ndarray, float], np.ndarray]
    direction: int | None = None
    last: tuple[float, np.ndarray, float] = field(default=(0.0, np.zeros(0), 0.0))
    leaves: bool = False
    largest: float = 0.0

    def value(self, t: float, y: np.ndarray) -> float:
        """The user's function at a copy of a state."""
        now = replace(self.frozen, layout=self.driver.layout)  # the choice of rows may have changed
        try:
            value = self.function(t, Samples(now, self.driver.formulation, t, y.copy()))
            if isinstance(value, bool | np.bool_):
                raise WrongReturn(
                    "returned a truth value; it must return a number that changes sign at the event: `height`, not `height < 0`"
                )
            result = number(value)
            self.largest = max(self.largest, abs(result))
            return result
        except WrongReturn as wrong:
            raise CallbackError(f"{self.who} {wrong}, at t = {t:.9g} s ({place(self.function)})") from None
        except BaseException as error:
            error.add_note(
                f"raised by {self.who} ({place(self.function, error)}), system '{self.frozen.system.name}' at t = {t:.9g} s"
            )
            raise

    def begin(self, t: float, y: np.ndarray, leaves: bool) -> None:
        """The output that is already known: the initial state, or the last one of a resumed run."""
        first, second = self.value(t, y), self.value(t, y)
        if first != second:
            raise SettingsError(
                f"{self.who} gives {first:.9g} and then {second:.9g} for the same time and state; "
                f"it must depend on them alone ({place(self.function)})"
            )
        self.last, self.leaves = (t, y, first), leaves

    def crossed(self, value: float) -> bool:
        """Whether there is a zero between the last value and this one."""
        before = self.last[2]
        if abs(before) <= NOTHING * self.largest or before * value > 0.0 or (self.leaves and abs(before) <= START_AT_ZERO * abs(value)):
            return False
        return self.direction is None or (value - before) * self.direction > 0.0

    def see(self, t: float, y: np.ndarray, value: float | None = None) -> None:
        """Go on from here."""
        self.last, self.leaves = (t, y, self.value(t, y) if value is None else value), False

    def locate(self, end: float) -> tuple[float, np.ndarray]:
        """Time and state of the zero between the last time and this one."""
        from scipy.optimize import brentq

        t0, y0, before = self.last
        span = end - t0

        def g(x: float) -> float:
            return before if x == 0.0 else self.value(t0 + x, self.state(t0, y0, x))

        x = float(brentq(g, 0.0, span, xtol=1e-14 * max(abs(t0), span), rtol=1e-14)) if g(span) != 0.0 else span
        return t0 + x, self.state(t0, y0, x)

    def restart(self, t: float, y: np.ndarray, end: float, side: float) -> None:
        """Go on from its own event, at which it is zero; `side`: the sign that it was about to take.

        A function that turns back there (the height of a ball that bounces) and is on the other side a moment later has events that pile up.
        """
        if end - t <= 0.0:
            self.see(t, y)
            self.leaves = True
            return
        soon, sooner = SOON * (end - t), SOONER * (end - t)
        there = self.state(t, y, soon)
        self.see(t + soon, there)
        if self.last[2] * side > NOTHING * self.largest and self.value(t + sooner, self.state(t, y, sooner)) * side < 0.0:
            raise RunError(
                f"system '{self.frozen.system.name}' at t = {t:.9g} s: {self.who} happens again within {soon:.2g} s, and again: "
                "its events pile up. Let it do something else when it becomes slow, such as po.Engage(constraint), or end the run with until="
            )


def state_after(
    frozen: Frozen, driver: Driver, who: str, step: float | None, start: float
) -> Callable[[float, np.ndarray, float], np.ndarray]:
    """A function (t, y, span) that gives the state some time after a state; it raises an error if that cannot be computed."""

    def go(driver: Driver, t: float, y: np.ndarray, span: float) -> np.ndarray:
        return driver.to_time(t, y, span, step, until_step_ends(t, step, start))

    def state(t: float, y: np.ndarray, span: float) -> np.ndarray:
        reselect, driver.reselect = driver.reselect, None  # what is only looked at changes no rows
        try:
            return go(driver, t, y, span)
        except NoState as stuck:
            where = f"system '{frozen.system.name}' between t = {t:.9g} and {t + span:.9g} s, while the event of {who} was located"
            if stuck.status != CALLBACK:
                raise ConvergenceError(f"{where}: the steps do not converge; use a smaller step") from None
        finally:
            driver.reselect = reselect

        def again(layout: Layout) -> None:
            with suppress(NoState):
                go(Driver(driver.formulation, driver.method, layout), t, y, span)

        failed, error = find_failed_function(frozen.loads.callbacks, driver.layout, again)
        error.add_note(f"raised by {failed}, {where}")
        raise error

    return state


def until_step_ends(t: float, step: float | None, start: float) -> float:
    """Time (s) from t to the end of the fixed step that it lies in; 0 where a step begins, and for adaptive steps."""
    if step is None:
        return 0.0
    done = (t - start) / step
    return 0.0 if abs(done - round(done)) < 1e-9 else start + (np.floor(done) + 1.0) * step - t
