"""Events of runs: outputs, files and resumed runs, and what is refused."""

import numpy as np
import pytest

import poinsot as po
from fed_arms import sampled, with_integrals
from test_impulses import double


def events_of(s):
    low = lambda t, x: x["j"].angle - 0.9  # noqa: E731
    return [
        po.Event(0.113, po.Impulse(s["b"], (0.2, 0, 0.1)), every=0.21, name="kick"),
        po.Event(low, po.Lock(s["k"].angle), repeat=False, name="lock"),
        po.Event(0.6, po.Release(s["k"].angle), name="release"),
    ]


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"step": 0.01, "formulation": "rotation-matrix"}, {"rtol": 1e-8, "output_step": 0.01}])
def test_outputs_are_those_planned_and_files_keep_what_happened(settings, tmp_path):
    s = double()
    run = po.simulate(s, 1.0, events=events_of(s), **settings)
    np.testing.assert_allclose(run.t, np.arange(101) * 0.01, atol=1e-13)
    assert [jump.event for jump in run.impulses].count("kick") == 5 and len(run.impulses) == 7
    run.save(tmp_path / "run.h5")
    loaded = po.load(tmp_path / "run.h5")
    assert str(loaded.impulses) == str(run.impulses) and str(loaded.audit) == str(run.audit)
    for one, other in zip(loaded.impulses, run.impulses):
        assert one.reactions.keys() == other.reactions.keys() and all((one[name] == other[name]).all() for name in one.reactions)
    np.testing.assert_array_equal(loaded["lock1"].torque, run["lock1"].torque)
    np.testing.assert_array_equal(loaded.impulses[0].rates, run.impulses[0].rates)


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"step": 0.01, "formulation": "newton-euler"}])
def test_resumed_runs_have_the_same_bits(settings, tmp_path, monkeypatch):
    """A stream that is interrupted after any event continues as if it had not been, and a run continues from a state."""
    from poinsot.files.runs import stream as streams

    s = double()
    whole = po.simulate(s, 1.0, events=events_of(s), **settings)
    monkeypatch.setattr(streams, "PATIENCE", 0.0)
    for stop in (0.2, 0.45, 0.7):
        path = tmp_path / f"{stop}.h5"

        class Stop(Exception):
            pass

        def limit(t, x, stop=stop, Stop=Stop):
            if t > stop:
                raise Stop
            return 1.0

        with pytest.raises(Stop):
            po.simulate(s, 1.0, events=events_of(s), stream=path, until=limit, **settings)
        with pytest.raises(po.SettingsError, match="started with other events"):
            po.resume(path)
        resumed = po.resume(path, events=events_of(s))
        np.testing.assert_array_equal(np.asarray(resumed.raw), whole.raw)
        assert str(resumed.impulses) == str(whole.impulses)
        np.testing.assert_array_equal(resumed["lock1"].torque, whole["lock1"].torque)
    half = po.simulate(s, 0.5, events=events_of(s), **settings)
    rest = po.simulate(s, 0.5, state=half.state(), events=events_of(s), **settings)
    assert rest["k"].angle[0] == whole["k"].angle[50]
    np.testing.assert_allclose(rest.coordinates[-1], whole.coordinates[-1], atol=1e-12)


def test_until_ends_a_run_with_events_and_the_audit_names_what_did_not_happen():
    s = double()
    never = po.Event(lambda t, x: 1.0 + t, po.Lock(s["k"]), name="never")
    run = po.simulate(s, 1.0, step=0.01, until=lambda t, x: t - 0.305, events=[po.Event(0.303, po.Impulse(s["a"], (0, 0, 1))), never])
    assert run.t[-1] == pytest.approx(0.305, abs=1e-13) and len(run.impulses) == 1
    assert run.audit.waiting == ("never",) and "did not happen: never" in str(run.audit)


# --- errors --------------------------------------------------------------------------------------------------------


def test_wrong_events_are_refused_in_words():
    s, other = double(), double("other")
    b, k, edge = s["b"], s["k"], other.add(po.KnifeEdge(other.ground, other["b"], at=(0, 0, 0), axis="y", active=False))
    for words, make in (
        ("when must be a time", lambda: po.Event("soon", po.Impulse(b, (0, 0, 1)))),
        ("does nothing", lambda: po.Event(0.1)),
        ("is not an action", lambda: po.Event(0.1, b)),
        ("vector of finite numbers", lambda: po.Event(0.1, po.Impulse(b, (0, np.nan, 1)))),
        ("acts on the ground", lambda: po.Event(0.1, po.Impulse(s.ground, (0, 0, 1)))),
        ("every must be a positive period", lambda: po.Event(0.1, po.Impulse(b, (0, 0, 1)), every=-1.0)),
        ("direction must be", lambda: po.Event(lambda t, x: t, po.Impulse(b, (0, 0, 1)), direction=2)),
        ("restitution must be a number from 0 to 1", lambda: po.Event(0.1, po.Impose(edge, 2.0))),
        ("takes the wrong arguments", lambda: po.Event(lambda t: t, po.Impulse(b, (0, 0, 1)))),
    ):
        with pytest.raises(po.SettingsError, match=words):
            make()
    run = lambda event, **settings: po.simulate(s, 0.1, step=0.01, events=[event], **settings)  # noqa: E731
    for words, event in (
        ("belongs to system 'other'", po.Event(0.1, po.Lock(other["k"]))),
        ("belongs to system 'other'", po.Event(0.1, po.Impulse(other["b"], (0, 0, 1)))),
        ("which nothing locks", po.Event(0.1, po.Release(k))),
    ):
        with pytest.raises(po.SettingsError, match=words):
            run(event)
    with pytest.raises(po.FormulationError, match=r"'moving-frame' accepts joints only.*'directors' accepts closed systems"):
        run(po.Event(0.05, po.Lock(k)), formulation="moving-frame")
    with pytest.raises(po.CallbackError, match="event 'event1' returned a truth value"):
        run(po.Event(lambda t, x: t > 0.05, po.Lock(k)))
    with pytest.raises(po.CallbackError, match="impulse on b: its function returned"):
        run(po.Event(0.05, po.Impulse(b, lambda t, x: (np.inf, 0, 0))))
    with pytest.raises(po.SettingsError, match="used twice"):
        po.simulate(s, 0.1, step=0.01, events=[po.Event(0.1, po.Lock(k), name="x"), po.Event(0.2, po.Release(k), name="x")])
    with pytest.raises(po.SettingsError, match="events must be a list of events"):
        po.simulate(s, 0.1, step=0.01, events=po.Event(0.1, po.Lock(k)))
    s.add(po.Lock(s["j"].angle, name="stuck"))
    with pytest.raises(po.SettingsError, match="nothing is left to impose"):
        run(po.Event(0.1, po.Impose(s["stuck"])))


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"step": 0.01, "formulation": "directors"}, {"rtol": 1e-10, "output_step": 0.01}])
def test_states_of_controllers_go_through_events(settings):
    """Integrals go on from what they were: a run with an impulse is that of a run up to it, started again with the rates after it."""
    s = with_integrals()
    run = po.simulate(s, 0.4, events=[po.Event(0.2, po.Impulse(s["b"], (0, 0, 0.5), at=(2, 0, 0)))], **settings)
    states, k = run["pid"].states, 20
    plain = po.simulate(s, 0.4, **settings)
    assert np.abs(states[:k] - plain["pid"].states[:k]).max() < 1e-9
    assert np.abs(states[-1] - plain["pid"].states[-1]).max() > 1e-2
    slope = 30.0 * np.stack([run["j1"].angle, run["j2"].angle], axis=1)  # z' = ki x, on both sides of the event
    gained = np.cumsum(0.005 * (slope[1:] + slope[:-1]), axis=0)
    assert np.abs(states[1:] - states[0] - gained).max() < 2e-3


def test_events_of_driven_and_sampled_systems_are_refused_in_words():
    s = sampled()
    with pytest.raises(po.SettingsError, match="feedback 'pd' is sampled at their ends: leave out its period"):
        po.simulate(s, 0.1, step=0.01, events=[po.Event(0.05, po.Impulse(s["b"], (0, 0, 1)))])
    s = double()
    s.add(po.Motion(s["k"].angle, po.signals.step(0, 1, 1), name="lead"))
    with pytest.raises(po.SettingsError, match="those of motion 'lead'.* are prescribed"):
        po.simulate(s, 0.1, step=0.01, events=[po.Event(0.05, po.Impulse(s["b"], (0, 0, 1)))])
