"""The error of a run whose steps were given, from the same run with finer ones."""

from __future__ import annotations

from copy import copy
from typing import Any

from poinsot.integrators.registry import find
from poinsot.interrupts import interruption
from poinsot.results.error_estimate import FINER, attach_error
from poinsot.results.trajectory import Trajectory


def estimate(ready: Any, run: Trajectory, duration: float, again: dict[str, Any]) -> None:
    """Write the estimated error into the record of a run of a prepared system (`Ready`); `again`: the other settings of the run."""
    finer = copy(ready)
    if ready.step is None:
        from poinsot.integrators.explicit import ATOL, RTOL  # compiles its kernels

        rtol, atol = FINER * ready.method.constants[[RTOL, ATOL]]
        finer.method = find(ready.method.name, rtol=rtol, atol=atol)
    else:
        finer.step = ready.step / 2
    try:
        better = finer.run(duration, progress=False, **again)
    except KeyboardInterrupt:
        raise interruption(run, "the run is complete, but its error was not estimated: ") from None
    attach_error(run, better, None if ready.step is None else ready.method.order)
