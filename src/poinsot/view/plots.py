"""Figures of a run, with matplotlib (the extra `viz`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError, SettingsError
from poinsot.model.rotation import matrices
from poinsot.model.system import PLANES
from poinsot.view.skeleton import Stick, pinned, sticks, ties

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

FLAT = 1e-6  # of the size of a picture: a motion thinner than that lies in a plane


def blank_figure(size: tuple[float, float]) -> Any:
    """An empty figure of a width and height (inches)."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PoinsotError("pictures need matplotlib: pip install 'poinsot[viz]'") from None
    return Figure(figsize=size, layout="constrained")


def energy_figure(run: Trajectory) -> Any:
    """Energies over time, and below, on a logarithmic axis, how far the balance of energy and work is off."""
    figure = blank_figure((7.0, 5.0))
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    for name, values in (("kinetic", run.kinetic), ("potential", run.potential), ("total", run.energy)):
        top.plot(run.t, values, label=name, linewidth=2.0 if name == "total" else 1.2)
    top.set_ylabel("energy [J]")
    top.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    top.set_title(f"{run.system.name}: {run.formulation.name} with {run.record.integrator}")
    drift = np.abs(run.energy - run.energy[0] - (run.work - run.work[0]))
    scale = max(run.audit.energy_scale, 1e-300)
    floor = np.finfo(float).eps
    error = np.maximum(drift / scale, floor)
    bottom.semilogy(run.t, error, linewidth=0.8)
    bottom.set_ylim(0.5 * floor, 2.0 * max(100 * floor, error.max()))
    bottom.set_xlabel("t [s]")
    bottom.set_ylabel("energy error\n/ energy in motion")
    return figure


def curves_figure(run: Trajectory, curves: dict[str, Any], label: str) -> Any:
    """Results over time: name to one number per output; `label` says what they are, with the unit."""
    figure = blank_figure((7.0, 3.5))
    axes = figure.add_subplot()
    for name, values in curves.items():
        axes.plot(run.t, values, label=name, linewidth=1.2)
    axes.set(xlabel="t [s]", ylabel=label, title=run.system.name)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def path_figure(run: Trajectory, paths: dict[str, np.ndarray], names: Sequence[str]) -> Any:
    """Paths in a plane: name to two coordinates per output; `names` are those of the axes, such as "xz"."""
    figure = blank_figure((6.0, 5.0))
    axes = figure.add_subplot()
    for name, points in paths.items():
        axes.plot(*points.T, label=name, linewidth=1.2)
    axes.set(xlabel=f"{names[0]} [m]", ylabel=f"{names[1]} [m]", title=run.system.name, aspect="equal")
    axes.locator_params(nbins=6)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def strobe_figure(run: Trajectory, times: Sequence[float]) -> Any:
    """The system as sticks at several times, from light to dark; springs and distances dotted, hinges on the ground as triangles.

    In space, or in its plane: that of a planar system, or the one of two world axes that a motion in space stays parallel to.
    """
    instants = np.asarray(times, float)
    if instants.size == 0 or instants.min() < run.t[0] - 1e-9 or instants.max() > run.t[-1] + 1e-9:
        raise SettingsError(f"times of snapshots must lie between {run.t[0]:g} and {run.t[-1]:g} s")
    shown = [int(np.argmin(np.abs(run.t - time))) for time in instants]
    bodies, ropes = sticks(run.frozen), ties(run.frozen)
    poses = [_poses(run, k) for k in shown]
    drawn = [[stick.points @ R[b].T + r[b] for b, stick in enumerate(bodies, 1)] for r, R in poses]
    seen = _axes_seen(run, bodies, drawn, [R for _, R in poses])
    pins, flat = pinned(run.frozen), len(seen) == 2
    figure = blank_figure((7.0, 7.0))
    axes = figure.add_subplot() if flat else figure.add_subplot(projection="3d")
    from matplotlib import colormaps

    colours = colormaps["viridis_r"](np.linspace(0.1, 1.0, len(instants)))
    everything = []
    for k, colour, (r, R), lines in zip(shown, colours, poses, drawn):
        for line in lines:
            axes.plot(*line[:, seen].T, color=colour, linewidth=1.6, marker="o" if len(line) == 1 else None)
        spans = [np.array([R[b] @ p + r[b] for b, p in zip(rope.bodies, rope.points)]) for rope in ropes]
        for span in spans:
            axes.plot(*span[:, seen].T, color=colour, linewidth=1.0, linestyle=":")
        everything += [*lines, *spans]
        axes.plot([], [], color=colour, label=f"{run.t[k]:.6g} s")
    if len(pins):
        axes.plot(*pins[:, seen].T, color="black", linestyle="", marker="^", markersize=5, zorder=10)
    _equal(axes, np.concatenate([*everything, pins])[:, seen].T)
    for name, k in zip("xyz", seen):
        getattr(axes, f"set_{name}label")(f"{'xyz'[k]} [m]")
    if flat:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small")
    else:
        axes.legend(loc="upper right", fontsize="small")
    axes.set_title(run.system.name)
    return figure


def _poses(run: Trajectory, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and rotations (n, 3, 3) of all bodies, the ground first, at output k."""
    from poinsot.formulations.contract import POSE

    n = len(run.frozen.layout.bodies)
    motion = run.motion[k, : n * POSE].reshape(n, POSE)
    return motion[:, :3], matrices(motion[:, 3:7])


def _axes_seen(
    run: Trajectory, bodies: list[Stick], drawn: list[list[np.ndarray]], rotations: list[np.ndarray]
) -> list[int]:
    """World axes of the picture: two in a plane, three in space."""
    if run.system.plane is not None:
        return list(PLANES[run.system.plane][:2])
    points = [line for lines in drawn for stick, line in zip(bodies, lines) if not stick.outline]
    if not points:
        return [0, 1, 2]
    size = np.ptp(np.concatenate(points), axis=0)
    for k in (1, 0, 2):
        others = [i for i in range(3) if i != k]
        turned = [R @ rotations[0].transpose(0, 2, 1) for R in rotations]
        upright = min(turn[:, k, k].min() for turn in turned) > 1.0 - FLAT
        if upright and size[k] <= FLAT * size.max() and size[others].min() > FLAT * size.max():
            return others
    return [0, 1, 2]


def _equal(axes: Any, points: np.ndarray) -> None:
    """The same scale on all axes."""
    low, high = np.nanmin(points, axis=1), np.nanmax(points, axis=1)
    if len(points) == 2:
        axes.set_aspect("equal")
        wide, tall = np.maximum(high - low, 0.1 * (high - low).max())
        axes.figure.set_size_inches(7.0, float(np.clip(1.2 + 4.8 * tall / wide, 3.5, 7.0)))
        return
    half = 0.5 * max((high - low).max(), 1e-9)
    span = np.maximum(high - low, 0.3 * 2 * half)
    centre = 0.5 * (low + high)
    from matplotlib.ticker import MaxNLocator

    for k, name in enumerate("xyz"):
        getattr(axes, f"set_{name}lim")(centre[k] - 0.5 * span[k], centre[k] + 0.5 * span[k])
        ticks = max(2, round(7 * span[k] / span.max()))
        axis = getattr(axes, f"{name}axis")
        axis.set_major_locator(MaxNLocator(ticks))
        axis.labelpad = 10 + 10 * span[2] / span.max() if name == "z" else 10
    axes.set_box_aspect(span, zoom=0.78)
