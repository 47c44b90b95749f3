"""`po.compare`: runs a system in every formulation and by every integrator that fits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.analysis.suspicions import warn_of
from poinsot.comparison.candidates import Candidate, LeftOut, default_formulations, fitting
from poinsot.comparison.comparison import Comparison
from poinsot.comparison.compiling import compile_ahead
from poinsot.comparison.judge import judged
from poinsot.comparison.lyapunov import Growth, growth
from poinsot.comparison.measure import Measured, Setting, Task, measure
from poinsot.comparison.reference import Reference, Solution, solution, two_kinds, verified
from poinsot.comparison.row import Row
from poinsot.comparison.settings import Grid, check_names, make_grid, number_of_workers
from poinsot.comparison.workers import Crash, Piece, results
from poinsot.errors import FormulationError
from poinsot.integrators.registry import all_names
from poinsot.layout.freeze import Frozen, freeze
from poinsot.model.event_references import with_locks
from poinsot.model.events import EVENTS, Event
from poinsot.model.guard import NUMBER, TRUTH, maybe, settings_door
from poinsot.model.snapshot import snapshot
from poinsot.model.system import SYSTEM, System
from poinsot.plans import positive
from poinsot.progress import bar

LIMIT = 60.0  # s per run
STOPPED = "not known: stopped before it was computed"


@settings_door(system=SYSTEM, events=EVENTS, progress=maybe(TRUTH), time_limit=maybe(NUMBER))
def compare(
    system: System,
    duration: float,
    *,
    step: float | None = None,
    steps: Sequence[float] | None = None,
    tolerances: Sequence[float | tuple[float, float]] | None = None,
    start: float = 0.0,
    formulations: Sequence[str] | None = None,
    integrators: Sequence[str] | None = None,
    events: Sequence[Event] = (),
    workers: int | None = None,
    progress: bool | None = None,
    time_limit: float | None = LIMIT,
) -> Comparison:
    """Run a system in every formulation and by every integrator that fits it, and compare errors, drifts and times.

    Errors are measured against a reference that is computed here by two different methods, and never stated more accurately than these agree.

    Parameters
    ----------
    duration : s
    step : size of the largest fixed steps, s; runs also take its half and its quarter. The duration must be a multiple of it
    steps : all sizes of fixed steps instead, s; without both, only adaptive integrators are run
    tolerances : relative tolerances of adaptive integrators, or pairs (rtol, atol); default 1e-6, 1e-9, 1e-12, with atol = rtol / 100
    start : time at the start, s
    formulations, integrators : names; default: all that fit, with those variants of formulations that are worth comparing
    events : as in `simulate`
    workers : number of processes; default: one per core. With 1, runs are timed one after the other
    progress : show a bar; default: in a terminal, after a second
    time_limit : s after which a run is stopped, and reported as failed; None: no limit

    Raises
    ------
    ModelError, SettingsError : before anything runs
    FormulationError : when nothing fits, with all reasons
    KeyboardInterrupt : after Ctrl-C; its attribute `comparison` holds what is done
    """
    grid = make_grid(duration, start, step, steps, tolerances)
    crew, limit = number_of_workers(workers), positive(time_limit, "time_limit")
    wanted, methods = check_names(formulations, "formulations"), check_names(integrators, "integrators")
    model = snapshot(with_locks(system, events))
    model.check(rank=False).raise_faults()
    warn_of(system, grid.steps[0] if grid.steps else None)
    frozen = freeze(model)
    compile_ahead(frozen, default_formulations() if wanted is None else wanted, methods or all_names(), crew)
    found, left = fitting(frozen, wanted, methods)
    settings, further = _settings(found, grid)
    if not settings:
        reasons = "; ".join(str(one) for one in [*left, *further])
        raise FormulationError(f"no formulation and integrator can be compared on system '{system.name}': {reasons}")
    every = found if wanted is None and methods is None else fitting(frozen, None, None)[0]
    work = Work(Task(system if events else model, events, grid, limit), settings, every, _autonomous(frozen, events))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    try:
        work.do(crew, progress)
    except KeyboardInterrupt as error:
        part = work.comparison(model, (*left, *further), crew, load, complete=False)
        error.comparison = part  # type: ignore[attr-defined]
        error.add_note(f"{len(part.rows)} of {len(settings)} runs are in error.comparison")
        raise
    return work.comparison(model, (*left, *further), crew, load)


def _settings(candidates: Sequence[Candidate], grid: Grid) -> tuple[list[Setting], list[LeftOut]]:
    """Every candidate at every step or tolerance, and those for which none is given."""
    settings = [
        setting
        for candidate in candidates
        for setting in (
            [Setting(candidate, tolerance=pair) for pair in grid.tolerances]
            if candidate.adaptive
            else [Setting(candidate, step=size) for size in grid.steps]
        )
    ]
    left = []
    for adaptive, given, remedy in ((False, grid.steps, "fixed steps: give step="), (True, grid.tolerances, "a tolerance: give tolerances=")):
        names = dict.fromkeys(c.integrator for c in candidates if c.adaptive == adaptive)
        if names and not given:
            left.append(LeftOut(", ".join(names), f"{'takes' if len(names) == 1 else 'take'} {remedy}"))
    return settings, left


def _autonomous(frozen: Frozen, events: Sequence[Event]) -> bool:
    """Whether a system may be observed longer than the duration: conservative ones do the same later."""
    return not frozen.system.drives and not events and not any(load.lossy for load in frozen.system.loads)


class Work:
    """All pieces of a comparison, and what came of them."""

    def __init__(self, task: Task, settings: Sequence[Setting], every: Sequence[Candidate], autonomous: bool):
        self.task, self.settings = task, settings
        kinds = two_kinds(every)
        best = sorted(every, key=lambda c: (not c.adaptive, c.multipliers, -c.order))
        self.pieces = [Piece(solution, (some[:3],), some[0].formulation if some else "") for some in kinds]
        self.pieces += [Piece(growth, (best[:2], autonomous), best[0].formulation)]
        self.pieces += [Piece(measure, (setting,), setting.candidate.formulation) for setting in settings]
        self.done: dict[int, Any] = {}

    def do(self, workers: int, progress: bool | None) -> None:
        """Everything, with a bar."""
        with bar(progress, f"comparing '{self.task.system.name}'", 0, len(self.pieces)) as tell:
            for k, result in results(self.task, self.pieces, workers):
                self.done[k] = result
                tell(len(self.done))

    def comparison(self, model: System, left: tuple[LeftOut, ...], workers: int, load: float | None, complete: bool = True) -> Comparison:
        """What is done, as a comparison."""
        reference, found = self._reference(), self._growth()
        rows = [judged(self._measured(k), self.task.grid, reference, found) for k in range(3, len(self.pieces)) if k in self.done]
        timing = _timing(rows, workers, load)
        return Comparison(model, tuple(rows), left, reference, found, self.task.grid.times, timing, complete, self.task)

    def _measured(self, k: int) -> Measured:
        result = self.done[k]
        return Measured(self.settings[k - 3].row(failure=str(result)), None) if isinstance(result, Crash) else result

    def _reference(self) -> Reference:
        if not {0, 1} <= set(self.done):
            return Reference(STOPPED, None, 0.0, (), 1.0)
        one, other = (Solution(str(self.done[k])) if isinstance(self.done[k], Crash) else self.done[k] for k in (0, 1))
        return verified(one, other, np.linspace(0.0, self.task.grid.duration, self.task.grid.outputs + 1))

    def _growth(self) -> Growth:
        found = self.done.get(2, STOPPED)
        return found if isinstance(found, Growth) else Growth(f"not estimated ({found})" if isinstance(found, Crash) else str(found))


def _timing(rows: Sequence[Row], workers: int, load: float | None) -> str:
    cores = os.cpu_count() or 1
    at_once = "one run at a time" if workers == 1 else f"up to {workers} runs at a time"
    text = f"{at_once} on {cores} core{'s' * (cores > 1)}" + ("" if load is None else f", load average {load:.1f} before")
    disturbed = sum(not row.undisturbed for row in rows)
    return text + (f"; {disturbed} of {len(rows)} runs had to share their core, and may take less time (~)" if disturbed else "")


