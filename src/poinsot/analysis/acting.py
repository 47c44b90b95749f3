"""Which constraints act: constraints may be idle at the start, and events engage and release them, while the tables keep the rows of all.

Rank, redundancy and assembly are judged on a system without the idle ones, and its rows are then found among those of the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import numpy as np

from poinsot.analysis.constraints import Geometry
from poinsot.analysis.singular import stand
from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.holding import holding, rows_of, unwatch
from poinsot.model.snapshot import acting


class Acting:
    """A frozen system without its idle constraints, and its rows among those of the whole.

    `frozen` has the rows that act only; `rows` are their numbers in the whole, whose locks hold the coordinates `held`.
    """

    def __init__(self, whole: Frozen, idle: Collection[str], held: Mapping[str, Sequence[float]]):
        self.whole, self.idle = whole, tuple(idle)
        self.frozen = whole
        if idle:
            self.frozen = holding(freeze(acting(whole.system, idle), whole.topology, loads=False), held)

    @cached_property
    def rows(self) -> np.ndarray:
        """Numbers of its rows in the whole."""
        left = set(rows_of(self.whole, self.idle))
        return np.array([row for row in range(len(self.whole.layout.rows)) if row not in left], np.int64)

    def left_out(self, dropped: Collection[int]) -> list[int]:
        """Rows of the whole to leave out, with these of its own."""
        used = {int(row) for k, row in enumerate(self.rows) if k not in set(dropped)}
        return [row for row in range(len(self.whole.layout.rows)) if row not in used]

    def unwatch(self, frozen: Frozen) -> None:
        """Leave rows of idle constraints untested in tables that steps use."""
        unwatch(frozen, self.idle)

    def own(self, dropped: Collection[int]) -> list[int]:
        """Which of its own rows are among these of the whole."""
        return [k for k, row in enumerate(self.rows.tolist()) if row in set(dropped)]

    def redundant(self, coordinates: np.ndarray, rates: np.ndarray) -> list[int]:
        """Rows of the whole to leave out at joint coordinates: redundant ones, and those of idle constraints."""
        if not self.frozen.closed:
            return self.left_out(())
        from poinsot.analysis.redundancy import redundancy  # imported here: open systems do not compile its kernels

        geometry = Geometry(self.frozen)
        return self.left_out(redundancy(geometry, coordinates, stand(geometry, coordinates), rates).dropped)
