"""Results over time, one row per quantity: those requested by name, or a selection that suits the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.drives import Servo
from poinsot.model.forces import Motor
from poinsot.model.words import short_repr
from poinsot.results.quantities import Quantity, names, quantity
from poinsot.view.plots import beside, blank_figure, draw_energies, draw_energy_error, draw_pair, heading, thinned

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

WIDTH, ROW, EDGE = 8.0, 1.6, 1.9  # inches: width of a panel, height per row, and height without rows
LINES = 8  # largest number of lines in one row; more cannot be distinguished
STEADY = 1e-9  # relative to its size: smaller changes are drawn as constant
FLOOR = 1e-17  # drawn instead of zero on logarithmic axes

Row = Callable[[Any], None]  # draws into given axes


def panel_figure(run: Trajectory, wanted: Sequence[str | Sequence[str]], over: str | None = None, degrees: bool = False) -> Any:
    """A figure of results by name, or, without names, of a selection that suits the run.

    Every name has its own row; names in a tuple or list share one, and must have the same unit. Vectors have one line per component.
    `over`: a result that takes the place of the time.
    """
    if over is not None and not wanted:
        raise SettingsError(f"plot: name the results to draw over {over!r}, such as run.plot('energy', over={over!r})")
    abscissa = None if over is None else _abscissa(run, over, degrees)
    rows = [_row(run, entry, abscissa, degrees) for entry in wanted] if wanted else list(_overview(run, degrees))
    figure = blank_figure((WIDTH, EDGE + ROW * len(rows)))
    grid = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    for axes, draw in zip(grid, rows):
        draw(axes)
        axes.grid(color="0.92", linewidth=0.6)
        axes.set_axisbelow(True)
    grid[0].set_title(heading(run))
    grid[-1].set_xlabel("t [s]" if abscissa is None else abscissa.axis)
    figure.align_ylabels()
    if abscissa is not None:
        return figure
    grid[-1].set_xlim(float(run.t[0]), float(run.t[-1]) if len(run.t) > 1 else float(run.t[0]) + 1.0)
    return figure


def _abscissa(run: Trajectory, over: str, degrees: bool) -> Quantity:
    one = _wanted(run, over, degrees)
    if one.components:
        parts = ", ".join(part.name for part in one.parts())
        raise SettingsError(f"plot: over must be a single number, and {over!r} has {len(one.components)}; name one: {parts}")
    return _at_all(run, one)


def _at_all(run: Trajectory, one: Quantity) -> Quantity:
    if len(one.t) != len(run.t):
        raise SettingsError(f"plot: {one.name!r} is known at {len(one.t)} of {len(run.t)} outputs only; draw it over time")
    return one


def _wanted(run: Trajectory, name: str, degrees: bool) -> Quantity:
    one = quantity(run, name)
    return one.in_degrees() if degrees else one


def _row(run: Trajectory, entry: str | Sequence[str], abscissa: Quantity | None, degrees: bool) -> Row:
    if isinstance(entry, str):
        one = _wanted(run, entry, degrees)
        if abscissa is not None:
            _at_all(run, one)
        return lambda axes: draw_quantities(axes, [one], one.axis, abscissa)
    if not isinstance(entry, list | tuple) or not entry or not all(isinstance(name, str) for name in entry):
        raise SettingsError(f"a row of a plot is a name, or several names in a tuple, not {short_repr(entry)}")
    several = [_wanted(run, name, degrees) for name in entry]
    if abscissa is not None:
        several = [_at_all(run, one) for one in several]
    units = {one.unit: one.name for one in several}
    if len(units) > 1:
        units_given = ", ".join(f"{name!r} in {unit}" for unit, name in units.items())
        raise SettingsError(f"results that share a row must have the same unit; here are {units_given}: give them separately")
    return lambda axes: draw_quantities(axes, several, common(several), abscissa)


def common(several: Sequence[Quantity]) -> str:
    """Axis label of several results: the words before "of" if they are the same, and the unit."""
    words = {one.label.rpartition(" of ")[0] or one.label for one in several}
    unit = several[0].unit
    return " ".join([*(words if len(words) == 1 else ()), *([f"[{unit}]"] if unit not in ("", "1") else [])])


def draw_quantities(axes: Any, several: Sequence[Quantity], label: str, over: Quantity | None = None) -> None:
    """Draw results over time, or over another result, into axes, with a legend if there is more than one line."""
    for one in several:
        columns = one.values.T if one.components else [one.values]
        for component, values in zip(one.components or ("",), columns):
            line_label = component if len(several) == 1 else f"{one.name}.{component}" if component else one.name
            if over is None:
                axes.plot(*thinned(one.t, values), linewidth=1.2, label=line_label)
            else:
                draw_pair(axes, over.values, values, linewidth=1.2, label=line_label)
    axes.set_ylabel(_broken(label))
    low, high = min(float(one.values.min()) for one in several), max(float(one.values.max()) for one in several)
    size = max(abs(low), abs(high))
    if size > 0 and high - low < STEADY * size:
        axes.set_ylim(low - 0.02 * size, high + 0.02 * size)  # constants are drawn as constants, not their last digits
    if len(axes.lines) > 1:
        beside(axes)


def _broken(label: str, width: int = 22) -> str:
    """A label in lines short enough for the height of a row; a unit is not broken."""
    words, bracket, unit = label.partition("[")
    lines = [""]
    for word in [*words.split(), *([bracket + unit] if bracket else [])]:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _overview(run: Trajectory, degrees: bool) -> Iterator[Row]:
    """Energies, their error, joint coordinates, efforts of motors, gaps of joints."""
    yield lambda axes: draw_energies(axes, run)
    yield lambda axes: draw_energy_error(axes, run)
    coordinates = [one.in_degrees() if degrees else one for one in _coordinates(run)]
    for what, found in (("joints", coordinates), ("motors", _efforts(run))):
        for unit in dict.fromkeys(one.unit for one in found):
            yield _few([one for one in found if one.unit == unit], what)
    if run.formulation.multipliers:
        yield lambda axes: _draw_openings(axes, run)


def _few(several: list[Quantity], what: str) -> Row:
    chosen = np.unique(np.linspace(0, len(several) - 1, min(LINES, len(several))).astype(int))
    unit, left = several[0].unit, f", {len(chosen)} of {len(several)}" if len(chosen) < len(several) else ""
    label = several[0].axis if len(several) == 1 else f"{what}{left} [{unit}]"
    return lambda axes: draw_quantities(axes, [several[k] for k in chosen], label)


def _coordinates(run: Trajectory) -> list[Quantity]:
    """All joint coordinates as single numbers; for a ball joint, its angle of rotation from the drawing."""
    known, found = set(names(run)), []
    for joint in run.frozen.joints:
        for name in (f"{joint.name}.{coordinate}" for coordinate in joint.names):
            if name in known:
                found += quantity(run, name).parts()
            else:
                found.append(_turn(quantity(run, f"{joint.name}.quaternion"), joint.name))
    return found


def _turn(ball: Quantity, joint: str) -> Quantity:
    """The rotation angle (rad, 0 to pi) of a ball joint over time."""
    angle = 2.0 * np.arctan2(np.linalg.norm(ball.values[:, 1:], axis=1), np.abs(ball.values[:, 0]))
    return Quantity(f"{joint}, turn", ball.t, angle, (), "rad", f"turn of {joint}")


def _efforts(run: Trajectory) -> list[Quantity]:
    """Efforts of motors and of prescribed motions; those of a servo are its motors'."""
    drivers: list[Any] = [load for load in run.system.loads if isinstance(load, Motor)]
    drivers += [drive for drive in run.system.drives if not isinstance(drive, Servo)]
    return [part for driver in drivers for part in quantity(run, f"{driver.name}.effort").parts()]


def _draw_openings(axes: Any, run: Trajectory) -> None:
    for name, line_label in (("opening_metres", "apart [m]"), ("opening_radians", "twisted [rad]")):
        one = quantity(run, name)
        axes.semilogy(one.t, np.maximum(one.values, FLOOR), linewidth=0.8, label=line_label)
    axes.set_ylabel("gaps of joints\n[m], [rad]")
    beside(axes)
