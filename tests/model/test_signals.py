"""Signals: their derivatives, pieces, ends."""

import numpy as np
import pytest

import poinsot as po


def test_derived_derivatives_are_those_given():
    def value(t):
        return np.sin(2 * t), np.exp(-t)

    given = po.Signal(value, lambda t: (2 * np.cos(2 * t), -np.exp(-t)), lambda t: (-4 * np.sin(2 * t), np.exp(-t)))
    derived, half = po.Signal(value), po.Signal(value, given.rate)
    assert given.size == 2
    for t in np.linspace(-1, 3, 9):
        assert derived.at(t)[0] == pytest.approx(given.at(t)[0], abs=0)
        assert derived.at(t)[1] == pytest.approx(given.at(t)[1], abs=1e-12)
        assert derived.at(t)[2] == pytest.approx(given.at(t)[2], abs=1e-9)
        assert half.at(t)[1] == pytest.approx(given.at(t)[1], abs=0)


def test_polynomials_at_the_ends_of_their_pieces():
    signal = po.signals.Polynomials([1, 2, 4], [[1.0, 0.0, 3.0], [4.0, 6.0, 0.0]])
    assert signal.at(0.0)[:, 0] == pytest.approx([1, 0, 0]) and signal.at(1.0)[:, 0] == pytest.approx([1, 0, 6])
    assert signal.at(2.0)[:, 0] == pytest.approx([4, 6, 0])  # the piece that begins there
    assert signal.at(np.nextafter(2.0, 0))[:, 0] == pytest.approx([4, 6, 6])
    assert signal.at(4.0)[:, 0] == pytest.approx([16, 6, 0]) and signal.at(5.0)[:, 0] == pytest.approx([16, 0, 0])
    assert signal.smoothness == 0 and signal.size == 1  # it stops abruptly at the end
    assert [signal.function(3.0), signal.rate(3.0), signal.acceleration(3.0)] == pytest.approx([10, 6, 0])


def test_kernels_read_polynomials_as_python_does():
    times, table = [0.0, 0.3, 0.7, 1.0], np.random.default_rng(3).normal(size=(3, 5))
    table[0, :3] = 0.0
    for j in (1, 2):  # twice continuously differentiable
        x = times[j] - times[j - 1]
        table[j, 0] = x ** np.arange(5) @ table[j - 1]
        table[j, 1] = sum(k * table[j - 1, k] * x ** (k - 1) for k in range(1, 5))
        table[j, 2] = sum(k * (k - 1) * table[j - 1, k] * x ** (k - 2) for k in range(2, 5)) / 2
    signal = po.signals.Polynomials([*times[:3], 20.0], table)
    assert signal.smoothness < 2 and signal.smooth(0.0, 1.0) == 2  # a run ends long before it does
    s = po.System("slide", gravity=None)
    slide = s.prismatic(s.ground, s.body("mass", po.Sphere(0.1, mass=2.0)), axis="x", name="slide")
    s.add(po.Motion(slide.displacement, signal, name="motion"))
    run = po.simulate(s, 1.0, step=0.05)
    value, rate, acceleration = np.array([signal.at(t)[:, 0] for t in run.t]).T
    assert run["slide"].displacement == pytest.approx(value, abs=1e-14) and run["slide"].rate == pytest.approx(rate, abs=1e-13)
    assert run["motion"].effort == pytest.approx(2.0 * acceleration, abs=1e-11)


def test_step():
    signal = po.signals.step(1.0, 3.0, to=(2.0, -4.0), begin=(1.0, 0.0))
    assert signal.smoothness == 3 and signal.size == 2
    assert signal.at(0.5)[0] == pytest.approx([1, 0]) and signal.at(2.0)[0] == pytest.approx([1.5, -2])
    assert signal.at(3.5) == pytest.approx(np.array([[2.0, -4.0], [0, 0], [0, 0]]))
    assert signal.at(1.0)[1:] == pytest.approx(0.0) and signal.at(3.0)[1:] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(po.ModelError, match="must end after it starts"):
        po.signals.step(1.0, 1.0, 2.0)


@pytest.mark.parametrize("size", [0, 1, 3])
def test_spline_goes_through_its_points(size):
    times = [0.0, 0.4, 1.0, 1.7, 2.0]
    points = np.random.default_rng(size).normal(size=(5, size) if size else 5)
    signal = po.signals.spline(times, points)
    assert signal.size == max(size, 1) and signal.smoothness == 2  # at rest at the ends, where it stays
    for t, point in zip(times, points):
        assert signal.at(t)[0] == pytest.approx(np.atleast_1d(point), abs=1e-12)
    for t in (0.0, 2.0):
        assert signal.at(t)[1:] == pytest.approx(0.0, abs=1e-10)
    for t in times[1:-1]:
        assert signal.at(t - 1e-9)[2] == pytest.approx(signal.at(t)[2], abs=1e-4)


def test_table():
    signal = po.signals.table([0, 1, 3], [(0, 1), (2, 1), (2, 5)])
    assert signal.smoothness == 0
    assert signal.at(0.5) == pytest.approx(np.array([[1, 1], [2, 0], [0, 0]])) and signal.at(2.0)[1] == pytest.approx([0, 2])


def test_what_is_no_signal():
    for wrong in (
        lambda: po.Signal(3.0),
        lambda: po.Signal(lambda t: t, rate=2.0),
        lambda: po.Signal(lambda t: "far"),
        lambda: po.signals.Polynomials([0, 1], [[1.0], [2.0]]),
        lambda: po.signals.Polynomials([1, 0], [[1.0]]),
        lambda: po.signals.spline([0, 1, 2], [1.0, 2.0]),
        lambda: po.signals.table([0, 0], [1.0, 2.0]),
        lambda: po.signals.table([0, 1], [1.0, np.nan]),
    ):
        with pytest.raises(po.ModelError):
            wrong()


@pytest.mark.parametrize("duration", [1e-4, 1.0, 700.0, 1e6])
@pytest.mark.parametrize("height", [1e-3, 1.0, 1e3])
def test_whether_a_signal_jumps_does_not_depend_on_units(duration, height):
    """Slow and small steps are smooth, and jumps between short pieces are found."""
    slow = po.signals.step(5.0 * duration, 6.0 * duration, to=(height, 2.0 * height))
    assert slow.smoothness == 3
    assert po.signals.spline(duration * np.array([0.0, 0.3, 0.7, 1.0]), height * np.array([0.0, 1.0, -1.0, 2.0])).smoothness == 2
    pieces = height * np.array([(0.0, 0.0, 3.0, -2.0), (1.001, 0.0, 0.0, 0.0)])
    way = po.signals.Polynomials(duration * np.arange(3), pieces / duration ** np.arange(4))
    assert way.smoothness == -1
    assert po.signals.table(duration * np.arange(3), height * np.array([0.0, 1.0, 1.5])).smoothness == 0
    assert po.signals.table(duration * np.arange(3), height * np.array([1e4, 1e4 + 1, 1e4 + 2])).smooth(0.0, 1.5 * duration) > 0
