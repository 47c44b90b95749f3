"""Results of the page: bearing loads, rounding, trails of given points, angular velocities, one set of colours."""

import re

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.view.bearings import bearing_load, plane_of
from poinsot.view.colours import CURVES, ENERGIES
from poinsot.view.page import WEB
from poinsot.view.page_data import page_data
from poinsot.view.plots import energy_figure
from poinsot.view.resample import unpack
from systems import chain


@pytest.fixture(scope="module")
def bars():
    s = four_bar()
    s["base"].set(rate=2.0)
    return po.simulate(s, 0.5, step=0.01)


def groups(run, **options):
    return {group["key"]: group for group in page_data([run], ["a"], 2e6, **options)["groups"]}


def series(run, **options):
    return page_data([run], ["a"], 2e6, **options)["runs"][0]["series"]


def about_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def test_bearing_loads_are_seen_from_the_first_body(bars):
    """By hand: the coupler has turned about y by the angles of base and elbow since the drawing; forces turn back by that."""
    found = bearing_load(bars, bars.system["knee"])
    turned = bars["base"].angle + bars["elbow"].angle
    by_hand = np.array([about_y(-a) @ f for a, f in zip(turned, bars["knee"].force)])
    assert np.ptp(turned) > 0.5 and found.components == ("x", "z") and found.unit == "N"
    assert found.values == pytest.approx(by_hand[:, [0, 2]], abs=1e-9 * np.abs(by_hand).max())
    parts = series(bars)["knee.bearing_load"]["parts"]
    assert [part["name"] for part in parts] == ["x", "z"] and unpack(parts[1]["y"]) == pytest.approx(by_hand[:, 2], rel=1e-5, abs=1e-5)
    assert groups(bars)["knee.bearing_load"] | {"over": "polar", "section": "knee", "unit": "N"} == groups(bars)["knee.bearing_load"]


@pytest.mark.parametrize("axis", [(0.6, 0.0, 0.8), (1 / 3, 2 / 3, 2 / 3)])
def test_oblique_bearings_have_axes_of_their_own(axis):
    names, across = plane_of(np.array(axis))
    assert names == ("u", "v") and across @ across.T == pytest.approx(np.eye(2), abs=1e-15)
    assert np.cross(across[0], across[1]) == pytest.approx(axis)


def test_ball_joints_have_no_bearing():
    assert not [name for name in series(po.simulate(chain(2), 0.05, step=0.01)) if "bearing" in name]


def test_what_is_rounding_is_not_shown_at_first(bars):
    told = series(bars)
    assert told["energy_error"]["rounding"] == np.abs(bars.energy - bars.energy[0]).max() < 1e-11
    assert "rounding" in told["opening_metres"] and "rounding" not in told["energy"] and "rounding" not in told["knee.force"]
    assert "energy_error" in groups(bars) and not groups(bars)["energy_error"]["shown"]
    s = chain(2)
    s["joint1"].set(rotation=("x", 1.0))
    rough = po.simulate(s, 1.0, step=0.05, integrator="rk4")
    assert rough.audit.energy_drift > 1e-9 * rough.audit.energy_scale
    assert "rounding" not in series(rough)["energy_error"] and groups(rough)["energy_error"]["shown"]


def test_energies_that_do_not_change_are_not_shown_at_first():
    s = po.System("spinning", gravity=None)
    s.body("box", po.Box(0.1, 0.2, 0.3, mass=1.0)).set(angular_velocity_body=(0.1, 5.0, 0.1))
    run = po.simulate(s, 1.0, step=0.01)
    told = series(run)
    assert 0 < told["kinetic"]["still"] == np.abs(run.kinetic - run.kinetic[0]).max() and told["potential"]["still"] == 0
    assert "rounding" not in told["kinetic"] and not groups(run)["energies"]["shown"]


def test_more_arrows_than_a_page_has_are_said():
    several, more = (page_data([po.simulate(chain(n), 0.02, step=0.01)], ["a"], 4e6)["runs"][0] for n in (120, 121))
    assert len(several["arrows"]) == len(more["arrows"]) == 120 and not several["arrowsLeftOut"] and more["arrowsLeftOut"]


def test_choices_are_in_the_order_of_the_model(bars):
    sections = list(dict.fromkeys(group["section"] for group in page_data([bars], ["a"], 2e6)["groups"]))
    assert sections == ["System", "crank", "coupler", "rocker", "base", "elbow", "knee", "foot"]


def test_angular_velocities_and_inertias_are_those_of_the_bodies(bars):
    data = page_data([bars], ["a"], 2e6)["runs"][0]
    spins = unpack(data["spins"]).reshape(-1, 3, 3)
    assert spins[:, 1] == pytest.approx(bars["coupler"].angular_velocity, abs=1e-6)
    assert data["scene"]["bodies"][2]["inertia"] == list(bars.system["rocker"].inertia)
    many = page_data([po.simulate(chain(60), 1.0, step=0.002)], ["a"], 4e5)["runs"][0]
    assert many["spins"] == "" and len(unpack(many["t"], "<f8")) >= 60  # frames come first


# --- trails ------------------------------------------------------------------------------------------------------


def test_trails_of_given_points(bars, tmp_path):
    system = four_bar()
    end = system["coupler"].end
    (given,) = page_data([bars], ["a"], 2e6, trails=[end, "crank"])["runs"][0]["trails"][:1]
    assert given == {"name": "coupler", "body": 2, "point": list(end.position)}
    place = bars["coupler"].point(end.position)
    assert place[0] == pytest.approx((2, 0, 1.5), abs=1e-9)
    assert bars.write_html(tmp_path / "a.html", trails=[end]).exists()
    assert po.write_html([bars, bars], tmp_path / "b.html", trails=end).exists()


def test_trails_of_other_systems_are_refused(bars, tmp_path):
    other = po.System("another", gravity=None)
    rod = other.body("coupler", po.Rod(0.1, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    with pytest.raises(po.ModelError, match="the body 'coupler' is of the system 'another', not of a run .* points of crank, coupler"):
        bars.write_html(tmp_path / "a.html", trails=[rod.end])
    with pytest.raises(po.ModelError, match="no run has a body 'tip'"):
        bars.write_html(tmp_path / "a.html", trails=["tip"])
    with pytest.raises(po.ModelError, match="the ground does not move"):
        bars.write_html(tmp_path / "a.html", trails=[bars.system.ground.at((0, 0, 0))])
    for wrong in ([3], [(0, 0, 1)], 2.5, [None]):
        with pytest.raises(po.SettingsError, match="trails must be a list of points such as rod.end"):
            bars.write_html(tmp_path / "a.html", trails=wrong)
    with pytest.raises(po.SettingsError, match="too many"):
        bars.write_html(tmp_path / "a.html", trails=["crank"] * 41)
    assert not list(tmp_path.iterdir())


# --- colours -----------------------------------------------------------------------------------------------------


def test_figures_and_the_page_have_one_set_of_colours(bars):
    script = (WEB / "format.js").read_text()
    assert tuple(re.findall('"(#[0-9a-f]{6})"', re.search(r"const CURVES = \[(.*?)\]", script)[1])) == CURVES
    assert groups(bars)["energies"]["of"] == [*ENERGIES] and list(ENERGIES.values()) == list(CURVES[:3]) and groups(bars)["energies"]["relative"]
    lines = {line.get_label(): line for line in energy_figure(bars).axes[0].lines}
    for label, name in (("total", "energy"), ("kinetic", "kinetic"), ("potential", "potential")):
        values = getattr(bars, name)
        assert lines[label].get_color() == ENERGIES[name] and lines[label].get_ydata() == pytest.approx(values - values[0])
    axes = bars.plot("knee.force").axes[0]
    assert [line.get_color() for line in axes.lines] == list(CURVES[:3])
