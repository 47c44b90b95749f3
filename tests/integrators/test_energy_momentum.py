"""Energy-momentum steps: their order in all that is reported, what they conserve over many steps, and that failures are reported."""

import numpy as np
import pytest

import mechanisms
import poinsot as po
from loops import four_bar
from measures import NAMES, observed, open_rows, trend, visible_energy
from reference_cases import heavy_top, load


def moving_four_bar():
    s = four_bar()
    s["base"].set(rate=3.0)
    return s


def uhlar_top():
    """The 3D heavy top of uhlar2008."""
    s = po.System("top", gravity=(0, 0, -9.81))
    top = s.body("top", mass=5.0, com=(0, 0, 0.7), inertia=(1.2, 1.2, 1.0))
    turn = np.array([0.0, np.sin(np.pi / 3), np.cos(np.pi / 3)])  # e3 in the axes of the top
    s.spherical(s.ground, top, at=(0, 0, 0)).set(rotation=("x", np.pi / 3), rate=2.0 * turn + (0, 0, 15.0))
    return s


CONSERVATIVE = {
    "four-bar": (moving_four_bar, 0.01),
    "top": (uhlar_top, 0.005),
    "chain": (mechanisms.swinging_chain, 0.01),
    "chain, finer": (mechanisms.swinging_chain, 0.005),
}


# --- order -------------------------------------------------------------------------------------------------------------

COARSEST = {2: 160, 4: 40, 6: 20}  # steps per second
FASTER = {"four-bar": 4, "skater": 2}  # by which factor the steps are finer


@pytest.mark.parametrize("name", mechanisms.ALL)
def test_order_of_positions_velocities_and_reactions(name):
    system, duration = mechanisms.ALL[name](), 1.0
    fine = po.simulate(system, duration, step=duration / 1280, output_step=duration / 4, integrator=NAMES[6])
    reference = observed(fine)
    for order, coarsest in COARSEST.items():
        errors = []
        for halvings in range(3):
            step = duration / (FASTER.get(name, 1) * coarsest * 2**halvings)
            run = po.simulate(system, duration, step=step, output_step=duration / 4, integrator=NAMES[order])
            assert run.audit.energy_drift <= 1e-13 * run.audit.energy_scale
            assert (run.audit.halvings, run.audit.corrections) == (0, 0)
            errors.append([np.abs(a - b).max() / np.abs(b).max() for a, b in zip(observed(run), reference)])
        errors = np.array(errors)
        slopes = np.log2(errors[0] / errors[2]) / 2
        print(f"{name}, order {order}: measured {np.round(slopes, 2)}, errors {errors[0]} .. {errors[2]}")
        assert errors[2].max() > 1e-13, "these errors are rounding"
        assert np.all(np.abs(slopes - order) < 0.15)


# --- conservation ------------------------------------------------------------------------------------------------------


def check_conservation(name, order, steps, outputs=500):
    build, step = CONSERVATIVE[name]
    run = po.simulate(build(), steps * step, step=step, output_step=step * (steps // outputs), integrator=NAMES[order])
    audit = run.audit
    gap = open_rows(run, max(outputs // 50, 1))
    seen = visible_energy(run)
    forbidden = np.abs(run.energy - seen).max() / audit.energy_scale
    change, swing = trend(run.t, seen)
    print(
        f"{name}, order {order}, {steps} steps: energy {audit.energy_drift / audit.energy_scale:.1e}, rows {gap:.1e}, "
        f"angular momentum {audit.angular_momentum_drift}, energy of forbidden velocities {forbidden:.1e}, "
        f"trend of the visible energy {change / audit.energy_scale:.1e} beside a swing of {swing / audit.energy_scale:.1e}"
    )
    assert audit.energy_drift <= 1e-12 * audit.energy_scale
    assert gap <= 1e-12
    if audit.angular_momentum_drift is not None:
        assert audit.angular_momentum_drift <= 1e-12 * np.abs(run.angular_momentum).max()
    assert abs(change) <= 0.5 * swing + 1e-12 * audit.energy_scale
    assert forbidden <= {2: 2e-5, 4: 1e-6, 6: 1e-8}[order]
    assert (audit.halvings, audit.corrections, audit.rejections, audit.stopped) == (0, 0, 0, None)


@pytest.mark.parametrize("order", NAMES)
@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservation(name, order):
    check_conservation(name, order, 5000)


@pytest.mark.long
@pytest.mark.parametrize("order", NAMES)
@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservation_over_many_steps(name, order):
    check_conservation(name, order, 100_000)


@pytest.mark.parametrize("order", NAMES)
def test_momenta_of_a_floating_chain(order):
    """Without gravity and ground: momentum and angular momentum, springs between the bodies."""
    s = po.System("floating", gravity=None)
    a = s.body("a", po.Box(0.2, 0.3, 1.0, mass=2.0))
    b = s.body("b", po.Box(0.3, 0.1, 1.0, mass=1.0), position=(0, 0, 1))
    c = s.body("c", po.Box(0.1, 0.2, 1.0, mass=1.5), position=(0, 0, 2))
    hinge, ball = s.revolute(a, b, at=(0, 0, 0.5), axis="x"), s.spherical(b, c, at=(0, 0, 1.5))
    s.add(po.TorsionSpring(hinge, stiffness=3.0, rest=0.4))
    s.add(po.TorsionSpring(ball, stiffness=2.0))
    s.add(po.Spring(a, c, at=((0, 0.5, 0), (0.3, 0, 2)), stiffness=8.0, length=1.0))
    s.add(po.JointDamper(ball, 0.01))
    a.set(velocity=(0.3, -0.2, 0.1), angular_velocity=(1.0, 2.0, 0.5))
    hinge.set(rate=1.0)
    run = po.simulate(s, 50.0, step=0.02, output_step=0.5, integrator=NAMES[order])
    momentum, angular = run.audit.momentum_drift, run.audit.angular_momentum_drift
    size = np.abs(run.angular_momentum).max()
    print(f"order {order}: momentum {momentum:.1e}, angular momentum {angular:.1e} of {size:.3g}, {run.audit.energy_drift:.1e} J")
    assert momentum <= 1e-12 * np.abs(run.momentum).max()
    assert angular <= 1e-12 * size
    assert run.audit.energy_drift <= 1e-12 * run.audit.energy_scale


def drag(t, x, params, out):
    """A user's force: drag on every body, and a push that changes with time."""
    for k in range(x.shape[0]):
        for i in range(3):
            out[k, i] = -params[0] * x[k, 7 + i]
            out[k, 3 + i] = -params[1] * x[k, 10 + i]
        out[k, 0] += np.sin(2.0 * t)


@pytest.mark.parametrize("order", NAMES)
@pytest.mark.parametrize("name", ["chain", "four-bar", "gears", "screw"])
def test_power_balance(name, order):
    """Energy less the work of dampers, motors and users' forces, at steps that are far from resolving the motion too."""
    s = mechanisms.ALL[name]()
    s.add(po.UserForce(drag, bodies=list(s.bodies)[:2], params=(0.3, 0.02)))
    for step in (0.02, 0.005):
        run = po.simulate(s, 10.0, step=step, output_step=0.2, integrator=NAMES[order])
        balance = run.audit.energy_drift / run.audit.energy_scale
        print(f"{name}, order {order}, step {step}: energy - work {balance:.1e}, work {np.ptp(run.work):.3g} J")
        assert np.ptp(run.work) > 0.1 * run.audit.energy_scale
        assert balance <= 1e-12
        assert open_rows(run, 10) <= 1e-12


# --- thin rods and large steps -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", NAMES)
@pytest.mark.parametrize("radius", [0.05, 1e-3, 1e-4])
def test_thin_rods(radius, order):
    """Two rods on balls, free to spin: that their inertias differ by 1e7 is no reason for smaller steps."""
    s = po.System("rods", gravity=(0, 0, -9.81))
    a = s.body("a", po.Rod(radius=radius, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    b = s.body("b", po.Rod(radius=radius, mass=1.0), between=((1, 0, 0), (1, 1, 0)))
    s.spherical(s.ground, a, at=(0, 0, 0)).set(rate=(0, 1, 2))
    s.spherical(a, b, at=(1, 0, 0)).set(rate=(1, 0, 2))
    run = po.simulate(s, 4.0, step=0.002, output_step=0.1, integrator=NAMES[order])
    audit = run.audit
    effort, drift = audit.iterations / audit.steps, audit.energy_drift / audit.energy_scale
    print(f"radius {radius}, order {order}: energy {drift:.1e}, {effort:.1f} iterations, {audit.halvings} halvings")
    assert drift <= 1e-12
    assert audit.halvings == 0
    assert effort < 12


@pytest.mark.parametrize("order", NAMES)
@pytest.mark.parametrize("turn", [0.5, 1.0, 1.5, 2.0])
def test_large_steps(turn, order):
    """A turn of up to 2 rad per step: conservation still holds, or the run reports that it cannot continue."""
    top, bar = heavy_top(load("heavy_top_bruls")), four_bar()
    bar["base"].set(rate=8.0)
    for system, fastest in ((top, 150.0), (bar, 12.0)):
        step = turn / fastest
        run = po.simulate(system, 200 * step, step=step, integrator=NAMES[order])
        drift = run.audit.energy_drift / run.audit.energy_scale
        print(f"{system.name}, {turn} rad per step, order {order}: energy {drift:.1e}, {run.audit.halvings} halvings")
        assert drift <= 1e-12
        assert open_rows(run) <= 1e-12


@pytest.mark.parametrize("order", NAMES)
def test_steps_far_too_large(order):
    """Several turns per step: the steps are halved until they converge, or the run stops with an error; nothing in between."""
    bar = four_bar()
    bar["base"].set(rate=8.0)
    for step in (0.5, 2.0):
        try:
            run = po.simulate(bar, 10 * step, step=step, integrator=NAMES[order])
            what = f"{run.audit.halvings} halvings"
        except po.ConvergenceError as error:
            run, what = error.trajectory, "stopped"
        drift = run.audit.energy_drift / run.audit.energy_scale
        print(f"order {order}, step {step} s: {what}, {len(run.t)} outputs, energy {drift:.1e}")
        assert drift <= 1e-12
        assert open_rows(run) <= 1e-12


def test_long_chains_do_not_meet_denormal_numbers():
    """Links far from the ground fall freely, and what their joints carry decays by 1e-308: processors are slow on such numbers."""
    s = po.System("long chain", gravity=(0, 0, -9.81))
    last = s.ground
    for k in range(800):
        link = s.body(f"link{k}", po.Rod(radius=0.05, mass=1.0), between=((k, 0, 0), (k + 1, 0, 0)))
        s.spherical(last, link, at=(k, 0, 0))
        last = link
    run = po.simulate(s, 0.03, step=0.01, integrator=NAMES[2])
    sizes = np.abs(run.record.memory)
    print(f"smallest number that is not zero: {sizes[sizes > 0].min():.1e}")
    assert sizes[sizes > 0].min() >= np.finfo(float).tiny
    assert abs(run["link799"].acceleration[-1, 2] + 9.81) < 1e-12


def test_iterations_that_are_left():
    """From what three of them left of an error: those that make it as small as wanted."""
    from poinsot.formulations.directors.iteration import iterations_left

    assert abs(iterations_left.py_func(1e-6, 1e-3, 1e-15) - 9.0) < 1e-12
    assert iterations_left.py_func(1e-6, 1e-6, 1e-15) == 1e300


@pytest.mark.parametrize("rate, step, fewest, most", [(3.0, 0.002, 5, 8), (8.0, 0.05, 1, 3)])
def test_as_many_steps_predict_the_next_as_do_it_best(rate, step, fewest, most):
    """Many small ones, few of those in which bodies turn far."""
    from poinsot.formulations.directors.energy_momentum_memory import BEST_KNOWN

    bar = four_bar()
    bar["base"].set(rate=rate)
    used = po.simulate(bar, 400 * step, step=step, integrator=NAMES[2]).record.memory[-BEST_KNOWN]
    print(f"steps of {step} s are predicted from {used:g} others")
    assert fewest <= used <= most


def test_iterations_end_when_rounding_is_all_that_is_left():
    """In the corrections; or, next to singular positions, where the equations hardly determine these, in the equations."""
    from poinsot.formulations.directors.iteration import BALANCED, BLURRED, EM_STAGNATION, STUCK, stagnates

    method = np.zeros(EM_STAGNATION + 1)
    method[EM_STAGNATION] = 1e-3 * BLURRED

    def ends(error, left, stuck=STUCK):
        return stagnates.py_func(method, stuck, error, left, 2.0)

    assert ends(0.5e-3 * BLURRED, 1.0) and not ends(2e-3 * BLURRED, 1.0)
    assert ends(0.5 * BLURRED, 1.9 * BALANCED)
    assert not ends(0.5 * BLURRED, 2.1 * BALANCED) and not ends(2.0 * BLURRED, 1.9 * BALANCED)
    assert not ends(0.5e-3 * BLURRED, 0.0, STUCK - 1)
