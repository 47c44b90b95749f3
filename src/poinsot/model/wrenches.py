"""Forces on bodies: vectors, bushings, and users' functions of poses and velocities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from poinsot.model.body import BODY, Body, Point
from poinsot.model.given import independent_copy
from poinsot.model.guard import (
    FUNCTION,
    NUMBERS,
    TEXT,
    Kind,
    as_numbers,
    door,
    either,
    instance,
    is_number,
    maybe,
    several,
)
from poinsot.model.load import Load, LoadRow, faults_of
from poinsot.model.rotation import ROTATION, Vector, quaternion
from poinsot.model.vectors import PLANES, is_pair
from poinsot.model.words import short_repr

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = ["Bushing", "Force", "Torque", "UserForce"]

ON = instance((Body, Point), "a body or a point of one, such as body.at((x, y, z))")
LIST = Kind(lambda value: (numbers := as_numbers(value)) is not None and numbers.ndim == 1, "numbers, in a list")
VECTOR = either(NUMBERS, Kind(callable, "a function of time"))


@dataclass(frozen=True, eq=False)
class BodyVector(Load):
    """A vector acting on one body."""

    lists: ClassVar = ("vector",)
    form: ClassVar[str] = "vector"  # of a function of time
    body: Body | Point
    vector: Any = None
    frame: str = "world"
    name: str = ""

    @property
    def target(self) -> Body:
        """The body it acts on."""
        return self.body.body if isinstance(self.body, Point) else self.body

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        """The vector, when it is constant."""
        return () if callable(self.vector) or self.vector is None else ("vector",)

    def values(self) -> list[float]:
        """The three components; zeros for a function of time, and for an input of a feedback."""
        return [0.0, 0.0, 0.0] if callable(self.vector) or self.vector is None else list(self._embed(self.vector))

    def rows(self) -> list[LoadRow]:
        """The vector on its body: constant, or a user's function of time."""
        place = getattr(self, "place", None)
        law, local = self.vector if callable(self.vector) else None, self.frame == "body"
        return [LoadRow(self.kind, second=self.target, second_at=place, function=law, form=self.form, local=local)]

    def _embed(self, value: Any) -> Vector:
        assert self.system is not None
        return self.system.vector(value, self.label())

    def bodies(self) -> tuple[Body, ...]:
        """The body."""
        return (self.target,)

    def faults(self) -> list[str]:
        """Also an unknown frame and the ground as target."""
        found = [] if callable(self.vector) else super().faults()
        if self.frame not in ("world", "body"):
            found.append(f"{self.label()}: frame must be 'world' or 'body', not {short_repr(self.frame)}")
        if self.target.name == "ground":
            found.append(f"{self.label()}: acts on the ground, which does not move; give a body")
        if not found:
            found += faults_of(self.values)
        if self.vector is None and self.system is not None and not self.system.is_input(self):
            found.append(f"{self.label()}: has no vector; give one, or a function of time, or make it an input of a po.Feedback")
        return found


@door(body=ON, vector=maybe(VECTOR), frame=TEXT, name=TEXT)
@dataclass(frozen=True, eq=False)
class Force(BodyVector):
    """A force on a body.

    Parameters
    ----------
    body : the body, or a point of it, such as `body.at((x, y, z))`
    vector : N (two numbers in a planar system): constant, or a function of time; without it, an input of a feedback
    frame : axes of the vector: "world", or "body", which turn with the body
    name : of the element; results are `run[name].effort` (N, world axes) and `.power` (W)
    at : where it acts: a world point of the drawing (m) or a point of the body; default: the centre of mass
    """

    kind: ClassVar[str] = "force"
    arrow: ClassVar[str] = "force"
    at: Any = None

    def attach(self, system: System) -> None:
        """Resolve the point."""
        super().attach(system)
        given = self.body if isinstance(self.body, Point) and self.at is None else self.at
        place = (
            self.target.world(self.target.com)
            if given is None
            else system.point(given, self.target, f"{self.label()}: at")
        )
        object.__setattr__(self, "place", tuple(float(x) for x in place))


@door(body=ON, vector=maybe(VECTOR), frame=TEXT, name=TEXT)
@dataclass(frozen=True, eq=False)
class Torque(BodyVector):
    """A torque on a body.

    Parameters
    ----------
    body : the body
    vector : N m (one number in a planar system): constant, or a function of time; without it, an input of a feedback
    frame : axes of the vector: "world", or "body", which turn with the body
    name : of the element; results are `run[name].effort` (N m) and `.power` (W)
    """

    kind: ClassVar[str] = "torque"
    form: ClassVar[str] = "spin"
    arrow: ClassVar[str] = "torque"

    def units(self) -> dict[str, str]:
        """N m."""
        return {"effort": "N m"}

    def _embed(self, value: Any) -> Vector:
        assert self.system is not None
        return self.system.spin(value, self.label())


@door(first=BODY, second=BODY, stiffness=NUMBERS, damping=maybe(NUMBERS), rotation=maybe(ROTATION), name=TEXT)
@dataclass(frozen=True, eq=False)
class Bushing(Load):
    """Six springs and six dampers between two frames, one on either body: three of displacements, three of rotations.

    With d the displacement of the second point, relative to the first frame and in its axes, and phi the rotation vector (rad, shortest)
    of the second frame relative to the first, the potential energy is (sum k_i d_i^2 + sum k_(i+3) phi_i^2) / 2. Dampings multiply the
    relative velocity of the second point and the relative angular velocity, in the axes of the first frame. The moment jumps at half a turn.

    Parameters
    ----------
    first, second : the bodies, or `system.ground`
    at : a point, or a pair: one on the first and one on the second body, in the world of the drawing (m), or body points
    stiffness : six numbers, three of N/m and three of N m/rad; in a planar system three: along its two axes, and about its normal
    damping : as many, N s/m and N m s/rad; default: none
    rotation : turns the axes of both frames, which are otherwise those of the world in the drawing
    name : of the element; results are `run[name].force` (N) and `.torque` (N m) on the second body at its point, and `.power`
    """

    kind: ClassVar[str] = "bushing"
    parameters: ClassVar = ("stiffness", "damping")
    lists: ClassVar = ("stiffness", "damping")
    conservative: ClassVar[bool] = True
    mutual: ClassVar[bool] = True
    drawn: ClassVar[str] = "fixed"
    arrow: ClassVar[str] = "frames"
    written: ClassVar = {"stiffness": "list", "damping": "list"}
    first: Body
    second: Body
    at: Any
    stiffness: Any
    damping: Any = None
    rotation: Any = None
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", independent_copy(self.stiffness))
        object.__setattr__(self, "rotation", independent_copy(self.rotation))
        none = [0.0] * np.size(self.stiffness)
        object.__setattr__(self, "damping", none if self.damping is None else independent_copy(self.damping))
        super().__post_init__()

    def attach(self, system: System) -> None:
        """Resolve points and axes."""
        super().attach(system)
        where = f"{self.label()}: at"
        pair = self.at if not isinstance(self.at, Point) and is_pair(self.at) else None
        if pair is None:
            place = self.at.world if isinstance(self.at, Point) else system.vector(self.at, where)
            points = (place, place)
        else:
            points = (system.point(pair[0], self.first, where), system.point(pair[1], self.second, where))
        turn = self.rotation
        if system.plane is not None and is_number(turn):
            turn = np.multiply(system.normal, float(turn))
        for name, value in (("first_at", points[0]), ("second_at", points[1]), ("axes", quaternion(turn, self.label()))):
            object.__setattr__(self, name, value)

    def rows(self) -> list[LoadRow]:
        """Displacements, then rotations."""
        given: Any = vars(self)
        ends = {name: given[name] for name in ("first", "second", "first_at", "second_at", "axes")}
        return [
            LoadRow("bushing displacement", True, weights=(1.0, 0.0), **ends),
            LoadRow("bushing rotation", True, weights=(0.0, 1.0), offset=3, **ends),
        ]

    def values(self) -> list[float]:
        """Six stiffnesses and six dampings."""
        return [*self._six("stiffness"), *self._six("damping")]

    def _six(self, name: str) -> list[float]:
        assert self.system is not None
        numbers = [float(x) for x in np.ravel(getattr(self, name))]
        if self.system.plane is None or len(numbers) != 3:  # another number of them is a fault
            return numbers
        x, y, normal = PLANES[self.system.plane]
        six = [0.0] * 6
        six[x], six[y], six[3 + normal] = numbers
        return six

    def units(self) -> dict[str, str]:
        """A force and a torque, on the second body at its point."""
        return {"force": "N", "torque": "N m"}

    def stiffnesses(self) -> list[tuple[float, bool]]:
        """All of them."""
        return [(k, n >= 3) for n, k in enumerate(self._six("stiffness"))]

    def bodies(self) -> tuple[Body, ...]:
        """The two bodies."""
        return (self.first, self.second)

    def faults(self) -> list[str]:
        """Also both frames on one body, and another number of stiffnesses or dampings."""
        found, count = super().faults(), 6 if self.system is None or self.system.plane is None else 3
        for name in self.parameters if not found else ():
            if np.shape(getattr(self, name)) != (count,):
                found.append(f"{self.label()}: {name} must be {count} numbers, not {short_repr(getattr(self, name))}")
        if self.first is self.second:
            found.append(f"{self.label()}: both frames are on body '{self.first.name}'; give two different bodies")
        return found


@door(function=FUNCTION, bodies=several(BODY, "a list of bodies"), params=LIST, name=TEXT)
@dataclass(frozen=True, eq=False)
class UserForce(Load):
    """Forces and torques on some bodies by a user's function.

    Parameters
    ----------
    function : f(t, x, params, out). x is (n, 13), one row per body: position of the origin (3), quaternion wxyz (4), velocity of the
        origin (3), angular velocity (3), all in the world. out is (n, 6), to be filled with force (N) and torque (N m) at each centre
        of mass, world axes; it is zero on entry. x and params are read-only, and nothing is returned. Compiled if Numba can,
        otherwise called as a Python function
    bodies : the n bodies
    params : numbers for the function, which may change between runs
    name : of the element; its result is `run[name].power` (W)
    """

    kind: ClassVar[str] = "user force"
    attribute_names: ClassVar = {"bodies": "on"}
    called: ClassVar = {4: "f(t, x, params, out)"}
    parameters: ClassVar = ("params",)
    lists: ClassVar = ("params",)
    function: Callable[..., Any]
    on: Sequence[Body] = ()
    params: Sequence[float] = ()
    name: str = ""

    def units(self) -> dict[str, str]:
        """Only the power is kept: what a function does is a wrench on each of its bodies."""
        return {}

    def __init__(
        self, function: Callable[..., Any], bodies: Sequence[Body] = (), params: Sequence[float] = (), name: str = ""
    ):
        for field, value in (("function", function), ("on", tuple(bodies)), ("params", tuple(params)), ("name", name)):
            object.__setattr__(self, field, value)
        self.note_unadded()

    def rows(self) -> list[LoadRow]:
        """The function, with its bodies."""
        return [LoadRow(self.kind, function=self.function, form="bodies", members=tuple(self.on))]

    def values(self) -> list[float]:
        """The parameters."""
        return [float(value) for value in self.params]

    def bodies(self) -> tuple[Body, ...]:
        """Its bodies."""
        return tuple(self.on)

    def faults(self) -> list[str]:
        """Also an empty list of bodies, and anything that is not a function."""
        found = super().faults()
        if not callable(self.function):
            found.append(f"{self.label()}: {self.function!r} is not a function f(t, x, params, out)")
        if not self.on:
            found.append(f"{self.label()}: acts on no body; give bodies=[...]")
        return found
