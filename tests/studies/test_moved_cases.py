"""Every case of saetran2018 with every parameter moved by 1 to 5 %, against the oracle: nothing is made for the study's numbers."""

import numpy as np
import pytest
from moved_cases import moved, per_joint, to_oracle
from scipy.integrate import solve_ivp

import bridge
import oracle
import poinsot as po
from poinsot.studies.saetran2018_runs import CASES

SEEDS = {case: 40 + k for k, case in enumerate(CASES)}
SHORT = {"single": 1.0, "thin rod": 1.0, "double": 0.3, "four": 0.1, "top 20": 0.2, "top 10": 0.2, "springs": 0.01, "euler-angles": 0.01}
LONG = {  # seconds of the trajectories against the oracle's
    "single": 5.0,
    "thin rod": 5.0,
    "double": 3.0,
    "four": 1.0,
    "top 20": 2.0,
    "top 10": 2.0,
    "springs": 0.3,
    "springs, 0.1 rad": 0.3,
    "euler-angles": 0.3,
    "euler-angles, 0.1 rad": 0.3,
    "free 16": 0.05,
    "damped 16": 0.02,
}


def accelerations(model, q, u):
    """Derivatives of all joint rates, by the oracle."""
    poses, twists = oracle.kinematics(model, q, u)
    solution = oracle.accelerations(model, poses, twists, q, u)
    return np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))


def worst_along(case, duration, states):
    """Largest relative error of our accelerations at several states along our run, against the oracle."""
    model, q, u, _ = moved(CASES[case].build(), SEEDS[case])
    system = bridge.to_system(model, q, u)
    run = po.simulate(system, duration, step=CASES[case].step, progress=False)
    ours, worst = po.dynamics(system), 0.0
    for k in np.linspace(0, len(run) - 1, states).round().astype(int):
        state = run.state(int(k))
        expected = accelerations(model, *per_joint(model, state))
        worst = max(worst, np.abs(ours.acceleration(state) - expected).max() / np.abs(expected).max())
    return worst


def oracle_tips(model, q, u, duration):
    """Positions of all bodies at the end of a run of the oracle's equations, by an explicit method of order 8."""
    shapes = [len(x) for x in q], [len(x) for x in u]
    cut = np.cumsum(shapes[0])

    def split(y):
        return np.split(y[: cut[-1]], cut[:-1]), np.split(y[cut[-1] :], np.cumsum(shapes[1])[:-1])

    def rate(t, y):
        q, u = split(y)
        turned = [_quaternion_rate(a, w) if len(a) == 4 else w for a, w in zip(q, u)]
        return np.concatenate([*turned, accelerations(model, q, u)])

    found = solve_ivp(rate, (0.0, duration), np.concatenate([*q, *u]), method="DOP853", rtol=1e-11, atol=1e-12)
    assert found.success
    return oracle.kinematics(model, *split(found.y[:, -1]))[0].position


def _quaternion_rate(q, w):
    return 0.5 * np.r_[-q[1:] @ w, q[0] * w + np.cross(q[1:], w)]


def trajectory_error(case, duration):
    """Distance (m) of our bodies from the oracle's at the end of a run, the largest."""
    model, q, u, _ = moved(CASES[case].build(), SEEDS[case])
    run = po.simulate(bridge.to_system(model, q, u), duration, step=min(CASES[case].step, 0.0025), progress=False)
    expected = oracle_tips(model, q, u, duration)
    return max(np.abs(run[b.name].position[-1] - x).max() for b, x in zip(model.bodies, expected))


@pytest.mark.parametrize("case", CASES)
def test_everything_was_moved(case):
    """No number of the model is the study's, and none is further than 5 % of its scale."""
    first, q0, u0 = to_oracle(CASES[case].build())
    model, q, u, mover = moved(CASES[case].build(), SEEDS[case])
    assert min(map(abs, mover.moves)) >= 0.01 and max(map(abs, mover.moves)) <= 0.05
    for a, b in zip(first.bodies, model.bodies):
        assert a.mass != b.mass and np.all(a.com != b.com) and np.all(a.position != b.position)
        assert np.all(np.diag(a.inertia) != np.diag(b.inertia)) and np.all(a.rotation != b.rotation)
    assert np.all(first.gravity != model.gravity)
    assert all(np.all(a.at != b.at) for a, b in zip(first.joints, model.joints))
    assert all(np.all(a != b) for a, b in zip([*q0, *u0], [*q, *u]))
    for a, b in zip(first.loads, model.loads):
        numbers = [name for name in ("stiffness", "damping", "length", "first_point", "second_point") if hasattr(a, name)]
        assert numbers and all(np.all(getattr(a, name) != getattr(b, name)) for name in numbers)


@pytest.mark.parametrize("case", [case for case in CASES if case != "coil 64"])
def test_accelerations_along_the_run(case):
    worst = worst_along(case, 0.1, 3)
    print(f"{case}: relative error of accelerations {worst:.2g}")
    assert worst < 1e-12


@pytest.mark.parametrize("case", SHORT)
def test_short_trajectories(case):
    error = trajectory_error(case, SHORT[case])
    print(f"{case}: {error:.2g} m after {SHORT[case]} s")
    assert error < 1e-11


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_accelerations_along_the_whole_run(case):
    worst = worst_along(case, CASES[case].duration, 5)
    print(f"{case}: relative error of accelerations {worst:.2g}")
    assert worst < 1e-11


@pytest.mark.long
@pytest.mark.parametrize("case", LONG)
def test_long_trajectories(case):
    error = trajectory_error(case, LONG[case])
    print(f"{case}: {error:.2g} m after {LONG[case]} s")
    assert error < 1e-10
