"""The figures of dumitriu2016, from our runs: as .svg and .png; and pages of the runs themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import dumitriu2016_stewart as stewart
from poinsot.studies.dumitriu2016_methods import BAUMGARTE, KINDS, STEPS, title
from poinsot.studies.dumitriu2016_pendulum import known
from poinsot.studies.dumitriu2016_platform import forces, turned
from poinsot.studies.dumitriu2016_runs import (
    EXACT,
    Runs,
    angles,
    error_of_angles,
    joint_multipliers,
    multipliers,
    strain,
)
from poinsot.studies.outputs import write_figures
from poinsot.view.plots import blank_figure

TIME = "t [s]"
SHOWN = 5.0  # s, of the figures of the double pendulum
FLOOR = 1e-17
DRAWN = (5e-3, 2e-3, *STEPS)  # s, steps of the errors
SIDE = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "frameon": False}  # a legend beside the axes


def draw(runs: Runs, folder: Path) -> list[str]:
    """Write all figures; returns their files."""
    return write_figures(figures(runs), folder)


def pages(runs: Runs, folder: Path) -> list[str]:
    """Write pages of the main runs; returns their files."""
    cases = {  # name: run, words, results shown first
        "pendulum": (
            runs.pendulum(),
            "The double pendulum of the paper, in a plane.",
            ["O.force", "H1.force", "energy_error"],
        ),
        "space": (
            runs.spatial(),
            "The same pendulum in space: ball joints at both ends.",
            ["bar2.position", "O.force"],
        ),
        "driven": (
            runs.driven(),
            "A Stewart platform driven along a circle and twisted by its legs.",
            [f"force{k}.effort" for k in stewart.LEGS],
        ),
    }
    files = [run.write_html(folder / f"{name}.html", description=a, plots=b) for name, (run, a, b) in cases.items()]
    both, words = (
        [runs.platform(case) for case in "AB"],
        "A Stewart platform on elastic legs, released with two sets of leg forces.",
    )
    names = ["case A", "case B"]
    return [
        str(x)
        for x in [
            *files,
            po.write_html(both, folder / "platform.html", names=names, description=words, plots=["platform.position"]),
        ]
    ]


def figures(runs: Runs) -> Iterator[tuple[str, Any]]:
    """Names and figures, drawn one after the other; the numbers are the paper's."""
    run, data = runs.pendulum(), known()
    stop = run.index(SHOWN) + 1
    t, turns = run.t[:stop], np.degrees(angles(run))[:stop]
    dots = {name: [(x, np.degrees(y[f"{name}_rad"])) for x, y in data["angles"].items()] for name in ("phi", "psi")}
    yield "02_angles", series(t, dict(zip(("phi", "psi"), turns.T)), dots, "angle [deg]", "Double pendulum")
    values = data["multipliers_N_and_Nm"]
    for number, body in (("03", "bar1"), ("04", "bar2")):
        L, k, three = multipliers(run, body)[:stop], body[-1], ((0, 0), (0, 1), (1, 1))
        curves = {f"Lambda{k},{i + 1}{j + 1}": L[:, i, j] for i, j in three}
        dots = {name: [(x, y[f"Lambda{k}"][i][j]) for x, y in values.items()] for name, (i, j) in zip(curves, three)}
        yield f"{number}_lambda{k}", series(t, curves, dots, f"Lambda{k} [N m]", f"Multipliers of R{k}'R{k} = I")
    for number, joint, name in (("05", "O", "01"), ("06", "H1", "12")):
        curves = dict(zip("xyz", joint_multipliers(run, joint)[:stop].T))
        dots = {axis: [(x, y[f"Lambda{name}"][k]) for x, y in values.items()] for k, axis in enumerate("xyz")}
        yield (
            f"{number}_lambda{name}",
            series(t, curves, dots, f"Lambda{name} [N]", f"Multipliers of the joint {joint}"),
        )
    yield "frozen_multipliers", order_figure(runs)
    yield "drift", drift_figure(runs)
    yield "compression", compression_figure(runs)
    yield "space", space_figure(runs)
    yield "platform", platform_figure(runs)
    yield "driven_platform", driven_figure(runs)


def series(t: np.ndarray, curves: dict[str, np.ndarray], dots: dict[str, Any], label: str, heading: str) -> Any:
    """Curves over time, and dots where the reference is known."""
    figure = blank_figure((8.0, 4.0))
    axes = figure.subplots()
    for name, values in curves.items():
        (curve,) = axes.plot(t, values, linewidth=1.3, label=name)
        inside = np.array([(float(x), y) for x, y in dots[name] if float(x) <= t[-1]])
        axes.plot(*inside.T, "o", color=curve.get_color(), markersize=4)
    axes.plot([], [], "o", color="0.4", markersize=4, label="reference")
    axes.set(xlabel=TIME, ylabel=label, title=heading)
    axes.legend(**SIDE)
    return figure


def order_figure(runs: Runs) -> Any:
    """Errors of psi over time, h = 1e-3, and over the step."""
    figure = blank_figure((10.0, 4.2))
    left, right = figure.subplots(1, 2)
    exact = runs.pendulum()
    for kind, colour in (("stage+proj", "C0"), ("frozen", "C3"), ("frozen+proj", "C1")):
        run = runs.rk4(STEPS[0], *KINDS[kind])
        error = np.abs(angles(run) - angles(exact)[: len(run.t)])[:, 1]
        left.semilogy(run.t[1:], np.maximum(error[1:], FLOOR), colour, linewidth=1.0, label=title(kind))
        off = [error_of_angles(runs.rk4(h, *KINDS[kind]), exact, 1.0)[1] for h in DRAWN]
        right.loglog(DRAWN, off, colour + "o-", markersize=4)
    left.set(xlabel=TIME, ylabel="error of psi [rad]", title=f"RK4, h = {STEPS[0]:g} s")
    right.set(xlabel="h [s]", ylabel="largest error of psi in 1 s [rad]", title="order 4, and order 1 when frozen")
    right.set_xticks(DRAWN, [f"{h:g}" for h in DRAWN])
    right.minorticks_off()
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def drift_figure(runs: Runs) -> Any:
    """|R'R - I| of the double pendulum with the three stabilisations."""
    figure = blank_figure((8.0, 4.0))
    axes = figure.subplots()
    for name, options in (
        ("none", ("unstabilised",)),
        ("Baumgarte, 20/s", (BAUMGARTE,)),
        ("projection", ()),
    ):
        run = runs.rk4(STEPS[0], *options)
        axes.semilogy(run.t[1:], np.maximum(strain(run)[1:], FLOOR), linewidth=1.1, label=name)
    axes.set(xlabel=TIME, ylabel="largest |R'R - I| [1]", title=f"Drift and stabilisation, RK4, h = {STEPS[0]:g} s")
    axes.legend(**SIDE)
    return figure


def compression_figure(runs: Runs) -> Any:
    """|R'R - I| of the Stewart platform, as printed and cured."""
    figure = blank_figure((8.0, 4.0))
    axes = figure.subplots()
    for name, run in (
        ("R Lambda, as printed", runs.compressed("printed")),
        ("R^-T Lambda", runs.compressed("")),
        ("R^-T Lambda and projection", runs.platform("A")),
    ):
        axes.semilogy(run.t[1:], np.maximum(strain(run)[1:], FLOOR), linewidth=1.3, label=name)
    axes.set(xlabel=TIME, ylabel="largest |R'R - I| [1]", title="Stewart platform: legs under compression")
    axes.legend(**SIDE)
    return figure


def space_figure(runs: Runs) -> Any:
    """Centres of the bars of the pendulum in space, seen from the side and from above."""
    run = runs.spatial()
    figure = blank_figure((8.0, 4.2))
    side, above = figure.subplots(1, 2)
    for k in (1, 2):
        x, y, z = run[f"bar{k}"].position.T
        side.plot(y, x, linewidth=1.2, label=f"G{k}")
        above.plot(y, z, linewidth=1.2)
    side.set(xlabel="y [m]", ylabel="x, down [m]", aspect="equal")
    side.invert_yaxis()
    side.legend()
    above.set(xlabel="y [m]", ylabel="z [m]", aspect="equal")
    return figure


def platform_figure(runs: Runs) -> Any:
    """Height and rotation of the Stewart platform, cases A and B, by both formulations."""
    figure = blank_figure((8.0, 5.0))
    top, bottom = figure.subplots(2, 1, sharex=True)
    for case, colour in (("A", "C0"), ("B", "C3")):
        run, other = runs.platform(case), runs.platform(case, EXACT)
        for axes, value in (
            (top, lambda x: x["platform"].position[:, 2]),
            (bottom, lambda x: np.degrees(2 * np.arccos(np.minimum(turned(x)[:, 0], 1.0)))),
        ):
            axes.plot(run.t, value(run), colour, linewidth=1.3, label=f"case {case}, rotation-matrix")
            axes.plot(other.t[::5], value(other)[::5], colour + "o", markersize=3, label=f"case {case}, {EXACT}")
    top.set(ylabel="height [m]", title="Stewart platform on elastic legs")
    top.legend(**SIDE)
    bottom.set(xlabel=TIME, ylabel="rotation [deg]")
    return figure


def driven_figure(runs: Runs) -> Any:
    """The driven platform: its path and twist, and the forces of its legs."""
    run = runs.driven()
    figure = blank_figure((10.0, 4.2))
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.6))
    left.plot(*run["platform"].position[:, :2].T, linewidth=1.5)
    left.plot(*run["platform"].position[0, :2], "ko", markersize=4)
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="path of the platform")
    for k, values in zip(stewart.LEGS, forces(run).T):
        right.plot(run.t, values, linewidth=1.3, label=f"leg {k}")
    right.set(xlabel=TIME, ylabel="force of a leg [N]", title="forces of the legs; positive: they push")
    right.legend(**SIDE)
    return figure
