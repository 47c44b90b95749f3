"""The first run on a machine: other processes help to compile its kernels (`build.py`)."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from poinsot import _sources
from poinsot.build import Build
from poinsot.notice import notice

# a helper: imports that are always needed, modules that every run needs, then those that it reads from stdin
HELPER = """
import os, sys, time, poinsot.tables.types
from pathlib import Path
from poinsot.build import Build
parent, end = os.getppid(), time.monotonic() + 600
for modules in (lambda: [sys.argv[2]], lambda: sys.stdin.readline().split()):
    Build(Path(sys.argv[1]), modules()).work(lambda: os.getppid() == parent and time.monotonic() < end or sys.exit(1))
"""
EVERY_RUN = "poinsot.integrators.march"  # where its kernels are missing, others are missing too
MOST = 3  # helpers, at most; one less than there are cores
PATIENCE = 60.0  # s without a new kernel from a helper before compiling everything here

_helpers: list[subprocess.Popen] = []
_folder = Path()  # what they have taken and done
_owner = 0  # the process that started them
_seen: set[tuple[str | None, str]] = set()  # folders, and modules whose kernels were found there


def start() -> None:
    """Before kernels are imported: when they are not on disk, start the helpers."""
    if not _kept(EVERY_RUN):
        _launch()


def compile_ahead(modules: Sequence[str]) -> None:
    """As soon as the modules that a run needs are known: if kernels are missing, compile them together with the helpers, which then end."""
    if not _helpers and not all(_kept(one) for module in modules for one in _compiling(module)):
        _launch()
    if not _helpers or not _ours():
        return
    wanted = [*modules, EVERY_RUN]
    notice.helped += wanted
    try:
        for helper in _helpers:
            assert helper.stdin is not None
            with suppress(OSError):  # it has ended
                helper.stdin.write((" ".join(wanted) + "\n").encode())
                helper.stdin.close()
        Build(_folder, wanted).work(_Watch())
    finally:  # Ctrl-C ends them as well
        notice.end()
        stop()


class _Watch:
    """Asked again and again while this process waits for helpers: whether they go on."""

    def __init__(self) -> None:
        self.found, self.since = -1, time.monotonic()

    def __call__(self) -> bool:
        new, now = notice.finished(), time.monotonic()
        if new != self.found:
            self.found, self.since = new, now
        notice.show()
        return now - self.since < PATIENCE and all(helper.poll() in (None, 0) for helper in _helpers)


def stop() -> None:
    """End the helpers, if this process started them and they are still running, and wait until they have ended."""
    if not _ours():
        return
    for helper in _helpers:
        if helper.poll() is None:
            helper.kill()
        helper.wait()
        for stream in (helper.stdin, helper.stdout, helper.stderr):
            if stream is not None:
                with suppress(OSError):  # the last write could not be delivered
                    stream.close()
    if _helpers:
        shutil.rmtree(_folder, ignore_errors=True)
    _helpers.clear()


def compiled_before(module: str) -> bool:
    """Whether kernels of a module, or of a package's own modules, are on disk in their present version; also True if they cannot be cached."""
    folder, file = os.environ.get("NUMBA_CACHE_DIR"), _sources.module_file(module)
    if not folder or file is None:
        return True
    own = sorted(file.parent.glob("*.py")) if file.stem == "__init__" else [file]
    stamps = {_sources.stamp(one) for one in own}
    return any(kernel.stem.rpartition("-")[2] in stamps for kernel in Path(folder).glob("*/*.nbi"))


def _launch() -> None:
    global _folder, _owner
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if _helpers or not os.environ.get("NUMBA_CACHE_DIR") or cores < 2 or not Path(sys.executable or "").stem.startswith("python"):
        return
    _folder, _owner = Path(tempfile.mkdtemp(prefix="poinsot-")), os.getpid()
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with suppress(OSError):
        for _ in range(min(cores - 1, MOST)):
            _helpers.append(subprocess.Popen([sys.executable, "-c", HELPER, str(_folder), EVERY_RUN], **quiet))  # type: ignore[call-overload]
    atexit.register(stop)


@cache
def _compiling(module: str) -> list[str]:
    """A module if it compiles kernels, otherwise those of the modules it imports that do."""
    return [one for one in ([module] if _sources.compiles(module) else _sources.imported_modules(module)) if _sources.compiles(one)]


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
