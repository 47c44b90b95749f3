"""The torsion springs of saetran2018 with its own law, on Euler angles: close to ours for small angles, undefined at gimbal lock."""

from __future__ import annotations

from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import saetran2018_models as m
from poinsot.studies.saetran2018_details import SOURCE, motion, row
from poinsot.studies.saetran2018_runs import Runs, euler_angles, gravity_energy, reference
from poinsot.studies.table import Row, Section

LAW = "euler-angles"
NEAR, STEP = 7.15, 1e-4  # s: time from which the run to the gimbal lock uses these steps
TIPS = {  # tip of link 4 with the thesis's law, from pi/8
    0.5: ("-4.803681394", "3.946220470", "-4.232886616"),
    1.0: ("-0.687088142", "0.402080026", "-7.792945188"),
}
LOCK = "7.22"  # s


def sections(runs: Runs) -> list[Section]:
    """Results with this law, up to the gimbal lock."""
    return [headline(runs), in_full(runs, "euler-angles"), in_full(runs, "euler-angles, 0.1 rad"), energies()]


def spring_energy(result: Any) -> np.ndarray:
    """The springs' energy (J) if their law were conservative: half the stiffness times the squared angles."""
    return sum(
        0.5 * stiffness * (euler_angles(result, f"joint{k}") ** 2).sum(axis=-1)
        for k, stiffness in enumerate(m.TORSION, 1)
    )


def until_lock(end: float = 7.23) -> tuple[Any, Any]:
    """The run from pi/8 until shortly before the gimbal lock, and from there past it in small steps."""
    system = m.sprung(law=LAW)
    first = po.simulate(system, NEAR, step=0.0005, output_step=0.01, progress=False)
    second = po.simulate(system, end - NEAR, step=STEP, state=po.State(NEAR, *_values(first)), progress=False)
    return first, second


def _values(result: Any) -> tuple[np.ndarray, np.ndarray]:
    state = result.state()
    return state.coordinates, state.rates


def lock_index(result: Any) -> int:
    """Output after which psi of the last joint jumps by a turn for the last time; there theta is near pi/2."""
    psi = euler_angles(result, "joint4")[:, 2]
    return int(np.flatnonzero(np.abs(np.diff(psi)) > np.pi)[-1])


def headline(runs: Runs) -> Section:
    """Tips, the difference between the two laws, the energy balance, and the time of the gimbal lock."""
    large, small = runs.get("euler-angles"), runs.get("euler-angles, 0.1 rad")
    tip = large["link4"].point(m.TIP)
    rows = [
        Row(f"tip 4 at t = {t}: {axis}", paper, float(tip[large.index(t), k]))
        for t, numbers in TIPS.items()
        for k, (axis, paper) in enumerate(zip("xyz", numbers))
    ]
    for name, result, other, gap in (
        ("pi/8", large, runs.get("springs"), "0.03029"),
        ("0.1 rad", small, runs.get("springs, 0.1 rad"), "0.00519"),
    ):
        end = result.t[-1]
        ours = result["link4"].point(m.TIP)[-1]
        theirs = other["link4"].point(m.TIP)[other.index(end)]
        rows.append(
            Row(f"from {name}: tip 4 by both laws apart at t = {end:g}", gap, float(np.linalg.norm(ours - theirs)))
        )
    for name, result in (("pi/8", large), ("0.1 rad", small)):
        balance = np.abs(result.energy - result.energy[0] - result.work).max()
        rows.append(Row(f"from {name}: energy less work, J", "1e-8", float(balance), at_most=True))
    _, near = until_lock()
    at = lock_index(near)
    rows.append(Row("from pi/8: gimbal lock at t", LOCK, float(near.t[at])))
    last = reference()["springs"]["gimbal lock"]
    at = near.index(round(last["time"] / STEP) * STEP)
    for k, angles in enumerate(last["angles of the joints in degrees"], 1):
        ours = np.degrees(euler_angles(near, f"joint{k}")[at])
        for name, paper, value in zip(("phi", "theta", "psi"), angles, ours):
            rows.append(Row(f"joint {k} there: {name}, degrees", str(paper), float(value), allowed=1.0))
    return Section("Four bodies with torsion springs, the law of the thesis on Euler angles", "reference values", rows)


def in_full(runs: Runs, case: str) -> Section:
    """All tips and energies of the reference file."""
    result, numbers = runs.get(case), dict(reference()["springs"][case])
    energy = numbers.pop("energy")
    rows = list(motion(result, numbers))
    total = result.kinetic + gravity_energy(result) + spring_energy(result)
    for t, paper in zip(numbers["times"], energy):
        name = f"energy, with half of k times the angles squared, at t = {t}"
        rows.append(row(name, paper, total[result.index(t)], 1e-9 * abs(paper)))
    return Section(f"In full: springs with the law of the thesis, {case}", SOURCE, rows, detail=True)


def energies() -> Section:
    """From pi/8 until the lock: the energy, which this law does not conserve, and the largest angular velocity (body axes)."""
    known = reference()["springs"]["gimbal lock"]
    ready = po.prepare(m.sprung(law=LAW), rtol=1e-12, atol=1e-12, integrator="dop853")
    rows, state, now = [], None, 0.0
    for t, energy, rate in zip(known["times"], known["energy"], known["angular velocity"]):
        result = ready.run(t - now, state=state, progress=False)
        state, now = result.state(), t
        total = result.energy[-1] + spring_energy(result)[-1]
        fastest = max(np.abs(result[body].angular_velocity_body[-1]).max() for body in result.system.bodies)
        rows.append(row(f"energy at t = {t:.4f}", energy, total, 1e-8 * abs(energy) + 1e-5))
        rows.append(row(f"largest angular velocity at t = {t:.4f}", rate, fastest, 2e-6))
    seen = Row(
        "largest angular velocity until the lock", repr(known["largest rate"]), float(fastest), remark="at t = 7.0002"
    )
    return Section(
        "In full: springs with the law of the thesis, energy until the lock", SOURCE, [*rows, seen], detail=True
    )
