"""The Stewart platform in dumitriu2016's formulation: direct dynamics of cases A and B, and a driven motion with its six leg forces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from poinsot.studies import dumitriu2016_models as m
from poinsot.studies import dumitriu2016_stewart as stewart
from poinsot.studies.dumitriu2016_legs import leg_forces
from poinsot.studies.dumitriu2016_runs import EXACT, NAME, REFERENCE, Runs, bound, entries, row
from poinsot.studies.table import Row, Section

CLOSE = 1e-9
WAYS = (NAME, EXACT)
SHOWN = (0.0, 0.5, 1.0, 1.5)  # s, of the driven motion
EVERY = 5  # outputs at which forces are computed by formulas as well


def sections(runs: Runs) -> list[Section]:
    """All sections of the platform."""
    found = [direct(runs, case, way) for case in "AB" for way in WAYS]
    found += [in_full(runs, case, way) for case in "AB" for way in WAYS]
    return [*found, driving(runs)]


def turned(run: Any) -> np.ndarray:
    """Quaternions (outputs, 4) of the platform relative to its first pose, in world axes."""
    first = Rotation.from_matrix(run["platform"].rotation[0])
    q = (Rotation.from_matrix(run["platform"].rotation) * first.inv()).as_quat(scalar_first=True)
    return q * np.sign(q[:, :1])


def direct(runs: Runs, case: str, way: str) -> Section:
    """Position and rotation of the platform at 0.5 and 1 s."""
    run, rows = runs.platform(case, way), []
    for t in ("0.5", "1.0"):
        values, k = m.reference()[f"stewart_{case}"]["platform"][t], run.index(float(t))
        for axis, paper, ours in zip("xyz", values["p"], run["platform"].position[k]):
            rows.append(Row(f"{axis}({t})", f"{paper:.12f}", float(ours), allowed=CLOSE))
        for axis, paper, ours in zip("wxyz", values["quat_rel_wxyz"], turned(run)[k]):
            rows.append(Row(f"q{axis}({t})", f"{paper:.12f}", float(ours), allowed=CLOSE))
    rows.append(bound("joints open by (m)", "1e-12", run.audit.constraint_metres))
    return Section(f"Stewart platform, direct dynamics, case {case}: {way}", REFERENCE, rows)


def in_full(runs: Runs, case: str, way: str) -> Section:
    """All numbers of the platform."""
    run, known, rows = runs.platform(case, way), m.reference()[f"stewart_{case}"], list[Row]()
    first = [np.linalg.norm(x) for x in np.array(stewart.PLACE) + stewart.heads() @ stewart.FIRST.T - stewart.feet()]
    lengths = np.stack([run[f"leg{k}"].displacement for k in stewart.LEGS], axis=-1) + first
    for t, values in known["platform"].items():
        k = run.index(float(t))
        found = {
            "p": run["platform"].position,
            "quat_rel_wxyz": turned(run),
            "R_abs": run["platform"].rotation,
            "v": run["platform"].velocity,
            "omega": run["platform"].angular_velocity,
            "leg_lengths": lengths,
        }
        for name, ours in found.items():
            rows += entries(f"{name}({t})", values[name], ours[k], CLOSE)
        balance = run.energy[k] - run.work[k] + run.work[0]
        rows.append(row(f"energy, legs included({t}) (J)", values["energy"], balance, CLOSE))
    start = np.concatenate([run["platform"].acceleration[0], run["platform"].angular_acceleration[0]])
    rows += entries("acceleration(0)", known["t0_platform_acc"], start, CLOSE)
    return Section(f"In full: Stewart platform, case {case}, {way}", REFERENCE, rows, detail=True)


def forces(run: Any) -> np.ndarray:
    """Leg forces (outputs, 6), N."""
    return np.stack([run[f"force{k}"].effort for k in stewart.LEGS], axis=-1)


def off_path(run: Any) -> float:
    """Largest distance of the platform's centre and of the watched points from where they should be, m."""
    wanted = [np.array([stewart.point(t, p)[0] for t in run.t]) for p in stewart.WATCHED]
    return max(np.abs(run["platform"].point(p) - x).max() for p, x in zip(stewart.WATCHED, wanted))


def driving(runs: Runs) -> Section:
    """A circle and a twist, from rest to rest: six leg forces, by both formulations and by formulas."""
    first = runs.driven()
    exact, rows = np.array([leg_forces(t) for t in first.t[::EVERY]]), []
    for t in SHOWN:
        k = first.index(t)
        for j, paper, ours in zip(stewart.LEGS, exact[k // EVERY], forces(first)[k]):
            rows.append(row(f"force of leg {j}({t:g}) (N)", paper, ours, CLOSE))
    for way in WAYS:
        run = runs.driven(way)
        rows.append(
            bound(f"{way}: largest difference of a leg force (N)", "1e-9", np.abs(forces(run)[::EVERY] - exact).max())
        )
        rows.append(bound(f"{way}: the platform is off its path by (m)", "1e-12", off_path(run)))
        balance = np.abs(run.energy - run.energy[0] - run.work).max()
        rows.append(bound(f"{way}: energy - work of the legs (J)", "1e-10", balance))
    rows += _at_rest(exact)
    return Section(
        "Stewart platform driven along a circle and twisted: leg forces",
        "virtual power of all bodies, by formulas",
        rows,
    )


def _at_rest(exact: np.ndarray) -> Iterator[Row]:
    """Forces at rest: the same at the end as at the start."""
    yield bound("at rest at the end as at the start: forces differ by (N)", "1e-9", np.abs(exact[-1] - exact[0]).max())
