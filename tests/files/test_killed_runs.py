"""Runs that are killed at any moment lose at most the last segment, and are resumed bit for bit."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import poinsot as po
from files.killed_run import SETTINGS
from poinsot.files.runs.file import RunFile

SCRIPT = Path(__file__).with_name("killed_run.py")


def killed(name, path, after, again):
    """Start or resume the run, kill it this many seconds after its first progress; returns whether it was killed before its end."""
    command = [sys.executable, str(SCRIPT), name, str(path), *(["resume"] if again else [])]
    before = reached(path)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        wait = time.perf_counter() + 300.0
        while reached(path) == before and process.poll() is None and time.perf_counter() < wait:
            time.sleep(0.005)
        time.sleep(after)
        alive = process.poll() is None
        process.kill()
    return alive


def reached(path):
    try:
        return RunFile(path).reached()[0]["outputs"]
    except po.FileError:
        return 0


def kill_often(name, path, times, rng):
    """Kill a run again and again; the outputs known at each time."""
    seen = []
    for k in range(times):
        if not killed(name, path, float(rng.uniform(0.0, 0.15)), again=k > 0):
            break
        partial = po.load(path)
        assert len(partial) == reached(path) and np.all(np.isfinite(np.asarray(partial.raw)))
        seen.append(len(partial))
    assert seen == sorted(seen)  # nothing that was written is ever lost
    return seen


def same(a, b):
    for rows in ("t", "raw", "motion", "loads"):
        np.testing.assert_array_equal(np.asarray(getattr(a, rows)), np.asarray(getattr(b, rows)), rows)
    first, second = a.audit.to_dict(), b.audit.to_dict()
    assert {k: v for k, v in first.items() if k != "seconds"} == {k: v for k, v in second.items() if k != "seconds"}


def check(name, path, times, seed):
    make, settings = SETTINGS[name]
    seen = kill_often(name, path, times, np.random.default_rng(seed))
    run = po.resume(path, make() if name == "callback" else None)
    print(f"{name}: killed {len(seen)} times, at outputs {seen} of {len(run)}")
    same(run, po.simulate(make(), **settings))
    assert json.loads(RunFile(path).texts["settings"])["duration"] == settings["duration"]
    return seen


@pytest.mark.parametrize("name", ["tree", "directors"])
def test_a_killed_run_goes_on_bit_for_bit(name, tmp_path):
    assert check(name, tmp_path / "run.h5", 2, seed=len(name))


@pytest.mark.long
@pytest.mark.parametrize("name", SETTINGS)
def test_twenty_kills(name, tmp_path):
    assert len(check(name, tmp_path / "run.h5", 20, seed=7)) >= 15
