"""Every method converges with the order that it declares."""

import numpy as np
import pytest
from integrator_problems import Run, kepler

from poinsot.integrators import find, names
from poinsot.tables.types import EVALUATIONS, HALVINGS, ITERATIONS, OK, STEPS

# problem, duration and coarsest number of steps that bring four halvings into the range of the theory
SMOOTH = {"eccentricity": 0.3, "shake": 0.1, "frequency": 5.0}
ECCENTRIC = {
    "eccentricity": 0.5,
    "shake": 0.5,
    "frequency": 1.0,
}  # there dopri5's terms of order 6 do not hide those of order 5
CASES = {
    "rk4": (SMOOTH, 5.0, 32),
    "dopri5": (ECCENTRIC, 3.0, 24),
    "dop853": (SMOOTH, 5.0, 5),
    "gauss1": (SMOOTH, 5.0, 400),
    "gauss2": (SMOOTH, 5.0, 32),
    "gauss3": (SMOOTH, 5.0, 10),
    "gauss4": (SMOOTH, 5.0, 4),
}


@pytest.mark.parametrize("nq", [2, 0])
@pytest.mark.parametrize("name", names())
def test_declared_order(name, nq):
    method = find(name)
    parameters, duration, coarsest = CASES[name]
    problem = kepler(nq, **parameters)
    exact = problem.solution(duration)
    errors = []
    for halvings in range(5):
        steps = coarsest * 2**halvings
        run = Run(problem, method)
        assert run.march(duration / steps, 0, steps)[:2] == (OK, steps)
        assert run.counters[STEPS] == steps
        assert run.counters[HALVINGS] == 0
        errors.append(np.abs(run.y - exact)[:4].max())
    slope = np.log2(errors[1] / errors[4]) / 3
    print(f"{name} nq={nq}: order {slope:.3f}, errors {errors[1]:.1e} .. {errors[4]:.1e}")
    assert errors[1] < 1e-3 and errors[4] > 1e-11
    assert slope == pytest.approx(method.order, abs=0.15)


@pytest.mark.parametrize("name", names())
def test_work_is_integrated_with_the_same_weights(name):
    parameters, duration, coarsest = CASES[name]
    problem = kepler(**parameters)
    run = Run(problem, find(name))
    run.march(duration / (16 * coarsest), 0, 16 * coarsest)
    error = np.abs(run.y - problem.solution(duration))
    assert error[4] < 20 * error[:4].max()


@pytest.mark.parametrize("name", names())
def test_runs_backwards(name):
    parameters, duration, coarsest = CASES[name]
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
