"""Rates beside a state at which they are known: as accurate as evaluations, on closed mechanisms of all kinds, and refused where they are not."""

from functools import cache

import numpy as np
import pytest
from test_tree_loops import loaded_where_it_closes

import bridge
import mechanisms
import poinsot as po
from analysis.test_reselect import ladder
from formulations.test_plane_kernels import random_loop, rig
from loops import four_bar
from model.test_user_rows import spinner
from poinsot.integrators.capabilities import NEAR, ONCE, Nearby
from poinsot.tables.records import N_Q
from poinsot.tables.types import DISTANT, OK, WEAKENED
from stewart import FORCES, stewart


def platform():
    return stewart(FORCES["B"])


LOADED = {kind: lambda kind=kind: loaded_where_it_closes(kind) for kind in ("ball", "slide", "universal")}
RIGS = {f"rig, {closing}": lambda closing=closing: rig(closing, functions=True) for closing in ("hinge", "slide", "distance", "gears")}
MODELS = {name: make for name, make in mechanisms.ALL.items() if name != "chain"} | LOADED | RIGS | {"platform": platform, "prescribed rate": spinner}


class Beside:
    """Equations of a closed system at a state, that state, and one beside it."""

    def __init__(self, system, distance, duration=0.3, formulation="tree:spatial"):
        run = po.simulate(system, duration, formulation=formulation, rtol=1e-8, atol=1e-8, progress=False)
        self.rates, self.layout, size = run.formulation.rates, run.frozen.layout, run.formulation.work_size
        self.y, self.work = np.ascontiguousarray(run.state().raw["y"]), np.zeros(size)
        self.t, self.nq = run.t[-1], int(self.layout.sizes[N_Q])
        self.count = self.nq + len(self.y[run.formulation.velocities])
        self.go(distance)

    def go(self, distance):
        """The other state is so far from the first one; nothing is known of evaluations before."""
        self.work[:] = 0.0
        self.other = self.y.copy()
        self.other[: self.count] += distance * np.random.default_rng(3).standard_normal(self.count)

    def velocity(self, y, work):
        found = np.zeros(len(y))
        assert self.rates.velocity(self.t, y, self.layout, work, found) == OK
        return found

    def move(self):
        """Evaluate beside the state, then put the state back; the derivative beside it."""
        found = self.velocity(self.other, self.work)
        assert self.rates.project(self.t, self.y, self.layout, self.work, np.array([NEAR])) not in (OK, WEAKENED)
        return found

    def nearby(self, found):
        """Status, and the derivative at the state."""
        status = self.rates.nearby.find()(self.t, self.y, self.layout, self.work, found)
        return status, found[self.nq :]


@cache
def beside_model(name, formulation):
    """Those of one of the models."""
    return Beside(MODELS[name](), 0.0, formulation=formulation)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("distance", [1e-9, 1e-7, 3e-5])
@pytest.mark.parametrize("formulation", ["tree", "tree:spatial"])
def test_as_accurate_as_an_evaluation(name, distance, formulation):
    """To a thousandth of the difference of both derivatives, or rounding; power, loose coordinates and all."""
    beside = beside_model(name, formulation)
    beside.go(distance)
    if beside.rates.nearby is None:
        pytest.fail(f"{name}: no rate nearby")
    before = beside.move()
    exact = beside.velocity(beside.y, np.zeros_like(beside.work))[beside.nq :]
    status, found = beside.nearby(before.copy())
    assert status == OK
    apart = np.abs(before[beside.nq :] - exact).max()
    assert apart > 1e-12 * np.abs(exact).max()
    assert np.abs(found - exact).max() < 1e-3 * apart + 1e-12 * np.abs(exact).max()


@pytest.mark.parametrize("seed", range(12))
def test_random_planar_loops(seed):
    """With loads of all kinds, in any plane."""
    beside = Beside(bridge.to_system(*random_loop(seed)), 1e-7, duration=0.01)
    assert len(beside.layout.plane_scalars) or not len(beside.layout.terms)
    before = beside.move()
    exact = beside.velocity(beside.y, np.zeros_like(beside.work))[beside.nq :]
    status, found = beside.nearby(before.copy())
    assert status == OK
    assert np.abs(found - exact).max() < 1e-3 * np.abs(before[beside.nq :] - exact).max() + 1e-12 * np.abs(exact).max()


@pytest.mark.parametrize("distance", [3e-4, 3e-3])
@pytest.mark.parametrize("formulation", ["tree", "tree:spatial"])
def test_further_away_corrections_are_repeated_or_refused(distance, formulation):
    """One correction would leave more there."""
    done = 0
    for name in MODELS:
        beside = beside_model(name, formulation)
        beside.go(distance)
        before = beside.move()
        exact = beside.velocity(beside.y, np.zeros_like(beside.work))[beside.nq :]
        status, found = beside.nearby(before.copy())
        assert status in (OK, DISTANT), name
        if status == OK:
            done += 1
            assert np.abs(found - exact).max() < 1e-3 * np.abs(before[beside.nq :] - exact).max(), name
    assert done > 5


def test_far_states_are_refused():
    beside = Beside(four_bar_turning(), 0.5)
    status, _ = beside.nearby(beside.move())
    assert status == DISTANT


@pytest.mark.parametrize("before", [0.003, 0.018])
def test_states_next_to_singular_positions_are_refused(before):
    """The pivot of the rows tells: there the factor of another state means nothing."""
    beside = Beside(ladder(1.2), 1e-9, duration=4.4826 - before)  # then all bars are in line
    status, _ = beside.nearby(beside.move())
    assert status == DISTANT


def put_back(beside, y, room):
    """The state y put back beside an evaluation, and whether that was enough to return."""
    beside.velocity(beside.y, beside.work)
    found = y.copy()
    status = beside.rates.once.find()(beside.t, found, beside.layout, beside.work, np.array(room))
    assert status not in (OK, WEAKENED)
    return found


@pytest.mark.parametrize("formulation", ["tree:spatial", "tree"])
def test_one_correction_leaves_as_little_as_it_may(formulation):
    """Positions to rounding, velocities to gaps times rates; further away than it may be used, and next to singular positions, all is corrected."""
    for name in MODELS:
        beside = beside_model(name, formulation)
        for distance in (1e-9, 1e-8, 1e-3):
            beside.go(distance)
            exact = put_back(beside, beside.other, [0.0])
            whole, once = put_back(beside, beside.other, [NEAR, distance]), put_back(beside, beside.other, [ONCE, distance])
            size = np.abs(exact).max()
            if distance == 1e-3:
                assert (once == whole).all(), name
                continue
            q, count = beside.nq, beside.count
            assert np.abs(once - exact)[:q].max() < 1e-5 * distance * size + 1e-14 * size, name
            assert np.abs(once - exact)[q:count].max() < 10 * distance * size, name
            moved = np.concatenate([beside.y[:q], beside.other[q:count], beside.y[count:]])  # velocities alone
            exact, once = put_back(beside, moved, [0.0]), put_back(beside, moved, [ONCE, 0.0])
            assert np.abs(once - exact)[q:count].max() < 1e-5 * distance * size + 1e-13 * size, name
            again = put_back(beside, once, [0.0])
            assert np.abs(again - once)[:q].max() < 1e-5 * distance * size + 1e-14 * size, name
    beside = Beside(ladder(1.2), 1e-9, duration=4.4826 - 0.003, formulation=formulation)
    assert (put_back(beside, beside.other, [ONCE, 1e-9]) == put_back(beside, beside.other, [NEAR])).all()


def test_pivots_in_the_plane_are_those_in_space():
    """Of rows that vanish on joint coordinates, too: a pivot is judged by what its row has on free bodies."""
    pivots = []
    for formulation in ("tree", "tree:spatial"):
        beside = Beside(ladder(1.2), 0.0, duration=4.4826 - 0.02, formulation=formulation)
        y = beside.y.copy()
        beside.rates.project(beside.t, y, beside.layout, beside.work, np.zeros(0))
        pivots.append(beside.work[int(beside.layout.places[0]["pivot"])])
    print(pivots)
    assert pivots[0] == pytest.approx(pivots[1], rel=1e-5) and pivots[0] < 0.01


def four_bar_turning():
    s = four_bar()
    s["base"].set(rate=2.0)
    return s


@pytest.mark.parametrize("make, formulation", [(platform, "tree:spatial"), (lambda: rig("slide"), "tree")])
def test_adams_steps_are_the_same_without_them(monkeypatch, make, formulation):
    """Runs with evaluations in their place: as many steps, and no difference but rounding; evaluations are saved."""
    given = {"formulation": formulation, "integrator": "adams", "rtol": 1e-9, "atol": 1e-9}
    run = po.prepare(make(), **given).run(1.0, output_step=0.1, progress=False)
    counted = []
    monkeypatch.setattr("poinsot.formulations.tree.loops.Nearby", lambda of, find: counted.append(of))
    other = po.prepare(make(), **given).run(1.0, output_step=0.1, progress=False)
    assert counted and run.audit.steps == pytest.approx(other.audit.steps, abs=2)
    assert run.audit.evaluations < 1.1 * run.audit.steps and other.audit.evaluations >= 2 * other.audit.steps
    assert max(np.abs(run[b].position[1] - other[b].position[1]).max() for b in run.system.bodies) < 1e-8


def test_rates_nearby_of_other_rates_are_left_out():
    """A formulation made from another one may have taken them over."""
    from dataclasses import replace

    beside = Beside(four_bar_turning(), 1e-9)
    assert isinstance(beside.rates.nearby, Nearby)
    assert replace(beside.rates, velocity=beside.rates.position).nearby is None
