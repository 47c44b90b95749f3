"""Scalars of two bodies, on directors that need not be orthonormal: values, gradients, second derivatives, exact differences; angles."""

import numpy as np
import pytest
from numba import njit
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from poinsot.algebra.vectors import ZERO, load3
from poinsot.analysis.constraints import Geometry
from poinsot.elements.director_scalars import ANGLE, POSE, scalar_bias, scalar_gradient, scalar_value
from poinsot.layout.freeze import freeze
from poinsot.layout.scalars import empty
from poinsot.model.joint import Helical
from poinsot.tables.records import COINCIDE, DISTANCE, DOT, SLIDE
from systems import kinds_of_joints, one_joint

QUADRATIC = [COINCIDE, SLIDE, DOT, DISTANCE]
KINDS = [*QUADRATIC, ANGLE]
SAMPLES = range(20)
HELICAL = kinds_of_joints(lambda joint: joint.motions() and all(isinstance(motion, Helical) for motion in joint.motions()))


@njit(cache=True)
def value(table, poses, old):
    return scalar_value(table[0], poses, old)


@njit(cache=True)
def gradient(table, poses):
    return scalar_gradient(table[0], poses, ZERO, ZERO, 0.0)


@njit(cache=True)
def bias(table, poses, twists):
    return scalar_bias(table[0], poses, load3(twists, 0), load3(twists, 3), load3(twists, 6), load3(twists, 9))


def row(table, poses):
    """Gradient on the twists of both bodies, flat."""
    return np.concatenate(gradient(table, poses))


def example(kind, rng):
    """A scalar of two bodies, and poses of them with directors that are not orthonormal."""
    table = empty(1)
    table["kind"], table["second"], table["c"] = kind, 1, 0.7
    for name in ("first_point", "second_point", "a", "a2", "b", "b2"):
        table[name] = rng.normal(size=3)
    turns = Rotation.random(2, random_state=rng).as_matrix()
    if kind == ANGLE:  # of a turn about an axis that the bodies share: next to where both products vanish it is not smooth
        u, v, n = Rotation.random(random_state=rng).as_matrix()
        table["a"], table["b"], table["a2"], table["b2"] = v, u, u, u
        turns[1] = turns[0] @ Rotation.from_rotvec(rng.uniform(-3, 3) * n).as_matrix()
    turns += 0.1 * rng.normal(size=(2, 3, 3))
    return table, np.concatenate([rng.normal(size=(2, 3)), turns.reshape(2, 9)], axis=1).ravel()


def moved(poses, twists, t):
    """Poses after the time t of bodies whose velocities are constant."""
    found = []
    for pose, (v, w) in zip(poses.reshape(2, POSE), twists.reshape(2, 2, 3)):
        turn = Rotation.from_rotvec(t * w).as_matrix()
        found.append(np.r_[pose[:3] + t * v, (turn @ pose[3:].reshape(3, 3)).ravel()])
    return np.concatenate(found)


@pytest.mark.parametrize("kind", KINDS)
def test_values(kind):
    for seed in SAMPLES:
        table, poses = example(kind, np.random.default_rng(seed))
        s, (A, B) = table[0], poses.reshape(2, POSE)[:, 3:].reshape(2, 3, 3)
        d = poses[POSE : POSE + 3] + B @ s["second_point"] - poses[:3] - A @ s["first_point"]
        e, f = A @ s["a"], B @ s["b"]
        expected = {
            COINCIDE: d @ s["a"] - 0.7,
            SLIDE: d @ e - 0.7,
            DOT: e @ f - 0.7,
            DISTANCE: (d @ d - 0.49) / 2,
            ANGLE: np.arctan2(e @ f, (A @ s["a2"]) @ (B @ s["b2"])),
        }
        assert_allclose(value(table, poses, 0.0), expected[kind], rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_rates_and_second_derivatives_of_moving_bodies(kind):
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        table, poses = example(kind, rng)
        twists, h, old = rng.normal(size=12), 5e-3, value(table, poses, 0.0)
        f = [value(table, moved(poses, twists, k * h), old) for k in range(-3, 4)]
        slope = (45 * (f[4] - f[2]) - 9 * (f[5] - f[1]) + f[6] - f[0]) / (60 * h)
        bend = (270 * (f[4] + f[2]) - 27 * (f[5] + f[1]) + 2 * (f[6] + f[0]) - 490 * f[3]) / (180 * h * h)
        assert_allclose(row(table, poses) @ twists, slope, rtol=1e-8, atol=1e-8)
        assert_allclose(bias(table, poses, twists), bend, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("kind", QUADRATIC)
def test_differences_of_quadratic_ones_are_exact(kind):
    """Over a step of the midpoint rule a value changes by exactly the step times its rate in the middle."""
    for seed in SAMPLES:
        rng = np.random.default_rng(seed)
        table, middle = example(kind, rng)
        twists, change = rng.normal(size=12), np.zeros(2 * POSE)
        for k in range(2):
            v, w = twists[6 * k : 6 * k + 3], twists[6 * k + 3 : 6 * k + 6]
            D = middle[POSE * k + 3 : POSE * (k + 1)].reshape(3, 3)
            change[POSE * k : POSE * (k + 1)] = np.r_[v, np.cross(w, D.T).T.ravel()]
        difference = value(table, middle + 0.5 * change, 0.0) - value(table, middle - 0.5 * change, 0.0)
        terms = row(table, middle) * twists
        assert abs(difference - terms.sum()) < 1e-14 * (1 + np.abs(terms).sum())


def turned(turn):
    """Poses of two bodies at one place, the second turned."""
    return np.r_[np.zeros(3), np.eye(3).ravel(), np.zeros(3), turn.as_matrix().ravel()]


def turn_about(n, u, v):
    """The angle of a turn about n that carries u towards v."""
    table = empty(1)
    table["kind"], table["second"] = ANGLE, 1
    table["a"], table["b"], table["a2"], table["b2"] = v, u, u, u
    return table


def test_an_angle_is_followed_over_many_turns():
    u, v, n = Rotation.random(random_state=3).as_matrix()
    table, old = turn_about(n, u, v), 0.0
    for angle in np.concatenate([np.linspace(0, 30, 100), np.linspace(30, -30, 200)]):
        old = value(table, turned(Rotation.from_rotvec(angle * n)), old)
        assert abs(old - angle) < 2e-14


def test_an_angle_does_not_depend_on_the_lengths_of_directors():
    u, v, n = Rotation.random(random_state=4).as_matrix()
    table, poses = turn_about(n, u, v), turned(Rotation.from_rotvec(1.1 * n))
    poses[3:12] *= 1.7
    poses[15:] *= 0.2
    assert_allclose(value(table, poses, 0.0), 1.1, atol=1e-14)


def test_an_angle_at_the_end_of_the_branch_is_smooth():
    u, v, n = np.eye(3)
    table = turn_about(n, u, v)
    for angle in (np.pi - 1e-9, np.pi, np.pi + 1e-9):
        poses = turned(Rotation.from_rotvec(angle * n))
        assert_allclose(value(table, poses, 3.0), angle, atol=1e-15)
        assert_allclose(row(table, poses), [0, 0, 0, *-n, 0, 0, 0, *n], atol=1e-15)


@pytest.mark.parametrize("closing", [False, True])
@pytest.mark.parametrize("kind", HELICAL)
def test_coordinates_are_those_that_moved_the_joint(kind, closing):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        joint = one_joint(kind, rng, closing)
        g = Geometry(freeze(joint.system))
        p, R = np.zeros(3), np.eye(3)
        q = rng.uniform(-9, 9, len(joint.motions()))
        for x, motion in zip(q, joint.motions()):
            e = np.array(motion.axis)
            p, R = p + R @ e * motion.lin * x, R @ Rotation.from_rotvec(motion.rot * x * e).as_matrix()
        number = 1 if closing else 0
        table, first = g.layout.joints[number], int(g.layout.motions["ic"][g.layout.joints["motion"][number]])
        poses = np.array([np.r_[np.zeros(3), np.eye(3).ravel()]] * 2)
        A = table["first_rotation"] @ R @ table["second_rotation"].T
        poses[1] = np.r_[table["first_origin"] + table["first_rotation"] @ p - A @ table["second_origin"], A.ravel()]
        old = np.zeros(int(g.layout.motions["ic"].max()) + 4)
        old[first : first + len(q)] = q + 3.0
        assert_allclose(g.joints(poses, old)[0][first : first + len(q)], q, atol=2e-14)
