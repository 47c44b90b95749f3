"""Closed systems with adaptive steps in joint coordinates (`tree`) and in absolute ones (`rotation-matrix`), at equal error.

Times are those of compiled loops, by dop853 with projection; both take turns in one process. Errors are those of the bodies' positions at
the end, against a converged run. The time that an error costs is interpolated between tolerances, a decade apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from closed_steps import adaptive
from elimination import PLATFORM
from exudyn_steps import four_bar, positions
from table import Table, verdict
from timing import shortest

import poinsot as po

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
from six_bar import build as six_bar

FORMULATIONS = ("tree", "rotation-matrix")
TOLERANCES = tuple(10.0**-k for k in range(2, 13))  # relative and absolute
ERRORS = (1e-3, 1e-6, 1e-9)  # of a length of the mechanism
RATIO = 2.0  # target
ROUNDS = 12


def linkage() -> po.System:
    """A crank drives six more bodies in a plane in three loops against a spring, as in Andrews's squeezing mechanism: lengths in cm, times 10 g."""
    s = po.System("linkage", plane="xy", gravity=None)
    o, a, b, c = (0.0, 0.0), (-6.934, -0.227), (-3.635, 3.273), (1.4, 7.2)
    beta, delta, epsilon = -0.06171389, 0.48736498, 1.23054744
    f = (0.7 * np.cos(beta), 0.7 * np.sin(beta))
    e = (f[0] - 2.8 * np.cos(beta), f[1] - 2.8 * np.sin(beta))
    g = (a[0] + 4.0 * np.cos(delta), a[1] + 4.0 * np.sin(delta))
    h = (a[0] + 4.0 * np.sin(epsilon), a[1] - 4.0 * np.cos(epsilon))
    bars = ((o, f, 4.325), (f, e, 0.365), (b, e, 2.373), (e, g, 0.706), (g, a, 7.05), (e, h, 0.706), (h, a, 5.498))
    for k, (start, end, mass) in enumerate(bars, 1):
        s.body(f"K{k}", po.Rod(radius=0.1, mass=mass), between=(start, end))
    for name, first, second, at in (
        ("o", None, "K1", o), ("f", "K1", "K2", f), ("b", None, "K3", b), ("e1", "K2", "K3", e), ("e2", "K3", "K4", e),
        ("g", "K4", "K5", g), ("a1", "K5", None, a), ("e3", "K3", "K6", e), ("h", "K6", "K7", h), ("a2", "K7", None, a),
    ):  # fmt: skip
        pair = (s[first] if first else s.ground, s[second] if second else s.ground)
        s.revolute(*pair, at=at, name=name)
    s.add(po.Motor(s["o"], 30.0))
    s.add(po.Spring(s.ground, s["K3"], at=(c, e), stiffness=4.0, length=9.0))
    return s


MECHANISMS: dict[str, tuple[Callable[[], po.System], float]] = {
    "Stewart platform": (lambda: po.read(PLATFORM), 0.5),
    "four-bar": (lambda: four_bar().system, 2.0),
    "overconstrained six-bar": (six_bar, 2.0),
    "planar, seven bodies": (linkage, 3.0),
}


def cost_of(error: float, errors: np.ndarray, spent: np.ndarray) -> float:
    """Time that an error costs: between the runs that are best for their time; the cheapest, where all are more accurate."""
    order: list[int] = []
    for k in np.argsort(spent):
        if not order or errors[k] < errors[order[-1]]:
            order.append(int(k))
    return float(np.exp(np.interp(-np.log(error), -np.log(errors[order]), np.log(spent[order]))))


def add_mechanism(table: Table, what: str, tolerances: Sequence[float], rounds: int, part: float = 1.0) -> None:
    """Rows of one mechanism: what each error costs in both formulations."""
    s, duration = MECHANISMS[what][0](), part * MECHANISMS[what][1]
    given: dict[str, Any] = {"output_step": duration, "progress": False}
    exact = positions(po.simulate(s, duration, rtol=1e-13, atol=1e-14, formulation="rotation-matrix", **given))
    size = float(np.abs(exact).max())
    calls, errors = [], []
    for formulation in FORMULATIONS:
        for x in tolerances:
            run = po.simulate(s, duration, rtol=x, atol=x, formulation=formulation, integrator="dop853", **given)
            errors.append(max(float(np.abs(positions(run) - exact).max()) / size, 1e-16))
            calls.append(adaptive(s, duration, x, formulation))
    spent, n = np.array(shortest(calls, rounds)), len(tolerances)
    for error in ERRORS:
        ours, theirs = (cost_of(error, np.array(errors[k : k + n]), spent[k : k + n]) for k in (0, n))
        table.add(
            what=f"{what}, {duration:g} s",
            error=error,
            tree_ms=1e3 * ours,
            rotation_matrix_ms=1e3 * theirs,
            ratio=theirs / ours,
            target=f">= {RATIO:g}",
            verdict=verdict(theirs / ours >= RATIO),
        )


def run(tolerances: Sequence[float] = TOLERANCES, rounds: int = ROUNDS, part: float = 1.0) -> Table:
    """All rows."""
    table = Table("Closed systems by dop853 with projection: joint coordinates and absolute ones, at equal error of positions")
    for what in MECHANISMS:
        add_mechanism(table, what, tolerances, rounds, part)
    table.notes.append("Errors relative to the largest coordinate of a body; ratio: time of rotation-matrix over that of tree.")
    return table
