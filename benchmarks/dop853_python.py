"""DOP853 in Python with NumPy, for programs that compute accelerations only: adaptive, few operations besides the rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from poinsot.integrators import dop853_numbers as numbers

STAGES = 12  # rates of a step; the next is that at its end
LEAST, MOST, SAFETY, EXPONENT = 1 / 3, 6.0, 0.9, 1 / 8
FEWEST = 1e-14  # of the duration: a smaller step is a failure
Rate = Callable[[np.ndarray], np.ndarray]


def dense(entries: dict[int, float]) -> np.ndarray:
    """A row of numbers up to the stage at the end of a step."""
    row = np.zeros(STAGES + 1)
    row[list(entries)] = list(entries.values())
    return row


ROWS = [dense(entries)[:k] for k, entries in enumerate(numbers.COEFFICIENTS[: STAGES + 1])]
WEIGHTS = dense(numbers.COEFFICIENTS[STAGES])
FIFTH, THIRD = dense(numbers.FIFTH_ORDER_ERROR), WEIGHTS - dense(numbers.THIRD_ORDER)
ERRORS = np.array([FIFTH, THIRD])


class Failure(RuntimeError):
    """The step became too small."""


def integrate(rate: Rate, start: np.ndarray, times: Sequence[float], tolerance: float, settle: Callable[[np.ndarray], None]) -> list[np.ndarray]:
    """States at times (s, from 0) with the tolerance in every component, absolute and relative; `settle` changes states after steps.

    The rate does not depend on time. Steps end at the times. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
    2nd ed. (1993), sections II.4 (step sizes) and II.10 (error).
    """
    y, t, found = start.copy(), 0.0, []
    k = np.empty((STAGES + 1, len(y)))
    k[0] = rate(y)
    h = first_step(rate, y, k[0], tolerance)
    for end in times:
        while t < end:
            step = min(h, end - t)
            if end - t - step < 1e-10 * step:
                step = end - t
            for s in range(1, STAGES):
                k[s] = rate(y + step * (ROWS[s] @ k[:s]))
            new = y + step * (ROWS[STAGES] @ k[:STAGES])
            k[STAGES] = rate(new)
            scale = tolerance + tolerance * np.maximum(np.abs(y), np.abs(new))
            off = (ERRORS @ k) / scale
            fifth, third = (off * off).sum(axis=1)
            below = fifth + 0.01 * third
            error = step * fifth / np.sqrt(below * len(y)) if below > 0 else 0.0
            if not np.isfinite(error):
                error = 1e9
            factor = min(MOST, max(LEAST, SAFETY * (error + 1e-30) ** -EXPONENT))
            if error <= 1:
                t = end if step == end - t else t + step
                y = new
                settle(y)
                k[0] = k[STAGES]
                h = max(step * factor, h) if step < h else step * factor
            else:
                h = step * min(1.0, factor)
                if h < FEWEST * times[-1]:
                    raise Failure(f"steps of {h:.1e} s")
        found.append(y.copy())
    return found


def first_step(rate: Rate, y: np.ndarray, f: np.ndarray, tolerance: float) -> float:
    """Section II.4."""
    scale = tolerance + tolerance * np.abs(y)
    size, slope = np.sqrt(np.mean((y / scale) ** 2)), np.sqrt(np.mean((f / scale) ** 2))
    h = 1e-6 if min(size, slope) < 1e-5 else 0.01 * size / slope
    bend = np.sqrt(np.mean(((rate(y + h * f) - f) / scale) ** 2)) / h
    largest = max(slope, bend)
    other = max(1e-6, h * 1e-3) if largest <= 1e-15 else (0.01 / largest) ** EXPONENT
    return min(100 * h, other)
