"""Results of one body, joint or force. Arrays have one row per output time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.body import Point
from poinsot.model.forces import Stop
from poinsot.model.guard import NUMBER, TRUTH, door
from poinsot.model.joint import Helical
from poinsot.model.rotation import matrices
from poinsot.model.signals import Polynomials
from poinsot.model.words import nearest
from poinsot.results.constraint_views import ConstraintView, View
from poinsot.results.contacts import Contact, contacts_of
from poinsot.results.joint_frames import InJointFrame
from poinsot.results.replay import replay_signal
from poinsot.tables.records import BALL, COORDINATES, HELICAL, RATES

if TYPE_CHECKING:
    from poinsot.results.euler import EulerAngles
    from poinsot.results.poinsot_motion import PoinsotMotion


TURN = 2.0 * np.pi
SYMMETRIC = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])  # where 11, 22, 33, 12, 13, 23 stand in a matrix


class BodyView(View):
    """Motion of one body. Two numbers instead of three, and angles instead of rotations, in a planar system."""

    def _element(self) -> Any:
        system = self._run.frozen.alike.system
        return (system.ground, *system.bodies)[self._index]

    def _without(self) -> set[str]:
        return super()._without() | ({"angle"} if self._run.frozen.alike.system.plane is None else set())

    def _pose(self, start: int, stop: int) -> np.ndarray:
        base = BODY_MOTION * self._index
        return self._run.motion[..., base + start : base + stop]

    @property
    def position(self) -> np.ndarray:
        """Origin of the body frame in the world, m: (n, 3), or (n, 2) in a planar system."""
        return self._run.flat(self._pose(0, 3))

    @property
    def quaternion(self) -> np.ndarray:
        """Attitude (w, x, y, z), body to world, (n, 4); its sign is continuous in time, and in the drawing that of the quaternion given."""
        return self._run.quaternion_signs[self._index] * self._pose(3, 7)

    @property
    def rotation(self) -> np.ndarray:
        """Attitude as rotation matrices, body to world, (n, 3, 3)."""
        return matrices(self._pose(3, 7))

    @property
    def angle(self) -> np.ndarray:
        """Angle of the body from its attitude in the drawing, rad, (n,), positive about the normal, whole turns included; planar systems only."""
        system = self._run.frozen.alike.system
        if system.plane is None:
            raise ModelError("angle: only bodies of a planar system have one; use rotation or quaternion")
        drawn = matrices(np.array((system.ground, *system.bodies)[self._index].rotation))
        turned = self.rotation @ drawn.T
        n = np.array(system.normal)
        x = np.eye(3)[int(np.argmin(np.abs(n)))]
        y = np.cross(n, x)
        wrapped = np.arctan2((turned @ x) @ y, (turned @ x) @ x)
        return wrapped + TURN * np.rint((self._turned(n) - wrapped) / TURN)

    def _turned(self, normal: np.ndarray) -> np.ndarray:
        """Sum of the angles of the joints that carry the body, about the normal of the plane: they count whole turns, step by step."""
        frozen, total, body = self._run.frozen, np.zeros(self._run.coordinates.shape[:-1]), self._index
        topology, motions, first = frozen.alike.topology, frozen.layout.motions, frozen.layout.joints["motion"]
        while body > 0:
            joint = topology.joint[body]
            for k, motion in enumerate(frozen.alike.joints[joint].motions(), int(first[joint])):
                if isinstance(motion, Helical) and motion.rot != 0:
                    factor = topology.direction[body] * motion.rot * float(np.dot(motion.axis, normal))
                    total = total + factor * self._run.coordinates[..., motions["ic"][k]]
            body = topology.parent[body]
        return total

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of the origin of the body frame relative to the world, world axes, m/s: (n, 3), planar (n, 2)."""
        return self._run.flat(self._pose(7, 10))

    @property
    def angular_velocity(self) -> np.ndarray:
        """Angular velocity relative to the world, world axes, rad/s: (n, 3), planar (n,), positive about the normal."""
        return self._run.about_normal(self._pose(10, 13))

    @property
    def angular_velocity_body(self) -> np.ndarray:
        """The same angular velocity, relative to the world, in body axes, rad/s: (n, 3), planar (n,)."""
        return self._run.about_normal(np.einsum("...ji,...j->...i", self.rotation, self._pose(10, 13)))

    @property
    def com(self) -> np.ndarray:
        """Centre of mass in the world, m: (n, 3), planar (n, 2)."""
        return self._run.flat(self.world(self._com()))

    @property
    def com_velocity(self) -> np.ndarray:
        """Velocity of the centre of mass, world axes, m/s: (n, 3), planar (n, 2)."""
        return self._run.flat(self.world_velocity(self._com()))

    @door()
    def point(self, p: Any) -> np.ndarray:
        """World position, m, of a point that is fixed in the body: (n, 3), planar (n, 2). `p` is in the body frame, m."""
        return self._run.flat(self.world(np.array(self._run.frozen.alike.system.vector(p, f"{self._called()}: point"))))

    @door()
    def point_velocity(self, p: Any) -> np.ndarray:
        """Velocity, world axes, m/s, of a point that is fixed in the body: (n, 3), planar (n, 2). `p` is in the body frame, m."""
        return self._run.flat(self.world_velocity(np.array(self._run.frozen.alike.system.vector(p, f"{self._called()}: point"))))

    @door(extrinsic=TRUTH, near=NUMBER)
    def euler(self, sequence: str, *, extrinsic: bool = False, near: float = 0.01) -> EulerAngles:
        """Euler angles of the body (`angles`, `rates`, `singular`), body to world, rad.

        Parameters
        ----------
        sequence : of axes, such as "zxz" or "xyz": all twelve; or "roll pitch yaw". Rotations are about the axes of the turned body (intrinsic),
            whether written "zxz" or "ZXZ" (in SciPy only the latter is)
        extrinsic : the rotations are about the axes of the world, the first one first
        near : angle (rad) between the first and the last axis below which the sequence counts as singular
        """
        from poinsot.results.attitude import euler_angles

        return euler_angles(self._run, self._index, sequence, bool(extrinsic), near)

    @door()
    def poinsot(self, *, about: Any = None) -> PoinsotMotion:
        """Polhode, herpolhode, momentum and the inertia ellipsoid on its plane, about the centre of mass.

        Parameters
        ----------
        about : instead, a point of the body that does not move: `body.at(p)`, or three numbers in the body frame, m
        """
        from poinsot.results.attitude import poinsot_motion

        own = isinstance(about, Point) and about.body.name == self._element().name
        return poinsot_motion(self._run, self._index, about.position if own else about)

    @property
    def acceleration(self) -> np.ndarray:
        """Acceleration of the origin of the body frame, world axes, m/s^2: (n, 3), planar (n, 2). Free fall gives gravity."""
        return self._run.flat(self._run.loads[..., 6 * self._index : 6 * self._index + 3])

    @property
    def angular_acceleration(self) -> np.ndarray:
        """Angular acceleration, world axes, rad/s^2: (n, 3), planar (n,), positive about the normal."""
        return self._run.about_normal(self._run.loads[..., 6 * self._index + 3 : 6 * self._index + 6])

    @property
    def multipliers(self) -> np.ndarray:
        """Multipliers that keep the body rigid, (n, 3, 3), body axes, N m; of runs with `rotation-matrix`.

        Minus the stresses in the body, integrated over it: negative along directions in which it is pulled. With the rotation matrix R
        and the Euler tensor K = integral of s s' dm about the centre of mass, R'' K = sum of f s' + R Lambda (dumitriu2016, eq. 22).
        """
        found, layout = self._run.multipliers, self._run.frozen.layout
        first = len(layout.rows) + 6 * self._index
        return found[..., first : first + 6][..., SYMMETRIC]

    def _com(self) -> np.ndarray:
        return np.array(self._run.frozen.layout.bodies["com"][self._index])

    def world_velocity(self, p: np.ndarray) -> np.ndarray:
        """World velocity of a point given by three numbers in the body frame, m/s."""
        return self._pose(7, 10) + np.cross(self._pose(10, 13), self.rotation @ p)

    def world(self, p: np.ndarray) -> np.ndarray:
        """World position of a point given by three numbers in the body frame, m."""
        return self._pose(0, 3) + self.rotation @ p


class JointView(InJointFrame):
    """Coordinates, rates and reaction of one joint. Its coordinates are attributes by name: `angle`, `displacement`, `rotation`, ..."""

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        if hasattr(type(self), name):
            return object.__getattribute__(self, name)
        joint = self._run.frozen.alike.joints[self._index]
        if name in joint.names:
            return self._coordinate(joint.names.index(name))
        if name in joint.rate_names:
            return self._rate(joint.rate_names.index(name))
        if name == "quaternion" and "rotation" in joint.names:
            return self._numbers(joint.names.index("rotation"))
        if name == "angular_velocity" and "rotation" in joint.names:  # in the axes of the first frame, as that of bodies is in those of the world
            k = joint.names.index("rotation")
            return np.einsum("...ij,...j->...i", self._coordinate(k), self._rate(k))
        if name == "displacement" and self._lead() is not None:
            return self._lead() * self._coordinate(0)
        turns = ["angular_velocity", "quaternion"] if "rotation" in joint.names else []
        known = list(dict.fromkeys([*joint.names, *joint.rate_names, *turns, "rate", "force", "torque"]))
        present = joint.present_word(name)
        near = f"; it is called '{present}'" if present else "".join(f"; did you mean '{found}'?" for found in nearest(name, known))
        raise AttributeError(f"{joint.label()} has no result '{name}'; it has {', '.join(known)}{near}")

    def __dir__(self) -> list[str]:
        joint = self._run.frozen.alike.joints[self._index]
        names = [*joint.names, *joint.rate_names]
        names += ["quaternion", "angular_velocity"] if "rotation" in joint.names else []
        return sorted({*super().__dir__(), *names, *(["displacement"] if self._lead() is not None else [])})

    def _lead(self) -> Any:
        motion = self._motion(0) if self._run.frozen.alike.joints[self._index].names else None
        return motion["lin"] if motion is not None and motion["rot"] != 0 and motion["lin"] != 0 else None

    def _motion(self, k: int) -> Any:
        layout = self._run.frozen.layout
        return layout.motions[layout.joints["motion"][self._index] + k]

    def _numbers(self, k: int) -> np.ndarray:
        motion = self._motion(k)
        return self._run.coordinates[..., motion["ic"] : motion["ic"] + COORDINATES[motion["kind"]]]

    def _coordinate(self, k: int) -> np.ndarray:
        motion, value = self._motion(k), self._numbers(k)
        if motion["kind"] == HELICAL:
            return value[..., 0]
        return matrices(value) if motion["kind"] == BALL else value

    def _rate(self, k: int) -> np.ndarray:
        motion = self._motion(k)
        value = self._run.rates[..., motion["ir"] : motion["ir"] + RATES[motion["kind"]]]
        return value[..., 0] if motion["kind"] == HELICAL else value

    @property
    def rate(self) -> np.ndarray:
        """All rates, rad/s or m/s: (n,) of a joint with one degree of freedom, else (n, degrees of freedom)."""
        layout = self._run.frozen.layout
        start, count = layout.joints["motion"][self._index], layout.joints["motions"][self._index]
        motions = layout.motions[start : start + count]
        if count == 0:
            return self._run.rates[..., :0]
        first = motions["ir"][0]
        value = self._run.rates[..., first : first + RATES[motions["kind"]].sum()]
        return value[..., 0] if value.shape[-1] == 1 else value

    def _reaction(self, start: int) -> np.ndarray:
        base = 6 * (len(self._run.frozen.layout.bodies) + self._index) + start
        return self._run.loads[..., base : base + 3]

    @property
    def force(self) -> np.ndarray:
        """Reaction force on the second body (opposite on the first), world axes, N: (n, 3), planar (n, 2). Without motors, springs, dampers."""
        return self._run.flat(self._reaction(0))

    @property
    def torque(self) -> np.ndarray:
        """Reaction torque on the second body at its joint frame, world axes, N m: (n, 3), planar (n,). Without motors, springs, dampers."""
        return self._run.about_normal(self._reaction(3))


class LoadView(View):
    """Effort and power of one force element."""

    def _element(self) -> Any:
        return self._run.frozen.alike.system.loads[self._index]

    def _rows(self) -> np.ndarray:
        load = self._run.frozen.alike.system.loads[self._index]
        layout = self._run.frozen.layout
        start = 6 * (len(layout.bodies) + len(layout.joints)) + 1
        rows = [k for k, owner in enumerate(self._run.frozen.alike.loads.owner) if owner is load]
        return np.stack([self._run.loads[..., start + 4 * k : start + 4 * k + 4] for k in rows], axis=-2)

    @property
    def effort(self) -> np.ndarray:
        """Effort: of a motor, damper or spring on one coordinate a number (N m or N; a spring's is its tension), else components."""
        load, rows = self._element(), self._rows()
        if "effort" not in load.units():
            raise AttributeError(f"{self._called()} has no result 'effort'; it has {', '.join((*load.units(), 'power'))}")
        rows = rows.sum(axis=-2, keepdims=True) if load.summed else rows
        layout, owner = self._run.frozen.layout, self._run.frozen.alike.loads.owner
        table = layout.loads[owner.index(load)]
        scalar = table["motion"] < 0 and load.scalar
        if table["motion"] >= 0:
            scalar = layout.motions["kind"][table["motion"]] == HELICAL
        if not scalar:
            return rows[..., 0, :3] if rows.shape[-2] == 1 else rows[..., :3]
        return rows[..., 0, 0] if rows.shape[-2] == 1 else rows[..., 0]

    def world_effort(self, name: str) -> np.ndarray:
        """One of the results of a load between frames, "force" (N) or "torque" (N m), on the second body: (n, 3), world axes, in a plane as well."""
        load = self._element()
        if name not in load.units():
            raise AttributeError(f"{load.label()} has no result '{name}'")
        return self._rows()[..., list(load.units()).index(name), :3]

    @property
    def force(self) -> np.ndarray:
        """Of a load between frames: force on the second body at its point, world axes, N: (n, 3), planar (n, 2)."""
        return self._run.flat(self.world_effort("force"))

    @property
    def torque(self) -> np.ndarray:
        """Of a load between frames: torque on the second body, world axes, N m: (n, 3), planar (n,)."""
        return self._run.about_normal(self.world_effort("torque"))

    @property
    def contacts(self) -> list[Contact]:
        """Of a stop: when its coordinate was beyond a limit (`t`, `end`, `side`, `depth`), found from the outputs and their rates."""
        load = self._element()
        if not isinstance(load, Stop):
            raise AttributeError(f"{self._called()} has no contacts; a po.Stop has them")
        return contacts_of(self._run, load)

    @property
    def signal(self) -> Polynomials:
        """Efforts of a motor driven by a servo as a signal, for a run without the servo: `po.Motor(joint, run["m1"].signal)`."""
        load, layout = self._run.frozen.alike.system.loads[self._index], self._run.frozen.layout
        rows = [k for k, d in enumerate(layout.drives) if d["load"] == self._run.frozen.alike.loads.owner.index(load)]
        if not rows:
            raise AttributeError(f"{load.label()} is driven by its own law, not by a servo")
        return replay_signal(self._run, rows[0])

    @property
    def power(self) -> np.ndarray:
        """Power of non-conservative forces, W, (n,), positive where energy is supplied: of motors, dampers, forces; of a spring, its damping."""
        return self._rows()[..., 3].sum(axis=-1)


class DriveView(View):
    """Effort and power of a motion or servo: one number per prescribed coordinate; (n,) if there is only one."""

    def _element(self) -> Any:
        return self._run.frozen.alike.system.drives[self._index]

    def _rows(self) -> np.ndarray:
        drives = self._run.frozen.alike.system.drives
        first, count = sum(len(d.outputs) for d in drives[: self._index]), len(drives[self._index].outputs)
        table = self._run.loads[..., self._run.loads.shape[-1] - 2 * sum(len(d.outputs) for d in drives) :]
        own = table[..., 2 * first : 2 * (first + count)]
        return own.reshape(*own.shape[:-1], count, 2)

    def _one(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] if values.shape[-1] == 1 else values

    @property
    def effort(self) -> np.ndarray:
        """Effort, N m or N, positive along its coordinate: on that of a motion, of the motors of a servo. (n,), or (n, inputs) of several."""
        return self._one(self._rows()[..., 0])

    @property
    def power(self) -> np.ndarray:
        """Power supplied to the system by each effort, W: (n,), or (n, inputs) of several."""
        return self._one(self._rows()[..., 1])

    @property
    def signal(self) -> Polynomials:
        """Effort of a motion as a signal, for a run with a motor in its place."""
        drives = self._run.frozen.alike.system.drives
        return replay_signal(self._run, sum(len(d.outputs) for d in drives[: self._index]))

    @property
    def grip(self) -> np.ndarray:
        """Output-input matrix of all drives, (n, drives, drives): accelerations of the prescribed coordinates per effort of the inputs."""
        run, n = self._run, len(self._run.frozen.layout.drives)
        assert run.formulation.grip is not None
        return run.observe(run.formulation.grip(), n * n).reshape(*np.shape(run.t), n, n)

    @property
    def conditioning(self) -> np.ndarray:
        """Condition number of `grip`, (n,); it grows without bound towards positions where the inputs cannot control the outputs."""
        return np.linalg.cond(self.grip)


if TYPE_CHECKING:

    class ElementView(BodyView, JointView, ConstraintView, LoadView, DriveView):  # type: ignore[misc]
        """What `run["name"]` is to a type checker, which cannot know what has that name: the results of any element."""
