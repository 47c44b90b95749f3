"""Choose formulation and method, connect them and run: from a System to a Trajectory."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot import warmup
from poinsot.algebra.bounds import LARGEST
from poinsot.analysis.following import check_start
from poinsot.analysis.rehearsal import Rehearsal
from poinsot.analysis.start import Start
from poinsot.analysis.suspicions import warn_of, warn_of_standing
from poinsot.driver import Driver, Plan, Progress
from poinsot.errors import SettingsError
from poinsot.events import Watch
from poinsot.failures import check_finite, fail, results_attached
from poinsot.formulations.contract import Formulation
from poinsot.formulations.registry import choose, entry, formulate
from poinsot.integrators.contract import Method
from poinsot.integrators.registry import default, find, home, names_for
from poinsot.interrupts import Interrupt, interruption, with_run
from poinsot.layout.change import with_changes
from poinsot.layout.freeze import Frozen, freeze
from poinsot.model.given import independent_copy
from poinsot.model.guard import is_number, settings_door
from poinsot.model.snapshot import snapshot
from poinsot.model.system import System
from poinsot.plans import CHANGE, CHOOSING, RUNNING, check_room, make_plan, positive
from poinsot.progress import bar
from poinsot.results.error_estimate import FINER, attach_error
from poinsot.results.record import Record
from poinsot.results.state import State
from poinsot.results.trajectory import Trajectory
from poinsot.starts import check_samples, closed_start, fits_equations, start_controls, without_memory
from poinsot.tables.records import N_C, N_R, own_values
from poinsot.tables.types import OK

LONG_RUN = "auto, long"  # conservative runs of MANY_STEPS or more use directors, whose energy error does not grow
MANY_STEPS = 100_000


@dataclass
class Launch:
    """A run that is ready to start: equations, method, plan and record. `bare`: without the tables of the formulation."""

    bare: Frozen
    frozen: Frozen
    formulation: Formulation
    driver: Driver
    plan: Plan
    record: Record


@settings_door(**CHOOSING)
class Ready:
    """A system prepared to run many times, as it was when it was prepared.

    Tables, formulation and integrator are chosen once, and its functions compiled once.
    """

    def __init__(
        self,
        system: System,
        *,
        step: float | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        tolerance: float | None = None,
        formulation: str = "auto",
        integrator: str = "auto",
    ):
        given, system = system, snapshot(system)  # later changes of the given system do not affect runs
        system.check(rank=False).raise_faults()
        warn_of(given, step)
        self.frozen: Frozen = freeze(system)
        if formulation in ("auto", LONG_RUN):
            rates = step is None if integrator == "auto" else home(integrator) is None
            formulation = choose(self.frozen, home(integrator), formulation == LONG_RUN and not _lossy(system), rates)
        needed = entry(formulation)
        warmup.share(needed.steps)
        self.formulation = formulate(self.frozen, formulation)
        self.step = positive(step, "step")
        check_samples(self.frozen, self.step)
        warmup.finish(needed.besides)
        options = {"rtol": rtol, "atol": atol, "tolerance": tolerance}
        self.method = self._method(integrator, options)
        names = {"formulation": self.formulation.name, "integrator": self.method.name}
        self.settings: dict[str, Any] = {**names, "step": self.step, **options}

    def _method(self, integrator: str, given: dict[str, float | None]) -> Method:
        name = self.formulation.name
        if integrator == "auto":
            integrator = default(name, self.step is not None)
        options = {name: value for name, value in given.items() if value is not None}
        for name, value in options.items():
            if not (np.isfinite(value) and (value > 0 or (value == 0 and name == "atol"))):
                raise SettingsError(f"{name} must be a positive number, not {value!r}")
            if name != "atol" and value >= 1:
                raise SettingsError(f"{name} is relative, and must be less than 1, not {value!r}")
        if self.step is not None and ("rtol" in options or "atol" in options):
            raise SettingsError("give either step= for fixed steps, or rtol= and atol= for adaptive ones, not both")
        why = ""
        if self.frozen.closed:
            ties = [*(self.frozen.joints[k] for k in self.frozen.topology.loops), *self.frozen.system.constraints]
            why = f"system '{self.frozen.system.name}' is closed, by {ties[0].label()}: "
        method = find(integrator)
        if self.formulation.capability(method.needs) is None:
            fitting = ", ".join(names_for(name, self.formulation.rates is not None))
            raise SettingsError(
                f"{why}integrator '{integrator}' needs {method.needs.WORDS}, which formulation '{name}' does not have: "
                f"use {fitting}, not '{integrator}'"
            )
        reason = method.refuses(self.frozen) if method.refuses is not None else ""
        if reason:
            raise SettingsError(reason)
        if self.step is None and not method.adaptive:
            raise SettingsError(
                f"{why}integrator '{integrator}' takes fixed steps: give step= (s)"
                + (", or choose dopri5 or dop853, which find their own" if self.formulation.rates is not None else ", not rtol= or atol=")
            )
        return find(integrator, **options)

    @settings_door(**RUNNING, change=CHANGE)
    def run(
        self,
        duration: float,
        *,
        output_step: float | None = None,
        start: float = 0.0,
        state: State | None = None,
        until: Callable[[float, Any], float] | None = None,
        progress: bool | None = None,
        estimate_error: bool = False,
        change: dict[str, Any] | None = None,
        stream: Any = None,
    ) -> Trajectory:
        """Run once; see `simulate`. `change` gives other values, as if the system had been written with them:
        {"spring1.stiffness": 20.0, "link1.mass": 2.0, "joint1.angle": 0.3}; docs/changes.md lists all of them.
        """
        if stream is not None and estimate_error:
            raise SettingsError("estimate_error= needs the whole run in memory: leave out either it or stream=")
        if state is not None and (len(state.coordinates), len(state.rates)) != tuple(
            self.frozen.layout.sizes[[N_C, N_R]]
        ):
            raise SettingsError(f"the state given belongs to another system than '{self.frozen.system.name}'")
        if state is not None and not all(np.all(np.abs(x) <= LARGEST) for x in (state.t, state.coordinates, state.rates)):
            raise SettingsError(f"state must have finite numbers of at most {LARGEST:g}")
        begin = start if state is None else state.t
        plan = make_plan(begin, duration, self.step, output_step)
        begin, duration = plan.start, plan.duration
        check_samples(self.frozen, self.step, begin)
        check_room(plan, self.formulation.state_size, stream)
        frozen, initial = with_changes(self.frozen, change or {})
        start_values = Start(*initial) if state is None else Start(state.coordinates, state.rates)
        if self.formulation.rows is not None:
            start_values = closed_start(frozen, initial, state, begin)
        if not frozen.layout.sizes[N_R] or (start_values.redundancy and start_values.redundancy.degrees_of_freedom == 0):
            warn_of_standing(frozen.system.name)
        given = {key: independent_copy(value) for key, value in (change or {}).items()}
        times = {"start": begin, "duration": duration, "output_step": plan.output_step, "change": given}
        record = Record(self.settings | times, np.zeros(0), 0.0, None)
        record.record_start(start_values)
        if state is not None and not change:
            record.dropped = list(state.raw.get("dropped", record.dropped))
        launch = self.launch(frozen, plan, record)
        frozen = launch.frozen
        p = self._begin(frozen, start_values, launch.driver, state, begin)
        looks = self.look(launch, begin, p.y, until)
        if frozen.system.drives:
            resumed = state is not None and state.raw.get("formulation") == self.formulation.name
            check_start(frozen, launch.driver.formulation, p.y, begin, begin + duration, plan.steps, resumed)
        if start_controls(launch.driver, p, state) != OK:
            fail(launch.driver, launch.frozen, plan, p, _reached(launch, p))
        if stream is not None:
            from poinsot.files.runs.stream import begin as begin_stream

            return self.go(launch, p, looks, progress, begin_stream(stream, launch))
        run = self.go(launch, p, looks, progress)
        if estimate_error and run.record.memory is not None:
            again: dict[str, Any] = {
                "output_step": plan.output_step,
                "start": start,
                "state": without_memory(state),
                "change": change,
            }
            try:
                finer = self._finer().run(duration, progress=False, **again)
            except KeyboardInterrupt:
                raise interruption(run, "the run is complete, but its error was not estimated: ") from None
            attach_error(run, finer, None if self.step is None else self.method.order)
        return run

    def launch(self, frozen: Frozen, plan: Plan, record: Record) -> Launch:
        """Equations without the rows that were dropped according to the record, and their driver."""
        formulation, method, bare = self.formulation, self.method, frozen
        if frozen is not self.frozen:
            formulation = formulate(frozen, formulation.name)
        if formulation.rows is not None:
            frozen, formulation = formulation.rows.without(frozen, record.dropped)
        if method.bind is not None:
            method = method.bind(formulation)
        driver = Driver(formulation, method, own_values(frozen.layout))
        if formulation.dropped:
            from poinsot.analysis.reselect import Reselection

            driver.reselect = Reselection(frozen, self.method, record.selections)
        return Launch(bare, frozen, formulation, driver, plan, record)

    def look(
        self, launch: Launch, t: float, y: np.ndarray, until: Callable[[float, Any], float] | None
    ) -> tuple[Watch, Rehearsal]:
        """Test users' functions where a run begins or is resumed, before anything is computed or written."""
        frozen, driver, plan = launch.frozen, launch.driver, launch.plan
        watch = Watch(frozen, driver, until, self.step)
        rehearsal = Rehearsal(frozen, driver.formulation, y, t, plan.start + plan.duration)
        with results_attached(lambda: _reached(launch, Progress(y, y, t, [t], [y[None].copy()]))):
            rehearsal.hold()
            watch.begin(t, y)
        return watch, rehearsal

    def go(
        self,
        launch: Launch,
        p: Progress,
        looks: tuple[Watch, Rehearsal],
        progress: bool | None,
        stream: Any = None,
    ) -> Trajectory:
        """Run from the present state to the end; a stream takes the outputs as they are computed, and returns the run.

        Exceptions carry the results so far, as does the KeyboardInterrupt after Ctrl-C.
        """
        reached = (lambda: _reached(launch, p)) if stream is None else stream.reached
        with Interrupt() as interrupt, results_attached(reached):
            try:
                run = self._march(launch, p, looks[0], progress, stream, interrupt)
                if p.status != OK:
                    fail(launch.driver, launch.frozen, launch.plan, p, run)
                if stream is None:
                    check_finite(run)
            except KeyboardInterrupt as error:  # from a second Ctrl-C, or from a handler installed by the user
                with_run(error, reached())
                raise
            except Exception as error:
                if interrupt.pressed and hasattr(error, "trajectory"):
                    raise interruption(error.trajectory) from error
                raise
            for callback in launch.frozen.loads.callbacks:
                callback.failure.clear()  # failures after an event do not count
            if interrupt.pressed:
                raise interruption(run)
            looks[1].confirm()
        return run

    def _march(
        self, launch: Launch, p: Progress, watch: Watch, progress: bool | None, stream: Any, interrupt: Interrupt
    ) -> Trajectory:
        frozen, driver, plan, record = launch.frozen, launch.driver, launch.plan, launch.record
        began, before = time.perf_counter(), record.seconds

        def keep(p: Progress) -> None:
            if stream is not None:
                record.seconds = before + time.perf_counter() - began - driver.compiling
                stream.keep(p)

        with stream or nullcontext():
            if stream is not None and p.times:
                stream.segment(p)  # the initial state: from now on the run can be resumed
            with bar(progress, frozen.system.name, plan.start, plan.duration) as tell:
                driver.run(plan, p, watch, tell, keep, interrupt)
            record.seconds = before + time.perf_counter() - began - driver.compiling
            record.stopped, record.counters = p.stopped, p.counters
            record.memory = p.memory if p.ended else None
            return _reached(launch, p) if stream is None else stream.finish(p)

    def _finer(self) -> Ready:
        """The same with half the step, or a tenth of the tolerances."""
        finer = copy(self)
        if self.step is None:
            from poinsot.integrators.explicit import ATOL, RTOL

            rtol, atol = FINER * self.method.constants[[RTOL, ATOL]]
            finer.method = find(self.method.name, rtol=rtol, atol=atol)
        else:
            finer.step = self.step / 2
        return finer

    def _begin(self, frozen: Frozen, start: Start, driver: Driver, state: State | None, t: float) -> Progress:
        formulation, memory = driver.formulation, driver.fresh_memory()
        if state is None:
            y = formulation.pack(start.coordinates, start.rates)
        elif state.raw.get("formulation") == formulation.name:
            y = state.raw["y"].copy()
            if y.shape == (formulation.state_size,) and not fits_equations(formulation, y, state):
                return Progress(y := formulation.pack(start.coordinates, start.rates), memory, t, [t], [y[None].copy()])
            same = state.raw.get("integrator") == self.method.name and state.raw.get("step") == self.step
            if same and self.step is not None and "memory" in state.raw:
                memory = state.raw["memory"].copy()
                if driver.method.stiff and len(memory) > driver.method.memory(formulation.state_size):
                    driver.stiffen()
        else:
            y = formulation.pack(start.coordinates, start.rates)
        if y.shape != (formulation.state_size,):
            raise SettingsError(f"the state given belongs to another system than '{frozen.system.name}'")
        return Progress(y, memory, t, [t], [y[None].copy()])


def _reached(launch: Launch, p: Progress) -> Trajectory:
    """The run as far as its outputs go."""
    launch.record.counters = p.counters
    rows = np.concatenate(p.rows)
    count = min(len(p.times), len(rows))  # if stopped in the middle of a step, one may be longer than the other
    return Trajectory(launch.frozen, launch.formulation, np.array(p.times[:count]), rows[:count], launch.record)


def _many(duration: float, step: float | None) -> bool:
    return is_number(duration) and is_number(step) and float(step) > 0 and duration / step >= MANY_STEPS


def _lossy(system: System) -> bool:
    """Whether a system has non-conservative loads."""
    return any(load.lossy for load in system.loads)


def prepare(system: System, **options: Any) -> Ready:
    """Prepare a system to run many times. Options as in `simulate`: step, rtol, atol, tolerance, formulation, integrator."""
    return Ready(system, **options)


@settings_door(**CHOOSING, **RUNNING)
def simulate(
    system: System,
    duration: float,
    *,
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: float | None = None,
    output_step: float | None = None,
    start: float = 0.0,
    state: State | None = None,
    formulation: str = "auto",
    integrator: str = "auto",
    until: Callable[[float, Any], float] | None = None,
    progress: bool | None = None,
    estimate_error: bool = False,
    stream: Any = None,
) -> Trajectory:
    """Run a system.

    Parameters
    ----------
    duration : s
    step : size of fixed steps, s; without it the steps are adaptive, with tolerances rtol and atol
    tolerance : of the stages of implicit steps; default: below rounding
    output_step : time between outputs, s; default: every fixed step, or 200 outputs
    start : time at the start, s
    state : start from here (`run.state()`) instead of the initial values; with the same settings it continues bit for bit
    formulation, integrator : "auto" selects tree for open systems, with gauss4 when a step is given and dop853
        otherwise, and directors with energy-momentum-6 for closed ones and for conservative runs of 100 000 steps or more
    until : a function g(t, state) of time and state (`state["link"].position`, ...); the run ends where it crosses zero
    progress : show a bar; default: in a terminal, when the run takes longer than a second
    estimate_error : run again with half the step (or a tenth of the tolerance) and report the difference in the audit
    stream : path of a file to which outputs are written as they are computed; memory stays bounded, and after an interruption
        `po.resume` continues from there, with bit-identical results

    Raises
    ------
    ModelError, SettingsError, FormulationError : before anything runs
    ConvergenceError : carries the results so far, `error.trajectory`; an exception of a user's function is raised
    as it is, with the same attribute
    KeyboardInterrupt : after Ctrl-C; carries the results so far, `error.trajectory`; the file of a stream can be resumed
    """
    if formulation == integrator == "auto" and _many(duration, step):
        formulation = LONG_RUN
    ready = Ready(
        system, step=step, rtol=rtol, atol=atol, tolerance=tolerance, formulation=formulation, integrator=integrator
    )
    return ready.run(
        duration,
        output_step=output_step,
        start=start,
        state=state,
        until=until,
        progress=progress,
        estimate_error=estimate_error,
        stream=stream,
    )
