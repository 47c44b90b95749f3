"""Figures of a run, with matplotlib (the extra `viz`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.view.colours import ENERGIES
from poinsot.view.drawing import Scene, instants, same_scale
from poinsot.view.resample import extremes, scattered

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

DOTS = 4000  # largest number of points of a curve over time: more are not visible
MOST_PAIRS = 50_000  # points of a curve over another result


def blank_figure(size: tuple[float, float]) -> Any:
    """An empty figure of a width and height (inches)."""
    try:
        from poinsot.view.figure import Picture
    except ImportError:
        raise PoinsotError("pictures need matplotlib: pip install 'poinsot[viz]'") from None
    return Picture(figsize=size, layout="constrained")


def energy_figure(run: Trajectory) -> Any:
    """Energies over time, and below, on a logarithmic axis, how far the balance of energy and work is off."""
    figure = blank_figure((7.0, 5.0))
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    draw_energies(top, run)
    draw_energy_error(bottom, run)
    top.set_title(heading(run))
    bottom.set_xlabel("t [s]")
    return figure


def heading(run: Trajectory) -> str:
    """Title of a figure: the system, and its formulation and method."""
    return f"{run.system.name}: {run.formulation.name} with {run.record.integrator}"


def draw_energies(axes: Any, run: Trajectory) -> None:
    """Changes of kinetic, potential and total energy since the start, in the colours of the page."""
    for name, values in (("kinetic", run.kinetic), ("potential", run.potential), ("energy", run.energy)):
        label, width = ("total", 2.0) if name == "energy" else (name, 1.2)
        axes.plot(*thinned(run.t, values - values[0]), label=label, linewidth=width, color=ENERGIES[name])
    axes.set_ylabel("energy change [J]")
    beside(axes)


def draw_energy_error(axes: Any, run: Trajectory) -> None:
    """How far the balance of energy and work is off, relative to the energy scale, on a logarithmic axis."""
    drift = np.abs(run.energy - run.energy[0] - (run.work - run.work[0]))
    floor = np.finfo(float).eps
    error = np.maximum(drift / max(run.audit.energy_scale, 1e-300), floor)
    axes.semilogy(*thinned(run.t, error), linewidth=0.8)
    axes.set_ylim(0.5 * floor, 2.0 * max(100 * floor, error.max()))
    axes.set_ylabel("energy error\n/ energy scale")


def beside(axes: Any) -> None:
    """A legend beside the axes, where it covers nothing."""
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small", frameon=False)


def thinned(t: np.ndarray, values: np.ndarray, count: int = DOTS) -> tuple[np.ndarray, np.ndarray]:
    """A curve (n,) with at most about `count` points: the lowest and the highest of every interval are kept, and both ends."""
    chosen = extremes(values, count)
    return t[chosen], values[chosen]


def draw_pair(axes: Any, x: np.ndarray, y: np.ndarray, **style: Any) -> None:
    """Draw a curve y over x through all outputs; of more than `MOST_PAIRS` some, not connected: lines between them would be no part of the curve."""
    if len(x) <= MOST_PAIRS:
        axes.plot(x, y, **style)
        return
    chosen = scattered(len(x), MOST_PAIRS)
    axes.plot(x[chosen], y[chosen], linestyle="", marker=".", markersize=1.5, markeredgewidth=0.0, **style)


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


def strobe_figure(run: Trajectory, times: int | Sequence[float], *, paths: Sequence[Any] = ()) -> Any:
    """The system as sticks at several times (s), from light to dark; springs and distances dotted, hinges on the ground as triangles.

    A number instead of times: that many, spread over the run. `paths` names bodies, or points of them, whose path over
    the whole run is drawn: of a body its free end if it hangs on a single joint, else its centre of mass. The picture is in
    space, or in its plane: that of a planar system, or the one of two world axes that a motion in space stays parallel to.
    """
    if isinstance(paths, str) or not isinstance(paths, Sequence):
        paths = [paths]
    shown = instants(run, times)
    scene = Scene(run, run.t[shown])
    every = np.unique(np.linspace(0, len(run.t) - 1, min(len(run.t), DOTS)).astype(int))
    whole = Scene(run, run.t[every]) if len(paths) else scene
    ways = [whole.path(what) for what in paths]
    seen = whole.seen
    figure = blank_figure((7.0, 7.0))
    axes = whole.axes(figure)
    from matplotlib import colormaps

    for k, (name, way) in enumerate(ways):
        axes.plot(
            *way[:, seen].T, color=f"C{(k + 1) % 10}", linewidth=0.9, alpha=0.8, label=f"path of {name}", zorder=1
        )
    colours = colormaps["viridis_r"](np.linspace(0.1, 1.0, len(shown)))
    for k, colour in enumerate(colours):
        for line in scene.lines:
            axes.plot(*line[k][:, seen].T, color=colour, linewidth=1.6, marker="o" if line.shape[1] == 1 else None)
        for span in scene.spans:
            axes.plot(*span[k][:, seen].T, color=colour, linewidth=1.0, linestyle=":")
        axes.plot([], [], color=colour, label=f"{scene.t[k]:.6g} s")
    if len(scene.pins):
        axes.plot(*scene.pins[:, seen].T, color="black", linestyle="", marker="^", markersize=5, zorder=10)
    low, high = scene.extent(seen, *(way for _, way in ways))
    if len(seen) == 2:
        axes.set_aspect("equal", adjustable="datalim")  # otherwise the legend does not fit
        wide, tall = np.maximum(high - low, 0.1 * (high - low).max())
        figure.set_size_inches(7.0, float(np.clip(1.2 + 4.8 * tall / wide, 3.5, 7.0)))
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small")
    else:
        same_scale(axes, low, high, 0.78)
        axes.legend(loc="upper right", fontsize="small")
    axes.set_title(run.system.name)
    return figure
