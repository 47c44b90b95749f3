"""Attitudes that leave the unit circle: at the paper's tolerances, at tight ones, with Gauss methods; and what a ranking by them is worth."""

from __future__ import annotations

import numpy as np

from poinsot.studies import bai2022_models as m
from poinsot.studies.bai2022_runs import FACTORS, Runs, drift, drift_of, error, ranking
from poinsot.studies.table import Row, Section

METHOD = f"RK5(4) as in ode45, rtol {m.RTOL:g}, atol {m.ATOL:g}, 200 s"
KNOWN = "rk54 at rtol 1e-3, atol 1e-6"  # in the reference file
TIMES = (1.0, 10.0, 50.0, 200.0)


def sections(runs: Runs) -> list[Section]:
    """All tables of the double pendulum."""
    return [printed(runs), in_digits(runs), controlled(runs), exactly(runs), gauss(runs), same_equations(runs), ranks(runs)]


def printed(runs: Runs) -> Section:
    """Numbers that the paper prints: largest entry of the first body's attitude over 1."""
    found = {code: drift_of(runs, code) for code in m.CODES}
    rows = [Row(f"{code}: excess, 'smaller than 0.01'", "0.01", found[code].excess, at_most=True) for code in ("L-R-L", "L-R-H", "L-A-L")]
    rows += [
        Row("L-A-L: begins after, s", "110", found["L-A-L"].late, allowed=5.0),
        Row("L-A-H: excess", "0.03", found["L-A-H"].excess),
        Row("A-R-L: excess, figure 10", "0.01", found["A-R-L"].excess),
        Row("A-R-H: excess, figure 10", "0.01", found["A-R-H"].excess),
        Row("A-A-L: excess, figure 11", "0.006", found["A-A-L"].excess),
        Row("A-A-L: excess, figure 8", "0.015", found["A-A-L"].excess, remark="contradicts figure 11"),
        Row("A-A-L: begins at, s", "110", found["A-A-L"].late, allowed=5.0),
        Row("A-A-H: excess, figure 10", "0.02", found["A-A-H"].excess),
        Row("A-A-H: excess, figure 12", "0.03", found["A-A-H"].excess),
    ]
    return Section("Attitudes of the first body beyond 1", METHOD, rows, printed=True)


def in_digits(runs: Runs) -> Section:
    """The same and more, against an independent computation."""
    rows = []
    for code, known in m.reference()[KNOWN].items():
        found, solution = drift_of(runs, code), runs.printed(code)
        numbers = {
            "excess": (known["elem_excess_body1"], found.excess, 1e-8),
            "first above 1e-3, s": (known["t_first_excess_gt_1e3"], found.late, 1e-6),
            "norm of the first attitude, off by": (known["norm1"], found.norms[0], 1e-8),
            "norm of the second attitude, off by": (known["norm2"], found.norms[1], 1e-8),
            "steps": (known["steps"], solution.steps, 0.0),
            "failed steps": (known["fails"], solution.fails, 0.0),
        }
        rows += [Row(f"{code}: {name}", f"{x:.10f}" if a else str(x), float(y), allowed=a) for name, (x, y, a) in numbers.items()]
    return Section("The same against an independent computation", METHOD, rows)


def controlled(runs: Runs) -> Section:
    """The same formulas and tolerances with another control of the steps."""
    rows = []
    for code in m.CODES:
        run = runs.loose(code)
        excess = drift(run.t, run.raw, code).excess
        rows.append(Row(f"{code}: excess", f"{drift_of(runs, code).excess:.4f}", excess, remark="shown only"))
    ours = sorted(m.CODES, key=lambda code: drift(runs.loose(code).t, runs.loose(code).raw, code).excess)
    theirs = sorted(m.CODES, key=lambda code: drift_of(runs, code).excess)
    rows.append(yes("the order of the eight is another one", True, ours != theirs))
    return Section("The same tolerances in dopri5, which controls steps by the mean error", "ode45 above", rows)


def exactly(runs: Runs) -> Section:
    """Tight tolerances: all eight go the same way."""
    rows = []
    for code in m.CODES:
        run = runs.tight(code)
        rows += [Row(f"{code}: angles and rates at {t:g} s, off by", "1e-8", error(run, t), at_most=True) for t in TIMES]
        rows.append(Row(f"{code}: norms, off by", "1e-11", run.audit.unit_length, at_most=True))
    source = "dop853, rtol 1e-13; the motion to 20 digits by two methods"
    return Section("At tight tolerances all eight agree", source, rows)


def gauss(runs: Runs) -> Section:
    """Gauss methods: norms at rounding, energy bounded, in all eight."""
    rows = []
    for code in m.CODES:
        two, four = runs.gauss(code), runs.gauss(code, "gauss4")
        rows += [
            Row(f"{code}: gauss2, norms off by", "1e-14", two.audit.unit_length, at_most=True),
            Row(f"{code}: gauss2, energy off by, J", "1e-7" if code.startswith("A-R") else "1e-8", two.audit.energy_drift, at_most=True),
            Row(f"{code}: gauss2, angles and rates at 200 s, off by", "1e-5", error(two, 200.0), at_most=True),
            Row(f"{code}: gauss4, norms off by", "1e-14", four.audit.unit_length, at_most=True),
            Row(f"{code}: gauss4, angles and rates at 200 s, off by", "1e-8", error(four, 200.0), at_most=True),
        ]
    return Section("Gauss methods with steps of 0.01 s", "bounds; the motion to 20 digits", rows)


def same_equations(runs: Runs) -> Section:
    """L-A-x and A-A-x: the same numbers in other places."""
    rows = []
    for z in "LH":
        matrices, vectors = runs.printed(f"L-A-{z}"), runs.printed(f"A-A-{z}")
        apart = np.abs(matrices.y[:, [0, 2, 4, 6, 8, 9]] - vectors.y).max() if matrices.y.shape[0] == vectors.y.shape[0] else np.inf
        rows.append(Row(f"L-A-{z} and A-A-{z}: states by ode45 apart by", "1e-9", float(apart), at_most=True))
        raw = [runs.gauss(f"{x}-A-{z}").raw for x in "LA"]
        apart = np.abs(raw[0][:, [0, 2, 4, 6]] - raw[1][:, :4]).max()
        rows.append(Row(f"L-A-{z} and A-A-{z}: attitudes by gauss2 apart by", "1e-12", float(apart), at_most=True))
    return Section("Absolute matrices and absolute vectors are the same equations", "rounding", rows)


def ranks(runs: Runs) -> Section:
    """The order of the models by their excess, under changes of rtol by 1 and 2 %."""
    factors = FACTORS[::2] if runs.quick else FACTORS
    rows = []
    for code in [code for code in m.CODES if not code.startswith("L-A")]:
        excess = [drift_of(runs, code, factor).excess for factor in factors]
        name = f"{code}: largest excess within 2 % of rtol (column: smallest)"
        rows.append(Row(name, f"{min(excess):.4f}", max(excess), remark=f"{max(excess) / min(excess):.1f} times"))
    orders = [ranking(runs, factor) for factor in factors]
    rows.append(Row("different orders of the models, of as many values of rtol", str(len(factors)), float(len(set(orders))), allowed=0.0))
    for factor, order in zip(factors, orders):
        name = f"rtol x {factor:g}: {' < '.join(order)}; excess of the last (column: of the first)"
        first, last = (drift_of(runs, code, factor).excess for code in (order[0], order[-1]))
        rows.append(Row(name, f"{first:.4f}", last, remark="shown only"))
    return Section("The ranking, with rtol changed by up to 2 %", "ode45, L-A-x left out, since it is A-A-x", rows)


def yes(name: str, expected: bool, ours: bool) -> Row:
    """1 for yes, 0 for no."""
    return Row(f"{name} (1 yes, 0 no)", str(int(expected)), float(bool(ours)), allowed=0.0)
