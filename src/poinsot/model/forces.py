"""Forces: laws on coordinates and wrenches on bodies. Each names its parameters, which may change between runs without a rebuild."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from poinsot.algebra.bounds import within
from poinsot.errors import ModelError
from poinsot.model.body import BODY, Body
from poinsot.model.coordinate import Coordinate
from poinsot.model.guard import (
    NUMBER,
    TEXT,
    Kind,
    door,
    either,
    instance,
    is_number,
    maybe,
)
from poinsot.model.joint import Ball, Helical, Joint, Translation
from poinsot.model.load import Load, faults_of
from poinsot.model.rotation import quaternion
from poinsot.model.vectors import two_points
from poinsot.model.words import shown
from poinsot.model.wrenches import BodyVector, Force, Torque, UserForce

if TYPE_CHECKING:
    from poinsot.model.system import System

__all__ = [
    "BodyVector",
    "Force",
    "JointDamper",
    "JointLoad",
    "JointSpring",
    "Load",
    "Motor",
    "Spring",
    "TorsionSpring",
    "Torque",
    "UserForce",
]

TARGET = instance((Joint, Coordinate), "a joint or one of its coordinates, such as joint.angle")
EFFORT = either(NUMBER, Kind(callable, "a function of time"))
LAWS = ("rotation-vector", "euler-angles")  # of a torsion spring on a ball
EULER_ANGLES = LAWS[1]


@dataclass(frozen=True, eq=False)
class JointLoad(Load):
    """A law on the coordinates of a joint. `target` is a joint (all its coordinates) or one of them, such as `joint.angle`."""

    target: Joint | Coordinate

    def joints(self) -> tuple[Joint, ...]:
        """The joint."""
        return (self.joint,) if isinstance(self.joint, Joint) else ()

    @property
    def joint(self) -> Joint:
        """The joint it acts on."""
        return self.target.owner if isinstance(self.target, Coordinate) else self.target

    def motions(self) -> list[int]:
        """Indices of the motions it acts on, within the joint."""
        if isinstance(self.target, Coordinate):
            return [self.joint.names.index(self.target.name)]
        return list(range(len(self.joint.motions())))

    def faults(self) -> list[str]:
        """Also a target that is no joint, or a joint without freedom."""
        if not isinstance(self.joint, Joint):
            return [f"{self.label()}: acts on a joint or one of its coordinates (joint.angle), not on {self.target!r}"]
        if not self.joint.motions():
            return [f"{self.label()}: {self.joint.label()} has no freedom to act on"]
        return super().faults()


@door(target=TARGET, stiffness=NUMBER, name=TEXT)
@dataclass(frozen=True, eq=False)
class JointSpring(JointLoad):
    """Effort -stiffness (coordinate - rest) on one-freedom coordinates; on a ball the moment -stiffness log(rest^-1
    rotation) by the shortest way.

    The log law jumps at half a turn: there the shortest way changes sides. Rests in the drawing unless `rest` says
    otherwise. N m/rad or N/m.
    """

    kind: ClassVar[str] = "joint spring"
    parameters: ClassVar = ("stiffness",)
    conservative: ClassVar[bool] = True
    stiffness: float = 0.0
    rest: Any = 0.0
    name: str = ""

    def values(self) -> list[float]:
        """Stiffness, then the rest position: one angle, or the quaternion of a ball."""
        if any(isinstance(self.joint.motions()[k], Ball) for k in self.motions()):
            rest = None if is_number(self.rest) and self.rest == 0 else self.rest
            return [float(self.stiffness), *quaternion(rest, self.label())]
        if not is_number(self.rest) or not within(float(self.rest)):
            raise ModelError(f"{self.label()}: rest must be a finite number, not {shown(self.rest)}")
        return [float(self.stiffness), float(self.rest)]

    def faults(self) -> list[str]:
        """Also a rest position that cannot be read, and translations of a free joint."""
        found = super().faults()
        motions = self.joint.motions() if not found else ()
        if any(isinstance(motions[k], Translation) for k in (self.motions() if motions else ())):
            found.append(f"{self.label()}: acts on no free joint; use po.Spring between two points")
        if not found:
            found += faults_of(self.values)
        return found


@door(target=TARGET, stiffness=NUMBER, name=TEXT, law=TEXT)
@dataclass(frozen=True, eq=False)
class TorsionSpring(JointSpring):
    """A joint spring on rotations: stiffness in N m/rad.

    `law` says what it measures of a ball:

    "rotation-vector" : log(rest^-1 rotation), as every joint spring.
    "euler-angles" : the law of saetran2018. With R = rest^-1 rotation, phi = atan2(R32, R33), theta = asin(-R31) and
        psi = atan2(R21, R11), the moment on the second body is -stiffness (phi, theta, psi) in the axes of the first
        (turned by `rest`), and opposite on the first body. This law has no potential: its potential energy is 0 and
        what it does counts as work, like that of a motor. It is singular at theta = +-pi/2 (gimbal lock): near there phi
        and psi race through half a turn, where the moment jumps by 2 pi stiffness, and what follows means nothing. The
        four links of the thesis, from rest with all joints at pi/8, come to it between t = 7.208 and 7.22 s.
    """

    kind: ClassVar[str] = "torsion spring"
    law: str = LAWS[0]

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether its law has a potential."""
        return self.law != EULER_ANGLES

    def faults(self) -> list[str]:
        """Also an unknown law, one that the joint cannot have, and a target that does not turn."""
        found = super().faults()
        if self.law not in LAWS:
            allowed = " or ".join(f"'{law}'" for law in LAWS)
            found.append(f"{self.label()}: law must be {allowed}, not {shown(self.law)}")
        elif not found and not self.conservative and not isinstance(self.joint.motions()[self.motions()[0]], Ball):
            found.append(
                f"{self.label()}: law '{EULER_ANGLES}' acts on a ball, and {self.joint.label()} has none; leave the law out"
            )
        if not found:
            for k in self.motions():
                motion = self.joint.motions()[k]
                if isinstance(motion, Helical) and motion.rot == 0:
                    name = self.joint.names[k]
                    found.append(
                        f"{self.label()}: '{name}' of {self.joint.label()} is no rotation; use po.JointSpring or joint.angle"
                    )
        return found


@door(target=TARGET, damping=NUMBER, name=TEXT)
@dataclass(frozen=True, eq=False)
class JointDamper(JointLoad):
    """Effort -damping * rate on every coordinate of a joint, or on one of them. N m s/rad or N s/m."""

    kind: ClassVar[str] = "joint damper"
    parameters: ClassVar = ("damping",)
    damping: float = 0.0
    name: str = ""


@door(target=TARGET, law=maybe(EFFORT), name=TEXT, torque=maybe(EFFORT), force=maybe(EFFORT))
@dataclass(frozen=True, eq=False)
class Motor(JointLoad):
    """An effort (N m or N) on one coordinate, on the second body and opposite on the first.

    `law` is a number, a function of time `f(t)`, or a feedback law `f(t, coordinate, rate)`, without memory; `torque=` and `force=` are
    the same for a coordinate that turns or slides. Without a law it is an input of a servo, and its effort is a result.
    """

    kind: ClassVar[str] = "motor"
    law: float | Callable[..., float] | None = None
    name: str = ""
    torque: float | Callable[..., float] | None = None
    force: float | Callable[..., float] | None = None

    def __post_init__(self) -> None:
        given = [law for law in (self.law, self.torque, self.force) if law is not None]
        if len(given) > 1:
            raise ModelError(f"motor '{self.name}': give one law: law=, torque= (N m) or force= (N)")
        object.__setattr__(self, "law", given[0] if given else None)
        super().__post_init__()

    def arguments(self) -> dict[str, Any]:
        """The law under the name by which it was given."""
        given = super().arguments()
        return given | ({"law": None} if self.torque is not None or self.force is not None else {})

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        """The effort, when it is a constant."""
        return () if callable(self.law) or self.law is None else ("law",)

    def values(self) -> list[float]:
        """The constant effort; zero for an input, whose effort a servo finds."""
        return [0.0] if self.law is None else super().values()

    def faults(self) -> list[str]:
        """Also several coordinates at once, and a missing law."""
        found = super().faults()
        if not found and len(self.motions()) != 1:
            found.append(
                f"{self.label()}: {self.joint.label()} has several coordinates; name one, such as joint.{self.joint.names[-1]}"
            )
        elif not found and not isinstance(self.joint.motions()[self.motions()[0]], Helical):
            found.append(
                f"{self.label()}: {self.joint.label()} has no scalar coordinate to drive; use po.Torque or po.UserForce"
            )
        if found:
            return found
        motion = self.joint.motions()[self.motions()[0]]
        turns = isinstance(motion, Helical) and motion.rot != 0
        wrong = (
            "force" if self.force is not None and turns else "torque" if self.torque is not None and not turns else None
        )
        if wrong:
            right = "torque= (N m)" if turns else "force= (N)"
            found.append(
                f"{self.label()}: {self.joint.label()} {'turns' if turns else 'slides'} there; give {right}, not {wrong}="
            )
        if self.law is None and self.system is not None and not self.system.is_input(self):
            found.append(
                f"{self.label()}: has no law; give an effort or a function of time, or make it an input of a po.Servo"
            )
        return found


@door(first=BODY, second=BODY, stiffness=NUMBER, damping=NUMBER, length=maybe(NUMBER), name=TEXT)
@dataclass(frozen=True, eq=False)
class Spring(Load):
    """A spring-damper between two points: tension stiffness (distance - length) + damping d(distance)/dt. N/m, N s/m, m.

    `at` is a pair: the point on the first and on the second body, in the world of the drawing (or body points).
    `length` is the rest length; the distance in the drawing when not given.
    """

    kind: ClassVar[str] = "spring"
    parameters: ClassVar = ("stiffness", "damping", "length")
    conservative: ClassVar[bool] = True
    first: Body
    second: Body
    at: Any
    stiffness: float
    damping: float = 0.0
    length: float | None = None
    name: str = ""

    def attach(self, system: System) -> None:
        """Resolve the two points."""
        super().attach(system)
        where = f"{self.label()}: at"
        ends = tuple(
            system.point(p, body, where) for p, body in zip(two_points(self.at, where), (self.first, self.second))
        )
        object.__setattr__(self, "ends", ends)
        if self.length is None:
            (a, b, c), (d, e, f) = ends
            object.__setattr__(self, "length", ((a - d) ** 2 + (b - e) ** 2 + (c - f) ** 2) ** 0.5)

    def bodies(self) -> tuple[Body, ...]:
        """The two bodies."""
        return (self.first, self.second)

    def faults(self) -> list[str]:
        """Also both ends on one body."""
        found = super().faults()
        if self.first is self.second:
            found.append(f"{self.label()}: both ends are on body '{self.first.name}'; give two different bodies")
        if not found and self.length is not None and self.length < 0:
            found.append(f"{self.label()}: length must not be negative, not {self.length!r} m")
        return found
