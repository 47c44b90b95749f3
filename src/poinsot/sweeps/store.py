"""Results of a sweep in memory, as its batches come in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.sweeps.figures import FIGURES
from poinsot.sweeps.task import Part, Task


class Memory:
    """Arrays with a place for every variant; NaN where there is no result (yet).

    Attributes
    ----------
    values : of everything that is kept, (number of variants, *shape)
    figures : (number of variants, number of figures)
    failures : by variant, what went wrong
    warnings : messages, and the number of variants that had them
    done : for every batch whether it is done
    """

    path = None

    def __init__(self, task: Task):
        n = len(task.variants)
        self.task = task
        self.values: Sequence[np.ndarray] = [np.full((n, *spec.shape), np.nan) for spec in task.specs]
        self.figures = np.full((n, len(FIGURES)), np.nan)
        self.failures: dict[int, str] = {}
        self.warnings: dict[str, int] = {}
        self.done = np.zeros(task.batches, bool)

    def put(self, part: Part) -> None:
        """Take the results of a batch."""
        members = self.task.members(part.batch)
        where = slice(members.start, members.stop)
        for room, values in zip((self.figures, *self.values), (part.figures, *part.values)):
            room[where] = values
        self.failures |= part.failures
        self.count(part.warnings)
        self.done[part.batch] = True

    def count(self, warnings: dict[str, int]) -> None:
        """Add warnings."""
        for message, count in warnings.items():
            self.warnings[message] = self.warnings.get(message, 0) + count

    def finish(self) -> None:
        """Nothing follows."""
