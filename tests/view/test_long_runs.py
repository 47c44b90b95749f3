"""Runs with more outputs than are shown, and bodies that turn far between two outputs: what is shown is true, or said not to be known."""

# ruff: noqa: F811
import csv
import io
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from test_browser import Opened, browser, playwright  # noqa: F401

import poinsot as po
from poinsot.view import plots
from poinsot.view.drawing import Scene
from poinsot.view.resample import POINTS, scattered

RATE, AMPLITUDE = 2 * math.pi * 20, 0.1  # rad/s, m
SPIN = 170.0  # rad/s
NUTATION = 0.04  # rad: what is not known of the nutation between outputs; a wrong turn is of more than one


@pytest.fixture(scope="module")
def shaken():
    """A mass on a spring that goes to and fro twenty times per second."""
    s = po.System("shaken", gravity=None)
    mass = s.body("mass", po.Box(0.1, 0.1, 0.1, mass=1.0))
    rail = s.prismatic(s.ground, mass, axis="x", name="rail")
    s.add(po.Spring(s.ground, mass, at=((1, 0, 0), (0, 0, 0)), stiffness=RATE**2, length=1.0, name="spring"))
    rail.set(displacement=AMPLITUDE)
    return po.simulate(s, 20.0, step=0.001)


@pytest.fixture(scope="module")
def whirling():
    """A top with an oblique axis, without gravity, which turns by more than four radians between two outputs."""
    s = po.System("whirling", gravity=None)
    top = s.body("top", po.Cylinder(0.1, 0.05, mass=1.0), rotation=("x", 0.4))
    top.set(angular_velocity_body=(3.0, 0.0, SPIN))
    return tuple(po.simulate(s, 0.5, step=0.0005, output_step=h, integrator="gauss4") for h in (0.025, 0.0125))


def off(x, y):
    """How far points are from the ellipse on which displacement and rate of the oscillator are."""
    return np.abs(np.hypot(np.asarray(x) / AMPLITUDE, np.asarray(y) / (RATE * AMPLITUDE)) - 1.0).max()


def test_scattered_outputs_are_in_step_with_nothing():
    chosen = scattered(20_001)
    assert len(chosen) <= 802 and chosen[0] == 0 and chosen[-1] == 20_000 and np.all(np.diff(chosen) > 0)
    for period in (25, 50, 100):
        assert len(np.unique(chosen % period)) == period
    assert np.array_equal(scattered(5), np.arange(5))


def test_long_curves_over_each_other_consist_of_outputs(shaken, monkeypatch):
    (line,) = shaken.plot("rail.rate", over="rail.displacement").axes[0].lines
    assert len(line.get_xdata()) == len(shaken.t) and off(*line.get_data()) < 1e-6
    monkeypatch.setattr(plots, "MOST_PAIRS", 3000)
    (line,) = shaken.plot("rail.rate", over="rail.displacement").axes[0].lines
    assert 2900 < len(line.get_xdata()) < 3003 and off(*line.get_data()) < 1e-6 and line.get_linestyle() == "None"


def test_the_page_of_a_long_run_says_what_it_knows(shaken, browser, tmp_path):
    assert len(shaken.t) > POINTS
    with Opened(browser, shaken.write_html(tmp_path / "a.html", plots=["rail.displacement"])) as page:
        card, legend = "poinsot.panels.cards[0]", page.locator(".plot .legend .value").first
        i = shaken.index(10.017)
        page.evaluate(f"poinsot.clock.set({shaken.t[i]})")
        low, high = (float(words.replace("\u2212", "-")) for words in legend.inner_text().split(" … "))
        assert low < shaken["rail"].displacement[i] < high and high - low > AMPLITUDE
        page.evaluate("poinsot.clock.set(0)")
        assert legend.inner_text() == "0.1"
        page.evaluate(f"{card}.choose('slide_rates', 'rail.displacement|0')")
        x, y, dots = page.evaluate(f"(([{{ x, y, dots }}]) => [[...x], [...y], dots])({card}.curves)")
        assert len(x) > 700 and off(x, y) < 1e-5 and dots is True
        page.evaluate(f"poinsot.clock.set({shaken.t[i]})")
        value, _, t, _ = legend.inner_text().replace("\u2212", "-").split()
        assert float(value) == pytest.approx(-RATE * AMPLITUDE * math.sin(RATE * float(t)), abs=0.02 * RATE * AMPLITUDE)
        rows = list(csv.reader(io.StringIO(page.evaluate(f"poinsot.files.csvOf({card})"))))
        t, x, y = np.array(rows[1:], float).T
        assert np.abs(t - 0.001 * np.round(t / 0.001)).max() < 1e-12 and y == pytest.approx(-RATE * AMPLITUDE * np.sin(RATE * t), abs=1e-3)
        assert "≈" in page.inner_text("#thinned") and page.messages == []


def test_slow_curves_over_each_other_are_connected(browser, tmp_path):
    s = po.System("slow", gravity=(0, 0, -9.81))
    rod = s.body("rod", po.Rod(0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    s.revolute(s.ground, rod, at=(0, 0, 0), axis="y", name="hinge")
    run = po.simulate(s, 3.0, step=0.001)
    with Opened(browser, run.write_html(tmp_path / "a.html", plots=["hinge.rate"])) as page:
        page.evaluate("poinsot.panels.cards[0].choose('turn_rates', 'hinge.angle|0')")
        assert page.evaluate("poinsot.panels.cards[0].curves[0].dots") is False
        page.evaluate("poinsot.panels.cards[0].choose('turn_rates', 'time'); poinsot.clock.set(1.2345)")
        words = page.locator(".plot .legend .value").first.inner_text()
        assert words.startswith("≈ ") or " " not in words
        assert float(words.split()[-1].replace("\u2212", "-")) == pytest.approx(np.interp(1.2345, run.t, run["hinge"].rate), abs=2e-3)


def test_fast_bodies_turn_as_far_as_they_did(whirling, browser, tmp_path):
    """The shorter rotation between two outputs is another one; the run with twice as many outputs knows the attitudes between."""
    coarse, fine = whirling
    between = np.arange(1, len(fine.t), 2)
    known = fine["top"].rotation[between]
    found = Scene(coarse, fine.t[between]).turns[:, 1]
    assert math.pi < SPIN * 0.025 and Rotation.from_matrix(found @ known.transpose(0, 2, 1)).magnitude().max() < NUTATION
    assert Scene(coarse, coarse.t).turns[:, 1] == pytest.approx(coarse["top"].rotation, abs=1e-12)
    with Opened(browser, coarse.write_html(tmp_path / "a.html")) as page:
        for k in (1, 7, 19):
            page.evaluate(f"poinsot.clock.set({fine.t[k]}); poinsot.view.draw()")
            m = np.array(page.evaluate("[...poinsot.runs[0].places.slice(12, 21)]")).reshape(3, 3).T
            assert Rotation.from_matrix(m @ fine["top"].rotation[k].T).magnitude() < NUTATION
            page.select_option("#poinsot", "0")
            q = page.evaluate("(poinsot.view.draw(), poinsot.view.overlays[0].turned.quaternion.toArray())")
            assert Rotation.from_matrix(Rotation.from_quat(q).as_matrix() @ fine["top"].rotation[k].T).magnitude() < NUTATION
        assert page.messages == []
