"""Masses, inertias and rates of a prepared system: whatever they leave as it is is not found again, and bits are those of a system frozen anew."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po
from poinsot.layout import change as changing
from poinsot.layout.refill import Refill
from poinsot.layout.weights import Loose, frames
from poinsot.studies.dumitriu2016_stewart import FORCES, stewart
from refilled import counting, forked, hung, never_refilled, outcome, random_closed, same, sprung_bar, turning_bars

pytestmark = pytest.mark.filterwarnings("ignore::poinsot.errors.AssemblyWarning", "ignore::poinsot.errors.ModelWarning")
BOTH = pytest.mark.parametrize("settings", [{"step": 0.005}, {"rtol": 1e-6, "atol": 1e-8}], ids=["directors", "tree"])


def plate(_):
    return stewart(FORCES["A"])


HEAVY = {"platform.mass": 900.0, "piston2.mass": 3.0, "stiffness3.stiffness": 20.0, "gravity": (0, 1, 2)}
SLENDER = {"platform.mass": 1e-3, "platform.inertia": (0.001, 0.2, 0.2)}


@BOTH
@pytest.mark.parametrize(("build", "change"), [(hung, {"bob2.mass": 6.0}), (plate, SLENDER)], ids=["bob", "slender"])
def test_axes_of_links_that_turn_with_a_mass(build, change, settings, monkeypatch):
    """The plate, where one of two bobs on it becomes much heavier, or where it becomes slender across the way to its joint.

    Nothing is frozen anew until somebody asks for the system.
    """
    system, anew = build(0), []
    ready = po.prepare(system, **settings)
    monkeypatch.setattr(changing, "frozen_anew", counting(changing.frozen_anew, anew))
    run = ready.run(0.02, change=change)
    assert not anew and run.frozen.layout.motions is not ready.frozen.layout.motions
    assert same(run, never_refilled(system, settings, change)) and anew


@BOTH
@pytest.mark.parametrize(
    ("build", "changes"),
    [
        (plate, [{"platform.mass": 6.0}, {"platform.mass": 0.01}, HEAVY, {"platform.inertia": (0.2, 0.13, 0.2)}, {"platform.mass": 5.0}]),
        (hung, [{"bob2.mass": 1.5}, {"bob1.mass": 9.0, "platform.mass": 1.0}, {"bob1.mass": 1.0}]),
    ],
)
def test_masses_that_leave_axes_need_nothing_but_numbers(build, changes, settings, monkeypatch):
    """Whatever the masses, no start, no redundancy and no tables are found again. With those that it had it is the run that it was."""
    from poinsot.analysis import assemble, redundancy
    from poinsot.formulations import directors

    system, counted = build(0), []
    ready = po.prepare(system, **settings)
    first = ready.run(0.02)
    places = ((assemble, "assembled"), (redundancy, "redundancy"), (directors, "with_tables"), (Refill, "_weights"), (changing, "frozen_anew"))
    with monkeypatch.context() as patched:
        for owner, name in places:
            patched.setattr(owner, name, counting(getattr(owner, name), counted))
        runs = [ready.run(0.02, change=change) for change in changes]
        assert not counted
        again = ready.run(0.02)
    assert same(again, first) and np.array_equal(runs[-1].raw, first.raw)
    for change, run in zip(changes, runs):
        assert same(run, never_refilled(system, settings, change)), change


@pytest.mark.parametrize("build", [forked, hung, turning_bars])
def test_masses_and_inertias_over_decades(build):
    """Axes that stay, and axes that turn: to one bob or another, or with a needle."""
    system, rng, turned = build(0), np.random.default_rng(7), set()
    ready = po.prepare(system, step=0.005)
    for _ in range(8):
        some = rng.choice(len(system.bodies), 3, replace=False)
        change = {f"{system.bodies[k].name}.mass": float(system.bodies[k].mass * 10.0 ** rng.uniform(-2, 2)) for k in some}
        if build is forked:
            turn = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
            change |= {"needle.inertia": turn @ np.diag([1e-7, 0.02, 0.02]) @ turn.T}
        run = outcome(ready, change)
        turned.add(not isinstance(run, str) and run.frozen.layout.motions is not ready.frozen.layout.motions)
        assert same(run, never_refilled(system, {"step": 0.005}, change)), change
    assert turned == ({False} if build is turning_bars else {True} if build is forked else {False, True})


def test_axes_of_leaves_are_chosen_alike_for_one_system_and_for_many():
    """And the moment of inertia about them is small: a needle's own axis, where no direction of the drawing is near it."""
    rng, seen = np.random.default_rng(3), set()
    for _ in range(40):
        bases = [np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(6)]
        leaf = Loose(1, [], frames(rng.normal(size=(3, 3))))
        inertias = np.array([B @ np.diag(10.0 ** rng.uniform(-9, 0, 3)) @ B.T for B in bases[:4]] + [np.zeros((3, 3)), 1e90 * np.eye(3)])
        together = leaf.frames_for(inertias)
        for inertia, own in zip(inertias, together):
            k = leaf.fitting(tuple(map(tuple, inertia.tolist())))
            seen.add(k)
            assert np.array_equal(own, leaf.frames_for(inertia[None])[0])
            assert k < 0 or np.array_equal(own, leaf.frames[k])
            z, smallest = own[:, 2], np.linalg.eigvalsh(inertia)[0]
            assert z @ inertia @ z <= 12.1 * smallest + 1e-14 * np.trace(inertia)
    assert seen == {-1, 0, 1, 2}


@BOTH
@pytest.mark.parametrize("build", [sprung_bar, turning_bars, random_closed])
def test_rates_given_need_no_new_positions(build, settings, monkeypatch):
    """Nothing is closed anew for other rates, with other masses or without; for another position it is."""
    from poinsot.analysis import assemble, redundancy

    system, counted = build(1), []
    joint = next(joint for joint in system.joints if joint.rate_names == ("rate",))
    joint.set(rate=0.5)
    ready, rate, mass = po.prepare(system, **settings), f"{joint.name}.rate", f"{system.bodies[0].name}.mass"
    first = ready.run(0.02)
    for owner, name in ((assemble, "assembled"), (redundancy, "redundancy")):
        monkeypatch.setattr(owner, name, counting(getattr(owner, name), counted))
    changes = [{rate: 0.7}, {mass: 9.0}, {rate: 0.7, mass: 9.0}, {rate: -0.2, mass: 4.0}, {rate: 0.5}]
    runs = [ready.run(0.02, change=change) for change in changes]
    assert not counted and np.array_equal(runs[-1].raw, first.raw)
    elsewhere = {f"{joint.name}.angle": 1e-3, rate: 0.7}
    runs.append(outcome(ready, elsewhere))
    assert counted
    for change, run in zip([*changes, elsewhere], runs):
        assert same(run, never_refilled(system, settings, change)), change
