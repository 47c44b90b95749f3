"""Gauss methods with their stages in lanes: the steps of the others up to rounding, with the same order, and Newton's method where they stall."""

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from systems import chain, pendulum


def loaded(damping=0.3):
    s = chain(3, 1.0)
    for load in (po.JointDamper(s["joint2"], damping), po.TorsionSpring(s["joint3"], stiffness=3.0), po.Force(s["link3"], (5.0, 0.0, 0.0))):
        s.add(load)
    return s


@pytest.mark.parametrize("stages", [2, 3, 4])
def test_the_steps_are_those_of_stages_one_after_the_other(stages):
    runs = [po.simulate(loaded(), 1.0, step=0.02, integrator=f"gauss{stages}{end}", progress=False) for end in ("", ":lanes")]
    scale = np.abs(runs[0].raw).max()
    assert np.abs(runs[0].raw - runs[1].raw).max() < 1e-13 * scale
    assert [run.audit.lanes for run in runs] == [0, 4] and "in 4 lanes" in str(runs[1].audit) and "lanes" not in str(runs[0].audit)
    assert runs[1].audit.integrator == f"gauss{stages}:lanes" and runs[1].audit.unit_length < 1e-15


@pytest.mark.parametrize("stages", [2, 3])
def test_the_order_is_twice_the_number_of_stages(stages):
    fine = po.simulate(loaded(), 1.0, step=0.005, integrator="gauss4", progress=False).raw[-1]
    steps = (0.1, 0.05, 0.025)
    errors = [np.abs(po.simulate(loaded(), 1.0, step=h, integrator=f"gauss{stages}:lanes", progress=False).raw[-1] - fine).max() for h in steps]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 2 * stages) < 0.4), (errors, orders)


def test_newtons_method_takes_over():
    runs = [po.simulate(loaded(3e4), 0.2, step=0.02, integrator=f"gauss2{end}", progress=False) for end in ("", ":lanes")]
    assert runs[0].audit.newton_steps > 0 and runs[1].audit.newton_steps > 0
    assert np.abs(runs[0].raw - runs[1].raw).max() < 1e-9 * np.abs(runs[0].raw).max()


def test_a_run_is_continued_to_the_bit():
    ready = po.prepare(loaded(), step=0.01, integrator="gauss3:lanes")
    whole, first = ready.run(0.4, progress=False), ready.run(0.2, progress=False)
    assert np.array_equal(ready.run(0.2, state=first.state(), progress=False).raw[-1], whole.raw[-1])


def moving():
    s = chain(2)
    s.add(po.UserForce(lambda t, x, p, out: None, bodies=[s["link1"]]))
    return s


@pytest.mark.parametrize("build", [pendulum, four_bar, moving])
def test_systems_without_lanes_are_refused_with_the_reason(build):
    with pytest.raises(po.SettingsError, match="open systems in space, without users' functions"):
        po.simulate(build(), 0.1, step=0.01, formulation="tree", integrator="gauss3:lanes")


def test_one_stage_has_nothing_to_put_side_by_side():
    with pytest.raises(po.SettingsError, match="there is no integrator 'gauss1:lanes'.*gauss2:lanes"):
        po.simulate(chain(2), 0.1, step=0.01, integrator="gauss1:lanes")
