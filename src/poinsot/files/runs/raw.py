"""A file as bytes by offset: read and written without memory mapping, so that a file that shrinks is an error, not a crash."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from poinsot.errors import FileError, PoinsotError
from poinsot.files.appearing import report_os_errors
from poinsot.files.runs.locks import lock, unlock

BINARY = getattr(os, "O_BINARY", 0)
SWEEP = b"poinsot sweep 1\n"  # how a file that holds a sweep begins
WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer is an error, not waited for


class RawFile:
    """An open file. It stays the one that was opened even after another one has replaced it."""

    def __init__(self, path: Path, writing: bool = False):
        self.path, self.writing = path, writing
        self._descriptor = _opened(path, writing)
        self._closed = finalize(self, os.close, self._descriptor)
        self._moving = Lock()
        if writing:
            try:
                lock(self._descriptor, path)
            except FileError:
                self._closed()
                raise

    def size(self) -> int:
        """Bytes."""
        return os.fstat(self._descriptor).st_size

    def read(self, place: int, size: int) -> bytes:
        """This many bytes from an offset on."""
        try:
            found = self._read(place, size)
        except OSError as error:
            raise FileError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        if len(found) != size:
            raise FileError(f"{self.path}: was truncated after it was opened")
        return found

    def _read(self, place: int, size: int) -> bytes:
        pieces, missing = [], size
        while missing:
            if hasattr(os, "pread"):
                piece = os.pread(self._descriptor, missing, place)
            else:
                with self._moving:
                    os.lseek(self._descriptor, place, os.SEEK_SET)
                    piece = os.read(self._descriptor, missing)
            if not piece:
                break
            pieces.append(piece)
            place, missing = place + len(piece), missing - len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def put(self, place: int, data: Any) -> None:
        """Write bytes from an offset on."""
        if not self.writing:
            raise FileError(f"{self.path}: is open for reading only")
        view = memoryview(data).cast("B")
        with report_os_errors(self.path), self._moving:
            os.lseek(self._descriptor, place, os.SEEK_SET)
            while view:
                view = view[os.write(self._descriptor, view) :]

    def stop_writing(self) -> None:
        """Let others write; it can still be read."""
        if self.writing:
            self.writing = False
            unlock(self._descriptor)

    def close(self) -> None:
        """Close it."""
        self.writing = False
        self._closed()


def _opened(path: Path, writing: bool) -> int:
    """A descriptor of the file; raises a FileError when it cannot be opened."""
    try:
        how = os.O_RDWR if writing else os.O_RDONLY
        descriptor = os.open(path, how | BINARY | WITHOUT_WAITING)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise FileError(f"{path}: is a folder, not a results file") from None
    except (OSError, ValueError) as error:
        words = "written" if writing else "read"
        raise FileError(f"{path}: cannot be {words} ({getattr(error, 'strerror', None) or error})") from None
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    raise FileError(f"{path}: is a {'folder' if stat.S_ISDIR(kind) else 'device or a pipe'}, not a results file")


@contextmanager
def report_damage(path: Path) -> Iterator[None]:
    """Turn errors of inconsistent content into a FileError: the file is damaged."""
    try:
        yield
    except PoinsotError:
        raise
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, MemoryError, RecursionError) as error:
        raise FileError(f"{path}: is damaged ({type(error).__name__}: {error})") from error


def is_sweep(path: Path) -> bool:
    """Whether a file holds a sweep, not a run."""
    try:
        if not path.is_file():  # to open a pipe would be to wait for somebody who writes to it
            return False
        with path.open("rb") as file:
            return file.read(len(SWEEP)) == SWEEP
    except (OSError, ValueError):
        return False
