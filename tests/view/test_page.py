"""The page of a run: the data it contains, its size, and that names are never interpreted as markup."""

import json
import re

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.view.arrows import arrows
from poinsot.view.page import WEB, notebook_html, page_html
from poinsot.view.page_data import page_data
from poinsot.view.resample import extremes, frame_indices, pack, unpack
from poinsot.view.scene import describe
from poinsot.view.solids import arm, corners, solids
from systems import chain

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def swing():
    s = chain(3)
    s["joint1"].set(rotation=("x", 0.4))
    return po.simulate(s, 1.0, step=0.01)


@pytest.fixture(scope="module")
def bars():
    s = four_bar()
    s["base"].set(rate=2.0)
    s.add(po.Spring(s["crank"], s.ground, at=((0, 0, 1), (1, 0, 0)), stiffness=10.0, name="spring"))
    s.add(po.Motor(s["base"], 0.5, name="motor"))
    return po.simulate(s, 0.5, step=0.01)


def told(page):
    """The data of a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


# --- what is kept ------------------------------------------------------------------------------------------------


def test_all_outputs_are_frames_when_they_fit_and_ends_are_always_among_them():
    t = np.linspace(0.0, 1.0, 50)
    assert np.array_equal(frame_indices(t, 50), np.arange(50))
    uneven = np.concatenate([np.linspace(0, 0.1, 900), np.linspace(0.11, 10.0, 100)])
    kept = frame_indices(uneven, 60)
    assert kept[0] == 0 and kept[-1] == 999 and len(kept) <= 62
    wanted = np.linspace(0, 10, 60)
    assert np.abs(uneven[kept][:, None] - wanted).min(axis=0).max() <= 0.051  # evenly in time, not in outputs


@pytest.mark.parametrize("n", [10, 1200, 1201, 50_000])
def test_points_of_a_curve_keep_its_extremes(n):
    values = np.random.default_rng(n).normal(size=n)
    values[n // 3], values[n // 2] = 50.0, -60.0  # single outputs that stand out
    kept = extremes(values)
    assert len(kept) <= 1200 and np.all(np.diff(kept) > 0)
    assert values[kept].max() == 50.0 and values[kept].min() == -60.0
    assert kept[0] == 0 and kept[-1] == n - 1
    if n > 1200:  # also locally, within a stretch
        stretch = 2 * n // 1190
        for piece in np.array_split(np.arange(n), 50):
            near = kept[(kept >= piece[0] - stretch) & (kept <= piece[-1] + stretch)]
            assert values[near].max() >= values[piece].max() and values[near].min() <= values[piece].min()


def test_numbers_survive_packing():
    values = np.array([[1.0, -2.5e-16], [3e30, 0.1]])
    assert unpack(pack(values)).reshape(2, 2) == pytest.approx(values, rel=1e-7)
    assert np.array_equal(unpack(pack(values, "<f8"), "<f8"), values.ravel())


def test_poses_are_those_of_the_run_at_its_frames(swing):
    data = page_data([swing], ["a"], 1e6, frames=20)["runs"][0]
    t = unpack(data["t"], "<f8")
    poses = unpack(data["poses"]).reshape(len(t), 3, 7)
    for k, time in enumerate(t):
        n = swing.index(time)
        for b, name in enumerate(("link1", "link2", "link3")):
            assert poses[k, b, :3] == pytest.approx(swing[name].position[n], abs=1e-6)
            assert abs(poses[k, b, 3:] @ swing[name].quaternion[n]) == pytest.approx(1.0, abs=1e-6)
    speeds = unpack(data["speeds"]).reshape(len(t), 3, 3)
    assert speeds[-1, 2] == pytest.approx(swing["link3"].com_velocity[-1], abs=1e-5)


def test_curves_are_results_by_name(swing):
    data = page_data([swing], ["a"], 1e6)
    series = data["runs"][0]["series"]
    part = series["energy"]["parts"][0]
    assert series["energy"]["unit"] == "J" and part["from"] + unpack(part["y"]).astype(float) == pytest.approx(swing.energy, rel=1e-9)
    assert unpack(series["kinetic"]["parts"][0]["y"]) == pytest.approx(swing.kinetic - swing.kinetic[0], rel=1e-6)
    assert [p["name"] for p in series["joint1.force"]["parts"]] == ["x", "y", "z"]
    shown = [group["key"] for group in sorted(data["groups"], key=lambda g: g["shown"]) if group["shown"]]
    assert shown[0] == "energies" and 2 <= len(shown) <= 4
    assert len({group["key"] for group in data["groups"]}) == len(data["groups"])
    for group in data["groups"]:
        assert {series[name]["unit"] for name in group["of"]} == {group["unit"]}


def test_a_single_output_has_a_page(swing):
    first = po.Trajectory(swing.frozen, swing.formulation, swing.t[:1], swing.raw[:1], swing.record)
    data = told(page_html(first))["runs"][0]
    assert len(unpack(data["poses"])) == 3 * 7 and data["start"] == data["end"] == 0.0


def test_named_plots_are_the_ones_shown(swing):
    data = page_data([swing], ["a"], 1e6, plots=["link3.com.z", "energy"])
    shown = [group for group in sorted(data["groups"], key=lambda group: group["shown"]) if group["shown"]]
    assert [(group["key"], group["section"]) for group in shown] == [("link3.com.z", "link3"), ("energy", "System")]
    with pytest.raises(po.SettingsError, match=r"no result 'link3\.come'"):
        page_data([swing], ["a"], 1e6, plots=["link3.come"])


def test_named_plots_leave_the_others_to_choose_from(swing):
    named, plain = (page_data([swing], ["a"], 1e6, plots=plots) for plots in (["energy_error", "link3.com"], []))
    assert {group["key"] for group in named["groups"]} == {group["key"] for group in plain["groups"]}
    shown = {group["key"]: group["shown"] for group in named["groups"] if group["shown"]}
    assert shown == {"energy_error": 1, "link3.com": 2}
    assert named["runs"][0]["leftOut"] == plain["runs"][0]["leftOut"]


def crane(load_at):
    """A load that hangs 1 m below a trolley on a rail; a point of it is led along x."""
    s = po.System("crane", plane="xz", gravity=(0, -9.81))
    load = s.body("load", po.Box(1.0, 1.0, 0.5, mass=3.0), position=(0, -1))
    rail = s.prismatic(s.ground, s.body("trolley", po.Box(0.2, 0.2, 0.2, mass=1.0)), axis="x", name="rail")
    s.revolute(s["trolley"], load, at=(0, 0), name="pin")
    if load_at is not None:
        motor = s.add(po.Motor(rail, name="motor"))
        s.add(po.Servo([load.at(load_at).x], target=lambda t: 0.1 * t**3, inputs=[motor]))
    return po.simulate(s, 0.2, step=0.02)


@pytest.mark.parametrize(
    "led, tip", [(None, (0, 0, -0.25)), ((0, 0.5), (0, 0, 0.5)), ((0, 0), (0, 0, 0))], ids=["free", "led", "led at its centre"]
)
def test_trails_start_at_free_ends_or_points_that_are_led(led, tip):
    body = describe(crane(led))["bodies"][0]
    assert body["tip"] == pytest.approx(tip) and body["led"] == (led is not None)


def test_what_grows_is_not_followed():
    """A chain that unfolds covers many times the room that it starts in, and stays where it hangs."""
    s = po.System("stack", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(12):
        link = s.body(f"link{k}", po.Box(0.02, 0.02, 1.0, mass=1.0), position=(0, 0, -0.5 - k))
        joint = s.spherical(parent, link, at=(0, 0, -k), name=f"ball{k}")
        joint.set(rotation=("x", np.pi / 2 if k == 0 else np.pi - 0.05))
        parent = link
    scene = describe(po.simulate(s, 1.5, step=0.002, output_step=0.02))
    assert not scene["roams"] and scene["high"][2] - scene["low"][2] > 6


def test_point_masses_are_seen():
    s = po.System("bob", gravity=(0, 0, -9.81))
    bob = s.body("bob", po.Composite([po.Rod(0.01, length=1.0, mass=0.1), (po.Sphere(1e-6, mass=5.0), (0.5, 0, 0))]))
    s.revolute(s.ground, bob, at=(-0.5, 0, 0), axis="y")
    scene = describe(po.simulate(s, 0.1, step=0.01))
    (ball,) = [part for part in scene["bodies"][0]["parts"] if part["kind"] == "sphere"]
    assert ball["radius"] == 1.5 * scene["mark"]


def test_planar_systems_have_vectors_of_three_components():
    s = po.System("flat", plane="xz", gravity=(0, -9.81))
    rod = s.body("rod", po.Rod(0.02, mass=1.0), between=((0, 0), (1, 0)))
    s.revolute(s.ground, rod, at=(0, 0), name="pin")
    run = po.simulate(s, 0.2, step=0.01)
    reaction = arrows(run, np.arange(len(run.t)))[0]
    assert reaction.kind == "reaction" and not reaction.values[:, 1].any()
    assert reaction.values[:, [0, 2]] == pytest.approx(run["pin"].force)
    view = describe(run)
    assert view["up"] == [0, 0, 1] and view["look"] == [0, -1, 0] and view["flat"]  # x to the right, z up


# --- the scene ---------------------------------------------------------------------------------------------------


def test_gravity_says_what_is_up_and_a_plane_from_where_to_look(swing, bars):
    assert describe(swing)["up"] == [0, 0, 1] and describe(swing)["look"][2] > 0
    look = np.array(describe(bars)["look"])  # moves in the xz plane
    assert describe(bars)["up"] == [0, 0, 1] and look[1] < -0.9
    s = po.System("xy", gravity=(0, -9.81, 0))
    rod = s.body("rod", po.Rod(0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    s.revolute(s.ground, rod, at=(0, 0, 0), axis="z")
    found = describe(po.simulate(s, 0.2, step=0.01))
    assert found["up"] == [0, 1, 0] and found["look"][2] > 0.9


def test_shapes_become_solids():
    assert solids(po.Box(1, 2, 3, mass=1.0)) == [{"kind": "box", "size": [1, 2, 3]}]
    disc = solids(po.Disc(0.5, axis="x", mass=1.0))[0]
    assert disc["kind"] == "cylinder" and disc["radius"] == 0.5 and 0 < disc["length"] < 0.05
    pair = po.Composite([(po.Sphere(0.1, mass=1.0), (0, 0, 2)), (po.Rod(0.1, 1.0, mass=1.0), (1, 0, 0), ("z", np.pi / 2))])
    ball, rod = solids(pair)
    assert ball == {"kind": "sphere", "radius": 0.1, "at": [0, 0, 2]}
    assert rod["at"] == [1, 0, 0] and "turn" in rod
    around = corners(pair)
    assert around.max(axis=0) == pytest.approx([1.1, 0.5, 2.1])


def test_joints_off_the_shape_get_an_arm():
    box, rod = po.Box(1, 1, 1, mass=1.0), po.Rod(0.02, 2.0, mass=1.0)
    assert arm(box, np.array([0.5, 0, 0])) is None and arm(box, np.zeros(3)) is None
    assert arm(box, np.array([2.0, 0, 0])) == pytest.approx([0.5, 0, 0])
    assert arm(rod, np.array([1.0, 0, 0])) is None
    assert arm(rod, np.array([1.0, 0.3, 0])) == pytest.approx([1.0, 0, 0])


def test_forces_act_where_they_should(bars):
    found = {arrow.name: arrow for arrow in arrows(bars, np.arange(len(bars.t)))}
    spring = found["spring"]
    at, other = bars["ground"].world(spring.at), bars["crank"].world(spring.back[1])
    length = np.linalg.norm(other - at, axis=1)
    assert spring.values == pytest.approx((other - at) / length[:, None] * bars["spring"].effort[:, None])
    assert found["motor"].turns and found["motor"].values == pytest.approx(np.outer(np.full(len(bars.t), 0.5), (0, 1, 0)))
    assert found["knee"].kind == "reaction" and found["knee"].values == pytest.approx(bars["knee"].force)


# --- the file ----------------------------------------------------------------------------------------------------


def test_a_page_is_one_file_of_bounded_size(swing, tmp_path):
    path = swing.write_html(tmp_path / "swing.html")
    assert path == tmp_path / "swing.html" and 0.5e6 < path.stat().st_size < 1.5e6
    text = path.read_text()
    assert not re.search(r'(src|href)="?(http|//)', text.replace('href="data:,"', ""))
    assert "default-src 'none'" in text and "unsafe" not in text.split("</head>")[0].split("<style>")[0]


@pytest.mark.parametrize("most", [1_000_000, 2_000_000])
def test_large_runs_keep_fewer_frames(most):
    run = po.simulate(chain(30), 4.0, step=0.002)
    page = page_html(run, max_bytes=most)
    data = told(page)["runs"][0]
    assert len(page.encode()) < most
    assert 60 <= len(unpack(data["t"], "<f8")) < data["outputs"] == 2001
    assert data["leftOut"] > 0 and data["thinned"]


def test_names_stay_names():
    s = po.System(HOSTILE, gravity=None)
    s.body(HOSTILE + "b", po.Box(1, 1, 1, mass=1.0)).set(angular_velocity=(0, 1, 2))
    run = po.simulate(s, 0.1, step=0.01)
    for page in (page_html(run, description=HOSTILE), page_html([run, run], names=[HOSTILE, "'\"&\u2028"])):
        assert HOSTILE not in page and "<img" not in page
        assert told(page)["title"] == HOSTILE and told(page)["runs"][0]["scene"]["bodies"][0]["name"] == HOSTILE + "b"
    cell = notebook_html(run)
    assert 'sandbox="allow-scripts allow-downloads"' in cell and "<img" not in cell and cell.count("<") == 2  # the frame, opened and closed


def test_runs_over_each_other_have_names_of_their_own(swing):
    other = po.simulate(swing.system, 0.5, step=0.02, integrator="gauss2")
    data = told(page_html([swing, other]))
    assert [run["name"] for run in data["runs"]] == ["tree with gauss4", "tree with gauss2"]
    assert [run["end"] for run in data["runs"]] == [1.0, 0.5]
    assert [run["name"] for run in told(page_html([swing, swing]))["runs"]] == ["tree with gauss4 (1)", "tree with gauss4 (2)"]
    assert [run["name"] for run in told(page_html([swing, other], names=["fine", "coarse"]))["runs"]] == ["fine", "coarse"]


def test_a_page_in_a_notebook_is_bounded(swing):
    assert len(swing._repr_html_()) < 5e6


def test_scripts_can_be_inlined():
    for path in WEB.glob("*.js"):
        text = path.read_text()
        assert "</script" not in text.lower() and "<!--" not in text and "\r" not in text, path
        if path.name != "three.bundle.js":
            assert len(text.splitlines()) <= 400, path
            assert "innerHTML" not in text and "eval(" not in text, path
    licence = (WEB / "three.LICENSE").read_text()
    assert "MIT" in licence and "--" not in licence and ">" not in licence  # it stands in a comment of the page


@pytest.mark.parametrize(
    "options, words",
    [
        ({"path": "run.txt"}, "ends in .html"),
        ({"path": "nowhere/run.html"}, "does not exist; create it first"),
        ({"frames": 1}, "frames must be a whole number from 2"),
        ({"frames": 2.5}, "frames must be a whole number from 2"),
        ({"max_bytes": 1000}, "max_bytes must be a number of at least"),
        ({"names": ["a", "b"]}, "one name per run, 1"),
    ],
)
def test_wrong_settings_are_said_in_words(swing, tmp_path, options, words):
    options = {"path": "run.html", **options}
    with pytest.raises(po.SettingsError, match=re.escape(words)):
        swing.write_html(tmp_path / options.pop("path"), **options)


def test_no_runs_or_no_run_are_said_in_words(swing, tmp_path):
    with pytest.raises(po.SettingsError, match="there is no run to show"):
        po.write_html([], tmp_path / "a.html")
    with pytest.raises(po.SettingsError, match="is not a run"):
        po.write_html([swing, 3], tmp_path / "a.html")
    with pytest.raises(po.SettingsError, match="too many"):
        po.write_html([swing] * 9, tmp_path / "a.html")
