"""Results as labelled arrays have the numbers of the views, with units."""

import json
import sys

import numpy as np
import pytest

import mechanisms
import poinsot as po
from loops import four_bar
from systems import chain, pendulum

pytest.importorskip("xarray")


@pytest.fixture(scope="module")
def links():
    return po.simulate(chain(3), 0.1, step=0.01)


def test_bodies_and_joints_lie_along_dimensions_of_their_names(links):
    data = links.to_xarray()
    assert data["position"].dims == ("t", "body", "xyz") and data["quaternion"].dims == ("t", "body", "wxyz")
    link = data.sel(body="link3")
    for what in ("position", "com", "quaternion", "velocity", "angular_velocity", "acceleration"):
        assert np.array_equal(link[what], getattr(links["link3"], what)), what
    assert np.array_equal(data["position"].sel(body="link2", xyz="z"), links["link2"].position[:, 2])
    assert data["reaction_force"].dims == ("t", "joint", "xyz")
    assert np.array_equal(data["reaction_force"].sel(joint="joint2"), links["joint2"].force)
    assert np.array_equal(data["joint2.quaternion"], links["joint2"].quaternion) and data["joint2.quaternion"].dims == ("t", "wxyz")
    assert np.array_equal(data["energy"], links.energy) and data["angular_momentum"].dims == ("t", "xyz")
    assert "angle" not in data and bool(data["unique"].all())


def test_every_variable_says_its_unit_and_what_it_is(links):
    data = links.to_xarray()
    for name, variable in data.data_vars.items():
        assert variable.attrs["units"] and variable.attrs["long_name"], name
    assert data["t"].attrs["units"] == "s" and data["reaction_torque"].attrs["units"] == "N m"
    assert data["position"].attrs == {"units": "m", "long_name": "position"}
    assert data.attrs["system"] == "pendulum" and data.attrs["step"] == 0.01 and data.attrs["poinsot"] == po.__version__
    assert (data.attrs["formulation"], data.attrs["integrator"]) == ("tree", "gauss4")
    assert json.loads(data.attrs["audit"])["steps"] == links.audit.steps


def test_planar_systems_have_two_axes_and_single_angles():
    run = po.simulate(pendulum(), 0.1, rtol=1e-8, atol=1e-8, output_step=0.01)
    data = run.to_xarray()
    assert data["position"].dims == ("t", "body", "xy") and data["momentum"].dims == ("t", "xy")
    assert data["angle"].dims == ("t", "body") and data["reaction_torque"].dims == ("t", "joint")
    assert np.array_equal(data["angle"].sel(body="bob"), run["bob"].angle) and data.attrs["step"] == "adaptive"


@pytest.mark.parametrize("name", ["spring_chain", "loaded_four_bar", "screw_press", "geared_pair", "moving_slider", "skater"])
def test_all_kinds_of_elements(name):
    run = po.simulate(getattr(mechanisms, name)(), 0.02, step=0.01, formulation="directors")
    data = run.to_xarray()
    for load in (*run.system.loads, *run.system.drives):
        assert np.array_equal(data[f"{load.name}.power"].values.ravel(), run[load.name].power.ravel())
        assert np.array_equal(data[f"{load.name}.effort"].values.ravel(), run[load.name].effort.ravel())
    assert data["opening_metres"].dims == ("t",)
    assert len(run.to_dataframe()) == len(run.t)


def test_redundant_reactions_are_marked_and_openings_have_their_own_times():
    s = four_bar()
    s["base"].set(rate=1.0)
    run = po.simulate(s, 5.0, step=0.01)
    data = run.to_xarray()
    assert [str(name) for name in data["joint"][~data["unique"]].values] == run.ambiguous != []
    assert data["opening_metres"].dims == ("t_opening",) and data.sizes["t_opening"] == 400
    with pytest.raises(po.SettingsError, match="known at 400 of 501 outputs only"):
        run.to_dataframe("opening_metres")


def test_efforts_of_a_servo_are_named_after_its_motors():
    p = po.System("cart", plane="xy", gravity=None)
    body = p.body("body", mass=2.0, inertia=1.0)
    along = p.prismatic(p.ground, body, axis="x", name="along")
    motor = p.add(po.Motor(along, name="motor"))
    p.add(po.Servo([body.x], target=po.signals.step(0.0, 1.0, (1.0,)), inputs=[motor], name="servo"))
    run = po.simulate(p, 0.5, step=0.05)
    data = run.to_xarray()
    assert data["servo.effort"].values.ravel() == pytest.approx(run["motor"].effort) and data["servo.effort"].attrs["units"] == "N"


def test_tables_have_columns_by_name_and_units(links):
    table = links.to_dataframe("link3.position", "energy", "joint1.force.z")
    assert list(table) == ["link3.position.x", "link3.position.y", "link3.position.z", "energy", "joint1.force.z"]
    assert table.index.name == "t" and np.array_equal(table.index, links.t)
    assert np.array_equal(table["link3.position.z"], links["link3"].position[:, 2])
    assert table.attrs["units"] == {
        "t": "s", "link3.position.x": "m", "link3.position.y": "m", "link3.position.z": "m", "energy": "J", "joint1.force.z": "N",
    }  # fmt: skip
    with pytest.raises(po.SettingsError, match="no result 'link9.position'"):
        links.to_dataframe("link9.position")


def test_without_names_a_table_holds_joints_bodies_and_energies():
    s = four_bar()
    table = po.simulate(s, 0.1, step=0.01).to_dataframe()
    joints = [f"{name}.{what}" for name in ("base", "elbow", "knee", "foot") for what in ("angle", "rate")]
    bodies = [f"{name}.position.{axis}" for name in ("crank", "coupler", "rocker") for axis in "xyz"]
    assert set(table) == {*joints, *bodies, "kinetic", "potential", "energy", "work"}


@pytest.mark.parametrize(("package", "method"), [("xarray", "to_xarray"), ("pandas", "to_dataframe")])
def test_without_the_packages_it_says_what_to_install(links, package, method, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(po.PoinsotError, match=rf"need {package}: pip install 'poinsot\[xarray\]'"):
        getattr(links, method)()
