"""The chain of saetran2018 against MuJoCo at equal accuracy: the computing time for a given accuracy of the tip.

Each program takes the coarsest step, on a common grid of steps, with which the tip is right at every whole second; of
Poinsot's methods the one that is fastest then. MuJoCo takes its Runge-Kutta steps (mjINT_RK4, of order four), in
double precision, with every flag set that switches something off which the
chain does not need (`models.MUJOCO_OFF`), in a loop that runs in C (`mj_step` with `nstep`). Ours is the call of `run`
of a prepared system. Neither time includes building the model. The time of MuJoCo is its shortest time of a step
multiplied by the number of steps, ours the shortest time of a whole run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil, inf, isfinite, log, log2
from typing import Any

import numpy as np
from models import TIP, Turns, let_go, mujoco_chain, mujoco_tip, quaternions, swung
from table import NOT_INSTALLED, Table, verdict
from timing import seconds_per_call, shortest

import poinsot as po
from poinsot.errors import RunError

ANGLE, DURATION = 0.1, 10  # rad, s
FINE = 0.0025  # s, step of the references
CASES = {4: (20.0, (1e-6, 1e-9, 1e-12)), 64: (100.0, (1e-6, 1e-9))}  # number of links: ratio wanted, accuracies (m)
METHODS = (("rk4", None), ("dopri5", None), ("dop853", None), ("gauss4", 1e-9), ("gauss4", None))  # stages' tolerance
COARSEST, OCTAVE = 5, 6  # fewest steps per second; places of the grid until they have doubled
OUR_PLACES, THEIR_PLACES = (0, 32), (12, 60)  # tried: steps of 0.2 to 0.005 s, of 0.05 to 0.0002 s
FASTEST, ROUNDS = 5, 60  # runs timed to choose a method; rounds of the final measurement


def steps_per_second(k: int) -> int:
    """The grid of steps."""
    return round(COARSEST * 2 ** (k / OCTAVE))


def coarsest(error: Callable[[int], float], accuracy: float, first: int, last: int) -> int | None:
    """The first of these places on the grid whose error is within the accuracy; None if that of the last is not.

    Places are left out in between as an error of fourth order permits, then the last gap is halved.
    """
    too_coarse, k = first - 1, first
    while not error(k) <= accuracy:
        if k == last:
            return None
        jump = ceil(OCTAVE * log2(error(k) / accuracy) / 4) if isfinite(error(k)) else OCTAVE
        too_coarse, k = k, min(k + min(jump, OCTAVE), last)
    while k - too_coarse > 1:
        middle = (too_coarse + k) // 2
        too_coarse, k = (too_coarse, middle) if error(middle) <= accuracy else (middle, k)
    return k


class Ours:
    """One method of Poinsot on one chain."""

    def __init__(self, system: po.System, method: tuple[str, float | None], exact: np.ndarray):
        self.system, self.exact = system, exact
        self.integrator, self.tolerance = method
        self.error = cache(self._error)

    def call(self, k: int) -> Callable[[], po.Trajectory]:
        """What is timed: a run of the system prepared with the steps of place k."""
        step = 1 / steps_per_second(k)
        ready = po.prepare(self.system, step=step, integrator=self.integrator, tolerance=self.tolerance)
        return lambda: ready.run(float(len(self.exact) - 1), output_step=1.0, progress=False)

    def _error(self, k: int) -> float:
        """Largest distance of the tip from the exact one at whole seconds (m)."""
        try:
            found = tips(self.call(k)())
        except RunError:
            return inf
        return float(np.abs(found - self.exact).max())

    def lasting_error(self, k: int) -> float:
        """The larger one of this place and the next, so that no lucky step is chosen."""
        return max(self.error(k), self.error(k + 1))

    def name(self, k: int) -> str:
        """As it stands in the table."""
        tolerance = "" if self.tolerance is None else f" to {self.tolerance:g}"
        return f"{self.integrator}{tolerance}, {1 / steps_per_second(k):.3g} s"


class Theirs:
    """MuJoCo on one chain."""

    def __init__(self, mujoco: Any, turns: Turns, exact: np.ndarray):
        self.mujoco, self.turns, self.exact = mujoco, turns, exact
        self.error = cache(self._error)

    def start(self, k: int) -> tuple[Any, Any]:
        """Model with the steps of place k, and its state at rest."""
        model = mujoco_chain(self.mujoco, len(self.turns), 1 / steps_per_second(k))
        data = self.mujoco.MjData(model)
        data.qpos[:] = quaternions(self.turns).ravel()
        return model, data

    def _error(self, k: int) -> float:
        """As of `Ours`."""
        model, data = self.start(k)
        found = [mujoco_tip(self.mujoco, model, data)]
        for _ in self.exact[1:]:
            self.mujoco.mj_step(model, data, nstep=steps_per_second(k))
            found.append(mujoco_tip(self.mujoco, model, data))
        return float(np.abs(np.array(found) - self.exact).max())

    def stepper(self, k: int) -> Callable[[int], object]:
        """A function that does so many steps."""
        model, data = self.start(k)
        return lambda count: self.mujoco.mj_step(model, data, nstep=count)


def tips(run: po.Trajectory) -> np.ndarray:
    """Positions of the free end (m)."""
    return run[run.system.bodies[-1].name].point(TIP)


def references(system: po.System, duration: int) -> tuple[np.ndarray, float]:
    """The tip at every second by gauss4 with fine steps, and how far dop853 is from it (m)."""
    runs = [
        tips(po.simulate(system, float(duration), step=FINE, output_step=1.0, integrator=name, progress=False))
        for name in ("gauss4", "dop853")
    ]
    return runs[0], float(np.abs(runs[0] - runs[1]).max())


def best_of_ours(candidates: Sequence[Ours], accuracy: float) -> tuple[Ours, int]:
    """The fastest method with the coarsest step that is accurate enough."""
    found = [(one, coarsest(one.lasting_error, accuracy, *OUR_PLACES)) for one in candidates]
    able = [(one, k) for one, k in found if k is not None]
    times = shortest([one.call(k) for one, k in able], FASTEST)
    return able[times.index(min(times))]


def run(cases: dict[int, tuple[float, tuple[float, ...]]] = CASES, duration: int = DURATION) -> Table:
    """All chains and accuracies."""
    try:
        import mujoco
    except ImportError:
        mujoco = None
    table = Table(f"A chain swings {duration} s: Poinsot and MuJoCo's RK4 at equal accuracy of the tip")
    for n, (target, accuracies) in cases.items():
        turns = swung(n, ANGLE)
        exact, apart = references(let_go(turns), duration)
        candidates = [Ours(let_go(turns), method, exact) for method in METHODS]
        theirs, places = Theirs(mujoco, turns, exact), []
        for accuracy in accuracies:
            ours, k = best_of_ours(candidates, accuracy)
            cells: dict[str, Any] = {"links": n, "to m": f"{accuracy:g}", "poinsot": ours.name(k)}
            if mujoco is None:
                (own,) = shortest([ours.call(k)], ROUNDS)
                table.add(**cells, poinsot_ms=1e3 * own, mujoco=NOT_INSTALLED, target=f">= {target:g}")
                continue
            place = coarsest(theirs.error, accuracy, *THEIR_PLACES)
            if place is None:
                table.add(**cells, mujoco="not that accurate", target=f">= {target:g}", verdict=verdict(True))
                continue
            places.append(place)
            table.add(**cells, **compared(ours, k, theirs, place, target))
        note = f"{n} links: reference gauss4 with steps of {FINE} s; dop853 with such steps is {apart:.1e} m from it"
        if len(set(places)) > 1:
            note += f", MuJoCo converges to it with the order {measured_order(theirs, places[0], places[-1]):.2f}"
        table.notes.append(note + ".")
    table.notes.append(
        "Errors: largest at whole seconds. Times: processor time. Places of the grid of steps are 12 % apart."
    )
    return table


def compared(ours: Ours, k: int, theirs: Theirs, place: int, target: float) -> dict[str, Any]:
    """The cells with both programs' times and errors."""
    call, steps = ours.call(k), steps_per_second(place)
    own, peer = seconds_per_call([lambda count: [call() for _ in range(count)], theirs.stepper(place)], ROUNDS)
    whole = peer * steps * (len(theirs.exact) - 1)
    return {
        "mujoco": f"{1 / steps:.3g} s",
        "poinsot ms": 1e3 * own,
        "mujoco ms": 1e3 * whole,
        "ratio": whole / own,
        "target": f">= {target:g}",
        "verdict": verdict(whole / own >= target),
        "error poinsot m": ours.error(k),
        "error mujoco m": theirs.error(place),
    }


def measured_order(theirs: Theirs, k: int, fine: int) -> float:
    """Power of the step with which MuJoCo's error falls between two places."""
    return log(theirs.error(k) / theirs.error(fine)) / log(steps_per_second(fine) / steps_per_second(k))
