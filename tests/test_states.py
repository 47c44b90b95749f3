"""Runs that begin at the state of another run, with other values, signals, events or formulations: nothing moves or lets go without a word."""

import warnings

import numpy as np
import pytest

import poinsot as po

ADAPTIVE = {"rtol": 1e-10, "atol": 1e-10}
WAYS = {
    "tree": {"formulation": "tree", **ADAPTIVE},
    "directors": {"formulation": "directors", "step": 0.01},
    "rotation-matrix": {"formulation": "rotation-matrix", **ADAPTIVE},
}


def two_cranks():
    """Two cranks in a plane, their ends tied by a rod without mass."""
    s = po.System("two cranks", plane="xy", gravity=(0, -9.81))
    for name, x in (("a", 0.0), ("b", 2.0)):
        crank = s.body(name, mass=1.0, inertia=0.1, position=(x, 1))
        s.revolute(s.ground, crank, at=(x, 0), name=f"foot {name}")
    s.add(po.Distance(s["a"], s["b"], at=((0, 1), (2, 1)), length=2.0, name="rod"))
    s["foot a"].set(rate=2.0)
    return s


def arm(to=0.5, driven=True):
    """Two bars in a row; the first follows a step from where it was set."""
    s = po.System("arm", plane="xy", gravity=(0, -9.81))
    upper = s.body("upper", mass=1.0, inertia=0.1, position=(0.5, 0))
    lower = s.body("lower", mass=1.0, inertia=0.1, position=(1.5, 0))
    shoulder = s.revolute(s.ground, upper, at=(0, 0), name="shoulder")
    s.revolute(upper, lower, at=(1, 0), name="elbow")
    if driven:
        shoulder.set(angle=0.0, rate=0.0)
        s.add(po.Motion(shoulder.angle, po.signals.step(0.1, 0.8, to=to), name="drive"))
    return s


def length(run):
    return np.linalg.norm(run["a"].position - run["b"].position, axis=1)


@pytest.mark.parametrize("way", WAYS)
def test_loops_that_a_state_leaves_open_are_closed_with_a_warning(way):
    ready = po.prepare(two_cranks(), **WAYS[way])
    first = ready.run(0.5, output_step=0.25)
    with pytest.warns(po.AssemblyWarning, match="bodies were moved by up to .* from where the state given has them$"):
        run = ready.run(0.5, output_step=0.25, state=first.state(), change={"rod.length": 2.2})
    assert np.abs(length(run) - 2.2).max() < 1e-10
    assert np.ptp(run.energy) < 1e-6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = ready.run(0.5, output_step=0.25, state=first.state())
    assert np.array_equal(again["a"].position[0], first["a"].position[-1])


@pytest.mark.parametrize("way", WAYS)
def test_a_motion_goes_on_although_its_joint_was_set(way):
    whole, first = (po.simulate(arm(), duration, output_step=0.25, **WAYS[way]) for duration in (1.0, 0.5))
    rest = po.simulate(arm(), 0.5, output_step=0.25, state=first.state(), **WAYS[way])
    assert np.allclose(rest["elbow"].angle, whole["elbow"].angle[2:], atol=1e-8)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("before", WAYS)
def test_a_state_beside_a_signal_is_refused_in_every_formulation(before, way):
    state = po.simulate(arm(), 0.5, output_step=0.25, **WAYS[before]).state()
    with pytest.raises(po.AssemblyError, match=r"motion 'drive': at t = 0.5 s shoulder.angle is 0.32655\d* and its signal 0.45717\d*; start on the"):
        po.simulate(arm(to=0.7), 0.5, output_step=0.25, state=state, **WAYS[way])


@pytest.mark.parametrize("way", ["tree", "directors"])
def test_a_lock_goes_on_holding_when_a_value_changes(way):
    s = arm(driven=False)
    s["elbow"].set(rate=-2.0)
    jam = po.Event(0.3, po.Lock(s["elbow"].angle), name="jam", repeat=False)
    ready = po.prepare(s, events=[jam], **WAYS[way])
    state = ready.run(0.5, output_step=0.1).state()
    run = ready.run(0.3, output_step=0.1, state=state, change={"lower.mass": 2.0})
    assert np.abs(run["elbow"].angle - state.coordinates[1]).max() < 1e-12
    assert np.ptp(run["shoulder"].angle) > 0.1


def test_a_lock_of_an_event_needs_the_event():
    s = arm(driven=False)
    jam = po.Event(0.3, po.Lock(s["elbow"].angle, name="jammed"))
    state = po.simulate(s, 0.5, events=[jam], **WAYS["directors"]).state()
    with pytest.raises(po.SettingsError, match="in the state given a lock 'jammed' holds, .* give the same events .* or po.State"):
        po.simulate(s, 0.5, state=state, **WAYS["directors"])
    free = po.simulate(s, 0.5, state=po.State(state.t, state.coordinates, state.rates), **WAYS["directors"])
    assert np.ptp(free["elbow"].angle) > 0.01
