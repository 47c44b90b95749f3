"""Whatever a file contains, reading it gives a ModelError or a system, quickly and with little memory; runs give finite numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile_models import HOSTILE

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # processor time is counted, and threads that wait for each other use it, too


def read_within_limits(folder, *which):
    """Read files in a process of their own; returns how often each outcome occurred, and the outcomes that must not occur."""
    results = folder / "results.jsonl"
    paths = os.pathsep.join(map(str, (SOURCE, HERE.parent, HERE)))
    command = [sys.executable, HERE / "read_within_limits.py", results, *map(str, which)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths, **ONE_THREAD}, check=False)
    now = results.with_suffix(".now")
    assert done.returncode == 0, (now.read_text() if now.exists() else "start", done.stderr[-3000:])
    wrong = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    return json.loads(done.stdout.splitlines()[-1]), [f"{case['file']}: {case['wrong']}" for case in wrong]


def test_hostile_files(tmp_path):
    outcomes, wrong = read_within_limits(tmp_path, "hostile")
    assert not wrong, "\n".join(wrong)
    assert sum(outcomes[kind] for kind in outcomes if kind != "seconds") == len(HOSTILE)


def test_mutated_files(tmp_path):
    outcomes, wrong = read_within_limits(tmp_path, "mutated", 0, 150)
    assert not wrong, "\n".join(wrong)
    assert outcomes["refused"] > 50
    assert outcomes["ran"] > 10


@pytest.mark.parametrize("seed", [14312])
def test_mutated_files_that_were_once_mistaken(seed, tmp_path):
    """Forces so large that the square of a rate overflows."""
    assert not read_within_limits(tmp_path, "mutated", seed, 1)[1]


@pytest.mark.long
@pytest.mark.parametrize("first", range(10_000, 20_000, 1000))
def test_10000_mutated_files(first, tmp_path):
    outcomes, wrong = read_within_limits(tmp_path, "mutated", first, 1000)
    assert not wrong, "\n".join(wrong)
    assert outcomes["ran"] > 80
