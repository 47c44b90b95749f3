"""Results over time for the plots of the page: their selection, grouping and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.drives import Motion
from poinsot.model.forces import Motor
from poinsot.model.joint import Joint
from poinsot.results.quantities import Quantity, names, quantity
from poinsot.view.bearings import SUFFIX as BEARING
from poinsot.view.bearings import bearing_load, has_bearing
from poinsot.view.colours import ENERGIES
from poinsot.view.resample import extremes, pack, scattered

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 150  # largest number of quantities of a page, in addition to those requested by name
TOGETHER = 12  # largest number of quantities in one plot
READABLE, AT_FIRST = 8, 4  # curves per plot, and plots, that a page shows at first
ROUNDING = 1e-11  # relative to the scale of a quantity: what is smaller is rounding
AUDITED = ("energy_error", "opening_metres", "opening_radians")  # what the audit also tells
OF_JOINTS = ("force", "torque")
OF_BODIES = ("com", "com_velocity", "angle", "angular_velocity", "position", "velocity")


class Curves:
    """Quantities of one run as points, within a limit of bytes.

    Attributes
    ----------
    series : name to label, unit, and per component its name and packed points; energies are packed as changes since the start, `from` (J).
        What is rounding and nothing else has its largest value in `rounding`, an energy whose change is that its largest change in `still`
    left_out : how many further quantities the run has
    """

    def __init__(self, run: Trajectory, wanted: Sequence[str], budget: float):
        self.series: dict[str, Any] = {}
        further = [name for name in _by_importance(run)[:MOST] if name not in wanted]
        spent = 0.0
        for name in dict.fromkeys([*wanted, *further]):
            entry, size = _packed(run, quantity(run, name))
            if spent + size > budget and name not in wanted:
                break
            spent += size
            self.series[name] = entry
        for joint in run.system.joints:
            if f"{joint.name}.force" in self.series and has_bearing(joint):
                entry, size = _packed(run, bearing_load(run, joint))
                if spent + size > budget:
                    break
                spent += size
                self.series[f"{joint.name}.{BEARING}"] = entry
        _mark_rounding(run, self.series)
        self.left_out = sum(name not in self.series for name in names(run))


def groups(run: Trajectory, series: dict[str, Any], wanted: Sequence[str]) -> list[dict[str, Any]]:
    """The choices for a plot: some groups of quantities, then every one by itself.

    Each has a `key`, a `title`, a `section` of the chooser, a `unit`, the names of its quantities, and the number of the plot in which
    the page shows it at first, from 1; 0: not shown.
    """
    order = {name: k for k, name in enumerate(["System", *_owners(run)])}
    found = _together(run, series)
    for joint in run.system.joints:
        name = f"{joint.name}.{BEARING}"
        if name in series:
            found.append(_group(name, f"Bearing load of {joint.name}", joint.name, "N", [name], 0) | {"over": "polar"})
    alone = {name for entry in found for name in entry["of"] if len(entry["of"]) == 1}
    for name, entry in series.items():
        if name not in alone:
            owner = name.rpartition(".")[0]
            section = owner if owner in order else owner.rpartition(".")[0] or "System"  # or of a component
            found.append(_group(name, _capital(entry["label"]), section, entry["unit"], [name], 0))
    found.sort(key=lambda entry: order.get(entry["section"], len(order)))
    if not wanted:
        return _shown(run, series, found)
    for entry in found:
        if len(entry["of"]) == 1 and entry["of"][0] in wanted:
            entry["shown"] = wanted.index(entry["of"][0]) + 1
    return found


def _shown(run: Trajectory, series: dict[str, Any], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Mark up to four groups that the page shows at first: energies, coordinates, efforts, then errors."""
    by_key = {entry["key"]: entry for entry in found}
    curves = {key: sum(len(series[name]["parts"]) for name in entry["of"]) for key, entry in by_key.items()}
    coordinates = [key for key in ("driven_angles", "driven_slides") if key in by_key]
    coordinates = coordinates or [key for key in ("angles", "displacements") if curves.get(key, 99) <= READABLE]
    if not coordinates and run.system.bodies:
        coordinates = [f"{run.system.bodies[-1].name}.com"]
    further = [key for key in _further(run) if curves.get(key, 99) <= READABLE]
    order = ["energies", *coordinates, "torques", "forces", "energy_error", "opening_metres", *further]
    for rank, key in enumerate([key for key in order if key in by_key and not _is_rounding(series, by_key[key])][:AT_FIRST], 1):
        by_key[key]["shown"] = rank
    return found


def _together(run: Trajectory, series: dict[str, Any]) -> list[dict[str, Any]]:
    """Groups of quantities with one unit."""
    scalars = [f"{j.name}.{c}" for j in run.system.joints for c in j.names]
    rates = [f"{j.name}.{c}" for j in run.system.joints for c in j.rate_names]
    efforts = [e for e in run.system.loads if isinstance(e, Motor)]
    motions = [d for d in run.system.drives if isinstance(d, Motion)]
    moved = [m.joint for m in efforts] + [m.coordinate.owner for m in motions]
    driven = [s for s in scalars if any(s.startswith(f"{owner.name}.") for owner in moved if isinstance(owner, Joint))]
    driven = driven if len(scalars) > READABLE else []
    named = [e.name for e in (*efforts, *motions)]
    rows = [
        ("energies", "Energies, change since the start", "J", [*ENERGIES]),
        ("energy_error", "Energy balance: energy − work − start", "J", ["energy_error"]),
        ("driven_angles", "Angles of driven joints", "rad", driven),
        ("driven_slides", "Displacements of driven joints", "m", driven),
        ("angles", "Joint angles", "rad", scalars),
        ("displacements", "Joint displacements", "m", scalars),
        ("torques", "Efforts of motors and drives", "N m", [f"{e}.effort" for e in named]),
        ("forces", "Efforts of motors and drives", "N", [f"{e}.effort" for e in named]),
        ("powers", "Powers of motors and drives", "W", [f"{e}.power" for e in named]),
        ("turn_rates", "Joint rates", "rad/s", rates),
        ("slide_rates", "Joint rates", "m/s", rates),
        ("opening_metres", "Constraint drift: largest gap of the joints", "m", ["opening_metres"]),
        ("opening_radians", "Constraint drift: largest angular gap of the joints", "rad", ["opening_radians"]),
    ]
    found = []
    for key, title, unit, members in rows:
        present = [n for n in members if n in series and series[n]["unit"] == unit][:TOGETHER]
        if present:
            found.append(_group(key, title, "System", unit, present, 0))
    for entry in found:
        if entry["key"] == "energies":
            entry["relative"] = True
    return found


def _owners(run: Trajectory) -> list[str]:
    """Names of the elements that have results, in the order of the model: bodies, joints, constraints, loads, drives."""
    system = run.system
    return [e.name for part in (system.bodies, run.frozen.joints, system.constraints, system.loads, system.drives) for e in part]


def _further(run: Trajectory) -> list[str]:
    """What a page shows at first where it has room: rates, forces in the first joint, the motion of the last body."""
    joints, bodies = [f"{j.name}.force" for j in run.system.joints[:1]], run.system.bodies[-1:]
    return ["turn_rates", "slide_rates", *joints, *(f"{b.name}.{what}" for b in bodies for what in ("com", "angular_velocity", "com_velocity"))]


def _is_rounding(series: dict[str, Any], group: dict[str, Any]) -> bool:
    return all(("still" if group.get("relative") else "rounding") in series[name] for name in group["of"])


def _mark_rounding(run: Trajectory, series: dict[str, Any]) -> None:
    """Write into series that are rounding how large they are. Scales are the largest values of all results of the same unit.

    Of the energy balance it is the energy scale of the audit, of gaps the reach of the bodies and one radian.
    """
    bodies = run.motion[:, BODY_MOTION : BODY_MOTION * (len(run.system.bodies) + 1)].reshape(len(run.t), -1, BODY_MOTION)
    reach = float(np.abs(bodies[..., :3]).max(initial=0.0))
    scales = {"energy_error": run.audit.energy_scale, "opening_metres": reach, "opening_radians": 1.0}
    by_unit: dict[str, float] = {}
    for name, entry in series.items():
        if name not in AUDITED:
            by_unit[entry["unit"]] = max(by_unit.get(entry["unit"], 0.0), entry["largest"])
    by_unit["N m"] = max(by_unit.get("N m", 0.0), by_unit.get("J", 0.0))
    for name, entry in series.items():
        scale = scales.get(name, by_unit.get(entry["unit"], 0.0))
        if 0.0 < entry["largest"] <= ROUNDING * scale:
            entry["rounding"] = entry["largest"]
        if "change" in entry and entry["change"] <= ROUNDING * run.audit.energy_scale:
            entry["still"] = entry["change"]
        entry.pop("change", None)
        del entry["largest"]


def _group(key: str, title: str, section: str, unit: str, of: list[str], shown: int) -> dict[str, Any]:
    return {"key": key, "title": title, "section": section, "unit": unit, "of": of, "shown": shown}


def _by_importance(run: Trajectory) -> list[str]:
    """Names of quantities, those plotted at first before the others."""
    known = names(run)
    there = set(known)
    loads = [*run.system.loads, *run.system.drives, *run.system.constraints]
    coordinates = [f"{j.name}.{c}" for j in run.system.joints for c in j.names]
    first = [name for name in known if "." not in name]
    first += [f"{e.name}.{what}" for e in loads for what in ("effort", "power", "tension")]
    first += [f"{b.name}.com" for b in run.system.bodies[-1:]]
    first += coordinates + [f"{j.name}.{c}" for j in run.system.joints for c in j.rate_names]
    first += [f"{j.name}.{what}" for what in OF_JOINTS for j in run.system.joints]
    first += [f"{b.name}.{what}" for what in OF_BODIES for b in run.system.bodies]
    return [name for name in dict.fromkeys([*first, *known]) if name in there]


def _packed(run: Trajectory, found: Quantity) -> tuple[dict[str, Any], int]:
    """A quantity as the page reads it, and its size in bytes. Times count from the start of the run.

    Where not all outputs are kept, those in `common` are of the same times for all quantities, so that one can be drawn over another.
    """
    values = found.values[:, None] if found.values.ndim == 1 else found.values
    parts = []
    shared = len(found.t) == len(run.t)
    values = np.asarray(values, float)
    for k, column in enumerate(values.T):
        kept = extremes(column)
        zero = float(column[0]) if found.name in ENERGIES else 0.0
        part: dict[str, Any] = {"name": found.components[k] if found.components else "", "y": pack(column[kept] - zero)}
        if found.name in ENERGIES:
            part["from"] = zero
        if not (shared and len(kept) == len(run.t)):
            part["t"] = pack(found.t[kept] - run.t[0])
            if shared:
                part["common"] = pack(column[scattered(len(column))] - zero)
        parts.append(part)
    size = sum(len(part[key]) for part in parts for key in ("y", "t", "common") if key in part)
    entry = {"label": found.label, "unit": found.unit, "parts": parts, "largest": float(np.abs(values).max(initial=0.0))}
    if found.name in ENERGIES:
        entry["change"] = float(np.abs(values - values[0]).max())
    return entry, size


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
