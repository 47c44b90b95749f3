"""Systems in Exudyn, in redundant coordinates, built from a system of Poinsot and its start.

Rigid bodies have Euler parameters, joints (spherical, revolute, universal, prismatic) have algebraic equations. The reference
configuration is the start. Springs and constant motors of prismatic joints are spring-dampers between points on their axes.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

import poinsot as po
from poinsot.layout.freeze import freeze

IN_PLANE = [1, 1, 0, 0, 0, 0]  # of the axes of a joint, three to slide along and three to turn about: those that are held
HELD = {"universal": [1, 1, 1, 0, 0, 1], "prismatic": [1, 1, 0, 1, 1, 1]}


def imported() -> Any:
    """The package, in its variant without checks of ranges, or None when it is not installed."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # read when it is first imported
    try:
        import exudyn
        import exudyn.itemInterface
    except ImportError:
        return None
    return exudyn


@dataclass
class Peer:
    """A system in Exudyn: its nodes in the order of the bodies."""

    exudyn: Any
    container: Any
    mbs: Any
    nodes: list[int]
    system: po.System

    def motion(self, name: str) -> np.ndarray:
        """An output of all bodies, as it is now."""
        kind = getattr(self.exudyn.OutputVariableType, name)
        return np.array([self.mbs.GetNodeOutput(node, kind) for node in self.nodes])

    def positions(self) -> np.ndarray:
        """(bodies, 3) centres of mass (m)."""
        return self.motion("Position")

    def energy(self) -> float:
        """Kinetic and potential energy (J)."""
        return energy(self.system, self.positions(), self.motion("Velocity"), self.motion("AngularVelocityLocal"))

    def solve(self, settings: Any) -> None:
        """Run from the start."""
        if not self.exudyn.SolveDynamic(self.mbs, settings):
            raise RuntimeError(f"Exudyn does not solve '{self.system.name}'")


def energy(system: po.System, x: np.ndarray, v: np.ndarray, w: np.ndarray) -> float:
    """Energy (J) from centres of mass, their velocities and angular velocities in body axes; body frames are principal."""
    bodies = freeze(system).layout.bodies[1:]
    gravity = np.array(system.gravity)
    kinetic = 0.5 * bodies["mass"] @ (v**2).sum(axis=1) + 0.5 * (bodies["inertia"][:, :3] * w**2).sum()
    return float(kinetic - bodies["mass"] @ (x @ gravity))


def build(exudyn: Any, run: po.Trajectory, in_plane: Collection[str] = ()) -> Peer:
    """The system of a run in Exudyn, at the run's first output. Body frames must lie in the centres of mass.

    Of the revolute joints named `in_plane` only the two equations in the plane of rotation are taken.
    """
    items = exudyn.itemInterface
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    frozen = freeze(run.system)
    layout = frozen.layout
    bodies = [mbs.AddObject(items.ObjectGround())]
    nodes = []
    for body, table in zip(run.system.bodies, layout.bodies[1:]):
        view = run[body.name]
        assert not np.any(table["com"])
        q = np.asarray(view.quaternion[0])
        local = view.rotation[0].T @ view.angular_velocity[0]
        rate = 0.5 * np.array([-q[1:] @ local, *(q[0] * local + np.cross(q[1:], local))])
        node = mbs.AddNode(
            items.NodeRigidBodyEP(
                referenceCoordinates=[*view.position[0], *q], initialVelocities=[*view.velocity[0], *rate]
            )
        )
        xx, yy, zz, xy, xz, yz = table["inertia"]
        rigid = items.ObjectRigidBody(
            physicsMass=float(table["mass"]), physicsInertia=[xx, yy, zz, yz, xz, xy], nodeNumber=node
        )
        bodies.append(mbs.AddObject(rigid))
        nodes.append(node)
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=bodies[-1]))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=list(run.system.gravity)))
    for joint, table in zip(frozen.joints, layout.joints):
        markers = [
            mbs.AddMarker(
                items.MarkerBodyRigid(bodyNumber=bodies[table[side]], localPosition=list(table[f"{side}_origin"]))
            )
            for side in ("first", "second")
        ]
        if joint.kind == "spherical":
            mbs.AddObject(items.ObjectJointSpherical(markerNumbers=markers))
            continue
        turns = [table[f"{side}_rotation"] @ axes_of(joint) for side in ("first", "second")]
        frames = {"markerNumbers": markers, "rotationMarker0": turns[0], "rotationMarker1": turns[1]}
        if joint.kind == "revolute" and joint.name not in in_plane:
            mbs.AddObject(items.ObjectJointRevoluteZ(**frames))
        else:
            held = IN_PLANE if joint.name in in_plane else HELD[joint.kind]
            mbs.AddObject(items.ObjectJointGeneric(constrainedAxes=held, **frames))
    for joint, stiffness, force in legs(run.system):
        first, second = (bodies[1 + run.system.bodies.index(body)] for body in (joint.first, joint.second))
        table = layout.joints[frozen.joints.index(joint)]
        ends = [(first, list(table["first_origin"])), (second, [0.0, 0.0, 0.0])]
        length = float(np.linalg.norm(np.array(joint.second.position) - joint.first_at))
        markers = [mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=at)) for body, at in ends]
        spring = {"stiffness": stiffness, "referenceLength": length + force / stiffness, "damping": 0.0}
        mbs.AddObject(items.ObjectConnectorSpringDamper(markerNumbers=markers, **spring))
    mbs.Assemble()
    return Peer(exudyn, container, mbs, nodes, run.system)


def axes_of(joint: Any) -> np.ndarray:
    """Axes of a joint in the world of the drawing: a hinge or slide along z; a universal joint's first axis is x, its second y."""
    if joint.kind == "universal":
        x, y = np.array(joint.axis), np.array(joint.axis2)
        return np.column_stack([x, y, np.cross(x, y)])
    return z_to(joint.axis)


def legs(system: po.System) -> list[tuple[Any, float, float]]:
    """Prismatic joints with a spring at rest in the drawing and a motor of constant force: joint, N/m, N. Body centres lie on their axes."""
    found = []
    for spring in (load for load in system.loads if isinstance(load, po.JointSpring)):
        joint = spring.target
        (force,) = (load.law for load in system.loads if isinstance(load, po.Motor) and load.target is joint)
        off = np.array(joint.second.position) - joint.first_at
        assert joint.kind == "prismatic" and spring.rest == 0 and np.linalg.norm(np.cross(off, joint.axis)) < 1e-12
        found.append((joint, spring.stiffness, force))
    return found


def z_to(axis: Any) -> np.ndarray:
    """A rotation that turns z to a unit vector."""
    axis = np.asarray(axis, float)
    other = np.eye(3)[np.argmin(np.abs(axis))]
    x = np.cross(other, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


@dataclass(frozen=True)
class Variant:
    """How Exudyn is to solve: index 2 (constraints on velocities, Newmark) or 3 (on positions); its linear solver.

    `redundant` takes the dense solver with full pivoting that ignores singular Jacobians.
    """

    name: str
    index2: bool = False
    sparse: bool = False
    redundant: bool = False
    in_plane: tuple[str, ...] = ()


def settings(exudyn: Any, step: float, steps: int, variant: Variant) -> Any:
    """Generalized-alpha, fixed steps, one thread, nothing written; tolerances and all else as Exudyn has it."""
    s = exudyn.SimulationSettings()
    t = s.timeIntegration
    t.numberOfSteps, t.endTime, t.adaptiveStep, t.verboseMode = steps, step * steps, False, 0
    t.solverType = exudyn.DynamicSolverType.GeneralizedAlpha
    t.generalizedAlpha.useIndex2Constraints = t.generalizedAlpha.useNewmark = variant.index2
    s.solutionSettings.writeSolutionToFile = False
    s.parallel.numberOfThreads = 1
    kinds = exudyn.LinearSolverType
    dense = kinds.EigenDense if variant.redundant else kinds.EXUdense
    s.linearSolver.solverType = kinds.EigenSparse if variant.sparse else dense
    s.linearSolver.ignoreSingularJacobian = variant.redundant
    return s
