"""Extensions announced in uhlar2008: space, other pairs, higher order, fewer unknowns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poinsot.studies import uhlar2008_models as m
from poinsot.studies.table import Row, Section
from poinsot.studies.uhlar2008_runs import ORDER2, ORDER6, Runs, counted, rounding, row

REFERENCE = "reference values"
CONVERGED = 1e-10  # allowed for converged directors


def sections(runs: Runs) -> list[Section]:
    """The top, the loop in space and the number of unknowns."""
    return [top(runs), top_in_full(runs), loop(runs), printed(), unknowns()]


def directors(run: Any, t: float) -> np.ndarray:
    """Directors of the top as columns, at a time."""
    return run["top"].rotation[run.index(t)]


def along_axis(run: Any) -> np.ndarray:
    """Angular momentum of the top along its axis, L . d3."""
    return np.einsum("ij,ij->i", run.angular_momentum, run["top"].rotation[:, :, 2])


def top(runs: Runs) -> Section:
    """The heavy top in space: what is conserved, what is not, its axis at 1 s."""
    known, fine = m.reference()["heavy top"], runs.top(0.005, ORDER6)
    rows = [
        Row("energy (J)", "150.6425", float(fine.energy[0])),
        Row("L_z", "13.475", float(fine.angular_momentum[0, 2])),
    ]
    for axis, paper, ours in zip("xyz", known["d3_reference"]["1.0"], directors(fine, 1.0)[:, 2]):
        rows.append(Row(f"d3(1), {axis}, converged", f"{paper:.8f}", float(ours)))
    for h in m.STEPS_TOP:
        run, numbers = runs.top(h), known["order 2"][f"h = {h:g}"]
        error = np.abs(directors(run, 1.0) - directors(fine, 1.0)).max()
        rows.append(
            row(f"h = {h:g}: largest error of the directors at 1 s", numbers["max_coord_error_t1"], error, 1e-9)
        )
        change = along_axis(run)[run.index(1.0)] - along_axis(run)[0]
        rows.append(row(f"h = {h:g}: change of L.d3, which the motion keeps", numbers["Ld3_change"], change, 1e-9))
    drift = np.abs(along_axis(fine) - along_axis(fine)[0]).max()
    rows.append(Row("order 6, h = 0.005: change of L.d3", "1e-9", float(drift), at_most=True))
    return Section("Heavy top in space: energy and L_z are exact, the motion and L.d3 are not", REFERENCE, rows)


def top_in_full(runs: Runs) -> Section:
    """All numbers of the top."""
    known, fine, rows = m.reference()["heavy top"], runs.top(0.005, ORDER6), []
    rows.append(row("energy", known["energy_J"], fine.energy[0], 1e-11))
    rows.append(row("L_z", known["Lz"], fine.angular_momentum[0, 2], 1e-12))
    for director, column in (("d3", 2), ("d1", 0)):
        for t, numbers in known[f"{director}_reference"].items():
            ours = directors(fine, float(t))[:, column]
            rows += [row(f"{director}({t}), {a}", x, y, CONVERGED) for a, x, y in zip("xyz", numbers, ours)]
    for h in m.STEPS_TOP:
        step = f"h = {h:g}"
        run, numbers = runs.top(h), known["order 2"][step]
        axis = directors(run, 1.0)[:, 2]
        rows += [row(f"{step}: d3(1), {a}", x, y, 1e-8) for a, x, y in zip("xyz", numbers["d3_t1"], axis)]
        error = np.abs(axis - known["d3_reference"]["1.0"]).max()
        rows.append(row(f"{step}: error of d3(1)", numbers["max_d3_error_t1"], error, 1e-8))
        for what, key, values in (
            ("energy", "rel_energy_error", run.energy),
            ("L_z", "rel_Lz_error", run.angular_momentum[:, 2]),
        ):
            rows.append(
                rounding(f"{step}: relative change of {what}", numbers[key], np.abs(values / values[0] - 1).max())
            )
        rows.append(
            rounding(f"{step}: joint open (m)", numbers["max_constraint_violation"], run.audit.constraint_metres)
        )
        rows.append(
            counted(
                f"{step}: iterations per step", numbers["newton_iters_mean"], run.audit.iterations / run.audit.steps
            )
        )
    return Section("In full: heavy top", REFERENCE, rows, detail=True)


def loop(runs: Runs) -> Section:
    """Other pairs in space: a closed loop of a revolute, a universal, a spherical and a cylindrical pair."""
    rows = [row("degrees of freedom of the loop", 2, m.spatial_loop().check().freedoms, 0.0)]
    run = runs.loop(0.02)
    rows.append(Row("relative change of the energy, order 2, h = 0.02", "1e-14", float(_relative(run)), at_most=True))
    rows.append(Row("joints open (m)", "1e-14", float(run.audit.constraint_metres), at_most=True))
    best = runs.loop(0.0025, ORDER6)
    for integrator, order, steps in ((ORDER2, 2, (0.005, 0.0025)), (ORDER6, 6, (0.01, 0.005))):
        off = [_apart(runs.loop(h, integrator), best) for h in steps]
        rows.append(row(f"order of the slider's place, {integrator}", order, math.log2(off[0] / off[1]), 0.25))
    return Section("Announced: other pairs in space, higher order", "the paper's conclusions", rows)


def _apart(run: Any, best: Any) -> float:
    """Largest distance of the slider from its position in a more accurate run."""
    stride = (len(best.t) - 1) // (len(run.t) - 1)
    return float(np.linalg.norm(run["slider"].com - best["slider"].com[::stride], axis=1).max())


def _relative(run: Any) -> float:
    return run.audit.energy_drift / run.audit.energy_scale


def printed() -> Section:
    """Sizes of the manipulator that the paper prints after (60) and in (85)."""
    system = m.manipulator()
    check, in_plane = system.check(), 3
    internal, external = 3 * check.bodies, in_plane * check.bodies - check.freedoms
    rows = [
        row("manipulator: coordinates of the bodies in the plane", 48, 6 * check.bodies, 0.0),
        Row("manipulator: internal constraints", "18", internal, remark=f"wrong in print, swapped: {internal}"),
        Row("manipulator: external constraints", "24", external, remark=f"wrong in print, swapped: {external}"),
        row("manipulator: degrees of freedom", 6, check.freedoms, 0.0),
        Row("manipulator: e2 of phi of body 8 at the start (m)", "0.2887", float(system["body8"].position[1])),
    ]
    return Section("Numbers printed in the paper", "the paper", rows, printed=True)


def unknowns() -> Section:
    """Number of unknowns in a step of the manipulator."""
    known, check = m.reference()["size"], m.manipulator().check()
    n, m_paper, servo = 8 * 6 + 6, 24 + 18 + 6, 3
    rows = [
        row(
            "unknowns of the paper's scheme: coordinates, multipliers, torques",
            known["unknowns_full"],
            n + m_paper + servo,
            0.0,
        )
    ]
    rows.append(row("degrees of freedom, what a null space leaves", known["unknowns_reduced"], check.freedoms, 0.0))
    rows.append(
        Row(
            "ours: multipliers of joints and torques, bodies eliminated one by one",
            "105",
            float(6 * check.bodies - check.freedoms + servo),
            remark="in space: 6 per body; 45 against 105",
        )
    )
    return Section("Announced: fewer unknowns", "reference values", rows)
