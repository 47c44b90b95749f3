"""Results by name, with their units: "energy", "link4.position", "joint1.angle", "tip.velocity.x". Plots, pages and tables show them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.joint import Ball, Joint, Motion
from poinsot.model.vectors import PLANES
from poinsot.model.words import short_repr
from poinsot.results.efforts import effort_components, slides
from poinsot.results.joint_frames import AXIAL, IN_FRAME, own_axis

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

# of the whole system: unit and description
SYSTEM = {
    "energy": ("J", "energy"),
    "kinetic": ("J", "kinetic energy"),
    "potential": ("J", "potential energy"),
    "work": ("J", "work of non-conservative forces"),
    "energy_error": ("J", "energy - work, change since the start"),
    "momentum": ("kg m/s", "momentum"),
    "angular_momentum": ("kg m^2/s", "angular momentum about the origin"),
    "opening_metres": ("m", "largest gap of the joints"),
    "opening_radians": ("rad", "largest angular gap of the joints"),
}
BODY = {
    "position": ("m", "position"),
    "com": ("m", "centre of mass"),
    "quaternion": ("1", "quaternion"),
    "angle": ("rad", "angle"),
    "velocity": ("m/s", "velocity"),
    "com_velocity": ("m/s", "velocity of the centre of mass"),
    "angular_velocity": ("rad/s", "angular velocity"),
    "angular_velocity_body": ("rad/s", "angular velocity, body axes"),
    "acceleration": ("m/s^2", "acceleration"),
    "angular_acceleration": ("rad/s^2", "angular acceleration"),
}


@dataclass(frozen=True)
class Quantity:
    """One result over time.

    Attributes
    ----------
    name : such as "joint1.angle"
    t : (n,) s
    values : (n,) of a number, (n, k) of a vector, with k names in `components`
    unit : such as "rad/s"; "1" if dimensionless; "N or N m" where components differ; empty where only a user's function knows it
    label : in words, such as "angle of joint1"
    units : of the components, where they differ
    scale : magnitude with which rounding errors are compared: of a component that of its vector; None: its own largest
    """

    name: str
    t: np.ndarray
    values: np.ndarray
    components: tuple[str, ...]
    unit: str
    label: str
    units: tuple[str, ...] = ()
    scale: float | None = None

    def parts(self) -> list[Quantity]:
        """A vector as its components, each with its own unit; a number as it is."""
        if not self.components:
            return [self]
        units = self.units or (self.unit,) * len(self.components)
        return [
            Quantity(f"{self.name}.{component}", self.t, values, (), unit, f"{component} of {self.label}", (), self.magnitude)
            for component, values, unit in zip(self.components, self.values.T, units)
        ]

    @property
    def magnitude(self) -> float:
        """Magnitude with which its rounding errors are compared."""
        return float(np.abs(self.values).max(initial=0.0)) if self.scale is None else self.scale

    def norm(self) -> Quantity:
        """The magnitude of a vector over time."""
        if not self.components or self.units or set(self.components) - set("xyz"):
            raise SettingsError(f"{self.name!r} has no 'norm': {'it is a single number' if not self.components else 'it is not a vector'}")
        lengths, label = np.linalg.norm(self.values, axis=1), f"magnitude of {self.label}"
        return Quantity(f"{self.name}.norm", self.t, lengths, (), self.unit, label, (), self.magnitude)

    def in_degrees(self) -> Quantity:
        """The same with angles in degrees: rad, rad/s and rad/s^2 become deg, deg/s and deg/s^2; others stay as they are."""
        if self.unit.split("/")[0] != "rad":
            return self
        scale = None if self.scale is None else float(np.degrees(self.scale))
        return replace(self, values=np.degrees(self.values), unit=self.unit.replace("rad", "deg", 1), scale=scale)

    @property
    def axis(self) -> str:
        """Label of a plot axis: words and unit."""
        return self.label if self.unit in ("", "1") else f"{self.label} [{self.unit}]"


def names(run: Trajectory) -> list[str]:
    """Names of all results that a run has."""
    return list(known_results(run))


def known_results(run: Trajectory) -> dict[str, tuple[str, str]]:
    """Unit and words of every result by its name; built once per run."""
    if "_results_by_name" not in run.__dict__:
        table = {name: (unit, words) for name, unit, words in _known(run)}
        for element in (*run.frozen.alike.system.loads, *run.frozen.alike.system.drives):
            name, units = f"{element.name}.effort", {unit: None for _, unit in effort_components(element)}
            if units:
                table[name] = (" or ".join(units), table[name][1])
        run.__dict__["_results_by_name"] = table
    return run.__dict__["_results_by_name"]


def quantity(run: Trajectory, name: str) -> Quantity:
    """A result by its name; a component of a vector by its name appended: "link4.position.z"."""
    known = known_results(run)
    if not isinstance(name, str):
        raise SettingsError(f"a result is selected by its name, such as 'energy' or 'joint1.angle', not by {short_repr(name)}")
    if ".euler_" in name:
        from poinsot.results.attitude import euler_quantity

        angles = euler_quantity(run, name)
        if angles is not None:
            return angles
    whole, _, component = (name, "", "") if name in known else name.rpartition(".")
    if whole not in known:
        raise SettingsError(f"this run has no result {short_repr(name)}; {_present(run, name) or _near(name, list(known))}")
    t, values, parts = _values(run, whole)
    unit, label = known[whole]
    units = tuple(unit for _, unit in effort_components(_element(run, whole))) if " or " in unit else ()
    found = Quantity(whole, t, values, parts, unit, label, units, _scale(run, whole))
    if not component:
        return found
    if component == "norm":
        return found.norm()
    if component not in parts:
        has = f"it has {', '.join(parts)}{' and norm' if set(parts) <= set('xyz') else ''}" if parts else "it is a single number"
        raise SettingsError(f"{whole!r} has no component {short_repr(component)}; {has}")
    return found.parts()[parts.index(component)]


def _present(run: Trajectory, name: str) -> str | None:
    """The present name of a rate that was called otherwise before, as a phrase."""
    owner, _, what = name.rpartition(".")
    word = next((joint.present_word(what) for joint in run.frozen.alike.joints if joint.name == owner), None)
    return f"it is called '{owner}.{word}'" if word else None


def _near(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, 4, 0.5)
    return f"did you mean {', '.join(close)}?" if close else f"it has {', '.join(known[:12])}, ..."


def _known(run: Trajectory) -> Iterator[tuple[str, str, str]]:
    """Name, unit and words of every result."""
    for name, (unit, words) in SYSTEM.items():
        if run.formulation.multipliers or not name.startswith("opening"):
            yield name, unit, words
    for body in run.frozen.alike.system.bodies:
        for name, (unit, words) in BODY.items():
            if name != "angle" or run.frozen.alike.system.plane is not None:
                yield f"{body.name}.{name}", unit, f"{words} of {body.name}"
    for joint in run.frozen.alike.joints:
        yield from _of_joint(joint)
    for constraint in run.frozen.alike.system.constraints:
        for name, unit in constraint.units().items():
            yield f"{constraint.name}.{name}", unit, f"{name} of {constraint.name}"
    for load in run.frozen.alike.system.loads:
        for name, unit in load.units().items():
            yield f"{load.name}.{name}", unit, f"{name} of {load.name}"
        if not load.inputs():  # otherwise these do its work
            yield f"{load.name}.power", "W", f"power of {load.name}"
    for drive in run.frozen.alike.system.drives:
        yield f"{drive.name}.effort", "N or N m", f"effort of {drive.name}"
        yield f"{drive.name}.power", "W", f"power of {drive.name}"


def _of_joint(joint: Joint) -> Iterator[tuple[str, str, str]]:
    for name, rate, motion in zip(joint.names, joint.rate_names, joint.motions()):
        unit = "m" if slides(motion) else "rad"
        if isinstance(motion, Ball):
            yield f"{joint.name}.quaternion", "1", f"quaternion of {joint.name}"
        else:
            yield f"{joint.name}.{name}", unit, f"{name} of {joint.name}"
        if isinstance(motion, Ball):
            yield f"{joint.name}.angular_velocity", "rad/s", f"angular velocity (first frame) of {joint.name}"
        yield f"{joint.name}.{rate}", f"{unit}/s", _rate_words(rate, name, motion, joint)
    yield f"{joint.name}.force", "N", f"reaction force in {joint.name}"
    yield f"{joint.name}.torque", "N m", f"reaction torque in {joint.name}"
    for name, (unit, words) in (IN_FRAME | (AXIAL if own_axis(joint) is not None else {})).items():
        yield f"{joint.name}.{name}", unit, f"{words} of {joint.name}"


def _scale(run: Trajectory, name: str) -> float | None:
    """Of parts of a reaction the magnitude of the whole of it; None for other results."""
    owner, _, what = name.rpartition(".")
    if what not in AXIAL:
        return None
    whole = getattr(run[owner], what.removeprefix("axial_").removeprefix("radial_") + "_body").reshape(len(run.t), -1)
    return float(np.linalg.norm(whole, axis=1).max(initial=0.0))


def _rate_words(rate: str, name: str, motion: Motion, joint: Joint) -> str:
    """The rate of a coordinate in words."""
    if isinstance(motion, Ball):
        return f"angular velocity (second frame) of {joint.name}"
    return f"velocity of {joint.name}" if rate == "velocity" else f"rate of {name} of {joint.name}"


def _values(run: Trajectory, name: str) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Times, values and names of components."""
    if name.startswith("opening_"):
        t, metres, radians = run.openings
        return t, metres if name == "opening_metres" else radians, ()
    if name == "energy_error":
        return run.t, run.energy - run.energy[0] - (run.work - run.work[0]), ()
    owner, _, what = name.rpartition(".")
    values = np.asarray(getattr(run[owner] if owner else run, what))
    values = values.reshape(len(run.t), -1) if values.ndim > 1 else values
    return run.t, values, () if values.ndim == 1 else _components(run, owner, what, values.shape[1])


def _element(run: Trajectory, name: str) -> Any:
    """The load, drive or constraint that a result is one of."""
    owner = name.rpartition(".")[0]
    return next(e for e in (*run.frozen.alike.system.loads, *run.frozen.alike.system.drives, *run.frozen.alike.system.constraints) if e.name == owner)


def _components(run: Trajectory, owner: str, what: str, count: int) -> tuple[str, ...]:
    plane = run.frozen.alike.system.plane
    if what == "quaternion":
        return ("w", "x", "y", "z")
    if what in ("effort", "power") and owner:
        called = tuple(name for name, _ in effort_components(_element(run, f"{owner}.{what}")))
        if called:
            return called
    if plane is not None and count == 2:
        return tuple("xyz"[k] for k in PLANES[plane][:2])
    return ("x", "y", "z") if count == 3 else tuple(str(k + 1) for k in range(count))
