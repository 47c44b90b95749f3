"""Adams methods: orders, that of the corrector is one more than that of the predictor; formulas; restarts."""

import numpy as np
import pytest
from integrator_problems import Run, kepler
from numba import njit

import poinsot as po
from fed_arms import sampled
from loops import four_bar
from poinsot.integrators import find
from poinsot.integrators.adams import ADAMS_HEADER, DEGREE, LAST_DEGREE, RISING, choose
from poinsot.integrators.adams_formulas import PER_ORDER, between, errors_of_orders, predict, take, weights, wide
from poinsot.tables.types import EVALUATIONS, OK, STEPS

SMOOTH = {"eccentricity": 0.3, "shake": 0.1, "frequency": 5.0}


def solved(duration=5.0, **options):
    problem = kepler(**SMOOTH)
    run = Run(problem, find("adams", **options))
    assert run.adaptive(duration, 1, 1)[0] == OK
    return run, np.abs(run.y - problem.solution(duration))[:4].max()


@pytest.mark.parametrize(("order", "tolerances"), [(1, (1e-4, 1e-7)), (2, (1e-5, 1e-9)), (3, (1e-6, 1e-10)), (5, (1e-7, 1e-12)), (8, (1e-7, 1e-13))])
def test_order_of_the_corrector(order, tolerances):
    """Error against the number of steps, with the largest order of the predictor held: one more."""
    found = []
    for tolerance in np.geomspace(*tolerances, 7):
        run, error = solved(order=order, rtol=tolerance, atol=tolerance)
        found.append((run.counters[STEPS], error))
    steps, errors = np.log(found).T
    slope = -np.polyfit(steps, errors, 1)[0]
    print(f"predictor of order {order}: {slope:.2f}")
    assert slope == pytest.approx(order + 1, abs=0.15 * (order + 1))
    assert find("adams", order=order).order == order + 1


def test_two_rates_per_step_and_all_orders():
    run, error = solved(rtol=1e-12, atol=1e-12)
    assert run.counters[EVALUATIONS] <= 2 * run.counters[STEPS] + 2 + 10
    assert run.memory[DEGREE] > 9 and run.memory[LAST_DEGREE] > 9
    assert error < 1e-10


def test_orders_rise_at_once_and_on_unequal_steps():
    """Rounding in tiny first steps does not end the rise, and later orders rise without waiting for equal steps."""
    run, error = solved(rtol=1e-10, atol=1e-10)
    assert error < 1e-8 and run.counters[STEPS] < 400
    first = Run(kepler(**SMOOTH), find("adams", rtol=1e-10, atol=1e-10))
    reached = []
    for _ in range(40):
        assert first.adaptive(5.0, 1, 1, count=1)[0] == OK
        reached.append(int(first.memory[DEGREE]))
    print(f"{run.counters[STEPS]} steps, error {error:.1e}, orders {reached}")
    assert max(reached[:12]) >= 6 and max(reached) >= 10


@njit
def next_order(errors, method, memory):
    """Order after a step of order 3 of which `errors` were found, while orders rise."""
    memory[:], nothing, grid = 0.0, np.zeros(2), np.linspace(0.0, -1.0, PER_ORDER)
    memory[RISING] = 1.0
    choose(0.1, 3, errors, nothing, nothing, (grid, np.zeros((PER_ORDER, 2))), method, memory)
    return memory[DEGREE]


def test_rounding_says_nothing_about_orders():
    """Errors of a lower order that are smaller end the rise, unless they are a thousandth of what is allowed."""
    method, memory = find("adams").constants, np.zeros(ADAMS_HEADER)
    assert next_order((1e-4, 1e-6, 1e-6, 1.0), method, memory) == 4
    assert next_order((1e-2, 1e-4, 1e-4, 1.0), method, memory) == 2


@njit
def one_step(h, past, k, y, differences, ahead, t, rate):
    """Predict, and take the rate: the predicted state and rate, and the state in the middle of the step."""
    spans, g, b, out, middle = np.zeros(PER_ORDER), np.zeros(PER_ORDER), np.zeros(PER_ORDER), np.zeros(y.size), np.zeros(y.size)
    weights(h, past, k, spans, g, b, np.zeros(PER_ORDER))
    predict(h, past, k, y, differences, (spans, g, b), ahead, out)
    predicted = ahead[0, : y.size].copy()
    take(t, k, rate, ahead, past, differences)
    between(t - 0.6 * h, k, past, out, differences, g, b, middle)
    return out, predicted, middle


def test_polynomials_of_its_order_are_exact():
    """After the start, errors of steps of unequal size are rounding where the rate is a polynomial that the differences represent."""
    times = np.concatenate([[0.0], np.cumsum([0.1, 0.13, 0.07, 0.2, 0.11])])[::-1]
    k, ny = 5, 2
    differences, ahead = np.zeros((PER_ORDER, wide(ny))), np.full((PER_ORDER, wide(ny)), np.nan)
    rate, integral = np.polynomial.Polynomial([0.3, -1.0, 2.0, 0.5, -0.7]), np.polynomial.Polynomial([0.3, -1.0, 2.0, 0.5, -0.7]).integ()
    past = np.zeros(PER_ORDER)
    past[: len(times)] = times
    for j in range(k):  # modified divided differences: divided differences times the products of spans
        value, size = divided(rate, times[: j + 1]), np.prod(times[0] - times[1 : j + 1])
        differences[j, :ny] = value * size
    h = 0.17
    t = times[0] + h
    out, predicted, middle = one_step(h, past, k, np.full(ny, integral(times[0])), differences, ahead, t, np.full(ny, rate(t)))
    assert out == pytest.approx(integral(t), abs=1e-14)
    assert predicted == pytest.approx(rate(t), abs=1e-13)
    assert middle == pytest.approx(integral(t - 0.6 * h), abs=1e-14)
    assert not differences[:, ny:].any()  # what rows are filled up with


def divided(f, points):
    if len(points) == 1:
        return f(points[0])
    return (divided(f, points[:-1]) - divided(f, points[1:])) / (points[0] - points[-1])


def test_errors_of_orders_are_those_of_adams_and_moulton():
    assert errors_of_orders()[:5] == pytest.approx([1, 1 / 2, 1 / 12, 1 / 24, 19 / 720])


def test_fixed_steps_are_refused():
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    s.revolute(s.ground, rod, at=(0, 0, 0), axis="y", name="pin")
    with pytest.raises(po.SettingsError, match="finds its own steps"):
        po.simulate(s, 1.0, step=0.01, integrator="adams")


def test_memory_holds_all_that_a_later_call_needs():
    """Every step in a call of its own, with new scratch and work: the same bits."""
    problem = kepler(**SMOOTH)
    whole, parts = Run(problem, find("adams", rtol=1e-9, atol=1e-9)), Run(problem, find("adams", rtol=1e-9, atol=1e-9))
    whole.adaptive(0.5, 1, 10)
    first, rows = 1, []
    while first <= 10:
        parts.scratch[:] = np.nan
        status, _, written, _ = parts.adaptive(0.5, first, 10, count=1)
        assert status == OK
        rows.append(parts.out)
        first += written
    assert (np.vstack(rows) == whole.out).all() and (parts.memory == whole.memory).all()
    assert len(whole.memory) > ADAMS_HEADER


@pytest.mark.parametrize("formulation", ["tree", "tree:spatial", "rotation-matrix"])
def test_closed_loops_stay_closed_and_agree(formulation):
    s = four_bar()
    s["base"].set(rate=2.0)
    given = {"rtol": 1e-11, "atol": 1e-11, "output_step": 0.05, "progress": False, "formulation": formulation}
    run, best = (po.simulate(s, 2.0, integrator=name, **given) for name in ("adams", "dop853"))
    assert run.audit.evaluations < 0.7 * best.audit.evaluations
    assert max(np.max(gap) for gap in run.openings[1:]) < 1e-12
    assert max(np.abs(run[b].position - best[b].position).max() for b in s.bodies) < 1e-7
    assert max(np.abs(run[b].velocity - best[b].velocity).max() for b in s.bodies) < 1e-7


@pytest.mark.parametrize("formulation", ["tree", "tree:spatial"])
def test_outputs_are_closed_to_rounding(formulation):
    """Also those at the end of a step, where a state was put back by one correction alone."""
    s = four_bar()
    s["base"].set(rate=2.0)
    run = po.simulate(s, 0.7, integrator="adams", rtol=1e-6, atol=1e-6, output_step=0.7, progress=False, formulation=formulation)
    assert len(run.t) == 2 and max(np.max(gap[-1]) for gap in run.openings[1:]) < 1e-14
    y = run.state().raw["y"].copy()
    run.formulation.rates.project(run.t[-1], y, run.frozen.layout, np.zeros(run.formulation.work_size), np.zeros(0))
    assert np.abs(y - run.raw[-1]).max() < 1e-13


def test_a_sample_begins_anew():
    """A sampled law jumps: differences from before do not belong to what follows, and outputs before it do not see it."""
    given = {"rtol": 1e-9, "atol": 1e-9, "output_step": 0.005, "progress": False}
    run, best = (po.simulate(sampled(), 0.5, integrator=name, **given) for name in ("adams", "dop853"))
    for body in run.system.bodies:
        assert run[body].position == pytest.approx(best[body].position, abs=1e-10)
        assert run[body].velocity == pytest.approx(best[body].velocity, abs=1e-9)


def test_a_stream_gives_the_same_bits(tmp_path):
    s = four_bar()
    given = {"rtol": 1e-8, "atol": 1e-8, "output_step": 0.05, "progress": False, "integrator": "adams"}
    whole = po.simulate(s, 1.0, **given)
    streamed = po.simulate(s, 1.0, stream=tmp_path / "run.h5", **given)
    assert (streamed["crank"].position == whole["crank"].position).all()
    assert (streamed["crank"].velocity == whole["crank"].velocity).all()
