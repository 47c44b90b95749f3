"""Constraints that are nonholonomic indeed, in the general form of hemami2002: Chaplygin's sleigh and the rolling disc."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_runs import FULL, SOURCE, WAYS, Runs, bound, row, series, shown
from poinsot.studies.table import Section

EXACT = "closed form"


def sections(runs: Runs) -> list[Section]:
    """Sleigh and disc, the steady disc."""
    ways = WAYS[::2]
    return [sleigh(runs), disc(runs), *(in_full(runs, way) for way in ways)]


def sleigh_states(run: Any) -> dict[str, np.ndarray]:
    """Speed along the blade, rate, angle, point of contact."""
    body = run["sleigh"]
    along = np.stack([np.cos(body.angle), np.sin(body.angle)], axis=-1)
    return {"v": (along * body.velocity).sum(-1), "omega": body.angular_velocity, "theta": body.angle, "contact_xy": body.position}


def disc_states(run: Any) -> dict[str, np.ndarray]:
    """Lean and heading, angular velocity along the horizontal diameter, the line of steepest descent and the axis, contact, centre, force."""
    body = run["disc"]
    axis = body.rotation[:, :, 2]
    level = np.cross([0.0, 0.0, 1.0], axis)
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    slope = np.cross(axis, level)
    frame = np.stack([level, slope, axis], axis=1)
    return {
        "theta": np.arccos(axis[:, 2]),
        "phi": np.unwrap(np.arctan2(level[:, 1], level[:, 0])),
        "w": np.einsum("tij,tj->ti", frame, body.angular_velocity),
        "contact_xy": run["rim"].contact[:, :2],
        "centre": body.position,
        "contact_force_N": run["rim"].force,
    }


def sleigh(runs: Runs) -> Section:
    """Against the closed form at 5 s."""
    known, run = m.reference()["sleigh"], runs.sleigh()
    ours, at, k = sleigh_states(run), run.index(5.0), known["t"].index(5)
    rows = [shown(f"{name}(5)", known[name][k], ours[name][at], 9) for name in ("v", "omega", "theta")]
    rows += [shown(f"contact(5), {a} (m)", known["contact_xy"][k][j], ours["contact_xy"][at, j], 9) for j, a in enumerate("xy")]
    rows.append(row("force of the blade at the start (N)", known["force"], run["blade"].force[0, 1], 1e-12))
    rows.append(row("energy (J)", known["energy"], run.energy[0], 1e-12))
    rows.append(row("theta after a long time, reached at 10 s up to 1e-4", known["theta_inf"], ours["theta"][-1], 1e-4))
    rows.append(bound("change of the energy (J)", "1e-10", np.ptp(run.energy)))
    return Section("Chaplygin's sleigh", EXACT, rows)


def circle(points: np.ndarray) -> float:
    """Radius of the circle through points in a plane, least squares."""
    matrix = np.column_stack([2 * points, np.ones(len(points))])
    x, y, rest = np.linalg.lstsq(matrix, (points**2).sum(-1), rcond=None)[0]
    return float(np.sqrt(rest + x * x + y * y))


def disc(runs: Runs) -> Section:
    """At 3 s; and the steady disc, which returns after its period."""
    known, run = m.reference()["disc"], runs.disc()
    ours = disc_states(run)
    rows = [shown(f"{name}(3)", known[name][-1], ours[name][-1], 9) for name in ("theta", "phi")]
    rows += [shown(f"contact(3), {a} (m)", known["contact_xy"][-1][j], ours["contact_xy"][-1, j], 9) for j, a in enumerate("xy")]
    rows.append(row("energy (J)", known["energy"], run.energy[0], 1e-12))
    rows.append(bound("change of the energy (J)", "1e-10", np.ptp(run.energy)))
    arm = run["rim"].contact - run["disc"].position
    slip = run["disc"].velocity + np.cross(run["disc"].angular_velocity, arm)
    rows.append(bound("slip at the contact (m/s)", "1e-11", np.abs(slip).max()))
    known, run = m.reference()["steady disc"], runs.steady()
    contact, heading = run["rim"].contact, disc_states(run)["phi"]
    rows.append(bound("steady: contact after one period, off its start (m)", "1e-9", np.abs(contact[-1] - contact[0]).max()))
    rows.append(row("steady: radius of its circle (m)", known["radius"], circle(contact[:, :2]), 1e-9))
    rows.append(row("steady: rate of the heading (rad/s)", known["phidot"], (heading[-1] - heading[0]) / run.t[-1], 1e-9))
    return Section("Rolling disc", SOURCE, rows)


def in_full(runs: Runs, way: str) -> Section:
    """All numbers of sleigh and disc by one formulation."""
    rows = []
    for name, run, ours in (
        ("sleigh", runs.sleigh(way), sleigh_states(runs.sleigh(way))),
        ("disc", runs.disc(way), disc_states(runs.disc(way))),
    ):
        known = m.reference()[name]
        for what, values in ours.items():
            most = 1e-7 if what == "contact_force_N" else 1e-9 if way == FULL else 1e-8
            rows += series(f"{name}: {what}", known["t"], known[what], run, values, most)
    return Section(f"In full: sleigh and disc, {way}", SOURCE, rows, detail=True)
