"""One run of a comparison: what it gives, how well it conserves, and how long it takes."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from poinsot.choices import choose_method
from poinsot.comparison.candidates import Candidate
from poinsot.comparison.limits import time_limit
from poinsot.comparison.row import Row
from poinsot.comparison.settings import Grid
from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.events import Event
from poinsot.model.system import System
from poinsot.results.trajectory import Trajectory
from poinsot.simulation import Ready
from poinsot.starts import check_samples

SHORT, REPEATS, ENOUGH = 0.1, 5, 0.3  # s: shorter runs are timed several times, up to REPEATS or until they took ENOUGH s
BUSY = 0.9  # share of the time that an undisturbed run has the processor
WARM, BRIEF = 2, 1e-3  # steps of the run before the first that is timed, or its part of the time between two comparisons: it has no time limit


@dataclass(frozen=True)
class Task:
    """What all runs of a comparison have in common; `limit`: s per run, None for none. `ready` keeps the system prepared in every formulation."""

    system: System
    events: Sequence[Event]
    grid: Grid
    limit: float | None
    ready: dict[str, Ready] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Setting:
    """A candidate with a step (s), or with tolerances."""

    candidate: Candidate
    step: float | None = None
    tolerance: tuple[float, float] | None = None

    def row(self, **numbers: Any) -> Row:
        """A row of the table for this run."""
        rtol, atol = self.tolerance or (None, None)
        return Row(self.candidate.formulation, self.candidate.integrator, self.candidate.order, self.step, rtol, atol, **numbers)


@dataclass(frozen=True)
class Measured:
    """A row without its error, and the poses (times, bodies, 7) from which that is computed; None if the run failed."""

    row: Row
    poses: np.ndarray | None


_warm: set[Candidate] = set()  # those that ran in this process


def prepared(task: Task, setting: Setting) -> Ready:
    """The run, ready to start."""
    rtol, atol = setting.tolerance or (None, None)
    formulation, integrator = setting.candidate.formulation, setting.candidate.integrator
    if formulation not in task.ready:  # tables and users' functions are made once
        settings = {"step": setting.step, "rtol": rtol, "atol": atol}
        task.ready[formulation] = Ready(task.system, **settings, events=task.events, formulation=formulation, integrator=integrator)
    ready = copy(task.ready[formulation])
    options = {"rtol": rtol, "atol": atol, "tolerance": None}
    check_samples(ready.frozen, setting.step)
    ready.step, ready.method = setting.step, choose_method(ready.frozen, ready.formulation, setting.step, integrator, options)
    ready.settings = {"formulation": ready.formulation.name, "integrator": ready.method.name, "step": setting.step, **options}
    return ready


def run_once(task: Task, ready: Ready) -> Trajectory:
    """Over the whole duration."""
    grid = task.grid
    return ready.run(grid.duration, start=grid.start, output_step=grid.output_step, progress=False)


@contextmanager
def quiet() -> Iterator[None]:
    """Without warnings: the same ones would be shown for every run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def measure(task: Task, setting: Setting) -> Measured:
    """Run and measure; a failure becomes a row with its message."""
    try:
        with quiet():
            return _measured(task, setting)
    except Exception as error:
        partial = getattr(error, "trajectory", None)
        reached = float(partial.t[-1]) if partial is not None and len(partial.t) else None
        return Measured(setting.row(failure=words(error), reached=reached), None)


def words(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _measured(task: Task, setting: Setting) -> Measured:
    ready = prepared(task, setting)
    if setting.candidate not in _warm:  # compiles, and loads what is compiled
        ready.run(WARM * setting.step if setting.step else BRIEF * task.grid.output_step, start=task.grid.start, progress=False)
        _warm.add(setting.candidate)
    with time_limit(task.limit):
        began, cpu = time.perf_counter(), time.thread_time()
        run = run_once(task, ready)
        seconds = [run.record.seconds]
        if seconds[0] < SHORT:
            seconds = []
            while len(seconds) < REPEATS and sum(seconds) < ENOUGH:
                seconds.append(run_once(task, ready).record.seconds)
        share = (time.thread_time() - cpu) / max(time.perf_counter() - began, 1e-9)
    chosen = at_times(run, task.grid)
    audit, attitudes = run.audit, run.formulation.attitudes
    scale = audit.energy_scale if audit.energy_scale > 0 else 1.0
    drift = np.abs(run.energy - run.energy[0] - (run.work - run.work[0]))[chosen] / scale
    curves = {"energy": drift}
    if attitudes is not None:
        curves["attitude"] = attitudes.deviations(run.raw[chosen])
    if audit.constraint_metres is not None:
        t, metres, _ = run.openings
        curves["gap"] = np.interp(task.grid.times, t, metres)
    row = setting.row(
        energy_drift=audit.energy_drift,
        energy_drift_relative=audit.energy_drift / scale,
        momentum_drift=audit.momentum_drift,
        angular_momentum_drift=audit.angular_momentum_drift,
        attitude_drift=float(curves["attitude"].max()) if attitudes is not None else None,
        gap_metres=audit.constraint_metres,
        gap_radians=audit.constraint_radians,
        steps=audit.steps,
        evaluations=audit.evaluations,
        rejections=audit.rejections,
        halvings=audit.halvings,
        corrections=audit.corrections,
        seconds=median(seconds),
        repeats=len(seconds),
        undisturbed=share > BUSY,
        reached=float(run.t[-1]),
        curves=curves,
    )
    return Measured(row, poses(run, task.grid))


def at_times(run: Trajectory, grid: Grid) -> np.ndarray:
    """Indices of the outputs at the times of the comparison; events add outputs of their own, the last at a time counts."""
    times = grid.times
    found = np.searchsorted(run.t, times + 1e-6 * grid.output_step, side="right") - 1
    assert np.abs(run.t[found] - times).max() < 1e-6 * grid.output_step, "outputs of this run lie at other times"
    return found


def poses(run: Trajectory, grid: Grid) -> np.ndarray:
    """Poses (times, bodies, 7) at the times of the comparison: positions of origins and quaternions, without the ground."""
    return motions(run, grid)[..., :7].copy()


def motions(run: Trajectory, grid: Grid) -> np.ndarray:
    """Poses and velocities (times, bodies, 13) at the times of the comparison, without the ground."""
    n, chosen = len(run.frozen.layout.bodies), at_times(run, grid)
    return run.motion[chosen, BODY_MOTION : n * BODY_MOTION].reshape(len(chosen), n - 1, BODY_MOTION)
