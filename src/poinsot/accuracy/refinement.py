"""Finer and finer runs until two in a row agree: tolerances of adaptive steps are tightened, fixed steps made smaller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from poinsot.accuracy.agreement import difference
from poinsot.errors import ConvergenceError
from poinsot.results.trajectory import Trajectory
from poinsot.tables.types import EVALUATIONS, HALVINGS, NEWTON_STEPS, STEPS

FIRST, FINER = 0.1, 0.1  # first tolerance, as a part of the accuracy; factor on the tolerance of the next run, at most
SMALLEST_FACTOR, MARGIN = 1e-3, 0.3  # smallest such factor; aim for this part of the accuracy
TIGHTEST = 1e-14  # of tolerances
SAFETY = 2.0  # on the difference of two runs: at loose settings the finer is not always much more accurate
MOST_RUNS = 8
MOST_FINER = 16.0  # largest factor on the number of fixed steps of the next run
UNLIKE_HALVES = (3.0, 6.0, 12.0)  # such factors after a run with halved steps
NEWTON = 6.0  # cost of Newton's method for one stage of a step, in evaluations


class TooExpensive(Exception):
    """The next run would cost more than is allowed."""


@dataclass
class Ladder:
    """Settings from coarse to fine. `first`: the coarsest; `finer(setting, ratio, order, halved)`: the next, where the estimated error must shrink
    by a ratio, or None where there is none; `order`: by which it shrank from one setting to the next, infinite before that is known; `halved`:
    whether some steps of the run with this setting had to be; `words(setting)`: about a setting; `growth(now, then)`: of the cost, from one
    setting to another.
    """

    first: float
    finer: Callable[[float, float, float, bool], float | None]
    words: Callable[[float], str]
    growth: Callable[[float, float], float] = lambda now, then: 1.0


def tolerances(accuracy: float) -> Ladder:
    """Tolerances of adaptive steps."""

    def finer(now: float, ratio: float, order: float, halved: bool) -> float | None:
        return None if now <= TIGHTEST else max(now * float(np.clip(ratio, SMALLEST_FACTOR, FINER)), TIGHTEST)

    return Ladder(max(FIRST * accuracy, TIGHTEST), finer, lambda now: f"tolerances down to {now:.0e}")


def steps(declared: int, output_step: float) -> Ladder:
    """Numbers of fixed steps between two outputs (s) of a method of this order; on stiff systems errors may shrink more slowly.

    Steps that are halved until they can be solved would be the same ones in a run whose steps are half as long, or a quarter: both would agree
    however wrong they are. After such a run there are a multiple of three times as many, which are never halved to the same size.
    """

    def finer(now: float, ratio: float, order: float, halved: bool) -> float:
        factor = float(np.clip(ratio ** (-1.0 / np.clip(order, 1.0, declared)), 2.0, MOST_FINER))
        if halved:
            return now * next(odd for odd in UNLIKE_HALVES if odd >= factor or odd == UNLIKE_HALVES[-1])
        return float(ceil(now * factor))

    return Ladder(1.0, finer, lambda now: f"steps down to {output_step / now:.2g} s", lambda now, then: then / now)


def cost(run: Trajectory) -> float:
    """Of a run, in evaluations of accelerations."""
    counters = run.record.counters
    return float(counters[EVALUATIONS] + NEWTON * counters[NEWTON_STEPS] * max(1.0, counters[EVALUATIONS] / max(counters[STEPS], 1)) ** 0.5)


def refined(accuracy: float, ladder: Ladder, at: Callable[[float], Trajectory], allowed: float = np.inf) -> tuple[Trajectory, float, int]:
    """The finer of two runs in a row that agree to an accuracy, its setting, and how many runs there were.

    Parameters
    ----------
    accuracy : largest difference allowed of positions (m) and attitudes (rad) of all bodies at all outputs
    at : runs the system with a setting of the ladder; all its runs have the same outputs
    allowed : cost of all runs together

    The difference of the two runs, about the error of the coarser, times SAFETY is in the record of the finer as its estimated error.

    Raises
    ------
    ConvergenceError
        if no setting is fine enough; it carries the finest run.
    TooExpensive
        before a run that would exceed the cost.
    """
    setting, runs, estimate, order, spent = ladder.first, 1, np.inf, np.inf, 0.0
    coarse = at(setting)
    while runs < MOST_RUNS:
        halved = bool(coarse.record.counters[HALVINGS])
        new = ladder.finer(setting, MARGIN * accuracy / estimate if np.isfinite(estimate) else FINER, order, halved)
        if new is None:
            break
        last = cost(coarse)
        spent += last
        if spent + last * ladder.growth(setting, new) > allowed:
            raise TooExpensive
        times, before, setting, fine = new / setting, estimate, new, at(new)
        runs += 1
        record: Any = fine.record
        record.error_position, record.error_rotation = (SAFETY * found for found in difference(coarse, fine))
        record.settings["accuracy"] = accuracy
        estimate = max(record.error_position, record.error_rotation)
        if estimate <= accuracy:
            return fine, setting, runs
        order = float(np.log(before / estimate) / np.log(times)) if np.isfinite(before) and np.isfinite(estimate) else np.inf
        coarse = fine
    apart = f"differ by {estimate / SAFETY:.2g} m or rad" if np.isfinite(estimate) else "differ in their events"
    raise ConvergenceError(
        f"an accuracy of {accuracy:g} was not reached: runs with {ladder.words(setting)} still {apart}. "
        "Nearby motions separate (see the Lyapunov time of po.compare), "
        "or something in the system is not smooth: ask for a shorter duration or a lower accuracy",
        coarse,
    )
