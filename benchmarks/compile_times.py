"""Compile times: every module of kernels, a first run with an empty cache, later runs.

Each measurement is a separate process with its own cache directory, so kernels cached on this machine do not matter;
only Python's bytecode is shared, as pip writes it when it installs. Kernels are compiled one after the other in one
process here and measured in processor time, which other processes disturb least. Runs are measured by the clock, as
a user waits for them, on a machine that should have nothing else to do.
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
began = time.perf_counter()
import poinsot as po
imported = time.perf_counter() - began
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

CLOSED_RUN = """
s = po.System("four-bar", gravity=(0, 0, -9.81))
corners = ((0, 0, 0), (0.5, 0, 0.866), (2.155, 0, 1.492), (2, 0, 0))
bars = [s.body(f"bar{k+1}", po.Rod(radius=0.02, mass=1.0), between=corners[k:k+2]) for k in range(3)]
for k, (a, b) in enumerate(zip([s.ground, *bars], [*bars, s.ground])):
    s.revolute(a, b, at=corners[k], axis="y", name=f"joint{k+1}")
run = po.simulate(s, duration=1, step=0.01)
run["bar3"].position
"""

PRINT_TIMES = """
import json, os
print(json.dumps({"import": imported, "processor": sum(os.times()[:4])}))
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
from poinsot import warmup
warmup.start = warmup.compile_ahead = lambda *_: None  # no other processes

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
    """What a fresh interpreter with this cache prints, read as JSON, and beside it `clock`: the seconds that it took."""
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
    table = Table("Compiling: fresh processes with caches of their own")
    with tempfile.TemporaryDirectory(prefix="poinsot-bench-") as directory:
        root = Path(directory)
        modules = python(IMPORT_POINSOT + RECORD_KERNELS + SMALL_RUN + IMPORT_THE_REST, root / "modules")
        whole_run = IMPORT_POINSOT + SMALL_RUN + PRINT_TIMES
        cold = [python(whole_run, root / f"run{k}") for k in range(REPEATS)]
        warm = [python(whole_run, root / "run0") for _ in range(2 * REPEATS)]
        closed_run = IMPORT_POINSOT + CLOSED_RUN + PRINT_TIMES
        closed = [python(closed_run, root / f"closed{k}") for k in range(REPEATS)]
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
    rows: list[tuple[str, list[dict[str, Any]], str, float | None]] = [
        ("first run, empty cache", cold, "clock", FIRST_RUN),
        ("the same run again", warm, "clock", None),
        ("first run of a closed system, empty cache", closed, "clock", FIRST_RUN),
        ("import poinsot, warm", warm, "import", IMPORT),
    ]
    for what, runs, time_of, target in rows:
        seconds = fastest(runs, time_of)
        processor = {"kernels": f"processor time {fastest(runs, 'processor'):.2f} s"} if time_of == "clock" else {}
        aim = {} if target is None else {"target": f"<= {target:g} s", "verdict": verdict(seconds <= target)}
        table.add(what=what, measured=f"{seconds:.2f} s", **processor, **aim)
    if hasattr(os, "getloadavg"):
        table.notes.append(f"Load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    table.notes.append("The seconds of a kernel include the small functions that it is the first to use.")
    return table
