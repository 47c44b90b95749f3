"""The tree with momenta: the same motion as with rates, symplectic with Gauss methods, energy over long times."""

import numpy as np
import pytest

import bridge
import poinsot as po
import random_models
from fed_arms import fed
from poinsot.driver import Driver, Progress
from systems import chain

NAME = "tree:momentum"
ADAPTIVE = {"integrator": "dop853", "rtol": 1e-11, "atol": 1e-11, "output_step": 0.1}


def moving(run):
    return np.concatenate([np.concatenate([run[b].position, run[b].velocity, run[b].angular_velocity], axis=1) for b in run.system.bodies], axis=1)


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_go_the_same_way(seed):
    rng = np.random.default_rng(400 + seed)
    system = bridge.to_system(*random_models.random_tree(rng, int(rng.integers(1, 9)), smooth=True))
    one, two = (po.simulate(system, 0.3, formulation=name, **ADAPTIVE) for name in ("tree", NAME))
    scale = 1.0 + np.abs(moving(one)).max()
    assert np.abs(moving(one) - moving(two)).max() < 3e-9 * scale
    assert np.abs(one.work - two.work).max() < 3e-9 * (1.0 + np.abs(one.work).max())


@pytest.mark.parametrize("seed", range(20))
def test_states_are_those_of_the_tree(seed):
    """Rates found from momenta, accelerations and reactions: all results at one state."""
    rng = np.random.default_rng(430 + seed)
    system = bridge.to_system(*random_models.random_tree(rng, int(rng.integers(1, 13))))
    one, two = (po.prepare(system, formulation=name, step=1e-4, integrator="rk4").run(1e-4) for name in ("tree", NAME))
    for a, b in ((one.motion, two.motion), (one.loads, two.loads)):
        assert np.abs(a[0] - b[0]).max() < 1e-11 * (1.0 + np.abs(a).max())
        assert np.abs(a - b).max() < 1e-8 * (1.0 + np.abs(a).max())


def arm(*kinds):
    """Bodies one after the other on joints of these kinds, in motion."""
    s, parent = po.System("arm", gravity=(0.5, 0, -9.81)), None
    for k, kind in enumerate(kinds):
        b = s.body(f"b{k}", mass=1.2 - 0.3 * k, inertia=(0.2, 0.3, 0.25), position=(0.6 * k + 0.3, 0.1, 0.05 * k))
        if kind == "ball":
            s.spherical(parent or s.ground, b, at=(0.6 * k, 0, 0), name=f"j{k}").set(rotation=((1, 2, 0), 0.4), rate=(1.0, -2.0, 1.5))
        elif kind == "slide":
            s.prismatic(parent or s.ground, b, axis=(1, 0.2, 0.1 * k), name=f"j{k}").set(displacement=0.1, rate=1.0)
        else:
            s.revolute(parent or s.ground, b, at=(0.6 * k, 0, 0), axis=(0.2, 1, 0.4 * k), name=f"j{k}").set(angle=0.5 - k, rate=2.0 - 5 * k)
        parent = b
    return s


def stepper(system, formulation, h):
    """A step of gauss2 of a raw state, as a function, and the state at the start, without the work at its end."""
    ready = po.prepare(system, formulation=formulation, step=h, integrator="gauss2")
    driver = Driver(ready.formulation, ready.method, ready.frozen.layout)

    def step(x):
        p = Progress(np.append(x, 0.0), driver.fresh_memory(), 0.0)
        driver.fixed(p, 0.0, h, 0, 1, 2, np.zeros((0, len(p.y))))
        assert p.status == 0
        return p.y[:-1].copy()

    return step, ready.run(h).raw[0, :-1].copy(), ready.formulation


def derivative(f, x, d=2e-3):
    """d f / d x by central differences of sixth order."""
    columns = []
    for k in range(len(x)):
        e = np.zeros(len(x))
        e[k] = d
        columns.append(sum(c * (f(x + i * e) - f(x - i * e)) for i, c in ((1, 45), (2, -9), (3, 1))) / (60 * d))
    return np.array(columns).T


def defect(J, units):
    """J' W J - W relative to W, where W pairs coordinates with momenta in these units."""
    n = len(units)
    W = np.block([[np.zeros((n, n)), np.diag(units)], [-np.diag(units), np.zeros((n, n))]])
    return np.abs(J.T @ W @ J - W).max() / np.abs(W).max()


@pytest.mark.parametrize("kinds", [("turn", "turn"), ("ball",), ("ball", "turn"), ("slide", "ball")])
def test_gauss_is_symplectic_on_momenta(kinds):
    system = arm(*kinds)
    step, x, _ = stepper(system, NAME, 0.05)
    links = po.prepare(system, step=0.05).frozen.layout.links[1:]
    turning, sliding = links["inertia"][:, :3].sum(), links["mass"].sum()
    each = np.concatenate([{"ball": [turning] * 4, "turn": [turning], "slide": [sliding]}[kind] for kind in kinds])
    J = derivative(step, x)
    assert np.abs(J - np.eye(len(x))).max() > 0.1
    assert defect(J, each) < 1e-9


def test_gauss_is_not_symplectic_on_rates():
    """The same step on rates, seen in coordinates and momenta."""
    system = arm("turn", "turn")
    step, x, own = stepper(system, "tree", 0.05)
    formulation = po.prepare(system, formulation=NAME, step=0.05).formulation

    def momenta(x):
        return formulation.pack(*own.unpack(np.append(x, 0.0)))[:-1]

    J = derivative(momenta, step(x)) @ derivative(step, x) @ np.linalg.inv(derivative(momenta, x))
    assert 1e-7 < defect(J, np.ones(2)) < 1e-3


def test_invariants_of_quaternions_and_their_momenta():
    run = po.simulate(arm("ball", "turn", "ball"), 20.0, step=0.01, integrator="gauss2", formulation=NAME)
    y = run.raw
    for first in (0, 5):
        u, pi = y[:, first : first + 4], y[:, 9 + first : 13 + first]
        assert np.abs(np.linalg.norm(u, axis=1) - 1.0).max() < 1e-13
        assert np.abs((u * pi).sum(axis=1)).max() < 1e-13 * np.abs(pi).max()


@pytest.mark.parametrize("integrator, order", [("gauss1", 2), ("gauss2", 4), ("rk4", 4), ("gauss3", 6)])
def test_orders(integrator, order):
    errors = []
    exact = moving(po.simulate(arm("ball", "turn"), 0.5, step=0.0025, integrator="gauss4"))[-1]
    for h in (0.0125, 0.00625):
        errors.append(np.abs(moving(po.simulate(arm("ball", "turn"), 0.5, step=h, integrator=integrator, formulation=NAME))[-1] - exact).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_feedback_with_states_and_samples_acts_as_in_the_tree():
    for more in ({}, {"period": 0.02}):
        one, two = (po.simulate(fed(**more), 0.5, step=0.01, integrator="gauss3", formulation=name) for name in ("tree", NAME))
        assert np.abs(moving(one) - moving(two)).max() < 1e-11
        assert np.abs(one["pd"].effort - two["pd"].effort).max() < 1e-10 * np.abs(one["pd"].effort).max()


def test_a_run_goes_on_to_the_bit_and_into_the_tree():
    ready = po.prepare(chain(3), formulation=NAME, step=0.01, integrator="gauss3")
    whole, half = ready.run(0.4), ready.run(0.2)
    assert np.array_equal(ready.run(0.2, state=half.state()).raw[-1], whole.raw[-1])
    other = po.simulate(chain(3), 0.2, step=0.01, integrator="gauss3", formulation="tree", state=half.state())
    assert np.abs(moving(other)[-1] - moving(whole)[-1]).max() < 1e-11


@pytest.mark.parametrize(("options", "words"), [("momenta", "has the options 'momentum', 'spatial', not 'momenta'"), ("", "the options 'momentum'")])
def test_other_options_are_refused(options, words):
    with pytest.raises(po.FormulationError, match=words):
        po.prepare(chain(1), formulation=f"tree:{options}", step=0.01)


def test_small_models_are_solved_as_accurately_as_large_ones():
    """A chain of grams and centimetres against the same motion a hundred times as large: momenta have units of the model."""
    runs = []
    for size in (1.0, 0.01):
        s = po.System("arm", gravity=(0, 0, -9.81 * size))
        a = s.body("a", mass=1e-3 if size < 1 else 1e3, inertia=np.array((0.2, 0.3, 0.25)) * size**2 * (1e-3 if size < 1 else 1e3))
        s.spherical(s.ground, a, at=(0, 0, size), name="j").set(rotation=("x", 1.0), rate=(0, 1.0, 2.0))
        runs.append(po.simulate(s, 5.0, step=0.05, integrator="gauss4", formulation=NAME))
    assert np.abs(runs[0]["a"].position - 100.0 * runs[1]["a"].position).max() < 1e-11


def energy_errors(system, duration, step, integrator, parts=5):
    """Energy errors over the largest kinetic energy, with rates and with momenta: (largest, mean) of each part of a run."""
    found = []
    for name in ("tree", NAME):
        run = po.simulate(system, duration, step=step, integrator=integrator, formulation=name, output_step=10 * step)
        errors = np.array_split((run.energy - run.energy[0]) / run.kinetic.max(), parts)
        found.append([(np.abs(part).max(), abs(part.mean())) for part in errors])
    print(integrator, "rates", found[0], "momenta", found[1])
    return np.array(found)


def tilted(n, angle):
    """A chain on balls whose first two links are turned out of one plane."""
    s = chain(n)
    s["joint1"].set(rotation=("x", angle))
    s["joint2"].set(rotation=("y", angle))
    return s


def test_mean_energy_of_resolved_motion_stays():
    rates, momenta = energy_errors(tilted(3, 0.8), 100.0, 0.005, "gauss2")
    assert momenta[:, 0].max() < 1e-6 and momenta[:, 1].max() < 3e-8


@pytest.mark.long
def test_energy_over_long_times():
    """4e5 steps: in resolved motion only momenta keep the mean of the energy; in violent motion with long steps neither does."""
    rates, momenta = energy_errors(tilted(3, 0.8), 2000.0, 0.005, "gauss2")
    assert momenta[:, 1].max() < 1e-2 * momenta[:, 0].max() and rates[:, 1].max() > 100 * momenta[:, 1].max()
    rates, momenta = energy_errors(tilted(4, 1.5), 2000.0, 0.01, "gauss3")
    assert momenta[:, 1].max() > 0.5 * momenta[:, 0].max()


def test_impulses_change_all_momenta():
    """Those of balls have four numbers."""
    s = chain(2)
    hit = po.Event(0.1, po.Impulse(s["link2"], (3.0, 20.0, -1.0), at=(0.1, 0.0, -4.0)))
    a, b = (po.simulate(s, 0.3, step=0.01, formulation=name, events=[hit]) for name in ("tree", "tree:momentum"))
    assert np.abs(a["link2"].velocity - b["link2"].velocity).max() < 1e-11
