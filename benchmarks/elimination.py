"""Elimination of multipliers in the rotation-matrix formulation: in two steps (bodies, then joints) and in one (all at once, dense).

What is timed is what an integrator evaluates at every stage, called from a compiled loop: accelerations of all bodies with all
multipliers, loads included. Both variants are measured in turns at the same states, and their results compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from models import Chain, system
from numba import int64, njit, void
from table import Table, verdict
from timing import seconds_per_call

import poinsot as po
from poinsot.formulations.registry import formulate
from poinsot.layout.freeze import freeze
from poinsot.tables.types import FLOATS, LAYOUT, RATE

TWO_STEP, ONE_STEP = "rotation-matrix", "rotation-matrix:one-step"
LINKS = (2, 4, 8, 16, 32, 64)
SIZES, EXPONENT = (64, 1_000, 10_000), 1.10  # links; target: of total time against them
AGREED = 1e-12  # target: of the accelerations of both variants
ROUNDS, LONG_ROUNDS = 60, 20
PLATFORM = Path(__file__).resolve().parent.parent / "examples" / "models" / "stewart_platform.yaml"


@njit(void(int64, RATE, FLOATS, LAYOUT, FLOATS, FLOATS))
def evaluate(count, rate, y, layout, work, ydot):
    """Evaluate the velocities' derivatives `count` times."""
    for _ in range(count):
        rate(0.0, y, layout, work, ydot)


def repeater(s: po.System, formulation: str, coordinates: np.ndarray, rates: np.ndarray) -> tuple[Callable[[int], Any], np.ndarray]:
    """A function that evaluates the accelerations at a state so many times, and where they are then."""
    bare = freeze(s)
    rows = formulate(bare, formulation).rows
    assert rows is not None
    frozen, equations = rows.without(bare, ())
    assert equations.rates is not None
    y, rate = equations.pack(coordinates, rates), equations.rates.kernels[1]
    work, ydot = np.zeros(equations.work_size), np.zeros(equations.state_size)
    return lambda count: evaluate(count, rate, y, frozen.layout, work, ydot), ydot


def platform_state() -> tuple[po.System, np.ndarray, np.ndarray]:
    """The Stewart platform in its files, a tenth of a second after it was let go."""
    s = po.read(PLATFORM)
    state = po.simulate(s, 0.1, output_step=0.1, progress=False).state(-1)
    return s, state.coordinates, state.rates


def chain_state(n: int) -> tuple[po.System, np.ndarray, np.ndarray]:
    """A bent chain of n links that moves."""
    chain = Chain("spherical", n)
    return system(chain), chain.coordinates.ravel(), chain.rates.ravel()


def add_comparison(table: Table, what: str, s: po.System, coordinates: np.ndarray, rates: np.ndarray, rounds: int) -> None:
    """Both variants at one state."""
    both = [repeater(s, name, coordinates, rates) for name in (TWO_STEP, ONE_STEP)]
    two, one = seconds_per_call([repeat for repeat, _ in both], rounds)
    apart = float(np.abs(both[0][1] - both[1][1]).max() / np.abs(both[0][1]).max())
    table.add(
        what=what,
        two_step_us=1e6 * two,
        one_step_us=1e6 * one,
        ratio=one / two,
        difference=apart,
        target=f"> 1, to {AGREED:g}",
        verdict=verdict(one > two and apart <= AGREED),
    )


def add_sizes(table: Table, sizes: Sequence[int], rounds: int) -> None:
    """What the two-step elimination costs per body as chains grow."""
    times = seconds_per_call([repeater(*_with(TWO_STEP, chain_state(n)))[0] for n in sizes], rounds)
    for n, seconds in zip(sizes, times):
        table.add(what=f"{n} links: {1e9 * seconds / n:.0f} ns per body", two_step_us=1e6 * seconds)
    growth = log(times[-1] / times[0]) / log(sizes[-1] / sizes[0])
    goal = {"target": f"<= {EXPONENT}", "verdict": verdict(growth <= EXPONENT)}
    table.add(what=f"exponent of the time, {sizes[0]} to {sizes[-1]} links", ratio=f"{growth:.3f}", **goal)


def _with(formulation: str, state: tuple[po.System, np.ndarray, np.ndarray]) -> tuple[po.System, str, np.ndarray, np.ndarray]:
    return state[0], formulation, state[1], state[2]


def run(links: Sequence[int] = LINKS, sizes: Sequence[int] = SIZES, rounds: int = ROUNDS, long_rounds: int = LONG_ROUNDS) -> Table:
    """All rows."""
    table = Table("Accelerations with all multipliers eliminated: in two steps, and in one, dense; one core")
    for n in links:
        add_comparison(table, f"bent chain of {n} links", *chain_state(n), rounds if n < 32 else long_rounds)
    add_comparison(table, "Stewart platform, 13 bodies", *platform_state(), rounds)
    add_sizes(table, sizes, rounds)
    table.notes.append("Difference: largest, of accelerations of positions and directors, relative to the largest of them.")
    return table
