"""Sweeps in files: the same bits as in memory, continued after whatever ended them, never mistaken for something else."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from killed_sweep import RECORD, slowly, start
from test_sweep import mass_on_spring, same

import poinsot as po
from poinsot.sweeps import sweep as module
from systems import oscillator

HERE = Path(__file__).parent
FEW = {"mass.mass": np.linspace(1.0, 2.0, 70)}


def at_once(path=None, record=RECORD, vary=FEW, **settings):
    return po.sweep(mass_on_spring(), vary, 0.2, step=0.02, record=record, stream=path, workers=1, **settings)


def stopped(path, monkeypatch, after=5, **settings):
    """A sweep that is interrupted after some batches."""

    def few(task, batches, workers):
        yield from list(original(task, batches[:after], 1))
        raise KeyboardInterrupt

    original = module.by_threads
    with monkeypatch.context() as patched:
        patched.setattr(module, "by_threads", few)
        with pytest.raises(KeyboardInterrupt) as caught:
            at_once(path, **settings)
    assert "po.resume" in caught.value.__notes__[0]
    return caught.value.sweep


def test_a_file_has_the_same_bits(tmp_path):
    stored = at_once(tmp_path / "s.h5")
    assert same(at_once(), stored) and stored.complete
    loaded = po.load(tmp_path / "s.h5")
    assert isinstance(loaded, po.Sweep) and same(stored, loaded) and str(loaded).split()[:4] == str(stored).split()[:4]
    assert np.array_equal(loaded.t, stored.t) and loaded.dataset.equals(stored.dataset)
    assert np.array_equal(loaded.run(3).raw, stored.run(3).raw)
    with h5py.File(tmp_path / "s.h5") as file:  # readable by other programs
        names = {group.attrs["name"]: group for group in file["results"].values()}
        assert np.array_equal(names["mean(energy)"][:], stored.values("mean(energy)"))
        assert np.array_equal(file["parameters/0"][:], FEW["mass.mass"]) and file["parameters/0"].attrs["name"] == "mass.mass"


def test_an_interrupted_sweep_is_continued_with_the_same_bits(tmp_path, monkeypatch):
    vary = {"mass.mass": np.array([*FEW["mass.mass"], -1.0])}
    part = stopped(tmp_path / "s.h5", monkeypatch, vary=vary)
    assert not part.complete and np.count_nonzero(np.isfinite(part.values("mean(energy)"))) == 10
    loaded = po.load(tmp_path / "s.h5")
    assert same(part, loaded) and not loaded.complete
    with pytest.raises(po.FileError, match="unfinished sweep"):
        at_once(tmp_path / "s.h5", vary=vary)
    done = po.resume(tmp_path / "s.h5", workers=2)
    assert done.complete and same(at_once(vary=vary), done) and [failure.variant for failure in done.failures] == [70]
    assert same(done, po.resume(tmp_path / "s.h5"))  # finished: it is only read
    assert at_once(tmp_path / "s.h5").complete  # and may be replaced


def batches(path):
    """How many are done."""
    return np.count_nonzero(po.load(path).store.done) if path.exists() and path.stat().st_size else 0


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_a_killed_sweep_is_continued_with_the_same_bits(tmp_path, engine):
    path = tmp_path / "killed.h5"
    process = subprocess.Popen([sys.executable, str(HERE / "killed_sweep.py"), str(path), engine])
    try:
        began = time.monotonic()
        while process.poll() is None and time.monotonic() - began < 120 and batches(path) < 3:
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = po.load(path)
    assert 2 < np.count_nonzero(before.store.done) < len(before.store.done)

    def quickly(run):
        return run.energy[-1]

    with pytest.raises(po.SettingsError, match="another function"):
        po.resume(path, record={"slowly": quickly})
    done = po.resume(path, record=slowly)
    assert done.complete and same(start(None, "threads", slowly), done)


def test_functions_are_needed_again(tmp_path, monkeypatch):
    stopped(tmp_path / "s.h5", monkeypatch, record=[slowly], after=2, vary={"mass.mass": [1.0, 1.5, 2.0]})
    with pytest.raises(po.SettingsError, match="give record= again, with 'slowly'"):
        po.resume(tmp_path / "s.h5")
    with pytest.raises(po.FileError, match="not the one of the sweep"):
        po.resume(tmp_path / "s.h5", oscillator(), record=slowly)
    assert po.resume(tmp_path / "s.h5", mass_on_spring(), record=slowly).complete


def test_torn_results_are_done_again(tmp_path):
    """A variant whose results do not agree with its checksum counts as not done; a damaged description is an error."""
    whole = at_once(tmp_path / "s.h5")
    place = whole.store.places.places["results/2"] + 8 * 200
    data = bytearray((tmp_path / "s.h5").read_bytes())
    data[place] ^= 1
    (tmp_path / "s.h5").write_bytes(data)
    torn = po.load(tmp_path / "s.h5")
    assert np.count_nonzero(~torn.store.done) == 1
    assert same(whole := at_once(), po.resume(tmp_path / "s.h5")) and whole.complete
    place = whole and po.load(tmp_path / "s.h5").store.places.places["header"] + 30
    data[place] ^= 1
    (tmp_path / "s.h5").write_bytes(data)
    with pytest.raises(po.FileError, match="is damaged"):
        po.load(tmp_path / "s.h5")


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "notes.h5").write_text("mine")
    with pytest.raises(po.FileError, match="does not hold a sweep"):
        at_once(tmp_path / "notes.h5")
    with pytest.raises(po.SettingsError, match="an .h5 file"):
        at_once(tmp_path / "s.csv")
    run = po.simulate(mass_on_spring(), 0.1, step=0.02, stream=tmp_path / "run.h5")
    with pytest.raises(po.FileError, match="does not hold a sweep"):
        at_once(tmp_path / "run.h5")
    with pytest.raises(po.SettingsError, match="workers= is for sweeps"):
        po.resume(tmp_path / "run.h5", workers=2)
    assert len(run) == 6


def test_two_processes_do_not_write_to_one_file(tmp_path, monkeypatch):
    part = stopped(tmp_path / "s.h5", monkeypatch)
    from poinsot.sweeps.file import SweepFile

    writing = SweepFile(tmp_path / "s.h5", part.task, writing=True)
    with pytest.raises(po.FileError, match="another process is writing"):
        po.resume(tmp_path / "s.h5")
    writing.finish()
    assert po.resume(tmp_path / "s.h5").complete
