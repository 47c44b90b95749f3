"""The first run on a machine: a second process compiles some of the kernels in parallel."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from poinsot import _sources
from poinsot.notice import notice

# the second process: imports that are always needed, then the modules that it reads from stdin
SECOND = """
import sys, poinsot.tables.types
from importlib import import_module
for module in sys.stdin.readline().split():
    import_module(module)
"""
EVERY_RUN = "poinsot.integrators.march"  # where its kernels are missing, others are missing too
PATIENCE = 60.0  # s without a new kernel from the second process before compiling everything here
LOOK = 0.2  # s between two checks of its progress

_second: subprocess.Popen | None = None
_owner = 0  # the process that started it
_seen: set[tuple[str | None, str]] = set()  # folders, and modules whose kernels were found there


def start() -> None:
    """Before kernels are imported: when they are not on disk, start the second process."""
    if not _kept(EVERY_RUN):
        _launch()


def share(steps: Sequence[str]) -> None:
    """As soon as the modules of the steps are known: tell the second process to compile them; start one if kernels are missing."""
    modules = [*steps, EVERY_RUN]
    if _second is None and not _kept(modules[0]):
        _launch()
    if _ours() and _second is not None and _second.stdin is not None and not _second.stdin.closed:
        notice.helped += modules
        try:
            _second.stdin.write((" ".join(modules) + "\n").encode())
            _second.stdin.close()
        except OSError:  # it has ended: everything is compiled here
            stop()


def finish(besides: Sequence[str]) -> None:
    """Before integrators are imported: wait until the second process, if there is one, has compiled them; compile other modules meanwhile,
    and the last of its own if it has not come to it.
    """
    if not _ours() or _second is None:
        return
    for module in (*besides, EVERY_RUN):
        import_module(module)
    found, since = -1, time.monotonic()
    try:
        while _second.poll() is None and time.monotonic() - since < PATIENCE:
            new = notice.finished()
            if new != found:
                found, since = new, time.monotonic()
            notice.show()
            try:
                _second.wait(LOOK)
            except subprocess.TimeoutExpired:
                continue
    finally:  # Ctrl-C ends it as well
        notice.end()
        stop()


def stop() -> None:
    """End the second process, if this one started it and it is still running, and wait until it has ended."""
    global _second
    if _second is not None and _ours():
        if _second.poll() is None:
            _second.kill()
        _second.wait()
        for stream in (_second.stdin, _second.stdout, _second.stderr):
            if stream is not None:
                with suppress(OSError):  # the last write could not be delivered
                    stream.close()
        _second = None


def compiled_before(module: str) -> bool:
    """Whether kernels of a module, or of a package's own modules, are on disk in their present version; also True if they cannot be cached."""
    folder, file = os.environ.get("NUMBA_CACHE_DIR"), _sources.module_file(module)
    if not folder or file is None:
        return True
    own = sorted(file.parent.glob("*.py")) if file.stem == "__init__" else [file]
    stamps = {_sources.stamp(one) for one in own}
    return any(kernel.stem.rpartition("-")[2] in stamps for kernel in Path(folder).glob("*/*.nbi"))


def _launch() -> None:
    global _second, _owner
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if _second is not None or not folder or (os.cpu_count() or 1) < 2 or not Path(sys.executable or "").stem.startswith("python"):
        return
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        _second = subprocess.Popen([sys.executable, "-c", SECOND], **quiet)  # type: ignore[call-overload]
    except OSError:
        return
    _owner = os.getpid()
    atexit.register(stop)


def _ours() -> bool:
    """Whether this process started the second one; a copy made by a fork did not."""
    return _owner == os.getpid()


def _kept(module: str) -> bool:
    """Whether the kernels of a module in its present version are on disk; also True if they cannot be cached, when a second process is of no
    use. Once found they are taken to be there.
    """
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if (folder, module) in _seen:
        return True
    file = _sources.module_file(module)
    if folder and file is not None and not any(Path(folder).glob(f"*/*-{_sources.stamp(file)}.nbi")):
        return False
    _seen.add((folder, module))
    return True
