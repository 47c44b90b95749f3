"""The start of a run: open systems start from what was set, closed ones are assembled, and redundant rows are told apart."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poinsot.analysis.following import prescribed
from poinsot.errors import AssemblyError
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
        """Rows to leave out, because they follow from others."""
        return [] if self.redundancy is None else self.redundancy.dropped


def start(
    frozen: Frozen,
    coordinates: np.ndarray,
    rates: np.ndarray,
    t: float = 0.0,
    decided: bool = True,
) -> Start:
    """Start from these joint coordinates and rates at time t; what was set is held.

    Joint coordinates that a motion prescribes start where it begins. Unless it need not be `decided`, a start at a singular position must
    tell by which branch it goes on.
    """
    hold: Collection[str] = ()
    if frozen.system.drives:
        coordinates, rates, hold = prescribed(frozen, coordinates, rates, t)
    if not frozen.closed:
        return Start(coordinates, rates)
    from poinsot.analysis.assemble import assembled
    from poinsot.analysis.closing import Held
    from poinsot.analysis.constraints import Geometry
    from poinsot.analysis.doubts import undecided
    from poinsot.analysis.held import set_motions
    from poinsot.analysis.redundancy import redundancy

    position, rate = set_motions(frozen)
    owner = np.array([frozen.joints[j].name in hold for j in frozen.layout.motions["joint"]], bool)
    q, v, assembly = assembled(frozen, coordinates, rates, Held(position | owner, rate | owner))
    geometry = Geometry(frozen)
    for standing in assembly.standings if decided else ():
        if standing.undecided(v):
            message = f"system '{frozen.system.name}': {undecided(geometry, standing)}"
            raise AssemblyError(message, assembly.residuals)
    return Start(q, v, assembly, redundancy(geometry, q, assembly.standings, v))
