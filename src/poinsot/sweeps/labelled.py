"""A sweep as labelled arrays: an xarray Dataset, a pandas DataFrame (the extra `xarray`)."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.model.guard import is_number
from poinsot.sweeps.figures import FIGURES
from poinsot.sweeps.variants import ABSENT

if TYPE_CHECKING:
    from poinsot.sweeps.result import Sweep

VARIANT = "variant"
NOT_DONE = "not done: the sweep was stopped before"


def axis_values(sweep: Sweep, name: str) -> np.ndarray:
    """The values of a parameter along its axis: numbers, or texts where they are something else."""
    values = sweep.task.variants.values(name)
    if all(is_number(value) for value in values):
        return np.array(values, float)
    return np.array([describe(value) for value in values])


def describe(value: Any) -> str:
    """A value in words."""
    return "as in the system" if value is ABSENT else value if isinstance(value, str) else json.dumps(value)


def dataset(sweep: Sweep) -> Any:
    """The results over the parameters; `failed` and `failure` tell which variants have none, and why."""
    xarray, variants = _needed("xarray"), sweep.task.variants
    dims = variants.names if variants.grid else (VARIANT,)
    coordinates: dict[str, Any] = {} if variants.grid else {VARIANT: np.arange(len(variants))}
    for name in variants.names:
        coordinates[name] = (name if variants.grid else VARIANT, axis_values(sweep, name))
    variables: dict[str, Any] = {}
    for spec in sweep.task.specs:
        variables[spec.name] = ((*dims, *spec.dims), sweep.values(spec.name), {"units": spec.unit, "long_name": spec.words})
        if spec.series:
            coordinates["t"] = ("t", sweep.t, {"units": "s", "long_name": "time"})
        if spec.labels:
            coordinates[spec.dims[-1]] = list(spec.labels)
    for name, unit in FIGURES.items():
        variables[f"audit.{name}"] = (dims, sweep.figure_values(name), {"units": unit})
    messages = np.array(_messages(sweep)).reshape(variants.shape)
    variables["failed"] = (dims, messages != "", {"units": "1"})
    variables["failure"] = (dims, messages, {})
    return xarray.Dataset(variables, coordinates, _about(sweep))


def _about(sweep: Sweep) -> dict[str, Any]:
    from poinsot import __version__

    options = {name: "" if value is None else value for name, value in sweep.task.options.items()}
    return {"duration": sweep.task.duration, **options, "complete": int(sweep.complete), "lanes": sweep.lanes, "poinsot": __version__}


def dataframe(sweep: Sweep) -> Any:
    """One row per variant; vectors have one column per component, "last(link4.position).z"."""
    pandas, variants = _needed("pandas"), sweep.task.variants
    columns: dict[str, Any] = {}
    grids = np.unravel_index(np.arange(len(variants)), variants.shape) if variants.grid else None
    for k, name in enumerate(variants.names):
        values = axis_values(sweep, name)
        columns[name] = values if grids is None else values[grids[k]]
    for spec, values in zip(sweep.task.specs, sweep.store.values):
        if spec.series:
            continue
        flat = values.reshape(len(variants), -1)
        labels = spec.labels or tuple(str(k + 1) for k in range(flat.shape[1]))
        for j in range(flat.shape[1]):
            columns[f"{spec.name}.{labels[j]}" if spec.shape else spec.name] = flat[:, j]
    for k, name in enumerate(FIGURES):
        columns[f"audit.{name}"] = sweep.store.figures[:, k]
    messages = _messages(sweep)
    columns |= {"failed": [bool(message) for message in messages], "failure": messages}
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(variants), name=VARIANT))


def _messages(sweep: Sweep) -> list[str]:
    """Of every variant why it has no results; empty if it has."""
    found, task = [""] * len(sweep), sweep.task
    for batch in np.nonzero(~sweep.store.done)[0].tolist():
        for k in task.members(batch):
            found[k] = NOT_DONE
    for k, message in sweep.store.failures.items():
        found[k] = message
    return found


def _needed(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise PoinsotError(f"labelled results need {package}: pip install 'poinsot[xarray]'") from None
