"""Every result has a name and a unit, and the name gives the same numbers as the views."""

import numpy as np
import pytest

import mechanisms
import poinsot as po
from poinsot.results.quantities import names, quantity
from systems import chain


@pytest.fixture(scope="module")
def pendulum():
    return po.simulate(chain(2), 0.1, step=0.01)


def test_names_give_what_views_give(pendulum):
    found = quantity(pendulum, "link2.position")
    assert found.unit == "m" and found.components == ("x", "y", "z") and np.array_equal(found.values, pendulum["link2"].position)
    assert found.axis == "position of link2 [m]"
    z = quantity(pendulum, "link2.position.z")
    assert np.array_equal(z.values, pendulum["link2"].position[:, 2]) and z.label == "z of position of link2"
    error = quantity(pendulum, "energy_error")
    assert error.values[0] == 0 and error.unit == "J"
    assert "opening_metres" not in names(pendulum)


@pytest.mark.parametrize("name", ["spring_chain", "loaded_four_bar", "cardan_shaft", "screw_press", "geared_pair", "moving_slider", "skater"])
def test_every_name_has_finite_values_and_a_unit(name):
    run = po.simulate(getattr(mechanisms, name)(), 0.02, step=0.01, formulation="directors")
    seen = names(run)
    assert len(seen) == len(set(seen)) and "opening_metres" in seen
    for each in seen:
        found = quantity(run, each)
        assert found.unit and found.label and np.all(np.isfinite(found.values)), each
        assert found.values.shape == ((len(found.t), len(found.components)) if found.components else (len(found.t),)), each


def test_wrong_names_are_told_with_what_is_near(pendulum):
    with pytest.raises(po.SettingsError, match="did you mean .*link2.position"):
        quantity(pendulum, "link2.positon")
    with pytest.raises(po.SettingsError, match="no component 'w'; it has x, y, z"):
        quantity(pendulum, "link2.position.w")
    with pytest.raises(po.SettingsError, match="it is a single number"):
        quantity(pendulum, "energy.x")


def test_efforts_of_a_servo_are_named_after_its_motors():
    p = po.System("table", plane="xy", gravity=None)
    sledge, body = p.body("sledge", mass=1.0, inertia=1.0), p.body("body", mass=2.0, inertia=1.0)
    along, across = p.prismatic(p.ground, sledge, axis="x", name="along"), p.prismatic(sledge, body, axis="y", name="across")
    motors = [p.add(po.Motor(along, name="pull")), p.add(po.Motor(across, name="push"))]
    p.add(po.Servo([body.x, body.y], target=po.signals.step(0.0, 1.0, (1.0, 2.0)), inputs=motors, name="servo"))
    run = po.simulate(p, 0.2, step=0.05)
    for motor in ("pull", "push"):
        assert np.array_equal(quantity(run, f"servo.effort.{motor}").values, run[motor].effort)
        assert np.array_equal(quantity(run, f"servo.power.{motor}").values, run[motor].power)
    assert not np.array_equal(run["pull"].effort, run["push"].effort)
