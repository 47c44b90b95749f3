"""Planar chains: that of bai2022, and random ones anywhere in space."""

import numpy as np

import bridge
import oracle
import poinsot as po
import random_models
from poinsot.formulations.planar.options import CODES

VARIANTS = [*CODES, *(f"{code},canonical" for code in CODES if code.endswith("H"))]


def double_pendulum(momenta=None, angles=(-np.pi / 3, np.pi / 3), gravity=9.8):
    """The double pendulum of bai2022, section 7: angles are relative, gravity (m/s^2) along +y. `momenta`: of the absolute angles; None: at rest."""
    s = po.System("double pendulum", plane="xy", gravity=(0, gravity))
    a = s.body("a", mass=0.5, inertia=1.0, com=(0.05, 0.3), position=(0, 0))
    b = s.body("b", mass=0.8, inertia=2.0, com=(0.05, 0.3), position=(1, 0))
    joints = s.revolute(s.ground, a, at=(0, 0), name="j1"), s.revolute(a, b, at=(1, 0), name="j2")
    for joint, angle in zip(joints, angles):
        joint.set(angle=float(angle))
    if momenta is not None:
        P = np.array([[1.0, 0.0], [1.0, 1.0]])  # absolute rates from relative ones
        M = po.dynamics(s).mass_matrix()
        for joint, rate in zip(joints, np.linalg.solve(M, P.T @ np.asarray(momenta))):
            joint.set(rate=float(rate))
    return s


def absolute(run):
    """Absolute angles, and momenta conjugate to them, at the end of a run of the double pendulum, (4,)."""
    P = np.array([[1.0, 0.0], [1.0, 1.0]])
    rates = np.array([run["j1"].rate[-1], run["j2"].rate[-1]])
    angles = P @ [run["j1"].angle[-1], run["j2"].angle[-1]]
    M = po.dynamics(run.system).mass_matrix(run.state())
    return np.r_[angles, np.linalg.solve(P.T, M @ rates)]


def random_chain(rng, n, loads=True, turns=0.0, speed=1.5):
    """A random chain on parallel axes, which may point either way, with a random state: (OModel, coordinates, rates).

    Angles are within +-1 rad, or +- this many further turns; rates within +-speed.
    """
    model, _, _ = random_models.random_tree(rng, n, kinds=("revolute",), loads=False, chain=True)
    axis = random_models.unit_vector(rng)
    for joint in model.joints:
        joint.axis = axis * rng.choice([-1.0, 1.0])
    q = [rng.uniform(-1, 1, 1) + 2 * np.pi * rng.uniform(-turns, turns, 1) for _ in model.joints]
    u = [rng.uniform(-speed, speed, 1) for _ in model.joints]
    if loads:
        random_models.add_loads(rng, model, oracle.kinematics(model, q, u)[0])
    return model, q, u


def chain(n, gravity=(0.3, -9.0, 1.0), seed=0, speed=4.0):
    """A random chain without loads as a System."""
    model, q, u = random_chain(np.random.default_rng(seed), n, loads=False, speed=speed)
    model.gravity = np.array(gravity)
    return bridge.to_system(model, q, u)
