"""The choice of redundant rows to leave out, renewed during a run.

Rows that were independent at the beginning of a run may become redundant later, while one that was left out does not: bars that are
parallel at the start are kept together by their ends' rows along x, a quarter of a turn later by those along y. The
choice is renewed between two steps when the rows in use become nearly dependent. At a singular position, where there is no
better choice, it is left unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.analysis.constraints import Geometry
from poinsot.analysis.rank import judge, parts_of
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.tables.types import RESELECTIONS

if TYPE_CHECKING:
    from poinsot.analysis.acting import Acting
    from poinsot.integrators.contract import Method

BETTER = 2.0  # other rows must be this many times as independent to be chosen instead


def better_rows(
    frozen: Frozen, formulation: Formulation, y: np.ndarray, now: Sequence[int] | None = None, geometry: Geometry | None = None
) -> list[int] | None:
    """Rows to leave out at a state instead of those left out now; None where no other choice is clearly more independent.

    `geometry`: that of the frozen system, if it is known.
    """
    q, _ = formulation.unpack(y)
    geometry = Geometry(frozen.drawn) if geometry is None else geometry.weighted(frozen.drawn)
    dropped, changed = set(formulation.dropped if now is None else now), False
    for judged in judge(geometry, q, [part for part in parts_of(geometry) if not part.large]):
        rows = judged.part.rows
        kept = np.array([row for row in rows if int(row) not in dropped], np.int64)
        chosen = judged.choose(len(kept))
        if judged.clearest(chosen) > BETTER * judged.clearest(kept):
            dropped = dropped - set(rows.tolist()) | set(rows.tolist()) - set(chosen.tolist())
            changed = True
    return sorted(dropped) if changed else None


class Reselection:
    """Reviews the rows of a run when a step asks for it. `made`: which rows were left out, and from which time on.

    `acting`: the constraints that act, where some are idle; `remember(key, find)` gives what other runs of the same tables found, or finds it.
    """

    def __init__(
        self,
        frozen: Frozen,
        method: Method,
        made: list[tuple[float, tuple[int, ...]]],
        acting: Acting | None = None,
        remember: Callable[[Hashable, Callable[[], Any]], Any] = lambda key, find: find(),
    ):
        self.frozen, self.method, self.made, self.acting, self.remember = frozen, method, made, acting, remember
        self.geometry: Geometry | None = None  # of the start of the run

    def __call__(self, driver: Any, p: Any) -> None:
        """Let a driver continue from its progress `p` with a better choice of rows, if there is one."""
        if self.acting is None:
            known = driver.formulation
            (dropped,) = self.remember((known.dropped, p.y.tobytes()), lambda: (better_rows(self.frozen, known, p.y, None, self.geometry),))
        else:
            own = better_rows(self.acting.frozen, driver.formulation, p.y, self.acting.own(driver.formulation.dropped))
            dropped = None if own is None else self.acting.left_out(own)
        if dropped is None:
            return
        method = self.adopt(driver, dropped)
        if method.carry is not None:
            p.memory = method.carry(p.memory, len(p.y))
        p.counters[RESELECTIONS] += 1
        self.made.append((p.t, driver.formulation.dropped))

    def adopt(self, driver: Any, dropped: Sequence[int]) -> Method:
        """Let a driver continue without these rows."""
        frozen, formulation = driver.formulation.rows.without(self.frozen, dropped)
        if self.acting is not None:
            self.acting.unwatch(frozen)
        method = self.method.bound(formulation)
        driver.adopt(formulation, method, frozen.layout)
        return method
