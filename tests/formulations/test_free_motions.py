"""Rates from the motions that rows leave free: the same as those with multipliers, and refused where they would not be."""

from functools import cache

import numpy as np
import pytest
from numba import boolean, float64, int64, njit

import bridge
import poinsot as po
from analysis.test_reselect import ladder
from formulations.test_nearby import MODELS, Beside, four_bar_turning
from formulations.test_plane_kernels import random_loop, rig
from poinsot.formulations.tree.loops import freedoms
from poinsot.integrators.capabilities import ONCE, QUICK_NEARBY, QUICK_PROJECT, QUICK_RATE
from poinsot.linear.free_motions import begin, eliminate, solve_few, take_given, whole
from poinsot.model.joint import POINT
from poinsot.tables.types import DISTANT, NOT_FINITE, OK, WEAKENED
from serial_joints import join, turn

FORMULATIONS = ("tree", "tree:spatial")
REFUSED = {"prescribed rate", "platform"}  # a row with its own rate, many rows


def is_few(beside):
    return beside.rates.quick is not None


@cache
def beside_model(name, formulation):
    """Those of one of the models, however many motions are free: rows of all kinds are among those with many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(freedoms, "MOST_FREE", 8)
        return Beside(MODELS[name](), 0.0, formulation=formulation)


def quick(beside, task, y, room):
    return beside.rates.quick.find()(task, beside.t, y, beside.layout, beside.work, room)


def free_velocity(beside, y):
    """Status of the quick rate, and the derivative."""
    found = np.zeros(len(y))
    return quick(beside, QUICK_RATE, y, found), found


def exact_rate(beside, y):
    """The whole derivative by multipliers."""
    work = np.zeros_like(beside.work)
    found = beside.velocity(y, work)
    assert beside.rates.position(beside.t, y, beside.layout, work, found) == OK
    return found


FEW = [(name, formulation) for name in MODELS for formulation in FORMULATIONS if is_few(beside_model(name, formulation))]


def test_models_with_few_free_motions():
    """Hinges, slides, balls, screws and gears, in space and in the plane; not where rows are many, or of kinds that need more."""
    names = {name for name, _ in FEW}
    assert {"four-bar", "cardan", "screw", "slider", "ball", "slide", "universal", *(name for name in MODELS if name.startswith("rig"))} <= names
    assert not names & REFUSED
    assert {formulation for _, formulation in FEW} == set(FORMULATIONS)


@pytest.mark.parametrize("name, formulation", FEW)
def test_the_same_as_with_multipliers(name, formulation):
    """Accelerations, rates of positions and of loose coordinates, power."""
    beside = beside_model(name, formulation)
    for distance in (0.0, 1e-3):
        beside.go(distance)
        status, found = free_velocity(beside, beside.other)
        exact = exact_rate(beside, beside.other)
        assert status == OK
        assert np.abs(found - exact).max() < 1e-11 * np.abs(exact).max()


@pytest.mark.parametrize("seed", range(12))
def test_random_planar_loops(seed):
    """With loads of all kinds, in any plane: rates, rates nearby."""
    beside = Beside(bridge.to_system(*random_loop(seed)), 1e-7, duration=0.01)
    if not is_few(beside):
        return
    status, before = free_velocity(beside, beside.other)
    exact = exact_rate(beside, beside.other)
    assert status == DISTANT or np.abs(before - exact).max() < 1e-11 * np.abs(exact).max()
    if status == OK:
        check_nearby(beside, 1e-7)


def check_nearby(beside, distance, skewed=False):
    """Put back and evaluated beside an evaluation: as accurate as an evaluation, to a thousandth of the difference of both, or rounding.

    skewed: velocities that are to be put back are not allowed.
    """
    status, before = free_velocity(beside, beside.other)
    assert status == OK
    room = np.zeros(len(beside.y))
    room[:2] = ONCE, distance
    y = beside.y.copy()
    if skewed:
        y[beside.nq : beside.count] = beside.other[beside.nq : beside.count]
    if quick(beside, QUICK_PROJECT, y, room) in (DISTANT, WEAKENED):
        return False
    exact, found = exact_rate(beside, y), before.copy()
    if quick(beside, QUICK_NEARBY, y, found) == DISTANT:
        return False
    assert np.abs(found - exact).max() < 1e-3 * np.abs(before - exact).max() + 1e-12 * np.abs(exact).max()
    return True


@pytest.mark.parametrize("name, formulation", FEW)
def test_nearby_as_accurate_as_an_evaluation(name, formulation):
    beside = beside_model(name, formulation)
    for distance in (1e-9, 1e-7, 1e-5):
        beside.go(distance)
        assert check_nearby(beside, distance), distance
        assert check_nearby(beside, distance, skewed=True), distance
    for distance in (3e-4, 3e-3, 0.1):
        beside.go(distance)
        check_nearby(beside, distance)


@pytest.mark.parametrize("name, formulation", FEW)
def test_states_are_put_back(name, formulation):
    """As close to the constraints as whole projections leave them, at most twice as far from where they were."""
    beside = beside_model(name, formulation)
    q, count = beside.nq, beside.count
    for distance in (1e-9, 1e-6, 1e-4):
        beside.go(distance)
        status, _ = free_velocity(beside, beside.y)
        assert status == OK
        room, found = np.zeros(len(beside.y)), beside.other.copy()
        room[:2] = ONCE, distance
        assert quick(beside, QUICK_PROJECT, found, room) not in (OK, DISTANT, WEAKENED)
        whole_way, again = beside.other.copy(), found.copy()
        for y in (whole_way, again):
            assert beside.rates.project(beside.t, y, beside.layout, np.zeros_like(beside.work), np.zeros(0)) not in (OK, WEAKENED)
        size = np.abs(whole_way[:count]).max()
        assert np.abs(again - found)[:q].max() < 2e-14 * size, (distance, "positions")
        assert np.abs(again - found)[q:count].max() < 10 * min(distance, 1e-7) * size + 2e-13 * size, (distance, "velocities")
        moved, least = np.abs(found - beside.other)[:count].max(), np.abs(whole_way - beside.other)[:count].max()
        assert moved < 4.0 * least + 1e-14 * size
        check_least_change(beside, (found - beside.other)[q:count], 1e-14 * size)


def check_least_change(beside, change, rounding):
    """No free motion is part of a change of rates, as rates are weighed."""
    at, n = beside.layout.places[0], len(change)
    first = int(at["reaches"])
    weighed = change / beside.layout.values[first : first + n] ** 2
    free = beside.work[int(at["free_motions"]) :][: n * (n - int(at["n_few"]))].reshape(-1, n)
    for one in free:
        assert abs(one @ weighed) < 1e-4 * np.linalg.norm(one) * np.linalg.norm(weighed) + n * rounding * np.abs(one).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_far_states_and_those_next_to_singular_positions_are_refused(formulation):
    beside = beside_model("rig, hinge", formulation)
    beside.go(0.0)
    free_velocity(beside, beside.y)
    room = np.zeros(len(beside.y))
    for said in ([ONCE, 0.01], [ONCE, np.nan], [0.0, 1e-9]):
        room[:2] = said
        assert quick(beside, QUICK_PROJECT, beside.y.copy(), room) == DISTANT
    room[:2] = ONCE, 1e-9
    far = beside.y.copy()
    far[0] += 0.1
    assert quick(beside, QUICK_PROJECT, far, room) == DISTANT
    far[0] = np.nan
    assert free_velocity(beside, far)[0] in (DISTANT, NOT_FINITE) and quick(beside, QUICK_PROJECT, far, room) == DISTANT
    beside = Beside(four_bar_turning(), 0.0, formulation=formulation)
    beside.y[int(beside.layout.places[0]["efforts"])] = 1e-4  # what a projection next to a singular position leaves
    assert free_velocity(beside, beside.y)[0] == DISTANT


def test_bars_in_line_are_left_to_multipliers():
    """A ladder whose bars come in line, evaluated ever closer to that position."""
    refused = []
    for before in (0.5, 0.1, 0.01, 1e-3):
        beside = Beside(ladder(1.2), 0.0, duration=4.4826 - before)
        assert is_few(beside)
        status, found = free_velocity(beside, beside.y)
        refused.append(status == DISTANT)
        if status == OK:
            exact = exact_rate(beside, beside.y)
            assert np.abs(found - exact).max() < 1e-9 * np.abs(exact).max()
    assert refused[-1] and not refused[0]


@pytest.mark.parametrize("make, formulation", [(lambda: rig("slide"), "tree"), (lambda: rig("hinge"), "tree:spatial"), (four_bar_turning, "tree")])
def test_adams_steps_are_the_same_with_multipliers(monkeypatch, make, formulation):
    """As many steps, and no difference but what the tolerance allows; evaluations are saved in both."""
    given = {"formulation": formulation, "integrator": "adams", "rtol": 1e-9, "atol": 1e-9}
    run = po.prepare(make(), **given).run(1.0, output_step=0.1, progress=False)
    counted = []
    monkeypatch.setattr("poinsot.formulations.tree.loops.Quick", lambda of, find: counted.append(of))
    other = po.prepare(make(), **given).run(1.0, output_step=0.1, progress=False)
    assert counted and run.audit.steps == pytest.approx(other.audit.steps, rel=0.05)
    assert run.audit.evaluations < 1.15 * run.audit.steps and other.audit.evaluations < 1.15 * other.audit.steps
    assert max(np.abs(run[b].position - other[b].position).max() for b in run.system.bodies) < 1e-7
    gaps = [one.audit.constraint_metres for one in (run, other)]
    assert gaps[0] < 10 * gaps[1] + 1e-14


@pytest.mark.parametrize("closing", ["ball", "gimbal"])
def test_coordinates_in_series_are_left_to_multipliers(closing):
    """They are found only after every step, by projections that quick ones are not: else they would lose turns."""
    s = po.System(closing, gravity=(0, 4.0, -9.81))
    a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, 0.5))
    b = s.body("b", po.Box(1.0, 0.2, 0.1, mass=1.0), position=(0.5, 0, 1.0))
    s.spherical(s.ground, a, at=(0, 0, 0), name="base")
    s.universal(a, b, at=(0, 0, 1), axis="x", axis2="y", name="elbow")
    if closing == "ball":
        s.spherical(b, s.ground, at=(1, 0, 1), name="last")
    else:
        join(s, [turn((0, 0, 1)), turn((0, 1, 0.2)), turn((1, 0, 0))], POINT, b, s.ground, (1, 0, 1), "last")
    beside = Beside(s, 0.0, duration=0.05)
    assert is_few(beside) == (closing == "ball")


def wrapped():
    """The kernels of `free_motions.py` for Python."""

    @njit(boolean(float64[::1], int64, float64[::1], float64, float64[::1]))
    def found(table, rows, reaches, least, given):
        return eliminate(table, 0, rows, reaches, least, given)

    @njit
    def start(table, rates, rows):
        begin(table, 0, rates, rows, True)

    @njit
    def taken(table, given, right, weights, v):
        return take_given(table, 0, given, right, weights, v)

    return found, start, taken


@pytest.mark.parametrize("rows, rates", [(1, 2), (3, 5), (5, 6), (6, 7), (8, 11)])
def test_elimination(rows, rates):
    """J v = b has the solutions that numpy finds; the rates that are compared decide what is given."""
    rng = np.random.default_rng(rows)
    found, start, taken = wrapped()
    width = (rates + rows + 3) // 4 * 4
    assert whole.py_func(rates + rows) == width
    for _ in range(20):
        J, b = rng.standard_normal((rows, rates)), rng.standard_normal(rows)
        reaches = 10.0 ** rng.uniform(-2, 2, rates)
        table, given = np.full(rows * width, np.nan), np.zeros(rates)
        start(table, rates, rows)
        table.reshape(rows, width)[:, :rates] = J
        assert found(table, rows, reaches, 1e-6, given)
        assert sorted(given) == list(range(rates))
        assert given[0] == np.argmax(np.abs(J[0]) * reaches)
        v = rng.standard_normal(rates)
        before, missed = v.copy(), J @ v - b
        largest = taken(table, given, missed, 1 / reaches, v)
        assert J @ v == pytest.approx(b, abs=1e-9)
        free = given[rows:].astype(int)
        assert (v[free] == before[free]).all()
        assert largest == pytest.approx(np.abs((v - before) / reaches).max())
        table.reshape(rows, width)[:, :rates] = J
        dependent = J.copy()
        dependent[-1] = dependent[:-1].sum(axis=0) if rows > 1 else 0.0
        start(table, rates, rows)
        table.reshape(rows, width)[:, :rates] = dependent
        assert not found(table, rows, np.ones(rates), 1e-6, given)


def test_small_symmetric_equations():
    rng = np.random.default_rng(5)
    solve = njit(lambda matrix, x: solve_few(matrix, x))
    for n in (1, 2, 3):
        A = rng.standard_normal((n, n))
        A, x = A @ A.T + np.eye(n), rng.standard_normal(n)
        found = x.copy()
        solve(np.tril(A).ravel().copy(), found)
        assert A @ found == pytest.approx(x)
