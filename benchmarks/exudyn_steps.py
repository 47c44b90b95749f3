"""Energy-momentum steps against Exudyn's generalized-alpha at the same step size, and what they cost as chains grow.

Both programs start from the same state and are compared with a converged reference at the end. Exudyn has redundant
coordinates (Euler parameters, `exudyn_models.py`), one thread, its own tolerances (1e-8; ours is rounding), and the build
of it without checks. Its time of a step is that of a run less that of a run of one step, over the steps between;
ours is that of the compiled loop. Neither includes building the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from time import process_time
from typing import Any

import numpy as np
from exudyn_models import Variant, build, imported, settings
from models import Chain, system
from table import NOT_INSTALLED, Table, verdict
from timing import shortest

import poinsot as po
from poinsot.analysis.start import Start
from poinsot.driver import Driver, Progress
from poinsot.starts import closed_start, first_progress

STEP = 0.01  # s
CHAINS, LINKS, CHAIN_STEPS = (8, 64, 256), 64, 50  # sizes; the one with a target; steps timed
BAR_STEPS = 200
CHAIN_RATIO, BAR_RATIO = 20.0, 10.0  # targets
SIZES, SIZE_STEPS, EXPONENT, SETTING_UP = (64, 256, 1024, 4096, 10_000), 20, 1.10, 3.0  # targets: of total time; s
ROUNDS = 12
FOR_CHAINS = (Variant("index 3, sparse", sparse=True), Variant("index 2, sparse", index2=True, sparse=True))
FOR_LOOPS = (
    Variant("index 3, singular Jacobian ignored", redundant=True),
    Variant("index 2, singular Jacobian ignored", index2=True, redundant=True),
    Variant("index 3, one joint in the plane", in_plane=("knee",)),
    Variant("index 2, one joint in the plane", index2=True, in_plane=("knee",)),
)


class Case:
    """A system, where it starts and how far it goes."""

    def __init__(self, s: po.System, state: po.State | None, steps: int):
        self.system, self.state, self.steps = s, state, steps
        self.start = po.simulate(s, STEP, step=STEP, state=state)

    def ours(self, integrator: str) -> tuple[Callable[[], object], po.Trajectory]:
        """What is timed, and the run of which it is a part."""
        run = po.simulate(self.system, self.steps * STEP, step=STEP, state=self.state, integrator=integrator)
        march, _ = marching(self.system, self.state, integrator)
        return lambda: march(self.steps), run

    def exact(self, **settings: Any) -> np.ndarray:
        """Positions at the end, converged."""
        return positions(po.simulate(self.system, self.steps * STEP, state=self.state, **settings))


def bent(n: int, steps: int = CHAIN_STEPS) -> Case:
    """A bent chain of spherical joints, let go at rest."""
    chain = Chain("spherical", n)
    s = system(chain)
    return Case(s, po.dynamics(s, "tree").state(chain.coordinates.ravel(), np.zeros(3 * n)), steps)


def four_bar(steps: int = BAR_STEPS) -> Case:
    """A four-bar of 3D revolutes, three of whose rows are redundant, let go at rest; it swings through."""
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    corners = ((0, 0, 0), (0.5, 0, 0.866), (2.155, 0, 1.492), (2, 0, 0))
    bars = [
        s.body(name, po.Rod(radius=0.02, mass=mass), between=(a, b))
        for name, mass, a, b in zip(("crank", "coupler", "rocker"), (1.0, 2.0, 1.5), corners, corners[1:])
    ]
    for name, at, a, b in zip(("base", "elbow", "knee", "foot"), corners, [s.ground, *bars], [*bars, s.ground]):
        s.revolute(a, b, at=at, axis="y", name=name)
    return Case(s, None, steps)


def positions(run: po.Trajectory) -> np.ndarray:
    """Of all bodies at the end (m)."""
    return np.array([run[body.name].position[-1] for body in run.system.bodies])


def launch(s: po.System, state: po.State | None, **given: Any) -> tuple[Driver, Progress]:
    """What runs a system in compiled code, and where it starts."""
    ready = po.prepare(s, **given)
    frozen, initial = ready.frozen, ready.refill.initial
    given = Start(*initial) if state is None else Start(state.coordinates, state.rates)
    start = closed_start(frozen, given, 0.0, None)
    assert ready.formulation.rows is not None
    frozen, formulation = ready.formulation.rows.without(frozen, start.dropped)
    driver = Driver(formulation, ready.method.bind(formulation) if ready.method.bind else ready.method, frozen.layout)
    return driver, first_progress(frozen, start, driver, state, 0.0, ready.step)


def marching(
    s: po.System, state: po.State | None, integrator: str, formulation: str = "directors", step: float = STEP
) -> tuple[Callable[[int], Progress], float]:
    """A function that does so many steps from the start, and the processor time (s) of setting up, check and freeze included."""
    began = process_time()
    driver, p = launch(s, state, step=step, integrator=integrator, formulation=formulation)
    took = process_time() - began
    nothing, y, memory = np.zeros((0, len(p.y))), p.y.copy(), driver.fresh_memory()

    def march(count: int) -> Progress:
        y[:], memory[:] = p.y, 0.0  # in place: new pages of memory would be timed, too
        new = Progress(y, memory, 0.0)
        driver.fixed(new, 0.0, step, 0, count, count + 1, nothing)
        assert new.status == 0
        return new

    return march, took


def compare(
    table: Table,
    case: Case,
    what: str,
    integrators: Sequence[str],
    variants: Sequence[Variant],
    exact: np.ndarray,
    target: float | None,
    rounds: int,
) -> None:
    """Rows of one case: every integrator against every variant of Exudyn, measured in turns."""
    exudyn = imported()
    own = [case.ours(name) for name in integrators]
    peers = [build(exudyn, case.start, variant.in_plane) for variant in variants] if exudyn else []
    calls = [call for call, _ in own]
    before = []
    for peer, variant in zip(peers, variants):
        before.append(peer.energy())
        for steps in (1, case.steps):
            chosen = settings(exudyn, STEP, steps, variant)
            calls.append(lambda peer=peer, chosen=chosen: peer.solve(chosen))
    times = shortest(calls, rounds)
    for k, ((_, run), name) in enumerate(zip(own, integrators)):
        us = 1e6 * times[k] / case.steps
        cells = {"what": what, "poinsot": name, "poinsot us": us}
        ends = {
            "error poinsot m": float(np.abs(positions(run) - exact).max()),
            "drift poinsot J": float(run.energy[-1] - run.energy[0]),
        }
        if exudyn is None:
            table.add(**cells, exudyn=NOT_INSTALLED, **ends)
        for n, (peer, variant) in enumerate(zip(peers, variants)):
            one, all_steps = times[len(own) + 2 * n : len(own) + 2 * n + 2]
            theirs = 1e6 * (all_steps - one) / (case.steps - 1)
            goal = target if k == 0 else None
            table.add(
                **cells,
                exudyn=variant.name,
                exudyn_us=theirs,
                ratio=theirs / us,
                target="" if goal is None else f">= {goal:g}",
                verdict="" if goal is None else verdict(theirs / us >= goal),
                **ends,
                error_exudyn_m=float(np.abs(peer.positions() - exact).max()),
                drift_exudyn_J=peer.energy() - before[n],
            )


def add_sizes(table: Table, sizes: Sequence[int], rounds: int) -> None:
    """What a step of a long chain costs per body, and how long it is set up."""
    chains = [bent(n, 1) for n in sizes]
    marches = [marching(chain.system, chain.state, "energy-momentum") for chain in chains]
    times = shortest([lambda march=march: march(SIZE_STEPS) for march, _ in marches], rounds)
    for n, seconds, (march, took) in zip(sizes, times, marches):
        iterations = march(SIZE_STEPS).counters[2] / SIZE_STEPS
        table.add(
            what=f"{n} links, {iterations:.1f} iterations a step, set up in {took:.2f} s",
            poinsot="energy-momentum",
            poinsot_us=1e6 * seconds / SIZE_STEPS,
            ratio=f"{1e6 * seconds / SIZE_STEPS / n:.2f} us per body",
        )
    growth = log(times[-1] / times[0]) / log(sizes[-1] / sizes[0])
    table.add(
        what=f"exponent of the time, {sizes[0]} to {sizes[-1]} links",
        ratio=f"{growth:.3f}",
        target=f"<= {EXPONENT}",
        verdict=verdict(growth <= EXPONENT),
    )
    table.add(
        what=f"check, freeze, analyse {sizes[-1]} links",
        ratio=f"{marches[-1][1]:.2f} s",
        target=f"<= {SETTING_UP:g} s",
        verdict=verdict(marches[-1][1] <= SETTING_UP),
    )


def run(chains: Sequence[int] = CHAINS, sizes: Sequence[int] = SIZES, rounds: int = ROUNDS) -> Table:
    """All rows."""
    table = Table(f"Energy-momentum steps of {STEP} s, and Exudyn's generalized-alpha with the same steps")
    for n in chains:
        case = bent(n)
        exact = case.exact(step=STEP / 4, integrator="gauss4", output_step=STEP * case.steps)
        aim = CHAIN_RATIO if n == LINKS else None
        compare(table, case, f"bent chain of {n} links", ["energy-momentum"], FOR_CHAINS, exact, aim, rounds)
    loop = four_bar()
    exact = loop.exact(step=STEP / 8, integrator="energy-momentum-6", output_step=STEP * loop.steps)
    compare(table, loop, "four-bar", ["energy-momentum", "energy-momentum-6"], FOR_LOOPS, exact, BAR_RATIO, 4 * rounds)
    add_sizes(table, sizes, max(rounds // 3, 1))
    table.notes += [
        f"Chains: links of 50 kg, let go at rest, errors and drifts after {CHAIN_STEPS} steps; reference gauss4 with steps of {STEP / 4} s.",
        f"Four-bar: {BAR_STEPS} steps; reference energy-momentum-6 with steps of {STEP / 8} s. Three of its rows are redundant:",
        "Exudyn takes its dense solver with full pivoting (ignoreSingularJacobian), or two equations for one of the joints.",
        "Index 3: constraints on positions, Exudyn's default; index 2: on velocities, Newmark. Times: processor time.",
    ]
    return table
