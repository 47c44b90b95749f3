"""The result of `po.compare`: a table of runs, with plots, a page and a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poinsot.comparison.candidates import LeftOut
from poinsot.comparison.lyapunov import Growth
from poinsot.comparison.measure import Task
from poinsot.comparison.reference import Reference
from poinsot.comparison.row import Row
from poinsot.errors import PoinsotError, SettingsError
from poinsot.model.guard import NUMBER, PATH, settings_door
from poinsot.model.system import System
from poinsot.results.trajectory import Trajectory
from poinsot.simulation import simulate


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Runs of one system in many formulations and by many integrators; print it to read the table.

    Attributes
    ----------
    system : as it was compared
    rows : one `Row` per run, failed ones included
    left_out : what does not fit the system, with the reasons
    reference : what errors are measured against, `Reference`
    growth : how fast nearby motions part, `Growth`
    t : (n,) times at which runs are compared and curves are given, s
    timing : how times were measured, in words
    complete : whether all runs were done; False after Ctrl-C
    task : system and events as given, to compute runs again; None: read from a file, where runs are computed from the model in it
    """

    system: System
    rows: tuple[Row, ...]
    left_out: tuple[LeftOut, ...]
    reference: Reference
    growth: Growth
    t: np.ndarray
    timing: str
    complete: bool = True
    task: Task | None = field(default=None, repr=False)
    with_events: bool = field(default=False, repr=False)

    @property
    def duration(self) -> float:
        """s"""
        return float(self.t[-1] - self.t[0])

    @property
    def had_events(self) -> bool:
        """Whether events were given."""
        return self.with_events if self.task is None else len(self.task.events) > 0

    @property
    def succeeded(self) -> list[Row]:
        """Rows of runs that reached the end."""
        return [row for row in self.rows if not row.failure]

    @settings_door(error=NUMBER)
    def fastest(self, error: float) -> Row:
        """The run that took the least time among those with at most this error (relative to the size of the mechanism, or rad)."""
        able = [row for row in self.succeeded if row.error is not None and row.error <= error]
        if not able:
            known = [row.error for row in self.succeeded if row.error is not None]
            best = f"the smallest is {min(known):.2g}" if known else "no errors are known"
            raise SettingsError(f"no run of this comparison has an error of at most {error:g}: {best}; compare at smaller steps or tolerances")
        return min(able, key=lambda row: row.seconds or 0.0)

    def run(self, row: Row) -> Trajectory:
        """The run of a row, computed again: `simulate` with its settings, with outputs at the times of the comparison."""
        if not isinstance(row, Row):
            raise SettingsError("run: give a row of this comparison, such as comparison.rows[0]")
        if self.had_events and self.task is None:
            raise SettingsError("run: this comparison was made with events, which files do not contain; compare again to see its runs")
        return simulate(
            self.system if self.task is None else self.task.system,
            self.duration,
            start=float(self.t[0]),
            step=row.step,
            rtol=row.rtol,
            atol=row.atol,
            formulation=row.formulation,
            integrator=row.integrator,
            output_step=self.duration / (len(self.t) - 1),
            events=() if self.task is None else self.task.events,
            progress=False,
        )

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        from poinsot.comparison.table import text

        return text(self)

    def to_dict(self) -> dict[str, Any]:
        """All numbers but the curves, for JSON."""
        return {
            "system": self.system.name,
            "start": float(self.t[0]),
            "duration": self.duration,
            "times": len(self.t),
            "complete": self.complete,
            "reference": self.reference.to_dict(),
            "growth": self.growth.to_dict(),
            "timing": self.timing,
            "rows": [row.to_dict() for row in self.rows],
            "left_out": [{"name": one.name, "reason": one.reason} for one in self.left_out],
        }

    def to_dataframe(self) -> Any:
        """The rows as a pandas DataFrame; columns as the attributes of `Row`, without the curves."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise PoinsotError("tables need pandas: pip install 'poinsot[xarray]'") from None
        return DataFrame([row.to_dict() for row in self.rows])

    def plot(self) -> Any:
        """A matplotlib figure: error against computing time, one line per formulation and integrator; below, errors and drifts over time."""
        from poinsot.comparison.figures import comparison_figure

        return comparison_figure(self)

    @settings_door(path=PATH)
    def write_html(self, path: Any, rows: Sequence[Row] | None = None, **options: Any) -> Any:
        """A page with runs overlaid, up to eight: those of `rows`, or the most accurate of each formulation. They are computed again."""
        from poinsot.comparison.pages import write_page

        return write_page(self, path, rows, options)

    @settings_door(path=PATH)
    def save(self, path: Any) -> Any:
        """Write everything, curves and model included, to one file (.json), from which `po.Comparison.load` reads it back."""
        from poinsot.comparison.file import save

        return save(self, path)

    @staticmethod
    @settings_door(path=PATH)
    def load(path: Any) -> Comparison:
        """Read a comparison from its file."""
        from poinsot.comparison.file import load

        return load(path)
