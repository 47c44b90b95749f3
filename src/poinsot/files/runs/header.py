"""The head of a results file: offsets of all parts, and checksums.

It precedes the HDF5 part, in what HDF5 calls the user block: other programs skip it, and this package reads files
by it alone. No part of a file is passed to the HDF5 library, which trusts what it reads.

Every byte of a file is covered: the head by checksums of its own; the structure, which is all of the HDF5 part that is not
space for results, by one checksum in the head; rows of results by one per block (`checksums.py`); slots by theirs (`slots.py`).
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from poinsot.errors import FileError
from poinsot.files.runs.raw import RawFile, report_damage
from poinsot.files.runs.schema import FORMAT, VERSION

MAGIC = b"POINSOT RESULTS\n"
SIGNATURE = b"\x89HDF\r\n\x1a\n"
# magic, version of the format, bytes of the head, checksum of the table after this; then the checksum of these themselves.
# In every version the first two and the last stay at their place.
FIRST, CHECKSUM = struct.Struct("<16sIII"), struct.Struct("<I")
AT_ONCE = 1 << 20  # bytes
WIDTHS = {"slots": 1, "audit": 1, "checksums": 4}  # bytes of one entry; of rows they are 8

Place = tuple[int, tuple[int, ...]]


@dataclass(frozen=True)
class Table:
    """Table of contents of a file: offsets in bytes, and shapes.

    Attributes
    ----------
    size : bytes of the file
    head : bytes of the head, after which HDF5 begins
    outputs : number of outputs for which there is space
    block : number of outputs that share a checksum
    rows : datasets over time, in order
    rooms : other parts written during a run: slots, audit, checksums
    texts : model, settings, versions
    structure : checksum of all parts that are written once
    """

    size: int
    head: int
    outputs: int
    block: int
    rows: dict[str, Place]
    rooms: dict[str, Place]
    texts: dict[str, Place]
    structure: int = 0

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.outputs // self.block)

    def written_once(self) -> Iterator[tuple[int, int]]:
        """Beginning and end of the pieces between the rooms."""
        rooms = [(place, place + 8 * math.prod(shape)) for place, shape in self.rows.values()]
        rooms += [(place, place + WIDTHS[name] * math.prod(shape)) for name, (place, shape) in self.rooms.items()]
        begin = self.head
        for first, last in [*sorted(rooms), (self.size, self.size)]:
            if first > begin:
                yield begin, first
            begin = max(begin, last)


def structure_checksum(raw: RawFile, table: Table) -> int:
    """Checksum of all parts that are written once."""
    found = 0
    for begin, end in table.written_once():
        for place in range(begin, end, AT_ONCE):
            found = zlib.crc32(raw.read(place, min(AT_ONCE, end - place)), found)
    return found


def head_room(names: list[str]) -> int:
    """Bytes of a head for entries of these names: a power of two, as HDF5 requires."""
    needed = 512 + sum(len(json.dumps(name)) + 100 for name in names)
    return max(512, 1 << (needed - 1).bit_length())


def pack_head(table: Table) -> bytes:
    """A head."""
    text = json.dumps(asdict(table)).encode()
    text = text.ljust(table.head - FIRST.size - CHECKSUM.size)
    first = FIRST.pack(MAGIC, VERSION, table.head, zlib.crc32(text))
    found = first + CHECKSUM.pack(zlib.crc32(first)) + text
    assert len(found) == table.head
    return found


def read_table(raw: RawFile) -> Table:
    """The table of a file whose head and structure are intact; raises a FileError otherwise."""
    path, size = raw.path, raw.size()
    start = raw.read(0, min(size, FIRST.size + CHECKSUM.size))
    if not start.startswith(MAGIC):
        raise FileError(f"{path}: {_foreign(raw, start)}")
    if len(start) < FIRST.size + CHECKSUM.size:
        raise FileError(f"{path}: is truncated after {size} bytes; copy or download it again")
    _, version, head, checksum = FIRST.unpack_from(start)
    if CHECKSUM.unpack_from(start, FIRST.size) != (zlib.crc32(start[: FIRST.size]),):
        raise FileError(f"{path}: is damaged (checksum of its head)")
    if version > VERSION:
        raise FileError(
            f"{path}: was written by a newer version (format {version}; this version reads format {VERSION}); update poinsot"
        )
    if size < head:
        raise FileError(f"{path}: is truncated after {size} bytes; copy or download it again")
    text = raw.read(len(start), head - len(start))
    if zlib.crc32(text) != checksum:
        raise FileError(f"{path}: is damaged (checksum of its head)")
    with report_damage(path):
        table = _parsed(json.loads(text), head)
    if size < table.size:
        raise FileError(f"{path}: is truncated after {size} of {table.size} bytes; copy or download it again")
    if size > table.size or structure_checksum(raw, table) != table.structure:
        raise FileError(f"{path}: is damaged, or was changed by another program (checksum of its structure)")
    return table


def _parsed(data: dict[str, Any], head: int) -> Table:
    places = {}
    for kind in ("rows", "rooms", "texts"):
        places[kind] = {name: (int(place), tuple(map(int, shape))) for name, (place, shape) in data[kind].items()}
        for name, (place, shape) in places[kind].items():
            width = 8 if kind == "rows" else WIDTHS.get(name, 1)
            if min(place, *shape) < 0 or place + width * math.prod(shape) > data["size"]:
                raise ValueError(f"{name} does not lie in the file")
            if kind == "rows" and shape[0] != data["outputs"]:
                raise ValueError(f"{name} has another number of rows")
    sizes = [data[name] for name in ("size", "outputs", "block", "structure")]
    if data["head"] != head or any(type(size) is not int for size in sizes) or data["block"] < 1:
        raise ValueError("sizes")
    return Table(data["size"], head, data["outputs"], data["block"], **places, structure=data["structure"])


def _foreign(raw: RawFile, start: bytes) -> str:
    """Description of a file that does not begin as a results file."""
    if not start:
        return "is empty, not an HDF5 file; results are written by run.save or simulate(..., stream=)"
    if not start.startswith(SIGNATURE):
        return "is not an HDF5 file; results are written by run.save or simulate(..., stream=)"
    if FORMAT.encode() in raw.read(0, min(raw.size(), AT_ONCE)):
        return (
            "was written by an earlier version (format 1) or repacked by another program, and has no checksums "
            f"to verify its numbers (this version reads format {VERSION}); run the model again"
        )
    return "is an HDF5 file, but not one that run.save or simulate(..., stream=) wrote"
