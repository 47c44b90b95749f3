"""A results file: HDF5 whose structure is written once, before the run, with room for all outputs.

After that, rows are written by position into the room that HDF5 has set aside for them, so that nothing of HDF5's own
bookkeeping ever changes: whenever the writing process dies, the file is whole. What has been reached stands in two slots
that are written in turn, each with a checksum: the newer one that is whole tells how many outputs count, and holds what
is needed to go on.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from weakref import finalize

import h5py
import numpy as np

from poinsot.errors import FileError
from poinsot.files.runs.schema import FORMAT, VERSION, Part

HEAD = struct.Struct("<8sQQI")  # magic, number of the commit, bytes of the content, checksum of the content
MAGIC = b"POINSOT1"
AUDIT_ROOM = 16_384  # bytes of the audit's text
SIGNATURE = b"\x89HDF\r\n\x1a\n"
OWN = "poinsot"  # group of what is no result over time


@contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """Where to write a file that appears under its name, or replaces what is there, only when it is whole."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield new
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def create(
    path: Path,
    parts: list[Part],
    dimensions: Mapping[str, list[str]],
    outputs: int,
    texts: Mapping[str, str],
    slot: int,
) -> None:
    """Write the structure of a file with room for so many outputs and for slots of so many bytes. `texts`: model, settings, versions.

    It appears under its name when it is whole.
    """
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    early.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    with appearing(path) as new:
        with h5py.File(new, "w") as file:
            file.attrs.update({"format": FORMAT, "format_version": VERSION})
            own = file.create_group(OWN)
            for name, text in texts.items():
                own.create_dataset(name, data=text, dtype=h5py.string_dtype())
            room = {"audit": ((1,), h5py.string_dtype(length=AUDIT_ROOM)), "slots": ((2, slot), np.dtype(np.uint8))}
            for name, (shape, dtype) in room.items():
                own.create_dataset(name, shape, dtype, dcpl=early.copy())
            for name, labels in dimensions.items():
                file.create_dataset(name, data=labels, dtype=h5py.string_dtype()).make_scale(name)
            time = file.create_dataset("t", (outputs,), np.dtype(np.float64), dcpl=early.copy())
            time.make_scale("t")
            time.attrs.update({"units": "s", "long_name": "time"})
            for part in parts:
                data = file.create_dataset(part.name, (outputs, *part.shape), np.dtype(np.float64), dcpl=early.copy())
                data.attrs.update({"units": part.unit, "long_name": part.words})
                for axis, name in enumerate(("t", *part.dims)):
                    data.dims[axis].attach_scale(file[name])
        with RunFile(new, writing=True) as file:
            file.write("t", 0, np.full(outputs, np.nan))  # what is not reached yet has no time


class RunFile:
    """An open results file: where its datasets lie, and what its slots say."""

    def __init__(self, path: Any, writing: bool = False):
        self.path = Path(path)
        self._descriptor = _held(self.path)
        finalize(self, os.close, self._descriptor)
        self.places: dict[str, tuple[int, tuple[int, ...]]] = {}
        self.texts: dict[str, str] = {}
        self._read_structure()
        self._commits = 0
        self._file: FileIO | None = None
        if writing:
            self._file = open(self.path, "r+b", buffering=0)  # noqa: SIM115
            self._lock()

    def _reading(self) -> IO[bytes]:
        """The file as it was when it was opened, also after another one has taken its place."""
        return open(self._descriptor, "rb", buffering=0, closefd=False)

    def _read_structure(self) -> None:
        with _opened(self.path) as file, _damage_told(self.path):
            for data in [*file.values(), *file[OWN].values()]:
                if isinstance(data, h5py.Dataset) and data.dtype.kind in "fuS" and data.id.get_offset() is not None:
                    self.places[Path(data.name).name] = (data.id.get_offset(), data.shape)
            for name in ("model", "settings", "versions"):
                self.texts[name] = file[OWN][name][()].decode()
            self.outputs_planned = len(file["t"])

    def _lock(self) -> None:
        """Keep other processes from writing to the same file; released when this process ends, however it ends."""
        assert self._file is not None
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise FileError(f"{self.path}: another process is writing to it; wait for it, or stop it") from None

    def __enter__(self) -> RunFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop writing."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _put(self, place: int, data: Any) -> None:
        assert self._file is not None
        view = memoryview(data).cast("B")
        self._file.seek(place)
        while view:
            view = view[self._file.write(view) :]

    def write(self, name: str, first: int, rows: np.ndarray) -> None:
        """Write rows of a dataset from output number `first` on."""
        place, shape = self.places[name]
        width = 8 * int(np.prod(shape[1:]))
        if len(rows):
            self._put(place + first * width, np.ascontiguousarray(rows, np.float64))

    def write_audit(self, text: str) -> None:
        """The audit in words, for whoever looks into the file."""
        self._put(self.places["audit"][0], text.encode()[:AUDIT_ROOM].ljust(AUDIT_ROOM, b"\0"))

    def commit(self, info: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Make all that was written count: numbers and words in `info`, and what is needed to go on in `arrays`."""
        if self._commits == 0:
            self._commits = max((number for number, _ in self._slots()), default=0)
        kept = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        table = {name: (array.dtype.str, array.shape) for name, array in kept.items()}
        text = json.dumps({"info": info, "arrays": table}).encode()
        content = struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for array in kept.values())
        place, (_, room) = self.places["slots"]
        if HEAD.size + len(content) > room:
            raise FileError(f"{self.path}: no room for a state of {len(content)} bytes in a slot of {room}")
        self._commits += 1
        head = HEAD.pack(MAGIC, self._commits, len(content), zlib.crc32(content, self._commits))
        self._put(place + (self._commits % 2) * room, head + content)

    def _slots(self) -> list[tuple[int, bytes]]:
        """Number and content of every slot that is whole."""
        place, (count, room) = self.places["slots"]
        found = []
        with self._reading() as file:
            for k in range(count):
                file.seek(place + k * room)
                magic, number, size, checksum = HEAD.unpack(file.read(HEAD.size))
                if magic == MAGIC and size <= room - HEAD.size:
                    content = file.read(size)
                    if zlib.crc32(content, number) == checksum:
                        found.append((number, content))
        return sorted(found)

    def reached(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """What the last commit said."""
        slots = self._slots()
        if not slots:
            raise FileError(f"{self.path}: the run was interrupted before its first segment was written; start it anew")
        content = slots[-1][1]
        (length,) = struct.unpack_from("<Q", content)
        head = json.loads(content[8 : 8 + length])
        arrays, at = {}, 8 + length
        for name, (dtype, shape) in head["arrays"].items():
            count = int(np.prod(shape))
            arrays[name] = np.frombuffer(content, dtype, count, at).reshape(shape).copy()
            at += arrays[name].nbytes
        return head["info"], arrays

    def rows(self, name: str, outputs: int) -> np.ndarray:
        """Rows of the outputs that count of a dataset; read from the file as they are looked at."""
        if name not in self.places:  # packed by another program: all of it is read
            with _opened(self.path) as file:
                return np.asarray(file[name][:outputs], np.float64)
        place, shape = self.places[name]
        with self._reading() as file:
            return np.asarray(np.memmap(file, np.float64, "c", place, (outputs, *shape[1:])))  # changes stay in memory

    def stretches(self, name: str, rows: np.ndarray, most: int) -> Iterator[tuple[slice, np.ndarray]]:
        """Some rows (numbers of outputs) of a dataset, in stretches of up to `most` numbers: where they stand in `rows`, and (n, width).

        Read, not mapped: what was looked at does not stay in memory.
        """
        if name not in self.places:
            yield slice(None), self.rows(name, self.outputs_planned).reshape(self.outputs_planned, -1)[rows]
            return
        place, shape = self.places[name]
        width = int(np.prod(shape[1:]))
        breaks = np.nonzero(np.diff(rows) != 1)[0] + 1
        with self._reading() as file:
            for begin, end in zip([0, *breaks], [*breaks, len(rows)]):
                for first in range(begin, end, max(1, most // width)):
                    last = min(first + max(1, most // width), end)
                    file.seek(place + 8 * width * int(rows[first]))
                    found = np.fromfile(file, np.float64, (last - first) * width)
                    if len(found) != (last - first) * width:
                        raise FileError(f"{self.path}: was cut off after it was opened")
                    yield slice(first, last), found.reshape(last - first, width)


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    """Whatever cannot be read of a file that could be opened: it is damaged."""
    try:
        yield
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise FileError(f"{path}: is damaged ({error})") from None


def _held(path: Path) -> int:
    """A descriptor of the file; or why there is none."""
    if path.is_dir():
        raise FileError(f"{path}: is a folder, not a results file")
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read ({error.strerror})") from None


def _opened(path: Path) -> h5py.File:
    """The file, opened for reading; or what is wrong with it."""
    with open(path, "rb") as raw:
        if raw.read(8) != SIGNATURE:
            raise FileError(f"{path}: is no HDF5 file; results are written by run.save or simulate(..., stream=)")
    try:
        file = h5py.File(path, "r", locking=False)
    except OSError as error:
        cut = "truncated" in str(error)
        size = os.path.getsize(path)
        why = f"is cut off after {size} bytes, not copied or downloaded as a whole" if cut else f"is damaged ({error})"
        raise FileError(f"{path}: {why}") from None
    with _damage_told(path):
        known = file.attrs.get("format") == FORMAT
    if not known:
        file.close()
        raise FileError(f"{path}: is an HDF5 file, but not one that run.save or simulate(..., stream=) wrote")
    if file.attrs["format_version"] > VERSION:
        version = file.attrs["format_version"]
        file.close()
        raise FileError(
            f"{path}: was written by a newer version (format {version}, known is {VERSION}); update poinsot"
        )
    return file


def is_run(path: Path) -> bool:
    """Whether a file is one of ours, whole enough to be read."""
    try:
        RunFile(path)
    except FileError:
        return False
    return True


def check_replaceable(path: Path) -> None:
    """Raise when a results file must not be replaced: it is being written, or holds a run that is not finished."""
    with RunFile(path, writing=True) as file:
        try:
            info, _ = file.reached()
        except FileError:  # nothing was computed
            return
    if not info["complete"]:
        raise FileError(
            f"{path}: holds an unfinished run, up to t = {info['t']:g} s; po.resume({str(path)!r}) or `poinsot resume {path}` goes on "
            "with it, or delete the file to start anew"
        )
