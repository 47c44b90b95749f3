"""One system per load and per drive: a small moving mechanism on which nothing but that acts, gravity aside.

Loads come from the oracle's, at random; what the oracle does not have is written here. `missing()` names the elements that have no case yet.
"""

import math

import numpy as np

import bridge
import oracle
import poinsot as po
import random_models
from poinsot.files.models.elements import entries

DRIVEN = tuple(kind for kind in oracle.KINDS if oracle.FREEDOMS[kind] and kind not in oracle.QUATERNIONS)  # all coordinates are scalars


def carrier(seed, kinds=oracle.KINDS[1:]):
    """A random open tree of three bodies without loads: the oracle's model, coordinates, rates."""
    return random_models.random_tree(np.random.default_rng(seed), 3, kinds, loads=False)


def of_oracle(kind, seed):
    """A system with one load of a class of the oracle."""
    rng = np.random.default_rng(seed)
    load = None
    while load is None or not np.any(getattr(load, "damping", 1.0)):
        model, q, u = carrier(rng.integers(10**6))
        load = kind.draw(rng, model, oracle.kinematics(model, q, u)[0])
    model.loads = [load]
    return bridge.to_system(model, q, u)


def drag(t, x, params, out):
    """Resistance at every body's centre of mass, to moving and to turning."""
    for k in range(len(x)):
        for i in range(3):
            out[k, i] = -params[0] * x[k, 7 + i]
            out[k, 3 + i] = -params[1] * x[k, 10 + i]


def law(t, x, rate):
    """A feedback law."""
    return 3.0 - 2.0 * x - 0.5 * rate


def gust(t):
    """A force that changes in time."""
    return (3.0 * math.cos(5.0 * t), 2.0, -4.0 * t)


PATH = po.signals.step(0.0, 0.5, to=0.3)  # m or rad, from rest to rest


def user_force(seed):
    s = bridge.to_system(*carrier(seed))
    s.add(po.UserForce(drag, bodies=s.bodies, params=[1.5, 0.3]))
    return s


def torque_in_body_axes(seed):
    s = bridge.to_system(*carrier(seed))
    s.add(po.Torque(s.bodies[0], (3.0, -2.0, 1.0), frame="body"))
    return s


def force_in_time(seed):
    s = bridge.to_system(*carrier(seed))
    s.add(po.Force(s.bodies[1], gust, frame="body", at=s.bodies[1].at((0.1, 0.2, -0.1))))
    return s


def _scalar(s, slides=None):
    """A scalar coordinate of a joint of the system."""
    for joint in s.joints:
        for name, motion in zip(joint.names, joint.motions()):
            if hasattr(motion, "rot") and slides in (None, motion.rot == 0):
                return joint.coordinate(name)
    raise AssertionError("no joint has a scalar coordinate")


def joint_spring(seed):
    s = bridge.to_system(*carrier(seed, ("prismatic", "universal")))
    s.add(po.JointSpring(_scalar(s, slides=True), stiffness=30.0, rest=0.2))
    return s


def on_a_ball(seed, make):
    """A system of balls with one load on one of them."""
    s = bridge.to_system(*carrier(seed, ("spherical",)))
    s.add(make(s.joints[1]))
    return s


def ball_damper(seed):
    return on_a_ball(seed, lambda joint: po.JointDamper(joint, 0.7))


def ball_spring(seed):
    return on_a_ball(seed, lambda joint: po.TorsionSpring(joint, stiffness=20.0))


def euler_spring(seed):
    return on_a_ball(seed, lambda joint: po.TorsionSpring(joint, stiffness=20.0, law="euler-angles"))


def motor_with_feedback(seed):
    s = bridge.to_system(*carrier(seed, DRIVEN))
    s.add(po.Motor(_scalar(s), law))
    return s


def _at_rest(seed):
    """The carrier in its drawing, at rest, so that what follows a path from zero starts on it."""
    model, q, _ = carrier(seed, DRIVEN)
    return bridge.to_system(model, random_models.drawn_coordinates(model), [np.zeros(oracle.FREEDOMS[j.kind]) for j in model.joints])


def motion(seed):
    s = _at_rest(seed)
    s.add(po.Motion(_scalar(s), PATH))
    return s


def servo(seed):
    s = _at_rest(seed)
    coordinate = _scalar(s)
    motor = s.add(po.Motor(coordinate))
    s.add(po.Servo([coordinate], PATH, [motor]))
    return s


def seen_law(t, x, p, u):
    """A law that sees a coordinate, its rate and where a body is."""
    u[0] = 3.0 - p.k * x[0] - 0.5 * x[1] + x[2]
    for k in range(3):
        u[1 + k] = -p.k * x[2 + k]


def feedback(seed):
    s = bridge.to_system(*carrier(seed, DRIVEN))
    coordinate = _scalar(s)
    inputs = [s.add(po.Motor(coordinate)), s.add(po.Torque(s.bodies[0], frame="body"))]
    s.add(po.Feedback(seen_law, inputs, [coordinate, coordinate.rate, f"{s.bodies[1].name}.position"], {"k": 2.0}))
    return s


WITH_FUNCTIONS = ("user_force", "force_in_time", "motor_with_feedback", "feedback")  # compiled anew for every run
OWN = (
    *(user_force, torque_in_body_axes, force_in_time, joint_spring, ball_damper, ball_spring, euler_spring),
    *(motor_with_feedback, feedback, motion, servo),
)
CASES = {kind.__name__: (lambda seed, kind=kind: of_oracle(kind, seed)) for kind in oracle.LOADS} | {f.__name__: f for f in OWN}


def missing():
    """Kinds of loads and drives of the package that no case has."""
    systems = [build(1) for build in CASES.values()]
    present = {type(element) for s in systems for element in (*s.loads, *s.drives)}
    return [entry.word for entry in entries().values() if entry.section in ("forces", "drives") and entry.cls not in present]
