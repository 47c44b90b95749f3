"""Forces on bodies: vectors, and users' functions of poses and velocities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from poinsot.model.body import BODY, Body, Point
from poinsot.model.guard import FUNCTION, NUMBERS, TEXT, Kind, door, either, instance, several
from poinsot.model.load import Load, faults_of
from poinsot.model.rotation import Vector
from poinsot.model.words import shown

if TYPE_CHECKING:
    from poinsot.model.system import System

ON = instance((Body, Point), "a body or a point of one, such as body.at((x, y, z))")
VECTOR = either(NUMBERS, Kind(callable, "a function of time"))


@dataclass(frozen=True, eq=False)
class BodyVector(Load):
    """A vector acting on one body."""

    lists: ClassVar = ("vector",)
    body: Body | Point
    vector: Any
    frame: str = "world"
    name: str = ""

    @property
    def target(self) -> Body:
        """The body it acts on."""
        return self.body.body if isinstance(self.body, Point) else self.body

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        """The vector, when it is constant."""
        return () if callable(self.vector) else ("vector",)

    def values(self) -> list[float]:
        """The three components; zeros for a function of time."""
        return [0.0, 0.0, 0.0] if callable(self.vector) else list(self._embed(self.vector))

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
            found.append(f"{self.label()}: frame must be 'world' or 'body', not {shown(self.frame)}")
        if self.target.name == "ground":
            found.append(f"{self.label()}: acts on the ground, which does not move; give a body")
        if not found:
            found += faults_of(self.values)
        return found


@door(body=ON, vector=VECTOR, frame=TEXT, name=TEXT)
@dataclass(frozen=True, eq=False)
class Force(BodyVector):
    """A force (N): a vector or a function of time, in world or body axes, at a point of the body (world point of the
    drawing; default: the centre of mass).
    """

    kind: ClassVar[str] = "force"
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


@door(body=ON, vector=VECTOR, frame=TEXT, name=TEXT)
@dataclass(frozen=True, eq=False)
class Torque(BodyVector):
    """A torque (N m): a vector (in a planar system a number) or a function of time, in world or body axes."""

    kind: ClassVar[str] = "torque"

    def _embed(self, value: Any) -> Vector:
        assert self.system is not None
        return self.system.spin(value, self.label())


@door(function=FUNCTION, bodies=several(BODY, "a list of bodies"), params=NUMBERS, name=TEXT)
@dataclass(frozen=True, eq=False)
class UserForce(Load):
    """A user's function f(t, x, params, out) of some bodies.

    x is (n, 13), one row per body: position of the origin (3), quaternion wxyz (4), velocity of the origin (3),
    angular velocity (3), all in the world. out is (n, 6), to be filled with force (N) and torque (N m) at each centre
    of mass, world axes; it is zero on entry. x and params are read-only, and nothing is returned. Compiled if Numba can,
    otherwise called as a Python function.
    """

    kind: ClassVar[str] = "user force"
    kept_as: ClassVar = {"bodies": "on"}
    parameters: ClassVar = ("params",)
    lists: ClassVar = ("params",)
    function: Callable[..., Any]
    on: Sequence[Body] = ()
    params: Sequence[float] = ()
    name: str = ""

    def __init__(
        self, function: Callable[..., Any], bodies: Sequence[Body] = (), params: Sequence[float] = (), name: str = ""
    ):
        for field, value in (("function", function), ("on", tuple(bodies)), ("params", tuple(params)), ("name", name)):
            object.__setattr__(self, field, value)
        self.remembered()

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
