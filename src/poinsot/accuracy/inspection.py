"""Whether the steps of an explicit method are limited by stability: with looser tolerances they hardly grow then.

A run is inspected after FIRST steps and after twice, four times, ... as many, where it is at that time: always after the same steps, so that
the same runs are inspected at the same states on every machine.
"""

from __future__ import annotations

import numpy as np

from poinsot.driver import Driver, Progress
from poinsot.integrators.registry import default, find
from poinsot.tables.types import EVALUATIONS, OK, STEPS

FIRST = 256  # steps before the first look
SETTLING, MEASURED = 25, 40  # steps until sizes have settled, and steps whose mean size is compared
LOOSER, LOOSEST = 1e3, 1e-2  # factor on the tolerance; the loosest tolerance
PART = 0.5  # of the exponent by which accuracy lets steps grow: those that grow less are limited by stability


class Stiff(Exception):
    """A run has steps limited by stability. `evaluations`: what the whole run would take, at the pace so far."""

    def __init__(self, t: float, evaluations: float):
        super().__init__(t)
        self.t, self.evaluations = t, evaluations


class Inspection:
    """Looks at a run with a tolerance from time to time, from `start` to `end` (s); raises `Stiff`."""

    def __init__(self, tolerance: float, start: float, end: float):
        self.tolerance, self.start, self.end, self.next = tolerance, start, end, FIRST

    def left(self, p: Progress) -> int:
        """Steps until the next look."""
        return max(1, self.next - int(p.counters[STEPS]))

    def look(self, driver: Driver, p: Progress) -> None:
        """Look at a run if it is time to."""
        if p.status != OK or p.counters[STEPS] < self.next or p.t >= self.end:
            return
        self.next *= 2
        if limited_by_stability(driver, p, self.tolerance, self.end):
            raise Stiff(p.t, float(p.counters[EVALUATIONS]) * (self.end - self.start) / max(p.t - self.start, 1e-300))


def limited_by_stability(driver: Driver, p: Progress, tolerance: float, end: float) -> bool:
    """Whether steps with a tolerance at a state hardly grow with a looser one."""
    loose = min(LOOSER * tolerance, LOOSEST)
    sizes = [mean_step(driver, p, tol, end) for tol in (tolerance, loose)]
    order = find(default(driver.formulation.name, False)).order
    return all(np.isfinite(sizes)) and sizes[1] < sizes[0] * (loose / tolerance) ** (PART / order)


def mean_step(driver: Driver, p: Progress, tolerance: float, end: float) -> float:
    """Mean size (s) of adaptive steps from a state on; infinite where they reach the end, or fail."""
    probe = Driver(driver.formulation, find(default(driver.formulation.name, False), rtol=tolerance, atol=tolerance), driver.layout)
    q, out, times = Progress(p.y.copy(), probe.fresh_memory(), p.t), np.zeros((1, len(p.y))), []
    for count in (SETTLING, MEASURED):
        probe.adaptive(q, p.t, end - p.t, 1, 1, count, out)
        if q.status != OK or q.t >= end:
            return np.inf
        times.append(q.t)
    return (times[1] - times[0]) / MEASURED
