"""Choose formulation and method, connect them and run: from a System to a Trajectory."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from copy import copy
from typing import Any

import numpy as np

from poinsot import warmup
from poinsot.accuracy.choice import check_accuracy, run_accurately, step_of_methods
from poinsot.accuracy.estimate import estimate
from poinsot.accuracy.variants import Variants
from poinsot.agenda import Agenda
from poinsot.analysis.acting import Acting
from poinsot.analysis.following import check_start
from poinsot.analysis.jumps import Happening, Jumps
from poinsot.analysis.rehearsal import Rehearsal
from poinsot.analysis.start import Start
from poinsot.analysis.suspicions import warn_of, warn_of_standing
from poinsot.choices import choose_method, lossy, many_steps
from poinsot.driver import Plan, Progress, module
from poinsot.equations import Equations
from poinsot.errors import SettingsError
from poinsot.failures import check_finite, fail, results_attached
from poinsot.formulations.registry import ahead, choose, entry, formulate
from poinsot.integrators import registry as methods
from poinsot.integrators.registry import home
from poinsot.interrupts import Interrupt, interruption, with_run
from poinsot.kept import Kept
from poinsot.launches import Launch, reached
from poinsot.layout.change import with_changes, with_values_of
from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.holding import holding
from poinsot.layout.refill import Refill
from poinsot.model.contents import taken
from poinsot.model.element import unadded
from poinsot.model.event_references import references, with_locks
from poinsot.model.events import EVENTS, Event
from poinsot.model.given import independent_copy
from poinsot.model.guard import NUMBER, settings_door
from poinsot.model.returned import call_fault
from poinsot.model.snapshot import snapshot
from poinsot.model.system import System
from poinsot.plans import CHANGE, CHOOSING, RUNNING, check_room, make_plan, positive
from poinsot.progress import bar
from poinsot.remembered import Remembered
from poinsot.results.record import Record
from poinsot.results.state import State
from poinsot.results.trajectory import Trajectory
from poinsot.starts import (
    calls_functions,
    check_samples,
    check_state,
    closed_start,
    first_progress,
    start_controls,
    warn_of_movements,
    without_memory,
)
from poinsot.stepping import Stepper
from poinsot.tables.records import N_R
from poinsot.tables.types import OK

LONG_RUN = "auto, long"  # conservative runs of many steps use directors, whose energy error does not grow
_KNOWN: Remembered[Ready] = Remembered()  # systems that `simulate` prepared
_ALIKE: Remembered[Ready] = Remembered()  # the first of each structure and geometry


@settings_door(**CHOOSING, events=EVENTS)
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
        events: Sequence[Event] = (),
    ):
        given, system = system, snapshot(with_locks(system, events))  # later changes of the given system do not affect runs
        system.check(rank=False).raise_faults()
        self.odd = warn_of(given, step)
        self.happenings = [Happening(*one) for one in references(system, given, events)]
        sampled = [load for load in system.loads if getattr(load, "period", None) is not None]
        if events and sampled:
            raise SettingsError(f"events divide steps, but {sampled[0].label()} is sampled at their ends: leave out its period, or the events")
        if events and system.drives:
            raise SettingsError(f"events change velocities, but those of {system.drives[0].label()} are prescribed: leave out one of them")
        self.frozen: Frozen = freeze(system)
        self.refill = Refill(self.frozen)
        self.values: Any = None  # tables and initial values, where they differ from those of the prepared system in numbers
        self.starts, self.reviews, self.kept = Remembered[Start](), Remembered[Any](), Kept()
        self.sampled, self.variants = bool(sampled), Variants(self.values)
        self.asked = ("auto" if formulation == LONG_RUN else formulation, integrator)
        if formulation in ("auto", LONG_RUN):
            rates = step is None if integrator == "auto" else home(integrator) is None
            formulation = choose(self.frozen, home(integrator), formulation == LONG_RUN and not lossy(system), rates)
        self.formulate(formulation, integrator, step)
        self.take(integrator, step, {"rtol": rtol, "atol": atol, "tolerance": tolerance})

    def formulate(self, formulation: str, integrator: str, step: float | None) -> None:
        """Equations in a formulation."""
        used = methods.entry(methods.default(formulation, step is not None) if integrator == "auto" else integrator)
        warmup.compile_ahead([*ahead(formulation, self.frozen), *([] if used is None else [used.module])])
        self.formulation = formulate(self.frozen, formulation)
        self.equations = Equations(self.frozen, self.formulation)

    def take(self, integrator: str, step: float | None, options: dict[str, float | None]) -> None:
        """The integrator with its options."""
        self.step = positive(step, "step")
        check_samples(self.frozen, self.step)
        self.method = choose_method(self.frozen, self.formulation, self.step, integrator, options)
        names = {"formulation": self.formulation.name, "integrator": self.method.name}
        self.settings: dict[str, Any] = {**names, "step": self.step, **options}
        if self.method.side_by_side:
            self.settings["lanes"] = self.method.side_by_side

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
        accuracy: float | None = None,
    ) -> Trajectory:
        """Run once; see `simulate`. `change` gives other values, as if the system had been written with them:
        {"spring1.stiffness": 20.0, "link1.mass": 2.0, "joint1.angle": 0.3}; docs/changes.md lists all of them.
        """
        if stream is not None and estimate_error:
            raise SettingsError("estimate_error= needs the whole run in memory: leave out either it or stream=")
        check_state(self.frozen, state)
        begin = start if state is None else state.t
        if accuracy is not None:
            accuracy = check_accuracy(accuracy, self.settings | {"estimate_error": estimate_error})
            plan = make_plan(begin, duration, None, output_step)
            return run_accurately(self, accuracy, plan, (state, change, until), progress, stream)
        plan = make_plan(begin, duration, self.step, output_step)
        check_samples(self.frozen, self.step if self.sampled else None, plan.start)
        check_room(plan, self.formulation.state_size, stream)
        launch, p, looks = self.begin(plan, state, change, until)
        if stream is not None:
            return self.streamed(launch, p, looks, progress, stream)
        run = self.go(launch, p, looks, progress)
        if estimate_error and run.record.memory is not None:
            estimate(self, run, duration, {"output_step": plan.output_step, "start": start, "state": without_memory(state), "change": change})
        return run

    def streamed(self, launch: Launch, p: Progress, looks: tuple[Agenda, Rehearsal], progress: bool | None, path: Any) -> Trajectory:
        """The same as `go`, to a file."""
        from poinsot.files.runs.stream import begin as begin_stream

        return self.go(launch, p, looks, progress, begin_stream(path, launch, looks[0].most()))

    @settings_door(start=NUMBER, state=RUNNING["state"])
    def stepper(self, state: State | None = None, start: float = 0.0) -> Stepper:
        """Steps one at a time, for loops of one's own, from a state or from the initial values at the time `start` (s)."""
        return Stepper(self, state, start)

    def begin(
        self, plan: Plan, state: State | None, change: dict[str, Any] | None = None, until: Any = None
    ) -> tuple[Launch, Progress, tuple[Agenda, Rehearsal]]:
        """The run of a plan, ready to start, its progress at the start, and the functions to be watched; see `run`."""
        begin, duration = plan.start, plan.duration
        frozen, initial = with_changes(self.refill, change) if change else self.values or (self.frozen, self.refill.initial)
        name = frozen.alike.system.name
        start_values = self.kept.start(initial) if state is None else Start(state.coordinates, state.rates)
        raw = {} if state is None or change else state.raw
        idle, held = tuple(raw.get("idle", frozen.alike.idle)), dict(raw.get("held", {}))
        acting = Acting(holding(frozen, held) if held else frozen, idle, held)
        if self.formulation.rows is not None:
            known = self.starts if acting.frozen is frozen and not held else None
            start_values = closed_start(acting.frozen, start_values, begin, known)
            if state is None:
                warn_of_movements(name, start_values)
        if not frozen.layout.sizes[N_R] or (start_values.redundancy and start_values.redundancy.degrees_of_freedom == 0):
            warn_of_standing(name)
        given = {key: independent_copy(value) for key, value in change.items()} if change else {}
        settings = self.settings | {"start": begin, "duration": duration, "output_step": plan.output_step, "change": given}
        if self.happenings:
            settings["events"] = [happening.name for happening in self.happenings]
        record = Record(settings, np.zeros(0), 0.0, None)
        record.record_start(start_values)
        if idle or held:
            record.dropped = acting.left_out(record.dropped)
            record.switches.append((begin, idle, held))
        if state is not None and not change:
            record.dropped = list(state.raw.get("dropped", record.dropped))
        launch = self.launch(frozen, plan, record)
        if launch.driver.reselect is not None and not held:
            launch.driver.reselect.geometry = start_values.geometry
        frozen = launch.frozen
        p = first_progress(frozen, start_values, launch.driver, state, begin, self.step)
        looks = self.look(launch, begin, p.y, until, raw.get("happened", ()))
        if state is None and looks[0].timed:
            with results_attached(lambda: reached(launch, p)):
                looks[0].start(p)
        if frozen.alike.system.drives:
            resumed = state is not None and state.raw.get("formulation") == self.formulation.name
            check_start(frozen, launch.driver.formulation, p.y, begin, begin + duration, plan.steps, resumed)
        if start_controls(launch.driver, p, state) != OK:
            fail(launch.driver, launch.frozen, plan, p, reached(launch, p))
        return launch, p, looks

    def launch(self, frozen: Frozen, plan: Plan, record: Record) -> Launch:
        """Equations without the rows that were dropped according to the record, and their driver."""
        idle, held = record.acting_at(-np.inf)
        same, bare = self.equations.alike(frozen) and not idle and not held, frozen
        frozen, formulation, driver = self.kept.equipment((self.equations, self.method, bare), record.dropped, idle, held)
        if formulation.dropped or (self.happenings and formulation.rows is not None):
            acting = Acting(frozen, idle, held) if idle else None
            driver.reselect = module("poinsot.analysis.reselect").Reselection(frozen, self.method, record.selections, acting)
            if same and not calls_functions(bare):
                driver.reselect.remember = self.reviews.get
        return Launch(bare, frozen, formulation, driver, plan, record)

    def look(
        self, launch: Launch, t: float, y: np.ndarray, until: Callable[[float, Any], float] | None, happened: Sequence[str] = ()
    ) -> tuple[Agenda, Rehearsal]:
        """Test users' functions where a run begins or is resumed, before anything is computed or written.

        `happened`: names of events that happened in the run that this one continues.
        """
        if until is not None and (fault := call_fault(until, {2: "g(t, state)"})):
            raise SettingsError(f"until= {fault}")
        frozen, driver, plan = launch.frozen, launch.driver, launch.plan
        agenda = Agenda(Jumps(frozen, driver, launch.record, self.happenings), plan, until)
        for name in happened:
            agenda.count[name] = agenda.count.get(name, 0) + 1
        rehearsal = Rehearsal(frozen, driver.formulation, y, t, plan.start + plan.duration)
        with results_attached(lambda: reached(launch, Progress(y, y, t, [t], [y[None].copy()]))):
            rehearsal.hold()
            agenda.begin(t, y, t == plan.start)
        return agenda, rehearsal

    def go(
        self, launch: Launch, p: Progress, looks: tuple[Agenda, Rehearsal], progress: bool | None, stream: Any = None
    ) -> Trajectory:
        """Run from the present state to the end; a stream takes the outputs as they are computed, and returns the run.

        Exceptions carry the results so far, as does the KeyboardInterrupt after Ctrl-C.
        """
        so_far = (lambda: reached(launch, p)) if stream is None else stream.reached
        with Interrupt() as interrupt, results_attached(so_far):
            try:
                run = self._march(launch, p, looks[0], progress, stream, interrupt)
                if p.status != OK:
                    fail(launch.driver, launch.frozen, launch.plan, p, run)
                if stream is None:
                    check_finite(run)
            except KeyboardInterrupt as error:  # from a second Ctrl-C, or from a handler installed by the user
                with_run(error, so_far())
                raise
            except Exception as error:
                if interrupt.pressed and hasattr(error, "trajectory"):
                    raise interruption(error.trajectory) from error
                raise
            for callback in launch.frozen.alike.loads.callbacks:
                callback.failure.clear()  # failures after an event do not count
            if interrupt.pressed:
                raise interruption(run)
            looks[1].confirm()
        return run

    def _march(
        self, launch: Launch, p: Progress, agenda: Agenda, progress: bool | None, stream: Any, interrupt: Interrupt
    ) -> Trajectory:
        frozen, driver, plan, record = launch.frozen, launch.driver, launch.plan, launch.record
        began, before, driver.gradual = time.perf_counter(), record.seconds, stream is not None

        def keep(p: Progress) -> None:
            if stream is not None:
                record.seconds = before + time.perf_counter() - began - driver.compiling
                stream.keep(p)

        with stream or nullcontext():
            if stream is not None and p.times:
                stream.segment(p)  # the initial state: from now on the run can be resumed
            with bar(progress, frozen.alike.system.name, plan.start, plan.duration) as tell:
                agenda.run(p, tell, keep, interrupt)
            record.seconds = before + time.perf_counter() - began - driver.compiling
            record.stopped, record.counters, record.waiting = p.stopped, p.counters, agenda.waiting()
            record.memory = p.memory if p.ended else None
            return reached(launch, p) if stream is None else stream.finish(p)

    def of_this_package(self) -> bool:
        """Whether formulation and integrator are those of this package, not somebody else's that may be defined anew."""
        lines = entry(self.formulation.name), methods.entry(self.method.name)
        return all(line is not None and line.module.startswith("poinsot.") for line in lines)


def prepare(system: System, **options: Any) -> Ready:
    """Prepare a system to run many times. Options as in `simulate`: step, rtol, atol, tolerance, formulation, integrator, events."""
    return Ready(system, **options)


def _prepared(system: System, events: Sequence[Event], options: dict[str, Any]) -> Ready:
    """The system prepared; what was prepared for an identical system, or one alike, is used if nothing can change unseen (`model/contents.py`)."""
    held = None if events else taken(system, options)
    key = None if held is None else held.contents()
    known = None if key is None else _KNOWN.look(key)
    if known is not None and known.of_this_package():
        if known.odd or unadded(system):
            warn_of(system, known.step)
        return known
    shape = None if held is None or options["formulation"] == LONG_RUN else held.likeness()  # long runs look at damping as well
    alike = None if shape is None else _ALIKE.look(shape)
    found = with_values_of(alike.refill, system) if alike is not None and alike.of_this_package() else None
    if alike is not None and found is not None:
        ready = copy(alike)
        ready.values, ready.odd = found, warn_of(system, alike.step)
    else:
        ready = Ready(system, events=events, **options)
        if shape is not None and ready.of_this_package():
            _ALIKE.get(shape, lambda: ready)
    if key is not None and ready.of_this_package():
        _KNOWN.get(key, lambda: ready)
    return ready


@settings_door(**CHOOSING, **RUNNING, events=EVENTS)
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
    events: Sequence[Event] = (),
    accuracy: float | None = None,
) -> Trajectory:
    """Run a system: in the Trajectory, `run["name"]` are the results of an element, `run.t` the times (s), `run.audit` says what was conserved.

    Parameters
    ----------
    duration : s
    step : size of fixed steps, s; without it the steps are adaptive
    rtol, atol : relative and absolute tolerance (rad, m, rad/s, m/s) of adaptive steps; default: 1e-8 and 1e-10
    tolerance : of the stages of implicit steps, relative; default: below rounding
    output_step : time between outputs, s; default: every fixed step, or 200 outputs
    start : time at the start, s
    state : start from here (`run.state()`) instead of the initial values; with the same settings it continues bit for bit
    formulation, integrator : "auto": with a step tree and gauss4, or directors and energy-momentum-6 for closed systems, drives and 100 000
        conservative steps or more; without one tree, or rotation-matrix where many loops build on each other, and dop853
    until : a function g(t, state) of time and state (`state["link"].position`, ...); the run ends where it crosses zero
    progress : show a bar; default: in a terminal, when the run takes longer than a second
    estimate_error : run again with half the step (or a tenth of the tolerance) and report the difference in the audit
    stream : path of a file to which outputs are written as they are computed; memory stays bounded, and after an interruption
        `po.resume` continues from there, with bit-identical results
    events : what happens suddenly: impulses, locks, constraints that begin or cease to act (`po.Event`, docs/impulses.md)
    accuracy : in place of step and tolerances: formulation, method and steps are chosen, and runs become finer until two in a row agree to half of
        this in all positions (m) and attitudes (rad) at all outputs; the finer is returned, with twice the difference as its estimated error

    Raises
    ------
    ModelError, SettingsError, FormulationError : before anything runs
    ConvergenceError : carries the results so far, `error.trajectory`, as does any exception of a user's function, which is raised as it is
    KeyboardInterrupt : after Ctrl-C; carries the results so far, `error.trajectory`; the file of a stream can be resumed
    """
    if formulation == integrator == "auto" and many_steps(duration, step):
        formulation = LONG_RUN
    options: dict[str, Any] = {"step": step, "rtol": rtol, "atol": atol, "tolerance": tolerance}
    names = {"formulation": formulation, "integrator": integrator}
    times: dict[str, Any] = {"output_step": output_step, "start": start, "state": state, "progress": progress}
    more: dict[str, Any] = {"until": until, "estimate_error": estimate_error, "stream": stream}
    if accuracy is not None:
        accuracy = check_accuracy(accuracy, options | more)
        options["step"] = step_of_methods(formulation, integrator, duration, output_step)
        plan = make_plan(start if state is None else state.t, duration, None, output_step)
        return run_accurately(_prepared(system, events, options | names), accuracy, plan, (state, None, until), progress, stream)
    return _prepared(system, events, options | names).run(duration, **times, **more)
