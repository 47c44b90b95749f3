"""The runs of saetran2018, each computed once: by case, method and step."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import saetran2018_models as m

OUTPUT = 0.01  # s between outputs


@dataclass(frozen=True)
class Case:
    """How a case is run: its system, its duration (s; quick studies end at `quick`), and the step (s) of accurate runs."""

    build: Callable[[], po.System]
    duration: float
    step: float
    quick: float | None = None


CASES = {
    "single": Case(lambda: m.chain(1, m.SMALL), 10.0, 0.01),
    "thin rod": Case(lambda: m.thin_rod(m.SMALL), 10.0, 0.01),
    "double": Case(lambda: m.chain(2, m.SMALL), 10.0, 0.005),
    "four": Case(lambda: m.chain(4, m.SMALL), 10.0, 0.005),
    "top 20": Case(lambda: m.top(20.0), 10.0, 0.0025),
    "top 10": Case(lambda: m.top(10.0), 10.0, 0.0025),
    "springs": Case(m.sprung, 15.0, 0.0025),
    "springs, 0.1 rad": Case(lambda: m.sprung(m.SMALL), 5.0, 0.0025),
    "euler-angles": Case(lambda: m.sprung(law="euler-angles"), 1.0, 0.0025),
    "euler-angles, 0.1 rad": Case(lambda: m.sprung(m.SMALL, "euler-angles"), 5.0, 0.0025),
    "free 16": Case(lambda: m.chain(16, m.LARGE), 10.0, 0.005),
    "damped 16": Case(m.damped, 10.0, 0.005, quick=1.0),
    "damped 16, 0.25 m wide": Case(lambda: m.damped(m.WIDE), 10.0, 0.005, quick=1.0),
    "damped 16, anchor in the plane": Case(lambda: m.damped(anchor=m.ANCHOR_IN_PLANE), 10.0, 0.0025, quick=1.0),
    "coil 64": Case(m.coil, 5.0, 0.0025, quick=0.0),
}


class Runs:
    """Runs of the cases, each computed once. Quick studies end long cases early; `has` says which cases are run."""

    def __init__(self, quick: bool = False):
        self.quick = quick
        self._kept: dict[tuple[Any, ...], Any] = {}

    def duration(self, case: str) -> float:
        """Duration of a case, s."""
        chosen = CASES[case]
        return chosen.quick if self.quick and chosen.quick is not None else chosen.duration

    def has(self, case: str) -> bool:
        """Whether a case is run at all."""
        return self.duration(case) > 0

    def get(self, case: str, integrator: str = "gauss4", step: float | None = None, **settings: Any) -> Any:
        """The run of a case, with outputs every 0.01 s; by default the accurate one."""
        step = CASES[case].step if step is None else step
        return self._run(case, {"integrator": integrator, "step": step, **settings})

    def explicit(self, case: str) -> Any:
        """The run with the explicit method of orders 5 and 4, tolerances 1e-13."""
        return self._run(case, {"integrator": "dopri5", "rtol": 1e-13, "atol": 1e-13})

    def _run(self, case: str, settings: dict[str, Any]) -> Any:
        key = (case, *sorted(settings.items()))
        if key not in self._kept:
            duration = settings.pop("duration", None) or self.duration(case)
            output = max(OUTPUT, settings.get("step", OUTPUT))
            self._kept[key] = po.simulate(CASES[case].build(), duration, output_step=output, progress=False, **settings)
        return self._kept[key]


@cache
def reference() -> dict[str, Any]:
    """The numbers of `saetran2018_reference.json`."""
    return json.loads(Path(__file__).with_name("saetran2018_reference.json").read_text())


def angles(result: Any, links: int) -> np.ndarray:
    """Angles of the joints about x, rad (outputs, links)."""
    q = [result[f"joint{k}"].quaternion for k in range(1, links + 1)]
    return np.stack([2 * np.arctan2(x[:, 1], x[:, 0]) for x in q], axis=-1)


def euler_angles(result: Any, joint: str) -> np.ndarray:
    """The angles phi, theta, psi (rad) of the torsion springs of the thesis, (outputs, 3)."""
    w, x, y, z = np.moveaxis(result[joint].quaternion, -1, 0)
    r31, r32, r33 = 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z
    r21, r11 = 2 * (x * y + w * z), w * w + x * x - y * y - z * z
    return np.stack([np.arctan2(r32, r33), np.arcsin(np.clip(-r31, -1, 1)), np.arctan2(r21, r11)], axis=-1)


def gravity_energy(result: Any) -> np.ndarray:
    """Potential energy of gravity alone (J), zero at the height of the origin."""
    g = math.hypot(*result.system.gravity)
    return g * sum(body.mass * result[body].com[:, 2] for body in result.system.bodies)


def tilt(result: Any) -> np.ndarray:
    """Angle of the top's axis from the vertical, rad."""
    axis = result["top"].rotation[:, :, 2]
    return np.arctan2(np.hypot(axis[:, 0], axis[:, 1]), axis[:, 2])


def azimuth(result: Any) -> np.ndarray:
    """Angle of the top's axis about the vertical since the start, rad."""
    com = result["top"].com
    angle = np.unwrap(np.arctan2(com[:, 1], com[:, 0]))
    return angle - angle[0]
