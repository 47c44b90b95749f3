"""Figures of the audit of every run of a sweep: what was conserved, and at what cost, apart from the time it took."""

from __future__ import annotations

import numpy as np

from poinsot.results.tally import Tally, common_com
from poinsot.results.trajectory import Trajectory
from poinsot.tables.types import CORRECTIONS, EVALUATIONS, HALVINGS, ITERATIONS, NEWTON_STEPS, REJECTIONS, STEPS

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
    "lanes": "1",
}
COUNTERS = {
    "steps": STEPS,
    "evaluations": EVALUATIONS,
    "iterations": ITERATIONS,
    "halvings": HALVINGS,
    "rejections": REJECTIONS,
    "corrections": CORRECTIONS,
    "newton_steps": NEWTON_STEPS,
}


def figures_of(run: Trajectory) -> np.ndarray:
    """The figures of a run, in the order of `FIGURES`; NaN: not applicable to it."""
    audit = run.audit
    return np.array([np.nan if getattr(audit, name) is None else float(getattr(audit, name)) for name in FIGURES])


def figures_of_many(joined: Trajectory, tally: Tally, t: np.ndarray, n: int, counters: np.ndarray, lanes: int) -> np.ndarray:
    """The figures of n open runs with outputs at the same times, whose states follow each other in one trajectory; the same numbers as their
    audits have. `tally`: what is conserved in such a system; `lanes`: in how many lanes they ran, 0: one by one.
    """
    rows = len(t)
    found = dict.fromkeys(FIGURES, np.zeros(n))
    for name, counter in COUNTERS.items():
        found[name] = counters[:, counter].astype(float)
    for name in ("constraint_metres", "constraint_radians", "forbidden", "momentum_drift", "angular_momentum_drift", "unit_length"):
        found[name] = np.full(n, np.nan)
    found["end"] = np.full(n, t[-1])
    found["lanes"] = np.full(n, float(lanes))
    energy, work, kinetic, potential = (part.reshape(n, rows) for part in (joined.energy, joined.work, joined.kinetic, joined.potential))
    found["energy_drift"] = _drift(energy, work)
    found["energy_scale"] = np.maximum(0.0, kinetic.max(axis=1)) + potential.max(axis=1) - potential.min(axis=1)
    if tally.momenta or tally.pivot is not None:
        momentum, angular = joined.momentum, joined.angular_momentum
        if tally.momenta:
            impulse = joined.frozen.layout.bodies["mass"][1:].sum() * np.outer(t - t[0], joined.frozen.system.gravity)
            found["momentum_drift"] = _drift(momentum.reshape(n, rows, 3), impulse)
            own = (angular - np.cross(common_com(joined), momentum)).reshape(n, rows, 3)
            found["angular_momentum_drift"] = _drift(own, np.zeros(3))
        elif tally.pivot is not None:
            about = (angular - np.cross(tally.pivot, momentum)).reshape(n, rows, 3)
            g = np.array(joined.frozen.system.gravity)
            if g.any():
                down = g / np.linalg.norm(g)
                found["angular_momentum_drift"] = _drift(np.array([one @ down for one in about]), np.zeros(()))  # one by one: the same bits
            else:
                found["angular_momentum_drift"] = _drift(about, np.zeros(3))
    if tally.attitudes is not None and tally.attitudes.free:
        found["unit_length"] = tally.attitudes.deviations(np.asarray(joined.raw)).reshape(n, rows).max(axis=1)
    return np.stack([found[name] for name in FIGURES], axis=1)


def _drift(values: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Of every run the largest change of a value since its first output, less what was supplied to it."""
    given = np.broadcast_to(given, values.shape)
    changes = np.abs(values - values[:, :1] - (given - given[:, :1]))
    return changes.reshape(len(values), -1).max(axis=1)
