"""Checksums of rows: one for every block of outputs of every dataset, seeded with the name of the dataset and the block number.

Checksums of full blocks are stored in the file. That of the block being filled is kept with the state of the run
(`slots.py`): rows written after it are not committed yet, and it does not cover them.
"""

from __future__ import annotations

import zlib

import numpy as np

from poinsot.files.runs.header import Table
from poinsot.files.runs.raw import RawFile


class Checksums:
    """Of the rows being written: `outputs` of each dataset so far, and the checksum of its last, unfinished block."""

    def __init__(self, raw: RawFile, table: Table, outputs: int, last: dict[str, int]):
        self._raw, self._table = raw, table
        self._places = places(table)
        self.outputs = dict.fromkeys(table.rows, outputs)
        self.last = {name: last.get(name, 0) for name in table.rows}

    def add(self, name: str, data: memoryview) -> None:
        """Add rows of a dataset; checksums of full blocks are written."""
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
    """The stored checksums of the blocks `first` to `last` (excluded) of a dataset."""
    return np.frombuffer(raw.read(places(table)[name] + 4 * first, 4 * (last - first)), "<u4")


def wrong_block(
    table: Table, name: str, first: int, data: bytes, full: np.ndarray, outputs: int, last: int | None
) -> int | None:
    """Compare rows from the block `first` on with their checksums, as far as `outputs` are committed; returns the first damaged block.

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
    """Initial value of the checksum of a block."""
    return zlib.crc32(f"{name} {block}".encode())
