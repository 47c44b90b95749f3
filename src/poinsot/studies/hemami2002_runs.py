"""The runs of hemami2002, each computed once, and how rows are made from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po
from poinsot.studies import hemami2002_models as m
from poinsot.studies.outputs import KeptRuns
from poinsot.studies.table import Row

FULL = "newton-euler"
WAYS = (FULL, f"{FULL}:euler", "directors")
TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-13}
SOURCE = "our parameters, the paper gives none; reference values"
RANDOM = 100  # attitudes from which the law on SO(3) starts
SETTLED = 12.0  # s


class Runs(KeptRuns):
    """Runs by name, each computed once."""

    def way(self, case: str, way: str, build: Any, duration: float, output_step: float, step: float = 0.005) -> Any:
        """A case by a formulation: `directors` with steps of order 6, the others with tight tolerances."""
        how: dict[str, Any] = {"step": step, "integrator": "energy-momentum-6"} if way == "directors" else TIGHT
        return self._run((case, way), build, duration, formulation=way, output_step=output_step, **how)

    def pinned(self, way: str = FULL) -> Any:
        """The pinned body, 1 s."""
        return self.way("pinned", way, m.pinned, 1.0, 0.05, 0.0025)

    def free(self, way: str = FULL) -> Any:
        """The body without torques, 2 s."""
        return self.way("free", way, m.free, 2.0, 0.02)

    def axis(self) -> Any:
        """The constrained axis example, 2 s."""
        return self.way("axis", FULL, m.axis, 2.0, 0.01)

    def axis_finely(self) -> Any:
        """The same, 1 s, with an output every 0.5 ms."""
        return self.way("axis finely", FULL, m.axis, 1.0, 0.0005)

    def _reduced(self, key: str, build: Any, duration: float, output_step: float, basis: Any = None) -> Any:
        if (key,) not in self._kept:
            self._kept[(key,)] = po.reduce(build(), basis=basis).run(duration, output_step, **TIGHT)
        return self._kept[(key,)]

    def reduced(self) -> Any:
        """The reduced axis example, 2 s: Xi and w alone."""
        return self._reduced("axis, reduced", m.axis, 2.0, 0.01, [0, 0, 0, *m.defined("axis")["tau"]])

    def pinned_reduced(self) -> Any:
        """The pinned body without its constraint force, (9), 1 s."""
        return self._reduced("pinned, reduced", m.pinned, 1.0, 0.05)

    def maintained(self, interval: float) -> Any:
        """The axis example whose constraints impulses re-establish at intervals, 1 s."""
        key = ("maintained", interval)
        if key not in self._kept:
            s = m.axis(held=False)
            event = po.Event(interval, po.Impose(s["c1"]), po.Impose(s["c2"]), every=interval)
            self._kept[key] = po.simulate(
                s, 1.0, step=interval / 2, output_step=interval, formulation=FULL, integrator="gauss3",
                events=[event], progress=False,
            )  # fmt: skip
        return self._kept[key]

    def so3(self) -> Any:
        """The law on SO(3) from nearly half a turn, 5 s."""
        given = m.defined("SO(3) law")
        turn = Rotation.from_rotvec(given["angle0"] * np.array(given["axis"]))
        return self.way("so3", FULL, lambda: m.steered(turn, given["Omega0"]), 5.0, 0.05)

    def crossing(self) -> Any:
        """The law on SO(3) past theta2 = 90 degrees, 3 s."""
        given = m.defined("crossing")
        turn = Rotation.from_quat(given["q0"], scalar_first=True)
        return self.way("crossing", FULL, lambda: m.steered(turn, given["Omega0"]), 3.0, 0.001)

    def random(self) -> list[np.ndarray]:
        """V over time from random attitudes and angular velocities."""
        key = ("random",)
        if key not in self._kept:
            chance = np.random.default_rng(2002)
            ready = po.prepare(m.steered(Rotation.identity(), (0, 0, 0)), formulation=FULL, rtol=1e-8, atol=1e-10)
            found = []
            for _ in range(RANDOM // 10 if self.quick else RANDOM):
                turn, spin = Rotation.random(random_state=chance.integers(2**31)), chance.normal(0, 4, 3)
                start = {"body.rotation": turn.as_rotvec(), "body.angular_velocity": turn.apply(spin)}
                run = ready.run(SETTLED, change=start, output_step=0.1, progress=False)
                found.append(run["law"].lyapunov)
            self._kept[key] = found
        return self._kept[key]

    def sleigh(self, way: str = FULL) -> Any:
        """Chaplygin's sleigh, 10 s."""
        return self.way("sleigh", way, m.sleigh, 10.0, 0.05, 0.01)

    def disc(self, way: str = FULL) -> Any:
        """The rolling disc, 3 s."""
        return self.way("disc", way, m.disc, 3.0, 0.05)

    def steady(self) -> Any:
        """The disc in steady rolling, once around."""
        period = m.defined("steady disc")["period"]
        return self.way("steady", FULL, lambda: m.disc(steady=True), period, period / 200)


def row(name: str, known: float, ours: Any, allowed: float) -> Row:
    """A number of the reference file compared with ours."""
    return Row(name, repr(float(known)), float(ours), allowed=allowed)


def shown(name: str, known: float, ours: Any, digits: int) -> Row:
    """The same with few digits, which give the allowed difference."""
    return Row(name, f"{known:.{digits}f}", float(ours))


def bound(name: str, most: str, ours: Any) -> Row:
    """A number that may not be larger than `most`."""
    return Row(name, most, float(ours), at_most=True)


def yes(name: str, expected: bool, ours: Any) -> Row:
    """1 for yes, 0 for no."""
    return Row(f"{name} (1 yes, 0 no)", str(int(expected)), float(bool(ours)), allowed=0.0)


def series(name: str, times: Sequence[float], known: Any, run: Any, values: Any, allowed: float) -> list[Row]:
    """Numbers of a quantity at times of a run, component by component."""
    rows = []
    for t, numbers in zip(times, known):
        ours = np.atleast_1d(values[run.index(t)])
        for k, number in enumerate(np.atleast_1d(numbers)):
            part = f", {k + 1}" if len(ours) > 1 else ""
            rows.append(row(f"{name}({t:g}){part}", number, ours[k], allowed))
    return rows
