"""Streams: a run goes to disk in segments as it is computed, and can be resumed from the last one whatever happens to its process."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from shutil import disk_usage
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.driver import Plan, Progress
from poinsot.errors import CallbackError, SettingsError
from poinsot.files.runs.file import RunFile, check_replaceable
from poinsot.files.runs.locks import claim
from poinsot.files.runs.reader import StoredTrajectory, stored_run
from poinsot.files.runs.schema import Part
from poinsot.files.runs.writer import finish_file, new_file, outcome, write_file, write_rows
from poinsot.formulations.contract import loads_row, motion_row
from poinsot.results.audit import audit
from poinsot.results.record import Record
from poinsot.results.signs import keep_signs
from poinsot.results.tally import Tally, tally_run
from poinsot.results.trajectory import Samples, Trajectory

if TYPE_CHECKING:
    from poinsot.launches import Launch

SEGMENT = 1_000_000  # numbers (8 MB) of a segment in memory
PATIENCE = 1.0  # s after which a segment is written, however small


class Stream:
    """Writes the outputs of a run to its file, segment by segment, in a thread of its own: while the
    run continues, reactions, efforts and energies of the previous segment are computed and written.
    """

    def __init__(self, file: RunFile, launch: Launch, datasets: list[Part], so_far: StoredTrajectory | None = None):
        self.file, self.launch, self.datasets = file, launch, datasets
        formulation, layout = launch.formulation, launch.frozen.layout
        self.width = formulation.state_size + motion_row(layout) + loads_row(layout)
        self.written = time.perf_counter()
        nothing = Samples(launch.frozen, formulation, 0.0, np.zeros(formulation.state_size))
        self.signs = nothing.quaternion_signs
        self.tally = Tally(nothing, launch.record) if so_far is None else tally_run(so_far)
        self.before = None if so_far is None else np.array(so_far.motion[-1])  # the last motion row of the file
        self.thread = ThreadPoolExecutor(1)
        self.writing: Future[None] | None = None

    def last(self) -> tuple[float, np.ndarray]:
        """Time and raw state of the last output in the file."""
        outputs = self.file.reached()[0]["outputs"]
        return float(self.file.rows("t", outputs)[-1]), np.array(self.file.rows("state", outputs)[-1])

    def keep(self, p: Progress) -> None:
        """Write a segment when there are enough outputs, or after `PATIENCE`."""
        due = time.perf_counter() - self.written > PATIENCE or len(p.times) * self.width > SEGMENT
        if due and p.times:
            self.segment(p)

    def segment(self, p: Progress) -> None:
        """Have all waiting outputs written, with the state needed to resume after them."""
        self.wait()
        first, t, rows = p.written, np.array(p.times), p.rows
        p.written, p.times, p.rows = first + len(t), [], []
        record = replace(
            self.launch.record,
            selections=list(self.launch.record.selections),
            impulses=list(self.launch.record.impulses),
            switches=list(self.launch.record.switches),
        )  # the run continues with its own
        reached = {"outputs": p.written, "t": p.t, "done": p.done, "complete": False, **outcome(record, None)}
        state = {"y": p.y.copy(), "memory": p.memory.copy(), "counters": p.counters.copy()}
        self.writing = self.thread.submit(self._write, first, t, rows, record, reached, state)
        if len(self.launch.frozen.layout.addresses):  # users' functions are not called from two threads at once
            self.wait()
        self.written = time.perf_counter()

    def wait(self) -> None:
        """Wait until the last segment is written; errors of the thread are raised here."""
        if self.writing is not None:
            writing, self.writing = self.writing, None
            try:
                writing.result()
            except CallbackError as failed:  # raise the own exception of the user's function instead
                if failed.__cause__ is None:
                    raise
                failed.__cause__.add_note(str(failed))
                raise failed.__cause__ from None

    def _write(
        self,
        first: int,
        t: np.ndarray,
        rows: list[np.ndarray],
        record: Record,
        reached: dict[str, Any],
        state: dict[str, np.ndarray],
    ) -> None:
        if len(t):
            part = self._observed(t, np.concatenate(rows), record)
            write_rows(self.file, self.datasets, first, part)
            self.tally.add(part)
        self.file.commit(reached, state)

    def _observed(self, t: np.ndarray, raw: np.ndarray, record: Record) -> Samples:
        """Outputs with all derived quantities; signs of quaternions continue from the previous segment."""
        formulation, frozen = self.launch.formulation, self.launch.frozen
        part = Trajectory(frozen, formulation, t, raw, record)
        part.quaternion_signs = self.signs
        if not formulation.continuous and self.before is not None:
            joined = np.concatenate([self.before[None], part.motion])
            keep_signs(joined, frozen.layout)
            part.motion = np.ascontiguousarray(joined[1:])
        self.before = part.motion[-1].copy()
        return part

    def finish(self, p: Progress) -> StoredTrajectory:
        """Write the rest, and the audit if the run reached its end; returns the run as it is in the file."""
        self.segment(p)
        self.wait()
        ended = p.ended or (p.stopped is not None and p.stopped.startswith("by until"))
        if ended:
            run = stored_run(self.launch.bare, self.file)
            run.record = self.launch.record
            run.audit = audit(run, self.tally)
            finish_file(self.file, run)
        finished = self.file
        if ended and p.written < self.file.outputs_planned:  # an event ended the run: give back the space of outputs that did not follow
            write_file(stored_run(self.launch.bare, self.file), self.file.path)
            finished = RunFile(self.file.path)
        self.close()
        return stored_run(self.launch.bare, finished)

    def reached(self) -> StoredTrajectory:
        """The run as far as it has been written."""
        return stored_run(self.launch.bare, RunFile(self.file.path))

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:  # raised by a user's function: the file stays as it is, and can be resumed
            self.close()

    def close(self) -> None:
        """Stop writing."""
        self.thread.shutdown()
        self.file.close()


def output_count(plan: Plan) -> int:
    """Number of outputs of a plan."""
    if plan.step is None:
        return plan.outputs + 1
    return 1 + plan.steps // plan.stride + bool(plan.rest > 0.0 or plan.steps % plan.stride)


def begin(path: Any, launch: Launch, events: int = 0) -> Stream:
    """A new file for a run, with space for this many events.

    Files of finished runs are replaced; unfinished ones and files of other programs are not.
    """
    place = _suitable(path)
    size = launch.formulation.state_size
    one = Samples(launch.frozen, launch.formulation, 0.0, np.zeros(size))
    memory = launch.driver.method.memory(size)
    layout, outputs = launch.frozen.layout, output_count(launch.plan)
    needed = 8.0 * outputs * (size + motion_row(layout) + loads_row(layout))
    with claim(place) as taken:
        if taken:
            check_replaceable(place)
        free = disk_usage(place.resolve().parent).free
        if needed > free:
            raise SettingsError(
                f"{place}: {outputs} outputs need {1e-9 * needed:.3g} GB, {1e-9 * free:.3g} GB are free there; give a larger output_step="
            )
        datasets = new_file(place, one, launch.record, outputs, memory, events)
        return Stream(RunFile(place, writing=True), launch, datasets)


def check_place(path: Any) -> None:
    """Raise where no file of a run can be written, or one that must not be replaced lies there."""
    place = _suitable(path)
    with claim(place) as taken:
        if taken:
            check_replaceable(place)


def _suitable(path: Any) -> Path:
    place = Path(path)
    if place.suffix not in (".h5", ".hdf5"):
        raise SettingsError(f"stream must be the path of an .h5 file, not {str(path)!r}")
    return place
