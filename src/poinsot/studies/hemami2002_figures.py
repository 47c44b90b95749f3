"""The figures of hemami2002, from our runs: as .svg and .png; and pages of the runs themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_axis import (
    INTERVALS,
    constrained_states,
    maintenance_error,
    printed_impulses,
    reduced_states,
)
from poinsot.studies.hemami2002_control import near_singularity
from poinsot.studies.hemami2002_equations import theta_of_xi
from poinsot.studies.hemami2002_pin import printed_motion
from poinsot.studies.hemami2002_rolling import sleigh_states
from poinsot.studies.hemami2002_runs import Runs
from poinsot.studies.outputs import write_figures
from poinsot.view.plots import blank_figure

TIME = "t [s]"
PLACE = {"xlabel": "x [m]", "ylabel": "y [m]", "aspect": "equal"}
SMALL = {"fontsize": "small", "frameon": False}


def draw(runs: Runs, folder: Path) -> list[str]:
    """Write all figures; returns their files."""
    return write_figures(figures(runs), folder)


def pages(runs: Runs, folder: Path) -> list[str]:
    """Write pages of the main runs; returns their files."""
    cases = {  # name: run, words, results shown first
        "axis": (runs.axis(), "A body that turns about one axis, brought to rest by the feedback (17).", ["law.lyapunov", "energy"]),
        "pinned": (runs.pinned(), "A heavy body with one point fixed.", ["pin.force", "energy"]),
        "disc": (runs.disc(), "A disc that rolls.", ["rim.force", "energy"]),
    }
    return [str(run.write_html(folder / f"{name}.html", description=a, plots=b)) for name, (run, a, b) in cases.items()]


def figures(runs: Runs) -> Iterator[tuple[str, Any]]:
    """Names and figures, drawn one after the other; the numbers are the paper's."""
    yield "01_theta_of_xi", curve_figure()
    yield "02_states", states_figure(runs)
    yield "03_lyapunov", pair_figure(runs, "v", "vdot", ("v [J]", "rate of v [W]"), "Lyapunov function and its rate")
    yield "04_constraint_torques", torques_figure(runs)
    yield "05_xi_and_w", pair_figure(runs, "Xi", "w", ("Xi [rad]", "w [rad/s]"), "States of the reduced system")
    yield "sign_test", sign_figure(runs)
    yield "maintenance", maintenance_figure(runs)
    yield "attitude_laws", laws_figure(runs)
    yield "rolling", rolling_figure(runs)


def curve_figure() -> Any:
    """Figure 1: closed form, and dots where it was integrated."""
    xi = np.linspace(0, 2 * np.pi, 201)
    closed, integrated = theta_of_xi(xi)
    figure = blank_figure((7.0, 4.2))
    axes = figure.subplots()
    for k in range(3):
        axes.plot(xi, closed[:, k], f"C{k}", linewidth=1.3, label=f"theta{k + 1}")
        axes.plot(xi[::10], integrated[::10, k], f"C{k}.", markersize=5)
    axes.set(xlabel="Xi [rad]", ylabel="Theta [rad]", title="Theta(Xi): closed form (lines), integrated (dots)")
    axes.legend(**SMALL)
    return figure


def states_figure(runs: Runs) -> Any:
    """Figure 2: Theta and Omega over time, Omega 2 and 3 over Omega 1; solid constrained, dotted reduced."""
    figure = blank_figure((11.0, 3.8))
    left, middle, right = figure.subplots(1, 3)
    t = runs.axis().t
    for states, style, width in ((constrained_states(runs), "-", 1.2), (reduced_states(runs), ":", 2.4)):
        for k in range(3):
            left.plot(t, states["Theta"][:, k], f"C{k}{style}", linewidth=width, label=f"{k + 1}" if style == "-" else None)
            middle.plot(t, states["Omega"][:, k], f"C{k}{style}", linewidth=width)
        for k in (1, 2):
            right.plot(states["Omega"][:, 0], states["Omega"][:, k], f"C{k}{style}", linewidth=width)
    left.set(xlabel=TIME, ylabel="Theta [rad]")
    left.legend(**SMALL)
    middle.set(xlabel=TIME, ylabel="Omega [rad/s]", title="constrained (solid), reduced (dotted)")
    right.set(xlabel="Omega 1 [rad/s]", ylabel="Omega 2, 3 [rad/s]")
    return figure


def pair_figure(runs: Runs, first: str, second: str, labels: tuple[str, str], title: str) -> Any:
    """Figures 3 and 5: two quantities over time; solid constrained, dotted reduced."""
    figure = blank_figure((9.0, 3.8))
    grid = figure.subplots(1, 2)
    for axes, name, label in zip(grid, (first, second), labels):
        axes.plot(runs.axis().t, constrained_states(runs)[name], "k", linewidth=1.2, label="constrained")
        axes.plot(runs.axis().t, reduced_states(runs)[name], "C1:", linewidth=2.4, label="reduced")
        axes.set(xlabel=TIME, ylabel=label)
    grid[0].legend(**SMALL)
    figure.suptitle(title)
    return figure


def torques_figure(runs: Runs) -> Any:
    """Figure 4: torques of constraint along the columns of C."""
    figure = blank_figure((7.0, 4.0))
    axes = figure.subplots()
    for k in range(2):
        axes.plot(runs.axis().t, constrained_states(runs)["Mc"][:, k], linewidth=1.2, label=f"column {k + 1} of C")
    axes.set(xlabel=TIME, ylabel="M_c [N m]", title="Torques of constraint")
    axes.legend(**SMALL)
    return figure


def sign_figure(runs: Runs) -> Any:
    """Angular momentum with the correct and the printed sign."""
    run = runs.free()
    energy, momentum = printed_motion(run.t)
    figure = blank_figure((9.0, 3.8))
    left, right = figure.subplots(1, 2)
    for values, style, name in ((run.energy, "k", "correct sign"), (energy, "C1--", "printed sign")):
        left.plot(run.t, values, style, linewidth=1.4, label=name)
    left.set(xlabel=TIME, ylabel="energy [J]", ylim=(0, 1.5 * energy[0]))
    left.legend(**SMALL)
    for k in range(3):
        right.plot(run.t, run.angular_momentum[:, k], f"C{k}", linewidth=1.3)
        right.plot(run.t, momentum[:, k], f"C{k}--", linewidth=1.1)
    right.set(xlabel=TIME, ylabel="angular momentum [kg m²/s]", title="inertial axes")
    return figure


def maintenance_figure(runs: Runs) -> Any:
    """Error of impulses over their interval; and what is left after impulses of (18) as printed."""
    figure = blank_figure((9.0, 3.8))
    left, right = figure.subplots(1, 2)
    used = INTERVALS[: 2 if runs.quick else 3]
    left.loglog(used, [maintenance_error(runs, h) for h in used], "ko-", linewidth=1.2)
    left.set(xlabel="interval [s]", ylabel="error of Omega [rad/s]", title="(18), corrected: first order")
    printed = printed_impulses()
    right.semilogy(1 + np.arange(len(printed)), printed, "C3o-", linewidth=1.2)
    right.set(xlabel="impulses [1]", ylabel="forbidden rate left [rad/s]", title="(18) as printed, every 1 ms")
    return figure


def laws_figure(runs: Runs) -> Any:
    """Torque of (17) near theta2 = 90 degrees, and V of the law on SO(3) from random attitudes."""
    figure = blank_figure((10.0, 3.9))
    left, right = figure.subplots(1, 2)
    for theta1 in m.reference()["singularity"]:
        t, _, torque = near_singularity(float(theta1))
        left.semilogy(t, torque, linewidth=1.1, label=f"theta1(0) = {theta1}")
    left.set(xlabel=TIME, ylabel="torque [N m]", title="(17) past theta2 = 90 degrees")
    left.legend(**SMALL)
    for values in runs.random():
        right.semilogy(0.1 * np.arange(len(values)), np.maximum(values, 1e-16), linewidth=0.6)
    right.set(xlabel=TIME, ylabel="V [J]", title="law on SO(3), random starts")
    return figure


def rolling_figure(runs: Runs) -> Any:
    """Paths of the blade and of the contacts of the disc."""
    figure = blank_figure((11.0, 3.9))
    grid = figure.subplots(1, 3)
    paths = {
        "sleigh: blade": sleigh_states(runs.sleigh())["contact_xy"],
        "disc: contact": runs.disc()["rim"].contact,
        "steady disc: contact": runs.steady()["rim"].contact,
    }
    for axes, (name, path) in zip(grid, paths.items()):
        axes.plot(path[:, 0], path[:, 1], "k", linewidth=1.2)
        axes.plot(*path[0, :2], "C3o", markersize=4)
        axes.set(title=name, **PLACE)
    return figure
