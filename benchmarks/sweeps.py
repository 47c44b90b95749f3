"""Sweeps: many chains against `mujoco.rollout`, lanes against none, the cost of a variant beyond its steps, workers against one, memory.

Chains of 8 links on ball joints start at different angles and run for 1 s. MuJoCo's RK4 and Poinsot take steps that give the same error of the
last link, the largest of twenty variants, against a reference of Poinsot at rtol 1e-12; both use as many threads as there are cores, up to two.
Poinsot takes fixed steps of dop853 in lanes (docs/sweeps.md). The stages of one run in lanes are measured on the thesis's chain of 64 links.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from fixed_cost import four_bar
from models import Chain, system
from table import NOT_INSTALLED, Table, verdict

import poinsot as po
from poinsot.studies.saetran2018_models import SMALL, TABLE_3_3, chain
from poinsot.studies.saetran2018_models import TIP as END

LINKS, DURATION = 8, 1.0
TIP = f"link{LINKS}"
TIMES, BEYOND, SCALING, DASK_SCALING, MEMORY = 20.0, 50.0, 1.6, 1.5, 500.0  # targets: ratio, us, ratio, ratio, MB
IN_LANES, THESIS = 2.5, 3000.0  # targets: of stages in lanes against none, and against the time in the thesis
STEPS = (10, 12, 14, 16, 17, 18, 20, 22, 24, 26, 28, 30, 32, 35, 40, 48, 56, 64, 80, 100, 128)  # of dop853
SCRIPT = """
import sys
import numpy as np
import poinsot as po
from models import Chain, system
s, n = system(Chain("spherical", 1)), int(sys.argv[1])
po.sweep(s, {"joint1.rotation": [("x", 0.1)] * 4}, 0.1, step=0.05, record=[po.last("energy")], workers=2)
def kilobytes(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))
open("/proc/self/clear_refs", "w").write("5")  # the largest size is counted from here on; rusage has that of the parent
before = kilobytes("VmRSS")
vary = {"joint1.rate": np.linspace(0.0, 1.0, n).reshape(-1, 1) * np.ones(3)}
po.sweep(s, vary, 0.1, step=0.05, record=[po.last("energy"), "link1.position"], workers=2, stream=sys.argv[2])
print((kilobytes("VmHWM") - before) / 1024)
"""


def angles(n: int) -> list[tuple[str, float]]:
    """Initial rotations of the first joint."""
    return [("x", float(angle)) for angle in np.linspace(0.2, 1.2, n)]


def swept(n: int, workers: int, **settings: object) -> po.Sweep:
    vary, record = {"joint1.rotation": angles(n)}, [po.last(f"{TIP}.position")]
    chain, times = system(Chain("spherical", LINKS)), {"output_step": DURATION, "progress": False}
    return po.sweep(chain, vary, DURATION, record=record, workers=workers, **times, **settings)  # type: ignore[arg-type]


def wall(call: Callable[[], object], rounds: int) -> float:
    """Shortest wall time, s: processor time says nothing of several workers."""
    best = np.inf
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - began)
    return best


def tips(found: po.Sweep) -> np.ndarray:
    return found.values(f"last({TIP}.position)")


def against_mujoco(table: Table, n: int, rounds: int, cores: int) -> None:
    try:
        from mujoco_sweep import Rollout
    except ImportError:
        table.add(what=f"{n} chains of {LINKS} against mujoco.rollout", found=NOT_INSTALLED)
        return
    few = np.linspace(0, n - 1, 20).astype(int)
    exact = tips(swept(n, cores, rtol=1e-12, atol=1e-13))[few]
    rollout = Rollout(LINKS, [angle for _, angle in angles(n)], cores)
    for steps in (250, 1000):
        theirs = float(np.linalg.norm(rollout.centres(rollout.ends(DURATION, steps)[few]) - exact, axis=1).max())
        enough = next(count for count in STEPS if _error(n, count, True, exact, few, cores) <= theirs)
        ways: dict[str, Callable[[], object]] = {
            "lanes": lambda: swept(n, cores, **_fixed(enough, True)),  # noqa: B023
            "without": lambda: swept(n, cores, **_fixed(enough, False)),  # noqa: B023
            "rollout": lambda: rollout.ends(DURATION, steps),  # noqa: B023
        }
        took: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):  # in turns: the machine may be busy
            for name, way in ways.items():
                took[name].append(wall(way, 1))
        best = {name: min(seconds) for name, seconds in took.items()}
        errors = [_error(n, enough, lanes, exact, few, cores) for lanes in (True, False)]
        ratio, gain = best["rollout"] / best["lanes"], best["without"] / best["lanes"]
        table.add(
            what=f"{n} chains of {LINKS}, {DURATION:g} s, {cores} threads, dop853 in lanes with {enough} steps, mujoco.rollout with {steps}",
            found=f"{ratio:.1f} times faster",
            errors=f"{errors[0]:.1e} and {theirs:.1e} m",
            verdict=f"{verdict(ratio >= TIMES)} (>= {TIMES:g})",
        )
        table.add(what="the same in lanes against without", found=f"{gain:.2f} times faster", errors=f"{errors[0]:.1e} and {errors[1]:.1e} m")


def _fixed(steps: int, lanes: bool) -> dict:
    return {"step": DURATION / steps, "integrator": "dop853", "lanes": lanes}


def _error(n: int, steps: int, lanes: bool, exact: np.ndarray, few: np.ndarray, cores: int) -> float:
    return float(np.linalg.norm(tips(swept(n, cores, **_fixed(steps, lanes)))[few] - exact, axis=1).max())


def stages(table: Table, links: int, duration: float, rounds: int) -> None:
    """The stages of one run in lanes against one after the other, and against the thesis."""
    names = ("gauss3", "gauss3:lanes")
    ready = [po.prepare(chain(links, SMALL), step=0.01, integrator=name) for name in names]
    fine = po.simulate(chain(links, SMALL), duration, step=0.0025, output_step=0.01, integrator="gauss4", progress=False)
    exact, took = fine[f"link{links}"].point(END), [[], []]  # type: ignore[var-annotated]
    runs = [one.run(duration, progress=False) for one in ready]
    for _ in range(rounds):
        for one, seconds in zip(ready, took):
            began = time.process_time()
            one.run(duration, progress=False)
            seconds.append(time.process_time() - began)
    errors = [float(np.abs(run[f"link{links}"].point(END) - exact).max()) for run in runs]
    ratio, thesis = min(took[0]) / min(took[1]), float(TABLE_3_3[links]) * (duration / 10.0) / min(took[1])
    judged = f"{verdict(ratio >= IN_LANES)} (>= {IN_LANES:g}), {verdict(thesis >= THESIS)} (>= {THESIS:g})"
    table.add(
        what=f"one chain of {links}, {duration:g} s, gauss3 with stages in lanes against without; thesis",
        found=f"{ratio:.2f} times faster; {thesis:.0f} times",
        errors=f"{errors[1]:.1e} and {errors[0]:.1e} m",
        verdict=judged if links == 64 else "",
    )


def beyond_steps(table: Table, rounds: int) -> None:
    """Processor time at no steps, on the line through n and 2 n steps."""
    chain, bar, rk4 = system(Chain("spherical", LINKS)), four_bar(0), {"step": 0.01, "integrator": "rk4"}
    chain.add(po.JointDamper(chain["joint1"], 1.0, name="oil"))
    links = f"a chain of {LINKS}"
    cases: list[tuple[str, po.System, dict, int, dict]] = [
        (f"initial values of {links}", chain, {"joint1.rotation": angles(4000)}, 4000, rk4),
        (f"a mass of {links}", chain, {f"{TIP}.mass": np.linspace(40.0, 60.0, 4000)}, 4000, rk4),
        (f"a damping of {links}", chain, {"oil.damping": np.linspace(0.5, 1.5, 4000)}, 4000, rk4),
        ("a mass of a four-bar", bar, {"crank.mass": np.linspace(1.0, 2.0, 100)}, 100, {"step": 0.01}),
        ("a mass of a four-bar, adaptive", bar, {"crank.mass": np.linspace(1.0, 2.0, 100)}, 100, {"rtol": 1e-6}),
    ]
    for name, model, vary, n, settings in cases:
        best = [np.inf, np.inf]
        for _ in range(rounds):
            for k, duration in enumerate((0.05, 0.1)):
                began = time.process_time()
                po.sweep(model, vary, duration, output_step=duration, record=[po.last("energy")], workers=1, **settings)
                best[k] = min(best[k], time.process_time() - began)
        cost = 1e6 * (2 * best[0] - best[1]) / n
        judged = f"{verdict(cost <= BEYOND)} (<= {BEYOND:g})"
        table.add(what=f"a variant beyond its steps, {name}", found=f"{cost:.0f} us", verdict=judged)


def scaling(table: Table, n: int, rounds: int, cores: int) -> None:
    """Two workers against one; a cluster that is already there."""
    from distributed import Client, LocalCluster

    settings: dict = {"rtol": 1e-9, "atol": 1e-9}
    one, two = [], []
    for _ in range(rounds):
        one.append(wall(lambda: swept(n, 1, **settings), 1))
        two.append(wall(lambda: swept(n, 2, **settings), 1))
    ratio = min(one) / min(two)
    judged = f"{verdict(ratio >= SCALING)} (>= {SCALING:g})"
    table.add(what=f"two threads against one, {n} chains, {cores} cores", found=f"{ratio:.2f} times faster", verdict=judged)
    times = []
    for workers in (1, 2):
        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
            dask: dict = {"engine": "dask", "scheduler": client, **settings}
            swept(n, workers, **dask)
            times.append(wall(lambda: swept(n, workers, **dask), rounds))  # noqa: B023
    ratio = times[0] / times[1]
    judged = f"{verdict(ratio >= DASK_SCALING)} (>= {DASK_SCALING:g})"
    table.add(what="two Dask workers against one", found=f"{ratio:.2f} times faster", verdict=judged)


def memory(table: Table, n: int) -> None:
    """Of a process of its own, above what it has after a small sweep."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SCRIPT, str(n), f"{folder}/sweep.h5"]
        here = os.path.dirname(os.path.abspath(__file__))
        paths = os.pathsep.join([here, *sys.path])
        found = float(subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": paths}).stdout)
    table.add(what=f"{n} variants to a file, memory above the start", found=f"{found:.0f} MB", verdict=f"{verdict(found <= MEMORY)} (<= {MEMORY:g})")


def run(quick: bool = False) -> Table:
    """All of it."""
    table = Table("Sweeps")
    cores = min(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    against_mujoco(table, 100 if quick else 1000, 1 if quick else 3, cores)
    stages(table, 4 if quick else 64, 1.0 if quick else 10.0, 2 if quick else 20)
    beyond_steps(table, 1 if quick else 5)
    scaling(table, 200 if quick else 2000, 1 if quick else 3, cores)
    memory(table, 2000 if quick else 100_000)
    table.notes.append("Threads and workers are timed by the clock, so a busy machine makes these ratios smaller.")
    return table
