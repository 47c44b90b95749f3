"""What a first run waits for: compiling every module of kernels, a first run with an empty cache, the runs after it.

Each measurement is a process of its own with its own cache directory, so what is kept on this machine does not matter;
only Python's bytecode is shared, as pip writes it when it installs.
Processor time is what counts: compiling uses one core, and other processes do not disturb it as much as the clock's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from table import Table, verdict

FIRST_RUN, IMPORT = 15.0, 1.0  # targets, s
REPEATS = 3

IMPORT_POINSOT = """
import time
began = time.process_time()
import poinsot as po
imported = time.process_time() - began
"""

SMALL_RUN = """
s = po.System("pendulum", gravity=(0, 0, -9.81))
parent = s.ground
for k in range(4):
    link = s.body(f"link{k+1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1.0))
    s.spherical(parent, link, at=(0, 0, -2.0 * k), name=f"joint{k+1}")
    parent = link
s["joint1"].set(rotation=("x", 0.1))
run = po.simulate(s, duration=1, step=0.01)
run["link4"].position
"""

PRINT_TIMES = """
import json
print(json.dumps({"import": imported, "run": time.process_time()}))
"""

RECORD_KERNELS = """
import numba
times = {}

def timed(module, name, compile_now):
    began = time.process_time()
    kernel = compile_now()
    times.setdefault(module, {})[name] = time.process_time() - began
    return kernel

timed("numba", "its first function", lambda: numba.njit("f8(f8)")(lambda x: x))
import poinsot.algebra.compile as settings

def recording(plain):
    return lambda signature: lambda f: timed(f.__module__, f.__name__, lambda: plain(signature)(f))

settings.compiled, settings.internal = recording(settings.compiled), recording(settings.internal)
"""

IMPORT_THE_REST = """
import importlib, json, pkgutil
first_run = list(times)
for module in pkgutil.walk_packages(po.__path__, "poinsot."):
    importlib.import_module(module.name)
print(json.dumps({"first": first_run, "times": times}))
"""


def python(code: str, cache: Path) -> dict[str, Any]:
    """What a fresh interpreter with this cache prints, read as JSON; `clock` is added, its seconds by the clock."""
    environment = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE")}
    environment |= {"POINSOT_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(cache.parent / "bytecode")}
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout) | {"clock": time.perf_counter() - began}


def fastest(runs: list[dict[str, Any]], what: str) -> float:
    """The shortest of several runs."""
    return min(run[what] for run in runs)


def run() -> Table:
    """All of it; takes a minute or two."""
    table = Table("Compiling: seconds of processor time in fresh processes with caches of their own")
    with tempfile.TemporaryDirectory(prefix="poinsot-bench-") as directory:
        root = Path(directory)
        modules = python(IMPORT_POINSOT + RECORD_KERNELS + SMALL_RUN + IMPORT_THE_REST, root / "modules")
        whole_run = IMPORT_POINSOT + SMALL_RUN + PRINT_TIMES
        cold = [python(whole_run, root / f"run{k}") for k in range(REPEATS)]
        warm = [python(whole_run, root / "run0") for _ in range(2 * REPEATS)]
    times = {module: sum(kernels.values()) for module, kernels in modules["times"].items()}
    for module in sorted(times, key=lambda name: (name not in modules["first"], -times[name])):
        kernels = sorted(modules["times"][module].items(), key=lambda item: -item[1])
        table.add(
            what=module.removeprefix("poinsot."),
            measured=f"{times[module]:.2f} s",
            first_run="compiles it" if module in modules["first"] else "",
            kernels=", ".join(f"{name} {seconds:.2f}" for name, seconds in kernels[:4]),
        )
    table.add(what="all of these", measured=f"{sum(times.values()):.2f} s")
    rows: list[tuple[str, float, float | None, float]] = [
        ("first run, empty cache", fastest(cold, "run"), FIRST_RUN, fastest(cold, "clock")),
        ("the same run again", fastest(warm, "run"), None, fastest(warm, "clock")),
        ("import poinsot, warm", fastest(warm, "import"), IMPORT, 0.0),
    ]
    for what, seconds, target, clock in rows:
        aim = {} if target is None else {"target": f"<= {target:g} s", "verdict": verdict(seconds <= target)}
        by_the_clock = {"kernels": f"{clock:.2f} s by the clock, as the machine was"} if clock else {}
        table.add(what=what, measured=f"{seconds:.2f} s", **by_the_clock, **aim)
    table.notes.append("The seconds of a kernel include the small functions that it is the first to use.")
    return table
