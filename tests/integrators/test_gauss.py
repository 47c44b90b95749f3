"""What Gauss methods conserve, and when they accept their stages."""

import numpy as np
import pytest
from integrator_problems import INERTIA, Run, damper, kepler, rigid_body
from numba import float64, int64

from poinsot.algebra.compile import compiled
from poinsot.integrators import find, names
from poinsot.integrators.stages import no_stiffness
from poinsot.tables.types import (
    BUFFERS,
    EVALUATIONS,
    FLOATS,
    HALVINGS,
    ITERATIONS,
    LAYOUT,
    NOT_CONVERGED,
    OK,
    RATE,
    STEP,
    STEPS,
    STIFFNESS,
    Equations,
)

GAUSS = [name for name in names() if name.startswith("gauss")]


def norm_error(y):
    return abs(y[:4] @ y[:4] - 1.0)


@pytest.mark.parametrize("name", GAUSS)
def test_unit_length_and_quadratic_invariants_without_corrections(name):
    run = Run(rigid_body(), find(name))
    assert run.march(0.1, 0, 100_000, stride=1000)[0] == OK
    assert run.counters[HALVINGS] == 0
    lengths = np.array([norm_error(y) for y in run.out])
    inertia = np.array(INERTIA)
    w0, w = run.problem.start[4:7], run.out[:, 4:7]
    energy = (w**2 @ inertia) / (w0**2 @ inertia) - 1
    momentum = (w**2 @ inertia**2) / (w0**2 @ inertia**2) - 1
    worst = lengths.max(), np.abs(energy).max(), np.abs(momentum).max()
    print(name, "|q|^2, energy, momentum^2:", *(f"{x:.1e}" for x in worst), run.counters[ITERATIONS] / 100_000)
    assert worst[0] < 1e-13
    assert max(worst) < 5e-12


@pytest.mark.parametrize("name", GAUSS)
def test_sums_are_compensated(name):
    """A hundred thousand equal steps at constant velocity; plain sums would lose five digits."""
    run = Run(damper(0.0), find(name))
    run.march(0.1, 0, 100_000, stride=100_000)
    assert abs(run.y[0] - 1e4) <= 2 * np.spacing(1e4)


@pytest.mark.parametrize("name", GAUSS)
@pytest.mark.parametrize("rate", [0.5, 5.0])
def test_steady_rotation_has_converged_positions(name, rate):
    """Velocities converge at once here, but positions must converge as well."""
    run = Run(rigid_body((0.0, 0.0, rate)), find(name))
    assert run.march(0.1, 0, 2000)[0] == OK
    assert max(norm_error(y) for y in run.out) < 1e-13
    s = run.method.order // 2
    assert run.counters[EVALUATIONS] <= 2000 * 7 * s + 1


@pytest.mark.parametrize("name", GAUSS)
def test_steady_rotation_has_converged_work(name):
    """Positions and work agree with the same stages found without sweeps."""
    runs = [Run(rigid_body((0.0, 0.0, 5.0), nq), find(name)) for nq in (4, 0)]
    for run in runs:
        assert run.march(0.1, 0, 10)[0] == OK
    np.testing.assert_allclose(runs[0].y, runs[1].y, rtol=0, atol=1e-13)


def test_steady_rotation_of_one_stage_is_cayleys():
    h, rate = 0.2, 1.5
    run = Run(rigid_body((0.0, 0.0, rate)), find("gauss1"))
    run.march(h, 0, 1)
    angle = np.arctan(h * rate / 4)
    turn = np.array([np.cos(2 * angle), np.sin(2 * angle)])
    a, b, c, d = run.problem.start[:4]
    expected = [
        a * turn[0] - d * turn[1],
        b * turn[0] + c * turn[1],
        c * turn[0] - b * turn[1],
        d * turn[0] + a * turn[1],
    ]
    np.testing.assert_allclose(run.y[:4], expected, rtol=0, atol=3e-16)


@pytest.mark.parametrize("name", GAUSS)
def test_linear_decay_is_the_pade_approximation(name):
    """On v' = -k v a step is the diagonal Pade approximation of exp(-k h), however contracting the iteration."""
    h, k, s = 0.1, 5.0, int(name[-1])
    run = Run(damper(k), find(name))
    assert run.march(h, 0, 1)[0] == OK
    numerator = {
        1: [1, 1 / 2],
        2: [1, 1 / 2, 1 / 12],
        3: [1, 1 / 2, 1 / 10, 1 / 120],
        4: [1, 1 / 2, 3 / 28, 1 / 84, 1 / 1680],
    }[s]
    expected = np.polyval(numerator[::-1], -k * h) / np.polyval(numerator[::-1], k * h)
    assert run.y[1] == pytest.approx(expected, rel=1e-14)
    np.testing.assert_allclose(run.y[0], (1 - expected) / k, rtol=1e-14)


def test_slow_contraction_is_iterated_to_the_end():
    """Stages that contract by 0.7 an iteration: a test that stops at the first slow-down would accept them unconverged."""
    h, k = 0.1, 14.0
    run = Run(damper(k), find("gauss1", iterations=200))
    assert run.march(h, 0, 1)[0] == OK
    assert run.counters[HALVINGS] == 0
    assert run.counters[ITERATIONS] > 60
    assert run.y[1] == pytest.approx((1 - k * h / 2) / (1 + k * h / 2), rel=1e-13)


def test_extrapolation_saves_iterations():
    counts = {}
    for keep in (True, False):
        run = Run(rigid_body(), find("gauss4"))
        for k in range(200):
            assert run.march(0.02, k, 1)[0] == OK
            if not keep:
                run.memory[0] = 0.0
        counts[keep] = run.counters[ITERATIONS]
    print(counts)
    assert counts[True] < 0.65 * counts[False]


@pytest.mark.parametrize(("name", "step"), [("gauss1", 0.01), ("gauss2", 0.01), ("gauss3", 0.05), ("gauss4", 0.05)])
def test_the_step_before_the_last_improves_the_guess(name, step):
    counts = {}
    for keep in (True, False):
        run = Run(kepler(), find(name))
        for k in range(200):
            assert run.march(step, k, 1)[0] == OK
            if not keep:
                run.memory[1] = 0.0
        counts[keep] = run.counters[ITERATIONS]
    print(counts)
    assert counts[True] < 0.95 * counts[False]


def test_extrapolation_to_another_step_size():
    """After a step of size h the guess for a step of h / 2 or 2 h must be as good."""
    for factor in (0.5, 2.0):
        run = Run(kepler(), find("gauss4"))
        run.march(0.02, 0, 50)
        before = run.counters[ITERATIONS]
        run.march(0.02 * factor, 0, 1, t0=1.0)
        extrapolated = run.counters[ITERATIONS] - before
        cold = Run(kepler(), find("gauss4"))
        cold.march(0.02, 0, 50)
        cold.memory[0] = 0.0
        before = cold.counters[ITERATIONS]
        cold.march(0.02 * factor, 0, 1, t0=1.0)
        assert extrapolated < cold.counters[ITERATIONS] - before
        assert np.abs(run.y - cold.y).max() < 1e-14


def test_work_takes_no_part_in_the_tests():
    run = Run(kepler(), find("gauss3"))
    run.march(0.02, 0, 50)
    shifted = Run(kepler(), find("gauss3"))
    shifted.y[4] = 1e12
    shifted.march(0.02, 0, 50)
    assert (run.y[:4] == shifted.y[:4]).all()
    assert (run.counters == shifted.counters).all()


@compiled(int64(STEP, RATE, RATE, STIFFNESS, float64, float64, FLOATS, BUFFERS, LAYOUT))
def single_step(step, first, second, stiffness, t, h, y, buffers, layout):
    return step(Equations(first, second, stiffness), t, h, y, buffers, layout)


@pytest.mark.parametrize("name", GAUSS)
def test_failed_step_changes_nothing(name):
    """A single call of the step, without the driver's retries."""
    run = Run(damper(1e4), find(name))
    run.memory[:] = np.linspace(0.0, 1.0, run.memory.size)
    y, memory = run.y.copy(), run.memory.copy()
    problem = run.problem
    status = single_step(
        run.method.step, problem.position_rate, problem.velocity_rate, no_stiffness, 0.0, 0.1, run.y, run.buffers, problem.layout
    )
    assert status == NOT_CONVERGED
    assert (run.y == y).all() and (run.memory == memory).all()
    assert run.counters[STEPS] == 0
