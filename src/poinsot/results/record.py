"""How a run was computed: the record that its audit, a run that continues it, and its file need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Record:
    """How a run was computed.

    Attributes
    ----------
    settings : of `prepare` and `run`: integrator, step (s), rtol, atol, tolerance, duration (s), output_step (s), change
    counters : numbers of steps, evaluations and so on
    seconds : computing time
    memory : of the integrator at the end, from which a run can continue; None: the run did not reach its end
    stopped : why it ended early
    error_position, error_rotation : estimated errors, m and rad
    dropped, ambiguous : redundant rows, and names of elements whose reactions are not unique
    moved : largest displacement of a body when the loops were closed before the run, m and rad
    selections : times (s) from which other rows were left out, because those in use had become dependent, and these rows
    redundancy : which constraints depend on which; not saved in files
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
        """Name of the integrator."""
        return self.settings["integrator"]

    @property
    def step(self) -> float | None:
        """Size of fixed steps, s; None: adaptive."""
        return self.settings["step"]

    def record_start(self, start: Any) -> None:
        """Record how the loops were closed at the start, a `Start` of `analysis/start.py`."""
        self.dropped, self.redundancy = list(start.dropped), start.redundancy
        if start.redundancy is not None:
            self.ambiguous = [element.name for element, unique in start.redundancy.unique.items() if not unique]
        if start.assembly is not None:
            self.moved = start.assembly.largest_movement
