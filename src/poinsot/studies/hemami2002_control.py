"""The singularity of the Euler-angle law of hemami2002, and the law on SO(3) that has none."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po
from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_runs import FULL, SOURCE, TIGHT, Runs, bound, row, series, shown, yes
from poinsot.studies.table import Row, Section

START = (1.3, 0.0)  # theta2 and theta3 at the start, rad
SPIN = (0.0, 20.0, 0.0)  # Omega at the start, rad/s
PASSED = 0.05  # s; theta2 has passed 90 degrees
LEVELS = 4  # magnifications of the peak, which lasts less than a microsecond


def sections(runs: Runs) -> list[Section]:
    """Peaks of the Euler-angle law; the law on SO(3)."""
    return [singularity(runs), so3(runs), so3_in_full(runs)]


@cache
def _euler_law() -> Any:
    """A body with the law (17), prepared once."""
    return po.prepare(m.steered(Rotation.identity(), (0, 0, 0), euler=True), formulation=FULL, **TIGHT)


@cache
def near_singularity(theta1: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, theta2 (degrees) and size of the torque (N m) while the body passes theta2 = 90 degrees, magnified around the peak."""
    turn = Rotation.from_euler("XYZ", [theta1, *START])
    ready = _euler_law()
    change: dict[str, Any] = {"body.rotation": turn.as_rotvec(), "body.angular_velocity": turn.apply(SPIN)}
    start, length, state, parts = 0.0, PASSED, None, []
    for _ in range(LEVELS):
        run = ready.run(length, start=start, state=state, change=change, output_step=length / 400, progress=False)
        theta2 = np.degrees(m.angles(run["body"].rotation)[:, 1])
        parts.append((run.t, theta2, np.linalg.norm(run["law"].effort, axis=1)))
        k = int(np.clip(np.argmax(theta2), 1, len(run.t) - 2))
        change = {}  # from a state of the run before
        state, start, length = run.state(k - 1), float(run.t[k - 1]), float(run.t[k + 1] - run.t[k - 1])
    t, angle, torque = (np.concatenate(x) for x in zip(*parts))
    order = np.argsort(t)
    return t[order], angle[order], torque[order]


def singularity(runs: Runs) -> Section:
    """How large the torque becomes near theta2 = 90 degrees."""
    rows = []
    for theta1, known in m.reference()["singularity"].items():
        _, angle, torque = near_singularity(float(theta1))
        name = f"theta1(0) = {theta1}"
        off, ours = 90 - known["max_theta2_deg"], 90 - angle.max()
        rows.append(Row(f"{name}: least distance from 90 degrees (degrees)", f"{off:.3e}", float(ours), allowed=0.02 * off))
        most = known["max_torque"]
        rows.append(Row(f"{name}: largest torque (N m)", f"{most:.3e}", float(torque.max()), allowed=0.02 * most))
    known, run = m.reference()["crossing"], runs.crossing()
    effort = np.linalg.norm(run["law"].effort, axis=1).max()
    rows.append(shown("law on SO(3), past 90 degrees: largest torque (N m)", known["max_torque"], effort, 2))
    return Section("Feedback (17) near theta2 = 90 degrees, from (theta1, 1.3, 0) and Omega = (0, 20, 0)", SOURCE, rows)


def falls(values: Any) -> bool:
    """Whether a Lyapunov function falls at all outputs, up to rounding of its first value."""
    return bool(np.all(np.diff(values) <= 1e-15 * values[0]))


def so3(runs: Runs) -> Section:
    """The law on SO(3): V at some times, and random attitudes."""
    known, run = m.reference()["SO(3) law"], runs.so3()
    V, rows = run["law"].lyapunov, []
    for t in (0, 0.5, 1, 2):
        rows.append(shown(f"V({t:g}) (J)", known["V"][known["t"].index(t)], V[run.index(t)], 8))
    rows.append(row("V(5) (J)", known["V"][-1], V[-1], 1e-12))
    rows.append(yes("V falls at all times", True, falls(V)))
    found = runs.random()
    good = sum(falls(values) and values[-1] < 1e-9 for values in found)
    rows.append(row("random attitudes and rates: at rest at the target, V falling all the way", len(found), good, 0.0))
    rows.append(bound("random attitudes: largest V at the end (J)", "1e-9", max(values[-1] for values in found)))
    return Section("Law on SO(3): N = -k_R e_R - k_W Omega, without singularity", SOURCE, rows)


def so3_in_full(runs: Runs) -> Section:
    """All numbers of the law on SO(3), from nearly half a turn and past theta2 = 90 degrees."""
    rows = []
    for name, run in (("SO(3) law", runs.so3()), ("crossing", runs.crossing())):
        known, body = m.reference()[name], run["body"]
        rows += series(f"{name}: V", known["t"], known["V"], run, run["law"].lyapunov, 1e-8)
        rows += series(f"{name}: Omega", known["t"], known["Omega"], run, body.angular_velocity_body, 1e-8)
        turn = Rotation.from_matrix(body.rotation)
        if "angle" in known:
            rows += series(f"{name}: angle", known["t"], known["angle"], run, turn.magnitude(), 1e-8)
        if "quat" in known:
            ours = turn.as_quat(canonical=True, scalar_first=True)
            rows += series(f"{name}: quaternion", known["t"], known["quat"], run, ours, 1e-8)
    return Section("In full: law on SO(3)", SOURCE, rows, detail=True)
