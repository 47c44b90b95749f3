"""How many iterations energy-momentum steps take, what a rescue costs, and what the coupling of stages in the matrix would save at best.

Counts do not depend on the machine: evaluations of all stages per step, the corrections of Newton's method where every step is done by it. A matrix
that couples s stages has s^2 times the blocks of the one that they share, and its elimination takes s^3 times the operations. Newton's method with
it would take the corrections that are counted, and in each of them between s^2 and s^3 times the measured time of a shared matrix, besides an
iteration. What loads add to it is not counted. Corrections that use directions of earlier ones are more than those would be, by up to a half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from against_cases import chain, damped, four_bar
from elimination import PLATFORM
from exudyn_steps import launch
from numba import int64
from table import Table
from timing import seconds_per_call, shortest

import poinsot as po
from poinsot.algebra.compile import compiled
from poinsot.driver import Driver, Progress
from poinsot.formulations.absolute.rows import build
from poinsot.tables.types import EVALUATIONS, FLOATS, HALVINGS, ITERATIONS, LAYOUT, NEWTON_STEPS, STEPS

NAMES = {1: "energy-momentum", 2: "energy-momentum-4", 3: "energy-momentum-6"}  # by stages
ROUNDS = 20


def fast_bar() -> po.System:
    """A four-bar whose crank turns at 20 rad/s."""
    s = four_bar()
    s["pin0"].set(rate=20.0)
    return s


def tumbling() -> po.System:
    """Six bodies on ball joints, floating, that tumble at some 40 rad/s."""
    s = po.System("tumbling", gravity=None)
    bodies = [s.body(f"b{k}", po.Box(0.2, 0.3, 1.0, mass=1.0 + 0.3 * k), position=(0, 0, k)) for k in range(6)]
    for k in range(5):
        s.spherical(bodies[k], bodies[k + 1], at=(0, 0, k + 0.5)).set(rate=(3.0 * (-1) ** k, 6.0, 3.0 * k))
    bodies[0].set(angular_velocity=(30.0, 18.0, 6.0))
    return s


def strutted() -> po.System:
    """The Stewart platform with a stiff spring from the ground to one of its bodies."""
    s = po.read(PLATFORM)
    s.add(po.Spring(s.ground, s.bodies[-1], at=((0, 0, 0), (0, 0, 1.0)), stiffness=1e5, length=0.8))
    return s


Case = tuple[Callable[[], po.System], float, int]  # system, step (s), steps
CASES: dict[str, Case] = {
    "four-bar": (fast_bar, 0.002, 200),
    "four-bar, large steps": (fast_bar, 0.04, 200),
    "tumbling": (tumbling, 0.01, 200),
    "tumbling, large steps": (tumbling, 0.03, 200),
    "damped chain of 8": (lambda: damped(8), 0.02, 200),
    "damped chain of 8, large steps": (lambda: damped(8), 0.1, 100),
    "chain of 16": (lambda: chain(16), 0.01, 100),
    "Stewart platform": (lambda: po.read(PLATFORM), 0.01, 100),
    "Stewart platform, large steps": (lambda: po.read(PLATFORM), 0.025, 40),
    "Stewart platform, stiff spring": (strutted, 0.01, 100),
}
# cases in which nearly all steps are rescued, and those with steps so small that none is: what their rescues are compared with
SMALLER = {"tumbling, large steps": "tumbling", "damped chain of 8, large steps": "damped chain of 8"}


@compiled(int64(int64, FLOATS, LAYOUT, FLOATS))
def build_often(count, y, layout, work):
    """Factor the matrix that stages share so many times, in space."""
    for _ in range(count):
        build(layout, y, y, work, 0.0, work)
    return count


def marcher(driver: Driver, p: Progress, h: float) -> Callable[[int], np.ndarray]:
    """A function that does so many steps from the start, and returns what was counted in each."""
    nothing = np.zeros((0, len(p.y)))

    def march(count: int) -> np.ndarray:
        new = Progress(p.y.copy(), driver.fresh_memory(), 0.0)
        counted = [new.counters.copy()]
        for k in range(count):
            driver.fixed(new, 0.0, h, k, 1, count + 1, nothing)
            assert new.status == 0
            counted.append(new.counters.copy())
        return np.diff(counted, axis=0)

    return march


def by_newton(driver: Driver) -> None:
    """Let every step be done by Newton's method."""
    step, scratch = driver.method.rescue()
    driver.adopt(driver.formulation, replace(driver.method, step=step, scratch=lambda ny: scratch, rescue=None), driver.layout)


def microseconds(driver: Driver, p: Progress, h: float, count: int, rounds: int) -> float:
    """Shortest processor time of a step."""
    nothing, y, memory = np.zeros((0, len(p.y))), p.y.copy(), driver.fresh_memory()

    def run() -> None:
        y[:], memory[:] = p.y, 0.0
        driver.fixed(Progress(y, memory, 0.0), 0.0, h, 0, count, count + 1, nothing)

    return 1e6 * shortest([run], rounds)[0] / count


def row(what: str, case: Case, s: int, rounds: int) -> dict[str, Any]:
    """Counts and times of one case with s stages."""
    make, h, count = case
    driver, p = launch(make(), None, step=h, integrator=NAMES[s], formulation="directors:spatial")
    counted = marcher(driver, p, h)(count)
    evaluations = counted[:, EVALUATIONS] / s
    rescued = counted[:, NEWTON_STEPS] > 0
    plain = ~rescued & (counted[:, HALVINGS] == 0)
    us = microseconds(driver, p, h, count, rounds)
    cells = {"what": what, "stages": s, "step us": us, "evaluations": float(evaluations.mean())}
    cells["of ordinary steps"] = float(evaluations[plain].mean()) if plain.any() else "-"
    cells |= {"rescued": f"{rescued.sum()} of {count}", "of rescued steps": float(evaluations[rescued].mean()) if rescued.any() else "-"}
    cells |= {"at most": float(evaluations.max()), "halvings": int(counted[:, HALVINGS].sum())}
    matrix = 1e6 * seconds_per_call([lambda n: build_often(n, p.y, driver.layout, driver.work)], rounds)[0]
    by_newton(driver)
    newton = marcher(driver, p, h)(min(count, 100))
    corrections = newton[:, ITERATIONS].sum() / newton[:, STEPS].sum()
    cells |= {"Newton corrections": float(corrections), "matrix us": matrix}
    if s > 1 and not rescued.any():
        one = (us - matrix) / evaluations.mean()
        for power in (2, 3):
            cells[f"us coupled, s^{power}"] = float(corrections * (s**power * matrix + one))
    return cells


def run(quick: bool = False) -> Table:
    """All rows."""
    table, ordinary = Table("Iterations of energy-momentum steps"), {}
    for what, case in CASES.items():
        for s in NAMES:
            cells = row(what, (*case[:2], 20) if quick else case, s, 2 if quick else ROUNDS)
            ordinary[what, s] = cells["of ordinary steps"]
            rescued, usual = cells["of rescued steps"], ordinary[SMALLER.get(what, what), s]
            if "-" not in (rescued, usual):
                cells["rescued / ordinary"] = rescued / usual
            table.add(**cells)
    table.notes += [
        "Evaluations of all stages per step; those of rescued steps include what failed before, and halves of steps. Kernels in space.",
        "Ordinary steps are those of the same run; where nearly all are rescued, smaller ones of the same system.",
    ]
    return table


if __name__ == "__main__":
    print(run())
