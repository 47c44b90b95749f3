"""Efforts of drives as signals, so that a run without the drives repeats their motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.integrators.registry import stages as stages_of
from poinsot.model.signals import Polynomials


def replay_signal(run: Any, column: int) -> Polynomials:
    """The effort of one drive as a signal that has exactly the values used by the steps at their stages."""
    if run.formulation.stages is None:
        raise SettingsError(
            f"a replay needs the efforts at the stages of every step, which '{run.formulation.name}' does not keep: run with step= and an "
            "energy-momentum method"
        )
    first, count = run.formulation.stages.efforts
    drives = len(run.frozen.layout.drives)
    stages = stages_of(run.record.integrator)
    if run.record.step is None or np.abs(np.diff(run.t) - run.record.step).max(initial=0.0) > 1e-9 * run.record.step:
        raise SettingsError("a replay needs the efforts of every step: run without output_step=")
    values = run.raw[1:, first : first + count].reshape(len(run.t) - 1, -1, drives)[:, :stages, column]
    nodes = (np.polynomial.legendre.leggauss(stages)[0] + 1.0) / 2.0 * run.record.step
    coefficients = np.linalg.solve(np.vander(nodes, increasing=True), values.T).T
    return Polynomials(run.t, coefficients)
