"""Closed systems with adaptive steps, against energy-momentum steps at equal cost; the Stewart platform beside Exudyn.

Times are those of compiled loops: neither building the model nor finding its start is included. Exudyn's time of a step is that of a run less
that of a run of one step, over the steps between. Errors are those of the bodies' positions at the end, against a converged run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from elimination import PLATFORM
from exudyn_models import Variant, build, imported, settings
from exudyn_steps import four_bar, launch, marching, positions
from table import NOT_INSTALLED, Table, verdict
from timing import shortest

import poinsot as po
from poinsot.driver import Progress

TOLERANCES = (1e-6, 1e-8, 1e-10)  # relative and absolute
STEPS = (0.05, 0.025, 0.0125, 0.00625, 0.003125)  # of energy-momentum-6 (s)
PLATFORM_TIME, BAR_TIME = 0.5, 2.0  # s
STEP = 0.001  # beside Exudyn (s)
OURS = (("directors", "energy-momentum"), ("directors", "energy-momentum-6"), ("tree", "rk4"), ("tree", "dop853"), ("rotation-matrix", "dop853"))
VARIANTS = (Variant("index 3, sparse", sparse=True), Variant("index 2, sparse", index2=True, sparse=True))
RATIO = 2.0  # target: Exudyn's time over that of a step of the same order
ROUNDS, MOST_STEPS = 12, 1_000_000


def adaptive(s: po.System, duration: float, tolerance: float, formulation: str = "tree") -> Callable[[], Progress]:
    """A function that runs the system in adaptive steps."""
    driver, p = launch(s, None, rtol=tolerance, atol=tolerance, integrator="dop853", formulation=formulation)
    end, y, memory = np.zeros((1, len(p.y))), p.y.copy(), driver.fresh_memory()

    def march() -> Progress:
        y[:], memory[:] = p.y, 0.0
        new = Progress(y, memory, 0.0)
        driver.adaptive(new, 0.0, duration, 1, 1, MOST_STEPS, end)
        assert new.status == 0 and new.t >= duration
        return new

    return march


def fixed(s: po.System, duration: float, step: float) -> Callable[[], Progress]:
    """A function that runs the system by energy-momentum steps of order 6."""
    march, _ = marching(s, None, "energy-momentum-6", "directors", step)
    return lambda: march(round(duration / step))


def best(spent: np.ndarray, errors: np.ndarray, chosen: Sequence[int]) -> list[int]:
    """Of some runs, in the order of their times, those with smaller errors than all that took less time."""
    found: list[int] = []
    for k in sorted(chosen, key=lambda k: spent[k]):
        if not found or errors[k] < errors[found[-1]]:
            found.append(k)
    return found


def add_equal_cost(table: Table, what: str, s: po.System, duration: float, steps: Sequence[float], rounds: int) -> None:
    """dop853 with projection, and the error of energy-momentum-6 that takes the same time, interpolated between step sizes."""
    ours, theirs = [adaptive(s, duration, x) for x in TOLERANCES], [fixed(s, duration, x) for x in steps]
    six: dict[str, Any] = {"output_step": duration, "integrator": "energy-momentum-6", "progress": False}
    exact = positions(po.simulate(s, duration, step=min(steps) / 4, **six))
    to_compare: dict[str, Any] = {"output_step": duration, "integrator": "dop853", "formulation": "tree", "progress": False}
    runs = [po.simulate(s, duration, rtol=x, atol=x, **to_compare) for x in TOLERANCES]
    errors = np.array([np.abs(positions(run) - exact).max() for run in runs + [po.simulate(s, duration, step=x, **six) for x in steps]])
    spent = np.array(shortest(ours + theirs, rounds))
    n = len(ours)
    order = best(spent, errors, range(n, len(errors)))
    for k, tolerance in enumerate(TOLERANCES):
        same = float(np.exp(np.interp(np.log(spent[k]), np.log(spent[order]), np.log(errors[order]))))
        inside = spent[order[0]] <= spent[k] <= spent[order[-1]]
        table.add(
            what=f"{what}, {duration:g} s",
            poinsot=f"dop853 and projection, to {tolerance:g}: {runs[k].audit.steps} steps",
            ms=1e3 * spent[k],
            error_m=float(errors[k]),
            beside="energy-momentum-6 in the same time" if inside else "energy-momentum-6, the nearest in time",
            error_beside_m=same,
            ratio_of_errors=same / float(errors[k]),
        )
    for k, step in enumerate(steps, n):
        table.add(what=f"{what}, {duration:g} s", poinsot=f"energy-momentum-6, steps of {step} s", ms=1e3 * spent[k], error_m=float(errors[k]))


def add_exudyn(table: Table, s: po.System, duration: float, rounds: int) -> None:
    """Steps of the same size on the platform: times and errors of both programs."""
    exudyn, count = imported(), round(duration / STEP)
    start = po.simulate(s, STEP, step=STEP, progress=False)
    exact = positions(po.simulate(s, duration, rtol=1e-12, atol=1e-13, output_step=duration, progress=False))
    calls: list[Callable[[], Any]] = []
    errors = []
    for formulation, integrator in OURS:
        march, _ = marching(s, None, integrator, formulation, STEP)
        calls.append(lambda march=march: march(count))
        run = po.simulate(s, duration, step=STEP, output_step=duration, formulation=formulation, integrator=integrator, progress=False)
        errors.append(float(np.abs(positions(run) - exact).max()))
    peers = [build(exudyn, start) for _ in VARIANTS] if exudyn else []
    for peer, variant in zip(peers, VARIANTS):
        for steps in (1, count):
            chosen = settings(exudyn, STEP, steps, variant)
            calls.append(lambda peer=peer, chosen=chosen: peer.solve(chosen))
    times = shortest(calls, rounds)
    off = [float(np.abs(peer.positions() - exact).max()) for peer in peers]
    for k, (formulation, integrator) in enumerate(OURS):
        us = 1e6 * times[k] / count
        what = f"Stewart platform, {count} steps of {STEP} s"
        cells = {"what": what, "poinsot": f"{formulation}, {integrator}", "step us": us, "error m": errors[k]}
        if exudyn is None:
            table.add(**cells, beside=f"Exudyn: {NOT_INSTALLED}")
        for n, variant in enumerate(VARIANTS if exudyn else ()):
            one, whole = times[len(OURS) + 2 * n : len(OURS) + 2 * n + 2]
            theirs = 1e6 * (whole - one) / (count - 1)
            goal = {"target": f">= {RATIO:g}", "verdict": verdict(theirs / us >= RATIO)} if k == 0 else {}
            beside = {"beside": f"Exudyn, {variant.name}", "beside step us": theirs, "error beside m": off[n]}
            table.add(**cells, **beside, ratio=theirs / us, ratio_of_errors=off[n] / errors[k], **goal)


def run(steps: Sequence[float] = STEPS, rounds: int = ROUNDS, times: tuple[float, float] = (PLATFORM_TIME, BAR_TIME)) -> Table:
    """All rows."""
    table = Table("Closed systems: adaptive and energy-momentum steps, and the Stewart platform beside Exudyn")
    s = po.read(PLATFORM)
    add_equal_cost(table, "Stewart platform", s, times[0], steps, rounds)
    add_equal_cost(table, "four-bar", four_bar().system, times[1], steps, rounds)
    add_exudyn(table, s, times[0], rounds)
    table.notes += [
        "Ratio: Exudyn's time of a step over ours; ratio of errors: theirs, or that of energy-momentum-6 in the same time, over that of the row.",
        f"References: energy-momentum-6 with steps of {min(steps) / 4} s; for Exudyn dop853 to 1e-12. Exudyn: generalized-alpha, its own tolerances.",
    ]
    return table
