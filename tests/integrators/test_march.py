"""The driver of fixed steps: outputs, chunks, halving, failure."""

import math

import numpy as np
import pytest
from integrator_problems import Run, damper, kepler, rigid_body

from poinsot.algebra.compile import compiled
from poinsot.integrators import find, names
from poinsot.integrators.contract import Method
from poinsot.tables.types import HALVINGS, NOT_CONVERGED, NOT_FINITE, OK, SINGULAR, STEP_SIGNATURE, STEPS

FIXED = [name for name in names() if find(name).step is not None]


@pytest.mark.parametrize("name", FIXED)
def test_chunks_give_the_same_bits(name):
    whole = Run(rigid_body(), find(name))
    assert whole.march(0.07, 0, 100, stride=3, t0=0.3) == (OK, 100, 33, 0.3 + 100 * 0.07)
    chunked, outputs, first = Run(rigid_body(), find(name)), [], 0
    for count in (1, 1, 7, 0, 30, 2, 59):
        assert chunked.march(0.07, first, count, stride=3, t0=0.3)[:2] == (OK, count)
        outputs.append(chunked.out)
        first += count
    assert first == 100
    assert (whole.y == chunked.y).all()
    assert (whole.memory == chunked.memory).all()
    assert (np.vstack(outputs) == whole.out).all()
    assert (whole.counters == chunked.counters).all()


def test_resumed_from_a_copy_of_the_memory():
    one = Run(kepler(), find("gauss3"))
    one.march(0.05, 0, 40)
    two = Run(kepler(), find("gauss3"))
    two.y[:], two.memory[:] = one.y, one.memory
    one.march(0.05, 40, 40)
    two.march(0.05, 40, 40)
    assert (one.y == two.y).all()


def test_stride_counts_the_steps_of_the_run():
    run = Run(kepler(), find("rk4"))
    run.march(0.05, 0, 4, stride=5)
    assert len(run.out) == 0
    status, steps, outputs, t = run.march(0.05, 4, 7, stride=5)
    assert (status, steps, outputs) == (OK, 7, 2)
    assert t == pytest.approx(0.55)
    reference = Run(kepler(), find("rk4"))
    reference.march(0.05, 0, 10)
    assert (run.out == reference.out[[4, 9]]).all()


def test_a_full_output_array_ends_the_call():
    run = Run(kepler(), find("rk4"))
    assert run.march(0.05, 0, 100, stride=2, rows=3) == (OK, 7, 3, 7 * 0.05)
    assert run.counters[STEPS] == 7


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("gauss")])
def test_steps_are_halved_where_they_must_and_counted(name):
    """Stiff for a while: the fixed point diverges at h and converges at h / 4."""
    stiffness = {1: 30.0, 2: 45.0, 3: 60.0, 4: 60.0}[int(name[-1])]
    run = Run(damper(stiffness, 0.95, 1.25), find(name))
    status, steps, _, t = run.march(0.1, 0, 20)
    assert (status, steps) == (OK, 20) and t == pytest.approx(2.0)
    halvings, count = run.counters[HALVINGS], run.counters[STEPS]
    print(name, "halvings", halvings, "steps", count)
    assert 4 <= halvings <= 40
    assert count > 26
    reference = Run(run.problem, find(name))
    assert reference.march(0.1 / 64, 0, 20 * 64)[0] == OK
    assert reference.counters[HALVINGS] == 0
    assert np.abs(run.y - reference.y).max() < {1: 2e-2, 2: 5e-3}.get(int(name[-1]), 2e-3)

    chunked = Run(run.problem, find(name))
    for k in range(20):
        chunked.march(0.1, k, 1)
    assert (chunked.y == run.y).all()


def test_after_the_stiff_time_steps_are_whole_again():
    run = Run(damper(45.0, 0.95, 1.25), find("gauss2"))
    run.march(0.1, 0, 14)
    halvings, count = run.counters[HALVINGS], run.counters[STEPS]
    run.march(0.1, 14, 20)
    assert run.counters[HALVINGS] == halvings
    assert run.counters[STEPS] == count + 20


@compiled(STEP_SIGNATURE)
def clock_step(equations, t, h, y, buffers, layout):
    """A step that only adds up its time, and fails while it is longer than values[1] between values[2] and values[3]."""
    if abs(t - y[0]) > 1e-12:
        return SINGULAR
    if layout.values[2] <= t <= layout.values[3] and h > layout.values[1]:
        return NOT_CONVERGED
    y[0] += h
    buffers.counters[STEPS] += 1
    return OK


def test_substeps_grow_again_within_a_step():
    """Steps of h / 16 are needed in the first third of a step; then it goes on by h / 16, h / 8, h / 4, h / 4."""
    clock = Method("clock", 1, clock_step, np.zeros(1), memory=lambda ny: 1, scratch=lambda ny: 1)
    run = Run(damper(0.1 / 15, 0.8999, 0.93), clock)
    run.y[0] = 0.0
    assert run.march(0.1, 0, 12)[:2] == (OK, 12)
    assert run.counters[STEPS] == 9 + 9 + 2
    assert run.counters[HALVINGS] == 4 + 2  # and two attempts to grow
    assert run.y[0] == pytest.approx(1.2, abs=1e-14)


def test_hopeless_step_leaves_the_last_good_state():
    run = Run(damper(1e9, 0.45), find("gauss2"))
    status, steps, outputs, t = run.march(0.1, 0, 20)
    assert status == NOT_CONVERGED
    assert steps == outputs == 4
    assert t == pytest.approx(0.45, abs=1e-4)
    assert run.counters[HALVINGS] >= 10
    assert run.y[1] == pytest.approx(math.exp(-t), rel=1e-7)

    at_once = Run(damper(1e9), find("gauss2"))
    before = at_once.y.copy()
    assert at_once.march(0.1, 0, 20) == (NOT_CONVERGED, 0, 0, 0.0)
    assert at_once.counters[HALVINGS] == 10
    assert (at_once.y == before).all()
    assert not at_once.memory.any()


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("name", FIXED)
def test_numbers_that_are_not_finite(name, value):
    run = Run(damper(value), find(name))
    before = run.y.copy()
    status, steps, outputs, t = run.march(0.1, 0, 20)
    assert (status, steps, outputs, t) == (NOT_FINITE, 0, 0, 0.0)
    assert (run.y == before).all()
    assert not run.memory.any()


@pytest.mark.parametrize("name", FIXED)
def test_only_the_work_is_not_finite(name):
    run = Run(damper(1.0), find(name))
    run.y[1] = 1e200  # its square overflows
    assert run.march(0.1, 0, 5)[0] == NOT_FINITE


@pytest.mark.parametrize("name", FIXED)
def test_other_statuses_are_passed_on_at_once(name):
    run = Run(kepler(), find(name))
    run.problem.position_rate = kepler(0).position_rate  # returns SINGULAR
    assert run.march(0.1, 0, 5) == (SINGULAR, 0, 0, 0.0)
    assert run.counters[HALVINGS] == 0
