"""Sweeps in files: read, and continued where they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from poinsot._sources import source_hash
from poinsot.comparison.settings import number_of_workers
from poinsot.errors import ResumeWarning, warn
from poinsot.files.runs.raw import RawFile, report_damage
from poinsot.sweeps.file import SweepFile, read_header
from poinsot.sweeps.header import task_of
from poinsot.sweeps.result import Sweep
from poinsot.sweeps.sweep import carry_out, check_engine


def load_sweep(path: Any, system: Any = None) -> Sweep:
    """The sweep in a file, finished or not."""
    place = Path(path)
    header, t = read_header(RawFile(place))
    with report_damage(place):
        task = task_of(header, place, system)
    return Sweep(task, SweepFile(place, task), t)


def resume_sweep(
    path: Any,
    system: Any = None,
    *,
    record: Any = None,
    until: Any = None,
    engine: str = "threads",
    workers: int | None = None,
    scheduler: Any = None,
    progress: bool | None = None,
) -> Sweep:
    """Continue a sweep; see `po.resume`."""
    check_engine(engine, scheduler)
    crew, place = number_of_workers(workers), Path(path)
    header, t = read_header(RawFile(place))
    with report_damage(place):
        task = task_of(header, place, system, record, until, running=True)
        made = header["versions"]
        versions = [made[name] for name in ("kernels", "poinsot", "numba", "python")]
    store = SweepFile(place, task, writing=True)
    if np.all(store.done):
        store.finish()
        return Sweep(task, store, t)
    if versions[0] != source_hash():
        warn(
            f"{place}: was started with poinsot {versions[1]}, numba {versions[2]}, python {versions[3]}, whose kernels are not the ones "
            "used now: the last digits of the variants that follow may differ",
            ResumeWarning,
        )
    return carry_out(task, store, t, engine, crew, scheduler, progress)
