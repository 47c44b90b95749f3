"""Every number of the reference file of saetran2018 compared with ours: tips, attitudes, angles and energies at many times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import saetran2018_models as m
from poinsot.studies.saetran2018_runs import Runs, angles, azimuth, gravity_energy, reference, tilt
from poinsot.studies.table import Row, Section

SOURCE = "reference file; allowed: its own uncertainty and rounding"
ROUNDING = 1e-12  # m or rad, allowed in addition to the uncertainty of the reference
ENERGY = 1e-9  # allowed for energies, relative to the largest of the case


def row(name: str, paper: float, ours: Any, allowed: float) -> Row:
    """A number of the reference file compared with ours."""
    return Row(name, repr(float(paper)), float(ours), allowed=allowed)


def sections(runs: Runs) -> list[Section]:
    """The motions of all cases, at all times and links of the reference file."""
    known = reference()
    cases = {
        "double": known["double"],
        "four": known["four"],
        "springs": known["springs"]["rotation-vector"],
        "springs, 0.1 rad": known["springs"]["rotation-vector, 0.1 rad"],
        **{case: known[case] for case in known if case.startswith(("free 16", "damped 16", "coil"))},
    }
    found = [single(runs), top_body(), *(top(runs, spin) for spin in m.SPINS), free_body()]
    for case, numbers in cases.items():
        if runs.has(case):
            rows = [*motion(runs.get(case), numbers), *special(runs, case, numbers)]
            found.append(Section(f"In full: {case}", SOURCE, rows, detail=True))
    return found


def motion(result: Any, numbers: dict[str, Any]) -> Iterator[Row]:
    """Rows of a chain: tips, angles, attitudes of links, energies; up to the end of the run."""
    times = [t for t in numbers["times"] if t <= result.t[-1] + 1e-9]
    unsure = np.broadcast_to(numbers["uncertainty"], len(numbers["times"]))
    tips = {link: result[f"link{link}"].point(m.TIP) for link in numbers["links"]}
    for k, t in enumerate(times):
        at = result.index(t)
        for link, paper in zip(numbers["links"], numbers["tips"][k]):
            for axis, x, ours in zip("xyz", paper, tips[link][at]):
                yield row(f"tip {link} at t = {t}: {axis}", x, ours, 2 * unsure[k] + ROUNDING)
        yield from energies(result, numbers, k, t)
        for link, paper in numbers.get("quaternions", {}).items():
            ours = result[f"link{link}"].quaternion[at]
            ours = ours if ours @ paper[k] > 0 else -ours  # both signs are the same attitude
            for name, x, y in zip("wxyz", paper[k], ours):
                yield row(f"quaternion of link {link} at t = {t}: {name}", x, y, 10 * max(unsure) + ROUNDING)
        for name, values in small_angles(result, numbers, at):
            for link, x, ours in zip(numbers["links"], numbers[name][k], values):
                yield row(f"{name}, {link}, at t = {t}", x, ours, 2 * unsure[k] + ROUNDING)


def small_angles(result: Any, numbers: dict[str, Any], at: int) -> Iterator[tuple[str, Any]]:
    """For chains in a plane: angles of the joints (rad), angular velocities of the links about x (rad/s)."""
    links = numbers["links"]
    if "angles of the joints" in numbers:
        yield "angles of the joints", angles(result, len(links))[at]
        yield "angular velocities about x", [result[f"link{k}"].angular_velocity[at, 0] for k in links]


def energies(result: Any, numbers: dict[str, Any], k: int, t: float) -> Iterator[Row]:
    """Rows of the energies (J) in the reference, at its k-th time t (s)."""
    at = result.index(t)
    gravity = gravity_energy(result)
    ours = {
        "kinetic energy": result.kinetic,
        "energy of gravity": gravity,
        "energy of the springs": result.potential - gravity,
        "energy": result.energy,
    }
    for name, values in ours.items():
        if name in numbers:
            allowed = ENERGY * np.abs(numbers[name]).max()
            yield row(f"{name} at t = {t}", numbers[name][k], values[at], allowed)


def special(runs: Runs, case: str, numbers: dict[str, Any]) -> Iterator[Row]:
    """Rows that only some chains have."""
    result = runs.get(case)
    if "energy at the start" in numbers:
        paper = numbers["energy at the start"]
        yield row("energy at the start", paper, result.energy[0], 1e-14 * abs(paper))
    if "relative drift of the energy" in numbers:
        drift = float(np.abs(result.energy / result.energy[0] - 1).max())
        paper = f"{numbers['relative drift of the energy']:.2e}"
        yield Row("relative drift of the energy", paper, drift, remark="rounding, shown")
    if "sensitivity of the tip to the first angle" in numbers:
        yield from sensitivity(numbers)
    if "unit length" in numbers:
        yield bounded("unit length of all quaternions", numbers["unit length"], result.audit.unit_length)
    if "turns" in numbers:
        turns = sum(1 / (8 + (j - 2) / 4) for j in range(2, 65))
        yield row("turns of the coil", numbers["turns"], turns, ROUNDING)
        for link, tip in enumerate(numbers["tips at the start"], 1):
            for axis, x, ours in zip("xyz", tip, result[f"link{link}"].point(m.TIP)[0]):
                yield row(f"tip {link} at the start: {axis}", x, ours, ROUNDING)
        for t, other in numbers["tip 64 by another program"].items():
            away = np.abs(result["link64"].point(m.TIP)[result.index(float(t))] - other["tip"]).max()
            paper = f"{other['difference']:.2e}"
            yield Row(f"difference from another program at t = {t}", paper, float(away), remark="rounding, shown")
            for axis, x, ours in zip("xyz", other["tip"], result["link64"].point(m.TIP)[result.index(float(t))]):
                yield row(f"tip 64 by another program at t = {t}: {axis}", x, ours, 2 * other["difference"] + ROUNDING)


def sensitivity(numbers: dict[str, Any]) -> Iterator[Row]:
    """Sensitivity of the tip of 16 links to the first angle (m/rad, the larger of y and z), by central differences."""
    tips = []
    for angle in (m.LARGE - 1e-4, m.LARGE + 1e-4):
        run = po.simulate(m.chain(16, angle), 10.0, step=0.005, output_step=0.5, progress=False)
        tips.append(run["link16"].point(m.TIP))
    slope = np.abs(tips[1] - tips[0]).max(axis=1) / 2e-4
    for t, paper in zip(numbers["times"], numbers["sensitivity of the tip to the first angle"]):
        yield row(f"change of the tip with the first angle at t = {t}", paper, slope[round(t / 0.5)], 1e-4 * paper)


def bounded(name: str, paper: float, ours: Any) -> Row:
    """A row in which our number must not be larger."""
    return Row(name, f"{paper:.3e}", float(ours), at_most=True)


def single(runs: Runs) -> Section:
    """One link, as a prism and as a thin rod."""
    known, rows = reference()["single"], []
    runs_and_angles = {
        "prism": (runs.get("single"), angles(runs.get("single"), 1)[:, 0], 66.0 + 5 / 6),
        "thin rod": (runs.get("thin rod"), runs.get("thin rod")["joint1"].angle, m.MASS * m.LENGTH**2 / 3),
    }
    for name, (result, theta, inertia) in runs_and_angles.items():
        numbers = known[name]
        rows.append(row(f"{name}: inertia about the pivot", numbers["inertia about the pivot"], inertia, ROUNDING))
        rows.append(row(f"{name}: period", numbers["period"], exact_period(inertia), ROUNDING))
        for t, paper in zip(numbers["times"], numbers["angles"]):
            rows.append(row(f"{name}: theta({t})", paper, theta[result.index(t)], ROUNDING))
    for equation in ("3.4", "3.5"):
        name = f"period as printed in {equation}"
        rows.append(row(f"{name}: half of the true one", known[name], exact_period(66.0 + 5 / 6) / 2, 1e-6))
    q = runs.get("single")["joint1"].quaternion
    gap = np.abs(2 * np.arccos(np.minimum(q[:, 0], 1.0)) - np.abs(angles(runs.get("single"), 1)[:, 0])).max()
    paper = f"{known['arccos against atan2']:.2e}"
    rows.append(Row("3.11: loss of digits by arccos", paper, float(gap), remark="rounding, shown"))
    return Section("In full: single pendulum", SOURCE, rows, detail=True)


def exact_period(inertia: float) -> float:
    """Period (s) of a link with an inertia (kg m^2) about its pivot, by the arithmetic-geometric mean."""
    a, b = 1.0, math.cos(m.SMALL / 2)
    for _ in range(6):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi * math.sqrt(inertia / (m.MASS * -m.GRAVITY[2] * m.LENGTH / 2)) / a


def top_body() -> Section:
    """The top's masses, inertias, and the spin above which it stays upright."""
    body, known = m.top(20.0)["top"], reference()["top"]["body"]
    disc, rod = (math.pi * m.TOP[f"{part} radius"] ** 2 * m.TOP["density"] for part in ("disc", "rod"))
    foot = body.inertia[0] + body.mass * body.com[2] ** 2
    ours = {
        "mass of the disc": disc * m.TOP["disc thickness"],
        "mass of the rod": rod * m.TOP["rod length"],
        "mass": body.mass,
        "height of the centre of mass": body.com[2],
        "J3": body.inertia[2],
        "J1 at the centre of mass": body.inertia[0],
        "J1 at the foot": foot,
        "spin above which it sleeps": math.sqrt(4 * foot * body.mass * 9.81 * body.com[2]) / body.inertia[2],
    }
    rows = [row(name, known[name], value, 1e-12) for name, value in ours.items()]
    return Section("In full: body of the top", SOURCE, rows, detail=True)


def top(runs: Runs, spin: float) -> Section:
    """The top over time: tilt, azimuth, centre of mass, attitude, angular velocity, and what is conserved."""
    result, numbers = runs.get(f"top {spin:g}"), reference()["top"][f"{spin:g}"]
    body, allowed = result["top"], 2 * numbers["uncertainty"]
    theta, phi = tilt(result), azimuth(result)
    about_axis = body.angular_velocity_body[:, 2] * result.system["top"].inertia[2]
    upright = result.angular_momentum[:, 2]
    rows = []
    for k, t in enumerate(numbers["times"]):
        at = result.index(t)
        rows.append(row(f"tilt at t = {t}", numbers["tilt"][k], theta[at], allowed))
        rows.append(row(f"azimuth at t = {t}", numbers["azimuth"][k], phi[at], allowed))
        vectors = {
            "centre of mass": ("xyz", body.com),
            "quaternion": ("wxyz", body.quaternion),
            "angular velocity in the body": ("xyz", body.angular_velocity_body),
        }
        for name, (axes, values) in vectors.items():
            for axis, paper, ours in zip(axes, numbers[name][k], values[at]):
                rows.append(row(f"{name} at t = {t}: {axis}", paper, ours, allowed))
    start = {
        "momentum about the axis": about_axis[0],
        "momentum about the vertical": upright[0],
        "energy": result.energy[0],
    }
    rows += [row(name, numbers[name], value, 1e-11) for name, value in start.items()]
    seen = "theta_max seen at the steps"
    rows.append(Row(seen, repr(numbers[seen]), float(theta.max()), remark="depends on the steps, shown"))
    drifts = {
        "drift of the momentum about the axis": np.abs(about_axis - about_axis[0]).max(),
        "drift of the momentum about the vertical": np.abs(upright - upright[0]).max(),
        "relative drift of the energy": np.abs(result.energy / result.energy[0] - 1).max(),
    }
    rows += [bounded(name, numbers[name], value) for name, value in drifts.items()]
    return Section(f"In full: top with a spin of {spin:g} rad/s", SOURCE, rows, detail=True)


def free_body() -> Section:
    """A free body: which sign of the gyroscopic term conserves the angular momentum."""
    known = reference()["free body"]
    system = m.free_body(known["inertia"], known["angular velocity at the start"])
    result = po.simulate(system, float(known["time"]), step=0.005, progress=False)
    ours = {
        "energy": [result.energy[-1]],
        "angular momentum": result.angular_momentum[-1],
        "angular velocity in the body": result["body"].angular_velocity_body[-1],
        "quaternion": result["body"].quaternion[-1],
    }
    turning = {**ours, "angular velocity": ours["angular velocity in the body"]}
    rows = [
        row(f"{name} at t = 2: {k}", paper, value, 1e-11)
        for name, values in ours.items()
        for k, (paper, value) in enumerate(zip(np.atleast_1d(known[name]), values), 1)
    ]
    rows += [
        Row(f"{name} with the other sign: {k}", repr(paper), float(value), remark="wrong sign, shown")
        for name in ("angular momentum", "angular velocity", "quaternion")
        for k, (paper, value) in enumerate(zip(known[f"{name} with the printed sign"], turning[name]), 1)
    ]
    return Section("In full: free body", SOURCE, rows, detail=True)
