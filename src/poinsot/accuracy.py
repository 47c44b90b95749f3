"""Runs to an accuracy: tolerances are tightened until two runs in a row agree to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.errors import ConvergenceError, SettingsError
from poinsot.model.guard import is_number
from poinsot.model.words import short_repr
from poinsot.results.error_estimate import differences
from poinsot.results.trajectory import Trajectory

FIRST, FINER = 0.1, 0.1  # first tolerance, as a part of the accuracy; factor on the tolerance of the next run, at most
SMALLEST_FACTOR, MARGIN = 1e-3, 0.3  # smallest such factor; aim for this part of the accuracy
TIGHTEST, MOST_ACCURATE, LEAST_ACCURATE = 1e-14, 1e-12, 1.0  # of tolerances; of accuracies, m and rad
SAFETY = 2.0  # on the difference of two runs: at loose tolerances the finer is not always much more accurate
MOST_RUNS = 8
# settings that accuracy= chooses itself, or with which two runs cannot be compared output by output
CHOSEN = ("step", "rtol", "atol", "tolerance", "estimate_error", "until", "stream", "events")


def check_accuracy(accuracy: Any, settings: dict[str, Any]) -> float:
    """The accuracy as a number; raises a SettingsError for one that is not possible, and for settings that contradict it."""
    if not (is_number(accuracy) and MOST_ACCURATE <= accuracy <= LEAST_ACCURATE):
        raise SettingsError(f"accuracy must be between {MOST_ACCURATE:g} and {LEAST_ACCURATE:g} (m and rad), not {short_repr(accuracy)}")
    given = [name for name in CHOSEN if settings.get(name) not in (None, False, ())]
    if given:
        raise SettingsError(
            f"accuracy= chooses steps and tolerances and compares whole runs: leave out {', '.join(f'{name}=' for name in given)}"
        )
    return float(accuracy)


def run_to(accuracy: float, at: Callable[[float], Trajectory]) -> Trajectory:
    """The finer of two runs in a row that agree to an accuracy.

    Parameters
    ----------
    accuracy : largest difference allowed of positions (m) and attitudes (rad) of all bodies at all outputs
    at : runs the system with a tolerance; all its runs have the same outputs

    The difference of the two runs, about the error of the coarser, times SAFETY is in the record of the finer as its estimated error.

    Raises
    ------
    ConvergenceError
        if no tolerance is tight enough; it carries the finest run.
    """
    tolerance = max(FIRST * accuracy, TIGHTEST)
    coarse, runs, estimate = at(tolerance), 1, accuracy
    while tolerance > TIGHTEST and runs < MOST_RUNS:
        tolerance = max(tolerance * float(np.clip(MARGIN * accuracy / estimate, SMALLEST_FACTOR, FINER)), TIGHTEST)
        fine = at(tolerance)
        runs += 1
        record: Any = fine.record
        record.error_position, record.error_rotation = (SAFETY * found for found in differences(coarse, fine))
        record.settings["accuracy"] = accuracy
        estimate = max(record.error_position, record.error_rotation)
        if estimate <= accuracy:
            return fine
        coarse = fine
    raise ConvergenceError(
        f"an accuracy of {accuracy:g} was not reached: runs with tolerances down to {tolerance:.0e} still differ by "
        f"{estimate / SAFETY:.2g} m or rad. Nearby motions separate (see the Lyapunov time of po.compare), "
        "or something in the system is not smooth: ask for a shorter duration or a lower accuracy",
        coarse,
    )
