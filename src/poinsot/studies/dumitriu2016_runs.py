"""The runs of dumitriu2016, each computed once, and quantities derived from them: angles, T* and R, multipliers, |R'R - I|."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import dumitriu2016_models as m
from poinsot.studies import dumitriu2016_stewart as stewart
from poinsot.studies.table import Row

NAME = "rotation-matrix"
TIGHT = {"integrator": "dop853", "rtol": 1e-13, "atol": 1e-14}
EXACT = "energy-momentum-6"
SOURCE = "reference values; the paper shows graphs"
REFERENCE = "reference values"
POSE = 12  # numbers of a body in the raw state: position, then directors row by row; the ground comes first
OUTPUT = 0.001  # s, between outputs of runs of the pendulum
NAMES = {"none": "unstabilised", "Baumgarte": "baumgarte", "projection": ""}  # stabilisations, as named in formulations


def variant(*options: str) -> str:
    """Name of the formulation with options."""
    return ":".join([NAME, *filter(None, [",".join(filter(None, options))])])


class Runs:
    """Runs by name, each computed once."""

    def __init__(self, quick: bool = False):
        self.quick = quick
        self._kept: dict[tuple[Any, ...], Any] = {}

    def _run(self, key: tuple[Any, ...], build: Callable[[], po.System], duration: float, **settings: Any) -> Any:
        if key not in self._kept:
            self._kept[key] = po.simulate(build(), duration, progress=False, **settings)
        return self._kept[key]

    def pendulum(self) -> Any:
        """The double pendulum with tight tolerances."""
        build = lambda: m.bars(m.DRAWN)  # noqa: E731
        return self._run(("pendulum",), build, 10.0, formulation=NAME, output_step=OUTPUT, **TIGHT)

    def rk4(self, step: float, *options: str, duration: float = 5.0) -> Any:
        """The double pendulum by RK4."""
        build = lambda: m.bars(m.DRAWN)  # noqa: E731
        settings = {"formulation": variant(*options), "integrator": "rk4", "step": step, "output_step": OUTPUT}
        return self._run(("rk4", step, options, duration), build, duration, **settings)

    def spatial(self) -> Any:
        """The double pendulum in space."""
        return self._run(("spatial",), m.spatial_pendulum, 2.0, formulation=NAME, output_step=0.01, **TIGHT)

    def chain(self, case: str, method: str = NAME) -> Any:
        """The chain of five bars or the closed loop of three, by their names in the reference."""
        known = m.reference()["chain"][case]
        build = lambda: m.bars(known["phi0"], known["closed"])  # noqa: E731
        return self._run(("chain", case, method), build, 1.0, output_step=0.01, **settings_of(method))

    def platform(self, case: str, method: str = NAME) -> Any:
        """The Stewart platform on elastic legs, cases A and B."""
        build = lambda: stewart.stewart(stewart.FORCES[case])  # noqa: E731
        return self._run(("platform", case, method), build, 1.0, output_step=0.01, **settings_of(method))

    def driven(self, method: str = EXACT) -> Any:
        """The Stewart platform driven by a servo."""
        return self._run(
            ("driven", method), stewart.driven, stewart.PERIOD, output_step=0.02, **settings_of(method, 0.02)
        )

    def replayed(self) -> Any:
        """The Stewart platform moved by the leg forces of the driven one, without a servo."""
        laws = [self.driven()[f"force{k}"].signal for k in stewart.LEGS]
        build = lambda: stewart.moved_by(laws)  # noqa: E731
        return self._run(
            ("replayed",), build, stewart.PERIOD, formulation=NAME, output_step=0.02, **{**TIGHT, "rtol": 1e-11, "atol": 1e-12}
        )


def settings_of(method: str, step: float = 0.001) -> dict[str, Any]:
    """Settings of converged runs: the rotation-matrix formulation and its variants with tight tolerances, or energy-momentum steps."""
    return {"step": step, "integrator": method} if method == EXACT else {"formulation": method, **TIGHT}


def row(name: str, paper: float, ours: Any, allowed: float) -> Row:
    """A number of the reference file compared with ours."""
    return Row(name, repr(float(paper)), float(ours), allowed=allowed)


def bound(name: str, most: str, ours: Any) -> Row:
    """A number that may not be larger than a bound."""
    return Row(name, most, float(ours), at_most=True)


def entries(name: str, paper: Any, ours: Any, allowed: float) -> Iterator[Row]:
    """All entries of a vector or matrix, numbered from 1."""
    for index, value in np.ndenumerate(np.asarray(paper, float)):
        yield row(f"{name}_{''.join(str(k + 1) for k in index)}", value, np.asarray(ours)[index], allowed)


def angles(run: Any) -> np.ndarray:
    """Angles of the bars from x (outputs, bars), rad: (27) as it should read."""
    turns = [run[body].rotation for body in run.system.bodies]
    return np.stack([np.arctan2(R[:, 1, 0], R[:, 0, 0]) for R in turns], axis=-1)


def rates(run: Any) -> np.ndarray:
    """Angular velocities of the bars about z (outputs, bars), rad/s."""
    return np.stack([run[body].angular_velocity[:, 2] for body in run.system.bodies], axis=-1)


def rotation(run: Any, body: Any) -> np.ndarray:
    """The paper's R of a body (outputs, 3, 3), 1 in the drawing."""
    return run[body].rotation @ m.drawn_turn(run.system[body]).T


def translation(run: Any, body: Any) -> np.ndarray:
    """The paper's T* of a body (outputs, 3), 0 in the drawing, m."""
    return run[body].position - rotation(run, body) @ np.array(run.system[body].position)


def multipliers(run: Any, body: str) -> np.ndarray:
    """The paper's Lambda of a body (outputs, 3, 3), N m, in the axes of the drawing."""
    turn = m.drawn_turn(run.system[body])
    return turn @ run[body].multipliers @ turn.T


def joint_multipliers(run: Any, joint: Any) -> np.ndarray:
    """The paper's Lambda of a ball joint (outputs, 3), N: minus the force on its second body."""
    return -run[joint].force


def strain(run: Any, bodies: Any = None) -> np.ndarray:
    """Largest entry of |R'R - I| over all bodies (or those named), at the outputs, from the raw states."""
    found = []
    for k, body in enumerate(run.system.bodies, 1):
        if bodies is None or body.name in bodies:
            D = run.raw[:, POSE * k + 3 : POSE * (k + 1)].reshape(-1, 3, 3)
            u, _, v = np.linalg.svd(D[0])
            found.append(np.abs(u @ v @ (D.swapaxes(1, 2) @ D - np.eye(3)) @ (u @ v).T).max(axis=(1, 2)))
    return np.max(found, axis=0)


def error_of_angles(run: Any, exact: Any, until: float = 5.0) -> np.ndarray:
    """Largest errors of the angles up to a time (bars,), rad."""
    stop = run.index(until) + 1
    return np.abs(angles(run)[:stop] - angles(exact)[:stop]).max(axis=0)
