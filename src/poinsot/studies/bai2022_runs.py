"""The runs of bai2022, each computed once, and what is read from them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from poinsot.studies import bai2022_models as m
from poinsot.studies.bai2022_ode45 import Solution, equations, ode45
from poinsot.studies.outputs import KeptRuns

TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-13, "integrator": "dop853"}
FACTORS = (0.98, 0.99, 1.0, 1.01, 1.02)  # of rtol


class Drift(NamedTuple):
    """How far attitudes leave the unit circle: largest entry of the first body's attitude over 1, when it first exceeds 1e-3 (s; inf: never), largest
    deviation of the norms of both attitudes.
    """

    excess: float
    late: float
    norms: tuple[float, float]


class Runs(KeptRuns):
    """Runs by name, each computed once."""

    def printed(self, code: str, factor: float = 1.0) -> Solution:
        """A model by the paper's method and tolerances, rtol times a factor, 200 s."""
        key = ("ode45", code, factor)
        if key not in self._kept:
            f, y = equations(m.pendulum(), f"planar:{code}")
            self._kept[key] = ode45(f, y, m.DURATION, factor * m.RTOL, m.ATOL)
        return self._kept[key]

    def loose(self, code: str) -> Any:
        """The same by our `dopri5` at the same tolerances."""
        return self.pendulum(code, rtol=m.RTOL, atol=m.ATOL, integrator="dopri5", output_step=0.05)

    def tight(self, code: str) -> Any:
        """At tolerances of 1e-13, by `dop853`."""
        return self.pendulum(code, **TIGHT, output_step=0.5)

    def gauss(self, code: str, integrator: str = "gauss2", step: float = 0.01) -> Any:
        """With fixed steps of a Gauss method."""
        return self.pendulum(code, integrator=integrator, step=step, output_step=0.5)

    def pendulum(self, code: str, **settings: Any) -> Any:
        """The double pendulum, 200 s."""
        return self._run((code, str(settings)), m.pendulum, m.DURATION, formulation=f"planar:{code}", **settings)

    def chain(self, n: int, formulation: str, space: bool = False, **settings: Any) -> Any:
        """A chain of n bodies, 10 s."""
        build = m.spatial if space else m.chain
        return self._run((n, space, formulation, str(settings)), lambda: build(n), 10.0, formulation=formulation, **{"output_step": 0.5, **settings})


def drift(t: np.ndarray, y: np.ndarray, code: str) -> Drift:
    """The drift of both attitudes over time."""
    k = 4 if code.startswith("L") else 2
    first = np.abs(y[:, :k]).max(axis=1) - 1.0
    norms = [float(np.abs(norm(y, k, i) - 1.0).max()) for i in range(2)]
    late = np.flatnonzero(first > 1e-3)
    return Drift(float(first.max()), float(t[late[0]]) if len(late) else np.inf, (norms[0], norms[1]))


def norm(y: np.ndarray, k: int, i: int) -> np.ndarray:
    """Norm of attitude i of k numbers over time: that of a vector, or of a matrix over that of the identity."""
    return np.sqrt(np.sum(y[:, i * k : (i + 1) * k] ** 2, axis=1) * (2 / k))


def drift_of(runs: Runs, code: str, factor: float = 1.0) -> Drift:
    """The same of a run by the paper's method."""
    found = runs.printed(code, factor)
    return drift(found.t, found.y, code)


def error(run: Any, t: float) -> float:
    """Largest error of angles and rates of the double pendulum against the reference at a time (s)."""
    row = m.reference()["trajectory"][f"{t:g}"]
    names = {"theta1": ("joint1", "angle"), "theta2_rel": ("joint2", "angle"), "omega1": ("joint1", "rate"), "omega2_rel": ("joint2", "rate")}
    k = run.index(t)
    return max(abs(getattr(run[joint], what)[k] - float(row[name])) for name, (joint, what) in names.items())


def apart(run: Any, other: Any) -> float:
    """Largest difference of the places of all bodies in two runs, m."""
    return max(float(np.abs(run[b.name].com - other[b.name].com).max()) for b in run.system.bodies)


def ranking(runs: Runs, factor: float) -> tuple[str, ...]:
    """The eight models by the excess of the first attitude, the smallest first; those that are the same equations count as one."""
    found = {code: drift_of(runs, code, factor).excess for code in m.CODES if not code.startswith("L-A")}
    return tuple(sorted(found, key=lambda code: found[code]))


