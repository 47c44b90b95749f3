"""Variants that differ in initial values of joints alone, done together: one compiled loop marches all of them, one more evaluates their results.

Only for open systems without users' functions. Whatever is not ordinary (values out of range, steps that fail or need Newton's method) is
left to a run of its own, which knows what to do. The bits are those of such runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.driver import Driver, Plan, Progress
from poinsot.errors import PoinsotError
from poinsot.formulations.registry import formulate
from poinsot.layout.change import with_changes
from poinsot.model.initial import initial_faults, joint_values, read_initial
from poinsot.model.joint import Joint
from poinsot.model.parameters import initial_names
from poinsot.model.system import System
from poinsot.plans import make_plan
from poinsot.results.quantities import quantity
from poinsot.results.record import Record
from poinsot.results.tally import Tally
from poinsot.results.trajectory import Trajectory
from poinsot.simulation import Ready
from poinsot.sweeps.figures import figures_of_many
from poinsot.sweeps.task import Task
from poinsot.tables.records import N_CONTROL, N_R, Layout, own_values
from poinsot.tables.types import N_COUNTERS, OK

ENOUGH = 3  # variants for which it is worth while
MOST_STEPS = 10**9
LARGEST = 1e100  # of a state: runs that reach more are examined one by one
ONCE = ("_results_by_name", "_named", "quaternion_signs")  # attributes of a trajectory that depend on its system alone
NOT_POINTWISE = ("energy_error", "opening_metres", "opening_radians")  # results that depend on more than the state at a time


def suits(ready: Ready, task: Task) -> bool:
    """Whether the variants of a prepared system can be done together."""
    return not obstacles(ready, task)


def obstacles(ready: Ready, task: Task) -> list[str]:
    """Why the variants of a prepared system cannot be done together, in words."""
    frozen, formulation, layout = ready.frozen, ready.formulation, ready.frozen.layout
    kept = [record.name for record in task.records if record.result is None or record.result in NOT_POINTWISE]
    found = {
        "users' functions act in the system": len(layout.addresses) > 0,
        "drives prescribe its motion": bool(frozen.system.drives),
        "controllers keep numbers of their own": bool(layout.sizes[N_CONTROL]),
        "its joints are enforced by multipliers": formulation.rows is not None or not formulation.continuous,
        "its formulation or integrator is not one of this package": not ready.of_this_package(),
        "events happen in it": bool(ready.happenings),
        f"'{kept[0] if kept else ''}' of record= needs whole runs": bool(kept),
        "it cannot move": not layout.sizes[N_R],
        "until= ends runs at different times": task.running["until"] is not None,
    }
    return [words for words, holds in found.items() if holds]


def is_initial(system: System, name: str) -> bool:
    """Whether a name is an initial value of a joint, on which no table depends."""
    element, _, parameter = name.rpartition(".")
    found = system.by_name.get(element)
    return isinstance(found, Joint) and parameter in initial_names(found)


@dataclass
class Results:
    """Of some variants, in order: whether they are done, what is kept of each, and the figures of their audits."""

    done: np.ndarray
    values: list[np.ndarray]
    figures: np.ndarray


class Bulk:
    """Variants of a prepared system that differ in initial values of its joints, with some other values changed for all of them."""

    def __init__(self, ready: Ready, task: Task, change: dict[str, Any]):
        self.ready, self.task = ready, task
        self.frozen, self.initial = with_changes(ready.refill, change) if change else (ready.frozen, ready.refill.initial)
        self.formulation = formulate(self.frozen, ready.formulation.name) if change else ready.formulation
        method = ready.method.bound(self.formulation)
        self.driver = Driver(self.formulation, method, own_values(self.frozen.layout))
        self.plan = make_plan(task.running["start"], task.duration, ready.step, task.running["output_step"])
        self.places = ready.refill.places
        self.names: dict[str, Any] = {}  # of results, found once
        self.tally: Tally | None = None
        self.in_lanes: tuple[Layout, Layout] | None = None

    @property
    def whole(self) -> bool:
        """Whether outputs divide the run evenly, as the loops require, no law is sampled, and the method has no driver of its own."""
        return self.driver.method.drive is None and not self.driver.sampling and evenly(self.plan)

    def state(self, change: dict[str, Any]) -> np.ndarray:
        """The initial state with these initial values; a PoinsotError where they cannot be."""
        system, (coordinates, rates) = self.frozen.system, (array.copy() for array in self.initial)
        given: dict[Any, dict[str, Any]] = {}
        for name, value in change.items():
            element, _, parameter = name.rpartition(".")
            given.setdefault(system.by_name[element], {})[parameter] = value
        for joint, values in given.items():
            now = dict(system.initial.get(joint, {})) | read_initial(system, joint, values)
            if initial_faults(joint, now):
                raise PoinsotError("out of range")
            c, r = self.places[joint.name]
            coordinates[c], rates[r] = joint_values(joint, now)
        return self.formulation.pack(coordinates, rates)

    def tables_in_lanes(self, tables: list[Layout]) -> Layout:
        """The tables of variants with the same ones, in lanes; found once."""
        from poinsot.tables.lane_tables import stacked

        if self.in_lanes is None or self.in_lanes[0] is not tables[0]:
            self.in_lanes = tables[0], stacked(tables)
        return self.in_lanes[1]

    @property
    def outputs(self) -> int:
        """Number of outputs after the first."""
        return self.plan.outputs if self.plan.step is None else self.plan.steps // self.plan.stride

    def starts(self, changes: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
        """Room for the states of these variants at all outputs, with the initial ones, and which of them there are."""
        done = np.ones(len(changes), bool)
        raw = np.zeros((len(changes), self.outputs + 1, self.formulation.state_size))
        for k, change in enumerate(changes):
            try:
                raw[k, 0] = self.state(change)
            except PoinsotError:
                done[k] = False
        return raw, done

    def run(self, changes: list[dict[str, Any]]) -> Results:
        """Do these variants."""
        raw, done = self.starts(changes)
        chosen, outputs = np.nonzero(done)[0], self.outputs
        statuses, counters = np.full(len(chosen), OK, np.int64), np.zeros((len(chosen), N_COUNTERS), np.int64)
        if len(chosen):
            rows = np.zeros((len(chosen) * outputs, raw.shape[2]))
            self._march(np.ascontiguousarray(raw[chosen, 0]), rows, statuses, counters)
            raw[chosen, 1:] = rows.reshape(len(chosen), outputs, -1)
        done[chosen[statuses != OK]] = False
        return self.results(done, raw, counters[statuses == OK])

    def results(self, done: np.ndarray, raw: np.ndarray, counters: np.ndarray, lanes: int = 0) -> Results:
        """Results of those variants that are done, from the states of all and the counters of these; states that are too large are not done."""
        fine = np.abs(raw[done]).max(axis=(1, 2), initial=0.0) <= LARGEST
        chosen, counters = np.nonzero(done)[0][fine], counters[fine]
        done = np.isin(np.arange(len(done)), chosen)
        return self._results(done, raw[chosen], counters, lanes) if len(chosen) else Results(done, [], np.zeros((0, 0)))

    def _march(self, states: np.ndarray, rows: np.ndarray, statuses: np.ndarray, counters: np.ndarray) -> None:
        from poinsot.integrators.march import Span
        from poinsot.integrators.march_many import Many, march_many

        driver, plan = self.driver, self.plan
        buffers = driver.buffers(Progress(states[0], driver.fresh_memory(), plan.start))
        if plan.step is None:
            from poinsot.integrators.adaptive import Outputs
            from poinsot.integrators.adaptive_many import march_many_adaptive

            at = Outputs(float(plan.start), float(plan.output_step), 1, int(plan.outputs), MOST_STEPS)
            many = Many(at, states, buffers, driver.layout, rows, statuses, counters)
            march_many_adaptive(*driver.kernels, driver.project, driver.sample, many)
            return
        span = Span(float(plan.start), float(plan.step), 0, int(plan.steps), int(plan.stride))
        many = Many(span, states, buffers, driver.layout, rows, statuses, counters)
        march_many(*driver.functions, many)

    def _results(self, done: np.ndarray, raw: np.ndarray, counters: np.ndarray, lanes: int = 0) -> Results:
        n, outputs, size = raw.shape
        t = times(self.plan, outputs)
        settings = {"integrator": self.driver.method.name, "step": self.plan.step}
        joined = self._joined(np.tile(t, n), raw.reshape(-1, size), Record(settings, np.zeros(0), 0.0, None))
        vars(joined).update(self.names)
        self.tally = self.tally or Tally(joined)
        values = []
        for record, spec in zip(self.task.records, self.task.specs):
            found = quantity(joined, str(record.result))
            parts = found.values.reshape(n, outputs, *found.values.shape[1:])
            kept = parts if record.series else record.what.of(t, np.swapaxes(parts, 0, 1), bool(found.components))  # type: ignore[union-attr]
            values.append(kept.reshape(n, *spec.shape))
        self.names = {name: found for name, found in vars(joined).items() if name in ONCE}
        return Results(done, values, figures_of_many(joined, self.tally, t, n, counters, lanes))

    def _joined(self, t: np.ndarray, states: np.ndarray, record: Record) -> Trajectory:
        """The outputs of all variants as one run."""
        return Trajectory(self.frozen, self.formulation, t, states, record)


def evenly(plan: Plan) -> bool:
    """Whether outputs divide a run evenly."""
    return plan.step is None or (plan.rest == 0.0 and plan.steps % plan.stride == 0)


def times(plan: Plan, outputs: int) -> np.ndarray:
    """Times of all outputs, computed as those of a run."""
    if plan.step is None:
        return np.array([plan.start + k * plan.output_step if k else plan.start for k in range(outputs)])
    return np.array([plan.start + k * plan.stride * plan.step if k else plan.start for k in range(outputs)])
