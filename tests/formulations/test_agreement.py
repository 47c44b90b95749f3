"""All formulations of one model agree: with each other, with the oracle, and over whole runs."""

from itertools import pairwise

import numpy as np
import pytest

import bridge
import oracle
import poinsot as po
import random_models
from fitting import for_open_systems, pairs
from formulations.test_directors import compare_with_oracle
from loops import four_bar
from poinsot.formulations.registry import find, names
from poinsot.layout.freeze import freeze
from systems import chain

REFERENCE, *OTHERS = names()
CLOSED = [name for name in names() if not find(name).accepts(freeze(four_bar()))]
ADAPTIVE = {"rtol": 1e-11, "atol": 1e-11}
OWN = {"directors": {"step": 2e-4, "integrator": "energy-momentum-6"}}  # formulations without rates


@pytest.mark.parametrize("formulation", for_open_systems())
@pytest.mark.parametrize("start", range(0, 40, 10))
def test_random_trees(formulation, start):
    for seed in range(start, start + 10):
        rng = np.random.default_rng(seed)
        model, q, u = random_models.random_tree(rng, int(rng.integers(1, 13)))
        poses, twists = oracle.kinematics(model, q, u)
        solution = oracle.accelerations(model, poses, twists, q, u)
        expected = np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))
        d = po.dynamics(bridge.to_system(model, q, u), formulation)
        scale = np.abs(expected).max(initial=1e-300)
        assert np.abs(d.acceleration() - expected).max(initial=0.0) < 1e-10 * scale
        if d.formulation.inverse is None:
            continue
        effort = rng.normal(size=expected.size)
        assert np.abs(d.inverse(acceleration=d.acceleration(effort=effort)) - effort).max(initial=0.0) < 1e-9 * scale


@pytest.mark.parametrize("formulation", CLOSED)
@pytest.mark.parametrize("start", range(0, 40, 10))
def test_random_loops(formulation, start):
    """Accelerations and reactions against the oracle, for all formulations that accept loops."""
    models, worst = [], 0.0
    for seed in range(start, start + 10):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 10))
        model, q, u = random_models.random_loop(rng, n, n_loops=int(rng.integers(1, 3)))
        tree = oracle.OModel(model.bodies, model.joints[:n], [], model.gravity)
        models.append(model)
        worst = max(worst, compare_with_oracle(model, q, u, *oracle.kinematics(tree, q[:n], u[:n]), 1e-9, formulation))
    print(f"{formulation}: largest relative error of accelerations {worst:.2g} in", random_models.count_kinds(models))


@pytest.mark.parametrize("seed", range(6))
def test_whole_runs_of_random_loops(seed):
    """Every formulation that accepts loops, each by its best method."""
    rng = np.random.default_rng(200 + seed)
    system = bridge.to_system(*random_models.random_loop(rng, int(rng.integers(4, 7)), n_loops=1 + seed % 2))
    found = [po.simulate(system, 0.2, output_step=0.02, progress=False, formulation=name, **OWN.get(name, ADAPTIVE)) for name in CLOSED]
    assert [run.audit.formulation for run in found] == CLOSED
    for a, b in pairwise(found):
        for body in system.bodies:
            for x, y in zip(moving(a[body]), moving(b[body])):
                assert np.abs(x - y).max() < 1e-9 * (1.0 + np.abs(y).max()), body
    assert max(max(run.audit.constraint_metres, run.audit.constraint_radians) for run in found) < 1e-12


@pytest.mark.parametrize("formulation", OTHERS)
def test_whole_runs(formulation):
    """Four bodies (saetran2018), and a stiff chain with dampers, by one method; formulations that have methods of their own: test_whole_runs.py."""
    if (formulation, "gauss3") not in pairs():
        return
    for system in (chain(4), damped()):
        runs = [po.simulate(system, 5.0, step=0.01, integrator="gauss3", formulation=name) for name in (REFERENCE, formulation)]
        assert runs[1].audit.formulation == formulation
        a, b = (np.concatenate([quantity for body in system.bodies for quantity in moving(run[body])], axis=1) for run in runs)
        assert np.abs(a - b).max() < 1e-10 * np.abs(runs[0].motion).max()
        assert np.abs(runs[0].energy - runs[1].energy).max() < 1e-10 * runs[0].audit.energy_scale


def moving(view):
    """All that a body does; a quaternion has a sign that is continuous in time, and the same at the start."""
    return view.position, view.quaternion, view.velocity, view.angular_velocity


def damped():
    s = chain(3, 0.7)
    for k in range(3):
        s.add(po.JointDamper(s[f"joint{k + 1}"], 70.0))
    return s


@pytest.mark.parametrize("formulation", names())
def test_loops_are_refused_by_name(formulation):
    s = po.System("pair", gravity=None)
    a = s.body("a", po.Sphere(0.1, mass=1.0))
    s.revolute(s.ground, a, at=(0, 1, 0), axis="z")
    s.revolute(a, s.ground, at=(1, 1, 0), axis="z", name="second")
    if not find(formulation).accepts(freeze(s)):
        return  # it takes loops
    with pytest.raises(po.FormulationError, match=f"revolute 'second' closes a loop.*'{formulation}' accepts open"):
        po.dynamics(s, formulation)
