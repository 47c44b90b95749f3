"""The start of a run: open systems start from the values set, closed ones are assembled and their redundant rows found."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from poinsot.analysis.following import prescribed
from poinsot.errors import AssemblyError
from poinsot.layout.freeze import Frozen

if TYPE_CHECKING:
    from poinsot.analysis.assemble import Assembly
    from poinsot.analysis.constraints import Geometry
    from poinsot.analysis.redundancy import Redundancy


@dataclass(frozen=True)
class Start:
    """Consistent coordinates and rates of all joints; for a closed system also its assembly, its redundancy and its geometry."""

    coordinates: np.ndarray
    rates: np.ndarray
    assembly: Assembly | None = None
    redundancy: Redundancy | None = None
    geometry: Geometry | None = None

    @property
    def dropped(self) -> list[int]:
        """Redundant rows to leave out."""
        return [] if self.redundancy is None else self.redundancy.dropped

    @cached_property
    def ambiguous(self) -> list[str]:
        """Names of elements whose reactions are not unique."""
        unique = {} if self.redundancy is None else self.redundancy.unique
        return [element.name for element, known in unique.items() if not known]

    @cached_property
    def moved(self) -> tuple[float, float]:
        """Largest displacement of a body when the loops were closed, m and rad."""
        return (0.0, 0.0) if self.assembly is None else self.assembly.largest_movement


def start(
    frozen: Frozen,
    coordinates: np.ndarray,
    rates: np.ndarray,
    t: float = 0.0,
    decided: bool = True,
    alike: Start | None = None,
    as_fast: bool = True,
) -> Start:
    """Start from these joint coordinates and rates at time t; values that were set are held.

    Joint coordinates that a motion prescribes start at its initial value. If `decided`, the rates at a singular position must
    determine the branch. `alike`: the start of a system without drives that differs in masses alone, from the same coordinates, and, if `as_fast`,
    from the same rates.
    """
    hold: Collection[str] = ()
    if frozen.system.drives:
        coordinates, rates, hold = prescribed(frozen, coordinates, rates, t)
    if not frozen.closed:
        return Start(coordinates, rates)
    from poinsot.analysis.assemble import assembled, reassembled

    if alike is not None and alike.geometry is not None and alike.assembly is not None and alike.assembly.as_given:
        geometry = alike.geometry.weighted(frozen)
        assembly = reassembled(geometry, alike.assembly, rates, as_fast)
        return Start(assembly.coordinates, assembly.rates, assembly, alike.redundancy, geometry)
    from poinsot.analysis.closing import Held
    from poinsot.analysis.constraints import Geometry
    from poinsot.analysis.doubts import undecided
    from poinsot.analysis.held import set_motions
    from poinsot.analysis.redundancy import redundancy

    position, rate = set_motions(frozen)
    owner = np.array([frozen.joints[j].name in hold for j in frozen.layout.motions["joint"]], bool)
    held = Held(position | owner, rate | owner)
    geometry = Geometry(frozen, t)
    q, v, assembly = assembled(frozen, coordinates, rates, held, t, geometry)
    for standing in assembly.standings if decided else ():
        if standing.undecided(v):
            message = f"system '{frozen.system.name}': {undecided(geometry, standing)}"
            raise AssemblyError(message, assembly.residuals)
    return Start(q, v, assembly, redundancy(geometry, q, assembly.standings, v), geometry)
