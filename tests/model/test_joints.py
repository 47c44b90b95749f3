"""One test for all joints: whatever their motions do, their rows stay satisfied, and both count the same freedoms."""

import numpy as np
import pytest
from numba import njit
from scipy.spatial.transform import Rotation

import oracle
import poinsot as po
from poinsot.algebra.matrices import load33
from poinsot.algebra.vectors import ZERO, load3, vector
from poinsot.elements.frames import twist_rows
from poinsot.elements.linked import linked_gradient, linked_value
from poinsot.elements.rows import row_gradient, row_value
from poinsot.layout.freeze import freeze
from poinsot.model.joint import Ball, Helical, Joint
from poinsot.model.joints import JOINTS
from poinsot.tables.records import LINKED
from systems import one_joint

CASES = range(20)


@njit(cache=True)
def evaluate(rows, pair_array, values, twists):
    pair = load3(pair_array, 0), load33(pair_array, 3), load3(pair_array, 12), load33(pair_array, 15)
    for k in range(rows.shape[0]):
        u, v = vector(rows[k].u), vector(rows[k].v)
        if rows[k].kind == LINKED:
            values[k] = linked_value(u, v, rows[k].c, pair)
            gradient = linked_gradient(u, v, rows[k].c, pair)
        else:
            values[k] = row_value(rows[k].kind, u, v, rows[k].c, pair)
            gradient = row_gradient(rows[k].kind, u, v, pair)
        fa, ma, fb, mb = twist_rows(pair, gradient, ZERO, ZERO)
        for i in range(3):
            twists[k, i], twists[k, 3 + i], twists[k, 6 + i], twists[k, 9 + i] = fa[i], ma[i], fb[i], mb[i]


def move(joint, rng):
    """Second frame seen from the first after random motions, and the twists (linear of its origin, angular) its motions allow."""
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
    rows = freeze(joint.system).layout.rows
    p, R, allowed = move(joint, rng)
    place, turn = rng.normal(size=3), Rotation.random(random_state=rng).as_matrix()  # the first frame, anywhere in the world
    pair = np.r_[place, turn.ravel(), place + turn @ p, (turn @ R).ravel()]
    values, twists = np.zeros(len(rows)), np.zeros((len(rows), 12))
    evaluate(rows, pair, values, twists)
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
    rows = freeze(joint.system).layout.rows
    e, lead = np.array(joint.axis), 0.7 / (2 * np.pi)
    for angle in (-31.0, 2.9, 3.3, 50.0):
        pair = np.r_[np.zeros(3), np.eye(3).ravel(), lead * angle * e, Rotation.from_rotvec(angle * e).as_matrix().ravel()]
        values, twists = np.zeros(len(rows)), np.zeros((len(rows), 12))
        evaluate(rows, pair, values, twists)
        assert np.abs(values).max() < 1e-13
