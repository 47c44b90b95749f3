"""Compile all kernels of the package that are not on disk yet, in two processes: `python tests/all_kernels.py`.

Tests that run side by side would otherwise compile many of them once each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILE = """
import os, pkgutil, sys
from importlib import import_module
from pathlib import Path
import poinsot
from poinsot.build import Build
folder, first = Path(sys.argv[1]), sys.argv[2] == "0"
names = [found.name for found in pkgutil.walk_packages(poinsot.__path__, "poinsot.")]
try:
    Build(folder, names).work(lambda: not (folder / "failed").exists())
    for name in names if first else ():
        import_module(name)
except BaseException:
    (folder / "failed").touch()  # the others need not wait
    raise
print(os.environ.get("NUMBA_CACHE_DIR", ""))
"""
PROCESSES = 2


def compile_all(source: Path) -> set[Path]:
    """Compile the kernels of the package in this folder; returns the directories that hold them."""
    environment = os.environ | {"PYTHONPATH": str(source)}
    environment.pop("NUMBA_CACHE_DIR", None)  # the directory for the sources as they are
    with tempfile.TemporaryDirectory() as folder:
        commands = [[sys.executable, "-c", COMPILE, folder, str(k)] for k in range(PROCESSES)]
        processes = [subprocess.Popen(c, env=environment, stdout=subprocess.PIPE, text=True) for c in commands]
        try:
            found = {Path(process.communicate()[0].strip()) for process in processes}
        finally:
            for process in processes:
                process.kill()
    if any(process.returncode for process in processes):
        raise SystemExit("the sources as they are cannot be imported")
    return found


if __name__ == "__main__":
    compile_all(Path(__file__).resolve().parents[1] / "src")
