"""Rates in lanes against those of single runs, on random trees with every joint and load; what is in one lane never reaches another."""

import numpy as np
import pytest

import bridge
import poinsot as po
import random_models
from poinsot.algebra.bounds import LANES
from poinsot.formulations.tree.work import lane_work_size, stage_work_size
from poinsot.layout.change import with_changes
from poinsot.tables.lane_tables import difference, stacked
from systems import chain

TIMES = 0.7 + 0.1 * np.arange(LANES)


def variants(seed, n):
    """A random tree prepared, the tables of LANES variants of it with other masses, and a random state of each."""
    rng = np.random.default_rng(seed)
    model, q, u = random_models.random_tree(rng, n)
    ready = po.prepare(bridge.to_system(model, q, u), step=0.01, integrator="rk4", formulation="tree:spatial")
    heavier = [{model.bodies[0].name + ".mass": model.bodies[0].mass * (1.0 + 0.5 * k), "gravity": (0.1 * k, 0.2, -9.0)} for k in range(LANES)]
    layouts = [with_changes(ready.refill, change)[0].layout for change in heavier]
    start = ready.formulation.pack(*ready.refill.initial)
    states = [start * (1.0 + 0.1 * rng.normal(size=start.size)) for _ in range(LANES)]
    return ready, layouts, states


def rates_of(ready, layout, t, y):
    ydot = np.zeros_like(y)
    for kernel in ready.formulation.rates.kernels:
        assert kernel(t, y, layout, np.zeros(ready.formulation.work_size), ydot) == 0
    return ydot


def wide_rates(kernels, layout, size, t, states):
    y = np.stack(states, axis=1).ravel()
    work, ydot = np.zeros(size), np.zeros_like(y)
    work[-LANES:] = TIMES
    assert [kernel(t, y, layout, work, ydot) for kernel in kernels] == [0, 0]
    return ydot.reshape(-1, LANES).T


def check(found, expected):
    for one, other in zip(found, expected):
        assert np.abs(one - other).max() <= 1e-12 * np.abs(other).max()


@pytest.mark.parametrize("seed", range(12))
def test_variants_of_random_trees(seed):
    ready, layouts, states = variants(seed, 1 + seed % 6)
    assert all(difference(layouts[0], one) is None for one in layouts)
    from poinsot.formulations.tree.lanes.rates import position_rate, velocity_rate

    size = lane_work_size(ready.formulation.work_size, len(states[0]))
    found = wide_rates((position_rate, velocity_rate), stacked(layouts), size, 0.3, states)
    expected = [rates_of(ready, layout, 0.3, y) for layout, y in zip(layouts, states)]
    check(found, expected)
    assert np.abs(expected[0] - rates_of(ready, layouts[1], 0.3, states[0])).max() > 0.0  # the tables do differ


@pytest.mark.parametrize("seed", range(6))
def test_stages_of_random_trees(seed):
    ready, layouts, states = variants(seed, 1 + seed)
    from poinsot.formulations.tree.lanes.stage_rates import stage_position_rate, stage_velocity_rate

    size = stage_work_size(ready.formulation.work_size, len(states[0]))
    found = wide_rates((stage_position_rate, stage_velocity_rate), layouts[1], size, np.nan, states)
    check(found, [rates_of(ready, layouts[1], t, y) for t, y in zip(TIMES, states)])


def test_a_lane_that_is_not_finite_does_not_reach_the_others():
    ready = po.prepare(chain(5), step=0.01, integrator="rk4")
    from poinsot.formulations.tree.lanes.rates import position_rate, velocity_rate

    rng = np.random.default_rng(5)
    states = [ready.formulation.pack(*ready.refill.initial) + 0.1 * rng.normal(size=ready.formulation.state_size) for _ in range(LANES)]
    layout, size = stacked([ready.frozen.layout] * LANES), lane_work_size(ready.formulation.work_size, len(states[0]))
    whole = wide_rates((position_rate, velocity_rate), layout, size, 0.0, states)
    for bad in (np.nan, np.inf, 1e300):
        changed = wide_rates((position_rate, velocity_rate), layout, size, 0.0, [states[0], states[1] * bad, *states[2:]])
        assert np.array_equal(np.delete(changed, 1, axis=0), np.delete(whole, 1, axis=0)) and not np.all(np.isfinite(changed[1]))


def test_what_must_not_differ_between_lanes():
    one, other = (po.prepare(chain(n), step=0.01).frozen.layout for n in (2, 3))
    assert difference(one, other) == "bodies" and difference(one, one) is None
    twisted = one._replace(links=one.links.copy())
    twisted.links["kind"][1] = 0
    assert difference(one, twisted) == "links"
    twisted.links["kind"][1], twisted.links["mass"][1] = one.links["kind"][1], 7.0
    assert difference(one, twisted) is None
    assert difference(one, one._replace(members=one.members + 1)) in ("members", None if not len(one.members) else "members")
