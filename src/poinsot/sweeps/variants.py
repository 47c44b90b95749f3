"""The variants of a sweep: what `vary=` means, a grid of values, a list of changes, or a table."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from poinsot.errors import ModelError, SettingsError
from poinsot.formulations.registry import FORMULATIONS
from poinsot.integrators.registry import METHODS
from poinsot.model.change import check_change
from poinsot.model.given import independent_copy
from poinsot.model.guard import is_number
from poinsot.model.system import System
from poinsot.model.words import nearest, short_repr, suggestion

SETTINGS = ("step", "rtol", "atol", "tolerance", "formulation", "integrator")  # of runs, which can be varied as well
NAMED = ("formulation", "integrator")
WANTED = (
    'a dictionary of values such as {"spring1.stiffness": [10, 20]}, a list of changes such as [{"spring1.stiffness": 10}, ...], '
    "a pandas DataFrame with the names as columns, or what po.sample returns"
)
AT_ONCE = 5  # faults that one error lists


class Absent:
    """In place of a value that a change of a list does not give: it stays as it is in the system."""

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


@dataclass(frozen=True)
class Variants:
    """All variants, in order.

    Attributes
    ----------
    names : what varies
    columns : of a grid, the values of every name; otherwise for every name its value in each variant
    grid : whether every value is combined with all of the others; the last name changes fastest
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]
    grid: bool

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of every name of a grid, or number of variants."""
        return tuple(len(column) for column in self.columns) if self.grid else (len(self.columns[0]),)

    def __len__(self) -> int:
        return prod(self.shape)

    def change(self, k: int) -> dict[str, Any]:
        """The values of variant k."""
        return self.changes(range(k, k + 1))[0]

    def changes(self, members: range) -> list[dict[str, Any]]:
        """The values of some variants that follow each other."""
        numbers = np.arange(members.start, members.stop)
        places = np.unravel_index(numbers, self.shape) if self.grid else (numbers,) * len(self.names)
        columns = [[plain(column[at]) for at in where.tolist()] for column, where in zip(self.columns, places)]
        return [{name: value for name, value in zip(self.names, row) if value is not ABSENT} for row in zip(*columns)]

    def values(self, name: str) -> list[Any]:
        """All values of a name, in the order of its axis."""
        return [plain(value) for value in self.columns[self.names.index(name)]]


def plain(value: Any) -> Any:
    """A value as numbers, texts and lists of Python."""
    return value if type(value) is float else float(value) if isinstance(value, np.floating) else independent_copy(value)


def read_variants(vary: Any) -> Variants:
    """What is given as `vary=`; raises a SettingsError for anything else."""
    if isinstance(vary, dict):
        found = _grid(vary)
    elif hasattr(vary, "columns") and hasattr(vary, "to_numpy"):  # a DataFrame, which need not be installed
        found = _table(vary)
    elif isinstance(vary, list | tuple) and all(isinstance(change, dict) for change in vary):
        found = _list(vary)
    else:
        raise SettingsError(f"vary must be {WANTED}, not {short_repr(vary)}")
    if not found.names or not len(found):
        raise SettingsError(f"vary has no variants; give {WANTED}")
    return found


def _grid(vary: dict[Any, Any]) -> Variants:
    columns: list[Any] = []
    for name, given in vary.items():
        if not isinstance(name, str):
            raise SettingsError(f"vary: a name such as 'spring1.stiffness' must be a text, not {short_repr(name)}")
        if isinstance(given, str | bytes | dict | set | frozenset) or np.ndim(_shape_of(given)) == 0:
            raise SettingsError(f"vary: {name} must be several values, such as [1.0, 2.0], not {short_repr(given)}")
        values = np.asarray(given) if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "iuf" else list(given)
        if not len(values):
            raise SettingsError(f"vary: {name} has no values; give at least one")
        columns.append(values)
    return Variants(tuple(vary), tuple(columns), True)


def _shape_of(given: Any) -> Any:
    """Something whose number of dimensions tells whether there are several values; those of a list may be of different kinds."""
    if isinstance(given, list | tuple | range) or hasattr(given, "__array__"):
        return given if hasattr(given, "ndim") else [0]
    return 0


def _list(changes: Sequence[dict[str, Any]]) -> Variants:
    names = tuple(dict.fromkeys(name for change in changes for name in change))
    return Variants(names, tuple([change.get(name, ABSENT) for change in changes] for name in names), False)


def _table(table: Any) -> Variants:
    names = tuple(table.columns)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise SettingsError("vary: the columns of the table must be different names such as 'spring1.stiffness'")
    columns = tuple(table[name].to_numpy() for name in names)
    for name, column in zip(names, columns):
        if column.dtype.kind == "f" and not np.all(np.isfinite(column)):
            raise SettingsError(f"vary: column '{name}' has no finite number in row {int(np.argmin(np.isfinite(column)))}")
    return Variants(names, columns, False)


def built_names(build: Callable[..., Any] | System, names: Sequence[str]) -> tuple[str, ...]:
    """Those of the names that are arguments of a function that builds systems."""
    if isinstance(build, System):
        return ()
    known = inspect.signature(build).parameters
    return tuple(name for name in names if name in known)


def check_variants(variants: Variants, system: System, built: Sequence[str]) -> None:
    """Raise when a name or a value is wrong, with the nearest right name; `built`: arguments of the function that builds the system."""
    changed = [name for name in variants.names if name not in (*SETTINGS, *built)]
    for name in changed:
        if "." not in name and name.partition("[")[0] != "gravity":
            near = nearest(name, [*SETTINGS, "gravity"])
            words = f"; did you mean '{near[0]}'?" if near else "; write 'element.parameter', such as 'spring1.stiffness'"
            raise ModelError(f"vary: there is no '{name}'{words}")
    faults = [f"vary: {words}" for name in variants.names if name in SETTINGS for words in _setting_faults(name, variants.values(name))]
    seen = set()
    for where, change in _changes(variants, changed):
        kinds = tuple((name, kind_of(value)) for name, value in change.items())
        if kinds in seen:
            continue
        seen.add(kinds)
        try:
            check_change(system, change)
        except ModelError as error:
            faults += [f"{where}{fault.removeprefix('change: ')}" for fault in error.faults]
        if len(faults) >= AT_ONCE:
            faults.append("and perhaps more; these are the first")
            break
    if faults:
        raise ModelError(faults)


def _changes(variants: Variants, names: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that must be possible, and where it is given: every value of a grid, or every change of a list."""
    if variants.grid:
        for name in names:
            for k, value in enumerate(variants.values(name)):
                yield f"vary: value {k} of {name}: ", {name: value}
    elif names:
        for k in range(len(variants)):
            change = variants.change(k)
            yield f"vary: variant {k}: ", {name: change[name] for name in names if name in change}


def kind_of(value: Any) -> Any:
    """What tells whether a value is of the right kind: the same for all finite numbers, and for lists of the same kinds."""
    if isinstance(value, float | int) and not isinstance(value, bool):
        return "number" if abs(value) < np.inf else repr(value)
    if isinstance(value, tuple | list):
        return (type(value).__name__, *map(kind_of, value))
    return repr(value)


def _setting_faults(name: str, values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        if value is ABSENT or (value is None and name not in NAMED):
            continue
        if name not in NAMED:
            if not (is_number(value) and np.isfinite(value) and (value > 0 or (value == 0 and name == "atol"))):
                yield f"{name} must be a positive number, not {short_repr(value)}"
        elif not isinstance(value, str):
            yield f"{name} must be a name, not {short_repr(value)}"
        elif value != "auto":
            known = list(FORMULATIONS if name == "formulation" else METHODS)
            base = value.partition(":")[0] if name == "formulation" else value
            if base not in known:
                yield f"there is no {name} {short_repr(value)}; {suggestion(base, known)}"
