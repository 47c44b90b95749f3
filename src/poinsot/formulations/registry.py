"""The formulations by name. A module is imported only when its formulation is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from poinsot.errors import FormulationError
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen

MODULES = {
    "tree": "poinsot.formulations.tree",
    "moving-frame": "poinsot.formulations.moving_frame",
    "directors": "poinsot.formulations.directors",
}


# what "auto" selects: for open systems, and for closed ones, those with drives, and long conservative runs
OPEN, CLOSED = "tree", "directors"


def choose(frozen: Frozen, home: str | None, conserve: bool) -> str:
    """The formulation that "auto" selects: that of the chosen integrator (`home`), otherwise by the system.

    `conserve`: whether the energy error must not grow, as in a long conservative run.
    """
    if home is not None:
        return home
    if frozen.closed or frozen.system.drives or (conserve and not find(CLOSED).accepts(frozen)):
        return CLOSED
    return OPEN


def names() -> list[str]:
    """All formulations."""
    return list(MODULES)


def find(name: str) -> Any:
    """The module of a formulation."""
    if name not in MODULES:
        raise FormulationError(f"there is no formulation '{name}'; there is {', '.join(MODULES)}")
    return import_module(MODULES[name])


def formulate(frozen: Frozen, name: str) -> Formulation:
    """The equations of a frozen system in a formulation, or an error that says why it does not accept the model."""
    module = find(name)
    reasons = module.accepts(frozen)
    if reasons:
        raise FormulationError(
            f"formulation '{name}' does not accept system '{frozen.system.name}': {'; '.join(reasons)}"
            + (f"; '{CLOSED}' accepts closed systems, with step= in a run" if frozen.closed and name != CLOSED else "")
        )
    return module.formulation(frozen)
