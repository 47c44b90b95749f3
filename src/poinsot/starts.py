"""The start of a run: its assembled initial values, or a state of another run."""

from __future__ import annotations

import numpy as np

from poinsot.analysis.start import Start, start
from poinsot.errors import AssemblyWarning, warn
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.results.state import State


def closed_start(frozen: Frozen, initial: tuple[np.ndarray, np.ndarray], state: State | None, t: float) -> Start:
    """The start of a run with multipliers: assembled, with a warning when bodies were moved."""
    if state is not None:
        return start(frozen, state.coordinates, state.rates, t=t)
    found = start(frozen, *initial, t=t)
    if found.assembly is not None and found.assembly.moved:
        metres, radians = found.assembly.largest_movement
        warn(
            f"system '{frozen.system.name}': to close its loops, bodies were moved by up to {metres:.3g} m and {radians:.3g} rad "
            "from their positions in the spanning tree; print(po.assemble(system)) lists them",
            AssemblyWarning,
        )
    return found


def fits_equations(formulation: Formulation, y: np.ndarray, state: State) -> bool:
    """Whether a raw state means the same in these equations as in those of its run, whose frames depend on the masses."""
    coordinates, rates = formulation.unpack(y.copy())
    scale = max(1.0, float(np.abs(state.rates).max(initial=0.0)))
    return np.array_equal(coordinates, state.coordinates) and bool(
        np.abs(rates - state.rates).max(initial=0.0) < 1e-9 * scale
    )


def without_memory(state: State | None) -> State | None:
    """A state without the memory of an integrator."""
    return (
        None
        if state is None
        else State(state.t, state.coordinates, state.rates, {k: v for k, v in state.raw.items() if k != "memory"})
    )
