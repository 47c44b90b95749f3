"""Figures of a run, with matplotlib (the extra `viz`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError, SettingsError
from poinsot.view.skeleton import sticks

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory


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
    bottom.semilogy(run.t, np.maximum(drift / scale, floor), linewidth=0.8)
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
    """The system as sticks at several times, from light to dark; in space, or in its plane."""
    instants = np.asarray(times, float)
    if instants.size == 0 or instants.min() < run.t[0] - 1e-9 or instants.max() > run.t[-1] + 1e-9:
        raise SettingsError(f"times of snapshots must lie between {run.t[0]:g} and {run.t[-1]:g} s")
    planar = run.system.plane is not None
    figure = blank_figure((7.0, 7.0))
    axes = figure.add_subplot() if planar else figure.add_subplot(projection="3d")
    from matplotlib import colormaps

    colours = colormaps["viridis_r"](np.linspace(0.1, 1.0, len(instants)))
    everything = []
    for time, colour in zip(instants, colours):
        k = int(np.argmin(np.abs(run.t - time)))
        for body, points in zip(run.system.bodies, sticks(run.frozen)):
            line = run.flat(run[body].rotation[k] @ points.T + run.motion[k, _origin(run, body)][:, None], axis=0)
            everything.append(line)
            axes.plot(*line, color=colour, linewidth=1.6, marker="o" if line.shape[1] == 1 else None)
        axes.plot([], [], color=colour, label=f"{run.t[k]:g} s")
    _equal(axes, np.concatenate(everything, axis=1), planar)
    names = "xyz" if not planar else run.system.plane
    axes.set_xlabel(f"{names[0]} [m]")
    axes.set_ylabel(f"{names[1]} [m]")
    if not planar:
        axes.set_zlabel("z [m]")
    axes.legend(loc="upper right", fontsize="small")
    axes.set_title(run.system.name)
    return figure


def _origin(run: Trajectory, body: Any) -> slice:
    from poinsot.formulations.contract import POSE

    start = POSE * run.frozen.topology.index[body]
    return slice(start, start + 3)


def _equal(axes: Any, points: np.ndarray, planar: bool) -> None:
    """The same scale on all axes."""
    low, high = points.min(axis=1), points.max(axis=1)
    if planar:
        axes.set_aspect("equal")
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
        axis.labelpad = 18 if name == "z" else 10
    axes.set_box_aspect(span, zoom=0.85)
