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
LEAST = 2.0  # logarithm of growth from which it can dominate
SHARE = 0.5  # of the expected growth, in logarithms, which an error must show


def judged(measured: Measured, grid: Grid, reference: Reference, growth: Growth) -> Row:
    """The row with its error."""
    row, poses = measured.row, measured.poses
    if poses is None or reference.poses is None or reference.agreement is None or reference.uncertainty is None:
        return row
    t = grid.times - grid.start
    count = int(np.searchsorted(t, reference.until + 1e-9 * grid.duration, side="right"))
    metres, radians = distances(poses[:count], reference.poses[:count])
    errors = np.maximum(metres / reference.size, radians)
    agreement, largest = reference.agreement, float(errors.max())
    known = largest >= KNOWN * agreement
    more = 0.0 if known else agreement
    early = _until(t[:count], np.maximum(errors, reference.uncertainty[:count]), growth.early)
    return replace(
        row,
        error=largest + more,
        error_known=known,
        error_position=float(metres.max()) + more * reference.size,
        error_rotation=float(radians.max()) + more,
        error_before_growth=early,
        grown=known and _grown(t[:count], errors, growth),
        curves={"error": errors, **row.curves},
    )


def _until(t: np.ndarray, errors: np.ndarray, early: float | None) -> float | None:
    """Largest error until small deviations have grown by a factor e, but at least at the first output."""
    if early is None:
        return None
    return float(errors[: max(2, int(np.searchsorted(t, early, side="right")))].max())


def _grown(t: np.ndarray, errors: np.ndarray, growth: Growth) -> bool:
    """Whether the error grew, from then on, by at least half of what a small deviation did, in logarithms."""
    before, peak = _until(t, errors, growth.early), int(np.argmax(errors))
    expected = growth.expected(float(t[peak])) - 1.0
    if before is None or expected < LEAST:
        return False
    return bool(np.log(max(float(errors[peak]), 1e-300) / max(before, 1e-300)) >= SHARE * expected)
