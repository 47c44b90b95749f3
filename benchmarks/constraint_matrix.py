"""How the cost of Newton-Euler with a constraint matrix grows with the number of bodies: one evaluation of rates of a spherical chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log

import numpy as np
from models import Chain, system
from table import Table, verdict
from timing import shortest

from poinsot.formulations.registry import find
from poinsot.layout.freeze import freeze
from poinsot.tables.types import OK

SIZES = (100, 1_000, 10_000)
EXPONENT = 1.10  # target: of total time against N
ROUNDS = 60


def rates(n: int) -> Callable[[], None]:
    """One evaluation of positions and velocities' rates of a bent chain of n links, repeated so that short ones can be timed."""
    chain = Chain("spherical", n)
    frozen = freeze(system(chain))
    frozen, equations = find("newton-euler").complete(frozen)
    assert equations.rates is not None
    y = equations.pack(chain.coordinates.ravel(), chain.rates.ravel())
    ydot, work, repeats = np.zeros_like(y), np.zeros(equations.work_size), max(1, SIZES[-1] // n)

    def call() -> None:
        for _ in range(repeats):
            assert equations.rates.position(0.0, y, frozen.layout, work, ydot) == OK
            assert equations.rates.velocity(0.0, y, frozen.layout, work, ydot) == OK

    return call


def run(sizes: Sequence[int] = SIZES, rounds: int = ROUNDS) -> Table:
    """Cost per body, and its growth."""
    table = Table("Newton-Euler with a constraint matrix: rates of a bent spherical chain, one core")
    found = shortest([rates(n) for n in sizes], rounds)
    times = [seconds / max(1, SIZES[-1] // n) for n, seconds in zip(sizes, found)]
    for n, seconds in zip(sizes, times):
        table.add(what=f"rates, {n} bodies", measured=f"{1e9 * seconds / n:.0f} ns per body")
    growth = log(times[-1] / times[0]) / log(sizes[-1] / sizes[0])
    table.add(
        what=f"exponent of the total time, {sizes[0]} to {sizes[-1]} bodies",
        measured=f"{growth:.3f}",
        target=f"<= {EXPONENT}",
        verdict=verdict(growth <= EXPONENT),
    )
    return table
