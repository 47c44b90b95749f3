"""Forces on joints: laws on their coordinates. Each names its parameters, which may change between runs without rebuilding the system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from poinsot.algebra.bounds import within
from poinsot.errors import ModelError
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
from poinsot.model.load import Load, LoadRow, faults_of
from poinsot.model.returned import accepts
from poinsot.model.rotation import ROTATION, quaternion
from poinsot.model.words import short_repr

__all__ = ["JointDamper", "JointSpring", "Motor", "Stop", "TorsionSpring"]

TARGET = instance((Joint, Coordinate), "a joint or one of its coordinates, such as joint.angle")
REST = maybe(either(NUMBER, ROTATION))
EFFORT = either(NUMBER, Kind(callable, "a function of time"))
LAWS = ("rotation-vector", "euler-angles")  # of a torsion spring on a ball joint
EULER_ANGLES = LAWS[1]
NO_LAW = "has no law"


@dataclass(frozen=True, eq=False)
class JointLoad(Load):
    """A law on the coordinates of a joint. `target` is a joint (all its coordinates) or one of them, such as `joint.angle`."""

    mutual: ClassVar[bool] = True
    arrow: ClassVar[str] = "coordinate"
    target: Joint | Coordinate

    def rows(self) -> list[LoadRow]:
        """The law of its kind on every motion."""
        return [LoadRow(self.kind, self.conservative, self.joint, k) for k in self.motions()]

    def units(self) -> dict[str, str]:
        """N where all that it acts on slides, otherwise N m."""
        motions = self.joint.motions()
        slides = all(isinstance(m, Translation) or (isinstance(m, Helical) and m.rot == 0) for m in (motions[k] for k in self.motions()))
        return {"effort": "N" if slides else "N m"}

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
        """Also a target that is not a joint, or a joint that cannot move."""
        if not isinstance(self.joint, Joint):
            return [f"{self.label()}: must act on a joint or one of its coordinates (joint.angle), not on {self.target!r}"]
        if not self.joint.motions():
            return [f"{self.label()}: {self.joint.label()} has no degree of freedom to act on"]
        return super().faults()


@door(target=TARGET, stiffness=NUMBER, rest=REST, name=TEXT)
@dataclass(frozen=True, eq=False)
class JointSpring(JointLoad):
    """A spring on coordinates of a joint: effort -stiffness (coordinate - rest) on each, on the second body and opposite on the first.

    On a ball joint the moment is -stiffness log(rest^-1 rotation), the shortest rotation; it jumps at half a turn.

    Parameters
    ----------
    target : a joint (all its coordinates) or one of them, such as `joint.angle`; not a translation of a free joint
    stiffness : N m/rad or N/m
    rest : where it rests: rad, m or, of a ball, a rotation in any form; default: the drawing
    name : of the element; results are `run[name].effort` (N m or N) and `.power`
    """

    kind: ClassVar[str] = "joint spring"
    parameters: ClassVar = ("stiffness",)
    conservative: ClassVar[bool] = True
    stiffness: float = 0.0
    rest: Any = 0.0
    name: str = ""

    def rows(self) -> list[LoadRow]:
        """One law for both kinds of joint springs, and one for Euler angles."""
        law = "joint spring" if self.conservative else "spring on euler angles"
        return [LoadRow(law, self.conservative, self.joint, k) for k in self.motions()]

    def changes(self) -> list[str]:
        """Also where it rests."""
        return [*super().changes(), "rest"]

    def free_form(self, parameter: str) -> bool:
        """The rest position on a ball is a rotation, in any form."""
        motions = self.joint.motions()
        return parameter == "rest" and any(isinstance(motions[k], Ball) for k in self.motions())

    def stiffnesses(self) -> list[tuple[float, bool]]:
        """Its stiffness, of a rotation unless its first coordinate slides."""
        return [(self.stiffness, getattr(self.joint.motions()[0], "rot", 1.0) != 0.0)]

    def values(self) -> list[float]:
        """Stiffness, then the rest position: one angle, or the quaternion of a ball joint."""
        if any(isinstance(self.joint.motions()[k], Ball) for k in self.motions()):
            rest = None if is_number(self.rest) and self.rest == 0 else self.rest
            return [float(self.stiffness), *quaternion(rest, self.label())]
        if not is_number(self.rest) or not within(float(self.rest)):
            raise ModelError(f"{self.label()}: rest must be a finite number, not {short_repr(self.rest)}")
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


@door(target=TARGET, stiffness=NUMBER, rest=REST, name=TEXT, law=TEXT)
@dataclass(frozen=True, eq=False)
class TorsionSpring(JointSpring):
    """A joint spring on rotations.

    Parameters
    ----------
    target : a joint that turns, or one of its angles
    stiffness : N m/rad
    rest : where it rests: an angle (rad) or, of a ball, a rotation in any form; default: the drawing
    law : how the rotation R = rest^-1 rotation of a ball is measured. "rotation-vector": log(R), the shortest rotation, as for every
        joint spring. "euler-angles": the law of saetran2018, with phi = atan2(R32, R33), theta = asin(-R31), psi = atan2(R21, R11); the
        moment on the second body is -stiffness (phi, theta, psi) in the axes of the first (turned by `rest`), opposite on the first body. It is
        non-conservative: its potential energy is 0 and its work is counted like that of a motor. It is singular at theta = +-pi/2 (gimbal
        lock), where phi and psi change rapidly by half a turn and the moment jumps; results beyond that are meaningless. The four links
        of the thesis, from rest with all joints at pi/8, reach it between t = 7.208 and 7.22 s.
    name : of the element; results are `run[name].effort` (N m, on the second body) and `.power`
    """

    kind: ClassVar[str] = "torsion spring"
    written: ClassVar = {"law": "word"}
    law: str = LAWS[0]

    @property
    def conservative(self) -> bool:  # type: ignore[override]
        """Whether its law is conservative (has a potential)."""
        return self.law != EULER_ANGLES

    def faults(self) -> list[str]:
        """Also an unknown law, one that does not apply to the joint, and a target that is not a rotation."""
        found = super().faults()
        if self.law not in LAWS:
            allowed = " or ".join(f"'{law}'" for law in LAWS)
            found.append(f"{self.label()}: law must be {allowed}, not {short_repr(self.law)}")
        elif not found and not self.conservative and not isinstance(self.joint.motions()[self.motions()[0]], Ball):
            found.append(
                f"{self.label()}: law '{EULER_ANGLES}' applies to ball joints only, not to {self.joint.label()}; leave the law out"
            )
        if not found:
            for k in self.motions():
                motion = self.joint.motions()[k]
                if isinstance(motion, Helical) and motion.rot == 0:
                    name = self.joint.names[k]
                    found.append(
                        f"{self.label()}: '{name}' of {self.joint.label()} is not a rotation; use po.JointSpring or joint.angle"
                    )
        return found


@door(target=TARGET, damping=NUMBER, name=TEXT)
@dataclass(frozen=True, eq=False)
class JointDamper(JointLoad):
    """A damper on coordinates of a joint: effort -damping * rate on each, on the second body and opposite on the first.

    Parameters
    ----------
    target : a joint (all its coordinates) or one of them, such as `joint.angle`
    damping : N m s/rad or N s/m
    name : of the element; results are `run[name].effort` (N m or N) and `.power` (W, not positive)
    """

    kind: ClassVar[str] = "joint damper"
    parameters: ClassVar = ("damping",)
    damping: float = 0.0
    name: str = ""


@door(target=TARGET, lower=NUMBER, upper=NUMBER, stiffness=NUMBER, damping=NUMBER, blend=NUMBER, name=TEXT)
@dataclass(frozen=True, eq=False)
class Stop(JointLoad):
    """Elastic ends of the range of one coordinate: no effort between its limits, a spring and a damper beyond them.

    At a depth d beyond a limit the effort is stiffness d^2 / (2 blend) up to d = blend, then stiffness (d - blend / 2), against the
    motion: it and its slope are continuous, and it has a potential. The damping sets in over the same range, and together they never pull.

    Parameters
    ----------
    target : a scalar coordinate, such as `joint.angle`, or a joint that has only one
    lower, upper : limits, rad or m
    stiffness : N m/rad or N/m
    damping : N m s/rad or N s/m
    blend : depth over which it sets in, rad or m
    name : of the element; results are `run[name].effort` (N m or N), `.power` and `.contacts`
    """

    kind: ClassVar[str] = "stop"
    written: ClassVar = {"lower": "number", "upper": "number", "blend": "number"}
    parameters: ClassVar = ("lower", "upper", "stiffness", "damping", "blend")
    conservative: ClassVar[bool] = True
    summed: ClassVar[bool] = True
    lower: float
    upper: float
    stiffness: float
    damping: float = 0.0
    blend: float = 0.01
    name: str = ""

    def rows(self) -> list[LoadRow]:
        """A potential and a damper on its coordinate."""
        return [LoadRow(law, law == self.kind, self.joint, self.motions()[0]) for law in (self.kind, "stop damper")]

    def stiffnesses(self) -> list[tuple[float, bool]]:
        """Its stiffness, of a rotation unless its coordinate slides."""
        return [(self.stiffness, getattr(self.joint.motions()[self.motions()[0]], "rot", 1.0) != 0.0)]

    def faults(self) -> list[str]:
        """Also anything but one scalar coordinate, limits in the wrong order, and laws that pull."""
        found = super().faults()
        if found:
            return found
        if len(self.motions()) != 1 or not isinstance(self.joint.motions()[self.motions()[0]], Helical):
            scalars = [name for name, motion in zip(self.joint.names, self.joint.motions()) if isinstance(motion, Helical)]
            remedy = f"name one: {', '.join(f'joint.{name}' for name in scalars)}" if scalars else "it has none"
            found.append(f"{self.label()}: acts on one scalar coordinate of {self.joint.label()}; {remedy}")
        if not self.lower < self.upper:
            found.append(f"{self.label()}: lower must be less than upper, not {self.lower!r} and {self.upper!r}")
        for name in ("stiffness", "damping"):
            if getattr(self, name) < 0:
                found.append(f"{self.label()}: {name} must not be negative, not {getattr(self, name)!r}")
        if not self.blend > 0:
            found.append(f"{self.label()}: blend must be positive (rad or m), not {self.blend!r}; a small one makes a hard stop")
        return found


@door(target=TARGET, law=maybe(EFFORT), name=TEXT, torque=maybe(EFFORT), force=maybe(EFFORT))
@dataclass(frozen=True, eq=False)
class Motor(JointLoad):
    """An effort on one coordinate of a joint, on the second body and opposite on the first; positive along the coordinate.

    Parameters
    ----------
    target : a scalar coordinate, such as `joint.angle`, or a joint that has only one
    law : a number (N m or N), a function of time `f(t)`, or a feedback law `f(t, coordinate, rate)` (rad or m, per s), without memory.
        Without a law it is an input of a servo or of a feedback, and its effort is a result
    name : of the element; results are `run[name].effort` (N m or N) and `.power` (W)
    torque, force : the same as `law`, for a rotation or a displacement
    """

    kind: ClassVar[str] = "motor"
    called: ClassVar = {1: "f(t)", 3: "f(t, coordinate, rate)"}
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
        """The law under the name of the argument by which it was given."""
        given = super().arguments()
        return given | ({"law": None} if self.torque is not None or self.force is not None else {})

    @property
    def parameters(self) -> tuple[str, ...]:  # type: ignore[override]
        """The effort, when it is a constant."""
        return () if callable(self.law) or self.law is None else ("law",)

    def changes(self) -> list[str]:
        """A constant effort, also under the name by which it was given."""
        found = super().changes()
        return found + [name for name in ("torque", "force") if found and getattr(self, name) is not None]

    def rows(self) -> list[LoadRow]:
        """An effort on its coordinate: constant, or a user's function."""
        law = self.law if callable(self.law) else None
        form = "number" if law is None or accepts(law, 1) else "feedback"
        return [LoadRow(self.kind, joint=self.joint, motion=self.motions()[0], function=law, form=form)]

    def values(self) -> list[float]:
        """The constant effort; zero for an input, whose effort a servo determines."""
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
                f"{self.label()}: {NO_LAW}; give an effort or a function of time, or make it an input of a po.Servo or po.Feedback"
            )
        return found
