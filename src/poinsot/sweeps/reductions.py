"""What is kept of a run: results by name, one number or vector of each (`po.last`, `po.largest`, `po.mean`), functions of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.files.models.functions import function_name
from poinsot.model.guard import TEXT, as_numbers, settings_door
from poinsot.model.words import short_repr
from poinsot.results.quantities import Quantity, names, quantity
from poinsot.results.trajectory import Trajectory

EVERYTHING = "everything"


def _last(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    return values[-1]


def _length(values: np.ndarray, vector: bool) -> np.ndarray:
    """A number as it is, the length of a vector; its squares are added one after the other, so that bits do not depend on shapes."""
    if not vector:
        return values
    total = values[..., 0] * values[..., 0]
    for k in range(1, values.shape[-1]):
        total = total + values[..., k] * values[..., k]
    return np.sqrt(total)


def _mean(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """By the trapezoidal rule; summed one after the other, so that bits do not depend on shapes."""
    if len(t) < 2:
        return values[-1]
    spans = np.diff(t).reshape(-1, *(1,) * (values.ndim - 1))
    return np.cumsum(spans * (0.5 * (values[1:] + values[:-1])), axis=0)[-1] / (t[-1] - t[0])


@dataclass(frozen=True)
class Reduction:
    """One number, or one vector, of a result over time; made by `po.last`, `po.largest`, `po.smallest` and `po.mean`."""

    kind: str
    result: str

    def __str__(self) -> str:
        return f"{self.kind}({self.result})"

    @property
    def of_length(self) -> bool:
        """Whether a vector is judged by its length."""
        return self.kind in ("largest", "smallest")

    def of(self, t: np.ndarray, values: np.ndarray, vector: bool) -> np.ndarray:
        """The reduction of values over time, which is their first axis; `vector`: the last axis are components."""
        if self.kind == "last":
            return _last(t, values)
        if self.kind == "mean":
            return _mean(t, values)
        lengths = _length(values, vector)
        return lengths.max(axis=0) if self.kind == "largest" else lengths.min(axis=0)


@settings_door(result=TEXT)
def last(result: str) -> Reduction:
    """Keep the last value of a result: `record=[po.last("link4.position")]`."""
    return Reduction("last", result)


@settings_door(result=TEXT)
def largest(result: str) -> Reduction:
    """Keep the largest value of a result at all outputs; of a vector its largest length."""
    return Reduction("largest", result)


@settings_door(result=TEXT)
def smallest(result: str) -> Reduction:
    """Keep the smallest value of a result at all outputs; of a vector its smallest length."""
    return Reduction("smallest", result)


@settings_door(result=TEXT)
def mean(result: str) -> Reduction:
    """Keep the mean of a result over time, by the trapezoidal rule between outputs."""
    return Reduction("mean", result)


@dataclass(frozen=True)
class Kept:
    """One thing that is kept of every run, under a name: the result of that name at all outputs, a reduction, or a function of the run."""

    name: str
    what: str | Reduction | Callable[[Trajectory], Any]

    @property
    def series(self) -> bool:
        """Whether it has a value at every output."""
        return isinstance(self.what, str)

    @property
    def result(self) -> str | None:
        """Name of the result that is needed; None of a function."""
        return self.what if isinstance(self.what, str) else self.what.result if isinstance(self.what, Reduction) else None

    def of(self, run: Trajectory) -> tuple[np.ndarray, Quantity | None]:
        """Its value, and the result from which it is taken; a SettingsError if a function does not give numbers."""
        if isinstance(self.what, str | Reduction):
            found = quantity(run, str(self.result))
            return (found.values if isinstance(self.what, str) else self.what.of(found.t, found.values, bool(found.components))), found
        values = as_numbers(self.what(run))
        if values is None or not np.all(np.isfinite(values)):
            raise SettingsError(f"record '{self.name}' must give finite numbers, not {short_repr(values)}")
        return values, None


def read_records(record: Any) -> tuple[Kept, ...]:
    """What is given as `record=`; "everything" stays one entry, whose names are known when the first variant has run."""
    if record is None:
        return ()
    if isinstance(record, dict):
        found = [Kept(str(name), _what(what)) for name, what in record.items()]
    elif isinstance(record, list | tuple):
        found = [Kept(_name(what), _what(what)) for what in record]
    else:
        found = [Kept(_name(record), _what(record))]
    doubled = [kept.name for k, kept in enumerate(found) if kept.name in [other.name for other in found[:k]]]
    if doubled:
        raise SettingsError(f"record: there are two of the name '{doubled[0]}'; give a dictionary of names, such as {{'height': f}}")
    return tuple(found)


def _what(what: Any) -> Any:
    if isinstance(what, str | Reduction) or callable(what):
        return what
    raise SettingsError(
        "record must be names of results such as 'energy', reductions such as po.last('link4.position'), or functions of the run, "
        f"not {short_repr(what)}"
    )


def _name(what: Any) -> str:
    return str(what) if isinstance(_what(what), str | Reduction) else function_name(what).rpartition(".")[2]


def resolved(records: Sequence[Kept], run: Trajectory) -> tuple[Kept, ...]:
    """The same with the names of all results in place of "everything"; those known at some outputs only are left out."""
    if not any(kept.what == EVERYTHING for kept in records):
        return tuple(records)
    others = [kept for kept in records if kept.what != EVERYTHING]
    known = [name for name in names(run) if not name.startswith("opening_") and name not in [kept.name for kept in others]]
    return (*(Kept(name, name) for name in known), *others)
