"""Settings of a comparison, checked: duration, steps, tolerances, and the times at which runs are compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd
from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.guard import is_number, whole
from poinsot.model.words import short_repr
from poinsot.plans import MOST_STEPS, positive

FRACTIONS = (1, 2, 4)  # by which the given step is divided
TOLERANCES = (1e-6, 1e-9, 1e-12)
ATOL = 0.01  # of rtol, where only that is given
FEWEST, MOST = 200, 400  # times at which runs are compared, where the steps allow it
ADAPTIVE = 200  # the same without fixed steps


@dataclass(frozen=True)
class Grid:
    """Times and accuracies of all runs: `outputs` equal intervals, to which all steps fit."""

    start: float
    duration: float
    steps: tuple[float, ...]
    tolerances: tuple[tuple[float, float], ...]
    outputs: int

    @property
    def output_step(self) -> float:
        """Time between two comparisons, s."""
        return self.duration / self.outputs

    @property
    def times(self) -> np.ndarray:
        """Times of the comparison (outputs + 1,), s."""
        return self.start + np.linspace(0.0, self.duration, self.outputs + 1)


def make_grid(duration: Any, start: Any, step: Any, steps: Any, tolerances: Any) -> Grid:
    """Check the settings; raises a SettingsError with the remedy."""
    length = positive(duration, "duration")
    if length is None:
        raise SettingsError("duration must be a positive time in s, not None")
    if not (is_number(start) and np.isfinite(start)):
        raise SettingsError(f"start must be a time in s, not {short_repr(start)}")
    if step is not None and steps is not None:
        raise SettingsError("give either step=, from which smaller ones are derived, or steps=, a list of all of them, not both")
    sizes = _sizes(step, steps)
    counts = [_count(length, size) for size in sizes]
    outputs = _outputs(reduce(gcd, counts)) if counts else ADAPTIVE
    return Grid(float(start), length, tuple(length / n for n in counts), _tolerances(tolerances), outputs)


def _sizes(step: Any, steps: Any) -> list[float]:
    if step is not None:
        largest = positive(step, "step")
        assert largest is not None
        return [largest / n for n in FRACTIONS]
    if steps is None:
        return []
    if not isinstance(steps, list | tuple | np.ndarray) or len(steps) == 0:
        raise SettingsError(f"steps must be a list of times in s, such as [0.02, 0.01], not {short_repr(steps)}")
    sizes = [positive(one, "each of steps") for one in steps]
    if any(size is None for size in sizes) or len(set(sizes)) < len(sizes):
        raise SettingsError(f"steps must be different times in s, not {short_repr(steps)}")
    return sorted((size for size in sizes if size is not None), reverse=True)


def _count(duration: float, step: float) -> int:
    """Number of steps in the duration, which must be whole so that all runs have outputs at the same times."""
    if duration / step > MOST_STEPS:
        raise SettingsError(f"{duration:g} s in steps of {step:g} s is more than {MOST_STEPS:g} steps")
    count = round(duration / step)
    if count < 1 or abs(count * step - duration) > 1e-9 * duration:
        near = max(1, round(duration / step))
        raise SettingsError(
            f"duration {duration:g} s is not a multiple of the step {step:g} s, so runs would have no common times: give step "
            f"{duration / near:.9g} or duration {near * step:.9g}"
        )
    return count


def _outputs(common: int) -> int:
    """Number of intervals between the times of the comparison: a divisor of the common number of steps."""
    divisors = sorted({d for k in range(1, int(common**0.5) + 1) if common % k == 0 for d in (k, common // k)})
    enough = [d for d in divisors if FEWEST <= d <= MOST] or [d for d in divisors if d >= FEWEST]
    return enough[0] if enough and enough[0] <= 100 * MOST else [d for d in divisors if d <= 100 * MOST][-1]


def _tolerances(given: Any) -> tuple[tuple[float, float], ...]:
    if given is None:
        given = TOLERANCES
    if not isinstance(given, list | tuple | np.ndarray):
        raise SettingsError(f"tolerances must be a list of rtol, or of pairs (rtol, atol), not {short_repr(given)}")
    found = []
    for one in given:
        pair = tuple(one) if isinstance(one, list | tuple) and len(one) == 2 else (one, None)
        rtol, atol = pair
        if not (is_number(rtol) and 0 < rtol < 1):
            raise SettingsError(f"each of tolerances must be a relative tolerance between 0 and 1, or a pair (rtol, atol), not {short_repr(one)}")
        if atol is not None and not (is_number(atol) and 0 <= atol < np.inf):
            raise SettingsError(f"each of tolerances must have an absolute tolerance that is not negative, not {short_repr(one)}")
        found.append((float(rtol), ATOL * float(rtol) if atol is None else float(atol)))
    if len(set(found)) < len(found):
        raise SettingsError(f"tolerances must be different, not {short_repr(given)}")
    return tuple(sorted(found, reverse=True))


def number_of_workers(workers: Any) -> int:
    """How many processes to use; None: one for each core that this process may use."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not whole(workers) or workers < 1:
        raise SettingsError(f"workers must be a whole number of at least 1, not {short_repr(workers)}")
    return int(workers)


def check_names(names: Sequence[str] | None, what: str) -> list[str] | None:
    """Names of formulations or integrators; None: all."""
    if names is None:
        return None
    if isinstance(names, str) or not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
        raise SettingsError(f"{what} must be a list of names, or None for all that fit, not {short_repr(names)}")
    return list(dict.fromkeys(names))
