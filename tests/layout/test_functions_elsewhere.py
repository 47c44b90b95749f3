"""Users' functions outside of laws: events, signals, dynamics at a state, resumed runs, results computed later."""

import math
import re

import numpy as np
import pytest
from hostile import RAISES, pendulum, run

import poinsot as po


def says(error, *words):
    return pytest.raises(error, match="(?s)" + "".join(f"(?=.*{re.escape(word)})" for word in words))


# until=

NO_EVENTS = {
    "nan": (lambda t, state: float("nan"), "not finite"),
    "infinity": (lambda t, state: -math.inf, "not finite"),
    "none": (lambda t, state: None, "None"),
    "truth": (lambda t, state: t > 0.02, "changes sign"),
    "truth of numpy": (lambda t, state: np.bool_(t > 0.02), "changes sign"),
    "array": (lambda t, state: state["box"].position, "shape (3,)"),
    "text": (lambda t, state: "1", "not one number"),
    "complex": (lambda t, state: 1j, "not one number"),
}


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", NO_EVENTS)
def test_an_event_is_a_number_that_changes_sign(name, late, streamed, tmp_path):
    wrong, words = NO_EVENTS[name]
    settings = {"stream": tmp_path / "run.h5"} if streamed else {}
    with says(po.CallbackError, "until= ", words, "test_functions_elsewhere.py:") as caught:
        run(pendulum(), until=(lambda t, state: wrong(t, state) if t > 0.025 else 1.0) if late else wrong, **settings)
    assert len(caught.value.trajectory) >= 1
    assert late or not list(tmp_path.iterdir())
    if late and streamed:
        po.load(tmp_path / "run.h5")
        whole = run(pendulum())
        assert np.array_equal(po.resume(tmp_path / "run.h5").raw, whole.raw)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", RAISES)
def test_an_exception_of_an_event_is_its_own(name, late, streamed, tmp_path):
    law, kind = RAISES[name]
    settings = {"stream": tmp_path / "run.h5"} if streamed else {}
    with pytest.raises(kind) as caught:
        run(pendulum(), until=lambda t, state: 1.0 if late and t < 0.025 else law(t), **settings)
    assert any("until=" in note for note in caught.value.__notes__) and len(caught.value.trajectory) >= 1
    assert "Audit" in str(caught.value.trajectory.audit)
    if streamed and late:
        assert np.array_equal(po.resume(tmp_path / "run.h5").raw, run(pendulum()).raw)
    elif streamed:
        assert not list(tmp_path.iterdir())


def test_an_event_cannot_change_the_run():
    def event(t, state):
        state.raw[:] = 0.0
        return 1.0

    with says(ValueError, "read-only"):
        run(pendulum(), until=event)
    with says(po.SettingsError, "until= gives", "for the same time and state"):
        run(pendulum(), until=lambda t, state: np.random.normal())  # noqa: NPY002
    with says(po.SettingsError, "until must be a function"):
        run(pendulum(), until=0.3)


@pytest.mark.parametrize("until", [lambda t, state: np.array([t - 0.025]), lambda t, state: np.float32(t) - np.float32(0.025)])
def test_events_of_one_entry(until):
    assert run(pendulum(), until=until).t[-1] == pytest.approx(0.025, abs=1e-8)


def test_a_law_that_fails_only_between_outputs_while_an_event_is_looked_for():
    """The event is found with other steps than the run's own."""

    def law(t):
        if 0.0224 < t < 0.0225:
            raise LookupError("a gap")
        return 0.0

    s = pendulum(law)
    assert len(run(s)) == 6
    with pytest.raises(LookupError, match="a gap") as caught:
        run(s, until=lambda t, state: t - 0.0237)
    assert any("motor 'motor'" in note for note in caught.value.__notes__)


# signals

BREAKS = {
    "kink": (lambda t: 0.3 + abs(t - 0.02), "rate", 0.02),
    "corner of a clip": (lambda t: float(np.clip(5 * t, 0.1, 0.3)), "rate", 0.06),
    "table": (lambda t: float(np.interp(t, [-1.0, 0.013, 1.0], [0.0, 1.0, 0.0])), "rate", 0.013),
    "jump": (lambda t: 0.0 if t < 0.031 else 0.1, "value", 0.031),
    "steps": (lambda t: round(10 * t) / 10, "value", 0.05),
    "start": (lambda t: max(t, 0.0), "rate", 0.0),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_signal_that_breaks_is_refused_in_words(name):
    function, what, when = BREAKS[name]
    with says(po.ModelError, "motion 'motion': its signal jumps in " + what, "po.signals.spline") as caught:
        run(pendulum(signal=function), duration=0.1)
    assert float(re.search(r"t = (\S+) s", str(caught.value)).group(1)) == pytest.approx(when, abs=2e-4)


def test_a_jump_in_acceleration_is_warned_of():
    with pytest.warns(po.DriveWarning, match=r"its signal jumps in acceleration at t = 0\.0[45]"):
        run(pendulum(signal=lambda t: 100 * max(t - 0.05, 0.0) ** 2), duration=0.1)


SMOOTH = [
    math.sin,
    lambda t: math.sin(500 * t),
    lambda t: math.tanh(1e3 * (t - 0.05)),
    lambda t: 0.2,
    lambda t: 0.2 + t,
    lambda t: 1e-9 * t,
    lambda t: math.exp(-40 * t),
    lambda t: max(t - 0.05, 0.0) ** 4,
    lambda t: (1e6 + math.sin(t)) - 1e6,
    lambda t: math.sin(200 * t * t),
]


@pytest.mark.parametrize("function", SMOOTH)
@pytest.mark.parametrize("span", [0.1, 1.0, 30.0])
def test_smooth_signals_are_found_smooth(function, span):
    assert po.Signal(function).break_between(0.0, span) is None


def test_a_break_between_the_points_is_told_when_it_stops_the_run():
    """A short dent that falls between the times at which the signal is sampled before the run."""
    with says(po.RunError, "the signal of motion 'motion' jumps in rate at t = 7.0027 s", "po.signals.spline"):
        run(pendulum(signal=lambda t: max(0.0, 1e3 * (1 - abs(t - 7.0027) / 1e-3))), duration=20.0)
    found = run(pendulum(signal=lambda t: max(0.0, 0.5 * (1 - abs(t - 7.0027) / 1e-3))), duration=20.0)
    assert "smooth the signals that drives follow" in str(found.audit)


@pytest.mark.parametrize("name", RAISES)
def test_exceptions_of_signals(name, tmp_path):
    law, kind = RAISES[name]
    if issubclass(kind, Exception):
        with says(po.ModelError, "signal: function(0.0) raises", kind.__name__):
            po.Signal(law)
    begun = False
    signal = po.Signal(lambda t: law(t) if begun else 0.1)
    begun = True
    for what in (lambda: run(pendulum(signal=signal), stream=tmp_path / "run.h5"), lambda: po.dynamics(pendulum(signal=signal), "directors")):
        with pytest.raises(kind) as caught:
            what()
        assert any("motion 'motion'" in note for note in caught.value.__notes__)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", [None, "0.1", float("nan"), (0.1, 0.2), np.zeros((1, 2)), 1j, {}])
def test_signals_give_numbers(value):
    with pytest.raises(po.ModelError, match="signal"):
        s = pendulum(signal=lambda t: value)
        assert not s.check().ok
        run(s)
    with says(po.CallbackError, "the function of motion 'motion' returned"):
        run(pendulum(signal=lambda t: value if t > 0.02 else 0.1))


# dynamics, results


def test_dynamics_at_a_state():
    for name, (law, kind) in RAISES.items():
        if name == "interrupt":
            continue
        with pytest.raises(kind) as caught:
            po.dynamics(pendulum(law)).acceleration()
        assert any("motor 'motor'" in note for note in caught.value.__notes__), name
        with pytest.raises(kind):
            po.dynamics(pendulum(law)).reactions()
    with says(po.CallbackError, "motor 'motor'", "returned None"):
        po.dynamics(pendulum(lambda t: None)).acceleration()
    with says(po.ModelError, "motor 'motor'", "for the same arguments"):
        po.dynamics(pendulum(lambda t: np.random.normal()))  # noqa: NPY002
    late = po.dynamics(pendulum(lambda t: 1.0 / (t * t)))
    assert np.all(np.isfinite(late.acceleration(late.state(t=1.0))))


def test_a_resumed_run_looks_at_its_functions_again(tmp_path):
    class Switch:
        on = True

    switch = Switch()

    def law(t):
        if t > 0.03 and switch.on:
            raise LookupError("no more")
        return 0.5

    s = pendulum(law)
    with pytest.raises(LookupError):
        run(s, stream=tmp_path / "run.h5")
    switch.on = False
    whole = run(pendulum(lambda t: 0.5))
    assert np.array_equal(po.resume(tmp_path / "run.h5", s).raw, whole.raw)
