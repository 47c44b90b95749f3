"""Saetran (2018), Lagrangian dynamics for solid multi-body systems with the moving frame formalism: its cases compared with ours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import saetran2018_details, saetran2018_euler, saetran2018_methods
from poinsot.studies import saetran2018_models as m
from poinsot.studies.saetran2018_runs import Runs, angles
from poinsot.studies.table import Row, Section, Study

REFERENCE = "reference values; the thesis shows graphs"
OURS = "reference values; what the thesis does not specify is chosen here"


def run(quick: bool = False, folder: Path | None = None) -> Study:
    """Run all cases and compare every number; with a folder, draw the figures and write pages of the main runs there.

    A quick study leaves out the coil and the methods on long chains, ends the damped chains at 1 s, and times chains of
    up to 16 bodies.
    """
    runs = Runs(quick)
    study = Study("saetran2018", "Saetran (2018): pendulums of N bodies by the moving frame method")
    timed = timing(quick)
    study.sections = [
        single(),
        double(runs),
        four(runs),
        *conservation(runs),
        conservation_explicit(runs),
        evaluations(runs),
        *(top(spin) for spin in m.SPINS),
        sprung(runs),
        *saetran2018_euler.sections(runs),
        free(runs),
        damped(runs),
        *([] if quick else [coil(runs)]),
        *saetran2018_methods.sections(runs),
        *saetran2018_details.sections(runs),
        timed,
    ]
    study.corrections = m.CORRECTIONS
    study.notes = {**m.NOTES, **(m.NOTES_QUICK if quick else {})}
    if folder is not None:
        from poinsot.studies import saetran2018_figures

        study.figures = saetran2018_figures.draw(runs, timed, folder)
        study.pages = saetran2018_figures.pages(runs, folder)
    return study


def tip_rows(result: Any, link: int, known: Mapping[int, tuple[str, ...]]) -> list[Row]:
    """Rows of a tip at several times: (x, y, z), or (y, z) for motions in a plane."""
    tip = result[f"link{link}"].point(m.TIP)
    return [
        Row(f"tip {link} at t = {t}: {axis}", paper, float(tip[result.index(t), "xyz".index(axis)]))
        for t, numbers in known.items()
        for axis, paper in zip("xyz"[-len(numbers) :], numbers)
    ]


def crossings(ready: Any, function: Any, count: int) -> list[po.Trajectory]:
    """Runs, one after the other, up to each of the first times at which a function of time and state is zero."""
    pieces: list[po.Trajectory] = []
    state = None
    for _ in range(count):
        away = ready.run(0.1, state=state, progress=False)  # move away from one zero before searching the next
        pieces += [away, ready.run(2.0, state=away.state(), until=function, progress=False)]
        state = pieces[-1].state()
    return pieces


def single() -> Section:
    """One link: its period, and its angle at 10 s."""
    ready = po.prepare(m.chain(1, m.SMALL), step=0.01, integrator="gauss4")
    theta = angles(ready.run(10.0, progress=False), 1)[-1, 0]

    def upright(t: float, state: Any) -> float:
        return float(state["link1"].point(m.TIP)[1])

    first, _, third = crossings(ready, upright, 3)[1::2]
    period = float(third.t[-1] - first.t[-1])
    rows = [Row("period", m.SINGLE["period"], period), Row("theta(10)", m.SINGLE["theta(10)"], float(theta))]
    return Section("Single pendulum, theta0 = 0.1", REFERENCE, rows)


def double(runs: Runs) -> Section:
    """Two links: their relative angles."""
    result = runs.get("double")
    found = angles(result, 2)
    rows = [
        Row(f"theta{k + 1} at t = {t}", paper, float(found[result.index(t), k]))
        for t, numbers in m.DOUBLE.items()
        for k, paper in enumerate(numbers)
    ]
    return Section("Double pendulum, theta1 = 0.1, relative angles", REFERENCE, rows)


def four(runs: Runs) -> Section:
    """Four links: the tip, and the energy."""
    result = runs.get("four")
    rows = [*tip_rows(result, 4, m.FOUR), Row("energy", m.FOUR_ENERGY, float(result.energy[0]))]
    return Section("Four bodies, theta0 = 0.1", REFERENCE, rows)


def conservation(runs: Runs) -> list[Section]:
    """Four links with the two-stage method: unit length and energy over time, which say little about the error."""
    result, exact = runs.get("four", "gauss2", 0.01), runs.get("four", step=0.0025)
    lengths, energy_error, _ = m.TABLE_3_2["GL2"]
    energy = np.abs(result.energy / result.energy[0] - 1)
    rows = []
    for t in (1, 5, 10):
        so_far = slice(result.index(t) + 1)
        for k, bound in enumerate(lengths, 1):
            error = np.abs(np.linalg.norm(result[f"joint{k}"].quaternion[so_far], axis=-1) - 1).max()
            rows.append(Row(f"unit length of link {k}, until t = {t}", bound, float(error), at_most=True))
        rows.append(
            Row(f"relative energy error, until t = {t}", energy_error, float(energy[so_far].max()), at_most=True)
        )
    error = float(np.abs(angles(result, 4)[-1] - angles(exact, 4)[-1]).max())
    angle = Row("error of the angles at t = 10", m.FOUR_ANGLE_ERROR, error, allowed=5e-9)
    return [
        Section("Four bodies, gauss2, h = 0.01: what is conserved", "thesis, table 3.2", rows, printed=True),
        Section("Four bodies, gauss2, h = 0.01: the error, which that does not show", REFERENCE, [angle]),
    ]


def conservation_explicit(runs: Runs) -> Section:
    """Four links with the explicit method: unit length and energy at 10 s."""
    result = runs.explicit("four")
    lengths, energy_error, _ = m.TABLE_3_2["RK45"]
    rows = []
    for k, bound in enumerate(lengths, 1):
        error = abs(np.linalg.norm(result[f"joint{k}"].quaternion[-1]) - 1)
        rows.append(Row(f"unit length of link {k}, at t = 10", bound, float(error), at_most=True))
    error = abs(result.energy[-1] / result.energy[0] - 1)
    rows.append(Row("relative energy error, at t = 10", energy_error, float(error), at_most=True))
    return Section("Four bodies, RK45 (dopri5), tolerances 1e-13: what is conserved", "thesis, table 3.2", rows, printed=True)


def evaluations(runs: Runs) -> Section:
    """Four links: evaluations of the equations of motion until 10 s."""
    implicit, explicit = runs.get("four", "gauss2", 0.01, tolerance=1e-9).audit, runs.explicit("four").audit
    remark = "not reproduced"
    gauss, dormand = m.TABLE_3_2["GL2"][2], m.TABLE_3_2["RK45"][2]
    rows = [
        Row("GL2, tolerance 1e-9", gauss, implicit.evaluations, remark=remark),
        Row("RK45, tolerance 1e-13", dormand, explicit.evaluations, remark=remark),
    ]
    return Section("Four bodies: function evaluations in 10 s", "thesis, table 3.2", rows, printed=True)


def top(spin: float) -> Section:
    """The top: from its start to the lowest point, and on until it is back at its initial tilt."""
    system = m.top(spin)
    ready = po.prepare(system, step=0.001, integrator="gauss4")

    def falling(t: float, state: Any) -> float:
        return float(state["top"].com_velocity[2])

    pieces = crossings(ready, falling, 2)
    lowest, highest = pieces[1], pieces[3]
    com = np.concatenate([piece["top"].com for piece in pieces])
    azimuth = np.unwrap(np.arctan2(com[:, 1], com[:, 0]))
    axis = lowest["top"].rotation[-1, :, 2]
    found: tuple[float, ...] = (math.acos(axis[2]), float(highest.t[-1]), float(azimuth[-1] - azimuth[0]))
    found += (found[2] / found[1],)
    names = ("theta_max", "nutation period", "precession per period", "mean precession rate")
    rows = [Row(name, paper, ours) for name, paper, ours in zip(names, m.TOP_MOTION[spin], found)]
    body = system["top"]
    ours = (body.mass, body.com[2], body.inertia[2], body.inertia[0])
    inertia = [Row(name, paper, float(value)) for (name, paper), value in zip(m.TOP_BODY.items(), ours)]
    meaning = "what the equations mean" if spin == m.SPINS[0] else "what the text says"
    title = f"Top with a spin of {spin:g} rad/s ({meaning}), theta0 = pi/6"
    return Section(title, REFERENCE, [*(inertia if spin == m.SPINS[0] else []), *rows])


def sprung(runs: Runs) -> Section:
    """Four links with torsion springs."""
    result = runs.get("springs")
    rows = [*tip_rows(result, 4, m.FOUR_TORSION), Row("energy", m.FOUR_TORSION_ENERGY, float(result.energy[0]))]
    rows.append(Row("energy at t = 15", m.FOUR_TORSION_ENERGY, float(result.energy[-1])))
    return Section("Four bodies with torsion springs, -k log(R), all joints at pi/8 about x and y", OURS, rows)


def free(runs: Runs) -> Section:
    """16 links without springs or dampers."""
    return Section("16 bodies, first joint at pi/8", REFERENCE, tip_rows(runs.get("free 16"), 16, m.FREE))


def damped(runs: Runs) -> Section:
    """16 links with dampers, and a spring-damper at the tip."""
    known = {t: numbers for t, numbers in m.DAMPED.items() if t <= runs.duration("damped 16")}
    result = runs.get("damped 16")
    return Section("16 bodies with joint dampers, spring-damper at the tip", OURS, tip_rows(result, 16, known))


def coil(runs: Runs) -> Section:
    """64 links, coiled up and released."""
    result = runs.get("coil 64")
    rows = [row for (link, t), numbers in m.COIL.items() for row in tip_rows(result, link, {t: numbers})]
    return Section("64 bodies, a released coil with joint dampers", OURS, rows)


def timing(quick: bool) -> Section:
    """Seconds per run, the mean of 7 after a warm-up run."""
    rows = []
    for links, paper in m.TABLE_3_3.items():
        if quick and links > 16:
            break
        ready = po.prepare(m.chain(links, m.SMALL), step=0.01, integrator="gauss3")
        seconds = [ready.run(10.0, progress=False).audit.seconds for _ in range(8)][1:]
        ours = float(np.mean(seconds))
        ratio = float(paper) / ours
        rows.append(Row(f"{links} bodies: seconds", paper, ours, remark=f"ratio {ratio:.0f}", ratio=ratio))
    sizes, times = [int(row.name.split()[0]) for row in rows], [row.ours for row in rows]
    slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    rows.append(Row("power of N with which the time grows", m.POWER, slope, remark="measured"))
    title = "Time to compute 10 s, gauss3, h = 0.01; ratio: thesis seconds / our seconds, on different computers"
    return Section(title, "thesis, table 3.3", rows, printed=True)
