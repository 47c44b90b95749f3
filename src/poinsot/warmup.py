"""The first run on a machine: say that kernels are compiled, and compile the integrators in a second process meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# imported by the second process; this one compiles the formulation in the meantime and finds them in the cache
INTEGRATORS = "import poinsot.integrators.gauss_step, poinsot.integrators.march"
PATIENCE = 60.0  # s to wait for the second process before compiling everything here

_second: subprocess.Popen | None = None


def start() -> None:
    """Before kernels are imported: when there are none on disk, say so on stderr and start the second process."""
    global _second
    directory = Path(os.environ.get("NUMBA_CACHE_DIR", ""))
    if _second is not None or any(directory.rglob("*.nbi")):
        return
    print(
        "poinsot: compiling kernels for the first time; this takes some seconds, and the result is kept on disk",
        file=sys.stderr,
    )
    if (os.cpu_count() or 1) > 1 and Path(sys.executable or "").stem.startswith("python"):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        try:
            _second = subprocess.Popen([sys.executable, "-c", INTEGRATORS], **quiet)  # type: ignore[call-overload]
        except OSError:
            _second = None


def finish() -> None:
    """Before integrators are imported: wait until the second process, if there is one, has compiled them."""
    global _second
    if _second is not None:
        try:
            _second.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            _second.kill()
        _second = None
