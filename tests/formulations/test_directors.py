"""The directors formulation against the oracle, open and closed, reactions included."""

import numpy as np
import pytest

import bridge
import oracle
import poinsot as po
import random_models

BATCH = 10


def compare_with_oracle(model, q, u, poses, twists, tolerance, formulation="directors"):
    """Accelerations and reactions at one state; returns the relative error of the accelerations."""
    solution = oracle.accelerations(model, poses, twists, q, u)
    expected = np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))
    d = po.dynamics(bridge.to_system(model, q, u), formulation)
    error = np.abs(d.acceleration() - expected).max() / np.abs(expected).max()
    assert error < tolerance
    reactions = d.reactions()
    scale = np.abs(solution.force).max() + np.abs(solution.torque).max()
    for k, joint in enumerate(model.joints):
        if joint.name in d.ambiguous:
            continue
        force, torque = reactions[joint.name]
        assert np.abs(force - solution.force[k]).max() <= tolerance * scale, joint
        assert np.abs(torque - solution.torque[k]).max() <= tolerance * scale, joint
    return error


@pytest.mark.parametrize("start", range(0, 60, BATCH))
def test_random_trees_against_the_oracle(start):
    models, worst = [], 0.0
    for seed in range(start, start + BATCH):
        rng = np.random.default_rng(seed)
        model, q, u = random_models.random_tree(rng, int(rng.integers(1, 13)))
        models.append(model)
        worst = max(worst, compare_with_oracle(model, q, u, *oracle.kinematics(model, q, u), 1e-10))
    print(f"largest relative error of accelerations: {worst:.2g} in", random_models.count_kinds(models))


def test_whole_runs_agree_with_the_tree():
    """Springs, dampers and a motor on a chain of three different joints: order 6 in directors against gauss4 on the tree."""
    s = po.System("arm", gravity=(0.3, 0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, -0.5))
    b = s.body("b", po.Box(0.1, 0.3, 1.0, mass=1.0), position=(0, 0, -1.5))
    c = s.body("c", po.Box(0.2, 0.1, 1.0, mass=1.5), position=(0, 0, -2.5))
    hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="hinge")
    ball = s.spherical(a, b, at=(0, 0, -1), name="ball")
    s.cylindrical(b, c, at=(0, 0, -2), axis="z", name="slide")
    hinge.set(angle=0.7, rate=1.0)
    ball.set(rotation=("x", 0.5), rate=(0.3, 0.1, 2.0))
    s.add(po.TorsionSpring(ball, stiffness=6.0))
    s.add(po.JointDamper(hinge, 0.4))
    s.add(po.Spring(s.ground, c, at=((1, 0, 0), (0, 0, -3)), stiffness=20.0, damping=0.3, length=2.0))
    s.add(po.Motor(hinge, lambda t: 2.0 * np.sin(3.0 * t), name="motor"))
    s.add(po.Force(c, (0.5, 0.2, 0.0), at=(0, 0, -2.5)))
    tree = po.simulate(s, 2.0, step=0.005, integrator="gauss4")
    run = po.simulate(s, 2.0, step=0.005, formulation="directors", integrator="energy-momentum-6")
    for name in "abc":
        for what in ("position", "quaternion", "velocity", "angular_velocity"):
            assert np.abs(getattr(tree[name], what) - getattr(run[name], what)).max() < 1e-8, (name, what)
    assert np.abs(tree["hinge"].angle - run["hinge"].angle).max() < 1e-8
    assert np.abs(tree["ball"].quaternion - run["ball"].quaternion).max() < 1e-8
    assert np.abs(tree.rates - run.rates).max() < 1e-8
    assert np.abs(tree.loads - run.loads).max() < 1e-6 * np.abs(tree.loads).max()
    assert run.audit.energy_drift < 1e-12 * run.audit.energy_scale
