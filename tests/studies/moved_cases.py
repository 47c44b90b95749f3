"""The cases of saetran2018 as models of the oracle, with every number changed by 1 to 5 %, zeros included.

What is zero in the study (sideways offsets, turns of other joints, rates) is moved by 1 to 5 % of its natural scale, so
that the planar cases become spatial too. The same seed gives the same model.
"""

import numpy as np

import oracle
import poinsot as po
from random_models import quaternion_exp


def to_oracle(system):
    """A System read through its public fields: the oracle's model, joint coordinates and rates."""
    index = {body: k for k, body in enumerate(system.bodies)} | {system.ground: oracle.GROUND}
    bodies = [
        oracle.OBody(b.name, b.mass, np.array(b.com), b.inertia_matrix(), np.array(b.position), oracle.quaternion_matrix(b.rotation))
        for b in system.bodies
    ]
    joints = [
        oracle.OJoint(j.name, j.kind, index[j.first], index[j.second], np.array(j.first_at), np.array(getattr(j, "axis", None), object))
        for j in system.joints
    ]
    number = {joint: k for k, joint in enumerate(system.joints)}
    model = oracle.OModel(bodies, joints, [_load(x, index, number) for x in system.loads], np.array(system.gravity, float))
    state = po.dynamics(system).state()
    return model, *per_joint(model, state)


def per_joint(model, state):
    """Coordinates and rates of a State, as lists with one array per joint."""
    q, u, at, rate = [], [], 0, 0
    for joint in model.joints:
        freedoms = oracle.FREEDOMS[joint.kind]
        size = freedoms + (joint.kind in ("spherical", "free"))
        q.append(state.coordinates[at : at + size])
        u.append(state.rates[rate : rate + freedoms])
        at, rate = at + size, rate + freedoms
    return q, u


def _load(load, index, number):
    if isinstance(load, po.Spring):
        points = [np.array(point) for point in load.ends]
        return oracle.OSpring(index[load.first], index[load.second], *points, load.stiffness, load.damping, load.length)
    if isinstance(load, po.TorsionSpring):
        return oracle.OTorsionSpring(number[load.joint], load.stiffness, law=load.law)
    return oracle.OJointDamper(number[load.joint], load.damping)


class Mover:
    """Moves numbers by 1 to 5 %, up or down, at random; `moves` lists the factors."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.moves = []

    def part(self, shape=()):
        """Between 0.01 and 0.05 in size, of either sign."""
        found = self.rng.uniform(0.01, 0.05, shape) * self.rng.choice([-1.0, 1.0], shape)
        self.moves += np.atleast_1d(found).ravel().tolist()
        return found

    def number(self, x):
        return x * (1.0 + self.part())

    def vector(self, x):
        """Each component, and where it is zero by a part of the length."""
        x = np.asarray(x, float)
        scale = np.where(x == 0.0, max(np.linalg.norm(x), 1.0), x)
        return x + scale * self.part(3)

    def inertia(self, matrix):
        """Each principal second moment (what is zero becomes a part of the largest), and the axes are turned a little."""
        values, axes = np.linalg.eigh(matrix)
        second = 0.5 * values.sum() - values
        second = np.maximum(second * (1.0 + self.part(3)), 0.01 * second.max())
        turned = axes @ oracle.quaternion_matrix(quaternion_exp(self.part(3)))
        return turned @ np.diag(second.sum() - second) @ turned.T

    def coordinates(self, joint, q):
        if joint.kind != "spherical":
            return np.array([self.number(x) for x in q])
        turn = oracle.rotation_log(oracle.quaternion_matrix(q))
        return quaternion_exp(np.where(turn == 0.0, self.part(3), turn * (1.0 + self.part(3))))

    def rates(self, u):
        return np.where(u == 0.0, self.part(u.shape), u * (1.0 + self.part(u.shape)))


def moved(system, seed):
    """The oracle's model of a system of the study, its coordinates and its rates, all moved; and the mover."""
    model, q, u = to_oracle(system)
    mover = Mover(seed)
    bodies, joints, place = [], [], {oracle.GROUND: (np.zeros(3), np.zeros(3))}  # of each body: its joint before and after
    for joint in model.joints:  # outwards from the ground; body k hangs on joint k
        old, body = joint.at, model.bodies[joint.second]
        before, after = place[joint.first]
        new = after + mover.vector(old - before)
        place[joint.second] = (old, new)
        position = new + mover.vector(body.position - old)
        com = mover.vector(body.com) if np.any(body.com) else 0.1 * mover.part(3)
        turn = oracle.quaternion_matrix(quaternion_exp(mover.part(3))) @ body.rotation
        bodies.append(oracle.OBody(body.name, mover.number(body.mass), com, mover.inertia(body.inertia), position, turn))
        axis = None if joint.kind == "spherical" else joint.axis.astype(float)
        joints.append(oracle.OJoint(joint.name, joint.kind, joint.first, joint.second, new, axis))
    loads = [_moved_load(mover, load, place) for load in model.loads]
    changed = oracle.OModel(bodies, joints, loads, mover.vector(model.gravity))
    q = [mover.coordinates(joint, x) for joint, x in zip(joints, q)]
    return changed, q, [mover.rates(x) for x in u], mover


def _moved_load(mover, load, place):
    if isinstance(load, oracle.OSpring):
        points = [
            place[body][1] + mover.vector(point - place[body][0])
            for body, point in ((load.first, load.first_point), (load.second, load.second_point))
        ]
        numbers = [mover.number(x) for x in (load.stiffness, load.damping, load.length)]
        return oracle.OSpring(load.first, load.second, *points, *numbers)
    if isinstance(load, oracle.OTorsionSpring):
        return oracle.OTorsionSpring(load.joint, mover.number(load.stiffness), law=load.law)
    return oracle.OJointDamper(load.joint, mover.number(load.damping))
