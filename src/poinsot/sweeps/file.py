"""A sweep in a file: HDF5 with a place for every variant, intact whenever the writing process dies.

The structure is written once, before anything runs; results then go by position into the space that HDF5 has allocated, so that its
own metadata never change. Every variant has a checksum, written after its results: where it is missing or wrong, the variant is not done.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import disk_usage
from typing import Any
from weakref import WeakSet

import h5py
import numpy as np

from poinsot.errors import FileError, SettingsError
from poinsot.files.appearing import appearing
from poinsot.files.runs.locks import claim
from poinsot.files.runs.raw import SWEEP, RawFile, is_sweep, report_damage
from poinsot.sweeps.figures import FIGURES
from poinsot.sweeps.header import header_of
from poinsot.sweeps.labelled import describe
from poinsot.sweeps.store import Memory
from poinsot.sweeps.task import Part, Task
from poinsot.sweeps.work import LONGEST

HEAD = 512  # bytes before HDF5's own: SWEEP, place and size of the table of places and of the header, their checksum
AT_ONCE = 8_000_000  # bytes that are read at once
_WRITING: WeakSet[RawFile] = WeakSet()  # files of sweeps that this process writes to
CHECKS, FAILURES, FIGURE = "checks", "failures", "figures"


def _let_go() -> None:
    """In the copy of a process that writes to files: they are not its own, and must not stay locked when the original ends."""
    for raw in list(_WRITING):
        raw.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def create(path: Any, task: Task, t: np.ndarray) -> SweepFile:
    """A new file for a sweep. Files of finished sweeps are replaced; unfinished ones and other files are not."""
    place = Path(path)
    if place.suffix not in (".h5", ".hdf5"):
        raise SettingsError(f"stream must be the path of an .h5 file, not {str(path)!r}")
    with claim(place) as taken:
        if taken:
            check_replaceable(place)
        n = len(task.variants)
        needed = n * (8.0 * len(FIGURES) + 8.0 * sum(int(np.prod(spec.shape)) for spec in task.specs))
        free = disk_usage(place.resolve().parent).free
        if needed > free:
            raise SettingsError(
                f"{place}: {n} variants need {1e-9 * needed:.3g} GB, {1e-9 * free:.3g} GB are free there; keep less of each, by record="
            )
        with appearing(place) as new:
            _write_structure(new, task, t)
        return SweepFile(place, task, writing=True)


def _rooms(task: Task) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Shape and type of everything that is written during a sweep."""
    n = len(task.variants)
    rooms: dict[str, tuple[tuple[int, ...], Any]] = {CHECKS: ((n,), "<u4"), FAILURES: ((n,), f"S{LONGEST}"), FIGURE: ((n, len(FIGURES)), "<f8")}
    return rooms | {f"results/{k}": ((n, *spec.shape), "<f8") for k, spec in enumerate(task.specs)}


def _write_structure(path: Path, task: Task, t: np.ndarray) -> None:
    from h5py import h5d, h5p, h5s, h5t

    content = h5p.create(h5p.DATASET_CREATE)
    content.set_layout(h5d.CONTIGUOUS)
    content.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    content.set_fill_time(h5d.FILL_TIME_NEVER)
    header = json.dumps(header_of(task)).encode()
    with h5py.File(path, "w", userblock_size=HEAD) as file:
        file.create_group("results")
        places = {}
        for name, (shape, kind) in _rooms(task).items():
            made = h5d.create(file.id, name.encode(), h5t.py_create(np.dtype(kind), logical=True), h5s.create_simple(shape), dcpl=content)
            places[name] = made.get_offset()
        for k, spec in enumerate(task.specs):
            file[f"results/{k}"].attrs.update({"name": spec.name, "units": spec.unit, "long_name": spec.words, "axes": ", ".join(spec.dims)})
        file[FIGURE].attrs["columns"] = list(FIGURES)
        file.create_dataset("t", data=np.asarray(t, float))
        for k, (name, column) in enumerate(zip(task.variants.names, task.variants.columns)):
            numbers = np.asarray(column, float) if np.asarray(column).dtype.kind in "iuf" else None
            values = [describe(value) for value in task.variants.values(name)] if numbers is None else numbers
            file.create_dataset(f"parameters/{k}", data=values).attrs["name"] = name
        file.create_dataset("header", data=np.frombuffer(header, np.uint8))
        places |= {"t": file["t"].id.get_offset(), "header": file["header"].id.get_offset()}
    table = json.dumps({"places": places, "header": [len(header), zlib.crc32(header)], "outputs": len(t)}).encode()
    with open(path, "r+b") as raw:
        raw.seek(0, 2)
        end = raw.tell()
        raw.write(table)
        raw.seek(0)
        raw.write(SWEEP + f"{end} {len(table)} {zlib.crc32(table)}\n".encode())


def check_replaceable(path: Path) -> None:
    """Raise when a file must not be replaced."""
    if not is_sweep(path):
        raise FileError(f"{path}: exists, and does not hold a sweep; give another name, or delete it")
    if not np.all(_Places(RawFile(path)).array(CHECKS, "<u4")):
        raise FileError(f"{path}: holds an unfinished sweep; po.resume({str(path)!r}) continues it, or delete the file to start again")


class _Places:
    """Where everything is in an open file."""

    def __init__(self, raw: RawFile):
        self.raw = raw
        head = raw.read(0, HEAD) if raw.size() >= HEAD else b""
        if not head.startswith(SWEEP):
            raise FileError(f"{raw.path}: does not hold a sweep; sweeps are written by po.sweep(..., stream=)")
        with report_damage(raw.path):
            place, size, checksum = (int(word) for word in head[len(SWEEP) :].split(b"\n")[0].split())
            text = raw.read(place, size)
            if zlib.crc32(text) != checksum:
                raise ValueError("checksum of its table")
            table = json.loads(text)
            self.places: dict[str, int] = table["places"]
            size, checksum = table["header"]
            header = raw.read(self.places["header"], size)
            if zlib.crc32(header) != checksum:
                raise ValueError("checksum of its header")
            self.header: dict[str, Any] = json.loads(header)
            self.outputs = int(table["outputs"])
            self.count = int(self.header["count"])

    def array(self, name: str, kind: str, shape: tuple[int, ...] = (), first: int = 0, last: int | None = None) -> np.ndarray:
        """Rows `first` to `last` of a dataset whose rows have this shape."""
        last = self.count if last is None else last
        width = np.dtype(kind).itemsize * int(np.prod(shape, dtype=int))
        if not width:
            return np.zeros((last - first, *shape), kind)
        data = self.raw.read(self.places[name] + first * width, (last - first) * width)
        return np.frombuffer(data, kind).reshape(last - first, *shape)


def read_header(raw: RawFile) -> tuple[dict[str, Any], np.ndarray]:
    """The description of a sweep, and the times of outputs."""
    places = _Places(raw)
    return places.header, places.array("t", "<f8", (), 0, places.outputs).copy()


class _Values(Sequence[np.ndarray]):
    """Everything that is kept, read from the file when it is asked for."""

    def __init__(self, file: SweepFile):
        self._file = file

    def __len__(self) -> int:
        return len(self._file.task.specs)

    def __getitem__(self, k: Any) -> Any:
        return self._file.known(self._file.places.array(f"results/{range(len(self))[k]}", "<f8", self._file.task.specs[k].shape))

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[k] for k in range(len(self)))


class SweepFile(Memory):
    """Results in a file, with the same attributes as those in memory; numbers are read when they are asked for."""

    def __init__(self, path: Path, task: Task, writing: bool = False):
        self.path, self.task = path, task  # type: ignore[assignment]
        self.raw = RawFile(path, writing=writing)
        if writing:
            _WRITING.add(self.raw)
        self.places = _Places(self.raw)
        self.values = _Values(self)
        self.failures, self.warnings = {}, {}
        known = self.places.header.get("figures", [name for name in FIGURES if name != "lanes"])  # which the first files did not have
        self.columns = [list(FIGURES).index(name) for name in known]
        verified = self._verified()
        self.done = np.array([bool(np.all(verified[task.members(b).start : task.members(b).stop])) for b in range(task.batches)], bool)
        self.failures = {k: message for k, message in self.failures.items() if self.done[k // task.batch]}

    @property
    def figures(self) -> np.ndarray:  # type: ignore[override]
        """Figures of all audits; those of variants that are not done are NaN."""
        found = np.full((len(self.task.variants), len(FIGURES)), np.nan)
        found[:, self.columns] = self.places.array(FIGURE, "<f8", (len(self.columns),))
        return self.known(found)

    def known(self, rows: np.ndarray) -> np.ndarray:
        """The same rows, NaN those of variants that are not done."""
        if np.all(self.done):
            return rows
        rows = rows.copy()
        for batch in np.nonzero(~self.done)[0].tolist():
            rows[self.task.members(batch).start : self.task.members(batch).stop] = np.nan
        return rows

    def put(self, part: Part) -> None:
        """Write the results of a batch, and then its checksums."""
        members = self.task.members(part.batch)
        failures = np.array([part.failures.get(k, "").encode() for k in members], f"S{LONGEST}")
        columns = [np.ascontiguousarray(part.figures[:, self.columns]), failures, *part.values]
        for name, column in zip((FIGURE, FAILURES, *(f"results/{k}" for k in range(len(part.values)))), columns):
            self._write(name, members.start, np.ascontiguousarray(column))
        self._write(CHECKS, members.start, checksums(columns))
        self.failures |= part.failures
        self.count(part.warnings)
        self.done[part.batch] = True

    def _write(self, name: str, first: int, rows: np.ndarray) -> None:
        if rows.nbytes:
            self.raw.put(self.places.places[name] + first * (rows.nbytes // len(rows)), rows.view(np.uint8))

    def _verified(self) -> np.ndarray:
        """For every variant whether its results are in the file, and whole."""
        specs, n = self.task.specs, len(self.task.variants)
        width = LONGEST + 8 * (len(self.columns) + sum(int(np.prod(spec.shape, dtype=int)) for spec in specs))
        found, size = np.zeros(n, bool), max(1, AT_ONCE // width)
        for first in range(0, n, size):
            last = min(first + size, n)
            known = self.places.array(CHECKS, "<u4", (), first, last)
            if not np.any(known):
                continue
            failures = self.places.array(FAILURES, f"S{LONGEST}", (), first, last)
            columns = [self.places.array(FIGURE, "<f8", (len(self.columns),), first, last), failures]
            columns += [self.places.array(f"results/{k}", "<f8", spec.shape, first, last) for k, spec in enumerate(specs)]
            found[first:last] = known == checksums(columns)
            for k in np.nonzero(failures != b"")[0].tolist():
                self.failures[first + k] = failures[k].decode("utf-8", "replace")
        return found

    def finish(self) -> None:
        """Let others write to the file; it can still be read."""
        self.raw.stop_writing()
        _WRITING.discard(self.raw)


def checksums(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Of every variant the checksum of all its results; never 0, which stands for variants that are not done."""
    found = np.zeros(len(columns[0]), "<u4")
    rows = [np.ascontiguousarray(column).reshape(len(column), -1).view(np.uint8) for column in columns if column.size]
    for k in range(len(found)):
        check = 0
        for row in rows:
            check = zlib.crc32(row[k].data, check)
        found[k] = max(check, 1)
    return found
