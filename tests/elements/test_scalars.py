"""Scalar coordinates of motions from the frames of their joint: values, gradients, on frames that need not be orthonormal."""

import numpy as np
import pytest
from numba import njit
from scipy.spatial.transform import Rotation

from poinsot.algebra.matrices import load33, store33
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.scalars import scalar_gradient, scalar_value
from poinsot.layout.freeze import freeze
from poinsot.model.joint import Helical
from systems import kinds_of_joints, one_joint

KINDS = kinds_of_joints(lambda joint: joint.motions() and all(isinstance(motion, Helical) for motion in joint.motions()))


@njit(cache=True)
def load(pair):
    return load3(pair, 0), load33(pair, 3), load3(pair, 12), load33(pair, 15)


@njit(cache=True)
def value(layout, m, old, pair):
    return scalar_value(layout, m, old, load(pair))


@njit(cache=True)
def gradient(layout, m, pair):
    result = np.zeros(24)
    dpa, dAa, dpb, dAb = scalar_gradient(layout, m, load(pair))
    store3(result, 0, dpa)
    store33(result, 3, dAa)
    store3(result, 12, dpb)
    store33(result, 15, dAb)
    return result


def example(kind, rng, closing):
    """A joint with random axes, in the tree or closing a loop, with its layout and its first motion there."""
    joint = one_joint(kind, rng, closing)
    layout = freeze(joint.system).layout
    return joint, layout, int(layout.joints["motion"][1 if closing else 0])


@pytest.mark.parametrize("closing", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_they_are_the_coordinates_that_moved_the_joint(kind, closing):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        joint, layout, first = example(kind, rng, closing)
        p, R = np.zeros(3), np.eye(3)
        q = rng.uniform(-9, 9, len(joint.motions()))
        for x, motion in zip(q, joint.motions()):
            e = np.array(motion.axis)
            p, R = p + R @ e * motion.lin * x, R @ Rotation.from_rotvec(motion.rot * x * e).as_matrix()
        place, turn = rng.normal(size=3), Rotation.random(random_state=rng).as_matrix()
        pair = np.r_[place, turn.ravel(), place + turn @ p, (turn @ R).ravel()]
        for k, x in enumerate(q):
            assert abs(value(layout, first + k, x + 3.0, pair) - x) < 2e-14


@pytest.mark.parametrize("kind", KINDS)
def test_gradients(kind):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        joint, layout, first = example(kind, rng, True)
        a, b = (Rotation.random(random_state=rng).as_matrix().ravel() for _ in range(2))
        pair = np.r_[rng.normal(size=3), a, rng.normal(size=3), b] + 0.05 * rng.normal(size=24)
        velocity, h = rng.normal(size=24), 1e-3
        for m in range(first, first + len(joint.motions())):
            old = value(layout, m, 0.0, pair)
            f = [value(layout, m, old, pair + k * h * velocity) for k in range(-3, 4)]
            slope = (45 * (f[4] - f[2]) - 9 * (f[5] - f[1]) + f[6] - f[0]) / (60 * h)
            bend = (270 * (f[4] + f[2]) - 27 * (f[5] + f[1]) + 2 * (f[6] + f[0]) - 490 * f[3]) / (180 * h * h)
            scale = 1 + np.abs(bend)
            assert gradient(layout, m, pair) @ velocity == pytest.approx(slope, abs=1e-8 * scale**2)
