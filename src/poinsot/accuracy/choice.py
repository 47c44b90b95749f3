"""Which runs are tried for an accuracy: adaptive ones with an explicit method, and fixed implicit steps where those are limited by stability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from poinsot.accuracy.inspection import Inspection, Stiff
from poinsot.accuracy.refinement import TooExpensive, refined, steps, tolerances
from poinsot.accuracy.variants import variant
from poinsot.driver import Plan
from poinsot.errors import ConvergenceError, FormulationError, SettingsError
from poinsot.formulations.registry import choose
from poinsot.integrators import registry as methods
from poinsot.model.guard import is_number
from poinsot.model.words import short_repr
from poinsot.plans import ADAPTIVE_OUTPUTS, check_room, make_plan, positive
from poinsot.results.trajectory import Trajectory
from poinsot.starts import check_state

AUTO = "auto"
MOST_ACCURATE, LEAST_ACCURATE = 1e-12, 1.0  # m and rad
PATIENCE = 2.0  # what implicit runs may cost, relative to the explicit runs in place of which they are tried
LEAST_COST = 250.0  # of implicit runs with one and with two steps between outputs, in evaluations, per output
GIVEN = ("step", "rtol", "atol", "tolerance", "estimate_error")  # settings that accuracy= chooses itself


class _Failed(Exception):
    """A run could not be completed."""

    def __init__(self, error: ConvergenceError):
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True)
class Found:
    """A run that is accurate enough, the prepared system (`Ready`) that made it, and the plan of its steps."""

    run: Trajectory
    ready: Any
    plan: Plan

    def tell(self, record: Any) -> None:
        """Write what is known of the run into the record of the same run computed again."""
        known = self.run.record
        record.error_position, record.error_rotation = known.error_position, known.error_rotation
        record.settings |= {name: known.settings[name] for name in ("accuracy", "chosen")}


def check_accuracy(accuracy: Any, settings: dict[str, Any]) -> float:
    """The accuracy as a number; raises a SettingsError for one that is not possible, and for settings that contradict it."""
    if not (is_number(accuracy) and MOST_ACCURATE <= accuracy <= LEAST_ACCURATE):
        raise SettingsError(f"accuracy must be between {MOST_ACCURATE:g} and {LEAST_ACCURATE:g} (m and rad), not {short_repr(accuracy)}")
    given = [name for name in GIVEN if settings.get(name) not in (None, False)]
    if given:
        raise SettingsError(f"accuracy= chooses steps and tolerances, and estimates the error: leave out {', '.join(f'{name}=' for name in given)}")
    return float(accuracy)


def step_of_methods(formulation: str, integrator: str, duration: Any, output_step: Any) -> float | None:
    """A step (s) to prepare a system with, where the method that was asked for takes fixed ones only; otherwise None."""
    if integrator == AUTO:
        integrator = methods.default(formulation, False)
    if methods.find(integrator).adaptive:
        return None
    length, between = positive(duration, "duration"), positive(output_step, "output_step")
    return between or (None if length is None else length / ADAPTIVE_OUTPUTS)


class Choice:
    """Runs of a prepared system (`Ready`) to an accuracy.

    `plan` : of its outputs; `given` : state, change and until of its runs (see `Ready.run`)
    """

    def __init__(self, ready: Any, accuracy: float, plan: Plan, given: tuple[Any, Any, Any], progress: bool | None):
        self.ready, self.accuracy, self.plan, self.given, self.progress = ready, accuracy, plan, given, progress
        self.formulation, self.integrator = ready.asked
        self.last: tuple[Any, Plan] = ready, plan  # the system as it was run last, and the plan of its steps

    def find(self) -> Found:
        """The run."""
        if self.ready.step is not None:
            return self._fixed(self.ready, float("inf"), "")
        why, stiff = "", None
        try:
            return self._adaptive(self.integrator == AUTO)
        except Stiff as found:
            why, stiff = f", because steps of explicit methods are limited by stability at t = {found.t:.3g} s", found
        except _Failed as failed:
            why, first = ", because explicit methods fail", failed
        allowed = float("inf") if stiff is None else PATIENCE * stiff.evaluations
        other = self._implicit() if LEAST_COST * self.plan.outputs <= allowed else None
        try:
            if other is not None:
                return self._fixed(other, allowed, why)
        except (_Failed, TooExpensive, ConvergenceError):
            pass
        if stiff is None:
            raise first.error
        return self._adaptive(False)

    def _adaptive(self, inspected: bool) -> Found:
        """By an explicit method with tolerances; steps limited by stability raise `Stiff` if they are looked for."""
        ready, eventful = self.ready, self.ready.happenings or self.given[2] is not None
        name = ready.method.name
        if self.integrator == AUTO and not eventful:  # after an event methods with a long memory begin anew
            name = methods.to_accuracy(ready.formulation.name, self.accuracy, fixed=False)

        def at(tolerance: float) -> Trajectory:
            plan = self.plan
            self.last = variant(ready, ready.formulation.name, name, None, rtol=tolerance, atol=tolerance), plan
            return self._run(Inspection(tolerance, plan.start, plan.start + plan.duration) if inspected and not ready.sampled else None)

        try:
            run, tolerance, runs = refined(self.accuracy, tolerances(self.accuracy), at)
        except _Failed as failed:
            if inspected:
                raise
            raise failed.error from None
        return self._found(run, f"tolerances of {tolerance:.0e}", runs, "")

    def _implicit(self) -> Any:
        """The system prepared for implicit steps, by Newton's method; None where there is no such method for it."""
        ready, plan = self.ready, self.plan
        if ready.sampled or self.integrator != AUTO:
            return None
        formulation = ready.formulation.name
        try:
            if self.formulation == AUTO:
                formulation = choose(ready.frozen, None, False, False)
            integrator = methods.to_accuracy(formulation, self.accuracy, fixed=True)
            found = variant(ready, formulation, integrator, plan.output_step)
        except (FormulationError, SettingsError):
            return None
        return found if found.formulation.stiffness is not None or methods.home(integrator) is not None else None

    def _fixed(self, ready: Any, allowed: float, why: str) -> Found:
        """By steps of equal size, smaller and smaller ones."""

        def at(parts: float) -> Trajectory:
            step, plan = self.plan.output_step / parts, self.plan
            known = variant(ready, ready.formulation.name, ready.method.name, step)
            self.last = known, make_plan(plan.start, plan.duration, known.step, plan.output_step)
            return self._run(None)

        run, parts, runs = refined(self.accuracy, steps(ready.method.order, self.plan.output_step), at, allowed)
        return self._found(run, f"steps of {self.plan.output_step / parts:.3g} s", runs, why)

    def _run(self, inspection: Inspection | None) -> Trajectory:
        ready, plan = self.last
        state, change, until = self.given
        launch, p, looks = ready.begin(plan, state, change, until)
        launch.driver.inspection = inspection
        try:
            run: Trajectory = ready.go(launch, p, looks, self.progress)
        except ConvergenceError as error:
            raise _Failed(error) from error
        return run

    def _found(self, run: Trajectory, size: str, runs: int, why: str) -> Found:
        run.record.settings["chosen"] = f"{run.formulation.name} with {run.record.integrator}, {size}{why}; {runs} runs"
        return Found(run, *self.last)


def run_accurately(ready: Any, accuracy: float, plan: Plan, given: tuple[Any, Any, Any], progress: bool | None, stream: Any) -> Trajectory:
    """A run of a prepared system to an accuracy (m, rad); see `Choice`. A stream gets the last of the runs, computed again."""
    check_state(ready.frozen, given[0])
    check_room(plan, ready.formulation.state_size, None)
    if stream is not None:
        from poinsot.files.runs.stream import check_place

        check_place(stream)
    found = Choice(ready, accuracy, plan, given, progress).find()
    if stream is None:
        return found.run
    launch, p, looks = found.ready.begin(found.plan, *given)
    found.tell(launch.record)
    streamed: Trajectory = found.ready.streamed(launch, p, looks, progress, stream)
    return streamed
