"""Stops: the energy that they store, what their dampers take, and that they never pull."""

import numpy as np
import pytest

import poinsot as po


def bouncer(**numbers):
    """A mass on a vertical slide that falls on a stop 1 m below."""
    s = po.System("bouncer", gravity=(0, 0, -9.81))
    mass = s.body("mass", po.Sphere(0.1, mass=2.0))
    slide = s.prismatic(s.ground, mass, axis="z", name="slide")
    s.add(po.Stop(slide, lower=-1.0, upper=5.0, name="stop", **{"stiffness": 4000.0, "blend": 0.02} | numbers))
    return s


@pytest.mark.parametrize("integrator", ["energy-momentum", "energy-momentum-6"])
def test_a_bounce_keeps_the_energy_exactly(integrator):
    run = po.simulate(bouncer(), 2.0, step=0.01, formulation="directors", integrator=integrator)
    assert run["slide"].displacement.min() < -1.03  # it was beyond the blend
    assert abs(run.energy - run.energy[0]).max() < 1e-11


def test_a_bounce_keeps_the_energy_better_with_smaller_steps():
    coarse, fine = (po.simulate(bouncer(), 2.0, step=step, integrator="gauss3").audit.energy_drift for step in (0.002, 0.0005))
    assert coarse < 1e-4 and fine < 0.1 * coarse


def test_the_turning_point_is_where_the_energy_is_stored():
    run = po.simulate(bouncer(), 0.6, rtol=1e-11, atol=1e-12, output_step=0.0005)
    k, w, weight = 4000.0, 0.02, 2.0 * 9.81
    lowest = max(np.roots([0.5 * k, -0.5 * k * w - weight, k * w * w / 6 - weight]).real)  # weight (1 + d) = k ((d - w/2)^2 / 2 + w^2 / 24)
    assert abs(-1.0 - run["slide"].displacement.min() - lowest) < 1e-5
    deepest = int(np.argmin(run["slide"].displacement))
    depth = -1.0 - run["slide"].displacement
    assert np.isclose(run["stop"].effort[deepest], k * (depth[deepest] - w / 2), rtol=1e-12)
    inside = (depth > 0) & (depth < w)
    assert inside.any() and np.allclose(run["stop"].effort[inside], k * depth[inside] ** 2 / (2 * w), rtol=1e-9)
    assert not run["stop"].effort[depth <= 0].any()


@pytest.mark.parametrize("damping", [30.0, 3000.0])
def test_dampers_take_energy_and_never_pull(damping):
    run = po.simulate(bouncer(damping=damping), 3.0, rtol=1e-10, atol=1e-11, output_step=0.001)
    effort, energy = run["stop"].effort, run.energy
    assert effort.min() >= 0.0 and effort.max() > 0.0
    assert (np.diff(energy) < 1e-8).all() and energy[-1] < energy[0] - 1.0
    taken = np.trapezoid(run["stop"].power, run.t)
    assert np.isclose(energy[-1] - energy[0], taken, rtol=2e-2)
    balanced = po.simulate(bouncer(damping=damping), 1.0, step=0.001, formulation="directors", integrator="energy-momentum")
    assert balanced.audit.energy_drift < 1e-10 * balanced.audit.energy_scale  # what the damper takes is counted exactly


def test_the_total_effort_is_a_result():
    run = po.simulate(bouncer(damping=30.0), 0.6, rtol=1e-10, atol=1e-11, output_step=0.001)
    depth, rate = -1.0 - run["slide"].displacement, run["slide"].rate
    deep = depth > 0.02
    assert deep.any() and np.allclose(run["stop"].effort[deep], np.maximum(4000.0 * (depth[deep] - 0.01) - 30.0 * rate[deep], 0.0))
    acting = 2.0 * (np.gradient(rate, run.t) + 9.81)  # mass times acceleration, less the weight
    assert np.allclose(acting[2:-2], run["stop"].effort[2:-2], atol=0.05 * run["stop"].effort.max())


def test_limits_of_an_angle_on_both_sides():
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, -1)))
    hinge = s.revolute(rod, s.ground, at=(0, 0, 0), axis="y", name="hinge")  # the ground second: the coordinate counts the other way
    s.add(po.Stop(hinge.angle, -0.3, 0.5, stiffness=500.0, name="stop"))
    hinge.set(rate=4.0)
    run = po.simulate(s, 3.0, rtol=1e-10, atol=1e-10, output_step=0.005)
    angle = run["hinge"].angle
    assert 0.5 < angle.max() < 0.8 and -0.6 < angle.min() < -0.3
    assert (run["stop"].effort[angle > 0.5] <= 0).all() and (run["stop"].effort[angle < -0.3] >= 0).all()
    assert run.audit.energy_drift < 1e-6


def test_numbers_change_between_runs():
    ready = po.prepare(bouncer(), step=0.002)
    high = ready.run(1.0, change={"stop.lower": -0.5})
    assert -0.6 < high["slide"].displacement.min() < -0.5


WRONG = {
    "lower must be less than upper, not 1.0 and 1.0": {"lower": 1.0, "upper": 1.0},
    "stiffness must not be negative": {"stiffness": -1.0},
    "damping must not be negative": {"damping": -1.0},
    "blend must be positive": {"blend": 0.0},
    "upper must be a finite number": {"upper": float("inf")},
}


@pytest.mark.parametrize("words", WRONG)
def test_faults(words):
    s = bouncer()
    s.add(po.Stop(s["slide"], **{"lower": -1.0, "upper": 1.0, "stiffness": 1.0} | WRONG[words], name="other"))
    assert any(words in fault and "stop 'other'" in fault for fault in s.check().faults)


def test_one_scalar_coordinate():
    s = po.System("s", gravity=None)
    a = s.body("a", po.Sphere(0.1, mass=1.0))
    b = s.body("b", po.Sphere(0.1, mass=1.0), position=(1, 0, 0))
    ball = s.spherical(s.ground, a, at=(0, 0, 0), name="ball")
    sleeve = s.cylindrical(a, b, at=(1, 0, 0), axis="x", name="sleeve")
    s.add(po.Stop(ball, -1, 1, stiffness=1.0, name="one"))
    s.add(po.Stop(sleeve, -1, 1, stiffness=1.0, name="two"))
    s.add(po.Stop(sleeve.angle, -1, 1, stiffness=1.0, name="three"))
    faults = s.check().faults
    assert len(faults) == 2 and "it has none" in faults[0] and "name one: joint.displacement, joint.angle" in faults[1]


@pytest.mark.parametrize("damping", [0.0, 2e4])
def test_steps_within_a_stiff_stop_are_not_halved(damping):
    """Pressed into a stop in which it oscillates, 11 rad per step: these converge by Newton's method."""
    s = bouncer(stiffness=1e7, damping=damping, blend=1e-4)
    s.add(po.Force(s["mass"], (0, 0, -1e5)))
    s["slide"].set(displacement=-1.0102)  # it rests at -1.01005
    run = po.simulate(s, 0.05, step=0.005, integrator="gauss2")
    print(f"damping {damping:g}: {run.audit.newton_steps} steps by Newton's method, {run.audit.halvings} halved")
    assert run.audit.newton_steps > 0 and run.audit.halvings == 0
