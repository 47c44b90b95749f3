"""Drawings at and near singular positions, axes that are nearly parallel, and loops that cannot move."""

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from measures import open_rows

STEPS = [0.002, 0.0005]


def parallelogram(tilt=0.0):
    """Two cranks of 1 m and a coupler of 2 m; the cranks are drawn at an angle from where everything lies on one line."""
    s = po.System("parallelogram", gravity=(0, 0, -9.81))
    arm, side = np.array([np.cos(tilt), 0.0, np.sin(tilt)]), np.array([2.0, 0.0, 0.0])
    left = s.body("left", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), tuple(arm)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=1.0), between=(tuple(arm), tuple(arm + side)))
    right = s.body("right", po.Rod(radius=0.02, mass=1.0), between=(tuple(side), tuple(arm + side)))
    s.revolute(s.ground, left, at=(0, 0, 0), axis="y", name="base")
    s.revolute(left, coupler, at=tuple(arm), axis="y", name="elbow")
    s.revolute(s.ground, right, at=tuple(side), axis="y", name="foot")
    s.revolute(coupler, right, at=tuple(arm + side), axis="y", name="knee")
    return s


def test_a_flat_drawing_says_which_branches_leave_it():
    report = parallelogram().check()
    assert report.degrees_of_freedom == 1 and len(report.redundant) == 3 and report.ok
    text = str(report)
    assert "singular position: its loops have 2 degrees of freedom there and 1 near it. 2 branches" in text
    assert "base.angle -1, elbow.angle 1, foot.angle -1" in text  # the parallelogram
    assert "base.angle -0.333, elbow.angle 1, foot.angle 1" in text  # the anti-parallelogram


@pytest.mark.parametrize("rates", [{}, {"base": 2.0}, {"base": 2.0, "foot": 1.0}])
def test_a_start_that_does_not_tell_its_branch_is_refused(rates):
    s = parallelogram()
    for name, rate in rates.items():
        s[name].set(rate=rate)
    with pytest.raises(po.AssemblyError, match="do not determine the branch"):
        po.simulate(s, 1.0, step=0.01)


@pytest.mark.parametrize(("foot", "elbow"), [(2.0, -2.0), (-6.0, -6.0)])
def test_rates_along_a_branch_tell_it(foot, elbow):
    s = parallelogram()
    s["base"].set(rate=2.0)
    s["foot"].set(rate=foot)
    run = po.simulate(s, 3.0, step=0.002, output_step=0.1)
    assert run["elbow"].rate[0] == pytest.approx(elbow, abs=1e-9)
    assert open_rows(run) <= 1e-13 and run.audit.energy_drift <= 1e-12 * run.audit.energy_scale
    same = np.abs(run["foot"].angle - run["base"].angle).max()
    assert same <= 1e-12 if foot > 0 else same > 1.0


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("tilt", [2e-9, 1e-8, 1e-6, 1e-5, 1e-4, 1e-2])
def test_nearly_flat_drawings_stay_closed(tilt, step):
    s = parallelogram(tilt)
    s["base"].set(rate=2.0)
    run = po.simulate(s, 3.0, step=step, output_step=0.1)
    assert s.check().degrees_of_freedom == 1
    assert open_rows(run) <= 1e-11 and run.audit.energy_drift <= 1e-11 * run.audit.energy_scale
    assert np.abs(run["foot"].angle - run["base"].angle).max() <= 1e-7 / tilt * 1e-8 + 1e-12


def test_a_third_bar_leaves_one_branch_only():
    s = parallelogram()
    s.add(po.Distance(s["left"], s["right"], at=((0.5, 0, 0), (2.5, 0, 0)), name="third"))
    assert "1 branch found" in str(s.check())
    run = po.simulate(s, 3.0, step=0.002, output_step=0.1)
    assert open_rows(run) <= 1e-13
    assert np.abs(run["foot"].angle - run["base"].angle).max() <= 1e-12


def test_what_is_held_at_second_order_only_is_refused():
    s = po.System("string", gravity=(0, -1, 0))
    bead = s.body("bead", po.Box(0.1, 0.1, 0.1, mass=1.0), position=(1, 0, 0))
    s.planar(s.ground, bead, at=(1, 0, 0), axis="z", name="table")
    for k, x in enumerate((0.0, 2.0)):
        s.add(po.Distance(s.ground, bead, at=((x, 0, 0), (1, 0, 0)), name=f"rope{k}"))
    with pytest.raises(po.AssemblyError, match="not all at second order"):
        po.simulate(s, 1.0, step=0.01)


def tilted_four_bar(off):
    """A four-bar with one axis off the others by an angle."""
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis=(np.sin(off), np.cos(off), 0), name="elbow")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y", name="foot")
    return s


@pytest.mark.parametrize("start", [{"rate": 2.0}, {"angle": 0.8}, {}])
@pytest.mark.parametrize("off", [1e-15, 1e-13, 1e-11, 1e-10])
def test_axes_parallel_to_ten_digits_are_parallel(off, start):
    s = tilted_four_bar(off)
    if start:
        s["base"].set(**start)
    report = s.check()
    assert report.ok and report.degrees_of_freedom == 1 and len(report.redundant) == 3
    with pytest.warns(po.AssemblyWarning) if "angle" in start else _nothing():
        run = po.simulate(s, 3.0, step=0.01, output_step=0.1)
    assert open_rows(run) <= 10 * off + 1e-13
    exact = four_bar()
    if start:
        exact["base"].set(**start)
    with pytest.warns(po.AssemblyWarning) if "angle" in start else _nothing():
        wanted = po.simulate(exact, 3.0, step=0.01, output_step=0.1)
    assert np.abs(run["base"].angle - wanted["base"].angle).max() <= 1e3 * off + 1e-11


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


@pytest.mark.parametrize("off", [1e-8, 1e-7, 1e-6, 1e-5])
def test_axes_that_are_nearly_parallel_are_named(off):
    s = tilted_four_bar(off)
    report = s.check()
    assert not report.ok and "neither redundant nor independent" in str(report)
    with pytest.raises(po.AssemblyError, match=rf"base and elbow by {off:.3g} rad") as caught:
        po.simulate(s, 1.0, step=0.01)
    assert "foot" in str(caught.value) and "ten digits" in str(caught.value)


@pytest.mark.parametrize("off", [1e-3, np.radians(1.0)])
def test_axes_that_are_not_parallel_leave_nothing_that_moves(off):
    s = tilted_four_bar(off)
    report = s.check()
    assert report.degrees_of_freedom == 0
    assert "Nothing moves in the loops of base, elbow, knee: their constraints leave no degree of freedom." in str(report)
    assert f"Axes are nearly parallel, but not quite: base and elbow by {off:.3g} rad" in str(report)
    s["base"].set(rate=1.0)
    with pytest.raises(po.AssemblyError, match="Nothing moves in the loops"):
        po.assemble(s)


def planar_four_bar(order=(0, 1, 2, 3), bars=1):
    """A four-bar in a plane, with its joints added in some order; with more bars, parallel to the crank, it is redundant in the plane."""
    s = po.System("planar four-bar", plane="xz", gravity=(0, -9.81))
    top = 1.5 if bars == 1 else 1.0
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0), (0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 1), (2, top)))
    rockers = [s.body(f"rocker{k}", po.Rod(radius=0.02, mass=1.5), between=((2 - 0.5 * k, top), (2 - 0.5 * k, 0))) for k in range(bars)]
    made = [
        lambda: s.revolute(s.ground, crank, at=(0, 0), name="base"),
        lambda: s.revolute(crank, coupler, at=(0, 1), name="elbow"),
        lambda: [s.revolute(coupler, rocker, at=rocker.start, name=f"knee{k}") for k, rocker in enumerate(rockers)],
        lambda: [s.revolute(rocker, s.ground, at=rocker.end, name=f"foot{k}") for k, rocker in enumerate(rockers)],
    ]
    for k in order:
        made[k]()
    s["base"].set(rate=2.0)
    return s


def test_planar_systems_are_judged_in_their_plane():
    report = planar_four_bar().check()
    assert report.degrees_of_freedom == 1 and report.redundant == [] and all(report.unique.values())
    runs = [po.simulate(planar_four_bar(order), 1.0, step=0.01) for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2))]
    for run in runs:
        assert run.audit.redundant == 0 and "redundant" not in str(run.audit)
        assert not run.ambiguous and run["foot0"].unique
        for name in ("base", "elbow", "knee0", "foot0"):
            assert np.abs(run[name].force - runs[0][name].force).max() <= 1e-10


def test_redundancy_in_the_plane_is_told():
    report = planar_four_bar(bars=2).check()
    assert report.degrees_of_freedom == 1 and len(report.redundant) == 1
    run = po.simulate(planar_four_bar(bars=2), 1.0, step=0.01)
    assert run.audit.redundant == 1 and not run["foot1"].unique
