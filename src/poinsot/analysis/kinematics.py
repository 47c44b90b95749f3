"""Kinematics of a mechanism: poses, and how the motion of a point depends on the rates of joints.

Open systems move with all their joint rates. In closed ones the rates of the tree's joints obey the rows that close the loops; motions of a point
are then given by the rates of chosen coordinates, such as those of the motors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.analysis.closing import Closing, Held
from poinsot.analysis.constraints import Geometry
from poinsot.analysis.dynamics import AT
from poinsot.analysis.held import spread
from poinsot.analysis.start import start
from poinsot.errors import ModelError
from poinsot.layout.freeze import freeze
from poinsot.layout.initial import initial_values
from poinsot.model.body import Body, Point
from poinsot.model.coordinate import Coordinate
from poinsot.model.drives import Motion
from poinsot.model.forces import NO_LAW, Motor
from poinsot.model.guard import Kind, door
from poinsot.model.joint import Joint
from poinsot.model.load import Load
from poinsot.model.snapshot import acting, idle_at_start, snapshot
from poinsot.model.system import PLANES, SYSTEM, System
from poinsot.model.words import short_repr, suggestion
from poinsot.results.state import State
from poinsot.tables.records import N_C, N_R, RATES

OPEN = 1e-6  # relative to the size of the mechanism, and rad: loops of a state that are further apart are not closed
DEPENDENT = 1e-9  # of the largest singular value: smaller ones belong to motions that the given rates do not determine
TWIST = 6
POINT = Kind(lambda value: isinstance(value, Body | Point | str), "a body, its name, or a point of a body such as body.at((x, y, z))")


class Kinematics:
    """A system without its forces.

    Attributes
    ----------
    coordinates : of all joints at the start: the initial position, with loops closed
    moving : positions, among the rates of all joints, of those of the spanning tree
    """

    def __init__(self, system: System):
        self.given = system
        system = snapshot(system)
        idle = tuple(f"{load.label()}: {NO_LAW}" for load in system.loads if isinstance(load, Motor) and load.law is None)  # no force acts here
        faults = [fault for fault in system.check(rank=False).faults if not fault.startswith(idle)]
        if faults:
            raise ModelError(faults)
        self.frozen = freeze(acting(system, idle_at_start(system)), loads=False)
        self.coordinates = start(self.frozen, *initial_values(system, self.frozen.topology), decided=False).coordinates
        self.geometry = Geometry(self.frozen)
        layout = self.frozen.layout
        nothing = np.zeros(len(layout.motions), bool)
        self.closing = Closing(self.geometry, Held(nothing, nothing))
        self.moving = np.flatnonzero(spread(self.frozen, layout.motions["link"] >= 0, True))
        self.name = f"system '{system.name}'"

    def at(self, state: State | None) -> np.ndarray:
        """Coordinates of all joints in a state, which must close the loops."""
        if state is None:
            return self.coordinates
        size = int(self.frozen.layout.sizes[N_C])
        if state.coordinates.shape != (size,):
            raise ModelError(f"a state of {self.name} has {size} coordinates, not {state.coordinates.size}")
        if not np.all(np.isfinite(state.coordinates)):
            raise ModelError("state must have finite coordinates")
        apart = float(np.abs(self.closing.evaluate(state.coordinates, state.coordinates)[2]).max(initial=0.0))
        if apart > OPEN:
            raise ModelError(
                f"{self.name}: its loops are not closed in the given state, by {apart:.3g} of its size; take one of a run or of po.assemble"
            )
        return state.coordinates

    def place(self, point: Body | Point | str) -> tuple[int, np.ndarray]:
        """The index of a body (the ground is 0) and a point in its frame (m)."""
        bodies = {"ground": self.frozen.system.ground, **{body.name: body for body in self.frozen.system.bodies}}
        name = point if isinstance(point, str) else (point.body if isinstance(point, Point) else point).name
        owner = None if isinstance(point, str) else (point.body if isinstance(point, Point) else point).system
        if name not in bodies or (owner is not None and owner is not self.given):
            raise ModelError(f"{short_repr(name)} is not a body of {self.name}; {suggestion(name, bodies)}")
        return self.frozen.topology.index[bodies[name]], np.array(point.position if isinstance(point, Point) else (0.0, 0.0, 0.0))

    def columns(self, coordinates: np.ndarray) -> np.ndarray:
        """Twists (n_moving, n_bodies, 6) of all bodies per rate of the tree's joints."""
        unit = np.eye(int(self.frozen.layout.sizes[N_R]))
        return np.array([self.geometry.states(coordinates, unit[k])[1] for k in self.moving]).reshape(len(self.moving), -1, TWIST)

    def of_point(self, place: tuple[int, np.ndarray], poses: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Velocity of a point and angular velocity of its body, world axes, (6, n), of twists (n, n_bodies, 6)."""
        body, local = place
        arm = poses[body, 3:].reshape(3, 3) @ (local - self.frozen.layout.bodies["com"][body])
        own = columns[:, body]
        return np.concatenate([own[:, :3] + np.cross(own[:, 3:], arm), own[:, 3:]], axis=1).T

    def loops(self, coordinates: np.ndarray, poses: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Rates (rows, n_moving) of the rows that close the loops, relative to the size of the mechanism, per rate of the tree's joints."""
        g, rows = self.geometry, self.closing.closing
        blocks = g.rows(poses, coordinates)[1][rows] * self.closing.unit[rows, None, None]
        return np.einsum("rsi,krsi->rk", blocks, columns[:, g.row_bodies[rows]])

    def rates(self, coordinates: np.ndarray, poses: np.ndarray, columns: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """Rates (chosen, n_moving) of chosen joint rates per rate of the tree's joints."""
        g = self.geometry
        blocks = g.joints(poses, coordinates)[1][chosen]
        found = np.einsum("rsi,krsi->rk", blocks, columns[:, g.rate_bodies[chosen]])
        own = chosen[:, None] == self.moving
        return np.where(own.any(axis=1)[:, None], own, found)

    def chosen(self, by: Any) -> tuple[np.ndarray, list[str]]:
        """Positions among the joint rates of coordinates given as joint.angle, "joint.angle", a motor or its name; and their names."""
        given = list(by) if isinstance(by, list | tuple) else [by]
        found, names = [], []
        for one in given:
            joint, coordinate = self._coordinate(one)
            layout = self.frozen.layout
            motion = layout.motions[int(layout.joints["motion"][self.frozen.joints.index(joint)]) + joint.names.index(coordinate)]
            width = int(RATES[motion["kind"]])
            found += list(range(int(motion["ir"]), int(motion["ir"]) + width))
            names += [f"{joint.name}.{coordinate}" + (f"[{k}]" if width > 1 else "") for k in range(width)]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ModelError(f"by= names {twice[0]} twice")
        return np.array(found, np.int64), names

    def _coordinate(self, one: Any) -> tuple[Joint, str]:
        system = self.frozen.system
        joints = {joint.name: joint for joint in self.frozen.joints}
        loads: dict[str, Load] = {load.name: load for load in system.loads}
        text = getattr(one, "name", one) if not isinstance(one, Coordinate) else f"{getattr(one.owner, 'name', '')}.{one.name}"
        stranger = getattr(one.owner if isinstance(one, Coordinate) else one, "system", None)
        if isinstance(text, str) and stranger in (None, self.given):
            load = loads.get(text)
            if isinstance(load, Motor):
                return joints[load.joint.name], load.joint.names[load.motions()[0]]
            name, _, coordinate = text.rpartition(".")
            if name in joints and coordinate in joints[name].names:
                return joints[name], coordinate
            if text in joints and len(joints[text].names) == 1:
                return joints[text], joints[text].names[0]
        known = [*(f"{j.name}.{c}" for j in self.frozen.joints for c in j.names), *(n for n, load in loads.items() if isinstance(load, Motor))]
        raise ModelError(f"{self.name} has no joint coordinate or motor {short_repr(text)}; {suggestion(text, known)}")

    def driven(self) -> list[str]:
        """Coordinates on which motors act, and those that motions prescribe."""
        found = [f"{m.joint.name}.{m.joint.names[m.motions()[0]]}" for m in self.frozen.system.loads if isinstance(m, Motor)]
        prescribed = [d.coordinate for d in self.frozen.system.drives if isinstance(d, Motion) and isinstance(d.coordinate.owner, Joint)]
        return list(dict.fromkeys([*found, *(f"{c.owner.name}.{c.name}" for c in prescribed)]))

    def independent(self, coordinates: np.ndarray, by: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For closed systems: poses, and twists of all bodies per rate of the chosen coordinates (m, n_bodies, 6), and of what these leave free."""
        if by is None and not (by := self.driven()):
            raise ModelError(f"{self.name} has loops and no motors: say by which coordinates it is moved, by=[joint.angle, ...]")
        chosen, names = self.chosen(by)
        poses, columns = self.geometry.poses(coordinates), self.columns(coordinates)
        size = np.where(self.geometry.rate_metres[self.moving], self.closing.reach, 1.0)  # rates relative to the size of the mechanism
        loops = self.loops(coordinates, poses, columns) * size
        wanted = self.rates(coordinates, poses, columns, chosen) * size * self.closing.rate_unit[chosen, None]
        matrix = np.concatenate([loops, wanted])
        u, s, vt = np.linalg.svd(matrix, full_matrices=True)
        rank = int((s > DEPENDENT * s.max(initial=0.0)).sum())
        right = np.concatenate([np.zeros((len(loops), len(chosen))), np.diag(self.closing.rate_unit[chosen])])
        solution = vt[:rank].T @ ((u[:, :rank].T @ right) / s[:rank, None])
        missed = np.abs(matrix @ solution - right)[len(loops) :]
        if missed.max(initial=0.0) > 1e-6 * self.closing.rate_unit[chosen].max(initial=1.0):
            worst = [names[k] for k in np.flatnonzero(missed.max(axis=1) > 1e-6 * self.closing.rate_unit[chosen].max())]
            raise ModelError(
                f"{self.name}: {', '.join(worst)} cannot move independently of the others here: there are too many of them, or this "
                "position is singular; name fewer in by="
            )
        free = np.einsum("ki,kbj->ibj", vt[rank:].T * size[:, None], columns)
        return poses, np.einsum("ki,kbj->ibj", solution * size[:, None], columns), free


@door(system=SYSTEM, point=POINT, state=AT)
def jacobian(system: System, point: Body | Point | str, state: State | None = None, by: Sequence[Any] | None = None) -> np.ndarray:
    """How the motion of a point depends on the rates of the joints: (6, n), or (3, n) in a planar system.

    Rows: velocity of the point (m/s), then angular velocity of its body (rad/s), both in world axes. Columns: without loops one per joint
    rate, joint after joint, in the order of `po.dynamics(system).rates`; ball joints have three, the angular velocity in the axes of the second
    body. With loops one per coordinate of `by`, in that order. Its transpose maps a force (N) at the point and a torque (N m) to the efforts at
    those coordinates.

    Parameters
    ----------
    point : body.at((x, y, z)), rod.end, ...; a body or its name stands for its origin
    state : default: the initial one
    by : coordinates or motors whose rates move the system, [joint.angle, "joint2.angle", motor, "motor2"]; default: without loops all joints, with
        loops the coordinates on which motors act. They must determine the motion of the point

    Raises
    ------
    ModelError : with loops, where the coordinates leave the point free, or depend on each other; so also in singular positions
    """
    k = Kinematics(system)
    place, coordinates = k.place(point), k.at(state)
    if not k.frozen.closed and by is None:
        found = k.of_point(place, k.geometry.poses(coordinates), k.columns(coordinates))
    else:
        poses, columns, free = k.independent(coordinates, by)
        loose = np.abs(k.of_point(place, poses, free) * np.repeat([1.0 / k.closing.reach, 1.0], 3)[:, None]).max(initial=0.0)
        if loose > 1e-6:
            raise ModelError(
                f"{k.name}: the coordinates given do not determine the motion of the point: {free.shape[0]} freedoms remain; name more "
                "in by=, or look for a singular position"
            )
        found = k.of_point(place, poses, columns)
    plane = k.frozen.system.plane
    return found if plane is None else np.concatenate([found[list(PLANES[plane][:2])], np.array(k.frozen.system.normal)[None] @ found[3:]])
