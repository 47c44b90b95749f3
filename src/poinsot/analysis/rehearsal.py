"""Users' functions are tried before a run, at its start and at a few nearby times and states.

This finds functions that fail at the start, or return something other than finite numbers; functions that do not depend on
their arguments alone; compiled functions that give other numbers than Python, which are then interpreted. A function
may fail at the other times and states, since a run need not reach them.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from poinsot.errors import CallbackError, FunctionWarning, ModelError, warn
from poinsot.formulations.contract import BODY_MOTION, Formulation, motion_row
from poinsot.layout.callbacks import Callback, first_failure, interpreted, place
from poinsot.layout.freeze import Frozen
from poinsot.layout.memory import stored_state
from poinsot.model.feedback import Feedback
from poinsot.model.returned import rebinds
from poinsot.tables.records import N_C, ON_LOADS, ON_MOTION

AT = (0.0, 0.37, 1.0, 0.11)  # times of the points, as fractions of the run; the first point is the start itself
AGAIN = (2, 0, 1, 3)  # order of the second pass; it ends where the first does, so that functions may keep their last value
AWAY = (0.0, 0.1, -0.2, 0.03)  # m, rad: distances of the points from the start; rates differ by twice as much
CLOSE = 1e-9  # relative to the largest number: allowed difference between compiled and interpreted results, and between two calls
PATIENCE = 0.5  # s for the points other than the start, per function
REMEDY = (
    "a run calls it several times per step, and again for repeated steps, so it must depend on its arguments alone. "
    "Draw random numbers once, before the run, and interpolate them (po.signals.spline, np.interp); update the memory of a "
    "controller between runs of one sampling time each (po.simulate(..., state=run.state()))"
)


@dataclass(frozen=True)
class Point:
    """Arguments of a function."""

    t: float
    x: list[float]
    params: list[float]


@dataclass
class Trial:
    """One function, and its results at every point; None where it failed. `nothing`: what it means that all of them are zero, in words."""

    callback: Callback
    points: list[Point]
    values: list[list[float] | None] = field(default_factory=list)
    nothing: str = "gives no force"

    def call(self, k: int) -> list[float]:
        """Its result at a point; warnings are suppressed, since the run repeats them if it gets there."""
        point = self.points[k]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.callback.call(point.t, point.x, point.params)

    def attempt(self, k: int) -> list[float] | None:
        """Its result at a point other than the start."""
        try:
            return self.call(k)
        except KeyboardInterrupt:
            raise
        except BaseException:  # the run reports it, if it gets there
            return None

    def begin(self) -> None:
        """First pass: the function must work at the start."""
        point, callback = self.points[0], self.callback
        try:
            self.values = [self.call(0)]
        except BaseException as error:
            error.add_note(
                f"raised by the function of {callback.label} ({place(callback.function, error)}) at the start, t = {point.t:.9g} s"
            )
            raise
        began = time.perf_counter()
        for k in range(1, len(self.points)):
            self.values.append(self.attempt(k) if time.perf_counter() - began < PATIENCE else None)

    def repeat(self) -> None:
        """Second pass: results must not have changed."""
        before = stored_state(self.callback.function)
        for k in AGAIN:
            if self.values[k] is not None and (found := self.difference(k)):
                raise ModelError(
                    f"{self.callback.label}: its function {found}: {REMEDY} ({place(self.callback.function)})"
                )
        after = stored_state(self.callback.function)
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        if (
            self.callback.form.inputs > 2
            and not any(map(any, filter(None, self.values)))
            and rebinds(self.callback.python, 3)
        ):
            warn(
                f"{self.callback.label}: its function assigns to the name of its last argument, and {self.nothing}; fill it: out[...] = ... "
                f"({place(self.callback.function)})",
                FunctionWarning,
            )
        if changed:
            warn(
                f"{self.callback.label}: its function writes to {', '.join(changed)}, which outlives the call: {REMEDY}",
                FunctionWarning,
            )

    def difference(self, k: int) -> str:
        """How the result at a point differs from the one before, in words; empty when it does not."""
        old, new, point = self.values[k], self.attempt(k), self.points[k]
        if old is None or new is None or self.close(old, new):
            return ""
        a, b = max(zip(old, new), key=lambda pair: abs(pair[0] - pair[1]))
        return f"gives {a:.9g} and then {b:.9g} for the same arguments (t = {point.t:.6g} s)"

    def refuse_velocities(self) -> None:
        """Coefficients of constraint rows must be those of the same poses at rest."""
        for point, values in zip(self.points, self.values):
            x = np.reshape(point.x, (-1, BODY_MOTION)) + np.repeat([0.0, 1.0], [7, 6]) * (0.3 + np.arange(BODY_MOTION))
            moving = Trial(self.callback, [Point(point.t, x.ravel().tolist(), point.params)]).attempt(0)
            if values is not None and moving is not None and not self.close(values, moving):
                raise ModelError(
                    f"{self.callback.label}: what its function fills depends on the velocities in x, but constraint rows "
                    "are linear in velocities: coefficients and right-hand side may depend on time, positions and attitudes only "
                    f"({place(self.callback.function)})"
                )

    def close(self, one: list[float], other: list[float]) -> bool:
        """Whether numbers are equal up to the differences of an iteration that starts from its last result."""
        scale = max((abs(v) for values in self.values if values for v in values), default=0.0)
        return all(abs(a - b) <= CLOSE * scale for a, b in zip(one, other))

    def agrees(self) -> bool:
        """Whether the compiled function gives the numbers of Python, at all points."""
        for point, values in zip(self.points, self.values):
            compiled = self.callback.call_compiled(point.t, point.x, point.params)
            if values is None and all(map(math.isfinite, compiled)):
                return False
            if values is not None and not self.close(values, compiled):
                return False
        return True


class Rehearsal:
    """All users' functions of a system, at the start of a run from state y and near it."""

    def __init__(self, frozen: Frozen, formulation: Formulation, y: np.ndarray, begin: float, end: float):
        self.frozen = frozen
        self.trials: list[Trial] = []
        callbacks = frozen.alike.loads.callbacks
        if not callbacks:
            return
        motion = np.zeros(motion_row(frozen.layout))
        formulation.observe_motion(begin, y.copy(), frozen.layout, np.zeros(formulation.work_size), motion)
        first_failure(callbacks)  # the run reports what cannot be computed there
        motion = np.nan_to_num(motion)
        spans = [begin + part * (end - begin) for part in AT]
        self.trials = [
            Trial(callback, [Point(t, *_arguments(frozen, formulation, (begin, y), motion, k, away)) for t, away in zip(spans, AWAY)])
            for k, callback in enumerate(callbacks)
        ]

    def hold(self, strict: bool = True) -> None:
        """Try all functions; raises an error when one is at fault. Unless `strict`, they may fail at the start."""
        written = self.frozen.alike.loads.rows
        for k, trial in enumerate(self.trials):
            trial.nothing = "constrains nothing" if k in written else trial.nothing
            try:
                trial.begin()
            except Exception:
                if strict:
                    raise
                trial.values = [trial.attempt(j) for j in range(len(trial.points))]
            trial.repeat()
            if k in written:
                trial.refuse_velocities()
            if trial.callback.compiled and not trial.agrees():
                trial.callback = self.frozen.loads.callbacks[k] = interpreted(trial.callback)
                self.frozen.layout.addresses[k] = trial.callback.address

    def confirm(self) -> None:
        """After a run: the functions must still give the results they gave before it."""
        for trial in self.trials:
            found = [words for k in range(len(trial.values)) if (words := trial.difference(k))]
            if found:
                raise CallbackError(
                    f"{trial.callback.label}: its function changed during the run, so the run depends on its calls: it {found[0]}; {REMEDY}"
                )


def _law_arguments(frozen: Frozen, formulation: Formulation, at: tuple[float, np.ndarray], row: int, away: float) -> tuple[list[float], list[float]]:
    """The same of the law of a feedback, at the state (t, y): what it sees, then the states of its controller."""
    from poinsot.results.feedback_view import seen_values
    from poinsot.results.trajectory import Samples

    feedback = frozen.loads.owner[row]
    assert isinstance(feedback, Feedback)
    seen = np.nan_to_num(seen_values(Samples(frozen, formulation, *at), feedback)).tolist()
    return _moved(seen, away) + _moved(feedback.initial_states(), away), feedback.values()


def _arguments(
    frozen: Frozen, formulation: Formulation, at: tuple[float, np.ndarray], motion: np.ndarray, k: int, away: float
) -> tuple[list[float], list[float]]:
    """Arguments x and params of function k at the state of a motion row, or near it."""
    layout = frozen.layout
    if k in frozen.loads.rows:
        element = frozen.loads.rows[k]
        return _states(motion, [frozen.topology.index[body] for body in element.on], away, 0.0), element.values()
    rows = np.nonzero(layout.loads["address"] == k)[0]
    if not len(rows):  # a signal
        return [], []
    load = layout.loads[rows[0]]
    if load["acts"] == ON_LOADS:
        return _law_arguments(frozen, formulation, at, int(rows[0]), away)
    params = layout.values[load["value"] : load["value"] + load["values"]].tolist()
    if load["acts"] == ON_MOTION:
        first = len(layout.bodies) * BODY_MOTION
        drive = layout.motions[load["motion"]]
        value = motion[first + drive["ic"]], motion[first + int(layout.sizes[N_C]) + drive["ir"]]
        return _moved([float(value[0])], away) + _moved([float(value[1])], -2 * away), params
    if load["items"] == 0:
        return [], params
    return _states(motion, layout.members[load["item"] : load["item"] + load["items"]].tolist(), away, 1.0), params


def _states(motion: np.ndarray, bodies: Sequence[int], away: float, moving: float) -> list[float]:
    """States of bodies at a motion row, or near it; velocities `moving` times those."""
    x: list[float] = []
    for body in bodies:
        pose = motion[BODY_MOTION * body : BODY_MOTION * (body + 1)].tolist()
        x += _moved(pose[:3], away) + pose[3:7] + [moving * v for v in _moved(pose[7:], -2 * away)]
    return x


def _moved(values: Sequence[float], away: float) -> list[float]:
    return [value + (k + 1) * away for k, value in enumerate(values)]
