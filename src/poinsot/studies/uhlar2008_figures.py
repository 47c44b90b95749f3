"""The figures of uhlar2008, from our runs: as .svg and .png; and pages of the runs themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import uhlar2008_models as m
from poinsot.studies.outputs import write_figures
from poinsot.studies.uhlar2008_manipulator import start_of_slides
from poinsot.studies.uhlar2008_pairs import printed_angles, theta
from poinsot.studies.uhlar2008_runs import ORDER6, Runs, angles, slides, step_moments, step_torques, torques
from poinsot.studies.uhlar2008_space import along_axis
from poinsot.view.plots import blank_figure

TIME = "t [s]"
PLACE = ("x [m]", "y [m]")
STEPS = (0.1, 0.05, 0.01)  # s, those of figs. 7 and 12
SIDE = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "frameon": False}  # a legend beside the axes
LETTERS = {  # outlines in the frames of the letters, m
    "N": [(-0.15, -0.4), (-0.15, 0.4), (0.15, -0.4), (0.15, 0.4)],
    "M": [(-0.2, -0.4), (-0.2, 0.4), (0.0, 0.0), (0.2, 0.4), (0.2, -0.4)],
}


def draw(runs: Runs, folder: Path) -> list[str]:
    """Write all figures; returns their files."""
    return write_figures(figures(runs), folder)


def pages(runs: Runs, folder: Path) -> list[str]:
    """Write pages of the main runs; returns their files."""
    tops = [runs.top(0.01), runs.top(0.005, ORDER6)]
    cases = {  # name: run, words, results shown first
        "logo": (runs.logo(0.01), "NM logo: two letters on a pin, set in motion by a torque.", ["pin.angle", "energy"]),
        "guide": (runs.guide(6.5, 0.01), "A carriage on a rail, both free to move.", ["slide.displacement", "energy_error"]),
        "manipulator": (runs.manipulator(0.02), "The platform of the RPR manipulator follows the figure 8.", []),
        "loop": (runs.loop(0.02), "A revolute, a universal, a spherical and a cylindrical pair in one loop.", []),
    }
    files = [run.write_html(folder / f"{name}.html", description=a, plots=b) for name, (run, a, b) in cases.items()]
    names, words = ["order 2, h = 0.01 s", "order 6, h = 0.005 s"], "The heavy top by two schemes."
    shown = ["top.com", "energy_error"]
    return [
        str(x) for x in [*files, po.write_html(tops, folder / "top.html", names=names, description=words, plots=shown)]
    ]


def figures(runs: Runs) -> Iterator[tuple[str, Any]]:
    """Names and figures, drawn one after the other; the numbers are the paper's."""
    yield "05_logo_conservation", conservation_figure(runs.logo(0.05), "NM logo, h = 0.05 s")
    yield "06_logo_snapshots", logo_snapshots(runs)
    yield "07_logo_angle", angle_figure(runs)
    yield "logo_printed_angle", branch_figure(runs)
    guide = runs.guide(6.5, 0.1)
    yield "10_guide_conservation", conservation_figure(guide, "Linear guide, u' = +6.5 m/s, h = 0.1 s")
    yield "11_guide_snapshots", guide_snapshots(runs)
    yield "12_guide_displacement", displacement_figure(runs)
    yield "14_manipulator_conservation", manipulator_conservation(runs)
    yield "15_manipulator_angles", manipulator_series(runs, "angles")
    yield "16_manipulator_snapshots", manipulator_snapshots(runs)
    yield "17_manipulator_displacements", manipulator_series(runs, "displacements")
    yield "18_manipulator_torques", torque_figure(runs)
    yield "top", top_figure(runs)


def conservation_figure(run: Any, title: str) -> Any:
    """Energy and angular momentum over time, and below their change (after the torque)."""
    figure = blank_figure((9.0, 5.0))
    grid = figure.subplots(2, 2, sharex=True, height_ratios=(2, 1))
    after = run.t > (m.END - 1e-9 if run.system.loads else -1.0)
    names = (("energy [J]", run.energy), ("angular momentum [kg m²/s]", run.angular_momentum))
    for column, (name, values) in enumerate(names):
        grid[0, column].plot(run.t, values, "k", linewidth=1.3)
        grid[0, column].set_ylabel(name)
        level = values[after][0] if column == 0 else values[0]
        grid[1, column].plot(run.t[after], values[after] - level, ".", markersize=3)
        grid[1, column].set(xlabel=TIME, ylabel=f"change [{name.partition('[')[2]}")
        if np.ptp(values) < 1e-9:
            grid[0, column].set_ylim(values[0] - 1.0, values[0] + 1.0)
    figure.suptitle(title)
    return figure


def _outline(run: Any, body: str, points: Any, k: int) -> np.ndarray:
    return np.array([run[body].point(p)[k] for p in points])


def _frames(count: int, lines: int = 1) -> tuple[Any, Any]:
    figure = blank_figure((4.2 * count, 4.4 * lines))
    return figure, np.atleast_1d(figure.subplots(lines, count)).ravel()


def logo_snapshots(runs: Runs) -> Any:
    """The letters at 0, 1 and 2 s with the paths of their centres."""
    run = runs.logo(0.01)
    figure, frames = _frames(3)
    for axes, t in zip(frames, (0.0, 1.0, 2.0)):
        k = run.index(t)
        for body, colour in (("N", "C0"), ("M", "C3")):
            axes.plot(*run[body].com[: k + 1].T, colour, linewidth=0.8)
            turned = [(-x, -y) for x, y in LETTERS[body]] if body == "M" else LETTERS[body]
            axes.plot(*_outline(run, body, turned, k).T, colour, linewidth=3, label=body)
        axes.plot(*_outline(run, "N", [(0, -0.4)], k).T, "ko", markersize=4)
        axes.set(
            title=f"t = {t:g} s", xlabel=PLACE[0], ylabel=PLACE[1], xlim=(-1.1, 1.1), ylim=(-1.3, 0.9), aspect="equal"
        )
    frames[-1].legend(loc="upper right")
    return figure


def angle_figure(runs: Runs) -> Any:
    """Theta for the steps of the paper, and converged; below, the errors."""
    return _convergence(
        {f"h = {h:g} s": (runs.logo(h).t, theta(runs.logo(h))) for h in STEPS},
        (runs.logo_converged().t, theta(runs.logo_converged())),
        "Theta [rad]",
        "NM logo",
    )


def displacement_figure(runs: Runs) -> Any:
    """u for the steps of the paper, and converged; below, the errors."""
    fine = runs.guide(6.5, 0.01, ORDER6)
    return _convergence(
        {f"h = {h:g} s": (runs.guide(6.5, h).t, runs.guide(6.5, h)["slide"].displacement - 3) for h in STEPS},
        (fine.t, fine["slide"].displacement - 3),
        "u [m]",
        "Linear guide, u' = +6.5 m/s",
    )


def _convergence(coarse: dict[str, Any], exact: Any, name: str, title: str) -> Any:
    figure = blank_figure((8.0, 5.5))
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    top.plot(*exact, "k", linewidth=1.6, label="converged")
    for label, (t, values) in coarse.items():
        top.plot(t, values, "--", linewidth=1.1, label=label)
        error = np.abs(values - np.interp(t, *exact))
        bottom.semilogy(t[1:], np.maximum(error[1:], 1e-9), linewidth=1.0, color=top.lines[-1].get_color())
    top.set(ylabel=name, title=title)
    top.legend(**SIDE)
    bottom.set(xlabel=TIME, ylabel=f"error of {name.partition(' ')[0]}\n[{name.partition('[')[2]}")
    return figure


def branch_figure(runs: Runs) -> Any:
    """Theta from (28) and the last value, compared with the unwrapped angle."""
    run = runs.logo(0.05)
    figure = blank_figure((8.0, 4.2))
    axes = figure.subplots()
    axes.plot(run.t, theta(run), "k", linewidth=1.4, label="unwrapped from the directors")
    axes.plot(run.t, printed_angles(theta(run), True), "C1--", linewidth=1.2, label="(28), guess extrapolated")
    axes.plot(run.t, printed_angles(theta(run), False), "C3", linewidth=1.2, label="(28), guess Theta_n")
    for k in range(1, 15):
        axes.axhline(0.75 * np.pi + k * np.pi, color="gray", linewidth=0.5, linestyle=":")
    axes.set(
        xlabel=TIME,
        ylabel="Theta [rad]",
        title="NM logo, h = 0.05 s: where (28) is singular (dotted) it takes its mirror root",
    )
    axes.legend(loc="upper left")
    return figure


def guide_snapshots(runs: Runs) -> Any:
    """The guide at 0, 0.8 and 1.5 s with the paths of the centres."""
    run = runs.guide(6.5, 0.01)
    box = lambda w, h: [(w, h), (-w, h), (-w, -h), (w, -h), (w, h)]  # noqa: E731
    figure, frames = _frames(3)
    for axes, t in zip(frames, (0.0, 0.8, 1.5)):
        k = run.index(t)
        for body, shape, colour in (("rail", box(0.25, 4.0), "C0"), ("carriage", box(0.5, 0.5), "C3")):
            axes.plot(*run[body].com[: k + 1].T, colour, linewidth=0.8)
            axes.plot(*_outline(run, body, shape, k).T, colour, linewidth=2, label=body)
        axes.set(title=f"t = {t:g} s", xlabel=PLACE[0], ylabel=PLACE[1], xlim=(-5, 17), ylim=(-7, 15), aspect="equal")
    frames[-1].legend(loc="upper right")
    return figure


def manipulator_conservation(runs: Runs) -> Any:
    """Energy with the work of the motors, and momenta, h = 0.02 s."""
    run = runs.manipulator(0.02)
    figure = blank_figure((11.0, 3.8))
    energy, balance, momenta = figure.subplots(1, 3)
    energy.plot(run.t, run.energy, "k", linewidth=1.4)
    energy.set(xlabel=TIME, ylabel="energy [J]")
    balance.plot(run.t, run.energy - run.work, ".", markersize=3)
    balance.set(xlabel=TIME, ylabel="energy - work of the motors [J]")
    momenta.plot(run.t, run.angular_momentum, ".", markersize=3, label="angular [kg m²/s]")
    for axis, values in zip("xy", run.momentum.T):
        momenta.plot(run.t, values, ".", markersize=3, label=f"linear, {axis} [kg m/s]")
    momenta.set(xlabel=TIME, ylabel="momenta [SI]")
    momenta.legend(fontsize="small")
    return figure


def manipulator_series(runs: Runs, what: str) -> Any:
    """Angles or displacements of the legs, h = 0.02 s."""
    run = runs.manipulator(0.02)
    values = np.degrees(angles(run)) if what == "angles" else slides(run, start_of_slides())
    figure = blank_figure((8.0, 4.0))
    axes = figure.subplots()
    for j in range(3):
        axes.plot(run.t, values[:, j], linewidth=1.4, label=("Theta" if what == "angles" else "u") + str(j + 1))
    axes.set(
        xlabel=TIME,
        ylabel="joint angle [deg]" if what == "angles" else "displacement [m]",
        title="Manipulator, h = 0.02 s",
    )
    axes.legend(**SIDE)
    return figure


def manipulator_snapshots(runs: Runs) -> Any:
    """The manipulator at 1, 1.5, 2 and 3 s with the figure 8 of its platform."""
    run = runs.manipulator(0.02)
    known = m.reference()["manipulator"]["definition"]
    along = [np.array((np.cos(a), np.sin(a))) for a in known["Theta0_rad_slide_axis_d1"]]
    figure, frames = _frames(2, 2)
    for axes, t in zip(frames, (1.0, 1.5, 2.0, 3.0)):
        k = run.index(t)
        for body, corners, colour in (
            ("body8", known["base_triangle_vertices_rel_COM"], "0.35"),
            ("body7", known["platform_vertices_rel_COM"], "C0"),
        ):
            axes.fill(*_outline(run, body, corners, k).T, color=colour, alpha=0.25)
            axes.plot(*_outline(run, body, [*corners, corners[0]], k).T, color=colour, linewidth=1.5)
        for j, n in enumerate(along):
            inner = _outline(run, f"body{j + 1}", [-m.PINS[0] * n, m.PINS[0] * n], k)
            outer = _outline(run, f"body{j + 4}", [-m.PINS[1] * n, m.PINS[1] * n], k)
            axes.plot(*inner.T, "C2", linewidth=6, alpha=0.6, solid_capstyle="butt")
            axes.plot(*outer.T, "C1", linewidth=2.5)
            axes.plot(*inner[0], "ko", markersize=4)
            axes.plot(*outer[1], "ko", markersize=4)
        axes.plot(*run["body7"].com[: k + 1].T, "r", linewidth=1.5)
        axes.set(
            title=f"t = {t:g} s", xlabel=PLACE[0], ylabel=PLACE[1], xlim=(-0.7, 0.7), ylim=(-0.2, 1.1), aspect="equal"
        )
    return figure


def torque_figure(runs: Runs) -> Any:
    """Discrete torques of the steps, h = 0.02 s, over the converged ones; below, their errors."""
    run, fine = runs.manipulator(0.02), runs.manipulator(0.01, ORDER6)
    tau, exact = step_torques(run, step_moments(run)[0]), torques(fine)
    figure = blank_figure((8.0, 5.5))
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    for j in range(3):
        top.plot(fine.t, exact[:, j], f"C{j}", linewidth=1.2, label=f"tau{j + 1}, converged")
        top.plot(fine.t[1::2], tau[:, j], f"C{j}.", markersize=3, label=f"tau{j + 1}, h = 0.02 s")
        bottom.plot(fine.t[1::2], tau[:, j] - exact[1::2, j], f"C{j}", linewidth=1.0)
    top.set(ylabel="torque [N m]", title="Manipulator: driving torques")
    top.legend(**SIDE)
    bottom.set(xlabel=TIME, ylabel="error of the\nsteps' torques [N m]")
    return figure


def top_figure(runs: Runs) -> Any:
    """The heavy top: the path of its axis, and what the scheme of order 2 conserves."""
    fine, coarse = runs.top(0.005, ORDER6), runs.top(0.01)
    figure = blank_figure((10.0, 4.4))
    left, right = figure.subplots(1, 2)
    for run, style, name in ((fine, "k", "order 6, h = 0.005 s"), (coarse, "C1--", "order 2, h = 0.01 s")):
        left.plot(*run["top"].rotation[:, :2, 2].T, style, linewidth=1.1, label=name)
    left.set(xlabel="x of the axis [1]", ylabel="y of the axis [1]", aspect="equal")
    left.legend(loc="upper left", fontsize="small")
    kept = {"energy": coarse.energy, "L_z": coarse.angular_momentum[:, 2], "L.d3": along_axis(coarse)}
    for name, values in kept.items():
        right.semilogy(coarse.t[1:], np.maximum(np.abs(values / values[0] - 1)[1:], 1e-17), linewidth=1.0, label=name)
    right.set(xlabel=TIME, ylabel="relative change [1]", title="order 2, h = 0.01 s")
    right.legend(**SIDE)
    return figure
