"""The figures of saetran2018, from our runs: as .svg and .png; and pages of the runs themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import saetran2018_euler as euler
from poinsot.studies import saetran2018_models as m
from poinsot.studies.outputs import write_figures
from poinsot.studies.saetran2018_runs import Runs, angles, azimuth, euler_angles, tilt
from poinsot.studies.table import Section
from poinsot.view.plots import blank_figure, strobe_figure

TIME = "t [s]"
FLOOR = np.finfo(float).eps / 2  # drawn instead of zero on logarithmic axes
CHAINS = {"single": 1, "double": 2, "four": 4}
METHODS: dict[str, dict[str, Any]] = {  # title: case and settings, as in section 3.2.4 of the thesis
    "GL3, h = 0.01 s": {"integrator": "gauss3", "step": 0.01},
    "GL2, h = 0.01 s, tolerance 1e-9": {"integrator": "gauss2", "step": 0.01, "tolerance": 1e-9},
    "RK45, tolerances 1e-13": {},
    "RK4, h = 0.01 s": {"integrator": "rk4", "step": 0.01},
}
SIDE = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "frameon": False}  # a legend beside the axes


def draw(runs: Runs, timing: Section, folder: Path) -> list[str]:
    """Write all figures of the cases that are run; returns their files."""
    return write_figures(figures(runs, timing), folder)


def pages(runs: Runs, folder: Path) -> list[str]:
    """Write pages of the main cases that are run; returns their files."""
    four = {"GL3, h = 0.01 s": runs.get("four", "gauss3", 0.01), "RK4, h = 0.01 s": runs.get("four", "rk4", 0.01)}
    tops = {f"{spin:g} rad/s": runs.get(f"top {spin:g}") for spin in m.SPINS}
    shown = {"four": ["energy_error", "kinetic", "link4.com"], "top": ["top.com", "energy_error"]}  # first
    files = [
        po.write_html(
            list(several.values()), folder / f"{name}.html", names=list(several), description=words, plots=shown[name]
        )
        for name, several, words in (
            ("four", four, "Four links, the first joint turned by 0.1 rad, by two methods."),
            ("top", tops, "A disc on a rod, released at pi/6 with two spin rates."),
        )
    ]
    for case, name, words in (
        ("springs", "springs", "Four links on torsion springs, -k log(R)."),
        ("damped 16", "sixteen_damped", "16 links with dampers, a spring-damper at the tip."),
        ("coil 64", "coil", "64 links with dampers, a coil released."),
    ):
        if runs.has(case):
            files.append(runs.get(case).write_html(folder / f"{name}.html", description=words))
    return [str(file) for file in files]


def figures(runs: Runs, timing: Section) -> Iterator[tuple[str, Any]]:
    """Names and figures, drawn one after the other."""
    yield "angles", angle_figure(runs)
    yield "conservation", conservation_figure(runs)
    yield "evaluations", evaluation_figure(runs)
    yield "top", top_figure(runs)
    yield "springs", spring_figure(runs)
    yield "gimbal_lock", lock_figure()
    for case, name in (("free 16", "free"), ("damped 16", "damped")):
        result = runs.get(case)
        title = "16 bodies, free" if name == "free" else "16 bodies with dampers, spring at the tip"
        yield f"sixteen_{name}_tip", tip_figure(result, 16, title)
        yield f"sixteen_{name}_strobe", strobe(result, np.linspace(0, result.t[-1], 6), title)
    if runs.has("coil 64"):
        yield "coil_strobe", strobe(runs.get("coil 64"), np.linspace(0, 5, 6), "64 bodies, a coil released")
    yield "timing", timing_figure(timing)


def angle_figure(runs: Runs) -> Any:
    """Angles of one, two and four links over time, and below the error of GL3 with steps of 0.01 s."""
    figure = blank_figure((11.0, 5.5))
    grid = figure.subplots(2, 3, sharex=True, sharey="row")
    for column, (case, links) in enumerate(CHAINS.items()):
        exact, result = runs.get(case, step=0.005), runs.get(case, "gauss3", 0.01)
        theta, error = angles(exact, links), np.abs(angles(result, links) - angles(exact, links))
        for k in range(links):
            grid[0, column].plot(exact.t, theta[:, k], label=f"joint {k + 1}", linewidth=1.2)
            grid[1, column].semilogy(result.t, np.maximum(error[:, k], 1e-17), linewidth=0.8)
        grid[0, column].set_title(f"{links} {'body' if links == 1 else 'bodies'}")
        grid[1, column].set_xlabel(TIME)
    grid[0, 0].set_ylabel("angle of the joint [rad]")
    grid[1, 0].set_ylabel("error with GL3,\nh = 0.01 s [rad]")
    grid[0, 2].legend(**SIDE)
    return figure


def conservation_figure(runs: Runs) -> Any:
    """Four links by four methods: unit length of the quaternions and energy over time."""
    figure = blank_figure((13.0, 5.5))
    grid = figure.subplots(2, len(METHODS), sharex=True, sharey="row")
    for column, (title, settings) in enumerate(METHODS.items()):
        result = runs.get("four", **settings) if settings else runs.explicit("four")
        for k in range(1, 5):
            length = np.abs(np.linalg.norm(result[f"joint{k}"].quaternion, axis=-1) - 1)
            grid[0, column].semilogy(result.t, np.maximum(length, FLOOR), label=f"link {k}", linewidth=0.9)
        energy = np.abs(result.energy / result.energy[0] - 1)
        grid[1, column].semilogy(result.t, np.maximum(energy, FLOOR), color="black", linewidth=0.9)
        grid[0, column].set_title(title, fontsize="medium")
        grid[1, column].set_xlabel(TIME)
    grid[0, 0].set_ylabel("| |u| - 1 |  [1]")
    grid[1, 0].set_ylabel("|E - E0| / |E0|  [1]")
    grid[0, -1].legend(**SIDE)
    figure.suptitle("Four bodies, theta0 = 0.1 rad: what each method conserves (zero is drawn at 1.1e-16)")
    return figure


def evaluation_figure(runs: Runs) -> Any:
    """Evaluations of the equations of motion for ten seconds of four links, in the thesis and here."""
    figure = blank_figure((6.0, 4.0))
    axes = figure.subplots()
    ours = [runs.explicit("four"), runs.get("four", "gauss2", 0.01, tolerance=1e-9)]
    bars = {
        "thesis, table 3.2": [int(m.TABLE_3_2[name][2]) for name in ("RK45", "GL2")],
        "ours": [run.audit.evaluations for run in ours],
    }
    for k, (label, counts) in enumerate(bars.items()):
        drawn = axes.bar(np.arange(2) + 0.38 * (k - 0.5), counts, width=0.36, label=label)
        axes.bar_label(drawn, padding=2)
    axes.set_xticks([0, 1], ["RK45,\ntolerances 1e-13", "GL2, h = 0.01 s,\ntolerance 1e-9"])
    axes.set_ylabel("function evaluations in 10 s")
    axes.margins(y=0.12)
    axes.legend()
    return figure


def top_figure(runs: Runs) -> Any:
    """The top at both spins: tilt and azimuth over time, and the path of its axis seen from above."""
    figure = blank_figure((11.0, 6.5))
    grid = figure.subplots(2, 3, width_ratios=(1.4, 1.4, 1))
    for line, spin in enumerate(m.SPINS):
        result = runs.get(f"top {spin:g}")
        axis = result["top"].rotation[:, :, 2]
        meaning = "what the equations mean" if spin == m.SPINS[0] else "what the text says"
        grid[line, 0].plot(result.t, np.degrees(tilt(result)), linewidth=1.2)
        grid[line, 0].axhline(np.degrees(float(m.TOP_MOTION[spin][0])), color="gray", linestyle=":", label="theta_max")
        grid[line, 0].set_ylabel("tilt theta [deg]")
        grid[line, 0].set_title(f"spin {spin:g} rad/s ({meaning})", fontsize="medium")
        grid[line, 0].legend(loc="lower right", fontsize="small")
        grid[line, 1].plot(result.t, azimuth(result), linewidth=1.2)
        grid[line, 1].set_ylabel("azimuth [rad]")
        grid[line, 2].plot(axis[:, 0], axis[:, 1], linewidth=0.8)
        grid[line, 2].plot(*axis[0, :2], "o", markersize=4)
        grid[line, 2].set_aspect("equal")
        grid[line, 2].set(xlabel="x of the axis [1]", ylabel="y of the axis [1]", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1))
        for column in (0, 1):
            grid[line, column].set_xlabel(TIME)
    return figure


def spring_figure(runs: Runs) -> Any:
    """Four links with torsion springs: the tip by both laws from pi/8 and from 0.1 rad, unit lengths, the difference between the laws."""
    figure = blank_figure((11.0, 7.0))
    grid = figure.subplots(2, 2, sharex="col")
    first, near = euler.until_lock(float(euler.LOCK))
    shown = {
        "from pi/8": (runs.get("springs"), np.concatenate([first.t, near.t]), _tips(first, near)),
        "from 0.1 rad": (runs.get("springs, 0.1 rad"), *_own(runs.get("euler-angles, 0.1 rad"))),
    }
    for column, (title, (ours, t, tips)) in enumerate(shown.items()):
        for k, axis in enumerate("xyz"):
            grid[0, column].plot(
                ours.t, ours["link4"].point(m.TIP)[:, k], f"C{k}", linewidth=1.2, label=f"{axis}, -k log(R)"
            )
            grid[0, column].plot(t, tips[:, k], f"C{k}--", linewidth=1.0, label=f"{axis}, Euler angles")
        grid[0, column].set_title(f"{title}: tip of link 4")
    grid[0, 0].axvline(float(euler.LOCK), color="gray", linewidth=0.8)
    grid[0, 0].annotate(
        "gimbal lock", (float(euler.LOCK), 5.0), xytext=(4, 0), textcoords="offset points", color="gray"
    )
    grid[0, 0].set_ylabel("position [m]")
    grid[0, 1].legend(**SIDE)
    result = runs.get("springs")
    for k in range(1, 5):
        length = np.abs(np.linalg.norm(result[f"joint{k}"].quaternion, axis=-1) - 1)
        grid[1, 0].semilogy(result.t, np.maximum(length, FLOOR), linewidth=0.8, label=f"link {k}")
    grid[1, 0].set(xlabel=TIME, ylim=(5e-17, 1e-13), ylabel="| |u| - 1 |, -k log(R)  [1]")
    grid[1, 0].legend(loc="upper right", ncols=2)
    ours, t, tips = shown["from 0.1 rad"]
    apart = np.linalg.norm(ours["link4"].point(m.TIP) - tips, axis=1)
    grid[1, 1].semilogy(t[1:], apart[1:], color="black", linewidth=1.0)
    grid[1, 1].set(xlabel=TIME, ylabel="tips by both laws apart [m]")
    return figure


def _tips(*pieces: Any) -> np.ndarray:
    return np.concatenate([piece["link4"].point(m.TIP) for piece in pieces])


def _own(result: Any) -> tuple[np.ndarray, np.ndarray]:
    return result.t, _tips(result)


def lock_figure() -> Any:
    """The law on Euler angles from pi/8: the last joint's angles near the lock, and the energy, which this law does not conserve."""
    first, near = euler.until_lock()
    figure = blank_figure((11.0, 4.2))
    left, right = figure.subplots(1, 2)
    for name, values in zip(("phi", "theta", "psi"), np.degrees(euler_angles(near, "joint4")).T):
        jumps = np.flatnonzero(np.abs(np.diff(values)) > 180) + 1
        left.plot(np.insert(near.t, jumps, np.nan), np.insert(values, jumps, np.nan), label=name, linewidth=1.2)
    left.axhline(90, color="gray", linestyle=":", linewidth=1)
    left.set(xlabel=TIME, ylabel="Euler angles of joint 4 [deg]", title="Near the lock, theta = 90 deg")
    left.legend(**SIDE)
    t = np.concatenate([first.t, near.t])
    energy = np.concatenate([run.energy + euler.spring_energy(run) for run in (first, near)])
    right.plot(t, energy, linewidth=1.0)
    right.set(xlabel=TIME, ylabel="energy with k/2 (phi^2 + theta^2 + psi^2) [J]", title="This law does not conserve energy")
    return figure


def tip_figure(result: Any, link: int, title: str) -> Any:
    """The tip of a link over time."""
    figure = blank_figure((8.0, 4.0))
    axes = figure.subplots()
    for axis, values in zip("xyz", result[f"link{link}"].point(m.TIP).T):
        axes.plot(result.t, values, label=axis, linewidth=1.3)
    axes.set(xlabel=TIME, ylabel=f"tip of link {link} [m]", title=title)
    axes.legend(**SIDE)
    return figure


def strobe(result: Any, times: np.ndarray, title: str) -> Any:
    """The system at several times."""
    figure = strobe_figure(result, times.tolist())
    figure.axes[0].set_title(title)
    return figure


def timing_figure(timing: Section) -> Any:
    """Computing time for ten seconds of N links, in the thesis and here, on logarithmic axes."""
    rows = [row for row in timing.rows if row.ratio is not None]
    links = np.array([int(row.name.split()[0]) for row in rows])
    known = {n: float(seconds) for n, seconds in m.TABLE_3_3.items()}
    figure = blank_figure((6.5, 4.5))
    axes = figure.subplots()
    axes.loglog(list(known), list(known.values()), "o-", label="thesis, table 3.3")
    axes.loglog(links, [row.ours for row in rows], "s-", label="ours")
    sizes = np.array(list(known))
    axes.loglog(sizes, known[4] * (sizes / 4.0) ** 2, ":", color="gray", label="N^2")
    axes.loglog(sizes, rows[0].ours * sizes / 4.0, "--", color="gray", label="N")
    axes.set_xticks(sizes, [str(n) for n in sizes])
    axes.minorticks_off()
    axes.set(
        xlabel="number of bodies N [1]", ylabel="time to compute 10 s [s]", title="GL3, h = 0.01 s; different computers"
    )
    axes.legend(**SIDE)
    return figure
