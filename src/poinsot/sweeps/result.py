"""The result of `po.sweep`: labelled arrays over the parameters, with the audit's figures and what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.guard import PATH, settings_door
from poinsot.model.words import NearNames, short_repr, suggestion
from poinsot.results.trajectory import Trajectory, read_only
from poinsot.sweeps.figures import FIGURES
from poinsot.sweeps.store import Memory
from poinsot.sweeps.task import Task
from poinsot.sweeps.work import Bench

LISTED = 5  # failures that are listed


class Failure(NamedTuple):
    """A variant that failed: its number, its values, and why."""

    variant: int
    change: dict[str, Any]
    message: str

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.change.items())
        return f"variant {self.variant} ({values}): {self.message}"


class Sweep(NearNames):
    """What a sweep kept. `print` it for a summary; `sweep["last(energy)"]` is a result over the parameters.

    Attributes
    ----------
    t : times of outputs (s), where results at all outputs are kept
    complete : whether all variants were done; False after Ctrl-C
    engine : who did it, in words
    path : of the file with the results, if there is one
    """

    def __init__(self, task: Task, store: Memory, t: np.ndarray, engine: str = ""):
        self.task, self.store, self.t, self.engine = task, store, read_only(t), engine

    # --- numbers ---------------------------------------------------------------------------------------------------

    @property
    def path(self) -> Any:
        """The file with the results, or None."""
        return self.store.path

    @property
    def complete(self) -> bool:
        """Whether all variants were done."""
        return bool(np.all(self.store.done))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what was kept."""
        return tuple(spec.name for spec in self.task.specs)

    @property
    def failures(self) -> list[Failure]:
        """Variants that failed, and why."""
        found = sorted(self.store.failures.items())
        return [Failure(k, self.task.variants.change(k), message) for k, message in found]

    @property
    def warnings(self) -> dict[str, int]:
        """Messages of warnings, and how many variants had them."""
        return dict(self.store.warnings)

    @property
    def lanes(self) -> str:
        """How many variants ran in lanes, four at once on a core, in words; or why none did. `figure_values("lanes")` tells which."""
        done = self.store.figures[:, list(FIGURES).index("lanes")]
        count = int(np.count_nonzero(done > 0))
        if not count and self.task.lanes_words:
            return self.task.lanes_words
        rest = "" if count == len(self) else "; the others by runs of their own"
        return f"{count} of {len(self)} variants in {int(np.nanmax(done, initial=0.0))} lanes{rest}" if count else "none"

    def __len__(self) -> int:
        return len(self.task.variants)

    def values(self, name: str) -> np.ndarray:
        """A result as an array: axes of the grid (or of the variants), then those of the result; NaN where variants failed."""
        if name not in self.names:
            raise SettingsError(f"this sweep has no result {short_repr(name)}; {suggestion(name, self.names)}")
        found = self.store.values[self.names.index(name)]
        return read_only(found.reshape(*self.task.variants.shape, *found.shape[1:]))

    def figure_values(self, name: str) -> np.ndarray:
        """A figure of all audits, such as "energy_drift"; axes of the grid, or of the variants; NaN where it does not apply."""
        if name not in FIGURES:
            raise SettingsError(f"audits have no figure {short_repr(name)}; {suggestion(name, FIGURES)}")
        return read_only(self.store.figures[:, list(FIGURES).index(name)].reshape(self.task.variants.shape))

    def __getitem__(self, name: str) -> Any:
        """A variable of the dataset."""
        return self.dataset[name]

    @property
    def dataset(self) -> Any:
        """All results as an xarray Dataset; the parameters are coordinates, `audit.energy_drift` and so on the figures of audits."""
        from poinsot.sweeps.labelled import dataset

        return dataset(self)

    to_xarray = dataset.fget  # type: ignore[attr-defined]

    def to_dataframe(self) -> Any:
        """One row per variant as a pandas DataFrame: parameters, results but those at all outputs, figures of audits, failures."""
        from poinsot.sweeps.labelled import dataframe

        return dataframe(self)

    # --- runs ------------------------------------------------------------------------------------------------------

    def index(self, variant: int | Sequence[int] | dict[str, Any]) -> int:
        """The number of a variant: given as it is, by its places in the grid, or by values (the nearest are taken)."""
        from poinsot.sweeps.places import number

        return number(self.task.variants, variant)

    def run(self, variant: int | Sequence[int] | dict[str, Any]) -> Trajectory:
        """The run of a variant, computed again, to the bit."""
        return Bench(self.task).run(self.index(variant))

    @settings_door(path=PATH)
    def write_html(self, path: Any, variants: Sequence[Any], **options: Any) -> Any:
        """A page with the runs of these variants overlaid; they are computed again."""
        from poinsot.view.page import write_html

        chosen = [self.index(variant) for variant in variants]
        names = [", ".join(f"{name} {_short(value)}" for name, value in self.task.variants.change(k).items()) for k in chosen]
        return write_html([self.run(k) for k in chosen], path, **({"names": names} | options))

    def plot(self, *names: str) -> Any:
        """A matplotlib figure: curves over one parameter, maps over two of a grid, scatter matrices of more parameters and of lists.

        Parameters
        ----------
        names : of results, or of figures such as "audit.energy_drift"; default: all that are one number per variant, or curves over time
        """
        from poinsot.sweeps.plots import sweep_figure

        return sweep_figure(self, names)

    # --- words -----------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Sweep({len(self)} variants over {', '.join(self.task.variants.names)}; {len(self.store.failures)} failed)"

    def __str__(self) -> str:
        variants = self.task.variants
        shape = " x ".join(map(str, variants.shape))
        lines = [f"Sweep of {len(self)} variants ({shape}) over {', '.join(variants.names)}" + (f", {self.engine}" if self.engine else "")]
        if not self.complete:
            lines.append(f"  unfinished: {int(np.count_nonzero(self.store.done))} of {len(self.store.done)} batches are done")
        lines += [f"  {spec.name:24} {_axes(spec)}{_range(values)}{_unit(spec.unit)}" for spec, values in zip(self.task.specs, self.store.values)]
        drift, scale = (self.store.figures[:, list(FIGURES).index(name)] for name in ("energy_drift", "energy_scale"))
        known = scale > 0
        if np.any(known):
            lines.append(f"  energy                   conserved to {np.max(drift[known] / scale[known]):.2g} of the energy scale, at worst")
        if self.task.lanes:
            lines.append(f"  lanes                    {self.lanes}")
        gaps = self.store.figures[:, list(FIGURES).index("constraint_metres")]
        if np.any(np.isfinite(gaps)):
            lines.append(f"  joints                   closed to {np.nanmax(gaps):.2g} m, at worst")
        failures = self.failures
        if failures:
            lines.append(f"  failed                   {len(failures)} of {len(self)}:")
            kinds = Counter(failure.message.partition(":")[0] for failure in failures)
            lines.append("    " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
            lines += [f"    {failure}" for failure in failures[:LISTED]]
            if len(failures) > LISTED:
                lines.append(f"    ... and {len(failures) - LISTED} more, in .failures")
        lines += [f"  warning                  in {count} variants: {message}" for message, count in list(self.warnings.items())[:LISTED]]
        return "\n".join(lines)


def _axes(spec: Any) -> str:
    return f"({', '.join(spec.dims)}) " if spec.dims else ""


def _range(values: np.ndarray) -> str:
    some = values[:: max(1, len(values) // 1000)] if values.ndim > 1 else values
    finite = some[np.isfinite(some)]
    return f"{finite.min():.4g} to {finite.max():.4g}" if finite.size else "none"


def _unit(unit: str) -> str:
    return f" {unit}" if unit not in ("", "1") else ""


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
