"""The progress of a run is stored in two slots that are written alternately: the number of committed outputs, and the state to resume from.

A slot is marked while it is being written, so that one left behind by a process that died is distinguished from a
damaged one. The newer intact one counts.
"""

from __future__ import annotations

import json
import struct
import time
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import FileError
from poinsot.files.runs.header import Place
from poinsot.files.runs.raw import RawFile, report_damage

HEAD = struct.Struct(
    "<8sQQI"
)  # magic, number of the commit, bytes of the content, checksum of these two and the content
WHOLE = b"POINSOT2"
EMPTY = HEAD.pack(b"NO STATE", 0, 0, 0)
BEING_WRITTEN = HEAD.pack(b"WRITING.", 0, 0, 0)
TRIES, PAUSE = 5, 0.01  # number, and s: attempts to read a slot that another process is just writing
KINDS = "fiu"  # of arrays: numbers
INFO: dict[str, Any] = {
    "outputs": int,
    "t": int | float,
    "complete": bool,
    "seconds": int | float,
    "stopped": str | None,
    "error_position": int | float | None,
    "error_rotation": int | float | None,
    "dropped": list,
    "ambiguous": list,
    "moved": list,
    "selections": list,
    "audit": dict | None,
}  # entries that every state has, and their types


class NothingReached(FileError):
    """The run was interrupted before anything of it was written."""


class Slots:
    """The two slots of an open file."""

    def __init__(self, raw: RawFile, place: Place):
        self._raw = raw
        self._place, (self._count, self._room) = place
        self._number = 0  # of the last commit

    def write(self, info: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Commit what was written: numbers and words in `info`, and the arrays needed to resume in `arrays`."""
        if self._number == 0:
            self._number = self._newest(recover=True)[0]
        kept = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        table = {name: (array.dtype.str, array.shape) for name, array in kept.items()}
        text = json.dumps({"info": info, "arrays": table}).encode()
        content = struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for array in kept.values())
        if HEAD.size + len(content) > self._room:
            raise FileError(f"{self._raw.path}: a state of {len(content)} bytes does not fit into a slot of {self._room}")
        number = self._number + 1
        place = self._place + (number % 2) * self._room
        self._raw.put(place, BEING_WRITTEN)
        self._raw.put(place + HEAD.size, content)
        self._raw.put(place, HEAD.pack(WHOLE, number, len(content), _checksum(number, content)))
        self._number = number

    def read(self, recover: bool = False) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Content of the last commit; with `recover`, of the one before if it is damaged."""
        number, content = self._newest(recover)
        if number == 0:
            raise NothingReached(
                f"{self._raw.path}: the run was interrupted before its first segment was written; start it again"
            )
        with report_damage(self._raw.path):
            (length,) = struct.unpack_from("<Q", content)
            head = json.loads(content[8 : 8 + length])
            arrays, at = {}, 8 + length
            for name, (kind, shape) in head["arrays"].items():
                dtype = np.dtype(kind)
                if dtype.kind not in KINDS or any(type(n) is not int or n < 0 for n in shape):
                    raise TypeError(f"{name} is not an array of numbers")
                count = int(np.prod(shape, dtype=object))
                arrays[name] = np.frombuffer(content, dtype, count, at).reshape(shape).copy()
                at += arrays[name].nbytes
            if at != len(content):
                raise ValueError("sizes of arrays")
            _check(head["info"])
            return head["info"], arrays

    def _newest(self, recover: bool) -> tuple[int, bytes]:
        """Number and content of the newer intact slot; 0 when none was ever written."""
        for _ in range(TRIES):
            found = [self._slot(k) for k in range(self._count)]
            whole = [slot for slot in found if slot is not None]
            if len(whole) == self._count:
                break
            time.sleep(PAUSE)
        newest = max(whole, default=(0, b""))
        if len(whole) < self._count and not (recover and newest[0]):
            remedy = "; po.resume continues from the one before" if newest[0] else ""
            raise FileError(f"{self._raw.path}: is damaged (checksum of the state at its last segment){remedy}")
        return newest

    def _slot(self, k: int) -> tuple[int, bytes] | None:
        """Number and content of a slot: 0 when it is still empty, None when it is damaged."""
        place = self._place + k * self._room
        head = self._raw.read(place, HEAD.size)
        if head in (EMPTY, BEING_WRITTEN):
            return 0, b""
        magic, number, size, checksum = HEAD.unpack(head)
        if magic != WHOLE or number < 1 or number % 2 != k or size > self._room - HEAD.size:
            return None
        content = self._raw.read(place + HEAD.size, size)
        return (number, content) if _checksum(number, content) == checksum else None


def _check(info: dict[str, Any]) -> None:
    """Raise unless all entries have the right type."""
    for name, kinds in INFO.items():
        if not isinstance(info[name], kinds):
            raise TypeError(f"{name} is {info[name]!r}")
    for name in ("impulses", "switches", "waiting"):
        if not isinstance(info.setdefault(name, []), list):
            raise TypeError(f"{name} is {info[name]!r}")
    for rows in (info["dropped"], *(rows for _, rows in info["selections"])):
        if any(type(row) is not int for row in rows):
            raise TypeError(f"{rows!r} are not rows")


def _checksum(number: int, content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(struct.pack("<QQ", number, len(content))))
