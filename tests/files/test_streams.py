"""Streams give the same bits as runs in memory, keep what they wrote, and refuse to overwrite unfinished runs."""

import os
import signal
import time

import numpy as np
import pytest

import mechanisms
import poinsot as po
from analysis.test_reselect import ladder
from files.test_killed_runs import same
from poinsot.files.runs import stream
from poinsot.files.runs.file import RunFile
from systems import chain, oscillator


@pytest.fixture(autouse=True)
def short_segments(monkeypatch):
    monkeypatch.setattr(stream, "PATIENCE", 0.0)
    monkeypatch.setattr("poinsot.driver.FIRST", 200)
    monkeypatch.setattr("poinsot.driver.GROWTH", 1.0)


def spinning():
    """A body that tumbles: signs of its quaternion jump wherever it is computed from a matrix."""
    s = po.System("spinning", gravity=None)
    s.body("stone", po.Box(0.3, 0.5, 0.9, mass=2.0)).set(angular_velocity=(3.0, 0.2, 5.0))
    return s


CASES = {
    "gauss": (lambda: chain(3), {"duration": 2.0, "step": 0.01}),
    "strides and a rest": (lambda: chain(3), {"duration": 1.997, "step": 0.01, "output_step": 0.03, "start": 2.0}),
    "adaptive": (lambda: chain(3), {"duration": 2.0, "output_step": 0.01}),
    "stiff": (lambda: oscillator(stiffness=1e7, damping=1e5), {"duration": 10.0, "step": 0.01}),
    "directors": (mechanisms.loaded_four_bar, {"duration": 1.0, "step": 0.01}),
    "spinning": (spinning, {"duration": 3.0, "step": 0.01, "formulation": "directors"}),
    "rows chosen anew": (lambda: ladder(np.radians(100), damping=20.0), {"duration": 12.0, "step": 0.01, "integrator": "energy-momentum"}),
    "python": (lambda: mechanisms.spring_chain(damped=True), {"duration": 1.0, "step": 0.01}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_stream_gives_the_same_bits(name, tmp_path):
    make, settings = CASES[name]
    run = po.simulate(make(), **settings, stream=tmp_path / "run.h5")
    same(run, po.simulate(make(), **settings))
    assert (run.audit.reselections > 0) == (name == "rows chosen anew")
    assert run.complete and not [p for p in tmp_path.iterdir() if p.name != "run.h5"]


class Stopped(Exception):
    pass


@pytest.mark.parametrize("name", CASES)
def test_a_run_goes_on_from_any_segment(name, tmp_path, monkeypatch):
    make, settings = CASES[name]
    whole = po.simulate(make(), **settings)
    assert (whole.audit.newton_steps > 0) == (name == "stiff")
    path = tmp_path / "run.h5"
    commit = RunFile.commit
    for number in (1, 2, 3, 700) if name == "rows chosen anew" else (1, 2, 3):
        commits = []

        def stop(self, info, arrays, number=number, commits=commits):
            commits.append(info["outputs"])
            commit(self, info, arrays)
            if len(commits) > number:
                raise Stopped

        monkeypatch.setattr(RunFile, "commit", stop)
        with pytest.raises(Stopped):
            po.resume(path, make()) if path.exists() else po.simulate(make(), **settings, stream=path)
        monkeypatch.setattr(RunFile, "commit", commit)
    assert not po.load(path).complete
    assert po.load(path).audit.reselections == whole.audit.reselections
    same(po.resume(path, make()), whole)
    same(po.resume(path, make()), whole)  # finished: only loaded


@pytest.mark.parametrize("name", ["strides and a rest", "adaptive", "directors"])
def test_a_run_killed_between_its_last_segment_and_its_audit(name, tmp_path, monkeypatch):
    make, settings = CASES[name]
    commit = RunFile.commit

    def stop(self, info, arrays):
        if info["complete"]:
            raise Stopped
        commit(self, info, arrays)

    with monkeypatch.context() as patch:
        patch.setattr(RunFile, "commit", stop)
        with pytest.raises(Stopped):
            po.simulate(make(), **settings, stream=tmp_path / "run.h5")
    same(po.resume(tmp_path / "run.h5", make()), po.simulate(make(), **settings))


def test_events_end_streams_and_leave_no_empty_rows(tmp_path):
    def level(t, state):
        return state["link1"].position[1]

    s = chain(2, angle=1.0)
    run = po.simulate(s, 5.0, step=0.01, until=level, stream=tmp_path / "run.h5")
    same(run, po.simulate(s, 5.0, step=0.01, until=level))
    assert "until" in run.audit.stopped
    assert RunFile(tmp_path / "run.h5").outputs_planned == len(run)


def test_a_zero_that_the_run_leaves_is_no_event_in_a_stream_either(tmp_path):
    def rise(t, state):
        return state["link1"].position[1] - start

    s = chain(2, angle=1.0)
    start = po.simulate(s, 0.01, step=0.01)["link1"].position[0, 1] * (1 - 1e-14)
    run = po.simulate(s, 0.5, step=0.01, until=rise, stream=tmp_path / "run.h5")
    same(run, po.simulate(s, 0.5, step=0.01, until=rise))
    assert len(run) > 2


def test_a_zero_just_after_the_segment_from_which_a_run_goes_on(tmp_path, monkeypatch):
    """There a value that almost vanishes is no start at zero, which the run would leave."""
    s, path, commit, ends = chain(2, angle=1.0), tmp_path / "run.h5", RunFile.commit, []

    def stop(self, info, arrays):
        commit(self, info, arrays)
        ends.append(info["t"])
        if len(ends) > 2:
            raise Stopped

    monkeypatch.setattr(RunFile, "commit", stop)
    with pytest.raises(Stopped):
        po.simulate(s, 0.5, step=0.01, until=lambda t, state: 1.0, stream=path)
    monkeypatch.setattr(RunFile, "commit", commit)

    def passed(t, state):
        return ends[-1] * (1 + 1e-10) - t

    run = po.resume(path, s, until=passed)
    assert "until" in run.audit.stopped and run.t[-1] == pytest.approx(ends[-1], abs=1e-10)


def test_interrupted_by_hand_then_gone_on_with(tmp_path, monkeypatch):
    path, commit, commits = tmp_path / "run.h5", RunFile.commit, []
    s = chain(4, angle=1.0)

    def press(self, info, arrays):
        commit(self, info, arrays)
        commits.append(info["outputs"])
        if len(commits) == 5:  # the run has begun
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(RunFile, "commit", press)
    with pytest.raises(KeyboardInterrupt) as caught:
        po.simulate(s, 300.0, step=0.001, formulation="tree", stream=path)
    run = caught.value.trajectory
    assert "Ctrl-C" in run.record.stopped and 1 < len(run) < 300_001 and not run.complete
    reached = po.load(path)
    assert len(reached) == len(run) and np.isnan(RunFile(path).rows("t", len(run) + 1)[-1])


def test_unfinished_and_foreign_files_are_not_overwritten(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    s = chain(2)
    with monkeypatch.context() as patch:
        patch.setattr(stream.Stream, "keep", lambda self, p: (_ for _ in ()).throw(Stopped))
        with pytest.raises(Stopped):
            po.simulate(s, 1.0, step=0.01, stream=path)
    with pytest.raises(po.FileError, match="unfinished run, up to t = 0 s; po.resume"):
        po.simulate(s, 1.0, step=0.01, stream=path)
    po.resume(path)
    po.simulate(s, 0.5, step=0.01, stream=path)
    assert len(po.load(path)) == 51
    path.write_text("precious")
    with pytest.raises(po.FileError, match="not an HDF5 file"):
        po.simulate(s, 1.0, step=0.01, stream=path)
    assert path.read_text() == "precious"


def test_a_run_stays_what_it_is_when_its_file_is_replaced_or_deleted(tmp_path):
    path = tmp_path / "run.h5"
    first = po.simulate(chain(2), 0.5, step=0.01, stream=path)
    whole = po.simulate(chain(2), 0.5, step=0.01)
    po.simulate(chain(2, angle=1.0), 0.5, step=0.01, stream=path)
    same(first, whole)
    path.unlink()
    same(first, whole)
    first.save(path)
    same(po.load(path), whole)


def test_wrong_settings_of_streams(tmp_path):
    s = chain(2)
    with pytest.raises(po.SettingsError, match="estimate_error"):
        po.simulate(s, 1.0, step=0.01, stream=tmp_path / "run.h5", estimate_error=True)
    with pytest.raises(po.SettingsError, match="path of an .h5 file"):
        po.simulate(s, 1.0, step=0.01, stream=tmp_path / "run.csv")
    with pytest.raises(po.FileError, match="there is no folder"):
        po.simulate(s, 1.0, step=0.01, stream=tmp_path / "no" / "run.h5")


def test_two_writers_are_kept_apart(tmp_path):
    path = tmp_path / "run.h5"
    po.simulate(chain(2), 0.1, step=0.01, stream=path)
    with RunFile(path, writing=True), pytest.raises(po.FileError, match="another process is writing"):
        RunFile(path, writing=True)


def test_functions_of_python_must_be_given_again_and_be_the_same(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    with monkeypatch.context() as patch:
        patch.setattr(stream.Stream, "keep", lambda self, p: (_ for _ in ()).throw(Stopped))
        with pytest.raises(Stopped):
            po.simulate(mechanisms.spring_chain(damped=True), 1.0, step=0.01, stream=path)
    with pytest.raises(po.ModelError, match="motor.*give the system again: po.resume"):
        po.resume(path)
    other = mechanisms.spring_chain()
    other.add(po.JointDamper(other["hinge"], 0.4))
    other.add(po.JointDamper(other["ball"], 0.3))
    other.add(po.Motor(other["hinge"], lambda t: 2.5 * np.sin(3.0 * t), name="motor"))
    with pytest.raises(po.FileError, match="not the one that was run: .*motor"):
        po.resume(path, other)
    same(po.resume(path, mechanisms.spring_chain(damped=True)), po.simulate(mechanisms.spring_chain(damped=True), 1.0, step=0.01))


def test_other_kernels_are_warned_about(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    with monkeypatch.context() as patch:
        patch.setattr(stream.Stream, "keep", lambda self, p: (_ for _ in ()).throw(Stopped))
        with pytest.raises(Stopped):
            po.simulate(chain(2), 1.0, step=0.01, stream=path)
    monkeypatch.setattr("poinsot.files.runs.resume.source_hash", lambda: "another")
    with pytest.warns(po.ResumeWarning, match="last digits may differ"):
        po.resume(path)


def test_a_run_that_fails_keeps_what_it_wrote(tmp_path):
    s = oscillator()

    def law(t):
        if t > 0.5:
            raise RuntimeError("enough")
        return 0.0

    s.add(po.Motor(s.joints[0], law))
    with pytest.raises(RuntimeError, match="enough") as caught:
        po.simulate(s, 1.0, step=0.01, stream=tmp_path / "run.h5")
    assert 40 < len(caught.value.trajectory) < 60 and len(po.load(tmp_path / "run.h5")) == len(caught.value.trajectory)


@pytest.mark.long
def test_a_million_steps_in_little_memory(tmp_path, monkeypatch):
    import resource

    monkeypatch.undo()
    po.simulate(chain(4), 0.2, step=0.01, stream=tmp_path / "warm.h5", integrator="energy-momentum-6")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    run = po.simulate(chain(4), 10_000.0, step=0.01, stream=tmp_path / "run.h5")
    above = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{len(run)} outputs in {time.perf_counter() - began:.1f} s, {above:.0f} MB above the start")
    assert len(run) == 1_000_001 and above < 300
