"""The error of a run whose steps were given, from the same run with finer ones."""

from __future__ import annotations

from copy import copy
from typing import Any

from poinsot.integrators.registry import find
from poinsot.interrupts import interruption
from poinsot.results.error_estimate import FINER, attach_error
from poinsot.results.trajectory import Trajectory
from poinsot.tables.types import HALVINGS


def estimate(ready: Any, run: Trajectory, duration: float, again: dict[str, Any]) -> None:
    """Write the estimated error into the record of a run of a prepared system (`Ready`); `again`: the other settings of the run."""
    finer, part = copy(ready), 0.0
    if ready.step is None:
        from poinsot.integrators.explicit import ATOL, RTOL  # compiles its kernels

        rtol, atol = FINER * ready.method.constants[[RTOL, ATOL]]
        finer.method = find(ready.method.name, rtol=rtol, atol=atol)
    else:
        halved = bool(run.record.counters[HALVINGS])  # steps half as long might be the same ones, and the two runs agree whatever their error
        finer.step, part = (ready.step / 3, 0.75) if halved else (ready.step / 2, 0.5)
    try:
        better = finer.run(duration, progress=False, **again)
    except KeyboardInterrupt:
        raise interruption(run, "the run is complete, but its error was not estimated: ") from None
    attach_error(run, better, part**ready.method.order)
