"""Figures of attitude, and Poinsot's construction in the page: curves, shading and numbers are those of the run."""

import numpy as np
import pytest
from test_browser import Opened, browser, playwright  # noqa: F401

import poinsot as po
from poinsot.model.rotation import matrix
from poinsot.view.attitude_page import MOST, ellipsoids
from test_examples import FOLDER, load


@pytest.fixture(scope="module")
def run():
    return po.simulate(load(FOLDER / "dzhanibekov.py").build(), 5.0, step=0.005, integrator="gauss4")


def test_euler_angles_with_singular_times_shaded(run):
    found = run["handle"].euler("zxz")
    figure = found.plot()
    top, bottom = figure.axes
    assert [line.get_label() for line in top.lines] == ["precession", "nutation", "spin"] and bottom.get_ylabel() == "rates [rad/s]"
    for axes, values in ((top, found.angles), (bottom, found.rates)):
        for line, column in zip(axes.lines, values.T):
            assert np.array_equal(line.get_ydata(), column) and np.array_equal(line.get_xdata(), run.t)
    shaded = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in top.patches]
    assert len(shaded) == len(found.singular) == 2 and np.allclose(shaded, found.singular, atol=1e-12)
    degrees = found.plot(degrees=True).axes
    assert degrees[0].get_ylabel() == "Euler angles [deg]" and np.allclose(degrees[0].lines[1].get_ydata(), np.degrees(found.angles[:, 1]))
    with pytest.raises(po.SettingsError, match="degrees must be True or False"):
        found.plot(degrees="yes")


def blue(axes):
    """Points of the path in a picture: those of its front and its hidden part."""
    lines = [np.stack(line.get_data_3d(), axis=1) for line in axes.lines if line.get_color() == "C0"]
    points = np.concatenate(lines)
    return points[~np.isnan(points[:, 0])]


def test_pictures_of_the_construction(run):
    motion = run["handle"].poinsot()
    polhode, herpolhode, momentum, rolling = motion.plot(at=2.0).axes
    assert [axes.get_title() for axes in (polhode, herpolhode, momentum, rolling)] == [
        "polhode [rad/s]", "herpolhode [rad/s]", "momentum sphere [$10^{-3}$ kg m²/s]", "rolling, t = 2 s"]  # fmt: skip
    assert momentum.xaxis.get_major_formatter()(-0.0025, 0) == "\u22122.5"
    for axes, path in ((polhode, motion.polhode), (momentum, motion.momentum_body)):
        points = blue(axes)
        assert max(np.abs(points - p).max(axis=1).min() for p in path[::50]) < 1e-9 * np.abs(path).max()
    for line in polhode.lines:  # polhodes and separatrix lie on the ellipsoid
        points = np.stack(line.get_data_3d(), axis=1)
        points = points[~np.isnan(points[:, 0])]
        assert np.abs(np.einsum("ti,ij,tj->t", points, motion.inertia, points) / (2 * motion.energy[0]) - 1).max(initial=0.0) < 1e-9
    drawn = next(line for line in herpolhode.lines if line.get_color() == "C0").get_xydata()
    assert np.array_equal(drawn, motion.herpolhode_plane)
    trace = np.stack(next(line for line in rolling.lines if line.get_color() == "C1").get_data_3d(), axis=1)
    assert len(trace) == run.index(2.0) + 1 and np.abs(trace[:, 2] + motion.distance[0]).max() < 1e-9 * motion.distance[0]
    assert len(motion.plot("momentum", "polhode").axes) == 2
    for arguments, options, words in (
        (("polhod",), {}, "there is no picture 'polhod'; did you mean 'polhode'"),
        (("x",), {}, "there are polhode, herpolhode, momentum, rolling"),
        ((), {"at": 9.0}, "at must be a time of the run, 0 to 5 s"),
        ((), {"at": "end"}, "at must be a number"),
    ):
        with pytest.raises(po.SettingsError, match=words):
            motion.plot(*arguments, **options)


def test_symmetric_and_round_bodies_can_be_drawn():
    s = po.System("round", gravity=None)
    for name, inertia in (("ball", (1, 1, 1)), ("plate", (1, 1, 2)), ("stick", (0.1, 1, 1))):
        s.body(name, mass=1.0, inertia=inertia).set(angular_velocity=(0.3, 0.2, 1.0))
    found = po.simulate(s, 0.1, step=0.01)
    for name in ("ball", "plate", "stick"):
        assert len(found[name].poinsot().plot().axes) == 4


def test_what_the_page_gets(run):
    (entry,) = ellipsoids(run)
    motion = run["handle"].poinsot()
    assert entry["body"] == 1 and np.allclose(entry["moments"], motion.moments)
    axes = matrix(entry["turn"])
    assert np.allclose(axes @ np.diag(entry["moments"]) @ axes.T, motion.inertia)
    many = po.System("many", gravity=None)
    for k in range(MOST + 3):
        many.body(f"b{k}", mass=1.0, inertia=(1, 1, 1), position=(k, 0, 0)).set(angular_velocity=(0, 0, 1.0 if k else 0.0))
    assert [entry["body"] for entry in ellipsoids(po.simulate(many, 0.01, step=0.01))] == list(range(2, MOST + 2))
    assert ellipsoids(po.simulate(resting(), 0.01, step=0.01)) == []


def resting():
    s = po.System("rest", gravity=None)
    s.body("block", po.Box(0.1, 0.2, 0.3, mass=1.0))
    return s


# corners of the plane at a part of the run, in units of the picture
CORNERS = """(part) => {
  const { clock, view } = poinsot;
  clock.set(clock.start + part * (clock.end - clock.start));
  view.draw();
  const { plane, wide } = view.overlays[0];
  return [[-wide, -wide], [-wide, wide], [wide, -wide], [wide, wide]].map(([x, y]) => {
    const corner = view.low.clone().set(x, y, 0).applyMatrix4(plane.matrixWorld).project(view.camera);
    return [corner.x, corner.y];
  });
}"""


def test_the_page_shows_it(run, browser, tmp_path):  # noqa: F811
    """The contact, the plane's normal and its distance in the page are those of the results; curves grow with time."""
    motion = run["handle"].poinsot()
    path = run.write_html(tmp_path / "handle.html")
    with Opened(browser, path) as page:
        page.evaluate("poinsot.clock.set(1.0)")
        before = page.picture()
        assert page.locator("#poinsot option").all_inner_texts() == ["off", "handle"]
        page.select_option("#poinsot", label="handle")
        assert page.picture() != before
        drawn = []
        for t in (1.0, 2.0, 4.5):
            page.evaluate(f"poinsot.clock.set({t}); poinsot.view.draw()")
            now, k = page.evaluate("poinsot.view.overlays[0].now"), run.index(t)
            assert np.abs(np.array(now["normal"]) - motion.normal[k]).max() < 1e-5
            assert now["distance"] == pytest.approx(motion.distance[k], rel=1e-5)
            assert np.abs(np.array(now["contact"]) - motion.contact[k]).max() < 1e-4 * np.abs(motion.contact).max()
            drawn.append(page.evaluate("poinsot.view.overlays[0].first.geometry.drawRange.count"))
        assert 0 < drawn[0] < drawn[1] < drawn[2]
        ends = page.evaluate(
            "(() => { const x = poinsot.view.overlays[0], k = x.run.frame; return [x.polhode[k].toArray(), x.herpolhode[k].toArray(), x.scale]; })()"
        )
        frame = run.index(4.5)
        for found, exact in zip(ends, (motion.contact_body[frame], motion.contact[frame])):
            assert np.abs(np.array(found) / ends[2] - exact).max() < 0.05 * np.abs(exact).max()
        page.select_option("#poinsot", "")
        page.evaluate("poinsot.clock.set(1.0)")
        page.evaluate("poinsot.view.reset()")
        assert page.picture() == before and page.messages == []
        page.select_option("#poinsot", label="handle")
        for theme in ("light", "dark"):
            assert page.evaluate("document.documentElement.dataset.theme") == theme
            assert page.evaluate("poinsot.view.overlays[0].polhodeInk.color.getHexString()") == page.evaluate(
                "getComputedStyle(document.documentElement).getPropertyValue('--polhode').trim().slice(1)"
            )
            page.keyboard.press("d")
        page.evaluate("poinsot.toolbar.reset(); poinsot.view.draw()")
        for t in (0.0, 0.5, 1.0):  # the plane is in the picture
            corners = page.evaluate(CORNERS, t)
            assert all(-1 <= x <= 1 and -1 <= y <= 1 for x, y in corners), corners
    with Opened(browser, po.simulate(resting(), 0.02, step=0.01).write_html(tmp_path / "still.html")) as page:
        assert not page.is_visible("#poinsot") and page.messages == []
