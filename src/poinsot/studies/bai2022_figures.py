"""The figures of bai2022, from our runs by its method: as .svg and .png; and pages of the runs themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.studies import bai2022_models as m
from poinsot.studies.bai2022_runs import FACTORS, TIGHT, Runs, drift_of, norm
from poinsot.studies.outputs import write_figures
from poinsot.view.plots import blank_figure

TIME = "t [s]"
ABOVE = {"loc": "outside upper center", "fontsize": "small", "frameon": False, "ncols": 8}
WINDOW = (150.0, 170.0)  # s, where curves are apart
GROUPS = {  # figures that compare the attitude of the first body, by the paper's number
    "05_matrices": ("L-R-L", "L-R-H", "L-A-L", "L-A-H"),
    "08_vectors": ("A-R-L", "A-R-H", "A-A-L", "A-A-H"),
    "09_relative": ("L-R-L", "L-R-H", "A-R-L", "A-R-H"),
    "10_absolute": ("L-A-L", "L-A-H", "A-A-L", "A-A-H"),
    "11_rates": ("L-R-L", "L-A-L", "A-R-L", "A-A-L"),
    "12_momenta": ("L-R-H", "L-A-H", "A-R-H", "A-A-H"),
    "13_all": m.CODES,
}
PAIRS = {  # figures that compare a relative model with an absolute one
    "03_matrices_rates": ("L-R-L", "L-A-L"),
    "04_matrices_momenta": ("L-R-H", "L-A-H"),
    "06_vectors_rates": ("A-R-L", "A-A-L"),
    "07_vectors_momenta": ("A-R-H", "A-A-H"),
}


def draw(runs: Runs, folder: Path) -> list[str]:
    """Write all figures; returns their files."""
    return write_figures(figures(runs), folder)


def pages(runs: Runs, folder: Path) -> list[str]:
    """Write pages of the main runs; returns their files."""
    found = []
    for n, name in ((2, "pendulum"), (8, "chain")):
        run = runs.chain(n, "planar:A-A-L", **{**TIGHT, "output_step": 0.02})
        words = "The double pendulum of the paper, 10 s." if n == 2 else "A planar chain of eight bodies, 10 s."
        found.append(str(run.write_html(folder / f"{name}.html", description=words, plots=["joint1.angle", "energy"])))
    return found


def figures(runs: Runs) -> Iterator[tuple[str, Any]]:
    """Names and figures, drawn one after the other; the numbers are the paper's."""
    for name in sorted([*PAIRS, *GROUPS]):
        yield name, pair_figure(runs, PAIRS[name]) if name in PAIRS else group_figure(runs, GROUPS[name])
    yield "norms", norms_figure(runs)
    yield "ranking", ranking_figure(runs)


def parts(runs: Runs, code: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Times, cosine of the first attitude, the first rate or momentum, and the excess over 1, of a run by the paper's method."""
    t, y = runs.printed(code)[:2]
    k = 4 if code.startswith("L") else 2
    return t, y[:, 0], y[:, 2 * k], np.maximum(np.abs(y[:, :k]).max(axis=1) - 1.0, 0.0)


def pair_figure(runs: Runs, codes: Sequence[str]) -> Any:
    """Figures 3, 4, 6, 7: rate or momentum of the first body and its attitude, all the time and where the models are apart."""
    figure = blank_figure((10.0, 5.5))
    grid = figure.subplots(2, 2)
    label = "Pi1 [kg m²/s]" if codes[0].endswith("H") else "omega1 [rad/s]"
    for code, style in zip(codes, ("k", "C3")):
        t, attitude, speed, _ = parts(runs, code)
        for column in range(2):
            grid[0][column].plot(t, speed, style, linewidth=0.8, label=code)
            grid[1][column].plot(t, attitude, style, linewidth=0.8)
            grid[1][column].set(xlabel=TIME)
    grid[0][0].set(ylabel=label)
    grid[1][0].set(ylabel="first entry of the attitude [1]")
    for axes in grid[:, 1]:
        axes.set(xlim=WINDOW)
    figure.legend(*grid[0][0].get_legend_handles_labels(), **ABOVE)
    return figure


def group_figure(runs: Runs, codes: Sequence[str]) -> Any:
    """Figures 5, 8 to 13: the attitude of the first body where the models are apart, and by how much its entries have exceeded 1."""
    figure = blank_figure((10.0, 5.5))
    top, bottom = figure.subplots(2, 1)
    for j, code in enumerate(codes):
        t, attitude, _, excess = parts(runs, code)
        chosen = (t >= WINDOW[0]) & (t <= WINDOW[1])
        top.plot(t[chosen], attitude[chosen], f"C{j}", linewidth=1.0, label=code)
        bottom.plot(t, np.maximum.accumulate(excess), f"C{j}", linewidth=1.0)
    top.set(xlabel=TIME, ylabel="first entry of the attitude [1]")
    bottom.set(xlabel=TIME, ylabel="largest entry over 1 so far [1]")
    figure.legend(*top.get_legend_handles_labels(), **ABOVE)
    return figure


def norms_figure(runs: Runs) -> Any:
    """Norm of the first attitude over time: by the paper's method, at tight tolerances, by gauss2."""
    figure = blank_figure((8.0, 4.5))
    axes = figure.subplots()
    for code, color in (("L-R-L", "C0"), ("A-A-H", "C1")):
        k = 4 if code.startswith("L") else 2
        found = runs.printed(code)
        axes.semilogy(found.t, np.abs(norm(found.y, k, 0) - 1) + 1e-17, color, linewidth=0.8, label=f"{code}, RK5(4), rtol 1e-3")
        for run, style, words in ((runs.tight(code), "--", "dop853, rtol 1e-13"), (runs.gauss(code), ":", "gauss2")):
            axes.semilogy(run.t, np.abs(norm(run.raw, k, 0) - 1) + 1e-17, f"{color}{style}", linewidth=1.1, label=f"{code}, {words}")
    axes.set(xlabel=TIME, ylabel="norm of the first attitude, off by [1]")
    axes.legend(fontsize="small", frameon=False, ncols=2)
    return figure


def ranking_figure(runs: Runs) -> Any:
    """The excess of every model over rtol, changed by up to 2 %."""
    figure = blank_figure((8.0, 4.5))
    axes = figure.subplots()
    factors = FACTORS[::2] if runs.quick else FACTORS
    for j, code in enumerate(code for code in m.CODES if not code.startswith("L-A")):
        axes.plot([f * m.RTOL for f in factors], [drift_of(runs, code, f).excess for f in factors], f"C{j}o-", label=code, linewidth=1.0)
    axes.set(xlabel="rtol [1]", ylabel="largest entry over 1 within 200 s [1]")
    figure.legend(*axes.get_legend_handles_labels(), **ABOVE)
    return figure
