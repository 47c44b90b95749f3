"""Angles count whole turns, however fast bodies turn between outputs."""

import numpy as np
import pytest

import poinsot as po
from poinsot.formulations import registry as formulations
from poinsot.integrators import registry as integrators
from poinsot.tables.types import HALVINGS

SPINS = (1.0, -30.0, 1000.0)  # rad/s
OUTPUT = 0.5  # s
NOT_ODE = "directors"


def wheel(spin, turned=0.3, reverse=False):
    """A wheel on a pin that turns at a constant rate, and a free disc that does the same."""
    s = po.System("wheel", plane="xy", gravity=None)
    body = s.body("wheel", mass=1.0, inertia=0.1, position=(0, 0))
    pin = s.revolute(body, s.ground, at=(0, 0), name="pin") if reverse else s.revolute(s.ground, body, at=(0, 0), name="pin")
    sign = -1.0 if reverse else 1.0
    pin.set(angle=sign * turned, rate=sign * spin)
    return s


def pairs():
    """Formulations with the methods that fit them; steps, as parts of a radian, in which these are accurate to 1e-3."""
    for name in formulations.names():
        for method in integrators.all_names():
            own = integrators.home(method)
            if integrators.find(method).step is not None and (own == name or (own is None and name != NOT_ODE)):
                yield name, method


PART = {"rk4": 0.02, "gauss1": 0.005, "energy-momentum": 0.005, "dopri5": 0.05}  # rad in a step; others 0.25


@pytest.mark.parametrize(("formulation", "method"), list(pairs()))
def test_a_wheel_between_coarse_outputs(formulation, method):
    """Against the exact angle: of the joint, and of the body."""
    for spin in SPINS:
        part = PART.get(method, 0.25)
        output = min(OUTPUT, 2000 * part / abs(spin))  # of up to 80 turns
        step = output / np.ceil(output * abs(spin) / part)
        run = po.simulate(wheel(spin), 2 * output, formulation=formulation, integrator=method, step=step, output_step=output)
        for view in (run["pin"], run["wheel"]):
            assert np.abs(view.angle - 0.3 - spin * run.t).max() < 0.1


@pytest.mark.parametrize("formulation", [name for name in formulations.names() if name != NOT_ODE])
@pytest.mark.parametrize("method", ["dopri5", "dop853", "adams"])
def test_adaptive_steps(formulation, method):
    for spin in SPINS:
        output = min(OUTPUT, 500.0 / abs(spin))
        run = po.simulate(wheel(spin), 2 * output, formulation=formulation, integrator=method, rtol=1e-8, atol=1e-10, output_step=output)
        for view in (run["pin"], run["wheel"]):
            assert np.abs(view.angle - 0.3 - spin * run.t).max() < 0.1


def test_bodies_on_reversed_joints_on_others_and_free():
    s = wheel(40.0, 7.0, reverse=True)
    arm = s.body("arm", mass=0.1, inertia=0.01, position=(0.0, 0.0))
    s.revolute(s["wheel"], arm, at=(0, 0), name="inner").set(rate=-15.0)
    s.body("free", mass=1.0, inertia=0.1, position=(5, 0)).set(angular_velocity=-60.0)
    for formulation in ("tree", "directors"):
        run = po.simulate(s, 4.0, step=0.005, output_step=1.0, formulation=formulation)
        assert np.allclose(run["wheel"].angle, 7.0 + 40.0 * run.t, atol=0.1) and np.allclose(run["pin"].angle, -run["wheel"].angle)
        assert np.allclose(run["arm"].angle, 7.0 + 25.0 * run.t, atol=0.1)
        assert np.allclose(run["free"].angle, -60.0 * run.t, atol=0.1)
        state = run.state(2)
        assert po.simulate(s, 1.0, step=0.005, output_step=0.5, formulation=formulation, state=state)["arm"].angle[0] == run["arm"].angle[2]


@pytest.mark.parametrize("formulation", ["tree", "directors", "rotation-matrix", "newton-euler", "planar"])
def test_resumed_from_a_file(formulation, tmp_path):
    whole = po.simulate(wheel(300.0), 2.0, step=1e-3, output_step=0.5, formulation=formulation)
    part = po.simulate(wheel(300.0), 1.0, step=1e-3, output_step=0.5, formulation=formulation)
    part.save(tmp_path / "run.h5")
    rest = po.simulate(wheel(300.0), 1.0, step=1e-3, output_step=0.5, formulation=formulation, state=po.load(tmp_path / "run.h5").state())
    assert np.array_equal(rest["pin"].angle, whole["pin"].angle[2:]) and np.array_equal(rest["wheel"].angle, whole["wheel"].angle[2:])
    streamed = po.simulate(wheel(300.0), 2.0, step=1e-3, output_step=0.5, formulation=formulation, stream=tmp_path / "stream.h5")
    assert np.array_equal(po.load(tmp_path / "stream.h5")["wheel"].angle, whole["wheel"].angle) and streamed.complete


@pytest.mark.parametrize(("method", "part"), [("energy-momentum", 6.5), ("energy-momentum-4", 4.5), ("energy-momentum-6", 4.5)])
def test_more_than_half_a_turn_in_one_step(method, part):
    """The number of turns is that of the rate, and the rest that of the attitude, also for a spring on the angle, whose energy is conserved."""
    spin, step = 100.0, part / 100.0
    run = po.simulate(wheel(spin), 40 * step, step=step, integrator=method)
    assert np.abs(np.diff(run["pin"].angle) - part).max() <= np.pi and np.abs(np.diff(run["pin"].angle)).min() > 2.0
    assert run.record.counters[HALVINGS] == 0
    s = wheel(spin)
    s.add(po.TorsionSpring(s["pin"], stiffness=1e-3, name="spring"))
    run = po.simulate(s, 40 * step, step=step, integrator=method)
    assert np.ptp(run.energy) < 1e-11 * run.energy[0]
    assert np.allclose(run.potential, 0.5e-3 * run["pin"].angle ** 2, rtol=1e-9)


@pytest.mark.parametrize("options", ["planar", "planar:A-R-L", "planar:L-A-H"])
def test_planar_chains_in_large_steps(options):
    """A spring counts turns within steps of more than half a turn."""
    s = wheel(400.0)
    s.add(po.TorsionSpring(s["pin"], stiffness=20.0, name="spring"))
    exact = po.simulate(s, 0.4, formulation="tree", integrator="dop853", rtol=1e-12, atol=1e-12, output_step=0.1)
    run = po.simulate(s, 0.4, formulation=options, integrator="dop853", rtol=1e-3, atol=1e-3, output_step=0.1)
    assert np.abs(run["pin"].angle - exact["pin"].angle).max() < 0.5


def test_laws_and_gears_see_all_turns():
    """A motor's law of the angle and a gear, in coarse outputs."""
    s = wheel(50.0)
    other = s.body("other", mass=1.0, inertia=0.1, position=(1, 0))
    s.revolute(s.ground, other, at=(1, 0), name="second").set(angle=-0.6, rate=-100.0)
    s.add(po.Gear(s["second"].angle, s["pin"].angle, -2.0))
    s.add(po.Motor(s["pin"], lambda t, x, v: 1e-6 * x, name="motor"))
    run = po.simulate(s, 2.0, step=0.01, output_step=1.0)
    assert run["pin"].angle[-1] == pytest.approx(0.3 + 100.0, abs=0.1)
    assert np.allclose(run["motor"].effort, 1e-6 * run["pin"].angle, rtol=1e-9)
    assert np.allclose(run["second"].angle, -2.0 * run["pin"].angle, atol=1e-9)
