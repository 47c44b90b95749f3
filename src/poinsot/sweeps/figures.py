"""Figures of the audit of every run of a sweep: what was conserved, and at what cost, apart from the time it took."""

from __future__ import annotations

import numpy as np

from poinsot.results.trajectory import Trajectory

FIGURES = {  # units of what a sweep keeps of every audit
    "energy_drift": "J",
    "energy_scale": "J",
    "momentum_drift": "kg m/s",
    "angular_momentum_drift": "kg m^2/s",
    "unit_length": "1",
    "constraint_metres": "m",
    "constraint_radians": "rad",
    "forbidden": "1",
    "moved_metres": "m",
    "moved_radians": "rad",
    "impulse_energy": "J",
    "end": "s",
    "steps": "1",
    "evaluations": "1",
    "iterations": "1",
    "halvings": "1",
    "rejections": "1",
    "corrections": "1",
    "newton_steps": "1",
    "redundant": "1",
    "reselections": "1",
}


def figures_of(run: Trajectory) -> np.ndarray:
    """The figures of a run, in the order of `FIGURES`; NaN: not applicable to it."""
    audit = run.audit
    return np.array([np.nan if getattr(audit, name) is None else float(getattr(audit, name)) for name in FIGURES])
