"""The driver of adaptive steps: accuracy, dense output, rejections, chunks, failure."""

import math
from dataclasses import replace

import numpy as np
import pytest
from integrator_problems import Problem, Run, damper, kepler, layout_of, rigid_body, velocity_is_rate
from scipy.integrate import ode, solve_ivp

import poinsot as po
from poinsot.algebra.compile import compiled
from poinsot.integrators import find, names
from poinsot.integrators.explicit import BETA, SAFETY
from poinsot.tables.types import EVALUATIONS, NOT_CONVERGED, NOT_FINITE, OK, RATE_SIGNATURE, REJECTIONS, SINGULAR, STEPS

ADAPTIVE = [name for name in names() if find(name).adaptive]


def solved(name, rtol, outputs=200, duration=10.0, problem=None):
    run = Run(problem or kepler(), find(name, rtol=rtol, atol=rtol))
    status, steps, written, t = run.adaptive(duration / outputs, 1, outputs)
    assert (status, written, t) == (OK, outputs, duration)
    assert run.counters[STEPS] == steps
    return run


@pytest.mark.parametrize("name", ADAPTIVE)
def test_global_error_follows_the_tolerance(name):
    errors = []
    exact = kepler().solution(10.0)
    for rtol in 10.0 ** -np.arange(5, 13):
        run = solved(name, rtol, outputs=1)
        errors.append(np.abs(run.y - exact)[:4].max())
        assert errors[-1] < 300 * rtol
    print(name, [f"{e:.1e}" for e in errors])
    assert 5 < np.log10(errors[0] / errors[-1]) < 8.5  # of seven decades of tolerance


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize("rtol", [1e-5, 1e-9])
def test_dense_output_is_as_accurate_as_the_steps(name, rtol):
    problem = kepler()
    run = solved(name, rtol, outputs=1000)
    exact = np.array([problem.solution(0.01 * k) for k in range(1, 1001)])
    assert run.counters[STEPS] < 320  # far fewer than the outputs
    errors = np.abs(run.out - exact)[:, :4].max(axis=1)
    plain = solved(name, rtol, outputs=1)
    assert (plain.y == run.y).all()  # outputs do not influence the steps
    assert errors.max() < 10 * max(errors[-1], 5 * rtol)
    assert (run.out[-1] == run.y).all()


@pytest.mark.parametrize("name", ADAPTIVE)
def test_dense_output_meets_the_steps(name):
    """Outputs just before and after the end of a step agree with the state there: value and slope are continuous."""
    run = Run(kepler(), find(name, rtol=1e-6, atol=1e-6))
    ends = []
    while True:
        status, steps, _, t = run.adaptive(1.0, 1, 10, count=1, rows=10)
        assert status == OK
        if t == 10.0:
            break
        ends.append((t, run.y.copy()))
    fine = Run(kepler(), find(name, rtol=1e-6, atol=1e-6))
    fine.adaptive(1e-4, 1, 100_000)
    for t, y in ends:
        k = round(t / 1e-4)
        if k < 2 and name == "adams":  # it begins with very small steps, before the second output
            continue
        slope = (fine.out[k] - fine.out[k - 2]) / 2e-4
        np.testing.assert_allclose((fine.out[k - 1] + (t - 1e-4 * k) * slope)[:4], y[:4], atol=3e-6)
        work = 5e-6 if name == "adams" else 3e-6  # no step controls the work
        assert abs(fine.out[k - 1, 4] + (t - 1e-4 * k) * slope[4] - y[4]) < work


def state_rate(problem):
    """Rate of the state without its work, for solvers of others."""

    def rate(t, y):
        ydot = np.zeros(5)
        problem.velocity_rate(t, np.append(y, 0.0), problem.layout, np.zeros(1), ydot)
        return ydot[:4]

    return rate


def as_published(method):
    """With the control of the program DOP853."""
    constants = method.constants.copy()
    constants[[SAFETY, BETA]] = 0.9, 0.0
    return replace(method, constants=constants)


@pytest.mark.parametrize("rtol", [1e-6, 1e-10])
def test_dop853_takes_the_steps_of_scipy(rtol):
    problem = kepler(0)
    theirs = solve_ivp(state_rate(problem), (0, 10), problem.start[:4], method="DOP853", rtol=rtol, atol=rtol)
    ours = Run(problem, as_published(find("dop853", rtol=rtol, atol=rtol)))
    assert ours.adaptive(10.0, 1, 1)[0] == OK
    assert ours.counters[STEPS] == len(theirs.t) - 1
    assert ours.counters[EVALUATIONS] == theirs.nfev - ours.counters[REJECTIONS]  # of rejected steps theirs evaluates the end, too
    assert np.abs(ours.y[:4] - theirs.y[:, -1]).max() < 1e-9


@pytest.mark.parametrize("rtol", [1e-9, 1e-12])
def test_dopri5_takes_the_steps_of_hairers_program(rtol):
    """Except for the first, whose norm is a sum there."""
    problem, times = kepler(0), []
    theirs = ode(state_rate(problem)).set_integrator("dopri5", rtol=rtol, atol=rtol, nsteps=10_000)
    theirs.set_solout(lambda t, y: times.append(t))
    theirs.set_initial_value(problem.start[:4])
    end = theirs.integrate(10.0)
    ours = solved("dopri5", rtol, outputs=1, problem=problem)
    assert abs(ours.counters[STEPS] - (len(times) - 1)) <= 1
    assert np.abs(ours.y[:4] - end).max() < rtol


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize(("count", "rows"), [(1, 50), (3, 1), (10**9, 2), (2, 7)])
def test_chunks_give_the_same_bits(name, count, rows):
    whole = solved(name, 1e-7, outputs=50)
    chunked, outputs, first = Run(kepler(), find(name, rtol=1e-7, atol=1e-7)), [], 1
    while first <= 50:
        status, steps, written, _ = chunked.adaptive(0.2, first, 50, count=count, rows=rows)
        assert status == OK
        assert steps <= count and written <= rows
        assert steps > 0 or written > 0
        outputs.append(chunked.out)
        first += written
    assert (np.vstack(outputs) == whole.out).all()
    assert (chunked.y == whole.y).all()
    assert (chunked.counters == whole.counters).all()


@pytest.mark.parametrize("name", ADAPTIVE)
def test_rejections_are_counted(name):
    """A damper that sets in suddenly."""
    run = solved(name, 1e-8, duration=2.0, problem=damper(200.0, 1.0))
    assert run.counters[REJECTIONS] >= 2
    accepted, rejected = {"dopri5": (6, 6), "dop853": (12, 11), "adams": (2, 1)}[name]
    dense = run.counters[EVALUATIONS] - accepted * run.counters[STEPS] - rejected * run.counters[REJECTIONS] - 2
    assert 0 <= dense <= {"dopri5": 0, "dop853": 3, "adams": 0}[name] * run.counters[STEPS]
    assert run.y[1] == pytest.approx(0.0, abs=1e-7)
    before = run.out[:99, 1]
    np.testing.assert_allclose(before, np.exp(-0.01 * np.arange(1, 100)), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ADAPTIVE)
def test_work_takes_no_part_in_the_control(name):
    plain = solved(name, 1e-8, outputs=10)
    shifted = kepler()
    shifted.start[4] = 1e12
    assert (solved(name, 1e-8, outputs=10, problem=shifted).y[:4] == plain.y[:4]).all()


@pytest.mark.parametrize("name", ADAPTIVE)
def test_long_smooth_run(name):
    run = solved(name, 1e-10, duration=100.0, problem=rigid_body())
    assert abs(run.y[:4] @ run.y[:4] - 1) < 1e-7


@pytest.mark.parametrize("name", ADAPTIVE)
def test_not_finite_from_the_start_and_on_the_way(name):
    run = Run(damper(math.nan), find(name))
    before = run.y.copy()
    assert run.adaptive(0.1, 1, 10) == (NOT_FINITE, 0, 0, 0.0)
    assert (run.y == before).all()

    run = Run(damper(math.nan, 0.5), find(name))
    status, _, written, t = run.adaptive(0.1, 1, 10)
    assert status == NOT_FINITE
    assert written == 4 and 0.5 - 1e-9 < t < 0.5
    assert np.isfinite(run.out).all()
    assert run.y[1] == pytest.approx(math.exp(-t), rel=1e-7)


@pytest.mark.parametrize("name", ADAPTIVE)
def test_step_size_that_falls_to_nothing(name):
    """A collision: Kepler's problem without angular momentum."""
    problem = kepler(shake=0.0)
    problem.start[:] = [1.0, 0.0, 0.0, 0.0, 0.0]
    run = Run(problem, find(name))
    status, _, written, t = run.adaptive(0.1, 1, 20)
    assert status == NOT_CONVERGED
    assert t == pytest.approx(math.pi / 2**1.5, abs=1e-4)
    assert written == 11
    assert run.counters[REJECTIONS] > 0


@pytest.mark.parametrize("name", ADAPTIVE)
def test_other_statuses_are_passed_on_at_once(name):
    run = Run(kepler(), find(name))
    run.problem.position_rate = kepler(0).position_rate  # says SINGULAR
    assert run.adaptive(0.1, 1, 5) == (SINGULAR, 0, 0, 0.0)


@compiled(RATE_SIGNATURE)
def fenced_spring(t, y, layout, work, ydot):
    """v' = -q - v / 2, where |q| is at most 1.5."""
    ydot[1] = -y[0] - 0.5 * y[1]
    ydot[2] = 0.0
    return SINGULAR if abs(y[0]) > 1.5 else OK


@pytest.mark.parametrize("name", ADAPTIVE)
def test_stages_that_fail_are_tried_again_with_smaller_steps(name):
    """Coarse tolerances let stages leave the region in which equations exist; its solution stays within."""
    problem = Problem(velocity_is_rate, fenced_spring, layout_of(1), np.array([1.0, 0.0, 0.0]))
    coarse = {"rtol": 0.2, "atol": 0.2} if name == "adams" else {"rtol": 0.5, "atol": 5.0}  # Adams methods are not stable with any step:
    run = Run(problem, find(name, **coarse))  # states that are too wrong would reach the fence themselves
    status, _, written, t = run.adaptive(10.0, 1, 10)
    assert (status, written, t) == (OK, 10, 100.0)
    assert run.counters[REJECTIONS] > 0


@compiled(RATE_SIGNATURE)
def gated(t, y, layout, work, ydot):
    """v' = sin(3 q) / 3, without a value where |q| < 0.01."""
    ydot[1], ydot[2] = np.sin(3.0 * y[0]) / 3.0, 0.0
    return SINGULAR if abs(y[0]) < 0.01 else OK


def test_stages_of_dense_output_that_fail_are_tried_again():
    """Steps in which outputs lie have further stages, and are rejected where these fail, too."""
    rejections = np.zeros(2)
    for start in np.linspace(-9.0, -3.0, 40):
        problem = Problem(velocity_is_rate, gated, layout_of(1), np.array([start, 2.0, 0.0]))
        for k, (size, count) in enumerate(((0.05, 200), (10.0, 1))):
            run = Run(problem, find("dop853", rtol=1e-6, atol=1e-6))
            run.adaptive(size, 1, count)
            rejections[k] += run.counters[REJECTIONS]
    assert rejections[0] > rejections[1] > 0


@pytest.mark.parametrize("name", ADAPTIVE)
def test_nothing_to_step_comes_to_its_end(name):
    s = po.System("fixed", gravity=(0, 0, -9.81))
    s.fixed(s.ground, s.body("block", po.Box(0.1, 0.1, 0.1, mass=1.0)))
    with pytest.warns(po.ModelWarning, match="freedom"):
        run = po.simulate(s, 1.0, integrator=name)
    assert run.t[-1] == 1.0 and np.all(run["block"].position == 0.0)


@pytest.mark.parametrize("name", ADAPTIVE)
def test_long_runs_begin_with_steps_as_small_as_they_need(name):
    s = po.System("wheel", gravity=None)
    wheel = s.body("wheel", po.Disc(0.5, mass=1.0))
    s.revolute(s.ground, wheel, at=(0, 0, 0), axis="z", name="axle").set(rate=3.0)
    run = po.simulate(s, 1e12, integrator=name)
    assert run["axle"].angle[-1] == pytest.approx(3e12, rel=1e-12)


@pytest.mark.parametrize("formulation", ["tree", "rotation-matrix"])
@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_pulse_on_a_system_at_rest_is_not_stepped_over(name, formulation):
    """Nothing moves before it, and steps that only look at errors become as long as the run."""

    def pulse(t):
        return 20.0 * math.exp(-(((t - 7.33) / 0.02) ** 2))

    s = po.System("bar", gravity=(0, 0, -9.81))
    bar = s.body("bar", po.Box(0.1, 0.1, 1.0, mass=2.0), position=(0, 0, -0.5))
    hinge = s.revolute(s.ground, bar, at=(0, 0, 0), axis="x", name="hinge")
    s.add(po.Motor(hinge, pulse, name="kick"))
    run = po.simulate(s, 10.0, formulation=formulation, integrator=name, output_step=0.5)
    best = po.simulate(s, 10.0, step=0.002, integrator="gauss4", output_step=0.5)
    assert np.abs(best["hinge"].angle).max() > 0.2
    assert run["hinge"].angle == pytest.approx(best["hinge"].angle, abs=1e-5)
