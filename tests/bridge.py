"""From the oracle's plain description to a System of the package."""

import numpy as np

import poinsot as po


def to_system(model, coordinates=None, rates=None, name="random"):
    """The same model as a System, with initial joint coordinates and rates."""
    s = po.System(name, gravity=model.gravity)
    bodies = [
        s.body(b.name, mass=b.mass, com=b.com, inertia=b.inertia, position=b.position, rotation=b.rotation) for b in model.bodies
    ]
    bodies.append(s.ground)  # index -1
    joints = [_joint(s, bodies, j) for j in model.joints]
    for load in model.loads:
        s.add(load.element(po, bodies, joints))
    for k, joint in enumerate(joints):
        if coordinates is not None:
            _set(joint, coordinates[k], rates[k])
    return s


def _joint(s, bodies, j):
    arguments = {"at": j.at, "name": j.name}
    if j.kind in ("revolute", "prismatic", "cylindrical", "screw", "universal", "planar"):
        arguments["axis"] = j.axis
    if j.kind == "universal":
        arguments["axis2"] = j.axis2
    if j.kind == "planar":
        arguments["direction"] = j.axis2
    if j.kind == "screw":
        arguments["pitch"] = j.pitch
    return getattr(s, j.kind)(bodies[j.first], bodies[j.second], **arguments)


def _set(joint, q, u):
    values = {}
    start = 0
    for name, motion in zip(joint.names, joint.motions()):
        size = 4 if type(motion).__name__ == "Ball" else motion.rates
        values[name] = q[start : start + size] if size > 1 else q[start]
        start += size
    if len(u):
        joint.set(**values, rate=u)


def canonical(system, lists):
    """Values per joint, given as a list, as one array in the order of the system's joints."""
    return np.concatenate([np.atleast_1d(x) for x in lists]) if lists else np.zeros(0)
