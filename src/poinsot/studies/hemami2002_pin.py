"""The pinned body of hemami2002, and the sign of Omega^ J Omega, which the energy cannot show."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_runs import FULL, SOURCE, WAYS, Runs, bound, row, series, shown, yes
from poinsot.studies.table import Section


def sections(runs: Runs) -> list[Section]:
    """The pinned body by three formulations, and the sign test."""
    return [pinned(runs), *(pinned_in_full(runs, way) for way in WAYS), sign(runs)]


def pinned(runs: Runs) -> Section:
    """At 1 s, by newton-euler."""
    known, run = m.reference()["pinned body"], runs.pinned()
    body, last, rows = run["body"], -1, []
    found = {"Theta": m.angles(body.rotation), "Omega": body.angular_velocity_body, "Lambda": run["pin"].force}
    for name, digits in (("Theta", 10), ("Omega", 10), ("Lambda", 7)):
        for k in range(3):
            rows.append(shown(f"{name}(1), {k + 1}", known[name][last][k], found[name][last, k], digits))
    rows.append(shown("energy (J)", known["energy"], run.energy[0], 9))
    metres, turns = runs.pinned_reduced().difference(run)
    rows.append(bound("with Lambda against reduced, (9): position (m)", "1e-11", metres))
    rows.append(bound("with Lambda against reduced, (9): rotation (rad)", "1e-11", turns))
    for way in WAYS:
        drift = np.abs(runs.pinned(way).energy - run.energy[0]).max()
        rows.append(bound(f"change of the energy, {way} (J)", "1e-11", drift))
    return Section("Pinned body, (1) with X + A R = 0: angles (rad), rates (rad/s), constraint force (N)", SOURCE, rows)


def pinned_in_full(runs: Runs, way: str) -> Section:
    """All numbers, by one formulation."""
    known, run = m.reference()["pinned body"], runs.pinned(way)
    body, t, given = run["body"], m.reference()["pinned body"]["t"], m.defined("pinned body")
    rows = series("Theta", t, known["Theta"], run, m.angles(body.rotation), 1e-9)
    rows += series("Omega", t, known["Omega"], run, body.angular_velocity_body, 1e-8)
    rows += series("Lambda", t, known["Lambda"], run, run["pin"].force, 1e-7)
    rows += series("X", t, known["X"], run, body.com, 1e-9)
    rows += series("energy", t, [known["energy"]] * len(t), run, run.energy, 1e-9)
    if way == FULL:
        J1 = np.diag(given["J"]) - given["m"] * m.hat(given["R"]) @ m.hat(given["R"])
        rows += [row(f"J1, {i + 1} {j + 1}", known["J1"][i][j], J1[i, j], 1e-15) for i in range(3) for j in range(3)]
    return Section(f"In full: pinned body, {way}", SOURCE, rows, detail=True)


def printed_motion(times: Any) -> tuple[np.ndarray, np.ndarray]:
    """Energy and inertial angular momentum of the free body with the printed sign, J Omega' = +Omega^ J Omega."""
    given = m.defined("sign test")
    J = np.array(given["J"])

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        turn, spin = y[:9].reshape(3, 3), y[9:]
        return np.concatenate([(turn @ m.hat(spin)).ravel(), np.cross(spin, J * spin) / J])

    start = np.concatenate([np.eye(3).ravel(), given["Omega0"]])
    y = solve_ivp(rate, (0, times[-1]), start, "DOP853", t_eval=times, rtol=1e-12, atol=1e-13).y.T
    momentum = np.einsum("tij,tj->ti", y[:, :9].reshape(-1, 3, 3), J * y[:, 9:])
    return 0.5 * (y[:, 9:] ** 2) @ J, momentum


def sign(runs: Runs) -> Section:
    """Both signs conserve the energy; only -Omega^ J Omega conserves the angular momentum."""
    known, rows = m.reference()["sign test"]["Omega(2)"], []
    for way in WAYS[::2]:
        run = runs.free(way)
        ours = run["body"].angular_velocity_body[-1]
        rows += [row(f"{way}: Omega(2), {k + 1}", x, y, 1e-9) for k, (x, y) in enumerate(zip(known, ours))]
        rows.append(bound(f"{way}: change of the angular momentum", "1e-10", np.ptp(run.angular_momentum, axis=0).max()))
        rows.append(bound(f"{way}: change of the energy (J)", "1e-10", np.ptp(run.energy)))
    energy, momentum = printed_motion(runs.free().t)
    rows.append(bound("printed sign: change of the energy (J)", "1e-10", np.ptp(energy)))
    rows.append(yes("printed sign: angular momentum is conserved", False, np.ptp(momentum, axis=0).max() < 1e-6))
    return Section("Sign of Omega^ J Omega in (9), (13): the energy cannot show it", SOURCE, rows)
