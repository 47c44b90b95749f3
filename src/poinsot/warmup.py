"""The first run on a machine: say that kernels are compiled, and compile some of them in a second process meanwhile."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

# what the second process does: what takes a while anyway, then it reads which modules to import
SECOND = """
import sys, poinsot.tables.types
from importlib import import_module
for module in sys.stdin.readline().split():
    import_module(module)
"""
# by formulation: what the second process compiles, and what this one can compile meanwhile besides the formulation itself
INTEGRATORS = {
    "directors": "poinsot.formulations.directors.energy_momentum_step poinsot.integrators.march",
    "": "poinsot.integrators.gauss_step poinsot.integrators.march",
}
MEANWHILE = {
    "directors": (
        "poinsot.analysis.assemble",
        "poinsot.analysis.redundancy",
        "poinsot.formulations.tree.placement",
        "poinsot.results.observe",
    )
}
PATIENCE = 60.0  # s to wait for the second process before compiling everything here

_second: subprocess.Popen | None = None


def start() -> None:
    """Before kernels are imported: when there are none on disk, say so on stderr and start the second process."""
    global _second
    directory = os.environ.get("NUMBA_CACHE_DIR")
    if _second is not None or directory and any(Path(directory).rglob("*.nbi")):
        return
    if not directory:
        print(
            "poinsot: compiling kernels; nowhere can they be kept on disk, so every start takes some seconds",
            file=sys.stderr,
        )
        return
    print(
        "poinsot: compiling kernels for the first time; this takes some seconds, and the result is kept on disk",
        file=sys.stderr,
    )
    if (os.cpu_count() or 1) > 1 and Path(sys.executable or "").stem.startswith("python"):
        quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            _second = subprocess.Popen([sys.executable, "-c", SECOND], **quiet)  # type: ignore[call-overload]
        except OSError:
            _second = None
        else:
            atexit.register(_stop, os.getpid())


def _stop(process: int) -> None:
    """At the end of this process: the second one has nobody to compile for, and writes no more to the cache."""
    if _second is not None and os.getpid() == process:
        _second.kill()
        _second.wait()


def share(formulation: str) -> None:
    """As soon as the formulation is known: tell the second process, if there is one, what to compile."""
    if _second is not None and _second.stdin is not None and not _second.stdin.closed:
        try:
            _second.stdin.write((INTEGRATORS.get(formulation, INTEGRATORS[""]) + "\n").encode())
            _second.stdin.close()
        except OSError:  # it is no longer there: everything is compiled here
            pass


def finish(formulation: str) -> None:
    """Before integrators are imported: wait until the second process, if there is one, has compiled them."""
    global _second
    if _second is not None:
        for module in MEANWHILE.get(formulation, ()):
            import_module(module)
        try:
            _second.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            _second.kill()
        _second = None
