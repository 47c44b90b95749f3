"""The page of a drawing in a browser: drawn, marked, its freedoms swing, and the chooser stops them."""

import numpy as np
import pytest
from test_browser import NARROW, NO_GL, Opened, browser, launched, playwright  # noqa: F401

import poinsot as po
from loops import four_bar
from poinsot.analysis.freedoms import freedoms
from poinsot.view.preview import moved, preview_data
from poinsot.view.resample import unpack
from systems import chain

PLACES = """() => poinsot.runs[0].scene.bodies.map((_, b) => {
  const p = poinsot.runs[0].world(b + 1, poinsot.view.camera.up.clone().set(0, 0, 0), poinsot.view.camera.up.clone());
  return [p.x, p.y, p.z];
})"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):  # noqa: F811
    s = four_bar(gap=0.3)
    s.add(po.Spring(s.ground, s["coupler"], at=((1, 0, 3), s["coupler"].at((0, 0, 0))), stiffness=1.0, name="spring"))
    path = po.write_html(s, tmp_path_factory.mktemp("drawings") / "drawing.html", description="With a gap.")
    with Opened(browser, path) as opened:
        opened.system = s
        yield opened
        assert opened.messages == [] and len(opened.asked) == 1


def test_everything_is_drawn_and_said(page):
    assert page.colours() > 50
    assert page.inner_text("#facts") == "Drawing: 3 bodies, 4 joints, 1 freedom; 1 gap, the largest 0.3 m. Nothing was run."
    assert page.inner_text("#spots .gap") == "foot: gap 0.3 m" and page.is_visible("#spots .gap")
    assert "are 0.3 m apart" in page.inner_text("#gaps") and "spring" in page.inner_text("#tables")
    assert page.locator("#faults").is_hidden() and page.locator("#remarks").is_hidden()
    options = page.locator("#freedom option").all_inner_texts()
    assert options == ["each in turn", "all still", "freedom 1 of 1: base turns, with elbow, knee and foot"]
    red = """() => {
      const { view } = poinsot; view.draw();
      const gl = view.renderer.getContext(), w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
      let n = 0;
      for (let k = 0; k < p.length; k += 4) n += p[k] > 180 && p[k + 1] < 80 && p[k + 2] < 80;
      return n;
    }"""
    assert page.evaluate(red) > 100  # pixels of the gap
    for name in ("#time", "#plots", "#audit"):
        assert page.locator(name).count() == 0


def test_freedoms_swing_along_their_screws(page):
    """The page's own arithmetic against that of Python, at the largest displacement."""
    page.evaluate("() => { poinsot.choose('0'); poinsot.clock.play(false); poinsot.clock.set(0.6); poinsot.view.draw(); }")
    s = page.system
    rest = np.array([[*body.position, *body.rotation] for body in s.bodies])
    swing = unpack(preview_data(s, "", 1e6)["preview"]["swings"]).reshape(1, 3, 6)[0]
    assert np.array(page.evaluate(PLACES)) == pytest.approx(moved(rest, swing)[:, :3], abs=1e-5)
    assert np.abs(swing).max() > 0.01
    twists = freedoms(s).twists(1)[0, 1:]
    assert swing / np.abs(swing).max() == pytest.approx(twists / np.abs(twists).max(), abs=1e-6)
    page.evaluate("poinsot.choose('0')")
    page.until("poinsot.clock.time > 0.1")
    assert page.inner_text("#current").startswith("freedom 1 of 1: base turns")
    page.select_option("#freedom", "still")
    page.evaluate("poinsot.view.draw()")
    assert np.array(page.evaluate(PLACES)) == pytest.approx(rest[:, :3], abs=1e-6)
    assert page.inner_text("#current") == "as drawn" and not page.evaluate("poinsot.clock.playing")
    page.keyboard.press("Space")
    page.until("poinsot.clock.playing && document.getElementById('freedom').value === 'turn'")
    before = page.picture()
    page.locator("#jointaxes").click()
    assert page.get_attribute("#jointaxes", "aria-pressed") == "false" and page.picture() != before
    page.locator("#freedoms button").first.click()
    assert page.evaluate("document.getElementById('freedom').value") == "0"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_scene_has_the_colours_of_the_theme(browser, tmp_path, scheme):  # noqa: F811
    with Opened(browser, po.write_html(four_bar(), tmp_path / "drawing.html"), color_scheme=scheme) as opened:
        for theme in (scheme, {"light": "dark", "dark": "light"}[scheme]):
            assert opened.evaluate("document.documentElement.dataset.theme") == theme
            drawn = opened.evaluate("""(({ iron, floor, marks }) => [iron, floor.gridMaterial, marks.axisRods.mesh.material])(poinsot.view)
              .map(({ color }) => color.getHexString())""")
            wanted = opened.evaluate("""['iron', 'grid', 'accent']
              .map((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim().slice(1))""")
            assert drawn == wanted
            opened.keyboard.press("d")


def test_names_without_room_are_counted(browser, tmp_path):  # noqa: F811
    with Opened(browser, po.write_html(chain(64), tmp_path / "chain.html"), viewport=NARROW) as opened:
        assert opened.inner_text("#notes").startswith("grid ")
        opened.keyboard.press("n")
        opened.evaluate("poinsot.view.draw()")
        shown = opened.locator("#names span:visible").count()
        assert 10 < shown < 64 and opened.inner_text("#notes").startswith(f"{shown} of 128 names; zoom in for more\ngrid ")


def test_a_drawing_in_a_notebook_on_a_narrow_screen_and_without_webgl(browser, playwright, tmp_path):  # noqa: F811
    s = four_bar()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{s._repr_html_()}</body>", encoding="utf-8")
    with Opened(browser, notebook, viewport=NARROW, wait=False, reduced_motion="reduce") as opened:
        frame = opened.page.frame_locator("iframe")
        frame.locator("html[data-drawn]").wait_for()
        assert "1 freedom" in frame.locator("#facts").inner_text()
        still = "poinsot.clock.playing === false && document.getElementById('freedom').value === 'still'"
        inner = next(f for f in opened.page.frames if f is not opened.page.main_frame)
        opened.until(lambda: inner.evaluate(still))  # the reader asked for less motion
        assert opened.messages == []
    with Opened(browser, po.write_html(s, tmp_path / "swinging.html"), reduced_motion="no-preference") as opened:
        opened.until("poinsot.clock.playing")
        opened.page.emulate_media(reduced_motion="reduce")
        opened.until("!poinsot.clock.playing && document.getElementById('freedom').value === 'still'")
    blind = launched(playwright, NO_GL)
    with Opened(blind, po.write_html(s, tmp_path / "blind.html")) as opened:
        assert "WebGL is off" in opened.inner_text("#nogl") and "base turns" in opened.inner_text("#freedoms")
    blind.close()
