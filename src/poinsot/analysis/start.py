"""The start of a run: open systems start from the values set, closed ones are assembled and their redundant rows found."""

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
    """Consistent coordinates and rates of all joints; for a closed system also its assembly and its redundancy."""

    coordinates: np.ndarray
    rates: np.ndarray
    assembly: Assembly | None = None
    redundancy: Redundancy | None = None

    @property
    def dropped(self) -> list[int]:
        """Redundant rows to leave out."""
        return [] if self.redundancy is None else self.redundancy.dropped


def start(
    frozen: Frozen,
    coordinates: np.ndarray,
    rates: np.ndarray,
    t: float = 0.0,
    decided: bool = True,
) -> Start:
    """Start from these joint coordinates and rates at time t; values that were set are held.

    Joint coordinates that a motion prescribes start at its initial value. If `decided`, the rates at a singular position must
    determine the branch.
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
    q, v, assembly = assembled(frozen, coordinates, rates, Held(position | owner, rate | owner), t)
    geometry = Geometry(frozen, t)
    for standing in assembly.standings if decided else ():
        if standing.undecided(v):
            message = f"system '{frozen.system.name}': {undecided(geometry, standing)}"
            raise AssemblyError(message, assembly.residuals)
    return Start(q, v, assembly, redundancy(geometry, q, assembly.standings, v))
