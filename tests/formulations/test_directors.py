"""The directors formulation against the oracle, open and closed, reactions included."""

import numpy as np
import pytest

import bridge
import oracle
import poinsot as po
import random_models

BATCH = 10


def compare_with_oracle(model, q, u, poses, twists, tolerance):
    """Accelerations and reactions at one state; returns the relative error of the accelerations."""
    solution = oracle.accelerations(model, poses, twists, q, u)
    expected = np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))
    d = po.dynamics(bridge.to_system(model, q, u), "directors")
    error = np.abs(d.acceleration() - expected).max() / np.abs(expected).max()
    assert error < tolerance
    reactions = d.reactions()
    scale = np.abs(solution.force).max() + np.abs(solution.torque).max()
    for k, joint in enumerate(model.joints):
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


@pytest.mark.parametrize("start", range(0, 40, BATCH))
def test_random_loops_against_the_oracle(start):
    models, worst = [], 0.0
    for seed in range(start, start + BATCH):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 10))
        model, q, u = random_models.random_loop(rng, n, n_loops=int(rng.integers(1, 3)))
        tree = oracle.OModel(model.bodies, model.joints[:n], [], model.gravity)
        models.append(model)
        worst = max(worst, compare_with_oracle(model, q, u, *oracle.kinematics(tree, q[:n], u[:n]), 1e-9))
    print(f"largest relative error of accelerations: {worst:.2g} in", random_models.count_kinds(models))
