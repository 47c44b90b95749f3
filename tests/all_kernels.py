"""Compile all kernels of the package that are not on disk yet, in two processes: `python tests/all_kernels.py`.

Tests that run side by side would otherwise compile many of them once each.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# imports every module, which compiles its kernels; two processes meet in the middle
COMPILE = """
import os, pkgutil, sys
from importlib import import_module
import poinsot
names = [found.name for found in pkgutil.walk_packages(poinsot.__path__, "poinsot.")]
for name in names[:: int(sys.argv[1])]:
    import_module(name)
print(os.environ.get("NUMBA_CACHE_DIR", ""))
"""


def compile_all(source: Path) -> set[Path]:
    """Compile the kernels of the package in this folder; returns the directories that hold them."""
    environment = os.environ | {"PYTHONPATH": str(source)}
    environment.pop("NUMBA_CACHE_DIR", None)  # the directory for the sources as they are
    commands = [[sys.executable, "-c", COMPILE, step] for step in ("1", "-1")]
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
