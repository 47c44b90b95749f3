"""Random sequences of public calls with wild arguments: every call returns or raises a readable error; none hangs, crashes or exhausts memory."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "call_sequences.py"
BATCH = 500  # sequences of one process
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # processor time is counted, and threads that wait for each other use it, too


def batch(first, last):
    """Outcomes of the sequences of some seeds, and what broke the rule; a process that ends early is a fault of the sequence it was at."""
    count, found = {}, []
    while first < last:
        command = [sys.executable, PROGRAM, str(first), str(last)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env={**os.environ, **ONE_THREAD})
        if done.returncode == 0:
            told = json.loads(done.stdout)
            for kind, n in told["count"].items():
                count[kind] = count.get(kind, 0) + n
            return count, found + told["found"]
        seeds = re.findall(r"^seed (\d+)$", done.stderr, re.MULTILINE)
        assert seeds, done.stderr[-2000:]
        found.append({"seed": int(seeds[-1]), "fault": f"the process ended with {done.returncode}: {done.stderr[-600:]}"})
        first = int(seeds[-1]) + 1
    return count, found


def judge(count, found, runs):
    calls = sum(count.values())
    print(f"{calls} calls: {count}")
    assert not found, "\n".join(map(str, found[:20]))
    returned = sum(n for kind, n in count.items() if kind in ("simulate: returned", "prepare: returned"))
    assert returned >= runs, f"only {returned} runs: {count}"


def test_a_sample():
    judge(*batch(0, 150), runs=15)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 10_000, BATCH))
def test_ten_thousand_sequences(first):
    judge(*batch(first, first + BATCH), runs=50)
