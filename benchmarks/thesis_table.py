"""The timing table of saetran2018 (3.3): chains of 4 to 64 links, Gauss with three stages, steps of 0.01 s, 10 s.

The thesis gives the mean of seven runs of its Python program on its computer; so these ratios, alone of all here, are
between computers. Ours is the whole run, every step kept, without preparing it; the shortest of some runs counts. It is
made twice: with stages converged to rounding, as by default, and to a tolerance of 1e-9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from table import Table, verdict
from timing import shortest

import poinsot as po
from poinsot.studies.saetran2018_models import SMALL, TABLE_3_3, TIP, chain

STEP, DURATION, FINE = 0.01, 10.0, 0.0025  # s
TOLERANCES = {"default": None, "to 1e-9": 1e-9}
TARGETS = {64: {"default": 1000.0, "to 1e-9": 1500.0}}
RUNS = 10


def tip(run: po.Trajectory, n: int) -> np.ndarray:
    """Position of the free end (m) at every output."""
    return run[f"link{n}"].point(TIP)


def reference(n: int, duration: float) -> tuple[np.ndarray, float]:
    """The tip at every STEP by gauss4 with fine steps, and how far dop853 is from it (m)."""
    fine = [
        tip(po.simulate(chain(n, SMALL), duration, step=FINE, output_step=STEP, integrator=name, progress=False), n)
        for name in ("gauss4", "dop853")
    ]
    return fine[0], float(np.abs(fine[0] - fine[1]).max())


def run(sizes: Sequence[int] = tuple(TABLE_3_3), duration: float = DURATION, runs: int = RUNS) -> Table:
    """The whole table."""
    table = Table(f"saetran2018, table 3.3: a chain swings {duration:g} s, gauss3, steps of {STEP} s")
    apart = 0.0
    for n in sizes:
        thesis = float(TABLE_3_3[n])
        exact, difference = reference(n, duration)
        apart = max(apart, difference)
        ready = {
            name: po.prepare(chain(n, SMALL), step=STEP, integrator="gauss3", tolerance=tolerance)
            for name, tolerance in TOLERANCES.items()
        }
        seconds = shortest([lambda r=r: r.run(duration, progress=False) for r in ready.values()], runs)
        cells: dict[str, Any] = {"links": n, "thesis s": thesis}
        for (name, r), took in zip(ready.items(), seconds):
            ratio, target = thesis / took, TARGETS.get(n, {}).get(name)
            error = float(np.abs(tip(r.run(duration, progress=False), n) - exact).max())
            cells |= {f"{name}: s": took, f"{name}: ratio": round(ratio), f"{name}: error m": error}
            if target is not None:
                cells |= {f"{name}: target": f">= {target:g}, {verdict(ratio >= target)}"}
        table.add(**cells)
    table.notes.append(
        f"Errors: largest at any step, against gauss4 with steps of {FINE} s; dop853 with such steps is {apart:.1e} m from it."
    )
    table.notes.append("Seconds of two computers: the thesis's as printed there, ours here in processor time.")
    return table
