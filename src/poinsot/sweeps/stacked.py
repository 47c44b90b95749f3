"""Variants whose tables hold other numbers (masses, stiffnesses, gravity, ...), done together: their tables are refilled at once, and the compiled
loops take one after the other.

For what `bulk.py` takes, and as there: whatever is not ordinary is left to a run of its own, and the bits are those of such runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.driver import Progress
from poinsot.errors import PoinsotError
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.model.renewed import Renewed
from poinsot.results.record import Record
from poinsot.results.tally import Tally
from poinsot.results.trajectory import Samples, Trajectory
from poinsot.simulation import Ready
from poinsot.sweeps.bulk import LARGEST, MOST_STEPS, Bulk, Results
from poinsot.sweeps.task import Task
from poinsot.tables.stacks import Stack, own_tables, stack_of
from poinsot.tables.types import N_COUNTERS, OK


class Stacked(Bulk):
    """Variants of a prepared system that differ in numbers; one state and one set of tables for each."""

    def __init__(self, ready: Ready, task: Task):
        super().__init__(ready, task, {})
        self.stack: Stack | None = None
        self.first = self.formulation.pack(*self.initial)
        self.tally = Tally(Samples(self.frozen, self.formulation, np.zeros(0), np.zeros((0, self.formulation.state_size))))

    @property
    def whole(self) -> bool:
        """Also whether states of the formulation do not depend on the numbers, and these can be refilled."""
        return super().whole and self.formulation.weightless and self.ready.refill.possible

    def run(self, changes: list[dict[str, Any]]) -> Results:
        """Do these variants."""
        numbers = [self._numbers(change) for change in changes]
        done = np.array([one is not None for one in numbers])
        found = [one for one in numbers if one is not None]
        tables = self.ready.refill.tables(found) if found else {}
        if "motions" in tables:  # where axes of links turn, signs of quaternions may change
            kept = (tables.pop("motions")["rotation"] == self.frozen.layout.motions["rotation"]).all(axis=(1, 2, 3))
            done[np.flatnonzero(done)[~kept]] = False
            found, tables = [one for one, right in zip(found, kept) if right], {name: table[kept] for name, table in tables.items()}
        if not found:
            return Results(done, [], np.zeros((0, 0)))
        self.stack = stack_of(self.frozen.layout, tables, len(found))
        raw, counters, fine = self._march_stack(np.array([self._state(one) for one in found]))
        done[np.flatnonzero(done)[~fine]] = False
        self.stack = Stack(*(table[fine] for table in self.stack))
        return self._results(done, raw[fine], counters[fine]) if fine.any() else Results(done, [], np.zeros((0, 0)))

    def _numbers(self, change: dict[str, Any]) -> Renewed | None:
        """The numbers of a variant; None where it needs a run of its own."""
        try:
            found = self.ready.refill.read(change)
        except PoinsotError:
            return None
        assert self.tally is not None
        if found is None or (found.bodies and self.tally.momenta):  # its audit needs the masses,
            return None
        if found.gravity != self.frozen.system.gravity and (self.tally.momenta or self.tally.pivot is not None):  # or the gravity
            return None
        return found

    def _state(self, numbers: Renewed) -> np.ndarray:
        """The initial state of a variant, on which masses and parameters have no influence."""
        return self.formulation.pack(*self.ready.refill.start(numbers)) if numbers.initial else self.first

    def _march_stack(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """States at all outputs, counters, and whether everything went as usual, of every variant."""
        from poinsot.integrators.adaptive import Outputs
        from poinsot.integrators.march import Span
        from poinsot.integrators.march_many import Many
        from poinsot.integrators.march_stack import Systems, march_stack, march_stack_adaptive

        driver, plan, n = self.driver, self.plan, len(states)
        outputs = plan.outputs if plan.step is None else plan.steps // plan.stride
        raw, rows = np.zeros((n, outputs + 1, states.shape[1])), np.empty((n * outputs, states.shape[1]))
        statuses, counters = np.full(n, OK, np.int64), np.zeros((n, N_COUNTERS), np.int64)
        raw[:, 0] = states
        rest = (states, driver.buffers(Progress(states[0], driver.fresh_memory(), plan.start)), own_tables(driver.layout), rows, statuses, counters)
        if plan.step is None:
            at = Outputs(float(plan.start), float(plan.output_step), 1, int(plan.outputs), MOST_STEPS)
            march_stack_adaptive(*driver.kernels, driver.project, driver.sample, Systems(Many(at, *rest), self.stack))
        else:
            span = Span(float(plan.start), float(plan.step), 0, int(plan.steps), int(plan.stride))
            march_stack(*driver.functions, Systems(Many(span, *rest), self.stack))
        raw[:, 1:] = rows.reshape(n, outputs, -1)
        return raw, counters, (statuses == OK) & (np.abs(raw).max(axis=(1, 2), initial=0.0) <= LARGEST)

    def _joined(self, t: np.ndarray, states: np.ndarray, record: Record) -> Trajectory:
        """Evaluated with the tables of each variant."""
        assert self.stack is not None
        return Joined(self.frozen, self.formulation, t, states, record, self.stack)


class Joined(Trajectory):
    """States of several systems that follow each other, as many of each."""

    def __init__(self, frozen: Frozen, formulation: Formulation, t: np.ndarray, raw: np.ndarray, record: Record, stack: Stack):
        super().__init__(frozen, formulation, t, raw, record)
        self.stack = stack

    def observe(self, kernel: Any, width: int) -> np.ndarray:
        """Rows of a kernel of type RATE at all states."""
        from poinsot.results.observe_stack import observe

        found = observe(kernel, width, self.t, self.raw, self.frozen.layout, self.stack, self.formulation.work_size)
        if found is None:
            raise PoinsotError("some results are not finite")
        return found
