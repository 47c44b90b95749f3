"""The tree formulation against the oracle, against itself inverted, and against 40 digits."""

import numpy as np
import pytest

import bridge
import oracle
import poinsot as po
import random_models
from high_precision import chain_accelerations

SIZES = [1, 2, 3, 5, 8, 12, 20, 30]
SEEDS = range(200)
BATCH = 25


def relative(a, b):
    return np.abs(a - b).max(initial=0.0) / max(np.abs(b).max(initial=0.0), 1e-300)


@pytest.mark.parametrize("start", SEEDS[::BATCH])
def test_random_trees_against_the_oracle(start):
    """Accelerations, reactions, energies, momenta, poses and inverse dynamics of 200 trees with every joint and load."""
    models, worst = [], 0.0
    for seed in range(start, start + BATCH):
        rng = np.random.default_rng(seed)
        model, q, u = random_models.random_tree(rng, SIZES[seed % len(SIZES)])
        models.append(model)
        worst = max(worst, compare_with_oracle(model, q, u))
    print(f"largest relative error of accelerations: {worst:.2g} in", random_models.count_kinds(models))


def test_small_trees_against_the_oracle():
    """The same on a few small trees: quick, and enough to notice a broken term."""
    for seed in range(1000, 1012):
        compare_with_oracle(*random_models.random_tree(np.random.default_rng(seed), 8))


def compare_with_oracle(model, q, u):
    """Everything that dynamics and observations say about one state; returns the relative error of the accelerations."""
    poses, twists = oracle.kinematics(model, q, u)
    solution = oracle.accelerations(model, poses, twists, q, u)
    expected = np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))
    system = bridge.to_system(model, q, u)
    d = po.dynamics(system)
    state = d.state()
    error = relative(d.acceleration(), expected)
    assert error < 1e-12
    reactions = d.reactions()
    scale = np.abs(solution.force).max() + np.abs(solution.torque).max()
    for k, joint in enumerate(model.joints):
        force, torque = reactions[joint.name]
        assert np.abs(force - solution.force[k]).max() <= 1e-12 * scale, joint
        assert np.abs(torque - solution.torque[k]).max() <= 1e-12 * scale, joint
    efforts = d.inverse(acceleration=expected)
    assert relative(d.acceleration(effort=efforts), expected) < 1e-10
    compare_motion(model, poses, twists, q, system, state, d)
    return error


def compare_motion(model, poses, twists, q, system, state, d):
    from poinsot.results.trajectory import Samples

    energy = oracle.energy(model, poses, twists, q)
    run = Samples(d.frozen, d.formulation, 0.0, d.formulation.pack(state.coordinates, state.rates))
    scale = energy.kinetic + abs(energy.potential)
    assert abs(run.kinetic - energy.kinetic) < 1e-12 * scale
    assert abs(run.potential - energy.potential) < 1e-12 * scale
    assert np.abs(run.momentum - energy.momentum).max() < 1e-12 * (1 + np.abs(energy.momentum).max())
    assert np.abs(run.angular_momentum - energy.angular_momentum).max() < 1e-12 * (1 + np.abs(energy.angular_momentum).max())
    for k, body in enumerate(model.bodies):
        view = run[body.name]
        assert np.abs(view.position - poses.position[k]).max() < 1e-12 * (1 + np.abs(poses.position).max())
        assert np.abs(view.rotation - poses.rotation[k]).max() < 1e-12
        assert np.abs(view.com_velocity - twists.com[k]).max() < 1e-12 * (1 + np.abs(twists.com).max())
        assert np.abs(view.angular_velocity - twists.angular[k]).max() < 1e-12 * (1 + np.abs(twists.angular).max())
    assert relative(run.coordinates, np.concatenate([np.atleast_1d(x) for x in q])) < 1e-14


def chain(n, thin=1.0, spread=0.0, seed=0):
    """A hanging chain on balls, bent and moving: system, and the arguments of the reference.

    thin: smallest principal inertia over the largest, if below 1; spread: decimal powers of the masses up and down.
    """
    rng = np.random.default_rng(seed)
    masses = 50.0 * 10.0 ** rng.uniform(-spread, spread, n) if spread else np.full(n, 50.0)
    unit = np.diag([1.0, 1.0, 0.02 if thin == 1.0 else thin]) * 0.33
    arms, lengths = np.tile([0.0, 0.0, -1.0], (n, 1)), np.tile([0.0, 0.0, -2.0], (n, 1))
    inertias = masses[:, None, None] * unit
    quaternions = np.c_[np.ones(n), 0.3 * rng.normal(size=(n, 3))]
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    rates = rng.normal(size=(n, 3))
    gravity = (0.0, 0.0, -9.81)
    s = po.System("chain", gravity=gravity)
    parent = s.ground
    for k in range(n):
        body = s.body(f"b{k}", mass=masses[k], inertia=inertias[k], position=(0, 0, -2.0 * k - 1))
        s.spherical(parent, body, at=(0, 0, -2.0 * k), name=f"j{k}").set(rotation=quaternions[k], rate=rates[k])
        parent = body
    return s, (masses, inertias, arms, lengths, quaternions, rates, gravity)


def bent(n, speed):
    """The chain of `systems.py` with every joint turned by 1.5 rad, about x and y in turn, with random rates."""
    rng = np.random.default_rng(0)
    s = po.System("bent chain", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(n):
        body = s.body(f"b{k}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1))
        joint = s.spherical(parent, body, at=(0, 0, -2.0 * k))
        joint.set(rotation=("xy"[k % 2], 1.5), rate=speed * rng.normal(size=3))
        parent = body
    return s


@pytest.mark.parametrize("n, speed", [(64, 0.0), (64, 1.0), (1024, 0.0), (1024, 1.0)])
def test_inverse_of_forward_on_bent_chains(n, speed):
    """The residual of forward dynamics is within 1e-12 of the largest reaction.

    At rest and for 64 bodies. In 1024 moving bodies the last bit of the accelerations alone is worth more than that
    (1.5e-11): there the residual must be smaller than what a change of all accelerations by their last bit makes.
    """
    d = po.dynamics(bent(n, speed))
    a = d.acceleration()
    wrench = max(np.abs(np.r_[force, torque]).max() for force, torque in d.reactions().values())
    residual = d.inverse(acceleration=a)
    signs = np.random.default_rng(1).choice([-1, 1], size=a.size)
    last_bit = np.abs(d.inverse(acceleration=np.nextafter(a, a + signs * np.inf)) - residual).max()
    assert np.abs(residual).max() <= max(1e-12 * wrench, last_bit)
    if (n, speed) != (1024, 1.0):
        assert np.abs(residual).max() <= 1e-12 * wrench


@pytest.mark.parametrize(
    "n, thin, spread, bound",
    [
        (64, 1.0, 0.0, 1e-14),
        (64, 1e-4, 0.0, 1e-12),
        (64, 1.0, 2.0, 1e-13),
        # random masses over six decades: where light links follow each other in front of heavy ones, digits are lost, and
        # how many depends on the rounding (1e-13 to 2e-11 for 64 bodies, 4e-12 to 1e-8 for 256); world axes lose 3e-5
        (64, 1.0, 3.0, 1e-10),
        (256, 1.0, 3.0, 1e-7),
        pytest.param(1024, 1.0, 0.0, 1e-13, marks=pytest.mark.long),
    ],
)
def test_chains_against_forty_digits(n, thin, spread, bound):
    system, arguments = chain(n, thin, spread)
    expected = chain_accelerations(*arguments)
    error = relative(po.dynamics(system).acceleration(), expected.ravel())
    print(f"n = {n}, thin {thin}, masses 10^+-{spread}: {error:.2g}")
    assert error <= bound


def test_a_loop_is_refused_by_name():
    s = po.System("triangle", gravity=None)
    a = s.body("a", po.Sphere(0.1, mass=1.0))
    b = s.body("b", po.Sphere(0.1, mass=1.0), position=(1, 0, 0))
    s.revolute(s.ground, a, at=(0, 1, 0), axis="z")
    s.revolute(a, b, at=(0.5, 0, 0), axis="z")
    s.revolute(b, s.ground, at=(1, 1, 0), axis="z", name="last")
    with pytest.raises(po.FormulationError, match=r"revolute 'last' closes a loop \(between 'b' and 'ground'\)"):
        po.dynamics(s, "tree:momentum")
