"""`run.summary()`: of every result its smallest and largest value and when, its mean and its root mean square."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError, SettingsError
from poinsot.model.words import short_repr, suggestion
from poinsot.results.columns import RESIDUE, columns, engineering
from poinsot.results.listing import html_table, text_table
from poinsot.results.quantities import Quantity

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

HEADER = ("result", "unit", "smallest", "at t [s]", "largest", "at t [s]", "mean", "rms")
NUMERIC = range(2, 8)
REACTION = re.compile(r"(axial_|radial_)?(force|torque|tension|effort)")


@dataclass(frozen=True)
class Line:
    """One result in numbers of its unit. Mean and rms (root mean square) are over time, by the trapezoidal rule between outputs.

    Attributes
    ----------
    smallest, largest : values at outputs; t_smallest, t_largest : the first times (s) at which they occur
    """

    name: str
    unit: str
    smallest: float
    t_smallest: float
    largest: float
    t_largest: float
    mean: float
    rms: float

    @property
    def peak(self) -> float:
        """The largest magnitude."""
        return max(abs(self.smallest), abs(self.largest))

    def row(self) -> tuple[str, ...]:
        """As text."""
        numbers = (self.smallest, self.t_smallest, self.largest, self.t_largest, self.mean, self.rms)
        return (self.name, self.unit, *(f"{number:.5g}" for number in numbers))


class Summary:
    """A table of results: print it, `summary["knee.force.norm"].rms`, `summary.to_dataframe()`.

    Attributes
    ----------
    lines : one per result
    ambiguous : names of reactions that are not unique, because constraints are redundant
    """

    def __init__(self, title: str, lines: Sequence[Line], ambiguous: Sequence[str] = ()):
        self.title, self.lines, self.ambiguous = title, list(lines), list(ambiguous)

    def __getitem__(self, name: str) -> Line:
        """The line of a result."""
        for line in self.lines:
            if line.name == name:
                return line
        raise SettingsError(f"this summary has no {short_repr(name)}; {suggestion(name, [line.name for line in self.lines])}")

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Numbers by the names of results."""
        return {line.name: {key: value for key, value in asdict(line).items() if key != "name"} for line in self.lines}

    def to_dataframe(self) -> Any:
        """A pandas DataFrame with one row per result."""
        try:
            import pandas
        except ImportError:
            raise PoinsotError("a DataFrame needs pandas: pip install 'poinsot[xarray]'") from None
        return pandas.DataFrame([asdict(line) for line in self.lines], columns=list(Line.__dataclass_fields__)).set_index("name")

    def __repr__(self) -> str:
        return "\n".join([self.title, text_table(HEADER, [line.row() for line in self.lines], NUMERIC), *self._notes()])

    def _repr_html_(self) -> str:
        table = html_table(HEADER, [line.row() for line in self.lines], self.title, NUMERIC)
        return table + "".join(f"<p>{escape(words)}</p>" for words in self._notes())

    def _notes(self) -> list[str]:
        return [f"Not unique, because constraints are redundant: {', '.join(self.ambiguous)}"] if self.ambiguous else []


def summarise(run: Trajectory, wanted: Sequence[str], degrees: bool, keep_residue: bool) -> Summary:
    """A summary of results by name; without names of joint coordinates and rates, magnitudes of reactions, efforts, powers and energies."""
    if not len(run.t):
        raise SettingsError("a run without outputs has no summary")
    found = columns(run, wanted or engineering(run), degrees, keep_residue)
    span = f"{run.t[0]:g} to {run.t[-1]:g} s, {len(run.t)} outputs"
    unsure = [one.name for one in found if _of_reaction(one.name, run.ambiguous)]
    return Summary(f"Summary of '{run.system.name}': {span}", [line_of(one) for one in found], unsure)


def _of_reaction(name: str, owners: Sequence[str]) -> bool:
    """Whether a result is (part of) a reaction of one of these elements."""
    return any(name.startswith(f"{owner}.") and REACTION.match(name[len(owner) + 1 :]) for owner in owners)


def line_of(one: Quantity) -> Line:
    """The numbers of one result."""
    v, size = one.values, float(np.abs(one.values).max())
    low, high = (int(np.argmax(edge >= edge.max() - RESIDUE * size)) for edge in (-v, v))  # the first of those that differ by rounding errors only
    rms = size * float(np.sqrt(over_time(one.t, (v / size) ** 2))) if size > 0 else 0.0  # scaled, so that squares do not overflow
    mean = size * float(over_time(one.t, v / size)) if size > 0 else 0.0
    return Line(one.name, one.unit, float(v.min()), float(one.t[low]), float(v.max()), float(one.t[high]), mean, rms)


def over_time(t: np.ndarray, values: np.ndarray) -> float:
    """Mean over time by the trapezoidal rule, whatever the distances of the outputs; of a single instant the mean of its values."""
    span = float(t[-1] - t[0])
    return float(np.trapezoid(values, t)) / span if span > 0 else float(values.mean())
