"""The two pairs of uhlar2008: the NM logo with its angle, the linear guide with its displacement."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import uhlar2008_models as m
from poinsot.studies.table import Row, Section
from poinsot.studies.uhlar2008_runs import ORDER6, SOURCE, Runs, counted, rounding, row

SAME = 1e-8  # allowed for runs by the same scheme
CONVERGED = 1e-9  # allowed for converged numbers: the reference is accurate to 1e-11, and its motions to less at late times
SHOWN = ("0.5", "1.0", "2.0", "5.0")  # s, times of the logo shown in the text


def sections(runs: Runs) -> list[Section]:
    """All sections of both pairs."""
    found = [logo(runs), logo_in_full(runs), *branches(runs)]
    for name in m.GUIDES:
        found += [guide(runs, name), guide_in_full(runs, name)]
    return [*found, signs()]


def theta(run: Any) -> np.ndarray:
    """Theta of the logo, unwrapped, rad."""
    return run["pin"].angle + math.pi


def logo(runs: Runs) -> Section:
    """Energy after the torque and the angle: converged, and by the scheme of the paper."""
    known = m.reference()["revolute pair"]
    run, exact = runs.logo_converged(), known["converged"]
    rows = [Row("energy after 0.5 s, converged", f"{exact['total_energy_after_t2_J']:.12f}", float(run.energy[-1]))]
    rows += [Row(f"Theta({t}), converged", f"{exact['Theta_rad'][t]:.9f}", _at(run, theta(run), t)) for t in SHOWN]
    for h in m.STEPS_PAIRS:
        run, numbers = runs.logo(h), known["order 2"][f"h = {h:g}"]
        rows.append(
            Row(f"energy after 0.5 s, h = {h:g}", f"{numbers['energy_after_t2_J']:.10f}", float(run.energy[-1]))
        )
        rows.append(Row(f"Theta(2), h = {h:g}", f"{numbers['Theta_rad']['2.0']:.9f}", _at(run, theta(run), "2.0")))
    return Section("NM logo: energy (J) and angle (rad)", SOURCE, rows)


def logo_in_full(runs: Runs) -> Section:
    """All numbers of the logo."""
    known = m.reference()["revolute pair"]
    run, exact = runs.logo_converged(), known["converged"]
    rows = list(_series("converged: Theta", run, theta(run), exact["Theta_rad"], CONVERGED))
    rows += _series("converged: rate of Theta", run, run["pin"].rate, exact["dTheta_rad_per_s"], CONVERGED)
    rows += _series("converged: angle of N", run, run["N"].angle, exact["theta1_rad"], CONVERGED)
    rows.append(row("converged: energy after 0.5 s", exact["total_energy_after_t2_J"], run.energy[-1], CONVERGED))
    rows.append(rounding("converged: angular momentum", 0.0, np.abs(run.angular_momentum).max()))
    for name, numbers in known["order 2"].items():
        h = float(name.split(",")[0].removeprefix("h = "))
        run = runs.logo(h, "averaged" if "averaged" in name else "at midpoints")
        rows += _series(f"{name}: Theta", run, theta(run), numbers["Theta_rad"], SAME)
        rows.append(row(f"{name}: energy after 0.5 s", numbers["energy_after_t2_J"], run.energy[-1], SAME))
        error = _at(run, theta(run), "2.0") - exact["Theta_rad"]["2.0"]
        rows.append(row(f"{name}: error of Theta(2)", numbers["error_Theta_t2s_rad"], error, SAME))
        spread = np.ptp(run.energy[run.t > m.END - 1e-9])
        rows += _spread(name, numbers["energy_ptp_after_t2_J"], spread)
        drift = np.abs(run.angular_momentum).max()
        rows.append(rounding(f"{name}: angular momentum", numbers["max_abs_angular_momentum"], drift))
        rows.append(rounding(f"{name}: momentum", numbers["max_abs_linear_momentum"], np.abs(run.momentum).max()))
        rows += _steps(name, run, numbers)
    return Section("In full: NM logo", SOURCE, rows, detail=True)


def _spread(name: str, paper: float, ours: float) -> Iterator[Row]:
    """Spread of the energy. With steps of 0.1 s our iteration stops early: the remainder is bounded, and shown next to that of the reference."""
    title = f"{name}: spread of the energy after 0.5 s"
    if name.split(",")[0] == "h = 0.1":
        yield Row(title, repr(paper), float(ours), remark="our iteration stops early")
        yield Row(title, "1e-11", float(ours), at_most=True)
    else:
        yield rounding(title, paper, ours)


def _steps(name: str, run: Any, numbers: dict[str, Any]) -> Iterator[Row]:
    audit = run.audit
    yield rounding(f"{name}: joint open (m)", numbers["max_constraint_violation"], audit.constraint_metres)
    yield counted(f"{name}: iterations per step", numbers["newton_iters_mean"], audit.iterations / audit.steps)
    if "newton_iters_max" in numbers:
        yield counted(
            f"{name}: iterations, our mean and their largest", numbers["newton_iters_max"], audit.iterations / audit.steps
        )


def _at(run: Any, values: np.ndarray, t: str) -> float:
    return float(values[run.index(float(t))])


def _series(name: str, run: Any, values: np.ndarray, numbers: dict[str, float], allowed: float) -> Iterator[Row]:
    for t, paper in numbers.items():
        yield row(f"{name} at t = {t}", paper, _at(run, values, t), allowed)


def printed_angle(theta: float, guess: float) -> float:
    """Theta from the directors by Newton's method on (28), from a guess."""
    wanted, x = math.sin(theta) - math.cos(theta), guess
    for _ in range(60):
        slope = math.sin(x) + math.cos(x)
        change = (math.sin(x) - math.cos(x) - wanted) / slope if slope else 0.0
        x -= change
        if abs(change) < 1e-13:
            break
    return x


def printed_angles(values: np.ndarray, extrapolate: bool) -> np.ndarray:
    """Theta step by step from (28), from the last value or from the line through the last two."""
    found = [float(values[0])]
    for k in range(1, len(values)):
        line = 2 * found[-1] - found[-2] if extrapolate and k > 1 else found[-1]
        found.append(printed_angle(float(values[k]), line))
    return np.array(found)


def branches(runs: Runs) -> list[Section]:
    """When the printed augmentation jumps from the angle to its mirror root, by step size and guess."""
    known = m.reference()["singular augmentation"]["first_wrong_branch_time_s"]
    rows = []
    for guess, extrapolate in (("guess Theta_n", False), ("guess extrapolated", True)):
        for h in m.STEPS_PAIRS:
            run = runs.logo(h)
            values = theta(run)
            found = printed_angles(values, extrapolate)
            wrong = np.flatnonzero(np.abs(found - values) > 1e-6)
            paper, first = known[guess][f"{h:g}"], float(run.t[wrong[0]]) if wrong.size else -1.0
            name = f"(28), {guess}, h = {h:g}: on the wrong branch from t ="
            if extrapolate:  # depends on the iterates of all unknowns, which a single equation does not have
                shown = "-1" if paper is None else repr(paper)
                rows.append(Row(name, shown, first, remark="-1: never; depends on the iterates"))
                continue
            rows.append(row(name, paper, first, 1e-9))
            k = int(wrong[0])
            turns = (found[k] + values[k] - 1.5 * math.pi) / (2 * math.pi)
            rows.append(
                row(f"h = {h:g}: that is the mirror root 3 pi/2 - Theta, in turns off", 0.0, turns - round(turns), 1e-9)
            )
            steps = np.abs(np.diff(values)).max()
            rows.append(
                Row(
                    f"h = {h:g}: largest change of our angle in a step (rad)",
                    "3.141592653589793",
                    float(steps),
                    at_most=True,
                )
            )
    singular = np.abs(np.sin(0.75 * math.pi) + np.cos(0.75 * math.pi))
    rows.append(row("(28): derivative at Theta = 3 pi/4", 0.0, singular, 1e-15))
    return [Section("NM logo: the printed angle of (28) is singular at 3 pi/4 + k pi", "reference values", rows)]


def _u(run: Any) -> np.ndarray:
    return run["slide"].displacement - 3.0


def guide(runs: Runs, name: str) -> Section:
    """The guide from one initial rate: what is conserved, and the displacement."""
    known, rate = m.reference()["prismatic pair"][name], m.GUIDES[name]
    run = runs.guide(rate, 0.01, ORDER6)
    rows = [
        Row("energy", f"{known['energy_J']:.11f}", float(run.energy[0])),
        Row("angular momentum", f"{known['angular_momentum_about_origin']:.11f}", float(run.angular_momentum[0])),
    ]
    for t in ("0.5", "1.0", "1.5", "3.0"):
        rows.append(Row(f"u({t}), converged", f"{known['converged']['u_m'][t]:.9f}", _at(run, _u(run), t)))
    for h in m.STEPS_PAIRS:
        numbers, coarse = known["order 2"][f"h = {h:g}"], runs.guide(rate, h)
        rows.append(Row(f"u(1.5), h = {h:g}", f"{numbers['u_m']['1.5']:.9f}", _at(coarse, _u(coarse), "1.5")))
    far = float(np.abs(_u(run)[: run.index(1.5) + 1]).max())
    off: dict[str, Any] = {"remark": "off its rail: the snapshots need +6.5"} if rate < 0 else {"at_most": True}
    rows.append(Row("largest |u| until 1.5 s; the rail of 8 m ends at", "4.0", far, **off))
    return Section(f"Linear guide, {name} m/s (J, kg m^2/s, m)", SOURCE, rows)


def guide_in_full(runs: Runs, name: str) -> Section:
    """All numbers of the guide from one initial rate."""
    known, rate = m.reference()["prismatic pair"][name], m.GUIDES[name]
    run = runs.guide(rate, 0.01, ORDER6)
    exact = known["converged"]
    rows = [row("energy", known["energy_J"], run.energy[0], 1e-11)]
    rows.append(row("angular momentum", known["angular_momentum_about_origin"], run.angular_momentum[0], 1e-11))
    rows += [
        row(f"momentum, {axis}", p, ours, 1e-11)
        for axis, p, ours in zip("xy", known["linear_momentum"], run.momentum[0])
    ]
    rows += _series("converged: u", run, _u(run), exact["u_m"], CONVERGED)
    rows += _series("converged: rate of u", run, run["slide"].rate, exact["du_m_per_s"], CONVERGED)
    rows += _series("converged: angle", run, run["rail"].angle, exact["theta_rad"], CONVERGED)
    for h in m.STEPS_PAIRS:
        step = f"h = {h:g}"
        numbers, coarse = known["order 2"][step], runs.guide(rate, h)
        rows += _series(f"{step}: u", coarse, _u(coarse), numbers["u_m"], SAME)
        rows += _series(f"{step}: angle", coarse, coarse["rail"].angle, numbers["theta_rad"], SAME)
        rows.append(
            row(
                f"{step}: error of u(1.5)",
                numbers["error_u_t1p5_m"],
                _at(coarse, _u(coarse), "1.5") - exact["u_m"]["1.5"],
                SAME,
            )
        )
        for what, key, values in (
            ("energy", "max_abs_energy_error_J", coarse.energy),
            ("angular momentum", "max_abs_angmom_error", coarse.angular_momentum),
            ("momentum", "max_abs_linmom_error", coarse.momentum),
        ):
            rows.append(rounding(f"{step}: change of the {what}", numbers[key], np.abs(values - values[0]).max()))
        rows += _steps(step, coarse, numbers)
    return Section(f"In full: linear guide, {name} m/s", SOURCE, rows, detail=True)


def signs() -> Section:
    """Energy and angular momentum of the guide for all signs of u and its rate."""
    rows = []
    for name, numbers in m.reference()["prismatic pair"]["all signs"].items():
        u0, rate = (float(part.partition("=")[2]) for part in name.split(","))
        start = po.simulate(m.guide(u0, rate), 0.01, step=0.01, integrator="energy-momentum", progress=False)
        rows.append(row(f"{name}: energy", numbers["E_J"], start.energy[0], 1e-11))
        rows.append(row(f"{name}: angular momentum", numbers["L"], start.angular_momentum[0], 1e-11))
    return Section("Linear guide: all signs of u and u' at the start", SOURCE, rows, detail=True)
