"""How a run was made: what its audit, a following run and a file need to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Record:
    """How a run was made.

    Attributes
    ----------
    settings : of `prepare` and `run`: integrator, step (s), rtol, atol, tolerance, duration (s), output_step (s), change
    counters : of steps, evaluations and the like
    seconds : of computing
    memory : of the integrator at the end, to go on from; None: the run did not come to its end
    stopped : why it ended early
    error_position, error_rotation : estimated errors, m and rad
    dropped, ambiguous : rows that were redundant, and names of those whose reactions are not unique
    moved : how far bodies were moved to close the loops before the run, m and rad
    selections : from when on (s) which other rows were left out, because those in use had become dependent
    redundancy : which constraints follow from which; not kept in files
    """

    settings: dict[str, Any]
    counters: np.ndarray
    seconds: float
    memory: np.ndarray | None
    stopped: str | None = None
    error_position: float | None = None
    error_rotation: float | None = None
    dropped: list[int] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)
    moved: tuple[float, float] = (0.0, 0.0)
    selections: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)
    redundancy: Any = None

    @property
    def integrator(self) -> str:
        """Its name."""
        return self.settings["integrator"]

    @property
    def step(self) -> float | None:
        """Size of fixed steps, s; None: adaptive."""
        return self.settings["step"]

    def begun(self, start: Any) -> None:
        """Note what was done to close the loops at the start, a `Start` of `analysis/start.py`."""
        self.dropped, self.redundancy = list(start.dropped), start.redundancy
        if start.redundancy is not None:
            self.ambiguous = [element.name for element, unique in start.redundancy.unique.items() if not unique]
        if start.assembly is not None:
            self.moved = start.assembly.largest_movement
