"""Newton's method for energy-momentum steps on which the simple iteration fails: the same solutions, and fewer halved steps."""

from dataclasses import replace

import numpy as np
import pytest

import mechanisms
import poinsot as po
from loops import four_bar
from measures import NAMES, open_rows
from reference_cases import heavy_top, load


def by_newton_alone(system, duration, step, order):
    """A run in which every step uses Newton's method."""
    ready = po.prepare(system, step=step, integrator=NAMES[order])
    bind = ready.method.bind

    def bound(formulation):
        method = bind(formulation)
        newton, scratch = method.rescue()
        return replace(method, step=newton, scratch=lambda ny: scratch, rescue=None)

    ready.method = replace(ready.method, bind=bound)
    return ready.run(duration)


def driven_four_bar():
    """A four-bar whose crank follows a signal."""
    s = four_bar()
    s.add(po.Motion(s["base"].angle, po.Signal(lambda t: np.sin(t), lambda t: np.cos(t), lambda t: -np.sin(t)), name="motion"))
    return s


@pytest.mark.parametrize("order", NAMES)
@pytest.mark.parametrize("name", [*mechanisms.ALL, "driven"])
def test_newton_finds_the_same_steps(name, order):
    """Where both converge, to rounding: joints, constraints, springs, dampers, motors and drives of every kind."""
    if name == "driven" and order == 4:
        pytest.skip("drives take an odd number of stages")
    system = driven_four_bar() if name == "driven" else mechanisms.ALL[name]()
    simple = po.simulate(system, 0.4, step=0.01, integrator=NAMES[order])
    newton = by_newton_alone(system, 0.4, 0.01, order)
    assert (newton.audit.newton_steps, newton.audit.halvings, simple.audit.newton_steps) == (40, 0, 0)
    error = np.abs(newton.motion - simple.motion).max() / np.abs(simple.motion).max()
    effort = [run.audit.iterations / run.audit.steps for run in (newton, simple)]
    print(f"{name}, order {order}: {error:.1e} apart, {effort[0]:.1f} corrections per step, of the simple iteration {effort[1]:.1f}")
    assert error <= 1e-11
    assert newton.audit.energy_drift <= 1e-12 * newton.audit.energy_scale


@pytest.mark.parametrize("order", NAMES)
def test_steps_of_a_chain_that_the_simple_iteration_cannot_do(order):
    """No step is halved, and conservation does not suffer."""
    run = po.simulate(mechanisms.swinging_chain(), 20.0, step=0.2, integrator=NAMES[order])
    print(f"order {order}: {run.audit.newton_steps} of {run.audit.steps} steps by Newton's method")
    assert (run.audit.halvings, run.audit.steps) == (0, 100)
    assert run.audit.newton_steps > 0
    assert "steps by Newton's method" in str(run.audit)
    assert run.audit.energy_drift <= 1e-12 * run.audit.energy_scale
    assert open_rows(run) <= 1e-12


@pytest.mark.parametrize("order", NAMES)
def test_a_rescue_costs_less_than_three_steps(order):
    """In evaluations, what failed before included: steps of 0.2 s, most of which need rescue, beside those of 0.05 s, none of which does."""
    cost = []
    for step in (0.05, 0.2):
        audit = po.simulate(mechanisms.swinging_chain(), 100 * step, step=step, integrator=NAMES[order]).audit
        cost.append(audit.evaluations / audit.steps)
        print(f"order {order}, steps of {step} s: {cost[-1]:.1f} evaluations per step, {audit.newton_steps} rescues")
    assert cost[1] < 3.0 * cost[0]


@pytest.mark.parametrize("order", [4, 6])
@pytest.mark.parametrize("turn", [1.5, 2.5])
def test_a_top_that_turns_far_in_a_step(turn, order):
    """The simple iteration halves nearly all of these steps."""
    step = turn / 150.0
    run = po.simulate(heavy_top(load("heavy_top_bruls")), 200 * step, step=step, integrator=NAMES[order])
    assert (run.audit.halvings, run.audit.steps) == (0, 200)
    assert run.audit.newton_steps > 40  # 112 of order 6 at 1.5 rad, all or most of the others
    if run.audit.newton_steps == 200:  # then steps go there at once: the iterations are those of Newton's method
        assert run.audit.iterations < 9 * 200
    assert run.audit.evaluations < 50 * (order // 2) * 200  # 45 of order 6 at 2.5 rad, 33 or less of the others
    assert run.audit.energy_drift <= 1e-12 * run.audit.energy_scale


@pytest.mark.parametrize("order", NAMES)
def test_a_run_in_two_parts_gives_the_same_bits(order):
    """A resumed run knows from the memory of the method whether Newton's method was needed earlier, which decides how the next steps begin."""
    whole = po.simulate(mechanisms.swinging_chain(), 8.0, step=0.2, integrator=NAMES[order])
    first = po.simulate(mechanisms.swinging_chain(), 4.0, step=0.2, integrator=NAMES[order])
    second = po.simulate(mechanisms.swinging_chain(), 4.0, step=0.2, integrator=NAMES[order], state=first.state())
    assert first.audit.newton_steps + second.audit.newton_steps == whole.audit.newton_steps > 0
    assert np.array_equal(np.concatenate([first.raw, second.raw[1:]]), whole.raw)
