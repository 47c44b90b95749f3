"""What a run costs beyond its steps: prepared and run again, run with another value, simulated again, simulated with another value.

A run of n steps and one of 2 n take turns with the march alone, in processor time; a run beyond its steps is what its time has at n = 0,
on the line through both. Outputs are few, so that they do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from table import Table, verdict
from timing import shortest

import poinsot as po
from poinsot.studies.dumitriu2016_stewart import FORCES, stewart

ROUNDS = 60
PREPARED, SIMULATED = 0.3, 1.5  # ms, targets
STEPS = 20
SIZE = 0.001  # s


def chain(k: int) -> po.System:
    """Four links on ball joints."""
    s = po.System("chain of 4", gravity=(0, 0, -9.81))
    parent = s.ground
    for n in range(4):
        link = s.body(f"link{n + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0 + 1e-3 * k), position=(0, 0, -2.0 * n - 1))
        s.spherical(parent, link, at=(0, 0, -2.0 * n), name=f"joint{n + 1}")
        parent = link
    s["joint1"].set(rotation=("x", 0.1))
    return s


def four_bar(k: int) -> po.System:
    """Four hinges in space."""
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0 + 1e-3 * k), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base").set(rate=2.0)
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y")
    return s


def platform(k: int) -> po.System:
    """The Stewart platform on elastic legs, of 13 bodies."""
    return stewart([FORCES["A"][0] + 1e-3 * k, *FORCES["A"][1:]])


# the variant k of a model, and a value to change
CASES: dict[str, tuple[Callable[[int], po.System], str]] = {
    "chain of 4": (chain, "link2.mass"),
    "four-bar": (four_bar, "crank.mass"),
    "platform of 13": (platform, "platform.mass"),
}
SETTINGS = {"fixed": {"step": SIZE}, "adaptive": {"rtol": 1e-6, "atol": 1e-8}}


def beyond(run: Callable[[float], object], rounds: int) -> float:
    """Milliseconds of run(duration) at duration 0."""
    span = STEPS * SIZE
    once, twice = shortest([lambda: run(span), lambda: run(2 * span)], rounds)
    return 1e3 * (2 * once - twice)


def measured(model: Callable[[int], po.System], key: str, settings: dict[str, float], rounds: int) -> dict[str, float]:
    """Milliseconds beyond the steps, of all kinds of runs."""
    ready, system, other = po.prepare(model(0), **settings), model(0), count(1)

    def prepared(t: float) -> object:
        return ready.run(t, output_step=t)

    def changed(t: float) -> object:
        return ready.run(t, output_step=t, change={key: 2.0 + 1e-3 * next(other)})

    def again(t: float) -> object:
        return po.simulate(system, t, output_step=t, **settings)

    built = iter([model(k) for k in range(1, 4 * rounds + 9)])

    def anew(t: float) -> object:
        return po.simulate(next(built), t, output_step=t, **settings)

    kinds = {"prepared": prepared, "change": changed, "simulate": again, "anew": anew}
    return {name: beyond(run, rounds) for name, run in kinds.items()}


def run(rounds: int = ROUNDS) -> Table:
    """All systems, fixed and adaptive steps."""
    table = Table("Milliseconds of a run beyond its steps")
    for name, (model, key) in CASES.items():
        for steps, settings in SETTINGS.items():
            found = measured(model, key, settings, rounds)
            prepared = all(found[kind] <= PREPARED for kind in ("prepared", "change"))
            simulated = all(found[kind] <= SIMULATED for kind in ("simulate", "anew"))
            reached = f"{verdict(prepared)} (<= {PREPARED:g}), {verdict(simulated)} (<= {SIMULATED:g})"
            table.add(system=name, steps=steps, **found, verdict=reached)
    table.notes.append("prepared: run again; change: with another mass; simulate: a system that ran before; anew: a new system with another value.")
    return table
