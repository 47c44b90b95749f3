"""Variants in lanes: LANES variants of one system at once, in the vector registers of one core.

Every lane computes as if it were alone, so the bits of a variant do not depend on those beside it, on the number of workers, or on its place in the
list; they are those of a run of its own up to rounding. A group in which a step of any lane fails is given up: its variants run again, each in all
lanes by itself, and those that fail there too are left to runs of their own, which retry with smaller steps, or tell what is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.integrators.capabilities import Lanes
from poinsot.integrators.contract import Method
from poinsot.plans import make_plan
from poinsot.results.record import Record
from poinsot.results.trajectory import Trajectory
from poinsot.simulation import Ready
from poinsot.sweeps.bulk import Bulk, Results, evenly, obstacles, times
from poinsot.sweeps.task import Task
from poinsot.tables.records import N_POSITIONS, Layout
from poinsot.tables.types import N_COUNTERS, OK

PAYS = 10.0  # s of processor time of a sweep without lanes, estimated, from which the compilation of their kernels pays
EVALUATION = 1e-7  # s that forward dynamics takes for a link


def hindrance(ready: Ready, task: Task) -> str:
    """Why variants of a prepared system do not run in lanes, in words; empty: they do."""
    found = obstacles(ready, task)
    if found:
        return found[0]
    if ready.step is None:
        return "steps are adaptive, so that each variant has its own: give step="
    rates = ready.formulation.capability(ready.method.needs)
    if getattr(rates, "lanes", None) is None:
        planar = " in the plane" if len(ready.frozen.layout.plane_links) else ""
        return f"formulation '{ready.formulation.name}'{planar} has no lanes"
    if ready.method.lanes is None:
        return f"integrator '{ready.method.name}' has no lanes"
    if not evenly(make_plan(task.running["start"], task.duration, ready.step, task.running["output_step"])):
        return "the duration is not a whole number of output steps"
    return _compilation(ready)


def _compilation(ready: Ready) -> str:
    """Why the kernels cannot be compiled: they depend on more of Numba than others."""
    try:
        _kernels(ready)
    except Exception as error:
        return f"their kernels cannot be compiled here ({type(error).__name__})"
    return ""


def _kernels(ready: Ready) -> tuple[Lanes, Method]:
    rates = ready.formulation.rates
    assert rates is not None and rates.lanes is not None and ready.method.lanes is not None
    rates.lanes.find()
    return rates.lanes, ready.method.lanes(ready.method)


def worth(ready: Ready, evaluations: int, variants: int) -> bool:
    """Whether lanes pay in a sweep, from the evaluations of one variant. It depends on the sweep alone, so that its bits do."""
    return variants * evaluations * len(ready.frozen.layout.links) * EVALUATION >= PAYS


def alike(bulk: Bulk) -> str:
    """The same for variants that can be marched together: by the same method, with the same steps and sizes."""
    formulation = bulk.formulation
    return repr((bulk.ready.settings, bulk.plan, formulation.state_size, formulation.work_size))


@dataclass
class Marched:
    """Of some variants, in order: states at the outputs after the first, which of them were marched in lanes to the end, and their counters."""

    rows: np.ndarray
    fine: np.ndarray
    counters: np.ndarray


class Side:
    """Marches variants side by side. `layouts` are their tables, `states` their initial states; all have the plan and the method of `bulk`."""

    def __init__(self, bulk: Bulk, layouts: Sequence[Layout], states: Sequence[np.ndarray]):
        self.bulk, self.layouts, self.states = bulk, layouts, states
        self.lanes, self.method = _kernels(bulk.ready)
        n, ny = len(states), len(states[0])
        self.found = Marched(np.empty((n, bulk.outputs, ny)), np.zeros(n, bool), np.zeros((n, N_COUNTERS), np.int64))

    def march(self) -> Marched:
        """March all of them, in groups; those of groups that failed once more, each by itself."""
        for groups in self._groups():
            self._march(groups)
        alone: dict[int, list[list[int]]] = {}
        for k in np.nonzero(~self.found.fine)[0].tolist():
            alone.setdefault(id(self.layouts[k]), []).append([k])
        for groups in alone.values():
            self._march(groups)
        return self.found

    def _groups(self) -> list[list[list[int]]]:
        """Lists of groups that have the same tables: first groups of variants with the same, then of variants with others."""
        from poinsot.algebra.bounds import LANES
        from poinsot.tables.lane_tables import difference

        same: dict[int, list[int]] = {}
        for k, layout in enumerate(self.layouts):
            same.setdefault(id(layout), []).append(k)
        if len(same) == 1:
            return [[list(range(k, min(k + LANES, len(self.layouts)))) for k in range(0, len(self.layouts), LANES)]]
        found, mixed = [], list[list[int]]()
        for members in same.values():
            whole = len(members) - len(members) % LANES
            if whole:
                found.append([members[k : k + LANES] for k in range(0, whole, LANES)])
            for k in members[whole:]:
                place = next((group for group in mixed if len(group) < LANES and not difference(self.layouts[group[0]], self.layouts[k])), None)
                if place is None:
                    mixed.append([k])
                else:
                    place.append(k)
        return found + [[group] for group in mixed]

    def _march(self, groups: list[list[int]]) -> None:
        """March groups with the same tables; lanes to which no variant belongs compute the first of the group once more."""
        from poinsot.algebra.bounds import LANES
        from poinsot.integrators.march import Span
        from poinsot.integrators.march_lanes import march_lanes
        from poinsot.integrators.march_many import Many
        from poinsot.integrators.stages import no_stiffness
        from poinsot.tables.lane_tables import stacked
        from poinsot.tables.types import Buffers

        plan, (_, rows, ny) = self.bulk.plan, self.found.rows.shape
        full = [group + group[:1] * (LANES - len(group)) for group in groups]
        tables = [self.layouts[k] for k in full[0]]
        layout = self.bulk.tables_in_lanes(tables) if all(one is tables[0] for one in tables) else stacked(tables)
        layout.sizes[N_POSITIONS] = self.lanes.positions
        states = np.stack([np.stack([self.states[k] for k in group], axis=1).ravel() for group in full])
        memory, scratch = (np.zeros(size(LANES * ny)) for size in (self.method.memory, self.method.scratch))
        buffers = Buffers(self.method.constants, memory, scratch, np.zeros(self.lanes.work_size), np.zeros((1 + LANES) * N_COUNTERS, np.int64))
        out, statuses = np.empty((len(full) * rows, LANES * ny)), np.full(len(full), OK, np.int64)
        counters = np.zeros((len(full), (1 + LANES) * N_COUNTERS), np.int64)  # of all lanes, and of each
        assert plan.step is not None
        span = Span(float(plan.start), float(plan.step), 0, int(plan.steps), int(plan.stride))
        march_lanes(self.method.step, *self.lanes.kernels, no_stiffness, Many(span, states, buffers, layout, out, statuses, counters))
        found = out.reshape(len(full), rows, ny, LANES)
        for g, group in enumerate(groups):
            if statuses[g] == OK:
                self.found.rows[group] = np.moveaxis(found[g], 2, 0)[: len(group)]
                self.found.fine[group] = True
                common, *own = counters[g].reshape(1 + LANES, N_COUNTERS)
                self.found.counters[group] = common + own[: len(group)]


def run_in_lanes(work: Sequence[tuple[Bulk, list[dict[str, Any]]]]) -> list[Results]:
    """Do variants of which `alike` says the same: those that each bulk has, with their initial values.

    Those not done are left to runs of their own.
    """
    from poinsot.algebra.bounds import LANES

    started = [bulk.starts(changes) for bulk, changes in work]
    jobs = [(w, int(k)) for w, (_, done) in enumerate(started) for k in np.nonzero(done)[0]]
    if not jobs:
        return [bulk.results(done, raw, np.zeros((0, N_COUNTERS), np.int64)) for (bulk, _), (raw, done) in zip(work, started)]
    side = Side(work[0][0], [work[w][0].driver.layout for w, _ in jobs], [started[w][0][k, 0] for w, k in jobs])
    marched = side.march()
    counters: list[list[np.ndarray]] = [[] for _ in work]
    for at, (w, k) in enumerate(jobs):
        raw, done = started[w]
        done[k] = marched.fine[at]
        if done[k]:
            raw[k, 1:] = marched.rows[at]
            counters[w].append(marched.counters[at])
    counted = [np.array(found, np.int64).reshape(-1, N_COUNTERS) for found in counters]
    return [bulk.results(done, raw, found, LANES) for (bulk, _), (raw, done), found in zip(work, started, counted)]


def trajectory(bulk: Bulk, start: dict[str, Any], change: dict[str, Any]) -> Trajectory | None:
    """The run of one variant in lanes, with all of its changes for the record; None where that is left to a run of its own."""
    from poinsot.algebra.bounds import LANES

    began = time.perf_counter()
    raw, done = bulk.starts([start])
    if not done[0]:
        return None
    found = Side(bulk, [bulk.driver.layout], [raw[0, 0]]).march()
    raw[0, 1:] = found.rows[0]
    if not found.fine[0] or not bulk.results(done, raw, found.counters, LANES).done[0]:
        return None
    plan = bulk.plan
    settings = {"start": plan.start, "duration": plan.duration, "output_step": plan.output_step, "change": change, "lanes": LANES}
    record = Record(bulk.ready.settings | settings, found.counters[0], time.perf_counter() - began, bulk.driver.fresh_memory())
    return Trajectory(bulk.frozen, bulk.formulation, times(plan, bulk.outputs + 1), raw[0], record)
