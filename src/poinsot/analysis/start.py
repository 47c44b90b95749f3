"""The start of a run: open systems start from what was set, closed ones are assembled, and redundant rows are told apart."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poinsot.analysis.following import prescribed
from poinsot.layout.freeze import Frozen

if TYPE_CHECKING:
    from poinsot.analysis.assemble import Assembly
    from poinsot.analysis.redundancy import Redundancy


@dataclass(frozen=True)
class Start:
    """Consistent coordinates and rates of all joints; of a closed system also how it was assembled, and its redundancy."""

    coordinates: np.ndarray
    rates: np.ndarray
    assembly: Assembly | None = None
    redundancy: Redundancy | None = None

    @property
    def dropped(self) -> list[int]:
        """Rows that follow from others."""
        return [] if self.redundancy is None else [found.row for found in self.redundancy.redundant]


def start(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray, t: float = 0.0) -> Start:
    """Start from these joint coordinates and rates at time t; what was set is held.

    Joint coordinates that a motion prescribes start where it begins.
    """
    hold: Collection[str] = ()
    if frozen.system.drives:
        coordinates, rates, hold = prescribed(frozen, coordinates, rates, t)
    if not frozen.closed:
        return Start(coordinates, rates)
    from poinsot.analysis.assemble import assembled
    from poinsot.analysis.closing import Held
    from poinsot.analysis.constraints import Geometry
    from poinsot.analysis.held import set_motions
    from poinsot.analysis.redundancy import redundancy

    position, rate = set_motions(frozen)
    owner = np.array([frozen.joints[j].name in hold for j in frozen.layout.motions["joint"]], bool)
    q, v, assembly = assembled(frozen, coordinates, rates, Held(position | owner, rate | owner))
    geometry = Geometry(frozen)
    return Start(q, v, assembly, redundancy(geometry, geometry.poses(q), q))
