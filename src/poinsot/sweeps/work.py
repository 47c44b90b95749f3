"""What a worker does: variants one after the other, each with its results, its audit, or its failure."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import nullcontext
from threading import Lock, local
from typing import Any

import numpy as np

from poinsot.errors import SettingsError, warnings_collected
from poinsot.model.system import System
from poinsot.model.words import short_repr
from poinsot.remembered import Remembered
from poinsot.results.quantities import Quantity
from poinsot.results.trajectory import Trajectory
from poinsot.simulation import Ready, prepare
from poinsot.sweeps.bulk import ENOUGH, Bulk, Results, is_initial, suits
from poinsot.sweeps.figures import FIGURES, figures_of
from poinsot.sweeps.lanes import alike, hindrance, run_in_lanes, trajectory
from poinsot.sweeps.reductions import Kept
from poinsot.sweeps.stacked import Stacked
from poinsot.sweeps.task import Part, Spec, Task
from poinsot.sweeps.variants import SETTINGS

NUMBER = re.compile(r"(?<![\w.'])\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)(?![\w'])")  # in warnings, which are counted without them
LONGEST = 500  # bytes of the message of a failure that are kept


class Bench:
    """A worker of one task: what it has prepared serves all of its variants. Several threads may use it at once."""

    def __init__(self, task: Task):
        self.task = task
        self._ready: Remembered[Ready] = Remembered()
        self._preparing, self._calling = Lock(), Lock()
        self._own = local()  # of every thread: what variants are done with together, whose arrays are written to
        source = task.source
        self.starting = {name for name in task.variants.names if isinstance(source, System) and is_initial(source, name)}  # initial values

    def prepared(self, change: dict[str, Any]) -> tuple[Ready, dict[str, Any]]:
        """The system of a variant, prepared, and the values that are left to change."""
        task = self.task
        built = {name: change[name] for name in task.built if name in change}
        options = task.options | {name: change[name] for name in SETTINGS if name in change and name not in built}
        rest = {name: value for name, value in change.items() if name not in built and name not in SETTINGS}
        key = repr((sorted(options.items()), sorted(built.items())))
        with self._preparing:
            return self._ready.get(key, lambda: prepare(self.system(built), **options)), rest

    def system(self, change: dict[str, Any]) -> System:
        """The system of a variant before its values are changed: the one given, or built with those values that the function takes."""
        if isinstance(self.task.source, System):
            return self.task.source
        system = self.task.source(**{name: change[name] for name in self.task.built if name in change})
        if not isinstance(system, System):
            raise SettingsError(f"the function that builds the system must return a po.System, not {short_repr(system)}")
        return system

    def run(self, k: int) -> Trajectory:
        """The run of variant k, as the sweep did it: in lanes, where it did so."""
        found = None
        if self.task.lanes:
            change = self.task.variants.change(k)
            ready, rest = self.prepared(change)
            if not hindrance(ready, self.task) and (bulk := self._bulk(ready, rest)).whole:
                with warnings_collected():
                    found = trajectory(bulk, {name: value for name, value in rest.items() if name in self.starting}, rest)
        return found or self.run_alone(k)

    def run_alone(self, k: int) -> Trajectory:
        """A run of variant k by itself, without lanes."""
        ready, rest = self.prepared(self.task.variants.change(k))
        alone = self._calling if len(ready.frozen.layout.addresses) else nullcontext()  # users' functions are called by one thread at a time
        with alone:
            return ready.run(self.task.duration, change=rest or None, progress=False, **self.task.running)

    def outcome(self, k: int) -> tuple[list[np.ndarray], np.ndarray]:
        """What is kept of variant k, and the figures of its audit."""
        run = self.run_alone(k)
        values = [fitting(spec, kept, kept.of(run), run) for spec, kept in zip(self.task.specs, self.task.records)]
        return values, figures_of(run)

    def together(self, part: Part) -> set[int]:
        """Do those variants of a batch that can be done together; returns which these are."""
        members, done = self.task.members(part.batch), set[int]()
        groups: dict[str, list[int]] = {}
        changes = self.task.variants.changes(members)
        for at, change in enumerate(changes if self.starting or self.task.lanes else ()):
            groups.setdefault(repr([pair for pair in change.items() if pair[0] not in self.starting]), []).append(at)
        sides: dict[str, list[tuple[list[int], Bulk]]] = {}  # in lanes, those that are alike
        for group in groups.values():
            try:
                bulk, in_lanes = self._bulk_of([changes[at] for at in group])
                if bulk is None:
                    continue
                if in_lanes:
                    sides.setdefault(alike(bulk), []).append((group, bulk))
                elif self.starting and len(group) >= ENOUGH:
                    done |= self._put(part, group, bulk.run(self._starts(changes, group)))
            except Exception:  # each variant will tell what is wrong
                continue
        for side in sides.values():
            try:
                results = run_in_lanes([(bulk, self._starts(changes, group)) for group, bulk in side])
            except Exception:
                continue
            for (group, _), found in zip(side, results):
                done |= self._put(part, group, found)
        done |= self._stacked(part, changes, done)
        return {members[at] for at in done}

    def _stacked(self, part: Part, changes: list[dict[str, Any]], done: set[int]) -> set[int]:
        """Do those of the other variants together that differ in numbers of the tables of one prepared system; returns which these are."""
        groups: dict[str, list[int]] = {}
        for at, change in enumerate(changes):
            if at not in done:
                groups.setdefault(repr([pair for pair in change.items() if self._builds(pair[0])]), []).append(at)
        found = set[int]()
        for group in (one for one in groups.values() if len(one) >= ENOUGH):
            try:
                results = self._found_stacked([changes[at] for at in group])
            except Exception:  # each variant will tell what is wrong
                continue
            if results is not None:
                found |= self._put(part, group, results)
        return found

    def _builds(self, name: str) -> bool:
        """Whether variants with other values of a name are prepared anew."""
        return name in self.task.built or name in SETTINGS

    def _found_stacked(self, changes: list[dict[str, Any]]) -> Results | None:
        """Results of variants of one prepared system that differ in numbers of its tables, if they can be done together."""
        ready, _ = self.prepared(changes[0])
        if not suits(ready, self.task):
            return None
        known: Remembered[Stacked] = self._own.__dict__.setdefault("stacks", Remembered())
        stacked = known.get(id(ready), lambda: Stacked(ready, self.task))
        rest = [{name: value for name, value in change.items() if not self._builds(name)} for change in changes]
        return stacked.run(rest) if stacked.whole else None

    def _starts(self, changes: list[dict[str, Any]], group: list[int]) -> list[dict[str, Any]]:
        """The initial values that some variants change."""
        return [{name: value for name, value in changes[at].items() if name in self.starting} for at in group]

    def _put(self, part: Part, group: list[int], found: Results) -> set[int]:
        """Take over the results of some variants of a batch; returns which of them are done."""
        chosen = np.array(group)[found.done]
        if not len(chosen):
            return set()
        for room, values in zip((part.figures, *part.values), (found.figures, *found.values)):
            room[chosen] = values
        return set(chosen.tolist())

    def _bulk_of(self, changes: list[dict[str, Any]]) -> tuple[Bulk | None, bool]:
        """What does variants that differ in initial values only, if they can be done together, and whether it does them in lanes."""
        ready, rest = self.prepared(changes[0])
        if not suits(ready, self.task):
            return None, False
        in_lanes = self.task.lanes and not hindrance(ready, self.task)
        if not in_lanes and not (self.starting and len(changes) >= ENOUGH):
            return None, False
        bulk = self._bulk(ready, rest)
        return (bulk if bulk.whole else None), in_lanes

    def _bulk(self, ready: Ready, rest: dict[str, Any]) -> Bulk:
        changed = {name: value for name, value in rest.items() if name not in self.starting}
        known: Remembered[Bulk] = self._own.__dict__.setdefault("bulks", Remembered())
        return known.get((id(ready), repr(changed)), lambda: Bulk(ready, self.task, changed))

    def part(self, batch: int) -> Part:
        """Do a batch. Whatever happens to a variant, the others are done."""
        began = time.perf_counter()
        members = self.task.members(batch)
        part = empty_part(self.task, batch)
        with warnings_collected():  # what is found together would be found, and told, for each of them
            done = self.together(part)
        for at, k in enumerate(members):
            if k in done:
                continue
            with warnings_collected() as found:
                try:
                    values, part.figures[at] = self.outcome(k)
                    for room, value in zip(part.values, values):
                        room[at] = value
                except Exception as error:
                    part.failures[k] = words_of(error)
                    for room in (part.figures, *part.values):
                        room[at] = np.nan
            for message in dict.fromkeys(NUMBER.sub("...", one) for one in found):
                part.warnings[message] = part.warnings.get(message, 0) + 1
        part.seconds = time.perf_counter() - began
        return part


def empty_part(task: Task, batch: int) -> Part:
    """A batch of which nothing is known yet."""
    n = len(task.members(batch))
    return Part(batch, [np.full((n, *spec.shape), np.nan) for spec in task.specs], np.full((n, len(FIGURES)), np.nan))


def words_of(error: BaseException) -> str:
    """What went wrong, with the kind of error."""
    text = f"{type(error).__name__}: {error}".replace("\0", "").encode("utf-8", "replace")
    return (text if len(text) <= LONGEST else text[: LONGEST - 3] + b"...").decode("utf-8", "ignore")


def fitting(spec: Spec, kept: Kept, found: tuple[np.ndarray, Quantity | None], run: Trajectory) -> np.ndarray:
    """A value of the shape that those of the other variants have; a run that ended early has NaN from there on."""
    values = np.asarray(found[0], float)
    if spec.series and run.record.stopped and len(values) < spec.shape[0]:
        rest = np.full((spec.shape[0] - len(values), *values.shape[1:]), np.nan)
        values = np.concatenate([values, rest])
    if values.shape != spec.shape:
        raise SettingsError(f"record '{spec.name}' has the shape {values.shape} here, and {spec.shape} in the first variant")
    return values


def specs_of(records: Sequence[Kept], run: Trajectory, outputs: int) -> tuple[Spec, ...]:
    """Names, shapes and units of everything that is kept, from a first run; `outputs`: of a run that is not ended early."""
    return tuple(_spec(kept, *kept.of(run), outputs) for kept in records)


def _spec(kept: Kept, values: np.ndarray, of: Quantity | None, outputs: int) -> Spec:
    values = np.asarray(values, float)
    if of is None:
        return Spec(kept.name, values.shape, tuple(f"{kept.name}.{k + 1}" for k in range(values.ndim)))
    vector = bool(of.components) and not (not kept.series and values.ndim == 0)
    parts = of.components if vector else ()
    dim = "".join(parts) if "".join(parts) in ("wxyz", "xyz", "xy", "xz", "yz", "yx", "zx", "zy") else f"{of.name}.component"
    shape = (outputs, *values.shape[1:]) if kept.series else values.shape
    dims = (("t",) if kept.series else ()) + ((dim,) if vector else ())
    prefix = "" if kept.series else f"{getattr(kept.what, 'kind', '')} "
    return Spec(kept.name, shape, dims, parts, of.unit, f"{prefix}{of.label}", kept.series)
