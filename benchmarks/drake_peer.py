"""A mechanism of `peer_models` in Drake: joint coordinates; used if Drake is installed, which `make bench` leaves to you.

Open systems run in continuous time by Drake's Runge-Kutta method of order five (3 for the error). Loops exist in Drake only with discrete
time: its solver SAP holds points together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from peer_method import OUTPUTS, Method, Prepared, step_counts, tolerances
from peer_models import MOTION, Mechanism, R, V, W, X, unit

NAME = "Drake"


def imported() -> Any:
    """The package with its parts, or None when it is not installed."""
    try:
        import pydrake.all
    except ImportError:
        return None
    return pydrake.all


def build(drake: Any, m: Mechanism, step: float) -> Any:
    """A plant; step 0 for continuous time."""
    plant = drake.MultibodyPlant(step)
    if step:
        plant.set_discrete_contact_approximation(drake.DiscreteContactApproximation.kSap)
    bodies = [plant.world_body()]
    for body in m.bodies:
        I = body.inertia / body.mass
        unit_inertia = drake.UnitInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        bodies.append(plant.AddRigidBody(body.name, drake.SpatialInertia(body.mass, np.zeros(3), unit_inertia)))

    def frame(body: int, point: np.ndarray, turn: np.ndarray) -> Any:
        place = drake.RigidTransform(drake.RotationMatrix(turn), m.local(body, point))
        return plant.AddFrame(drake.FixedOffsetFrame(f"frame{plant.num_frames()}", bodies[body].body_frame(), place))

    joints = {}
    for k, joint in m.tree:
        turn = np.eye(3)
        if joint.kind == "universal":
            turn = np.column_stack([unit(joint.axis), unit(joint.axis2), np.cross(unit(joint.axis), unit(joint.axis2))])
        frames = [f"joint{k}", *(frame(body, joint.at, turn) for body in (joint.first, joint.second))]
        joints[k] = plant.AddJoint(
            {
                "spherical": lambda frames: drake.BallRpyJoint(*frames),
                "universal": lambda frames: drake.UniversalJoint(*frames),
                "revolute": lambda frames, a=joint.axis: drake.RevoluteJoint(*frames, unit(a)),
                "prismatic": lambda frames, a=joint.axis: drake.PrismaticJoint(*frames, unit(a)),
            }[joint.kind](frames)
        )
    for spring in m.springs:
        joint = m.joints[spring.joint]
        ends = [x for body, end in zip((joint.first, joint.second), spring.ends) for x in (bodies[body], m.local(body, end))]
        plant.AddForceElement(drake.LinearSpringDamper(*ends, spring.length, spring.stiffness, 0.0))
    for joint, point in m.closing_points():
        plant.AddBallConstraint(*(x for body in sorted((joint.first, joint.second)) for x in (bodies[body], m.local(body, point))))
    for k, _ in m.torques:
        plant.AddJointActuator(f"torque{k}", joints[k])
    plant.mutable_gravity_field().set_gravity_vector(m.gravity)
    plant.Finalize()
    return plant


def prepared(drake: Any, m: Mechanism, count: float) -> Prepared:
    """`count` discrete steps in an output interval, or a tolerance below 1."""
    discrete = count >= 1
    plant = build(drake, m, m.duration / OUTPUTS / count if discrete else 0.0)
    simulator = drake.Simulator(plant)
    context = simulator.get_mutable_context()
    start = plant.GetPositionsAndVelocities(context).copy()
    if m.torques:
        plant.get_actuation_input_port().FixValue(context, [torque for _, torque in m.torques])
    if not discrete:
        drake.ResetIntegratorFromFlags(simulator, "runge_kutta5", m.step)
        simulator.get_mutable_integrator().set_target_accuracy(count)
    bodies = [plant.GetBodyByName(body.name) for body in m.bodies]

    def restart() -> None:
        context.SetTime(0.0)
        plant.SetPositionsAndVelocities(context, start)
        simulator.Initialize()

    def march() -> None:
        restart()
        simulator.AdvanceTo(m.duration)

    def motion() -> np.ndarray:
        restart()
        found = np.empty((OUTPUTS, len(bodies), MOTION))
        for k, row in enumerate(found, 1):
            simulator.AdvanceTo(m.duration * k / OUTPUTS)
            for body, numbers in zip(bodies, row):
                place, speed = body.EvalPoseInWorld(context), body.EvalSpatialVelocityInWorld(context)
                numbers[X], numbers[R] = place.translation(), place.rotation().matrix().ravel()
                numbers[V], numbers[W] = speed.translational(), speed.rotational()
        return found

    return Prepared(motion, march)


def methods(m: Mechanism, per_decade: int = 2, octave: int = 2) -> list[Method]:
    """None if Drake is not installed."""
    drake = imported()
    if drake is None:
        return []
    settings = step_counts(m.duration, m.step, octave=octave) if m.closing else tolerances(per_decade)
    return [Method(NAME, "discrete, SAP" if m.closing else "Runge-Kutta 5", lambda value: prepared(drake, m, value), settings)]
