"""What joints and constraints allow and prevent at the drawing, in NumPy alone: nothing is compiled.

A twist is (velocity of the point of the body that is at the reference, angular velocity), world axes; a wrench is (force, moment about the
reference). Lengths are relative to a size, so that both halves are numbers of order one. The rate of a row between two bodies is its wrench
times the twist of the second relative to the first. A joint whose two points lie apart is taken as if a rigid bar of its first body reached
to the point of the second: the gap stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.model.body import Body
from poinsot.model.constraints import Constraint, ConstraintRow
from poinsot.model.joint import Ball, Coincide, Dot, Helical, Joint, Linked, Motion, Slide
from poinsot.model.locks import Lock
from poinsot.model.rotation import matrix
from poinsot.model.user_rows import VelocityRows

Block = list[tuple[Body, np.ndarray]]  # bodies, each with the wrenches (rows, 6) on it; the products with their twists add up to the rates of rows

POSE, TWIST = 13, 6  # numbers of a body in the x of users' functions, and columns of it in what they fill


@dataclass(frozen=True)
class Scale:
    """The reference point (m, world) and the size (m) of a drawing."""

    centre: np.ndarray
    size: float

    def place(self, point: Any) -> np.ndarray:
        """A world point of the drawing relative to the reference, in sizes."""
        return (np.asarray(point, float) - self.centre) / self.size


@dataclass(frozen=True)
class Movement:
    """One rate of a joint: its coordinate, the axis of a ball or a translation, whether it turns and slides, its unit of rate in m or rad."""

    joint: Joint
    name: str
    axis: str
    turns: bool
    slides: bool
    unit: float

    def words(self) -> str:
        """What moves how, such as: knee turns."""
        verb = "screws" if self.turns and self.slides else "turns" if self.turns else "slides"
        own = self.joint.name.removeprefix("free:")
        if self.axis:
            return f"{own} {verb if self.turns else 'moves'} {'about' if self.turns else 'along'} {self.axis}"
        return f"{own} {verb}" + (f" ({self.name})" if len(self.joint.names) > 1 else "")


def movements(joint: Joint, scale: Scale, normal: np.ndarray | None) -> tuple[list[Movement], np.ndarray]:
    """The rates of a joint, and the twists (6, rates) of its second body relative to its first; only those in the plane with this normal."""
    at, found, columns = scale.place(joint.second_at), [], []
    for name, motion in zip(joint.names, joint.motions()):
        for axis, direction in _directions(motion):
            turning, sliding = _rates(motion)
            if normal is not None and not _in_plane(direction, turning, sliding, normal):
                continue
            unit = 1.0 if turning else scale.size
            spin, slide = turning * direction, sliding * direction / (scale.size if turning else 1.0)
            columns.append(np.concatenate([np.cross(at, spin) + slide, spin]))
            found.append(Movement(joint, name, axis, turning != 0.0, sliding != 0.0, unit))
    return found, np.array(columns).reshape(-1, 6).T


def joint_rows(joint: Joint, scale: Scale) -> np.ndarray:
    """Wrenches (rows, 6) of the constraint rows of a joint."""
    at, found = scale.place(joint.second_at), []
    for row in joint.rows():
        if isinstance(row, Coincide):
            found.append(_force(row.e, at))
        elif isinstance(row, Slide):
            found.append(_force(row.u, at))
        elif isinstance(row, Dot):
            found.append(_moment(np.cross(row.v, row.u)))
        elif isinstance(row, Linked):
            found.append(_force(row.u, at) - _moment(np.multiply(row.lead / scale.size, row.u)))
        else:
            raise TypeError(f"{joint.label()}: rows of kind {type(row).__name__}")
    return np.array(found).reshape(-1, 6)


def constraint_rows(constraint: Constraint, scale: Scale, joints: dict[Joint, np.ndarray]) -> list[Block]:
    """The rows of a constraint, in blocks; `joints`: the twists of every joint.

    Raises ValueError with the reason where its rows are unknown at the drawing.
    """
    if isinstance(constraint, VelocityRows):
        return [_written(constraint, scale)]
    if isinstance(constraint, Lock):
        held = [name for k, name in enumerate(constraint.joint.names) if k in constraint.held()]
        return [pair(constraint.joint.first, constraint.joint.second, _coordinates(constraint.joint, held, scale, joints))]
    number = float(getattr(constraint, constraint.parameter)) if constraint.parameter else 0.0
    found: list[Block] = []
    for row in constraint.rows():
        if row.coordinates is not None:
            block: Block = []
            for coordinate, factor in zip(row.coordinates, (1.0, -number)):
                joint = coordinate.owner
                block += pair(joint.first, joint.second, factor * _coordinates(joint, [coordinate.name], scale, joints))
            found.append(block)
        elif row.ends is not None:
            found.append(pair(row.ends[0][0], row.ends[1][0], _row(row, scale, number)[None]))
        else:
            raise ValueError(f"its rows of kind '{row.kind}' are not evaluated in a drawing")
    return found


def opening(constraint: Constraint) -> tuple[float, list[Any]]:
    """How far a constraint is from holding in the drawing (m; zero where that cannot be said), and its two points, world."""
    row = constraint.rows()[0]
    if row.ends is None or row.kind not in ("distance", "touch", "slide") or isinstance(constraint, Lock):
        return 0.0, []
    (_, a), (_, b) = row.ends
    length, way = float(getattr(constraint, constraint.parameter)), np.subtract(b, a)
    if row.kind == "distance":
        return float(np.linalg.norm(way)) - length, [a, b]
    n, f = np.array(row.u), np.zeros(3) if row.v is None else np.array(row.v)
    return float(way @ n - length * np.linalg.norm(n - (n @ f) * f)), [b - (way @ n) * n, b]


def _directions(motion: Motion) -> list[tuple[str, np.ndarray]]:
    if isinstance(motion, Helical):
        return [("", np.array(motion.axis))]
    return list(zip("xyz", np.eye(3)))


def _rates(motion: Motion) -> tuple[float, float]:
    """How much a motion turns and slides per unit of its rate."""
    if isinstance(motion, Helical):
        return motion.rot, motion.lin
    return (1.0, 0.0) if isinstance(motion, Ball) else (0.0, 1.0)


def _in_plane(direction: np.ndarray, turning: float, sliding: float, normal: np.ndarray) -> bool:
    along = abs(float(direction @ normal))
    return not (turning and along < 1 - 1e-9) and not (sliding and along > 1e-9)


def _force(direction: Any, at: np.ndarray) -> np.ndarray:
    return np.concatenate([direction, np.cross(at, direction)])


def _moment(about: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros(3), about])


def pair(first: Body, second: Body, wrenches: np.ndarray) -> Block:
    """Wrenches (rows, 6) on the second body, and the opposite ones on the first."""
    return [(first, -wrenches), (second, wrenches)]


def _coordinates(joint: Joint, names: list[str], scale: Scale, joints: dict[Joint, np.ndarray]) -> np.ndarray:
    """Wrenches (rates, 6) whose products with the relative twist are the rates of some coordinates of a joint, where its own rows hold."""
    own, twists = movements(joint, scale, None)[0], joints[joint]
    chosen = [k for k, movement in enumerate(own) if movement.name in names]
    units = np.array([own[k].unit for k in chosen])
    return units[:, None] * np.linalg.pinv(twists)[chosen]


def _row(row: ConstraintRow, scale: Scale, radius: float) -> np.ndarray:
    """Wrench (6,) of one row between points of two bodies; the equations are those of `elements/contacts.py` and `director_scalars.py`."""
    assert row.ends is not None
    a, b = (scale.place(point) for _, point in row.ends)
    r = radius / scale.size
    u, v, w = (np.zeros(3) if x is None else np.array(x) for x in (row.u, row.v, row.w))
    if row.kind == "distance":
        length = float(np.linalg.norm(b - a))
        if length == 0.0:
            raise ValueError("its two points coincide in the drawing, so that its direction is unknown")
        return _force((b - a) / length, b)
    if row.kind == "dot":
        return _moment(np.cross(v, u))
    if row.kind == "still":
        return _moment(u)
    if row.kind == "edge":
        return _force(v, b)
    k = float(u @ v)
    down = u - k * v
    s = float(np.linalg.norm(down)) or 1.0
    if row.kind == "slip":
        return _force(w, b - r / s * down)
    if row.kind in ("slide", "touch"):
        lean = r * k / s if row.kind == "touch" else 0.0
        return _force(u, b) - _moment(lean * np.cross(u, v))
    raise ValueError(f"its rows of kind '{row.kind}' are not evaluated in a drawing")


def _written(constraint: VelocityRows, scale: Scale) -> Block:
    """Rows of a user's function, called as Python with the poses of the drawing at time zero."""
    bodies = constraint.bodies()
    x, out = np.zeros((len(bodies), POSE)), np.zeros((int(constraint.count), TWIST * len(bodies) + 1))
    x[:, :3], x[:, 3:7] = [body.position for body in bodies], [body.rotation for body in bodies]
    x.flags.writeable = False
    try:
        constraint.function(0.0, x, np.array(constraint.values()), out)
    except Exception as error:
        raise ValueError(f"its function failed at the drawing: {type(error).__name__}: {error}") from None
    if not np.isfinite(out).all():
        raise ValueError("its function gave numbers that are not finite at the drawing")
    found = []
    for k, body in enumerate(bodies):
        com = scale.place(np.asarray(body.position) + matrix(body.rotation) @ np.asarray(body.com))
        force, moment = scale.size * out[:, 6 * k : 6 * k + 3], out[:, 6 * k + 3 : 6 * k + 6]
        found.append((body, np.concatenate([force, moment + np.cross(com, force)], axis=1)))
    return found
