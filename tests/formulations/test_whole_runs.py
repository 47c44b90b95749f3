"""Whole runs of random open models: all formulations and the oracle go the same way."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import bridge
import oracle
import poinsot as po
import random_models
from fitting import for_open_systems, pairs
from poinsot.formulations.contract import BODY_MOTION
from poinsot.integrators import find

DURATION = 0.4


def by_oracle(model, q, u):
    """Positions and attitudes of all bodies at the end, from the oracle's accelerations; balls by rotation vectors from the start."""
    cuts = np.cumsum([len(x) for x in u])[:-1]

    def coordinates(steps):
        return random_models.moved(model, q, np.split(steps, cuts))

    def rate(t, y):
        n = len(y) // 2
        now, rates = coordinates(y[:n]), np.split(y[n:], cuts)
        poses, twists = oracle.kinematics(model, now, rates)
        solution = oracle.accelerations(model, poses, twists, now, rates)
        acceleration = np.concatenate(oracle.joint_accelerations(model, poses, twists, now, rates, solution))
        return np.concatenate([local_rate(model, np.split(y[:n], cuts), rates), acceleration])

    start = np.concatenate([np.zeros(sum(map(len, u))), *u])
    end = solve_ivp(rate, (0.0, DURATION), start, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    n = len(end) // 2
    return oracle.kinematics(model, coordinates(end[:n]), np.split(end[n:], cuts))[0]


def local_rate(model, steps, rates):
    """Derivatives of rotation vectors (of balls) and of plain coordinates, from the rates of the joints."""
    result = []
    for joint, d, u in zip(model.joints, steps, rates):
        if joint.kind == "spherical":
            result.append(vector_rate(d, u))
        elif joint.kind == "free":
            result.append(np.concatenate([u[:3], vector_rate(d[3:], u[3:])]))
        else:
            result.append(u)
    return np.concatenate(result)


def vector_rate(d, u):
    """d' of a rotation vector d when the body turns by u in its own axes: the inverse of the right Jacobian of exp."""
    angle = np.linalg.norm(d)
    k = 1 / 12 if angle < 1e-4 else (1 - angle / 2 / np.tan(angle / 2)) / angle**2
    return u + 0.5 * np.cross(d, u) + k * np.cross(d, np.cross(d, u))


def best():
    """Of every formulation the integrator to take: gauss3 where it fits, otherwise its own of the highest order."""
    found = {}
    for formulation, integrator in sorted(pairs(), key=lambda pair: (pair[1] == "gauss3", find(pair[1]).order)):
        found[formulation] = integrator
    assert set(found) == set(for_open_systems())
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_open_models(seed):
    rng = np.random.default_rng(100 + seed)
    model, q, u = random_models.random_tree(rng, int(rng.integers(2, 5)), smooth=True)
    system = bridge.to_system(model, q, u)
    step = DURATION / 400
    runs = {
        formulation: po.simulate(system, DURATION, step=step, output_step=DURATION, integrator=integrator, formulation=formulation)
        for formulation, integrator in best().items()
    }
    expected = by_oracle(model, q, u)
    bodies = [body.name for body in system.bodies]
    errors = {}
    for name, run in runs.items():
        place = max(np.abs(run[b].position[-1] - expected.position[k]).max() for k, b in enumerate(bodies))
        turn = max(np.abs(run[b].rotation[-1] - expected.rotation[k]).max() for k, b in enumerate(bodies))
        errors[name] = max(place, turn)
    n = BODY_MOTION * (len(bodies) + 1)
    speeds = [run.motion[-1, :n].reshape(-1, BODY_MOTION)[:, 7:] for run in runs.values()]
    apart = max(np.abs(v - speeds[0]).max() for v in speeds) / np.abs(speeds[0]).max()
    print(f"seed {seed}, {len(bodies)} bodies: from the oracle {errors}, velocities apart {apart:.1e}")
    assert max(errors.values()) < 1e-10
    assert apart < 1e-12
