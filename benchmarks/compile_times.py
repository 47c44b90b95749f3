"""What a first run waits for: seconds to compile every module of kernels, a first run with an empty cache, the runs after it.

Each measurement is a process of its own with its own cache directory, so what is kept on this machine does not matter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from table import Table, verdict

FIRST_RUN, IMPORT = 15.0, 1.0  # targets, s
REPEATS = 3

MODULES = """
import importlib, json, pkgutil, sys, time
import poinsot
import poinsot.algebra.compile as settings
times, plain = {}, settings.compiled

def compiled(signature):
    def compile_now(function):
        began = time.perf_counter()
        kernel = plain(signature)(function)
        times.setdefault(function.__module__, {})[function.__name__] = time.perf_counter() - began
        return kernel
    return compile_now

settings.compiled = compiled
for module in pkgutil.walk_packages(poinsot.__path__, "poinsot."):
    importlib.import_module(module.name)
print(json.dumps(times))
"""

SMALL_RUN = """
import time
began = time.perf_counter()
import poinsot as po
imported = time.perf_counter()
s = po.System("pendulum", gravity=(0, 0, -9.81))
parent = s.ground
for k in range(4):
    link = s.body(f"link{k+1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1.0))
    s.spherical(parent, link, at=(0, 0, -2.0 * k), name=f"joint{k+1}")
    parent = link
s["joint1"].set(rotation=("x", 0.1))
run = po.simulate(s, duration=1, step=0.01)
run["link4"].position
print([time.perf_counter() - began, imported - began])
"""


def python(code: str, cache: Path) -> list | dict:
    """What a fresh interpreter with this cache prints, read as JSON."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE")}
    environment |= {"POINSOT_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(cache / "bytecode")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def run() -> Table:
    """All of it; takes a minute."""
    table = Table("Compiling: fresh processes, caches of their own")
    with tempfile.TemporaryDirectory(prefix="poinsot-bench-") as directory:
        times = python(MODULES, Path(directory) / "modules")
        cold = min(python(SMALL_RUN, Path(directory) / f"run{k}")[0] for k in range(REPEATS))
        warm = [python(SMALL_RUN, Path(directory) / "run0") for _ in range(2 * REPEATS)]
    assert isinstance(times, dict)
    for module, kernels in sorted(times.items(), key=lambda item: -sum(item[1].values())):
        shown = ", ".join(f"{name} {s:.1f}" for name, s in sorted(kernels.items(), key=lambda item: -item[1])[:4])
        table.add(what=module, measured=f"{sum(kernels.values()):.2f} s", kernels=shown)
    total = sum(sum(kernels.values()) for kernels in times.values())
    table.add(what="all modules", measured=f"{total:.2f} s")
    rows = [
        ("first run, empty cache", cold, FIRST_RUN),
        ("the same run again", min(t for t, _ in warm), None),
        ("import poinsot, warm", min(t for _, t in warm), IMPORT),
    ]
    for what, seconds, target in rows:
        aim = {} if target is None else {"target": f"<= {target:g} s", "verdict": verdict(seconds <= target)}
        table.add(what=what, measured=f"{seconds:.2f} s", **aim)
    table.notes.append("A module's seconds include the small functions that it is the first to use.")
    return table
