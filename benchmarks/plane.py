"""Planar trees: their kernels against those of spatial trees, in the same system at the same state.

An evaluation is one of the velocity's derivative, with its loads, and a projection puts an accepted state back onto the constraints; both are
called from a compiled loop. A run is the compiled loop of one by dop853. Spatial and planar kernels take turns in one process.
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

NAMES = ("tree", "tree:spatial")
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


def launches(s: po.System, duration: float) -> list[Any]:
    """Runs in both kinds of kernels, at the same state and with the same rows: equations, tables and state."""
    run = po.simulate(s, duration, rtol=TOLERANCE, atol=TOLERANCE, integrator="dop853", formulation=NAMES[0], progress=False)
    y = np.ascontiguousarray(run.state().raw["y"])
    found = []
    for name in NAMES:
        other = po.simulate(s, duration, rtol=TOLERANCE, atol=TOLERANCE, integrator="dop853", formulation=name, progress=False)
        found.append((other.formulation, other.frozen.layout, y.copy()))
    return found


def repeater(kernel: Any, equations: Any, layout: Any, y: np.ndarray) -> Callable[[int], None]:
    """A function that calls a kernel so many times."""
    work, room = np.zeros(equations.work_size), np.zeros(equations.state_size)
    return lambda count: repeat(kernel, count, 0.0, y, layout, work, room)


def marches(s: po.System, duration: float, rounds: int) -> list[float]:
    """Shortest time (s) of the compiled loop of a run in both kinds of kernels, which take turns."""
    ready = [po.prepare(s, rtol=TOLERANCE, atol=TOLERANCE, integrator="dop853", formulation=name) for name in NAMES]
    seconds = [[one.run(duration, output_step=duration, progress=False).record.seconds for one in ready] for _ in range(rounds)]
    return [min(each) for each in zip(*seconds)]


def derivative(equations: Any, layout: Any, y: np.ndarray) -> np.ndarray:
    """The velocity's derivative."""
    ydot = np.zeros(equations.state_size)
    equations.rates.velocity(0.0, y, layout, np.zeros(equations.work_size), ydot)
    return ydot


def add_steps(table: Table, rounds: int) -> None:
    """Energy-momentum steps of a four-bar of 3D hinges, in its plane and in space."""
    case = hinged_four_bar()
    for method in ("energy-momentum", "energy-momentum-4", "energy-momentum-6"):
        both = [marching(case.system, case.state, method, name)[0] for name in ("directors", "directors:spatial")]
        spent = shortest([lambda march=march: march(case.steps) for march in both], max(3, rounds // 10))
        plane, space = (1e6 * seconds / case.steps for seconds in spent)
        table.add(what=f"four-bar: step of {method}", planar=plane, spatial=space, ratio=space / plane)


def run(rounds: int = ROUNDS, part: float = 1.0) -> Table:
    """All systems."""
    table = Table("Planar systems: kernels of planar trees against those of spatial ones (us, and ms of a run)")
    for what, (make, duration) in SYSTEMS.items():
        s = make()
        both = launches(s, part * duration)
        kernels = [("evaluation", "velocity"), *([("projection", "project")] if both[0][0].rates.project else [])]
        one, other = (derivative(*each) for each in both)
        for label, name in kernels:
            spent = seconds_per_call([repeater(getattr(each[0].rates, name), *each) for each in both], rounds)
            row: dict[str, Any] = {"what": f"{what}: {label}", "planar": 1e6 * spent[0], "spatial": 1e6 * spent[1], "ratio": spent[1] / spent[0]}
            if name == "velocity":
                row |= {"target": f">= {RATIO:g}", "verdict": verdict(spent[1] / spent[0] >= RATIO)}
                row["difference"] = float(np.abs(one - other).max() / np.abs(other).max())
            table.add(**row)
        spent = marches(s, part * duration, max(3, rounds // 20))
        table.add(what=f"{what}: run, {part * duration:g} s", planar=1e3 * spent[0], spatial=1e3 * spent[1], ratio=spent[1] / spent[0])
    add_steps(table, rounds)
    table.notes.append("Difference: of the derivatives, relative to the largest.")
    return table
