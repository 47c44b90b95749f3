"""Results as labelled arrays: an xarray Dataset, a pandas DataFrame (the extra `xarray`), with units."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError, SettingsError
from poinsot.results.columns import usual
from poinsot.results.quantities import BODY, Quantity, names, quantity

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

REACTIONS = {
    "force": ("N", "reaction force on the second body"),
    "torque": ("N m", "reaction torque on the second body, at its joint frame"),
}
AXES = {"wxyz", "xyz", "xy", "xz", "yz", "yx", "zx", "zy"}  # dimensions that are named after their components


def to_xarray(run: Trajectory) -> Any:
    """All results of a run as an xarray Dataset; every variable has `units` and `long_name`.

    Of bodies `position` (t, body, xyz), `quaternion` (t, body, wxyz), `velocity`, `angular_velocity` and so on; of joints
    `reaction_force` and `reaction_torque` (t, joint, xyz), and whether they are `unique` (joint); `joint1.angle` (t),
    `motor.effort` (t) and the like by their names; of the system `energy` (t), `momentum` (t, xyz), ... A planar system
    has `xy`, or the name of its plane, instead of `xyz`, and single numbers for rotational quantities. Gaps of joints are
    given at up to 400 of the outputs, `t_opening`.
    """
    xarray = _needed("xarray")
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {"t": ("t", run.t, {"units": "s", "long_name": "time"})}
    for name in _all(run):
        one = quantity(run, name)
        dims, labels = _dimensions(one)
        if len(one.t) != len(run.t) or not np.array_equal(one.t, run.t):
            dims = ("t_opening", *dims[1:])
            coordinates["t_opening"] = ("t_opening", one.t, {"units": "s", "long_name": "time, openings"})
        variables[name] = (dims, one.values, {"units": one.unit, "long_name": one.label})
        coordinates |= labels
    bodies, joints = [body.name for body in run.system.bodies], [joint.name for joint in run.frozen.joints]
    shared = [("body", bodies, what, what, entry) for what, entry in BODY.items() if bodies]
    shared += [("joint", joints, what, f"reaction_{what}", entry) for what, entry in REACTIONS.items() if joints]
    for kind, owners, what, name, (unit, words) in shared:
        if what == "angle" and run.system.plane is None:
            continue
        each = [quantity(run, f"{owner}.{what}") for owner in owners]
        dims, labels = _dimensions(each[0])
        values = np.stack([one.values for one in each], axis=1)
        variables[name] = (("t", kind, *dims[1:]), values, {"units": unit, "long_name": words})
        coordinates |= {kind: owners, **labels}
    if joints:
        unique = [name not in run.ambiguous for name in joints]
        coordinates["unique"] = ("joint", unique, {"units": "1", "long_name": "whether the reaction is unique"})
    return xarray.Dataset(variables, coordinates, _about(run))


def to_dataframe(run: Trajectory, wanted: Sequence[str] = ()) -> Any:
    """Results by name as a pandas DataFrame over the time (s); without names: joint coordinates and rates, body positions, energies.

    Vectors have one column per component, "link4.position.z"; `attrs["units"]` gives the unit of every column.
    """
    pandas = _needed("pandas")
    columns, units = {}, {}
    for name in wanted or usual(run):
        one = quantity(run, name)
        if len(one.t) != len(run.t):
            raise SettingsError(f"{name!r} is known at {len(one.t)} of {len(run.t)} outputs only; use run.openings")
        for part in one.parts():
            columns[part.name], units[part.name] = part.values, part.unit
    table = pandas.DataFrame(columns, index=pandas.Index(run.t, name="t"))
    table.attrs["units"] = {"t": "s", **units}
    return table


def _needed(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        raise PoinsotError(f"labelled results need {package}: pip install 'poinsot[xarray]'") from None


def _about(run: Trajectory) -> dict[str, Any]:
    """Attributes of a Dataset; numbers and text only, so that every file format can store them."""
    from poinsot import __version__

    return {
        "system": run.system.name,
        "formulation": run.formulation.name,
        "integrator": run.record.integrator,
        "step": "adaptive" if run.record.step is None else float(run.record.step),
        "poinsot": __version__,
        "audit": json.dumps(run.audit.to_dict()),
    }


def _all(run: Trajectory) -> Iterator[str]:
    """Names of results that become variables of their own: all but those that bodies or joints have in common."""
    bodies, joints = {body.name for body in run.system.bodies}, {joint.name for joint in run.frozen.joints}
    for name in names(run):
        owner, _, what = name.rpartition(".")
        if owner not in bodies and not (owner in joints and what in REACTIONS):
            yield name


def _dimensions(one: Quantity) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Names of the dimensions of a result, and the labels along its components."""
    if not one.components:
        return ("t",), {}
    together = "".join(one.components)
    dim = together if together in AXES else f"{one.name.rpartition('.')[0]}.component"
    return ("t", dim), {dim: list(one.components)}
