"""The conclusions of bai2022, each with what our numbers say; and the same comparison on longer chains and in space."""

from __future__ import annotations

from typing import Any

from poinsot.studies import bai2022_models as m
from poinsot.studies.bai2022_drift import yes
from poinsot.studies.bai2022_runs import FACTORS, TIGHT, Runs, apart, drift_of, error
from poinsot.studies.table import Row, Section

OTHERS = ("moving-frame", "newton-euler", "rotation-matrix")
FIXED: dict[str, Any] = {"step": 0.005, "integrator": "gauss4"}
TWO = "tree: dop853 and gauss4, steps of 0.005 s, apart by, m"
LOOSE: dict[str, Any] = {"rtol": m.RTOL, "atol": m.ATOL, "integrator": "dopri5"}
BOUNDS = {3: "1e-9", 8: "1e-5"}  # m; eight bodies are chaotic, and multiply rounding errors by 1e8 in 10 s


def sections(runs: Runs) -> list[Section]:
    """All tables."""
    return [claims(runs), *(chains(runs, n) for n in (3, 8)), *(space(runs, n) for n in (3, 8))]


def claims(runs: Runs) -> Section:
    """What the paper concludes, judged by numbers: 1 where they bear it out."""
    factors = FACTORS[::2] if runs.quick else FACTORS
    table = {f: {code: drift_of(runs, code, f).excess for code in m.CODES} for f in factors}

    def always(first: str, second: str) -> bool:
        """Whether all models of the first kind are better than all of the second, whatever rtol."""
        found = [[[x for code, x in row.items() if fits(code, kind)] for kind in (first, second)] for row in table.values()]
        return all(max(better) < min(worse) for better, worse in found)

    last = max(table[1.0], key=lambda code: table[1.0][code])
    best = [min(row, key=lambda code: row[code]) for row in table.values()]
    exact = [error(runs.gauss(code, "gauss4"), 200.0) for code in m.CODES]
    rows = [
        yes("abstract: relative models are better than absolute ones", False, always("?-R-?", "?-A-?")),
        yes("section 7, figure 13: absolute models are better than relative ones", False, always("?-A-?", "?-R-?")),
        yes("abstract: matrices are better than attitude vectors", False, always("L-?-?", "A-?-?")),
        yes("conclusion: L-A-L conserves best", False, all(code == "L-A-L" for code in best)),
        yes("section 7: momenta with absolute motion drift most, at the paper's rtol", True, fits(last, "?-A-H")),
        yes("section 7: the models differ in the long run, at the paper's rtol", True, max(table[1.0].values()) > 2 * min(table[1.0].values())),
        yes("the models differ in the long run, with gauss4", False, max(exact) > 1e-8),
    ]
    return Section("Conclusions of the paper", "1 where our numbers bear it out, 0 where not, at rtol within 2 %", rows)


def fits(code: str, pattern: str) -> bool:
    """Whether the letters of a model are those of a pattern, in which ? is any."""
    return all(b in ("?", a) for a, b in zip(code, pattern))


def chains(runs: Runs, n: int) -> Section:
    """The eight and the other formulations on a planar chain."""
    best, bound = runs.chain(n, "tree", **TIGHT), BOUNDS[n]
    rows = [Row(TWO, bound, apart(best, runs.chain(n, "tree", **FIXED)), at_most=True)]
    for name in [*(f"planar:{code}" for code in m.CODES), *OTHERS]:
        rows.append(Row(f"{name}: from tree, m", bound, apart(runs.chain(n, name, **TIGHT), best), at_most=True))
    for code in m.CODES:
        loose, fixed = runs.chain(n, f"planar:{code}", **LOOSE), runs.chain(n, f"planar:{code}", **FIXED)
        rows.append(Row(f"planar:{code}: norms off by, gauss4", "1e-13", fixed.audit.unit_length, at_most=True))
        name = f"planar:{code}: norms off by, dopri5 at the paper's tolerances (column: gauss4)"
        rows.append(Row(name, f"{fixed.audit.unit_length:.0e}", loose.audit.unit_length, remark="shown only"))
    return Section(f"A planar chain of {n} bodies, 10 s", "tolerances of 1e-13", rows)


def space(runs: Runs, n: int) -> Section:
    """The other formulations on a chain in space."""
    best, bound = runs.chain(n, "tree", True, **TIGHT), BOUNDS[n]
    rows = [Row(TWO, bound, apart(best, runs.chain(n, "tree", True, **FIXED)), at_most=True)]
    rows += [Row(f"{name}: from tree, m", bound, apart(runs.chain(n, name, True, **TIGHT), best), at_most=True) for name in OTHERS]
    source = "axes that turn by 40 degrees from joint to joint; tolerances of 1e-13"
    return Section(f"A chain of {n} bodies in space, 10 s", source, rows)
