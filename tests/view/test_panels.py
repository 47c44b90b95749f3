"""Figures of results over time: what is in them, in which units, and that nothing is lost."""

import io
import sys

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.view.panels import LINES
from poinsot.view.plots import thinned
from systems import chain, oscillator


@pytest.fixture(scope="module")
def pendulum():
    return po.simulate(chain(2), 0.2, step=0.01)


@pytest.fixture(scope="module")
def driven():
    """A four-bar linkage with a motor, closed by constraints."""
    s = four_bar()
    s.add(po.Motor(s["base"], lambda t: 0.5, name="motor"))
    return po.simulate(s, 0.2, step=0.01)


def labels(figure):
    return [axes.get_ylabel().replace("\n", " ") for axes in figure.axes]


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_a_row_per_name_with_words_and_units(pendulum):
    figure = pendulum.plot("link2.position", "energy", "joint1.rotation_rate.x")
    assert labels(figure) == ["position of link2 [m]", "energy [J]", "x of rate of rotation of joint1 [rad/s]"]
    first, second, _ = figure.axes
    assert legend(first) == ["x", "y", "z"] and second.get_legend() is None
    for line, values in zip(first.lines, pendulum["link2"].position.T):
        assert np.array_equal(line.get_xdata(), pendulum.t) and np.array_equal(line.get_ydata(), values)
    assert figure.axes[-1].get_xlabel() == "t [s]" and "tree with gauss4" in first.get_title()


def test_results_of_one_unit_share_a_row(pendulum, driven):
    top, bottom = driven.plot(("base.angle", "knee.angle"), ["kinetic", "potential"]).axes
    assert legend(top) == ["base.angle", "knee.angle"] and top.get_ylabel() == "angle [rad]"
    assert legend(bottom) == ["kinetic", "potential"] and bottom.get_ylabel() == "[J]"
    axes = pendulum.plot(("link1.position", "link2.com.z")).axes[0]
    assert legend(axes) == ["link1.position.x", "link1.position.y", "link1.position.z", "link2.com.z"]


def test_units_that_differ_do_not(driven):
    with pytest.raises(po.SettingsError, match=r"'base.angle' in rad, 'energy' in J: give them separately"):
        driven.plot(("base.angle", "energy"))
    with pytest.raises(po.SettingsError, match="did you mean .*base.angle"):
        driven.plot("base.angel")
    with pytest.raises(po.SettingsError, match="a row of a plot is a name"):
        driven.plot(())


def test_without_names_the_panel_shows_what_the_run_has(pendulum, driven):
    assert labels(pendulum.plot()) == ["energy change [J]", "energy error / energy scale", "joints [rad]"]
    turns = pendulum.plot().axes[2]
    assert legend(turns) == ["joint1, turn", "joint2, turn"] and turns.lines[0].get_ydata()[0] == pytest.approx(0.1)
    assert labels(driven.plot()) == [
        "energy change [J]", "energy error / energy scale", "joints [rad]", "effort of motor [N m]", "gaps of joints [m], [rad]",
    ]  # fmt: skip
    energy, error, joints, motors, opened = driven.plot().axes
    assert error.get_yscale() == "log" == opened.get_yscale() and energy.get_yscale() == "linear"
    assert legend(joints) == ["base.angle", "elbow.angle", "knee.angle", "foot.angle"]
    assert motors.lines[0].get_ydata() == pytest.approx(np.full(21, 0.5))
    assert labels(po.simulate(oscillator(), 0.1, step=0.01).plot())[2:] == ["displacement of slide [m]"]
    drift = np.abs(driven.energy - driven.energy[0] - driven.work).max() / driven.audit.energy_scale
    assert max(error.lines[0].get_ydata()) == pytest.approx(max(drift, np.finfo(float).eps))


def test_many_joints_are_shown_in_part_first_and_last_among_them():
    axes = po.simulate(chain(20), 0.02, step=0.01).plot().axes[2]
    said = legend(axes)
    assert len(said) == LINES and said[0] == "joint1, turn" and said[-1] == "joint20, turn"
    assert axes.get_ylabel().replace("\n", " ") == "joints, 8 of 20 [rad]"


def test_long_curves_are_thinned_and_keep_their_extremes():
    t = np.linspace(0, 1, 100_001)
    values = np.sin(300 * t)
    values[77_777], values[12_345] = 5.0, -7.0
    few, kept = thinned(t, values, 1000)
    assert len(few) <= 1002 and np.all(np.diff(few) > 0) and (few[0], few[-1]) == (0, 1)
    assert kept.max() == 5 and kept.min() == -7 and few[np.argmax(kept)] == t[77_777]
    assert thinned(t[:1000], values[:1000], 1000)[0] is not few


def test_what_stays_the_same_is_drawn_flat(pendulum):
    low, high = pendulum.plot("energy").axes[0].get_ylim()
    assert high - low == pytest.approx(0.04 * abs(pendulum.energy[0]), rel=0.01)


def test_figures_are_written_as_vectors_and_shown_by_notebooks(pendulum, tmp_path):
    figure = pendulum.plot("energy")
    figure.savefig(tmp_path / "x.svg")
    figure.savefig(tmp_path / "x.pdf")
    assert ">energy [J]</text>" in (tmp_path / "x.svg").read_text()
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_ipython_shows_them(pendulum):
    formatters = pytest.importorskip("IPython.core.formatters")
    data, _ = formatters.DisplayFormatter().format(pendulum.plot("energy"))
    assert "image/png" in data


def test_without_matplotlib_it_says_what_to_install(pendulum, monkeypatch):
    monkeypatch.delitem(sys.modules, "poinsot.view.figure", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(po.PoinsotError, match=r"pip install 'poinsot\[viz\]'"):
        pendulum.plot()


def test_a_figure_can_be_written_to_memory(pendulum):
    buffer = io.BytesIO()
    pendulum.plot("energy").savefig(buffer, format="png")
    assert buffer.getvalue().startswith(b"\x89PNG")
