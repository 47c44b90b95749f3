"""Figures of a comparison: error against time, and drifts over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.comparison.pages import best_of_each
from poinsot.comparison.row import CURVES, Row
from poinsot.view.plots import beside, blank_figure

if TYPE_CHECKING:
    from poinsot.comparison.comparison import Comparison

LABELS = {"error": "error", "energy": "energy drift\n/ energy scale", "attitude": "attitude", "gap": "gaps of joints [m]"}
FLOOR = 1e-17  # drawn instead of zero
MARKS = "osD^v<>PX*hp"
DASHES = ("-", "--", ":", "-.")


def comparison_figure(comparison: Comparison) -> Any:
    """Error against computing time, one line per formulation and integrator; below, errors and drifts over time, of the most accurate
    run of each formulation. Open marks: upper bounds. Without a reference, the drift of the energy instead of the error.
    """
    drawn = best_of_each(comparison)
    kinds = [kind for kind in CURVES if any(kind in row.curves for row in drawn)]
    figure = blank_figure((10.0, 6.0 + 1.9 * len(kinds)))
    grid = figure.subplots(1 + len(kinds), 1, squeeze=False, height_ratios=(4.5, *(1.6 for _ in kinds)))[:, 0]
    draw_work_precision(grid[0], comparison)
    grid[0].set_title(f"{comparison.system.name}: {comparison.duration:g} s")
    for axes, kind in zip(grid[1:], kinds):
        _draw_over_time(axes, comparison, drawn, kind)
        axes.sharex(grid[1])
    if kinds:
        grid[-1].set_xlabel("t [s]")
    for axes in grid:
        axes.grid(color="0.92", linewidth=0.6)
        axes.set_axisbelow(True)
    return figure


def draw_work_precision(axes: Any, comparison: Comparison) -> None:
    """Error against computing time; colours are formulations, marks and dashes integrators."""
    known = comparison.reference.agreement is not None
    rows = [row for row in comparison.succeeded if (row.error if known else row.energy_drift_relative) is not None]
    colours = {name: f"C{k % 10}" for k, name in enumerate(dict.fromkeys(row.formulation for row in rows))}
    marks = {name: MARKS[k % len(MARKS)] for k, name in enumerate(dict.fromkeys(row.integrator for row in rows))}
    for name in dict.fromkeys(row.name for row in rows):
        mine = sorted((row for row in rows if row.name == name), key=lambda row: row.seconds or 0.0)
        x = [max(row.seconds or 0.0, 1e-9) for row in mine]
        y = [max((row.error if known else row.energy_drift_relative) or 0.0, FLOOR) for row in mine]
        colour, mark = colours[mine[0].formulation], marks[mine[0].integrator]
        dash = DASHES[list(colours).index(mine[0].formulation) // 10 % len(DASHES)]
        axes.plot(x, y, color=colour, linestyle=dash, linewidth=0.9)
        for solid in (True, False):
            chosen = [k for k, row in enumerate(mine) if (row.error_known or not known) == solid]
            style = {"color": colour, "marker": mark, "markersize": 5, "linestyle": "", "markerfacecolor": colour if solid else "white"}
            axes.plot([x[k] for k in chosen], [y[k] for k in chosen], **style)
    for name, colour in colours.items():
        axes.plot([], [], color=colour, label=name)
    for name, mark in marks.items():
        axes.plot([], [], color="0.4", marker=mark, markersize=5, linestyle="", label=name)
    axes.set(xscale="log", yscale="log", xlabel="computing time [s]", ylabel="error" if known else "energy drift / energy scale")
    if comparison.reference.agreement is not None:
        axes.axhline(comparison.reference.agreement, color="0.6", linewidth=0.8, linestyle=":", label="reference")
    if rows:
        beside(axes)


def _draw_over_time(axes: Any, comparison: Comparison, rows: Sequence[Row], kind: str) -> None:
    for k, row in enumerate(rows):
        values = row.curves.get(kind)
        if values is not None:
            style = {"linewidth": 0.9, "color": f"C{k % 10}", "label": f"{row.name}, {row.setting}"}
            axes.semilogy(comparison.t[: len(values)], np.maximum(values, FLOOR), **style)
    axes.set_ylabel(LABELS[kind])
    if len(axes.lines) > 0:
        beside(axes)
