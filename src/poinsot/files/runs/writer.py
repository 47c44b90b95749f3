"""Writing results: `run.save`, and the parts that streams share with it."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from poinsot._sources import source_hash
from poinsot.files.appearing import appearing
from poinsot.files.runs.file import RunFile, check_replaceable, is_run
from poinsot.files.runs.locks import claim
from poinsot.files.runs.schema import LOADS, MOTION, RAW, Part, dimensions, parts
from poinsot.files.runs.structure import create
from poinsot.results.audit import Audit
from poinsot.results.impulses import LISTED
from poinsot.results.record import Record
from poinsot.results.trajectory import Samples, Trajectory
from poinsot.tables.records import N_R

AS_RUN = "as run"  # the model in the file has the values it ran with; without this word, those before `change`
SPARE = 65_536  # bytes of a slot in addition to the numbers of the state


def versions() -> dict[str, str]:
    """Versions of the software that computed a run."""
    packages = {name: version(name) for name in ("poinsot", "numpy", "numba", "h5py")}
    return {**packages, "python": platform.python_version(), "machine": platform.machine(), "kernels": source_hash()}


def new_file(path: Path, run: Samples, record: Record, outputs: int, memory: int, events: int = 0) -> list[Part]:
    """A results file with space for this many outputs and for an integrator's memory of this many numbers; returns its datasets.

    `events`: how many may happen in addition to those that the record has.
    """
    state = int(run.raw.shape[-1])
    found, attitudes = list(parts(run.frozen, state)), run.formulation.attitudes
    settings = record.settings | {
        "multipliers": run.formulation.multipliers,
        "continuous": run.formulation.continuous,
        "attitudes": None if attitudes is None else asdict(attitudes),
        "quaternion_signs": run.quaternion_signs.tolist(),
        "model": AS_RUN,
    }
    texts = {
        "model": run.frozen.system.to_yaml(),
        "settings": json.dumps(settings, default=_plain, indent=1),
        "versions": json.dumps(versions(), indent=1),
    }
    names = 64 * len(run.frozen.owners)
    one = 1000 + 50 * int(run.frozen.layout.sizes[N_R]) + 220 * min(len(run.frozen.owners), LISTED) + 12 * len(run.frozen.layout.rows)
    slot = SPARE + names + 8 * (state + 2 * memory) + events * one + 2 * len(json.dumps(outcome(record, None)))
    create(path, found, dimensions(run.frozen, state), outputs, texts, slot)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{value!r} cannot be stored in a file")


def write_rows(file: RunFile, datasets: list[Part], first: int, part: Samples) -> None:
    """Write the outputs of a block, the first of which has the number `first`."""
    rows = {RAW: part.raw, MOTION: part.motion, LOADS: part.loads}
    n = len(part.t)
    for data in datasets:
        values = np.asarray(rows[data.source][:, data.columns]).reshape(n, *data.shape)
        if data.name == "quaternion":
            values = values * part.quaternion_signs[:, None]
        file.write(data.name, first, values)
    file.write("t", first, part.t)


def outcome(record: Record, audit: Audit | None) -> dict[str, Any]:
    """Information about how a run was computed, other than its settings, for its file."""
    return {
        "seconds": record.seconds,
        "stopped": record.stopped,
        "error_position": record.error_position,
        "error_rotation": record.error_rotation,
        "dropped": [int(row) for row in record.dropped],
        "selections": [[t, [int(row) for row in rows]] for t, rows in record.selections],
        "ambiguous": record.ambiguous,
        "moved": list(record.moved),
        "impulses": [jump.to_json() for jump in record.impulses],
        "switches": [[t, list(idle), held] for t, idle, held in record.switches],
        "waiting": list(record.waiting),
        "audit": None if audit is None else audit.to_dict(),
    }


def save(run: Trajectory, path: Any) -> Path:
    """Write a run to an HDF5 file; see `docs/results.md` for its contents. A file of that name is replaced when all is written."""
    place = Path(path)
    with claim(place) as taken:
        if taken and is_run(place):
            check_replaceable(place)
        write_file(run, place)
    return place


def write_file(run: Trajectory, place: Path) -> None:
    """Write a whole run to a new file, which replaces an existing one."""
    memory = run.record.memory
    with appearing(place) as new:
        datasets = new_file(new, run, run.record, len(run.t), 0 if memory is None else len(memory))
        with RunFile(new, writing=True) as file:
            first = 0
            for part in run.blocks():
                write_rows(file, datasets, first, part)
                first += len(part.t)
            finish_file(file, run)


def finish_file(file: RunFile, run: Trajectory) -> None:
    """Write what is known only at the end of a run: the audit, and the gaps of the joints."""
    record, memory = run.record, run.record.memory
    arrays = {"y": np.asarray(run.raw[-1]), "counters": record.counters}
    if memory is not None:
        arrays["memory"] = memory
    if run.formulation.multipliers:
        arrays["openings"] = np.array(run.openings)
    file.write_audit(str(run.audit))
    reached = {"outputs": len(run.t), "t": float(run.t[-1]), "complete": True, **outcome(record, run.audit)}
    file.commit(reached, arrays)
