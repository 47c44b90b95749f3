"""Locks: only one process, and one thread of it, writes to a results file or creates it. Locks end with the process, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from poinsot.errors import FileError
from poinsot.files.appearing import replaceable, report_os_errors

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # this system has no such locks
    fcntl = None

BUSY = "another process is writing to it; wait for it, or stop it"


def lock(descriptor: int, path: Any) -> None:
    """Keep others from writing to an open file; raise when they already do, or when another file has taken its name."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FileError(f"{path}: {BUSY}") from None
    except OSError:  # a file system that has no locks
        return
    if not _there(descriptor, path):
        unlock(descriptor)
        raise FileError(f"{path}: {BUSY}")


def unlock(descriptor: int) -> None:
    """Let others write."""
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        except OSError:  # a file system that has no locks
            return


@contextmanager
def claim(path: Path) -> Iterator[bool]:
    """Lock a name, so that no other process can create or replace results there. Yields whether a file exists that could be lost.

    When there is no file, an empty one holds the name until the new file takes its place; a process that is killed in
    between leaves it behind, which does no harm.
    """
    target = replaceable(path)
    if fcntl is None:
        yield target.exists() and target.stat().st_size > 0
        return
    with report_os_errors(path):
        try:
            descriptor, made = os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666), True
        except FileExistsError:
            descriptor, made = os.open(target, os.O_RDWR), False
    try:
        lock(descriptor, path)
        try:
            yield os.fstat(descriptor).st_size > 0
        finally:
            if made and os.fstat(descriptor).st_size == 0 and _there(descriptor, target):
                target.unlink()
    finally:
        os.close(descriptor)


def _there(descriptor: int, path: Any) -> bool:
    """Whether the name still belongs to the open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except OSError:
        return False
