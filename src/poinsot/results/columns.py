"""Columns of tables: chosen results as single numbers over time, with units, in degrees if wanted, without rounding residue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.words import short_repr
from poinsot.results.quantities import Quantity, names, quantity

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

RESIDUE = 1e-12  # of the magnitude of a result: smaller numbers are rounding errors and are shown as 0


def usual(run: Trajectory) -> list[str]:
    """Joint coordinates and rates, positions of bodies, energies."""
    joints = {joint.name: {*joint.names, *joint.rate_names, "quaternion"} for joint in run.frozen.joints}
    bodies = {body.name for body in run.system.bodies}
    chosen = []
    for name in names(run):
        owner, _, what = name.rpartition(".")
        if what in joints.get(owner, ()) or owner in bodies and what in ("position", "angle"):
            chosen.append(name)
    return [*chosen, "kinetic", "potential", "energy", "work"]


def engineering(run: Trajectory) -> list[str]:
    """Joint coordinates and rates, magnitudes of reactions, efforts and powers, energies."""
    joints = {joint.name: {*joint.names, *joint.rate_names} for joint in run.frozen.joints}
    bodies, chosen = {body.name for body in run.system.bodies}, []
    planar = run.system.plane is not None
    for name in names(run):
        owner, _, what = name.rpartition(".")
        if owner in joints and what in ("force", "torque"):
            chosen.append(name if planar and what == "torque" else f"{name}.norm")
        elif what in joints.get(owner, ()) or (owner and owner not in joints and owner not in bodies):
            chosen.append(name)
    return [*chosen, "kinetic", "potential", "energy", "work"]


def expanded(run: Trajectory, wanted: Sequence[Any]) -> list[str]:
    """Names of results; patterns such as "knee.*" become all names that they match."""
    known, found = names(run), []
    for name in wanted:
        if isinstance(name, str) and any(sign in name for sign in "*?") and name not in known:
            matching = [one for one in known if fnmatchcase(one, name) and not one.startswith("opening_")]
            if not matching:
                raise SettingsError(f"no result of this run matches {short_repr(name)}; print(run.names()) lists them")
            found += matching
        else:
            found.append(name)
    return list(dict.fromkeys(found))


def columns(run: Trajectory, wanted: Sequence[Any], degrees: bool = False, keep_residue: bool = False) -> list[Quantity]:
    """Results by name as single numbers over time, vectors as their components; all at the outputs of the run."""
    found = []
    for name in expanded(run, wanted):
        one = quantity(run, name)
        if len(one.t) != len(run.t):
            raise SettingsError(f"{name!r} is known at {len(one.t)} of {len(run.t)} outputs only; use run.openings")
        for part in one.parts():
            kept = part if keep_residue else replace(part, values=without_residue(part.values, part.magnitude))
            found.append(kept.in_degrees() if degrees else kept)
    return found


def without_residue(values: np.ndarray, magnitude: float) -> np.ndarray:
    """The same with zeros in place of numbers below 1e-12 of a magnitude."""
    return np.where(np.abs(values) < RESIDUE * magnitude, 0.0, values)


def heading(one: Quantity) -> str:
    """Name and unit of a column: "hinge.angle [rad]"."""
    return one.name if one.unit in ("", "1") else f"{one.name} [{one.unit}]"
