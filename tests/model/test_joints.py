"""One test for all joints: whatever their motions do, their rows stay satisfied, and both count the same degrees of freedom."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import oracle
import poinsot as po
from poinsot.analysis.constraints import Geometry
from poinsot.layout.freeze import freeze
from poinsot.model.joint import Ball, Helical, Joint
from poinsot.model.joints import JOINTS
from systems import one_joint

CASES = range(20)


def evaluate(system, pair):
    """Values of the rows of a system of one joint whose frames are a pair, and the rows on the twists of both frames' points at the world origin."""
    g = Geometry(freeze(system))
    table, poses, arms = g.layout.joints[0], [], []
    for side, frame in (("first", pair[:12]), ("second", pair[12:])):
        R = frame[3:].reshape(3, 3) @ table[f"{side}_rotation"].T
        place = frame[:3] - R @ table[f"{side}_origin"]
        poses.append(np.r_[place, R.ravel()])
        arms.append(place + R @ g.layout.bodies["com"][table[side]])
    values, blocks = g.rows(np.array(poses), np.zeros(len(g.layout.motions) + 6))
    twists = blocks[:, :2].copy()
    for k, arm in enumerate(arms):  # from the centre of mass to the world origin
        twists[:, k, 3:] += np.cross(arm, blocks[:, k, :3])
    return values, twists.reshape(-1, 12)


def move(joint, rng):
    """Second frame relative to the first after random motions, and the twists (linear of its origin, angular) its motions allow."""
    p, R, twists = np.zeros(3), np.eye(3), []
    for motion in joint.motions():
        if isinstance(motion, Helical):
            q, e = rng.uniform(-2, 2), np.array(motion.axis)
            axis = R @ e
            step = axis * motion.lin * q
            twists = [np.r_[x[:3] + np.cross(x[3:], step), x[3:]] for x in twists]
            twists.append(np.r_[axis * motion.lin, axis * motion.rot])
            p, R = p + step, R @ Rotation.from_rotvec(motion.rot * q * e).as_matrix()
        elif isinstance(motion, Ball):
            twists += [np.r_[np.zeros(3), e] for e in np.eye(3)]
            R = R @ Rotation.random(random_state=rng).as_matrix()
        else:
            twists += [np.r_[e, np.zeros(3)] for e in np.eye(3)]
            p = p + rng.normal(size=3)
    return p, R, np.array(twists).reshape(-1, 6)


@pytest.mark.parametrize("seed", CASES)
@pytest.mark.parametrize("kind", [joint.kind for joint in JOINTS])
def test_motions_satisfy_rows(kind, seed):
    rng = np.random.default_rng(seed)
    joint = one_joint(kind, rng)
    p, R, allowed = move(joint, rng)
    place, turn = rng.normal(size=3), Rotation.random(random_state=rng).as_matrix()  # the first frame, anywhere in the world
    pair = np.r_[place, turn.ravel(), place + turn @ p, (turn @ R).ravel()]
    values, twists = evaluate(joint.system, pair)
    assert np.abs(values).max(initial=0.0) <= 1e-14 * (1 + np.abs(p).max())
    assert np.linalg.matrix_rank(twists, tol=1e-9) + joint.freedoms == 6
    # no row sees a motion that the joint allows: v is the velocity of the body's point at the world origin
    for twist in allowed:
        v, w = turn @ twist[:3], turn @ twist[3:]
        at_origin = v - np.cross(w, pair[12:15])
        assert np.abs(twists[:, 6:] @ np.r_[at_origin, w]).max(initial=0.0) <= 1e-13 * (1 + np.abs(pair).max())


def below(cls):
    """All classes below a class."""
    return [c for child in cls.__subclasses__() for c in (child, *below(child))]


def test_every_joint_is_listed_can_be_built_and_has_a_reference():
    assert set(JOINTS) == {cls for cls in below(Joint) if "kind" in cls.__dict__ and cls.__module__.startswith("poinsot.")}
    assert sorted(joint.kind for joint in JOINTS) == sorted(oracle.KINDS)
    assert all(callable(getattr(po.System, joint.kind)) for joint in JOINTS)


def test_linked_row_follows_many_turns():
    rng = np.random.default_rng(1)
    joint = one_joint("screw", rng)
    e, lead = np.array(joint.axis), 0.7 / (2 * np.pi)
    for angle in (-31.0, 2.9, 3.3, 50.0):
        pair = np.r_[np.zeros(3), np.eye(3).ravel(), lead * angle * e, Rotation.from_rotvec(angle * e).as_matrix().ravel()]
        values, _ = evaluate(joint.system, pair)
        assert np.abs(values).max() < 1e-13
