"""The error of a run, as far as it is known, and how much of it is due to exponential growth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.comparison.lyapunov import Growth
from poinsot.comparison.measure import Measured
from poinsot.comparison.reference import Reference
from poinsot.comparison.row import Row
from poinsot.comparison.settings import Grid
from poinsot.results.error_estimate import distances

KNOWN = 4.0  # times the uncertainty of the reference: larger differences from it are errors, known to a quarter
PERIODS = 3.0  # Lyapunov times in the duration from which growth can dominate
SHARE = 0.5  # of the expected growth, in logarithms, which an error must show


def judged(measured: Measured, grid: Grid, reference: Reference, growth: Growth) -> Row:
    """The row with its error."""
    row, poses = measured.row, measured.poses
    if poses is None or reference.poses is None or reference.agreement is None:
        return row
    t = grid.times - grid.start
    count = int(np.searchsorted(t, reference.until + 1e-9 * grid.duration, side="right"))
    metres, radians = distances(poses[:count], reference.poses[:count])
    errors = np.maximum(metres / reference.size, radians)
    agreement, largest = reference.agreement, float(errors.max())
    known = largest >= KNOWN * agreement
    more = 0.0 if known else agreement
    early = _until(t[:count], errors, growth.time)
    return replace(
        row,
        error=largest + more,
        error_known=known,
        error_position=float(metres.max()) + more * reference.size,
        error_rotation=float(radians.max()) + more,
        error_before_growth=None if early is None else max(early, agreement),
        grown=known and _grown(t[:count], errors, growth.time),
        curves={"error": errors, **row.curves},
    )


def _until(t: np.ndarray, errors: np.ndarray, period: float | None) -> float | None:
    """Largest error within the first Lyapunov time, but at least at the first output."""
    if period is None:
        return None
    return float(errors[: max(2, int(np.searchsorted(t, period, side="right")))].max())


def _grown(t: np.ndarray, errors: np.ndarray, period: float | None) -> bool:
    """Whether the error grew from the first Lyapunov time on at a rate that is at least half of the one expected."""
    if period is None or t[-1] < PERIODS * period:
        return False
    early = _until(t, errors, period)
    assert early is not None
    growth = np.log(max(float(errors.max()), 1e-300) / max(early, 1e-300))
    return bool(growth >= SHARE * (t[int(np.argmax(errors))] - period) / period)
