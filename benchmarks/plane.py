"""Planar systems: kernels in their plane against those in space, in the same system at the same state.

An evaluation is one of the velocity's derivative, with its loads, and a projection puts an accepted state back onto the constraints; both are
called from a compiled loop. A run is the compiled loop of one by dop853. Both take turns in one process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from exudyn_steps import four_bar as hinged_four_bar
from exudyn_steps import marching
from numba import float64, int64, njit, void
from peer_models import four_bar
from poinsot_peer import system
from squeezer import squeezer
from table import Table, verdict
from timing import ROUNDS, seconds_per_call, shortest

import poinsot as po
from poinsot.tables.types import FLOATS, LAYOUT, RATE

FORMULATIONS = ("tree", "rotation-matrix")
RATIO = 2.0  # target
TOLERANCE = 1e-8


@njit(void(RATE, int64, float64, FLOATS, LAYOUT, FLOATS, FLOATS))
def repeat(kernel, count, t, y, layout, work, room):
    """Call a kernel so many times."""
    for _ in range(count):
        kernel(t, y, layout, work, room)


def chain(n: int) -> po.System:
    """Boxes on parallel hinges, bent and moving."""
    s, parent = po.System(f"planar chain of {n}", gravity=(0, 0, -9.81)), None
    for k in range(n):
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1.0))
        hinge = s.revolute(parent or s.ground, link, at=(0, 0, -2.0 * k), axis="y", name=f"joint{k + 1}")
        hinge.set(angle=0.3 * (-1) ** k, rate=0.2)
        parent = link
    return s


SYSTEMS: dict[str, tuple[Callable[[], po.System], float]] = {
    "planar linkage, seven bodies": (lambda: system(squeezer()), 0.03),
    "four-bar": (lambda: system(four_bar()), 2.0),
    "chain of 10 hinges": (lambda: chain(10), 1.0),
    "chain of 64 hinges": (lambda: chain(64), 0.2),
}


def both(name: str) -> tuple[str, str]:
    """A formulation with kernels in the plane, and with those in space."""
    return name, f"{name}:spatial"


def launches(s: po.System, name: str, duration: float) -> list[Any]:
    """Runs in both kinds of kernels, at the same state and with the same rows: equations, tables and state."""
    runs = [
        po.simulate(s, duration, rtol=TOLERANCE, atol=TOLERANCE, integrator="dop853", formulation=full, progress=False) for full in both(name)
    ]
    y = np.ascontiguousarray(runs[0].state().raw["y"])
    return [(run.formulation, run.frozen.layout, y.copy()) for run in runs]


def repeater(kernel: Any, equations: Any, layout: Any, y: np.ndarray) -> Callable[[int], None]:
    """A function that calls a kernel so many times."""
    work, room = np.zeros(equations.work_size), np.zeros(equations.state_size)
    return lambda count: repeat(kernel, count, 0.0, y, layout, work, room)


def marches(s: po.System, name: str, duration: float, rounds: int) -> list[float]:
    """Shortest time (s) of the compiled loop of a run in both kinds of kernels, which take turns."""
    ready = [po.prepare(s, rtol=TOLERANCE, atol=TOLERANCE, integrator="dop853", formulation=full) for full in both(name)]
    seconds = [[one.run(duration, output_step=duration, progress=False).record.seconds for one in ready] for _ in range(rounds)]
    return [min(each) for each in zip(*seconds)]


def derivative(equations: Any, layout: Any, y: np.ndarray) -> np.ndarray:
    """The velocity's derivative."""
    ydot = np.zeros(equations.state_size)
    equations.rates.velocity(0.0, y, layout, np.zeros(equations.work_size), ydot)
    return ydot


def add_rates(table: Table, name: str, what: str, rounds: int, part: float) -> None:
    """Evaluation, projection and run of a system in a formulation."""
    make, duration = SYSTEMS[what]
    s, label = make(), f"{name}, {what}"
    made = launches(s, name, part * duration)
    kernels = [("evaluation", "velocity"), *([("projection", "project")] if made[0][0].rates.project else [])]
    one, other = (derivative(*each) for each in made)
    for kernel, attribute in kernels:
        spent = seconds_per_call([repeater(getattr(each[0].rates, attribute), *each) for each in made], rounds)
        row: dict[str, Any] = {"what": f"{label}: {kernel}", "planar": 1e6 * spent[0], "spatial": 1e6 * spent[1], "ratio": spent[1] / spent[0]}
        if attribute == "velocity":
            row |= {"target": f">= {RATIO:g}", "verdict": verdict(spent[1] / spent[0] >= RATIO)}
            row["difference"] = float(np.abs(one - other).max() / np.abs(other).max())
        table.add(**row)
    spent = marches(s, name, part * duration, max(3, rounds // 20))
    table.add(what=f"{label}: run, {part * duration:g} s", planar=1e3 * spent[0], spatial=1e3 * spent[1], ratio=spent[1] / spent[0])


def add_steps(table: Table, rounds: int) -> None:
    """Energy-momentum steps of a four-bar of 3D hinges, in its plane and in space."""
    case = hinged_four_bar()
    for method in ("energy-momentum", "energy-momentum-4", "energy-momentum-6"):
        marches = [marching(case.system, case.state, method, name)[0] for name in both("directors")]
        spent = shortest([lambda march=march: march(case.steps) for march in marches], max(3, rounds // 10))
        plane, space = (1e6 * seconds / case.steps for seconds in spent)
        table.add(what=f"four-bar: step of {method}", planar=plane, spatial=space, ratio=space / plane)


def run(rounds: int = ROUNDS, part: float = 1.0) -> Table:
    """All systems."""
    table = Table("Planar systems: kernels in their plane against those in space (us, and ms of a run)")
    for name in FORMULATIONS:
        for what in SYSTEMS:
            add_rates(table, name, what, rounds, part)
    add_steps(table, rounds)
    table.notes.append("Difference: of the derivatives, relative to the largest.")
    return table
