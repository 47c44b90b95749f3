"""The double pendulum of dumitriu2016 (figures 2 to 6), the same in space, the chain of five bars and the closed loop of three."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from poinsot.studies import dumitriu2016_models as m
from poinsot.studies.dumitriu2016_runs import (
    EXACT,
    NAME,
    REFERENCE,
    SOURCE,
    Runs,
    angles,
    bound,
    entries,
    joint_multipliers,
    multipliers,
    rates,
    rotation,
    row,
    translation,
)
from poinsot.studies.table import Row, Section

CLOSE = 1e-9  # allowed for converged numbers
FINE = 1e-4  # s, steps of RK4
JOINTS = {"Lambda01": "O", "Lambda12": "H1"}
BODIES = {"Lambda1": "bar1", "Lambda2": "bar2"}
CASES = {"open5": "chain of 5 bars", "fourbar3_closed": "closed loop of 3 bars"}
SHOWN = ((1, 1), (1, 2), (2, 2))  # entries of the body multipliers that the paper's figures show


def sections(runs: Runs) -> list[Section]:
    """All sections of the bars."""
    found = [printed(runs), printed_inertia(), plane(runs), shown_multipliers(runs), out_of_plane(runs), literal_angle(runs)]
    found += [plane_in_full(runs, f"dop853, tolerance {runs.pendulum().record.settings['rtol']:.0e}", runs.pendulum())]
    found += [plane_in_full(runs, "RK4, h = 1e-4", runs.rk4(FINE))]
    found += [space(runs), space_in_full(runs), more_bars(runs)]
    return [
        *found,
        *(bars_in_full(runs, case, method) for case in CASES for method in (NAME, EXACT)),
    ]


def known() -> dict[str, Any]:
    """The reference of the double pendulum."""
    return m.reference()["double_pendulum"]


def times(data: dict[str, Any], run: Any) -> Iterator[tuple[str, int, Any]]:
    """Times of a reference within a run, the index of the output then, and what is known."""
    for t, values in data.items():
        if float(t) <= run.t[-1] + 1e-9:
            yield t, run.index(float(t)), values


def printed(runs: Runs) -> Section:
    """Numbers that the paper prints."""
    check, bar = m.bars(m.DRAWN).check(), m.bars(m.DRAWN)["bar1"]
    joints = 6 * check.bodies - check.freedoms
    rows = [
        Row("C: moment of inertia of a bar (kg cm^2)", "3.636", 1e4 * bar.inertia[2]),
        row("scalar differential equations", 24, 12 * check.bodies, 0.0),
        row("scalar constraints, all eliminated in one step", 18, 6 * check.bodies + joints, 0.0),
        row("unknowns of the second of two steps", 6, joints, 0.0),
        row("phi at the start (degrees)", 20, np.degrees(angles(runs.pendulum())[0, 0]), 1e-12),
        row("psi at the start (degrees)", 10, np.degrees(angles(runs.pendulum())[0, 1]), 1e-12),
    ]
    return Section("Numbers printed in the paper", "the paper", rows, printed=True)


def printed_inertia() -> Section:
    """The matrices (15) against those of (11)."""
    rows, bar = [], m.bars(m.DRAWN)["bar1"]
    for name, angle in zip(("K_G1", "K_G2"), m.DRAWN):
        c, s, turn = np.cos(angle), np.sin(angle), m.drawn_turn(m.bars([angle])["bar1"])
        l2, a2, b2 = m.LENGTH**2, m.WIDTH**2, m.DEPTH**2
        formula = np.array(
            [
                [l2 * c * c + a2 * s * s, (l2 - a2) * s * c, 0],
                [(l2 - a2) * s * c, l2 * s * s + a2 * c * c, 0],
                [0, 0, b2],
            ]
        )
        off = np.abs(m.MASS / 12 * formula - turn @ poinsot_inertia(bar) @ turn.T).max()
        rows.append(bound(f"{name} of (15), less that of (11) from the body's inertia (kg m^2)", "1e-18", off))
    return Section("The printed matrices (15)", "bounds", rows)


def poinsot_inertia(body: Any) -> np.ndarray:
    """K of (11) about the centre of mass, in the axes of the body (3, 3), kg m^2."""
    J = body.inertia_matrix()
    return 0.5 * np.trace(J) * np.eye(3) - J


def plane(runs: Runs) -> Section:
    """Figure 2: the angles, converged and by RK4 with multipliers at every stage."""
    rows = []
    for title, run in (("", runs.pendulum()), (", RK4 h = 1e-4", runs.rk4(FINE))):
        for t, k, values in times(known()["angles"], run):
            for name, column in (("phi", 0), ("psi", 1)):
                rows.append(
                    Row(
                        f"{name}({t}){title}",
                        f"{values[f'{name}_rad']:.12f}",
                        float(angles(run)[k, column]),
                        allowed=CLOSE,
                    )
                )
    most = known()["rk4_tests"]
    size = np.abs(angles(runs.pendulum())).max(axis=0)
    rows += [row(f"largest |{name}|", most[f"max|{name}|"], x, CLOSE) for name, x in zip(("phi", "psi"), size)]
    return Section("Double pendulum, fig. 2: angles (rad)", SOURCE, rows)


def shown_multipliers(runs: Runs) -> Section:
    """Figures 3 to 6 at three times."""
    run, rows = runs.pendulum(), []
    for t in ("0", "0.5", "1"):
        values, k = known()["multipliers_N_and_Nm"][t], run.index(float(t))
        for name, body in BODIES.items():
            for i, j in SHOWN:
                ours = multipliers(run, body)[k, i - 1, j - 1]
                rows.append(
                    Row(f"{name}_{i}{j}({t})", f"{values[name][i - 1][j - 1]:.12f}", float(ours), allowed=CLOSE)
                )
        for name, joint in JOINTS.items():
            for axis, paper, ours in zip("xy", values[name], joint_multipliers(run, joint)[k]):
                rows.append(Row(f"{name}({t}), {axis}", f"{paper:.12f}", float(ours), allowed=CLOSE))
    return Section("Double pendulum, figs. 3 to 6: multipliers of the bodies (N m) and of the joints (N)", SOURCE, rows)


def plane_in_full(runs: Runs, title: str, run: Any) -> Section:
    """All numbers of the double pendulum."""
    rows = []
    for t, k, values in times(known()["angles"], run):
        for column, name in enumerate(("phi", "psi")):
            rows.append(row(f"{name}({t})", values[f"{name}_rad"], angles(run)[k, column], CLOSE))
            rows.append(row(f"rate of {name}({t})", values[f"d{name}"], rates(run)[k, column], CLOSE))
        rows.append(row(f"energy({t}) (J)", values["energy_J"], run.energy[k], 1e-12))
    for t, k, values in times(known()["multipliers_N_and_Nm"], run):
        for name, body in BODIES.items():
            rows += entries(f"{name}({t})", values[name], multipliers(run, body)[k], CLOSE)
        for name, joint in JOINTS.items():
            rows += entries(f"{name}({t})", values[name], joint_multipliers(run, joint)[k], CLOSE)
    other = m.reference()["chain"]["double_pendulum"]["angles_rad"]
    rows += bars_rows(run, other)
    return Section(f"In full: double pendulum, {title}", SOURCE, rows, detail=True)


def out_of_plane(runs: Runs) -> Section:
    """What stays zero in the plane, and does so whatever the method: no proof of anything."""
    run, frozen = runs.pendulum(), runs.rk4(1e-3, "frozen", "unstabilised")
    place = np.stack([run[body].position[:, 2] for body in run.system.bodies])
    other = np.stack([frozen[body].position[:, 2] for body in frozen.system.bodies])
    rows = [
        bound("largest |z| of G1 and G2 (m), tight tolerances", "1e-15", np.abs(place).max()),
        bound("the same with frozen multipliers, whose angles are off by 0.2 rad", "1e-15", np.abs(other).max()),
        bound(
            "z components of all multipliers",
            "1e-15",
            max(np.abs(joint_multipliers(run, j)[:, 2]).max() for j in JOINTS.values()),
        ),
    ]
    return Section("The claim that no z component proves accuracy: it is zero identically", "bounds", rows)


def literal_angle(runs: Runs) -> Section:
    """(27) as printed, from T2* and R2: the error of psi over 5 s."""
    run, data = runs.pendulum(), known()["rk4_tests"]
    stop = run.index(5.0) + 1
    T, R, psi = translation(run, "bar2")[:stop], rotation(run, "bar2")[:stop], angles(run)[:stop, 1]
    e = np.array([np.cos(m.DRAWN[1]), np.sin(m.DRAWN[1]), 0.0])
    rows = []
    for name, arm, key in (("l/2", 0.5 * m.LENGTH * e, "with"), ("no l/2, as in its last line", e, "without")):
        literal = T + R @ arm
        error = np.abs(np.arctan(literal[:, 1] / literal[:, 0]) - psi).max()
        title, paper = f"(27) as printed, with {name}: largest error of psi (rad)", data[f"literal27_psi_err_{key}_l2"]
        rows.append(row(title, paper, error, CLOSE))
    rows.append(bound("without T2*: largest error of psi (rad)", "1e-14", _direction_error(R, e, psi)))
    first, phi = rotation(run, "bar1")[:stop], angles(run)[:stop, 0]
    start = np.array([np.cos(m.DRAWN[0]), np.sin(m.DRAWN[0]), 0.0])
    rows.append(
        bound("(27) for phi, which is correct: largest error (rad)", "1e-14", _direction_error(first, start, phi))
    )
    return Section("Equation (27): T2* cancels and must be left out", REFERENCE, rows)


def _direction_error(R: np.ndarray, e: np.ndarray, angle: np.ndarray) -> float:
    """Largest difference of an angle from the direction of R e."""
    x, y, _ = (R @ e).T
    return float(np.abs(np.arctan2(y, x) - angle).max())


def space(runs: Runs) -> Section:
    """The pendulum in space, where z components mean something."""
    run, rows = runs.spatial(), []
    for t in ("1.0", "2.0"):
        values, k = known()["pendulum_3D"]["data"][t], run.index(float(t))
        for axis, paper, ours in zip("xyz", values["G2"], run["bar2"].position[k]):
            rows.append(Row(f"G2({t}), {axis}", f"{paper:.12f}", float(ours), allowed=CLOSE))
    rows.append(bound("change of the energy (J)", "1e-12", np.abs(run.energy - run.energy[0]).max()))
    return Section("The double pendulum in space (m)", REFERENCE, rows)


def space_in_full(runs: Runs) -> Section:
    """All numbers of the pendulum in space."""
    run, rows = runs.spatial(), list[Row]()
    for t, k, values in times(known()["pendulum_3D"]["data"], run):
        H1 = run["bar1"].point((0.5 * m.LENGTH, 0, 0))[k]
        found = {"G1": run["bar1"].position[k], "H1": H1, "G2": run["bar2"].position[k]}
        for name, ours in found.items():
            rows += entries(f"{name}({t})", values[name], ours, CLOSE)
        for number in (1, 2):
            ours = quaternion(rotation(run, f"bar{number}")[k], values[f"q{number}_wxyz"])
            rows += entries(f"q{number}({t})", values[f"q{number}_wxyz"], ours, CLOSE)
        for name, joint in JOINTS.items():
            rows += entries(f"{name}({t})", values[name], joint_multipliers(run, joint)[k], CLOSE)
        rows.append(row(f"energy({t}) (J)", values["energy"], run.energy[k], 1e-12))
    return Section("In full: the double pendulum in space", REFERENCE, rows, detail=True)


def quaternion(R: np.ndarray, near: Any) -> np.ndarray:
    """Quaternion (wxyz) of a rotation, of the sign of a given one."""
    from scipy.spatial.transform import Rotation

    q = Rotation.from_matrix(R).as_quat(scalar_first=True)
    return q if q @ np.array(near) > 0 else -q


def bars_rows(run: Any, data: dict[str, Any]) -> Iterator[Row]:
    """Angles, rates and joint multipliers of bars at the times of a reference."""
    for t, k, values in times(data, run):
        yield from entries(f"angle({t})", values["angles"], angles(run)[k], CLOSE)
        yield from entries(f"rate({t})", values["rates"], rates(run)[k], 10 * CLOSE)
        for number, (joint, paper) in enumerate(zip(run.system.joints, values["joint_multipliers"])):
            yield from entries(
                f"multiplier of joint {number}({t})", paper, joint_multipliers(run, joint)[k], 10 * CLOSE
            )


def more_bars(runs: Runs) -> Section:
    """Angles of the chain and of the closed loop at 1 s."""
    rows = []
    for case, title in CASES.items():
        run, values = runs.chain(case), m.reference()["chain"][case]["angles_rad"]["1.0"]["angles"]
        for k, (paper, ours) in enumerate(zip(values, angles(run)[run.index(1.0)]), 1):
            rows.append(Row(f"{title}: angle {k}(1)", f"{paper:.12f}", float(ours), allowed=CLOSE))
        rows.append(bound(f"{title}: joints open by (m)", "1e-12", run.audit.constraint_metres))
    return Section("A chain and a closed loop (rad)", REFERENCE, rows)


def bars_in_full(runs: Runs, case: str, method: str) -> Section:
    """All numbers of the chain or of the closed loop."""
    data, run = m.reference()["chain"][case], runs.chain(case, method)
    return Section(
        f"In full: {CASES[case]}, {run.record.integrator}",
        REFERENCE,
        list(bars_rows(run, data["angles_rad"])),
        detail=True,
    )
