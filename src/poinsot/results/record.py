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
    impulses : what happened at events, `Jump`s of `impulses.py`
    switches : times (s) from which other constraints are idle, their names, and the coordinates that locks hold; the first is the start
    waiting : names of events that did not happen
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
    impulses: list[Any] = field(default_factory=list)
    switches: list[tuple[float, tuple[str, ...], dict[str, list[float]]]] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    @property
    def integrator(self) -> str:
        """Name of the integrator."""
        return self.settings["integrator"]

    @property
    def step(self) -> float | None:
        """Size of fixed steps, s; None: adaptive."""
        return self.settings["step"]

    def acting_at(self, t: float) -> tuple[tuple[str, ...], dict[str, list[float]]]:
        """Names of idle constraints from this time (s) on, and the coordinates that locks hold."""
        past = [switch for k, switch in enumerate(self.switches) if k == 0 or switch[0] <= t]
        return past[-1][1:] if past else ((), {})

    def record_start(self, start: Any) -> None:
        """Record how the loops were closed at the start, a `Start` of `analysis/start.py`."""
        self.dropped, self.redundancy = list(start.dropped), start.redundancy
        self.ambiguous, self.moved = list(start.ambiguous), start.moved
