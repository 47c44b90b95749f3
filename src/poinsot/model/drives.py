"""Drives: coordinates that follow signals. The efforts required are results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from poinsot.errors import ModelError
from poinsot.model.body import Body, Point
from poinsot.model.coordinate import Coordinate
from poinsot.model.element import Element
from poinsot.model.forces import Motor
from poinsot.model.guard import TEXT, door, instance
from poinsot.model.joint import Helical, Joint
from poinsot.model.signals import Signal
from poinsot.model.words import short_repr

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = ["Motion", "Servo"]

SEVERAL = instance((list, tuple), "a list")


@dataclass(frozen=True, eq=False)
class Drive(Element, ABC):
    """Coordinates that follow a signal, and the coordinates on which the required efforts act."""

    def __post_init__(self) -> None:
        self.note_unadded()

    def parts(self) -> tuple[Any, ...]:
        """The joints and bodies whose coordinates are prescribed."""
        owners = [coordinate.owner for coordinate in self.outputs if isinstance(coordinate, Coordinate)]
        return tuple(owner.body if isinstance(owner, Point) else owner for owner in owners)

    @property
    @abstractmethod
    def outputs(self) -> tuple[Coordinate, ...]:
        """The prescribed coordinates."""

    @property
    @abstractmethod
    def inputs(self) -> tuple[Coordinate, ...]:
        """The coordinates on which the efforts act."""

    @property
    @abstractmethod
    def signal(self) -> Signal:
        """The signal that the outputs follow."""

    @abstractmethod
    def motors(self) -> tuple[Motor | None, ...]:
        """The motor of every input; None: the drive itself reports its effort."""

    def words(self) -> str:
        """A sentence: which coordinates follow a signal, and by which motors."""
        named = [motor.name for motor in self.motors() if motor is not None]
        verb = "follows" if len(self.outputs) == 1 else "follow"
        by = f" by {', '.join(named)}" if named else ""
        return f"{self.label().capitalize()}: {', '.join(map(_in_words, self.outputs))} {verb} a signal{by}."

    def faults(self) -> list[str]:
        """Coordinates that are not scalar or belong to another system; a signal of the wrong size."""
        found = [
            fault for c in {id(c): c for c in (*self.outputs, *self.inputs)}.values() if (fault := _fault(self, c))
        ]
        found += self._taken()
        if isinstance(self.signal, Signal) and self.signal.size != len(self.outputs):
            given, wanted = _count(self.signal.size, "number"), _count(len(self.outputs), "coordinate")
            found.append(f"{self.label()}: its signal has {given} for {wanted}")
        return found

    def _taken(self) -> list[str]:
        """Coordinates that follow another signal already, and motors that are inputs already."""
        found, mine = [], [(self, coordinate) for coordinate in self.outputs if isinstance(coordinate, Coordinate)]
        drives = self.system.drives if self.system else []
        before = drives[: drives.index(self)] if self in drives else []
        others = [(drive, coordinate) for drive in before for coordinate in drive.outputs]
        for k, (_, coordinate) in enumerate(mine):
            for drive in [drive for drive, other in others + mine[:k] if other == coordinate][:1]:
                found.append(f"{self.label()}: {coordinate!r} is already prescribed by {drive.label()}; prescribe it once")
        used = [(drive, motor) for drive in before for motor in drive.motors() if motor is not None]
        for k, motor in enumerate(self.motors()):
            taken = used + [(self, other) for other in self.motors()[:k] if other is not None]
            for drive in [drive for drive, other in taken if other is motor][:1]:
                name = "" if motor is None else motor.label()
                found.append(f"{self.label()}: {name} is already an input of {drive.label()}; give another motor")
        return found


@door(name=TEXT)
@dataclass(frozen=True, eq=False)
class Motion(Drive):
    """One coordinate follows a signal; the effort that this takes is a result.

    Parameters
    ----------
    coordinate : `joint.angle`, `joint.displacement`, or a coordinate of a point in the world, such as `tip.x`
    signal : a po.Signal or a function of time, rad or m
    name : of the element; results are `run[name].effort` (N m or N, positive along the coordinate) and `.power` (W)
    """

    kind: ClassVar[str] = "motion"
    attribute_names: ClassVar = {"signal": "given_signal"}
    coordinate: Coordinate
    given_signal: Any
    name: str = ""

    def __init__(self, coordinate: Coordinate, signal: Any, name: str = ""):
        object.__setattr__(self, "coordinate", coordinate)
        object.__setattr__(self, "given_signal", signal)
        object.__setattr__(self, "name", name)
        self.note_unadded()

    def attach(self, system: System) -> None:
        """Turn a function or a number into a signal."""
        super().attach(system)
        object.__setattr__(self, "_signal", _signal(self, self.given_signal))

    @property
    def outputs(self) -> tuple[Coordinate, ...]:
        """The coordinate."""
        return (self.coordinate,)

    @property
    def inputs(self) -> tuple[Coordinate, ...]:
        """The same coordinate."""
        return (self.coordinate,)

    @property
    def signal(self) -> Signal:
        """The signal it follows."""
        return self._signal  # type: ignore[attr-defined]

    def motors(self) -> tuple[Motor | None, ...]:
        """None: the effort is the motion's own."""
        return (None,)


@door(outputs=SEVERAL, inputs=SEVERAL, name=TEXT)
@dataclass(frozen=True, eq=False)
class Servo(Drive):
    """Outputs follow a target by the efforts of as many inputs: motors without a law, whose efforts are results.

    Parameters
    ----------
    outputs : coordinates of joints, points and bodies
    target : a po.Signal or a function of time with as many numbers, rad or m
    inputs : as many motors without a law
    name : of the element; results are `run[name].effort` (one column per motor) and `.power`, and those of the motors
    """

    kind: ClassVar[str] = "servo"
    written: ClassVar = {"target": "law"}
    attribute_names: ClassVar = {"outputs": "to_follow", "inputs": "by"}
    to_follow: Sequence[Coordinate]
    target: Any
    by: Sequence[Motor]
    name: str = ""

    def __init__(self, outputs: Sequence[Coordinate], target: Any, inputs: Sequence[Motor], name: str = ""):
        object.__setattr__(self, "to_follow", tuple(outputs))
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "by", tuple(inputs))
        object.__setattr__(self, "name", name)
        self.note_unadded()

    def attach(self, system: System) -> None:
        """Turn a function into a signal."""
        super().attach(system)
        for motor in self.by:
            if not isinstance(motor, Motor):
                raise ModelError(f"{self.label()}: inputs must be motors without a law, not {short_repr(motor)}")
        object.__setattr__(self, "_signal", _signal(self, self.target))

    @property
    def outputs(self) -> tuple[Coordinate, ...]:
        """The coordinates that follow the target."""
        return tuple(self.to_follow)

    @property
    def inputs(self) -> tuple[Coordinate, ...]:
        """The coordinates of the motors."""
        return tuple(_motor_coordinate(motor) for motor in self.by)

    @property
    def signal(self) -> Signal:
        """The target."""
        return self._signal  # type: ignore[attr-defined]

    def motors(self) -> tuple[Motor | None, ...]:
        """The inputs."""
        return tuple(self.by)

    def faults(self) -> list[str]:
        """Also numbers of inputs and outputs that differ, motors that have a law or belong to another system."""
        found = super().faults()
        if len(self.outputs) != len(self.by):
            found.append(
                f"{self.label()}: has {_count(len(self.outputs), 'output')} and {_count(len(self.by), 'input')}; give the same number of each"
            )
        for motor in self.by:
            if motor.law is not None:
                found.append(f"{self.label()}: its input {motor.label()} has a law; leave it out to make it an input")
            if motor.system is not self.system:
                found.append(f"{self.label()}: its input {motor.label()} is not part of this system; add it first")
        return found


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _motor_coordinate(motor: Motor) -> Coordinate:
    target = motor.target
    if isinstance(target, Coordinate):
        return target
    return Coordinate(target, target.names[motor.motions()[0]] if target.names else "")  # `faults` reports a joint that does not move


def _signal(drive: Drive, given: Any) -> Signal:
    if isinstance(given, Signal):
        return given
    if callable(given):
        return Signal(given)
    raise ModelError(f"{drive.label()}: must follow a po.Signal or a function of time, not {short_repr(given)}")


def _in_words(coordinate: Any) -> str:
    """A coordinate as it is written: of the origin or an end of a body by name, of another point with its place in the body frame (m)."""
    owner = coordinate.owner if isinstance(coordinate, Coordinate) else None
    if not isinstance(owner, Point):
        return repr(coordinate)
    body, place = owner.body, owner.position
    if not any(place):
        return f"{body.name}.{coordinate.name}"
    for end, known in zip(("start", "end"), body.ends or ()):
        if place == known:
            return f"{body.name}.{end}.{coordinate.name}"
    plane = body.system.plane if body.system is not None else None
    numbers = ", ".join(f"{place['xyz'.index(axis)]:.6g}" for axis in plane or "xyz")
    return f"{body.name}.at(({numbers})).{coordinate.name}"


def _fault(drive: Drive, coordinate: Any) -> str | None:
    label = drive.label()
    if not isinstance(coordinate, Coordinate):
        return f"{label}: {short_repr(coordinate)} is not a coordinate; give joint.angle, joint.displacement, point.x, body.x, body.angle or similar"
    owner = coordinate.owner
    if isinstance(owner, Joint):
        place = owner.names.index(coordinate.name) if coordinate.name in owner.names else -1
        if place < 0 or not isinstance(owner.motions()[place], Helical):
            return f"{label}: {coordinate!r} is not a scalar coordinate of {owner.label()}"
        home: Any = owner.system
    elif isinstance(owner, Body):
        if owner.system is not None and owner.system.plane is None:
            return f"{label}: {coordinate!r}: a body has an angle in planar systems only; drive a joint, or points of the body"
        home = owner.system
    else:
        home = owner.body.system if isinstance(owner, Point) else None
    return None if home is drive.system else f"{label}: {coordinate!r} belongs to another system"
