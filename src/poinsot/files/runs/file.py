"""An open results file: rows by number, written in order, verified whenever they are read; and the progress of the run."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from poinsot.errors import FileError
from poinsot.files.runs.checksums import Checksums, known, row_bytes, wrong_block
from poinsot.files.runs.header import Place, read_table
from poinsot.files.runs.raw import RawFile, report_damage
from poinsot.files.runs.slots import NothingReached, Slots

AUDIT = "audit_checksum"  # key that is added to the content of the slots
ROWS = "last_blocks"


class RunFile:
    """An open results file. Opening it verifies its head and its structure.

    Parameters
    ----------
    path : of the file
    writing : whether rows are to be added; only one process can do that
    recover : whether to use the state before the last one if the last one is damaged; default: when writing, since the run
        continues from there
    """

    def __init__(self, path: Any, writing: bool = False, recover: bool | None = None):
        self.path = Path(path)
        self._recover = writing if recover is None else recover
        self._raw = RawFile(self.path, writing)
        self._table = read_table(self._raw)
        self.places: dict[str, Place] = self._table.rows | self._table.rooms
        self.outputs_planned, self.size = self._table.outputs, self._table.size
        with report_damage(self.path):
            found = {name: self._raw.read(place, *size) for name, (place, size) in self._table.texts.items()}
            self.texts = {name: found[name].decode() for name in ("model", "settings", "versions")}
        self._slots = Slots(self._raw, self.places["slots"])
        self._outputs = 0  # committed, as last read
        self._last: dict[str, int] = {}  # checksums of their last blocks
        self._written: Checksums | None = None
        self._audit: int | None = None

    def __enter__(self) -> RunFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop writing; it can still be read."""
        self._raw.stop_writing()

    @property
    def _checksums(self) -> Checksums:
        """Checksums of the rows written here, continued from the last commit."""
        if self._written is None:
            try:
                self.reached()
            except NothingReached:
                self._outputs, self._last = 0, {}
            self._written = Checksums(self._raw, self._table, self._outputs, self._last)
        return self._written

    def write(self, name: str, first: int, rows: np.ndarray) -> None:
        """Write rows of a dataset from output number `first` on, which must be the one after the last written."""
        checksums = self._checksums
        assert first == checksums.outputs[name], f"row {first} of {name} after {checksums.outputs[name]}"
        if len(rows):
            data = np.ascontiguousarray(rows, "<f8").data.cast("B")
            self._raw.put(self.places[name][0] + first * row_bytes(self._table, name), data)
            checksums.add(name, data)

    def write_audit(self, text: str) -> None:
        """The audit as text, for people who open the file with other tools."""
        place, (room,) = self.places["audit"]
        data = text.encode()[:room].ljust(room, b"\0")
        self._audit = zlib.crc32(data)
        self._raw.put(place, data)

    def commit(self, info: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Commit all that was written: numbers and words in `info`, and the arrays needed to resume in `arrays`."""
        checksums = self._checksums
        assert set(checksums.outputs.values()) == {info["outputs"]}
        self._slots.write({**info, ROWS: checksums.last, AUDIT: self._audit}, arrays)

    def reached(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Content of the last commit."""
        info, arrays = self._slots.read(self._recover)
        with report_damage(self.path):
            outputs, last, audit = info["outputs"], dict(info.pop(ROWS)), info.pop(AUDIT)
            if type(outputs) is not int or not 0 < outputs <= self.outputs_planned:
                raise ValueError(f"{outputs!r} outputs of {self.outputs_planned}")
        if info["complete"] and audit is not None:
            place, (room,) = self.places["audit"]
            if zlib.crc32(self._raw.read(place, room)) != audit:
                raise FileError(f"{self.path}: is damaged (checksum of the audit)")
        self._outputs, self._last = outputs, last
        return info, arrays

    def rows(self, name: str, outputs: int) -> np.ndarray:
        """The first rows of a dataset, this many; those that are committed are verified."""
        shape = self.places[name][1]
        return self._verified(name, 0, outputs).reshape(outputs, *shape[1:]).copy()

    def stretches(self, name: str, rows: np.ndarray, most: int) -> Iterator[tuple[slice, np.ndarray]]:
        """Some rows (output numbers, ascending) of a dataset, in pieces of up to `most` numbers or one block.

        Yields their positions in `rows`, and their values (n, width).
        """
        if not len(rows):
            return
        block = self._table.block
        at_once = self._blocks_at_once(name, most)
        blocks = rows // block
        low = int(blocks[0])
        full = known(self._raw, self._table, name, low, int(blocks[-1]) + 1)
        apart = np.diff(blocks) > 1  # blocks between them are not needed
        apart |= np.diff((blocks - low) // at_once) > 0
        breaks = (np.nonzero(apart)[0] + 1).tolist()
        for begin, end in zip([0, *breaks], [*breaks, len(rows)]):
            first, last = int(rows[begin]), int(rows[end - 1])
            found = self._verified(name, first, last + 1, full[first // block - low :])
            yield slice(begin, end), found if len(found) == end - begin else found[rows[begin:end] - first]

    def verify(self, most: int) -> None:
        """Read all committed rows, about `most` numbers at a time, and compare them with their checksums."""
        for name in self._table.rows:
            step = self._blocks_at_once(name, most) * self._table.block
            for first in range(0, self._outputs, step):
                self._verified(name, first, min(first + step, self._outputs))

    def _blocks_at_once(self, name: str, most: int) -> int:
        return max(1, 8 * most // (self._table.block * row_bytes(self._table, name)))

    def _verified(self, name: str, first: int, last: int, full: np.ndarray | None = None) -> np.ndarray:
        """Rows `first` to `last` (excluded) of a dataset, (n, width), verified by the checksums of their blocks.

        `full`: these checksums, if they are known.
        """
        block, width = self._table.block, row_bytes(self._table, name)
        begin = first // block
        end = max(last, min(-(-last // block) * block, self._outputs))
        if full is None:
            full = known(self._raw, self._table, name, begin, -(-end // block))
        data = self._raw.read(self.places[name][0] + begin * block * width, (end - begin * block) * width)
        wrong = wrong_block(self._table, name, begin, data, full, self._outputs, self._last.get(name))
        if wrong is not None:
            outputs = f"outputs {wrong * block} to {min((wrong + 1) * block, self._outputs) - 1}"
            raise FileError(f"{self.path}: is damaged (checksum of {name}, {outputs})")
        found = np.frombuffer(data, "<f8").reshape(-1, width // 8)
        return found[first - begin * block : last - begin * block]


def is_run(path: Path) -> bool:
    """Whether a file is a results file that can be read."""
    try:
        RunFile(path)
    except FileError:
        return False
    return True


def check_replaceable(path: Path) -> None:
    """Raise when a results file must not be replaced because it holds an unfinished run."""
    try:
        info, _ = RunFile(path).reached()
    except NothingReached:
        return
    if not info["complete"]:
        raise FileError(
            f"{path}: holds an unfinished run, up to t = {info['t']:g} s; po.resume({str(path)!r}) or `poinsot resume {path}` resumes "
            "it, or delete the file to start again"
        )
