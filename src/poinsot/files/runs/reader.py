"""Reading results: `po.load`. A loaded run is like any other; its numbers are read from the file on demand, and nothing is compiled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from poinsot.errors import FileError
from poinsot.files.models.compare import differences
from poinsot.files.models.read_write import read_text
from poinsot.files.runs.file import RunFile
from poinsot.files.runs.raw import is_sweep, report_damage
from poinsot.files.runs.schema import LOADS, MOTION, RAW, Part, parts
from poinsot.formulations.attitudes import Attitudes
from poinsot.formulations.contract import Formulation, loads_row, motion_row
from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.holding import holding
from poinsot.model.change import with_change
from poinsot.model.guard import PATH, maybe, settings_door
from poinsot.model.snapshot import snapshot
from poinsot.model.system import SYSTEM, System
from poinsot.results.audit import Audit
from poinsot.results.impulses import Jump
from poinsot.results.record import Record
from poinsot.results.trajectory import Samples, Trajectory, read_only

BLOCK = 1_000_000  # numbers that are read at once
VERIFIED = 64_000_000  # bytes up to which a file is verified as a whole when it is loaded; rows of larger ones as they are read


class StoredRows(NDArrayOperatorsMixin):
    """Rows stored as separate datasets, joined on demand: rows[k], rows[a:b, c:d], rows[..., c:d].

    For every other use they behave as an array, and all of them are read into memory.
    """

    def __init__(self, file: RunFile, shape: tuple[int, int], pieces: list[Part], signs: np.ndarray):
        self.shape, self.ndim, self.dtype, self._file, self._signs = shape, 2, np.dtype(float), file, signs
        self._names = [part.name for part in pieces]
        self._owner, self._within = np.full(shape[1], -1), np.zeros(shape[1], int)
        for k, part in enumerate(pieces):
            self._owner[part.columns], self._within[part.columns] = k, np.arange(len(part.columns))

    def __len__(self) -> int:
        return self.shape[0]

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ValueError("results of a run are read-only")

    def __getitem__(self, key: Any) -> np.ndarray:
        rows: Any
        columns: Any
        rows, columns = key if isinstance(key, tuple) and len(key) == 2 else (key, slice(None))
        rows = slice(None) if rows is Ellipsis else rows
        if isinstance(rows, tuple) or rows is None or columns is None or np.ndim(rows) * np.ndim(columns):
            return np.asarray(self)[key]
        outputs, wanted = np.arange(self.shape[0])[rows], np.arange(self.shape[1])[columns]
        which, flat = np.atleast_1d(outputs), np.atleast_1d(wanted)
        if np.any(np.diff(which) < 0):
            order = np.argsort(which)
            return self[which[order], columns][np.argsort(order)]
        out = np.empty((len(which), len(flat)))
        for k in np.unique(self._owner[flat]):
            mine = np.nonzero(self._owner[flat] == k)[0]
            for where, found in self._file.stretches(self._names[k], which, BLOCK):
                out[where, mine] = found[:, self._within[flat[mine]]]
        out *= self._signs[flat]
        return out.reshape(*np.shape(outputs), *np.shape(wanted))

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self[:].astype(dtype or float, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        arrays = [np.asarray(value) if isinstance(value, StoredRows) else value for value in inputs]
        return getattr(ufunc, method)(*arrays, **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)


class StoredFormulation:
    """Placeholder for the formulation of a stored run: its name is known; its equations are built when needed."""

    def __init__(self, settings: dict[str, Any], make: Callable[[], Formulation]):
        self.name: str = settings["formulation"]
        self.multipliers: bool = settings["multipliers"]
        self.continuous: bool = settings["continuous"]
        stored = settings.get("attitudes", ())
        if stored is None or isinstance(stored, dict):  # otherwise of an older version: the equations tell
            self.attitudes = None if stored is None else Attitudes(**stored | {"places": tuple(stored["places"])})
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._make(), name)


class StoredBlock(Samples):
    """Some outputs of a stored run."""

    def __init__(self, run: StoredTrajectory, rows: slice):
        super().__init__(run.frozen, run.formulation, run.t[rows], np.asarray(run.raw[rows]))
        self._run, self._rows = run, rows

    @cached_property
    def motion(self) -> np.ndarray:
        """Motion rows."""
        return self._run.motion[self._rows]

    @cached_property
    def loads(self) -> np.ndarray:
        """Loads rows."""
        return self._run.loads[self._rows]

    @property
    def quaternion_signs(self) -> np.ndarray:
        """As of the whole run."""
        return self._run.quaternion_signs


def read_events(info: dict[str, Any], record: Record) -> None:
    """What happened at the events of a stored run."""
    record.impulses = [Jump.from_json(jump) for jump in info["impulses"]]
    record.switches = [
        (float(t), tuple(map(str, idle)), {str(name): [float(x) for x in values] for name, values in held.items()})
        for t, idle, held in info["switches"]
    ]
    record.waiting = [str(name) for name in info["waiting"]]


class StoredTrajectory(Trajectory):
    """A run in a file."""

    def __init__(self, frozen: Frozen, file: RunFile, settings: dict[str, Any]):
        info, arrays = file.reached()
        outputs = info["outputs"]
        with report_damage(file.path):
            not_record = ("multipliers", "continuous", "attitudes", "quaternion_signs", "model")
            record = Record(
                {name: settings[name] for name in settings if name not in not_record},
                arrays["counters"],
                info["seconds"],
                arrays.get("memory") if info["complete"] else None,
                info["stopped"],
                info["error_position"],
                info["error_rotation"],
                info["dropped"],
                info["ambiguous"],
                (info["moved"][0], info["moved"][1]),
                [(t, tuple(rows)) for t, rows in info["selections"]],
            )
            read_events(info, record)
            width = file.places["state"][1][1]
            self._parts = list(parts(frozen, width))
            for part in self._parts:
                if file.places[part.name][1][1:] != part.shape:
                    raise ValueError(f"shape of {part.name}")
            state = [part for part in self._parts if part.source == RAW and len(part.columns) == width]
            raw: Any = StoredRows(file, (outputs, width), state[:1], np.ones(width))
            formulation: Any = StoredFormulation(settings, lambda: self._equations[1])
            super().__init__(frozen, formulation, file.rows("t", outputs), raw, record)
            self.path, self.complete = file.path, bool(info["complete"])
            self.versions = json.loads(file.texts["versions"])
            self._info, self._arrays, self._file = info, arrays, file
            self._signs = np.array(settings["quaternion_signs"])

    def _rows(self, source: str, width: int) -> StoredRows:
        pieces, signs = [part for part in self._parts if part.source == source], np.ones(width)
        for part in pieces:
            if part.name == "quaternion":
                signs[part.columns] = np.repeat(self._signs, 4)
        return StoredRows(self._file, (len(self.t), width), pieces, signs)

    @cached_property
    def motion(self) -> Any:
        """Motion rows (see `formulations/contract.py`), read on demand."""
        return self._rows(MOTION, motion_row(self.frozen.layout))

    @cached_property
    def loads(self) -> Any:
        """Loads rows, read on demand."""
        return self._rows(LOADS, loads_row(self.frozen.layout))

    @property
    def quaternion_signs(self) -> np.ndarray:
        """Per body the sign that makes its quaternion in the drawing equal to the one given."""
        return self._signs

    @cached_property
    def audit(self) -> Any:
        """As computed at the end of the run; for an unfinished run, of the outputs there are."""
        numbers = self._info["audit"]
        if numbers is None:
            return super().audit
        with report_damage(self.path):
            return Audit(**{**numbers, **{name: tuple(numbers.get(name, ())) for name in ("ambiguous", "waiting", "lyapunov")}})

    @cached_property
    def openings(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Largest gap of any joint: times (s) of up to 400 of the outputs, gaps in m, and in rad."""
        if "openings" in self._arrays:
            with report_damage(self.path):
                t, metres, radians = self._arrays["openings"]
                return read_only(t), read_only(metres), read_only(radians)
        return super().openings

    def verify(self) -> None:
        """Read every number of the file and compare it with its checksum; a FileError says what is damaged."""
        self._file.verify(BLOCK)

    def blocks(self) -> Iterator[Samples]:
        """All outputs in order, in blocks that fit into memory."""
        width = self.raw.shape[1] + motion_row(self.frozen.layout) + loads_row(self.frozen.layout)
        size = max(1, BLOCK // width)
        for first in range(0, len(self.t), size):
            yield StoredBlock(self, slice(first, min(first + size, len(self.t))))

    @cached_property
    def _equations(self) -> tuple[Frozen, Formulation]:
        """Tables and equations, for results that must be recomputed."""
        from poinsot.formulations.registry import formulate

        formulation = formulate(self.frozen, self.formulation.name)
        if formulation.rows is None:
            return self.frozen, formulation
        return formulation.rows.without(holding(self.frozen, self.record.acting_at(-np.inf)[1]), self.record.dropped)

    def observe(self, kernel: Any, width: int) -> np.ndarray:
        """Rows (n, width) of a kernel of type RATE at all times."""
        frozen, formulation = self._equations
        return Trajectory(frozen, formulation, self.t, np.asarray(self.raw), self.record).observe(kernel, width)


@settings_door(path=PATH, system=maybe(SYSTEM))
def load(path: Any, system: System | None = None) -> StoredTrajectory:
    """Read a run from a file that `run.save` or `simulate(..., stream=)` wrote; of an unfinished run the outputs there are. A sweep (`Sweep`)
    is read from the file that `sweep(..., stream=)` wrote.

    Parameters
    ----------
    path : of the file
    system : the system that was run; needed if it has Python functions, which files do not contain, and results must be recomputed

    Raises
    ------
    FileError : when the file is missing, truncated, damaged or of another kind, or the system given is not the one that was run
    """
    if is_sweep(Path(path)):
        from poinsot.sweeps.stored import load_sweep

        return load_sweep(path, system)  # type: ignore[return-value]
    file = RunFile(path)
    verify_small(file)
    model = stored_system(file, system)
    with report_damage(file.path):
        frozen = freeze(model)
    return stored_run(frozen, file)


def verify_small(file: RunFile) -> None:
    """Verify all numbers of a file that is not large."""
    file.reached()
    if file.size <= VERIFIED:
        file.verify(BLOCK)


def stored_run(frozen: Frozen, file: RunFile) -> StoredTrajectory:
    """The run in an open file, for a system that is already frozen."""
    with report_damage(file.path):
        settings = json.loads(file.texts["settings"])
    return StoredTrajectory(frozen, file, settings)


def stored_system(file: RunFile, given: System | None) -> System:
    """The system of a file with the values it ran with, or the one given if it is the same."""
    with report_damage(file.path):
        return _stored_system(file, given)


def _stored_system(file: RunFile, given: System | None) -> System:
    settings, model = json.loads(file.texts["settings"]), file.texts["model"]
    change, as_run = settings["change"], "model" in settings
    if given is None:
        read = read_text(model, f"{file.path}: model")
        return snapshot(with_change(read, change) if change and not as_run else read)
    given = snapshot(given)
    if change and as_run and given.to_yaml() != model:
        given = snapshot(with_change(given, change))
    different = [] if given.to_yaml() == model else differences(model, given)
    if different:
        raise FileError(f"{file.path}: the system given is not the one that was run: {'; '.join(different)}")
    return snapshot(with_change(given, change)) if change and not as_run else given
