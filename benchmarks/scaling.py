"""How cost grows with the number of bodies: forward dynamics of a spherical chain, and building one of 100 000 bodies."""

from __future__ import annotations

import gc
import time
from math import log

from forward_dynamics import ours
from models import Chain, system
from table import Table, verdict
from timing import seconds_per_call

from poinsot.layout.freeze import freeze

SIZES = (1_000, 10_000, 100_000)
EXPONENT, BUILDING = 1.10, 10.0  # targets: of total time against N; s
REPEATS = 3  # of building


def building() -> tuple[float, float, float]:
    """Shortest seconds to build, check and freeze the largest chain."""
    best = [float("inf")] * 3
    for _ in range(REPEATS):
        gc.collect()
        times = [time.perf_counter()]
        s = system(Chain("spherical", SIZES[-1]))
        times.append(time.perf_counter())
        s.check().raise_faults()
        times.append(time.perf_counter())
        freeze(s)
        times.append(time.perf_counter())
        best = [min(old, b - a) for old, a, b in zip(best, times, times[1:])]
    return best[0], best[1], best[2]


def run() -> Table:
    """Cost per body, its growth, and building."""
    table = Table("Scaling: a bent spherical chain, one core")
    times = seconds_per_call([ours(Chain("spherical", n)) for n in SIZES])
    for n, seconds in zip(SIZES, times):
        table.add(what=f"forward dynamics, {n} bodies", measured=f"{1e9 * seconds / n:.0f} ns per body")
    for k, n in enumerate(SIZES[:-1]):
        growth = log(times[-1] / times[k]) / log(SIZES[-1] / n)
        aim = {"target": f"<= {EXPONENT}", "verdict": verdict(growth <= EXPONENT)} if k == 0 else {}
        table.add(what=f"exponent of the total time, {n} to {SIZES[-1]} bodies", measured=f"{growth:.3f}", **aim)
    build, check, frozen = building()
    table.add(
        what=f"build and check {SIZES[-1]} bodies",
        measured=f"{build + check:.2f} s ({build:.2f} + {check:.2f})",
        target=f"<= {BUILDING:g} s",
        verdict=verdict(build + check <= BUILDING),
    )
    table.add(what=f"freeze {SIZES[-1]} bodies", measured=f"{frozen:.2f} s")
    return table
