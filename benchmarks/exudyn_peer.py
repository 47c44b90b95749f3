"""A mechanism of `peer_models` in Exudyn: redundant coordinates with Euler parameters, generalized-alpha steps, one thread.

Settings are those of `exudyn_models`. Loops of hinges in a plane are closed by two equations in the plane, so that none is redundant; where
redundant ones remain, the solver that ignores singular Jacobians is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from exudyn_models import HELD, IN_PLANE, Variant, imported, settings, z_to
from peer_method import OUTPUTS, Method, Prepared, step_counts
from peer_models import MOTION, Joint, Mechanism, R, V, W, X, unit

NAME = "Exudyn"
SLICES = {"Position": X, "RotationMatrix": R, "Velocity": V, "AngularVelocity": W}


def axes_of(joint: Joint) -> np.ndarray:
    """Axes of a joint at the start: a hinge or slide along z; a universal joint's first axis is x, its second y."""
    if joint.kind == "universal":
        x, y = unit(joint.axis), unit(joint.axis2)
        return np.column_stack([x, y, np.cross(x, y)])
    return z_to(unit(joint.axis))


def build(exudyn: Any, m: Mechanism) -> tuple[Any, Any, list[int]]:
    """Container, system and the nodes of the bodies."""
    items = exudyn.itemInterface
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    bodies, nodes = [mbs.AddObject(items.ObjectGround())], []
    for body in m.bodies:
        node = mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*body.position, 1, 0, 0, 0]))
        I = body.inertia
        tensor = [I[0, 0], I[1, 1], I[2, 2], I[1, 2], I[0, 2], I[0, 1]]
        bodies.append(mbs.AddObject(items.ObjectRigidBody(physicsMass=body.mass, physicsInertia=tensor, nodeNumber=node)))
        nodes.append(node)
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=bodies[-1]))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=list(m.gravity)))

    def marker(kind: Any, body: int, point: np.ndarray) -> int:
        return mbs.AddMarker(kind(bodyNumber=bodies[body], localPosition=list(m.local(body, point))))

    for joint in m.joints:
        markers = [marker(items.MarkerBodyRigid, body, joint.at) for body in (joint.first, joint.second)]
        if joint.kind == "spherical":
            mbs.AddObject(items.ObjectJointSpherical(markerNumbers=markers))
            continue
        frames = {"markerNumbers": markers, "rotationMarker0": axes_of(joint), "rotationMarker1": axes_of(joint)}
        if joint.kind == "revolute" and not (joint.closes and m.flat):
            mbs.AddObject(items.ObjectJointRevoluteZ(**frames))
        else:
            held = IN_PLANE if joint.kind == "revolute" else HELD[joint.kind]
            mbs.AddObject(items.ObjectJointGeneric(constrainedAxes=held, **frames))
    for spring in m.springs:
        sides = m.joints[spring.joint].first, m.joints[spring.joint].second
        markers = [marker(items.MarkerBodyPosition, body, end) for body, end in zip(sides, spring.ends)]
        given = {"stiffness": spring.stiffness, "referenceLength": spring.length, "damping": 0.0}
        mbs.AddObject(items.ObjectConnectorSpringDamper(markerNumbers=markers, **given))
    for k, torque in m.torques:
        at = marker(items.MarkerBodyRigid, m.joints[k].second, m.joints[k].at)
        mbs.AddLoad(items.LoadTorqueVector(markerNumber=at, loadVector=list(torque * unit(m.joints[k].axis))))
    return container, mbs, nodes


def prepared(exudyn: Any, m: Mechanism, count: float, variant: Variant) -> Prepared:
    """`count` steps in an output interval. Sensors store the motion at the outputs."""
    container, mbs, nodes = build(exudyn, m)
    kinds = exudyn.OutputVariableType
    watched = [
        (k, part, mbs.AddSensor(exudyn.itemInterface.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=getattr(kinds, name))))
        for k, node in enumerate(nodes)
        for name, part in SLICES.items()
    ]
    mbs.Assemble()
    step = m.duration / OUTPUTS / count
    chosen = settings(exudyn, step, round(OUTPUTS * count), variant)
    chosen.solutionSettings.sensorsWritePeriod = m.duration / OUTPUTS
    keep = container  # which owns the system

    def march() -> Any:
        if not exudyn.SolveDynamic(mbs, chosen):
            raise RuntimeError("Exudyn does not converge")
        return keep

    def motion() -> np.ndarray:
        march()
        found = np.empty((OUTPUTS, len(nodes), MOTION))
        for k, part, sensor in watched:
            found[:, k, part] = mbs.GetSensorStoredData(sensor)[-OUTPUTS:, 1:]
        return found

    return Prepared(motion, march)


def methods(m: Mechanism, octave: int = 2) -> list[Method]:
    """None if Exudyn is not installed."""
    exudyn = imported()
    if exudyn is None:
        return []
    exudyn.SetWriteToConsole(False)
    redundant = any(joint.kind == "revolute" for joint in m.closing) and not m.flat
    sparse = not redundant
    variants = [Variant(f"index {k}", index2=k == 2, sparse=sparse, redundant=redundant) for k in (3, 2)]
    counts = step_counts(m.duration, m.step, octave=octave)
    return [Method(NAME, v.name, lambda count, v=v: prepared(exudyn, m, count, v), counts) for v in variants]  # type: ignore[misc]
