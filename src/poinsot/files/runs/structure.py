"""The structure of a results file: HDF5 with space for all outputs, written once, before the run.

After that, rows are written by position into the space that HDF5 has allocated for them, so that none of HDF5's own
metadata ever changes: whenever the writing process dies, the file is intact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np

from poinsot.files.appearing import appearing
from poinsot.files.runs.header import Place, Table, head_room, pack_head, structure_checksum
from poinsot.files.runs.raw import RawFile
from poinsot.files.runs.schema import FORMAT, VERSION, Part
from poinsot.files.runs.slots import EMPTY

AUDIT_ROOM = 16_384  # bytes of the audit's text
BLOCK_BYTES = 65_536  # approximate size of a block (outputs that share a checksum) of the widest dataset
OWN = "poinsot"  # group of everything that is not a result over time


class SparseFile:
    """A sparse file in memory: HDF5 allocates gigabytes of space, but writes only some kilobytes.

    The file on disk is written by this package itself, so that a full disk is an ordinary error.
    """

    PAGE = 4096

    def __init__(self) -> None:
        self.pages: dict[int, bytearray] = {}
        self.size = self.at = 0

    def _stretches(self, length: int) -> Iterator[tuple[int, slice, slice]]:
        """Number of a page, part of that page, part of the `length` bytes from here on."""
        done = 0
        while done < length:
            page, begin = divmod(self.at + done, self.PAGE)
            count = min(self.PAGE - begin, length - done)
            yield page, slice(begin, begin + count), slice(done, done + count)
            done += count

    def seek(self, offset: int, whence: int = 0) -> int:
        """As for any file."""
        self.at = offset + (0, self.at, self.size)[whence]
        return self.at

    def tell(self) -> int:
        """As for any file."""
        return self.at

    def write(self, data: bytes) -> int:
        """As for any file."""
        view = memoryview(data).cast("B")
        for page, there, here in self._stretches(len(view)):
            self.pages.setdefault(page, bytearray(self.PAGE))[there] = view[here]
        self.at += len(view)
        self.size = max(self.size, self.at)
        return len(view)

    def readinto(self, buffer: bytearray) -> int:
        """As for any file; bytes that were never written are zero."""
        view = memoryview(buffer).cast("B")
        empty = bytes(self.PAGE)
        for page, there, here in self._stretches(len(view)):
            view[here] = self.pages.get(page, empty)[there]
        self.at += len(view)
        return len(view)

    def read(self, size: int) -> bytes:
        """As for any file."""
        buffer = bytearray(size)
        self.readinto(buffer)
        return bytes(buffer)

    def truncate(self, size: int) -> None:
        """As for any file."""
        self.size = size

    def flush(self) -> None:
        """Nothing is buffered."""


def create(
    path: Path,
    parts: list[Part],
    dimensions: Mapping[str, list[str]],
    outputs: int,
    texts: Mapping[str, str],
    slot: int,
) -> None:
    """Write the structure of a file with space for `outputs` outputs and for slots of this many bytes. `texts`: model, settings, versions.

    It appears under its name when it is complete.
    """
    widest = max(int(np.prod(part.shape)) for part in parts)
    block = 1 << max(0, (BLOCK_BYTES // (8 * widest)).bit_length() - 1)
    content = SparseFile()
    table = _structure(content, parts, dimensions, outputs, texts, slot, block)
    with appearing(path) as new:
        with open(new, "r+b") as file:
            for page, data in content.pages.items():
                file.seek(page * content.PAGE)
                file.write(data)
            file.truncate(table.size)
        with closing(RawFile(new, writing=True)) as raw:
            raw.put(0, pack_head(replace(table, structure=structure_checksum(raw, table))))
            place, (count, room) = table.rooms["slots"]
            for k in range(count):
                raw.put(place + k * room, EMPTY)
            raw.put(table.rows["t"][0], np.full(outputs, np.nan))  # outputs that are not reached yet have no time


def _structure(
    content: SparseFile,
    parts: list[Part],
    dimensions: Mapping[str, list[str]],
    outputs: int,
    texts: Mapping[str, str],
    slot: int,
    block: int,
) -> Table:
    """Have HDF5 write the structure, and return the offsets of all parts."""
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    early.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    head = head_room([*(part.name for part in parts), *dimensions, *texts])
    room = {
        "audit": ((1,), h5py.string_dtype(length=AUDIT_ROOM)),
        "slots": ((2, slot), np.dtype(np.uint8)),
        "checksums": ((len(parts) + 1, -(-outputs // block)), np.dtype(np.uint32)),
    }
    with h5py.File(content, "w", userblock_size=head) as file:
        file.attrs.update({"format": FORMAT, "format_version": VERSION})
        own = file.create_group(OWN)
        for name, text in texts.items():
            fixed = h5py.string_dtype(length=max(1, len(text.encode())))
            own.create_dataset(name, data=np.array(text.encode(), fixed), dtype=fixed)
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
        rows: dict[str, Place] = {
            name: (file[name].id.get_offset(), file[name].shape) for name in ("t", *(part.name for part in parts))
        }
        rooms: dict[str, Place] = {name: (own[name].id.get_offset(), shape) for name, (shape, _) in room.items()}
        rooms["audit"] = (rooms["audit"][0], (AUDIT_ROOM,))
        places: dict[str, Place] = {
            name: (own[name].id.get_offset(), (len(text.encode()),)) for name, text in texts.items()
        }
    return Table(content.size, head, outputs, block, rows, rooms, places)
