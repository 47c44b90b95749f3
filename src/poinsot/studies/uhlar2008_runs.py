"""The runs of uhlar2008, each computed once, and quantities derived from them: discrete torques, angles, paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import uhlar2008_models as m
from poinsot.studies.outputs import KeptRuns
from poinsot.studies.table import Row

ORDER2, ORDER6 = "energy-momentum", "energy-momentum-6"
SOURCE = "reference values; the paper shows graphs"
ROUNDING = 1e-12  # allowed difference of numbers that are zero up to rounding in the reference


class Runs(KeptRuns):
    """Runs by name, each computed once."""

    def logo(self, step: float, torque: str = "at midpoints") -> Any:
        """The logo by the scheme of the paper; the torque at midpoints of steps, or averaged over them."""
        law = m.hat if torque == "at midpoints" else m.mean_hat(step)
        return self._run(("logo", step, torque), lambda: m.logo(step, law), 5.0, step=step, integrator=ORDER2)

    def logo_converged(self) -> Any:
        """The logo with order 6."""
        return self._run(("logo",), m.logo, 5.0, step=0.0025, integrator=ORDER6)

    def guide(self, rate: float, step: float, integrator: str = ORDER2) -> Any:
        """The linear guide from u = -3 m, by its initial rate of u (m/s)."""
        build = lambda: m.guide(-3.0, rate)  # noqa: E731
        return self._run(("guide", rate, step, integrator), build, 3.0, step=step, integrator=integrator)

    def manipulator(self, step: float, integrator: str = ORDER2) -> Any:
        """The manipulator following the figure 8."""
        return self._run(("manipulator", step, integrator), m.manipulator, 3.0, step=step, integrator=integrator)

    def centred(self) -> Any:
        """The manipulator with its pins at the centres of mass of the bars, order 6."""
        build = lambda: m.manipulator(pins=(0.0, 0.0))  # noqa: E731
        return self._run(("centred",), build, 3.0, step=0.01, integrator=ORDER6)

    def top(self, step: float, integrator: str = ORDER2) -> Any:
        """The heavy top, 2 s."""
        return self._run(("top", step, integrator), m.top, 2.0, step=step, integrator=integrator)

    def loop(self, step: float, integrator: str = ORDER2) -> Any:
        """The closed loop in space, 2 s."""
        return self._run(("loop", step, integrator), m.spatial_loop, 2.0, step=step, integrator=integrator)


def row(name: str, paper: float, ours: Any, allowed: float) -> Row:
    """A number of the reference file compared with ours."""
    return Row(name, repr(float(paper)), float(ours), allowed=allowed)


def rounding(name: str, paper: float, ours: Any) -> Row:
    """A number that is zero up to rounding, or up to the remainder of the reference's iteration: then ours may not be larger."""
    if abs(paper) > ROUNDING:
        return Row(name, repr(float(paper)), float(ours), at_most=True)
    return row(name, paper, ours, ROUNDING)


def counted(name: str, paper: float, ours: Any) -> Row:
    """Numbers of iterations, which differ in kind."""
    return Row(name, repr(float(paper)), float(ours), remark="a different iteration")


def torques(run: Any) -> np.ndarray:
    """Torques of a servo's motors at the outputs, N m (outputs, 3)."""
    return np.stack([run[f"motor{j}"].effort for j in (1, 2, 3)], axis=-1)


def angles(run: Any) -> np.ndarray:
    """Theta of the manipulator, rad (outputs, 3)."""
    start = m.reference()["manipulator"]["definition"]["Theta0_rad_slide_axis_d1"]
    return np.stack([run[f"hip{j}"].angle for j in (1, 2, 3)], axis=-1) + start


def slides(run: Any, start: float) -> np.ndarray:
    """u of the manipulator, m (outputs, 3)."""
    return np.stack([run[f"slide{j}"].displacement for j in (1, 2, 3)], axis=-1) + start


def kinetic(run: Any) -> np.ndarray:
    """Kinetic energy of a planar run from the reported velocities, J."""
    return sum(
        0.5 * b.mass * (run[b].com_velocity ** 2).sum(-1) + 0.5 * b.inertia[2] * run[b].angular_velocity ** 2
        for b in run.system.bodies
    )


def path_error(run: Any) -> float:
    """Largest distance of the platform from the figure 8 along x or y, m."""
    signal = m.figure_eight(m.reference()["manipulator"]["definition"]["phi7_0"])
    wanted = np.array([signal.function(t)[:2] for t in run.t])
    return float(np.abs(run["body7"].com - wanted).max())


def end_velocities(q: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Velocities of the scheme of order 2 at the ends of its steps, from rest: the mean over a step is the change of q.

    Those that a run reports satisfy the constraints, these only up to an error of the order of the scheme.
    """
    v = np.zeros_like(q)
    for k in range(len(h)):
        v[k + 1] = 2 * (q[k + 1] - q[k]) / h[k] - v[k]
    return v


def step_moments(run: Any) -> tuple[np.ndarray, float]:
    """Moments of the motors over every step (steps, 3), from the balance of momenta, and the residual of that balance.

    In the scheme of order 2 the change of the momenta of every body over a step is h times its forces, which act at
    mean positions of their points: forces at the pins, forces across and couples of the slides, couples of the motors.
    """
    s, h = run.system, np.diff(run.t)
    middle = lambda x: 0.5 * (x[1:] + x[:-1])  # noqa: E731
    columns: list[np.ndarray] = []
    place = {body.name: k for k, body in enumerate(s.bodies)}
    steps, rows = len(h), 3 * len(s.bodies)

    def act(first: Any, second: Any, force: np.ndarray | None, at: np.ndarray | None = None) -> None:
        column = np.zeros((steps, rows))
        for body, sign in ((first, -1.0), (second, 1.0)):
            k = 3 * place[body.name]
            if force is None or at is None:
                column[:, k + 2] = sign
            else:
                arm = at - middle(run[body].com)
                column[:, k : k + 2] = sign * force
                column[:, k + 2] = sign * (arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])
        columns.append(column)

    for joint in s.joints:
        if joint.kind == "revolute":
            at = middle(run[joint.second].point(joint.second.local(joint.second_at)[:2]))
            for direction in np.eye(2):
                act(joint.first, joint.second, np.broadcast_to(direction, (steps, 2)), at)
        elif joint.kind == "prismatic":
            x, y, _ = middle(run[joint.first].rotation @ np.array(joint.axes()[0][1])).T
            act(joint.first, joint.second, np.stack([-y, x], axis=-1), middle(run[joint.second].com))
            act(joint.first, joint.second, None)
    for j in (1, 2, 3):
        act(s["body8"], s[f"body{j}"], None)
    changes = np.zeros((steps, rows))
    for body in s.bodies:
        k, director = 3 * place[body.name], run[body].rotation[:, :2, 0]
        velocity, turning = end_velocities(run[body].com, h), end_velocities(director, h)
        spin = director[:, 0] * turning[:, 1] - director[:, 1] * turning[:, 0]
        changes[:, k : k + 2] = body.mass * np.diff(velocity, axis=0) / h[:, None]
        changes[:, k + 2] = body.inertia[2] * np.diff(spin) / h
    matrix = np.stack(columns, axis=-1)
    found = np.einsum("sij,sj->si", np.linalg.pinv(matrix), changes)
    return found[:, -3:], float(np.abs(np.einsum("sij,sj->si", matrix, found) - changes).max())


def step_torques(run: Any, moments: np.ndarray) -> np.ndarray:
    """The paper's discrete torques (steps, 3), which do the work of the moments by the changes of Theta."""
    base = 0.5 * np.diff(run["body8"].angle)
    legs = [0.5 * np.diff(run[f"body{j}"].angle) for j in (1, 2, 3)]
    ratio = [np.sinc((leg - base) / np.pi) / (np.cos(leg) * np.cos(base)) for leg in legs]
    return moments * np.stack(ratio, axis=-1)


def stairs(values: np.ndarray, step: float) -> Callable[[float], float]:
    """A law that is constant over every step."""
    last = len(values) - 1

    def law(t: float) -> float:
        return values[min(int(t / step), last)]

    return law


def replay(laws: Sequence[Callable[[float], float]], step: float, integrator: str, paper: bool = False) -> Any:
    """The manipulator driven by given torques, without a servo."""
    system = m.manipulator(torques=laws, step=step if paper else None)
    return po.simulate(system, 3.0, step=step, integrator=integrator, progress=False)
