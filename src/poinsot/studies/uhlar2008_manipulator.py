"""The manipulator of uhlar2008: torques, angles and displacements of the figure 8, what is conserved, torques applied as motor laws."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.studies import uhlar2008_models as m
from poinsot.studies.table import Row, Section
from poinsot.studies.uhlar2008_runs import (
    ORDER2,
    ORDER6,
    SOURCE,
    Runs,
    angles,
    counted,
    kinetic,
    path_error,
    replay,
    rounding,
    row,
    slides,
    stairs,
    step_moments,
    step_torques,
    torques,
)

TORQUE, SAME = 1e-7, 1e-8  # allowed for torques, and for motions by the same scheme
CONVERGED = 1e-10  # allowed for converged motions
SHOWN = ("0.5", "1.0", "1.5", "2.0", "2.5")
FINE = 0.01  # s, steps of converged runs: outputs at the midpoints of steps of 0.02 s


def sections(runs: Runs) -> list[Section]:
    """All sections of the manipulator."""
    found = [driving(runs), conserved(runs), orders(runs), played_back(runs), centred(runs)]
    return [*found, converged_in_full(runs), *(in_full(runs, h) for h in steps(runs))]


def known() -> dict[str, Any]:
    """The reference of the manipulator."""
    return m.reference()["manipulator"]


def steps(runs: Runs) -> tuple[float, ...]:
    """Steps of the scheme of order 2 that are run."""
    return m.STEPS_MANIPULATOR[:3] if runs.quick else m.STEPS_MANIPULATOR


def start_of_slides() -> float:
    """u at the start, m."""
    return float(known()["definition"]["u0_m"][0])


def driving(runs: Runs) -> Section:
    """The torques of the figure 8, converged."""
    run = runs.manipulator(FINE, ORDER6)
    found = torques(run)
    rows = [
        Row(f"tau{j + 1}({t})", f"{known()['converged'][t]['tau_Nm'][j]:.8f}", float(found[run.index(float(t)), j]))
        for t in SHOWN
        for j in range(3)
    ]
    most = known()["max_abs_tau_on_10ms_grid_Nm"]
    rows += [Row(f"largest |tau{j + 1}|", f"{most[j]:.8f}", float(np.abs(found[:, j]).max())) for j in range(3)]
    energy, time = known()["max_energy_J_and_time_s"]
    rows.append(Row("largest energy (J)", f"{energy:.9f}", float(kinetic(run).max())))
    rows.append(row("at t =", time, run.t[int(kinetic(run).argmax())], 1e-9))
    return Section("Manipulator: driving torques (N m), converged", SOURCE, rows)


def conserved(runs: Runs) -> Section:
    """The conservation stated by the paper, with its step of 0.02 s: to rounding."""
    run = runs.manipulator(0.02)
    bound: dict[str, Any] = {"at_most": True}
    moved = np.abs(_centre(run) - _centre(run)[0]).max()
    balance = np.abs(run.energy - run.energy[0] - run.work).max()
    rows = [
        Row("centre of mass moves by (m)", "1e-14", float(moved), **bound),
        Row("momentum", "1e-12", float(np.abs(run.momentum).max()), **bound),
        Row("angular momentum", "3e-14", float(np.abs(run.angular_momentum).max()), **bound),
        Row("energy - work of the motors (J)", "4e-14", float(balance), **bound),
        Row("platform off the figure 8 (m)", "1e-14", path_error(run), **bound),
        Row("platform turns by (rad)", "1e-14", float(np.abs(run["body7"].angle).max()), **bound),
    ]
    return Section("Manipulator: what is conserved, h = 0.02 s", "reference values; the paper: fig. 14", rows)


def _centre(run: Any) -> np.ndarray:
    bodies = run.system.bodies
    return sum(body.mass * run[body].com for body in bodies) / sum(body.mass for body in bodies)


def orders(runs: Runs) -> Section:
    """The order of the torques, from steps of 0.05 and 0.025 s, and the errors of the discrete torques."""
    fine = runs.manipulator(FINE, ORDER6)
    exact, rows = torques(fine)[::10], []
    for integrator, order in ((ORDER2, 2), (ORDER6, 6)):
        pair = [runs.manipulator(h, integrator) for h in (0.05, 0.025)]
        off = [np.abs(torques(run)[:: round(0.1 / h)] - exact).max() for h, run in zip((0.05, 0.025), pair)]
        rows.append(row(f"order of the torques, {integrator}", order, math.log2(off[0] / off[1]), 0.1))
    for h in (0.02,) if runs.quick else (0.02, 0.01):
        converged = fine if h == 0.02 else runs.manipulator(h / 2, ORDER6)
        run = runs.manipulator(h)
        error = np.abs(step_torques(run, step_moments(run)[0]) - torques(converged)[1::2]).max(axis=1)
        numbers = known()["midpoint_torque_error_Nm"][f"h = {h:g}"]
        rows.append(row(f"error of the discrete torques, h = {h:g}: largest", numbers["max"], error.max(), TORQUE))
        rows.append(
            row(f"error of the discrete torques, h = {h:g}: rms", numbers["rms"], np.sqrt(np.mean(error**2)), TORQUE)
        )
    return Section("Manipulator: order of the torques (N m)", "reference values", rows)


def played_back(runs: Runs) -> Section:
    """Torques applied by motors, without a servo: distance of the platform from the figure 8 (m)."""
    run = runs.manipulator(0.02)
    moments, left = step_moments(run)
    discrete = step_torques(run, moments)
    exact = torques(runs.manipulator(FINE, ORDER6))
    by_step = {
        "discrete torques, by motors": (discrete, False, "with discrete torques", 1e-12),
        "discrete torques, by couples that do their work": (discrete, True, "with discrete torques", 1e-12),
        "converged torques at midpoints": (
            exact[1::2],
            True,
            "with continuous torques at midpoints of steps of 0.02",
            SAME,
        ),
    }
    rows = [Row("what remains of the balance of momenta over a step (N m)", "1e-9", left, at_most=True)]
    for name, (values, paper, key, allowed) in by_step.items():
        back = replay([stairs(values[:, j].copy(), 0.02) for j in range(3)], 0.02, ORDER2, paper)
        rows.append(row(f"{name}, h = 0.02", known()["replay"][key], path_error(back), allowed))
    times = runs.manipulator(FINE, ORDER6).t
    for degree in (3, 7):
        back = replay(splines(times, exact, degree), FINE, ORDER6)
        rows.append(
            Row(f"splines of degree {degree} through converged torques", "1e-7", path_error(back), at_most=True)
        )
    return Section(
        "Manipulator: torques played back without a servo, platform off the figure 8 (m)",
        "reference values; splines: a bound",
        rows,
    )


def splines(times: np.ndarray, values: np.ndarray, degree: int) -> list[Any]:
    """Laws through values at times, one per column."""
    from scipy.interpolate import make_interp_spline

    found = [make_interp_spline(times, column, k=degree) for column in values.T]
    return [lambda t, f=f: float(f(t)) for f in found]


def centred(runs: Runs) -> Section:
    """The variant with the pins at the centres of mass of the bars."""
    run, numbers = runs.centred(), known()["pins at centres of mass"]
    rows = [row("theta8 at the end (rad)", 0.0, run["body8"].angle[-1], 1e-12)]
    rows += [
        Row(f"tau{j + 1}({t})", f"{numbers[t]['tau_Nm'][j]:.8f}", float(torques(run)[run.index(float(t)), j]))
        for t in ("1.0", "2.0")
        for j in range(3)
    ]
    return Section("Manipulator with pins at the centres of mass of its bars", SOURCE, rows)


def _instant(run: Any, t: str, numbers: dict[str, Any], start: float, title: str) -> Iterator[Row]:
    """Converged numbers at one time."""
    k = run.index(float(t))
    for j in range(3):
        yield row(f"{title}tau{j + 1}({t})", numbers["tau_Nm"][j], torques(run)[k, j], TORQUE)
        yield row(f"{title}Theta{j + 1}({t})", numbers["Theta_rad"][j], angles(run)[k, j], CONVERGED)
        yield row(f"{title}u{j + 1}({t})", numbers["u_m"][j], slides(run, start)[k, j], CONVERGED)
    yield row(f"{title}theta8({t})", numbers["theta8_rad"], run["body8"].angle[k], CONVERGED)
    yield row(f"{title}kinetic energy({t})", numbers["kinetic_energy_J"], kinetic(run)[k], CONVERGED)
    for axis, paper, ours in zip("xy", numbers["phi8_m"], run["body8"].com[k]):
        yield row(f"{title}{axis} of body 8({t})", paper, ours, CONVERGED)


def converged_in_full(runs: Runs) -> Section:
    """All converged numbers, including those of the variant."""
    run, rows = runs.manipulator(FINE, ORDER6), list[Row]()
    for t, numbers in {**known()["converged"], **known()["converged, at midpoints of steps of 0.02"]}.items():
        rows += _instant(run, t, numbers, start_of_slides(), "")
    for j, paper in enumerate(known()["max_abs_tau_on_10ms_grid_Nm"]):
        rows.append(row(f"largest |tau{j + 1}|", paper, np.abs(torques(run)[:, j]).max(), TORQUE))
    variant = known()["pins at centres of mass"]
    for t, numbers in variant.items():
        rows += _instant(runs.centred(), t, numbers, variant["3.0"]["u_m"][0], "pins at centres: ")
    return Section("In full: manipulator, converged", SOURCE, rows, detail=True)


def in_full(runs: Runs, h: float) -> Section:
    """All numbers of the scheme of the paper with one step."""
    run, numbers = runs.manipulator(h), known()["order 2"][f"h = {h:g}"]
    tau = step_torques(run, step_moments(run)[0])
    theta, u, audit = angles(run), slides(run, start_of_slides()), run.audit
    rows = []
    for t, at in numbers["at"].items():
        k = run.index(float(t))
        both = {"before": tau[k - 1], "after": tau[k]}
        for j in range(3):
            for side, values in both.items():
                rows.append(row(f"tau{j + 1} of the step {side} {t}", at[f"tau_step_{side}_Nm"][j], values[j], TORQUE))
            rows.append(row(f"mean tau{j + 1} at {t}", at["tau_mean_Nm"][j], 0.5 * (tau[k - 1] + tau[k])[j], TORQUE))
            rows.append(row(f"Theta{j + 1}({t})", at["Theta_rad"][j], theta[k, j], SAME))
            rows.append(row(f"u{j + 1}({t})", at["u_m"][j], slides(run, start_of_slides())[k, j], SAME))
        rows.append(row(f"theta8({t})", at["theta8_rad"], run["body8"].angle[k], SAME))
        rows += [row(f"{a} of body 8({t})", x, y, SAME) for a, x, y in zip("xy", at["phi8_m"], run["body8"].com[k])]
        rows.append(row(f"energy({t})", at["energy_J"], run.energy[k], SAME))
        error = np.abs(0.5 * (tau[k - 1] + tau[k]) - known()["converged"][t]["tau_Nm"]).max()
        rows.append(row(f"error of mean tau({t})", at["err_tau_mean_max_Nm"], error, TORQUE))
    for j in range(3):
        rows.append(row(f"tau{j + 1} of the last step", numbers["tau_last_step_Nm"][j], tau[-1, j], TORQUE))
        rows.append(row(f"largest |tau{j + 1}|", numbers["max_abs_tau_Nm"][j], np.abs(tau[:, j]).max(), TORQUE))
        for k, (word, pick) in enumerate((("least", np.min), ("most", np.max))):
            rows.append(
                row(
                    f"{word} Theta{j + 1} (degrees)",
                    numbers["Theta_range_deg"][k][j],
                    pick(np.degrees(theta[:, j])),
                    SAME,
                )
            )
            rows.append(row(f"{word} u{j + 1}", numbers["u_range_m"][k][j], pick(u[:, j]), SAME))
    rows.append(row("largest energy", numbers["energy_max_J"], run.energy.max(), SAME))
    rows.append(row("energy at the end", numbers["energy_end_J"], run.energy[-1], SAME))
    rows.append(row("theta8 at the end", numbers["theta8_end_rad"], run["body8"].angle[-1], SAME))
    balance = np.abs(run.energy - run.energy[0] - run.work).max()
    rows.append(rounding("energy - work of the motors", numbers["max_energy_minus_actuator_work_J"], balance))
    rows.append(rounding("angular momentum", numbers["max_abs_angmom"], np.abs(run.angular_momentum).max()))
    rows.append(rounding("momentum", numbers["max_abs_linmom"], np.abs(run.momentum).max()))
    rows.append(
        rounding("centre of mass moves by", numbers["max_com_shift_m"], np.abs(_centre(run) - _centre(run)[0]).max())
    )
    rows.append(rounding("joints open", numbers["max_constraint_violation"], audit.constraint_metres))
    rows.append(counted("iterations per step", numbers["newton_iters_mean"], audit.iterations / audit.steps))
    rows.append(counted("iterations, our mean and their largest", numbers["newton_iters_max"], audit.iterations / audit.steps))
    return Section(f"In full: manipulator, order 2, h = {h:g}", SOURCE, rows, detail=True)
