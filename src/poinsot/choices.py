"""The integrator of a run: chosen, or checked to fit."""

from __future__ import annotations

import numpy as np

from poinsot.errors import SettingsError
from poinsot.formulations.contract import Formulation
from poinsot.integrators.contract import Method
from poinsot.integrators.registry import default, find, names_for
from poinsot.layout.freeze import Frozen
from poinsot.model.guard import is_number
from poinsot.model.system import System

MANY_STEPS = 100_000


def many_steps(duration: float, step: float | None) -> bool:
    """Whether a run has so many steps that a growing energy error matters."""
    return is_number(duration) and is_number(step) and float(step) > 0 and duration / step >= MANY_STEPS


def lossy(system: System) -> bool:
    """Whether a system has non-conservative loads."""
    return any(load.lossy for load in system.loads)


def choose_method(
    frozen: Frozen, formulation: Formulation, step: float | None, integrator: str, given: dict[str, float | None]
) -> Method:
    """The integrator of this name with its options, or the default one; raises a SettingsError when it does not fit."""
    name = formulation.name
    if integrator == "auto":
        integrator = default(name, step is not None)
    options = {name: float(value) for name, value in given.items() if value is not None}  # of any precision: kernels take doubles alone
    for name, value in options.items():
        if not (np.isfinite(value) and (value > 0 or (value == 0 and name == "atol"))):
            raise SettingsError(f"{name} must be a positive number, not {value!r}")
        if name != "atol" and value >= 1:
            raise SettingsError(f"{name} is relative, and must be less than 1, not {value!r}")
    if step is not None and ("rtol" in options or "atol" in options):
        raise SettingsError("give either step= for fixed steps, or rtol= and atol= for adaptive ones, not both")
    why = ""
    if frozen.closed:
        ties = [*(frozen.joints[k] for k in frozen.topology.loops), *frozen.system.constraints]
        why = f"system '{frozen.system.name}' is closed, by {ties[0].label()}: "
    method = find(integrator)
    if formulation.capability(method.needs) is None:
        fitting = ", ".join(names_for(name, formulation.rates is not None))
        raise SettingsError(
            f"{why}integrator '{integrator}' needs {method.needs.WORDS}, which formulation '{name}' does not have: "
            f"use {fitting}, not '{integrator}'"
        )
    reason = method.refuses(frozen) if method.refuses is not None else ""
    if reason:
        raise SettingsError(reason)
    if step is None and not method.adaptive:
        raise SettingsError(
            f"{why}integrator '{integrator}' takes fixed steps: give step= (s)"
            + (", or choose dop853, dopri5 or adams, which find their own" if formulation.rates is not None else ", not rtol= or atol=")
        )
    if step is not None and method.step is None:
        raise SettingsError(f"integrator '{integrator}' finds its own steps: give rtol= and atol=, and output_step= for outputs, not step=")
    return find(integrator, **options)
