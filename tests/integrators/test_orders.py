"""Every method converges with the order that it declares; methods come from the registry."""

from functools import cache

import numpy as np
import pytest
from integrator_problems import Run, kepler

from poinsot.integrators import find, names
from poinsot.tables.types import EVALUATIONS, HALVINGS, ITERATIONS, OK, STEPS

# problem and duration
SMOOTH = {"eccentricity": 0.3, "shake": 0.1, "frequency": 5.0}, 5.0
ECCENTRIC = {"eccentricity": 0.5, "shake": 0.5, "frequency": 1.0}, 3.0  # there dopri5's terms of order 6 do not hide those of order 5
SPECIAL = {"dopri5": (*ECCENTRIC, 24), "gauss4": (*SMOOTH, 4)}  # with a number of steps; the others find theirs
FIXED = [name for name in names() if find(name).step is not None]  # `test_adams.py` measures those that take adaptive steps only
MOST_STEPS = 10_000
RANGE = 1e-3, 1e-11  # errors after the first and the fourth halving of the coarsest step


def error_of(problem, method, duration, steps):
    """Error of the state at the end of a run without halvings; infinite if the method halved steps."""
    run = Run(problem, method)
    assert run.march(duration / steps, 0, steps)[:2] == (OK, steps)
    if run.counters[HALVINGS]:
        return np.inf
    assert run.counters[STEPS] == steps
    return np.abs(run.y - problem.solution(duration))[:4].max()


@cache
def case(name):
    """Problem, duration and coarsest number of steps whose halvings are in the range of the theory."""
    if name in SPECIAL:
        return SPECIAL[name]
    parameters, duration = SMOOTH
    problem, method = kepler(**parameters), find(name)
    coarsest = 2
    while error_of(problem, method, duration, 2 * coarsest) > 0.5 * RANGE[0]:
        coarsest += 1 + coarsest // 8
        assert coarsest < MOST_STEPS, f"{name} does not converge"
    return parameters, duration, coarsest


@pytest.mark.parametrize("nq", [2, 0])
@pytest.mark.parametrize("name", FIXED)
def test_declared_order(name, nq):
    method = find(name)
    parameters, duration, coarsest = case(name)
    problem = kepler(nq, **parameters)
    errors = [error_of(problem, method, duration, coarsest * 2**halvings) for halvings in range(1, 5)]
    slope = np.log2(errors[0] / errors[3]) / 3
    print(f"{name} nq={nq}, {coarsest} steps: order {slope:.3f}, errors {errors[0]:.1e} .. {errors[3]:.1e}")
    assert errors[0] < RANGE[0] and errors[3] > RANGE[1]
    assert slope == pytest.approx(method.order, abs=0.15)


@pytest.mark.parametrize("name", FIXED)
def test_work_is_integrated_with_the_same_weights(name):
    parameters, duration, coarsest = case(name)
    problem = kepler(**parameters)
    run = Run(problem, find(name))
    run.march(duration / (16 * coarsest), 0, 16 * coarsest)
    error = np.abs(run.y - problem.solution(duration))
    assert error[4] < 20 * error[:4].max()


@pytest.mark.parametrize("name", FIXED)
def test_runs_backwards(name):
    parameters, duration, coarsest = case(name)
    problem = kepler(**parameters)
    run = Run(problem, find(name))
    steps = 16 * coarsest
    run.march(duration / steps, 0, steps)
    run.memory[:] = 0.0
    run.march(-duration / steps, 0, steps, t0=duration)
    limit = 1e-13 if name.startswith("gauss") else 1e-6  # Gauss methods are symmetric: back to where they came from
    assert np.abs(run.y - problem.start)[:4].max() < limit


def test_evaluations_are_counted():
    problem = kepler()
    for name, stages in (("rk4", 4), ("dopri5", 6), ("dop853", 12)):
        run = Run(problem, find(name))
        run.march(0.01, 0, 10)
        assert run.counters[EVALUATIONS] == 10 * stages
        assert run.counters[ITERATIONS] == 0
    run = Run(problem, find("gauss3"))
    run.march(0.01, 0, 10)
    assert run.counters[EVALUATIONS] == 3 * run.counters[ITERATIONS] + 1  # one for the first guess
