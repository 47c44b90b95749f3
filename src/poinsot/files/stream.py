"""Streams: a run goes to disk in segments as it is computed, and can go on from the last one whatever happens to its process."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.driver import Plan, Progress
from poinsot.errors import FileError, SettingsError
from poinsot.files.run_file import RunFile
from poinsot.files.run_reader import StoredTrajectory, stored
from poinsot.files.run_schema import Part
from poinsot.files.run_writer import finish_file, new_file, save, told, write_rows
from poinsot.formulations.contract import loads_row, motion_row
from poinsot.results.signs import keep_signs
from poinsot.results.trajectory import Samples

if TYPE_CHECKING:
    from poinsot.simulation import Launch

SEGMENT = 2_000_000  # numbers (16 MB) of a segment in memory
PATIENCE = 1.0  # s after which a segment is written however small it is


class Stream:
    """Takes the outputs of a run and writes them to its file, segment after segment."""

    def __init__(self, file: RunFile, launch: Launch, datasets: list[Part]):
        self.file, self.launch, self.datasets = file, launch, datasets
        layout = launch.frozen.layout
        self.width = launch.driver.formulation.state_size + motion_row(layout) + loads_row(layout)
        self.written = time.perf_counter()
        self.signs = self._drawn().quaternion_signs
        self.before: np.ndarray | None = None  # the last motion row of the file

    def _drawn(self) -> Samples:
        driver = self.launch.driver
        return Samples(self.launch.frozen, driver.formulation, 0.0, np.zeros(driver.formulation.state_size))

    def last(self) -> tuple[float, np.ndarray]:
        """Time and raw state of the last output in the file."""
        outputs = self.file.reached()[0]["outputs"]
        return float(self.file.rows("t", outputs)[-1]), np.array(self.file.rows("state", outputs)[-1])

    def keep(self, p: Progress) -> None:
        """Write a segment when there is enough for one, or when it is time."""
        due = time.perf_counter() - self.written > PATIENCE or len(p.times) * self.width > SEGMENT
        if due and p.times:
            self.segment(p)

    def segment(self, p: Progress) -> None:
        """Write all outputs that wait, and what is needed to go on after them."""
        if p.times:
            part = self._observed(np.array(p.times), np.concatenate(p.rows))
            write_rows(self.file, self.datasets, p.written, part)
            p.written += len(p.times)
            p.times, p.rows = [], []
        record = self.launch.record
        reached = {"outputs": p.written, "t": p.t, "done": p.done, "complete": False, **told(record, None)}
        self.file.commit(reached, {"y": p.y, "memory": p.memory, "counters": p.counters})
        self.written = time.perf_counter()

    def _observed(self, t: np.ndarray, raw: np.ndarray) -> Samples:
        formulation, frozen = self.launch.driver.formulation, self.launch.frozen
        part = Samples(frozen, formulation, t, raw)
        part.quaternion_signs = self.signs
        if not formulation.continuous and self.before is not None:
            joined = np.concatenate([self.before[None], part.motion])
            keep_signs(joined, frozen.layout)
            part.motion = joined[1:]
        self.before = part.motion[-1].copy()
        return part

    def finish(self, p: Progress) -> StoredTrajectory:
        """Write the rest, and the audit if the run came to its end; the run as it is in the file."""
        self.segment(p)
        ended = p.ended or (p.stopped is not None and p.stopped.startswith("by until"))
        if ended:
            record = self.launch.record
            run = stored(self.launch.bare, self.file)
            run.record = record
            finish_file(self.file, run)
        self.file.close()
        if ended and p.written < self.file.outputs_planned:
            save(stored(self.launch.bare, RunFile(self.file.path)), self.file.path)  # without room for what did not come
        return stored(self.launch.bare, RunFile(self.file.path))


def planned(plan: Plan) -> int:
    """How many outputs a plan has."""
    if plan.step is None:
        return plan.outputs + 1
    return 1 + plan.steps // plan.stride + bool(plan.rest > 0.0 or plan.steps % plan.stride)


def begin(path: Any, launch: Launch) -> Stream:
    """A new file for a run. Files of finished runs are replaced; unfinished ones and those of others are not."""
    place = Path(path)
    if place.suffix not in (".h5", ".hdf5"):
        raise SettingsError(f"stream must be the path of an .h5 file, not {str(path)!r}")
    if not place.parent.exists():
        raise FileError(f"{place}: there is no folder {place.parent}")
    if place.exists():
        _replaceable(place)
        place.unlink()
    driver = launch.driver
    one = Samples(launch.frozen, driver.formulation, 0.0, np.zeros(driver.formulation.state_size))
    memory = driver.method.memory(driver.formulation.state_size)
    datasets = new_file(place, one, launch.record, planned(launch.plan), memory)
    return Stream(RunFile(place, writing=True), launch, datasets)


def _replaceable(place: Path) -> None:
    """Whether a file may be replaced: one of a finished run, which is not being written."""
    with RunFile(place, writing=True) as file:
        try:
            info, _ = file.reached()
        except FileError:  # nothing was computed
            return
    if not info["complete"]:
        raise FileError(
            f"{place}: holds an unfinished run, up to t = {info['t']:g} s; po.resume({str(place)!r}) goes on with it, "
            "or delete the file to start anew"
        )
