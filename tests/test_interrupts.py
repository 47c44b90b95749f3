"""Ctrl-C: a KeyboardInterrupt as scripts expect it, and no results are lost."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import poinsot as po
from systems import chain, oscillator, pendulum


def _rehearsed():
    """Whether a function is called by the check of users' functions before a run."""
    frame = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__") != "poinsot.analysis.rehearsal":
        frame = frame.f_back
    return frame is not None


class Presser:
    """A law that presses Ctrl-C (so many times) when it is asked after a time; what else it does comes after that."""

    def __init__(self, after, times=1, then=lambda: None):
        self.after, self.times, self.then = after, times, then

    def __call__(self, t):
        if t > self.after and self.times and not _rehearsed():
            self.after = np.inf
            for _ in range(self.times):
                signal.raise_signal(signal.SIGINT)
            self.then()
        return 0.1


def pressed(*arguments, **named):
    s = pendulum()
    s.add(po.Motor(s["pin"], Presser(*arguments, **named), name="motor"))
    return s


def quiet():
    """The same motion without Ctrl-C."""
    s = pendulum()
    s.add(po.Motor(s["pin"], Presser(np.inf), name="motor"))
    return s


@pytest.fixture(autouse=True)
def handler():
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("settings", [{"step": 0.001}, {"step": 0.001, "output_step": 0.01}, {"output_step": 0.01}])
def test_a_run_ends_with_what_was_computed(settings):
    whole = po.simulate(quiet(), 5.0, **settings)
    with pytest.raises(KeyboardInterrupt, match="system 'pendulum': stopped by Ctrl-C") as caught:
        po.simulate(pressed(0.5), 5.0, **settings)
    run = caught.value.trajectory
    n = len(run)
    assert 0.4 < run.t[-1] < 5.0 and np.array_equal(run.raw, whole.raw[:n]) and "by Ctrl-C" in run.audit.stopped
    assert "error.trajectory" in caught.value.__notes__[0] and "sys.last_value" in caught.value.__notes__[0]
    with pytest.raises(KeyboardInterrupt):
        po.prepare(pressed(0.5), **{k: v for k, v in settings.items() if k == "step"}).run(5.0)


def test_the_loop_around_a_run_ends_too():
    done = []
    with pytest.raises(KeyboardInterrupt):
        for k in range(5):
            done.append(k)
            po.simulate(pressed(0.1), 1.0, step=0.001)
    assert done == [0]


def test_a_script_ends_as_scripts_do():
    code = (
        "import os, signal, threading, poinsot as po; from systems import chain; po.simulate(chain(2), 0.01, step=0.01);"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start();"
        "print([po.simulate(chain(2), 1e5, step=0.001, output_step=100.0, formulation='tree') for _ in range(3)])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=os.path.dirname(__file__), timeout=300)
    assert found.returncode in (-signal.SIGINT, 130) and not found.stdout
    assert "KeyboardInterrupt: system 'pendulum': stopped by Ctrl-C" in found.stderr and "is in error.trajectory" in found.stderr


@pytest.mark.parametrize("settings", [{"step": 0.001}, {"output_step": 0.001}])
def test_a_stream_is_whole_and_can_be_resumed(settings, tmp_path):
    def presses(after):
        law = Presser(after)
        return lambda t, state: law(t)

    path, s = tmp_path / "run.h5", chain(2, 1.0)
    whole = po.simulate(s, 2.0, **settings)
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(s, 2.0, stream=path, until=presses(0.5), **settings)
    run = caught.value.trajectory
    assert run.path == path and not run.complete and np.array_equal(run.raw, whole.raw[: len(run)]) and run.t[-1] > 0.4
    assert f"{path} holds the run so far and is intact: po.resume('{path}') resumes it" in caught.value.__notes__[1]
    with pytest.raises(KeyboardInterrupt) as caught:
        po.resume(path, until=presses(1.0))
    assert 1.0 < caught.value.trajectory.t[-1] < 2.0
    assert np.array_equal(po.resume(path).raw, whole.raw)


def test_pressed_again_it_ends_in_the_middle_of_a_step():
    """A law that does not return is ended by the second Ctrl-C."""
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(pressed(0.5, times=2, then=lambda: time.sleep(60)), 5.0, step=0.01)
    assert 0.4 < caught.value.trajectory.t[-1] <= 0.51


def test_pressed_again_in_a_law_of_a_stream(tmp_path):
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(pressed(0.5, times=2), 5.0, step=0.01, stream=tmp_path / "run.h5")
    assert caught.value.trajectory.t[-1] > 0.4 and "po.resume" in caught.value.__notes__[-1]


def test_pressed_again_while_a_stream_is_written(tmp_path, monkeypatch):
    from poinsot.files.runs.stream import Stream

    def finish(self, p):
        signal.raise_signal(signal.SIGINT)

    path = tmp_path / "run.h5"
    monkeypatch.setattr(Stream, "finish", finish)
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(pressed(0.5), 2.0, step=0.01, stream=path)
    monkeypatch.undo()
    assert caught.value.trajectory.path == path and "po.resume" in "".join(caught.value.__notes__)


def test_a_run_that_is_whole_when_it_is_pressed_is_given_whole():
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(pressed(0.0), 0.001, step=0.001)
    run, whole = caught.value.trajectory, po.simulate(quiet(), 0.001, step=0.001)
    assert np.array_equal(run.raw, whole.raw) and run.audit.stopped is None and "memory" in run.state().raw


def test_a_run_that_fails_after_it_was_pressed():
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(pressed(0.5, then=lambda: 1 / 0), 1.0, step=0.01)
    assert isinstance(caught.value.__cause__, ZeroDivisionError) and caught.value.trajectory.t[-1] > 0.4


def test_an_error_estimate_that_is_pressed_gives_the_run_itself():
    class Second(Presser):
        def __call__(self, t):
            if _rehearsed():
                return 0.1
            self.seen = max(getattr(self, "seen", 0.0), t)
            return super().__call__(t if self.seen > 0.95 and t < 0.9 else 0.0)

    s = pendulum()
    s.add(po.Motor(s["pin"], Second(0.3), name="motor"))
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(s, 1.0, step=0.01, estimate_error=True)
    run = caught.value.trajectory
    assert run.t[-1] == 1.0 and run.record.step == 0.01 and run.audit.error_position is None
    assert "the run is complete, but its error was not estimated" in caught.value.__notes__[0]


def test_handlers_of_the_user_stay():
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        assert po.simulate(pressed(0.5), 1.0, step=0.01).t[-1] == 1.0 and heard == [signal.SIGINT]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert po.simulate(pressed(0.5), 1.0, step=0.01).t[-1] == 1.0

        def stop(number, frame):
            raise KeyboardInterrupt("mine")

        signal.signal(signal.SIGINT, stop)
        with pytest.raises(KeyboardInterrupt, match="mine") as caught:  # within the law
            po.simulate(pressed(0.5), 1.0, step=0.01)
        assert caught.value.trajectory.t[-1] > 0.4

        def until(t, state):
            if t > 0.5:
                signal.raise_signal(signal.SIGINT)
            return 1.0

        with pytest.raises(KeyboardInterrupt, match="mine") as caught:  # outside of it
            po.simulate(oscillator(), 1.0, step=0.01, until=until)
        run = caught.value.trajectory
        assert run.t[-1] > 0.5 and np.array_equal(run.raw, po.simulate(oscillator(), 1.0, step=0.01).raw[: len(run)])
    finally:
        signal.signal(signal.SIGINT, before)


def test_runs_within_runs_all_end():
    inner = []

    def law(t):
        if t > 0.5 and not _rehearsed():
            inner.append(t)
            po.simulate(pressed(0.2), 1.0, step=0.01)
        return 0.0

    s = chain(1)
    s.name = "outer"
    s.add(po.Force(s["link1"], lambda t: (law(t), 0.0, 0.0), name="nested"))
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(s, 1.0, step=0.01)
    assert caught.value.trajectory.system.name == "outer" and 0.4 < caught.value.trajectory.t[-1] < 0.6
    assert len(set(inner)) == 1

    def until(t, state):
        if t > 0.5:
            po.simulate(pressed(0.2), 1.0, step=0.01)
        return 1.0

    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(oscillator(), 1.0, step=0.01, until=until)
    assert caught.value.trajectory.system.name == "oscillator"


def test_a_law_that_swallows_ctrl_c_of_runs_within_does_not_go_on():
    def until(t, state):
        if t > 0.5:
            with contextlib.suppress(KeyboardInterrupt):
                po.simulate(pressed(0.2), 1.0, step=0.01)
        return 1.0

    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(oscillator(), 1.2, step=0.01, output_step=0.6, until=until)
    assert caught.value.trajectory.system.name == "oscillator"


def test_other_threads_are_left_alone():
    found = []
    thread = threading.Thread(target=lambda: found.append(po.simulate(chain(2), 3.0, step=0.01)))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    thread.join()
    assert found[0].t[-1] == 3.0
