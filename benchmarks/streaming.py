"""What streaming to disk costs: a chain of four links, a million steps, every one an output, in memory and to a file.

Each run is a process of its own; runs of both kinds take turns, and the fastest of each counts. Memory is the most that
the process ever held above what it held just before the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from table import Table, verdict

STEPS, REPEATS = 1_000_000, 2
SLOWER, MEGABYTES = 1.2, 300.0  # targets
METHODS = {"auto": {}, "tree, gauss4": {"formulation": "tree", "integrator": "gauss4"}}

RUN = """
import json, resource, sys, time
import poinsot as po

s = po.System("chain", gravity=(0, 0, -9.81))
parent = s.ground
for k in range(4):
    link = s.body(f"link{k+1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1.0))
    s.spherical(parent, link, at=(0, 0, -2.0 * k), name=f"joint{k+1}")
    parent = link
s["joint1"].set(rotation=("x", 0.1))
steps, streamed, folder, settings = json.loads(sys.argv[1])
if not settings and steps >= 100_000:
    settings = {"formulation": "directors", "integrator": "energy-momentum-6"}  # what auto takes; short runs would take another
where = lambda name: {"stream": f"{folder}/{name}.h5"} if streamed else {}
po.simulate(s, 0.2, step=0.01, **settings, **where("warm")).loads  # all kernels are there
held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()
run = po.simulate(s, 0.01 * steps, step=0.01, **settings, **where("run"))
seconds = time.perf_counter() - began
above = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) / 1024
print(json.dumps({"seconds": seconds, "MB": above, "outputs": len(run), "method": run.audit.integrator}))
"""


def measured(steps: int, streamed: bool, settings: dict[str, str]) -> dict[str, float]:
    """One run in a process of its own, and the size of the file it leaves."""
    with tempfile.TemporaryDirectory(prefix="poinsot-bench-") as folder:
        arguments = json.dumps([steps, streamed, folder, settings])
        done = subprocess.run([sys.executable, "-c", RUN, arguments], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        path = Path(folder) / "run.h5"
        return json.loads(done.stdout) | {"file": path.stat().st_size / 1e6 if path.exists() else 0.0}


def run(steps: int = STEPS, repeats: int = REPEATS) -> Table:
    """Both kinds in turns."""
    table = Table(f"Streaming {steps} steps of four links to disk, against the same run in memory")
    for name, settings in METHODS.items():
        kept, streamed = [], []
        for _ in range(repeats):
            kept.append(measured(steps, False, settings))
            streamed.append(measured(steps, True, settings))
        fast = [min(runs, key=lambda one: one["seconds"]) for runs in (kept, streamed)]
        ratio = fast[1]["seconds"] / fast[0]["seconds"]
        above = max(one["MB"] for one in streamed)
        table.add(
            method=f"{name} ({fast[0]['method']})" if name == "auto" else name,
            memory=f"{fast[0]['seconds']:.2f} s, {fast[0]['MB']:.0f} MB",
            stream=f"{fast[1]['seconds']:.2f} s, {above:.0f} MB",
            file=f"{fast[1]['file']:.0f} MB",
            ratio=ratio,
            verdict=f"{verdict(ratio <= SLOWER)} (<= {SLOWER:g}), {verdict(above <= MEGABYTES)} (<= {MEGABYTES:g} MB)",
        )
    table.notes.append("The file holds all results, reactions and energies too; the run in memory has not computed them yet.")
    return table
