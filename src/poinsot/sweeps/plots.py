"""Figures of a sweep, by the number of its parameters: curves, maps, scatter matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.words import short_repr, suggestion
from poinsot.sweeps.figures import FIGURES
from poinsot.sweeps.labelled import axis_values
from poinsot.view.plots import beside, blank_figure

if TYPE_CHECKING:
    from poinsot.sweeps.result import Sweep

MOST_CURVES = 12  # curves over time in one panel; more are drawn by colour
MOST_PANELS = 12
MOST_COLUMNS = 6  # of a scatter matrix


class Drawn(NamedTuple):
    """One number per variant, or one per variant and time: (n,) or (n, outputs)."""

    label: str
    values: np.ndarray
    series: bool


def sweep_figure(sweep: Sweep, names: tuple[str, ...]) -> Any:
    """Curves over time for results at all outputs; of the others curves over a single parameter, maps over the two of a grid, and
    a scatter matrix for more parameters, lists and samples.
    """
    drawn = [one for name in names or _usual(sweep) for one in _found(sweep, name)]
    if not drawn:
        raise SettingsError("plot: this sweep kept nothing that can be drawn; give record=, such as [po.last('energy')]")
    if len(drawn) > MOST_PANELS:
        raise SettingsError(f"plot: {len(drawn)} panels are too many for one figure; name up to {MOST_PANELS} results or components")
    variants = sweep.task.variants
    flat = [one for one in drawn if not one.series]
    if flat and (len(variants.names) > 2 or (len(variants.names) == 2 and not variants.grid)):
        if names and len(flat) < len(drawn):
            raise SettingsError("plot: results at all outputs and single numbers do not fit into one figure here; name those to draw")
        return _scatter(sweep, flat)
    figure = blank_figure((7.5, 3.2 * len(drawn)))
    for axes, one in zip(figure.subplots(len(drawn), 1, squeeze=False)[:, 0], drawn):
        if one.series:
            _over_time(axes, sweep, one)
        elif len(variants.names) == 1:
            _curve(axes, sweep, one)
        else:
            _map(figure, axes, sweep, one)
    return figure


def _usual(sweep: Sweep) -> list[str]:
    return list(sweep.names)


def _found(sweep: Sweep, name: str) -> list[Drawn]:
    """What is drawn for a name: a result, one component of it ("last(link4.position).z"), or a figure of audits."""
    figure = name.removeprefix("audit.")
    if name.startswith("audit.") and figure in FIGURES:
        unit = f" [{FIGURES[figure]}]" if FIGURES[figure] != "1" else ""
        return [Drawn(f"{name}{unit}", sweep.figure_values(figure).ravel(), False)]
    whole, _, component = (name, "", "") if name in sweep.names else name.rpartition(".")
    if whole not in sweep.names:
        known = [*sweep.names, *(f"audit.{figure}" for figure in FIGURES)]
        raise SettingsError(f"plot: this sweep has no result {short_repr(name)}; {suggestion(name, known)}")
    spec = sweep.task.specs[sweep.names.index(whole)]
    values = sweep.store.values[sweep.names.index(whole)]
    unit = f" [{spec.unit}]" if spec.unit not in ("", "1") else ""
    if len(spec.shape) == int(spec.series):
        return [Drawn(f"{spec.name}{unit}", values, spec.series)]
    labels = spec.labels or tuple(str(k + 1) for k in range(spec.shape[-1]))
    if component and component not in labels:
        raise SettingsError(f"plot: {whole!r} has no component {short_repr(component)}; it has {', '.join(labels)}")
    parts = values.reshape(*values.shape[: 1 + spec.series], -1)
    return [
        Drawn(f"{spec.name}.{label}{unit}", parts[..., k], spec.series)
        for k, label in enumerate(labels[: parts.shape[-1]])
        if component in ("", label)
    ]


def _curve(axes: Any, sweep: Sweep, one: Drawn) -> None:
    x = axis_values(sweep, sweep.task.variants.names[0])
    if x.dtype.kind == "f":
        order = np.argsort(x, kind="stable")
        axes.plot(x[order], one.values[order], marker="." if len(x) < 60 else "", linewidth=1.0)
    else:
        axes.plot(np.arange(len(x)), one.values, marker="o", linestyle="")
        axes.set_xticks(np.arange(len(x)), x)
    axes.set(xlabel=sweep.task.variants.names[0], ylabel=one.label)
    axes.grid(color="0.92", linewidth=0.6)


def _edges(values: np.ndarray) -> np.ndarray:
    """Edges of cells around values that increase."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])


def _map(figure: Any, axes: Any, sweep: Sweep, one: Drawn) -> None:
    names = sweep.task.variants.names
    grid, scales = one.values.reshape(sweep.task.variants.shape), []
    for k, name in enumerate(names):
        values = axis_values(sweep, name)
        if values.dtype.kind == "f" and len(np.unique(values)) == len(values):
            order = np.argsort(values)
            grid = np.take(grid, order, axis=k)
            scales.append(_edges(values[order]))
        else:
            scales.append(np.arange(len(values) + 1) - 0.5)
            (axes.set_yticks if k else axes.set_xticks)(np.arange(len(values)), [str(value) for value in values])
    mesh = axes.pcolormesh(scales[0], scales[1], np.ma.masked_invalid(grid.T), rasterized=True)
    axes.set_facecolor("0.85")  # variants that failed
    axes.set(xlabel=names[0], ylabel=names[1])
    figure.colorbar(mesh, ax=axes, label=one.label)


def _over_time(axes: Any, sweep: Sweep, one: Drawn) -> None:
    from matplotlib import colormaps

    n = len(one.values)
    chosen = np.unique(np.linspace(0, n - 1, min(n, 200)).astype(int))
    for at, k in enumerate(chosen.tolist()):
        change = sweep.task.variants.change(k)
        label = ", ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in change.items())
        style = {"label": label} if n <= MOST_CURVES else {"color": colormaps["viridis"](at / max(1, len(chosen) - 1)), "alpha": 0.6}
        axes.plot(sweep.t, one.values[k], linewidth=0.9, **style)
    axes.set(xlabel="t [s]", ylabel=one.label)
    axes.grid(color="0.92", linewidth=0.6)
    if n <= MOST_CURVES:
        beside(axes)


def _scatter(sweep: Sweep, flat: list[Drawn]) -> Any:
    """Every result over every parameter."""
    variants = sweep.task.variants
    names = [name for name in variants.names if axis_values(sweep, name).dtype.kind == "f"][:MOST_COLUMNS]
    if not names:
        raise SettingsError("plot: none of the parameters is a number; use .dataset")
    figure = blank_figure((2.6 * len(names) + 1, 2.3 * len(flat) + 0.5))
    places = np.unravel_index(np.arange(len(variants)), variants.shape) if variants.grid else None
    for row, one in zip(figure.subplots(len(flat), len(names), squeeze=False, sharey="row"), flat):
        for axes, name in zip(row, names):
            x = axis_values(sweep, name)
            x = x if places is None else x[places[variants.names.index(name)]]
            axes.plot(x, one.values, linestyle="", marker=".", markersize=2.5, alpha=0.5, rasterized=len(variants) > 2000)
            axes.set_xlabel(name)
        row[0].set_ylabel(one.label)
    return figure
