"""The axis example of hemami2002: constrained and reduced, figures 2 to 5; constraints maintained by impulses."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_runs import SOURCE, Runs, bound, row, series, shown, yes
from poinsot.studies.table import Row, Section

INTERVALS = (0.002, 0.001, 0.0005)  # s
SHOWN = (0.1, 1.0)  # s, the times in the text


def sections(runs: Runs) -> list[Section]:
    """The example, all its numbers, and impulses."""
    return [example(runs), example_in_full(runs), maintenance(runs)]


def constrained_states(runs: Runs) -> dict[str, np.ndarray]:
    """Results of the constrained system by their names in the paper."""
    run, given = runs.axis(), m.defined("axis")
    body, law, tau = run["body"], run["law"], np.array(given["tau"])
    torques = [run[f"c{k + 1}"].torque @ np.array(column) for k, column in enumerate(given["C_cols"])]
    return {
        "Theta": m.angles(body.rotation),
        "Omega": body.angular_velocity_body,
        "Xi": Rotation.from_matrix(body.rotation).as_rotvec() @ tau,
        "w": body.angular_velocity @ tau,
        "v": law.lyapunov,
        "vdot": law.lyapunov_rate,
        "Mc": np.stack(torques, axis=-1),
    }


def reduced_states(runs: Runs) -> dict[str, np.ndarray]:
    """The same of the reduced system, but for the torques of constraint: from Xi and w alone."""
    run, given = runs.reduced(), m.defined("axis")
    tau, w = np.array(given["tau"]), run.speeds[:, 0]
    xi = Rotation.from_matrix(run.rotation("body")).as_rotvec() @ tau
    theta = m.angles(Rotation.from_rotvec(xi[:, None] * tau).as_matrix())
    inertia = float(tau**2 @ np.array(given["J"]))
    return {
        "Theta": theta,
        "Omega": w[:, None] * tau,
        "Xi": xi,
        "w": w,
        "v": 0.5 * inertia * w**2 + 0.5 * given["K"] * (theta**2).sum(-1),
        "vdot": -given["L"] * w**2,
    }


def example(runs: Runs) -> Section:
    """Numbers of figures 2 to 5 at two times; the two systems against each other."""
    known, run, ours, short = m.reference()["axis"], runs.axis(), constrained_states(runs), reduced_states(runs)
    rows = [row("J_tau, inertia about the axis", known["J_tau"], runs.reduced().reduction.mass_matrix[0, 0], 1e-14)]
    for t in SHOWN:
        k, at = known["t"].index(t), run.index(t)
        rows += [shown(f"{name}({t:g})", known[name][k], ours[name][at], n) for name, n in (("Xi", 10), ("w", 9), ("v", 7), ("vdot", 6))]
        rows += [shown(f"M_c({t:g}), {j + 1} (N m)", known["Mc"][k][j], ours["Mc"][at, j], 7) for j in range(2)]
    rows.append(row("largest Xi at outputs", known["max_Xi"], ours["Xi"].max(), 1e-9))
    rows.append(row("largest theta2 at outputs", known["max_theta2"], ours["Theta"][:, 1].max(), 1e-9))
    for name, most in (("Theta", "3e-12"), ("Xi", "3e-12"), ("w", "5e-11"), ("Omega", "5e-11"), ("v", "8e-11")):
        rows.append(bound(f"constrained against reduced: {name}", most, np.abs(ours[name] - short[name]).max()))
    rows.append(yes("v falls at all times", True, np.all(np.diff(ours["v"]) < 0)))
    rows.append(bound("largest C'A Omega, which the constraints forbid (rad/s)", "1e-11", _forbidden(run)))
    return Section("Figures 2 to 5: rotation about one axis with the feedback (17)", SOURCE, rows)


def _forbidden(run: Any) -> float:
    return float(np.abs(run["body"].angular_velocity @ np.array(m.defined("axis")["C_cols"]).T).max())


def example_in_full(runs: Runs) -> Section:
    """All numbers of figures 2 to 5."""
    known, run, rows = m.reference()["axis"], runs.axis(), []
    ours, short = constrained_states(runs), reduced_states(runs)
    allowed = {"Theta": 1e-10, "Omega": 1e-9, "Xi": 1e-10, "w": 1e-9, "v": 1e-9, "vdot": 1e-8, "Mc": 1e-8}
    for name, most in allowed.items():
        rows += series(name, known["t"], known[name], run, ours[name], most)
        if name in short:
            rows += series(f"reduced: {name}", known["t"], known[name], run, short[name], most)
    return Section("In full: figures 2 to 5", SOURCE, rows, detail=True)


def printed_impulses(count: int = 10, interval: float = 0.001) -> np.ndarray:
    """Largest C'A Omega after each impulse of (18) as printed, with J in place of J^-1 (rad/s)."""
    given = m.defined("axis")
    J, C, tau = np.diag(given["J"]), np.array(given["C_cols"]).T, np.array(given["tau"])

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        theta, spin = y[:3], y[3:]
        B = m.B(theta)
        torque = -given["K"] * B.T @ theta - given["L"] * spin
        return np.concatenate([B @ spin, np.linalg.solve(J, torque - np.cross(spin, J @ spin))])

    y, left = np.concatenate([given["Theta0"], given["w0"] * tau]), []
    for _ in range(count):
        y = solve_ivp(rate, (0, interval), y, "DOP853", rtol=1e-9, atol=1e-11).y[:, -1]
        A = m.A(y[:3])
        size = -np.linalg.solve(C.T @ A @ J @ A.T @ C, C.T @ A @ y[3:])
        y[3:] += np.linalg.solve(J, A.T @ C @ size)
        left.append(np.abs(C.T @ A @ y[3:]).max())
    return np.array(left)


def maintenance_error(runs: Runs, interval: float, what: str = "Omega") -> float:
    """Largest difference of Omega (or Theta) between maintenance by impulses and the constraints, after impulses."""
    found = []
    for run in (runs.maintained(interval), runs.axis_finely()):
        body = run["body"]
        found.append(body.angular_velocity_body if what == "Omega" else m.angles(body.rotation))
    stride = (len(found[1]) - 1) // (len(found[0]) - 1)
    return float(np.abs(found[0] - found[1][::stride]).max())


def maintenance(runs: Runs) -> Section:
    """Impulses of (18), corrected: first order in their interval; as printed they blow up."""
    rows: list[Row] = []
    errors: list[float] = []
    for h in INTERVALS[: 2 if runs.quick else 3]:
        known, run = m.reference()["maintenance"][f"{h:g}"], runs.maintained(h)
        name, errors = f"every {1000 * h:g} ms", [*errors, maintenance_error(runs, h)]
        rows.append(row(f"{name}: largest error of Omega (rad/s)", known["max_Omega_err"], errors[-1], 1e-7))
        rows.append(row(f"{name}: largest error of Theta (rad)", known["max_Theta_err"], maintenance_error(runs, h, "Theta"), 1e-7))
        rows.append(row(f"{name}: work of the impulses (J)", known["impulse_work_J"], -run.impulses.energy_lost, 1e-8))
        rows.append(row(f"{name}: v(1)", known["v_end"], run["law"].lyapunov[-1], 1e-8))
        rows.append(row(f"{name}: impulses", known["steps"], len(run.impulses), 0.0))
        rows.append(bound(f"{name}: C'A Omega after impulses (rad/s)", "1e-13", _forbidden(run)))
        rows.append(yes(f"{name}: v falls at all outputs", True, np.all(np.diff(run["law"].lyapunov) < 0)))
    for k, (coarse, fine) in enumerate(zip(errors, errors[1:])):
        rows.append(Row(f"error at {1000 * INTERVALS[k]:g} ms over that at half: first order", "2.00", coarse / fine, allowed=0.02))
    rows.append(yes("(18) as printed maintains the constraints", False, printed_impulses()[-1] < 1.0))
    return Section("Impulsive maintenance of the constraints, (18)", SOURCE, rows)
