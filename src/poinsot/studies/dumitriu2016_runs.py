"""The runs of dumitriu2016, each computed once, and quantities derived from them: angles, T* and R, multipliers, |R'R - I|."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import dumitriu2016_models as m
from poinsot.studies import dumitriu2016_stewart as stewart
from poinsot.studies.outputs import KeptRuns
from poinsot.studies.table import Row

NAME = "rotation-matrix"
TIGHT: dict[str, Any] = {"integrator": "dop853", "rtol": 1e-13, "atol": 1e-14}
EXACT = "energy-momentum-6"
SOURCE = "reference values; the paper shows graphs"
REFERENCE = "reference values"
POSE = 12  # numbers of a body in the raw state: position, then directors row by row; the ground comes first
OUTPUT = 0.01  # s, between outputs of runs of the pendulum
NAMES = {"none": "unstabilised", "Baumgarte": "baumgarte", "projection": ""}  # stabilisations, as named in formulations


def variant(*options: str) -> str:
    """Name of the formulation with options."""
    return ":".join([NAME, *filter(None, [",".join(filter(None, options))])])


class Runs(KeptRuns):
    """Runs by name, each computed once."""

    def pendulum(self) -> Any:
        """The double pendulum with tight tolerances."""
        build = lambda: m.bars(m.DRAWN)  # noqa: E731
        return self._run(("pendulum",), build, 10.0, formulation=NAME, output_step=OUTPUT, **TIGHT)

    def rk4(self, step: float, *options: str, duration: float = 5.0) -> Any:
        """The double pendulum by RK4."""
        build = lambda: m.bars(m.DRAWN)  # noqa: E731
        settings = {"formulation": variant(*options), "integrator": "rk4", "step": step, "output_step": OUTPUT}
        return self._run(("rk4", step, options, duration), build, duration, **settings)

    def long(self, closed: bool) -> Any:
        """The double pendulum or the closed loop of three bars in 1e5 steps of RK4."""
        drawn = m.reference()["chain"]["fourbar3_closed"]["phi0"] if closed else m.DRAWN
        settings = {"formulation": NAME, "integrator": "rk4", "step": 1e-3, "output_step": 0.1}
        return self._run(("long", closed), lambda: m.bars(drawn, closed), 100.0, **settings)

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
        settings = {**settings_of(method, OUTPUT), "output_step": OUTPUT}
        return self._run(("driven", method), stewart.driven, stewart.PERIOD, **settings)

    def seeded(self, gravity: float, angles: tuple[float, float], form: str) -> Any:
        """Two bars, the upper one stretched along x by a small part, without stabilisation; form: printed, or not."""
        key = ("seeded", gravity, angles, form)
        if key not in self._kept:
            settings: dict[str, Any] = {"formulation": variant(form, "unstabilised"), "output_step": OUTPUT, **TIGHT}
            system = m.bars(angles, gravity=gravity)
            first = po.simulate(system, OUTPUT, progress=False, **settings)
            state = first.state(0)
            y = state.raw["y"]
            y[POSE + 3 : 2 * POSE].reshape(3, 3)[0] *= 1.0 + m.SEED
            coordinates, speeds = first.formulation.unpack(y.copy())
            state = replace(state, coordinates=coordinates, rates=speeds)
            self._kept[key] = po.simulate(system, 0.4, state=state, progress=False, **settings)
        return self._kept[key]

    def compressed(self, form: str) -> Any:
        """The Stewart platform without stabilisation, until its run ends; form: printed, or not."""
        settings = {"formulation": variant(form, "unstabilised"), "output_step": OUTPUT, **TIGHT}
        build = lambda: stewart.stewart(stewart.FORCES["A"])  # noqa: E731
        try:
            return self._run(("compressed", form), build, 1.0, **settings)
        except po.RunError as error:  # R'R is so far off that there are no accelerations
            self._kept["compressed", form] = error.trajectory
            return error.trajectory

    def elimination_cases(self) -> dict[str, Callable[[], po.System]]:
        """Systems in which both eliminations are compared."""
        loop, chain = (m.reference()["chain"][name]["phi0"] for name in ("fourbar3_closed", "open5"))
        return {
            "double pendulum": lambda: m.bars(m.DRAWN),
            "double pendulum in space": m.spatial_pendulum,
            "chain of 5 bars": lambda: m.bars(chain),
            "closed loop of 3 bars": lambda: m.bars(loop, closed=True),
            "Stewart platform, case B": lambda: stewart.stewart(stewart.FORCES["B"]),
        }

    def eliminated(self, case: str, way: str) -> Any:
        """A short run with one-step or two-step elimination, with tight tolerances."""
        settings = {"formulation": variant(way), "output_step": OUTPUT, **TIGHT}
        return self._run(("eliminated", case, way), self.elimination_cases()[case], 0.2, **settings)


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
    """The paper's Lambda of a ball joint (outputs, 3), N: minus the force on its second body, which every formulation reports."""
    return run[joint].multipliers if run.audit.formulation.startswith(NAME) else -run[joint].force


def raw_poses(run: Any) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
    """Each body with its position (outputs, 3) and the paper's R (outputs, 3, 3) as they stand in the raw states, not orthonormalised."""
    for k, body in enumerate(run.system.bodies, 1):
        D = run.raw[:, POSE * k + 3 : POSE * (k + 1)].reshape(-1, 3, 3)
        u, _, v = np.linalg.svd(D[0])
        yield body, run.raw[:, POSE * k : POSE * k + 3], D @ (u @ v).T


def strain(run: Any) -> np.ndarray:
    """Largest entry of |R'R - I| over all bodies, at the outputs."""
    return np.max([np.abs(R.swapaxes(1, 2) @ R - np.eye(3)).max(axis=(1, 2)) for _, _, R in raw_poses(run)], axis=0)


def joint_gap(run: Any) -> np.ndarray:
    """What is left of (20) at the outputs, m: the larger of T1 and T2 + (R2 - R1) OH."""
    (first, x1, R1), (second, x2, R2) = raw_poses(run)
    T1, T2 = (x - R @ np.array(body.position) for body, x, R in ((first, x1, R1), (second, x2, R2)))
    joint = 2 * np.array(first.position)
    return np.maximum(np.abs(T1), np.abs(T2 + (R2 - R1) @ joint)).max(axis=-1)


def constants(system: po.System) -> tuple[int, int]:
    """Numbers of multipliers: of bodies and joints together, and of joints alone."""
    check = system.check()
    joints = 6 * check.bodies - check.freedoms
    return joints + 6 * check.bodies, joints


def error_of_angles(run: Any, exact: Any, until: float = 5.0) -> np.ndarray:
    """Largest errors of the angles up to a time (bars,), rad."""
    stop = run.index(until) + 1
    found = [np.arctan2(R[:stop, 1] @ e, R[:stop, 0] @ e) for e, (_, _, R) in zip(directions(run), raw_poses(run))]
    return np.abs(np.stack(found, axis=-1) - angles(exact)[:stop]).max(axis=0)


def directions(run: Any) -> list[np.ndarray]:
    """Directions of the bars in the drawing."""
    return [m.drawn_turn(body)[:, 0] for body in run.system.bodies]
