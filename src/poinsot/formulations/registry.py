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
            + ("; 'directors' takes closed ones, with step= in a run" if frozen.closed else "")
        )
    return module.formulation(frozen)
