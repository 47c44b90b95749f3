"""Checksums of rows: one for every block of outputs of every dataset, each of which also knows its dataset and its number.

Checksums of full blocks stand in the file. That of the block which is being filled is kept with the state of the run
(`slots.py`): rows written after it do not count yet, and are not covered by it.
"""

from __future__ import annotations

import zlib

import numpy as np

from poinsot.files.runs.header import Table
from poinsot.files.runs.raw import RawFile


class Checksums:
    """Of the rows that are written: `outputs` of each dataset so far, and of each the checksum of the last, unfinished block."""

    def __init__(self, raw: RawFile, table: Table, outputs: int, last: dict[str, int]):
        self._raw, self._table = raw, table
        self._places = places(table)
        self.outputs = dict.fromkeys(table.rows, outputs)
        self.last = {name: last.get(name, 0) for name in table.rows}

    def add(self, name: str, data: memoryview) -> None:
        """Further rows of a dataset; checksums of blocks that are full are written."""
        block, at, full = self._table.block, self.outputs[name], []
        first = at // block
        width = row_bytes(self._table, name)
        rows, done = len(data) // width, 0
        while done < rows:
            number, within = divmod(at + done, block)
            count = min(block - within, rows - done)
            begin = self.last[name] if within else seed(name, number)
            self.last[name] = zlib.crc32(data[done * width : (done + count) * width], begin)
            if within + count == block:
                full.append(self.last[name])
            done += count
        self.outputs[name] = at + rows
        if full:
            self._raw.put(self._places[name] + 4 * first, np.array(full, "<u4"))


def known(raw: RawFile, table: Table, name: str, first: int, last: int) -> np.ndarray:
    """The checksums in the file of the blocks `first` to `last` (that one excluded) of a dataset."""
    return np.frombuffer(raw.read(places(table)[name] + 4 * first, 4 * (last - first)), "<u4")


def wrong_block(
    table: Table, name: str, first: int, data: bytes, full: np.ndarray, outputs: int, last: int | None
) -> int | None:
    """Compare rows from the block `first` on with their checksums, as far as `outputs` count; the first block that is not as it was written.

    `full`: checksums of these blocks if they are full; `last`: of the last, unfinished one of all.
    """
    block, width = table.block, row_bytes(table, name)
    view = memoryview(data)
    for k in range(-(-len(view) // (width * block))):
        end = min(block, outputs - (first + k) * block)
        if end <= 0:
            break
        begin = k * block * width
        found = zlib.crc32(view[begin : begin + end * width], seed(name, first + k))
        if found != (last if end < block else full[k]):
            return first + k
    return None


def places(table: Table) -> dict[str, int]:
    """Where the checksums of each dataset begin."""
    place, _ = table.rooms["checksums"]
    return {name: place + 4 * k * table.blocks for k, name in enumerate(table.rows)}


def row_bytes(table: Table, name: str) -> int:
    """Bytes of one row of a dataset."""
    return 8 * int(np.prod(table.rows[name][1][1:], dtype=int))


def seed(name: str, block: int) -> int:
    """What the checksum of a block begins with."""
    return zlib.crc32(f"{name} {block}".encode())
