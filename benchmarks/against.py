"""The sources as they are against those of another commit, case by case, in turns: `python benchmarks/against.py COMMIT`.

Every case is a run of a prepared system that takes some 10 ms. Two processes, one per version, measure it in turns, many times, in processor
time; the shortest counts. What is noise shows where the same commit is compared with itself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from table import Table, verdict

ROOT = Path(__file__).resolve().parent.parent
SLOWER = 1.03  # allowed: time now over time before
ROUNDS = 60


class Worker:
    """A process that measures the cases of `against_cases.py` with one version of the sources."""

    def __init__(self, sources: Path):
        environment = os.environ | {"PYTHONPATH": str(sources / "src")}
        command = [sys.executable, str(ROOT / "benchmarks" / "against_cases.py")]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question: str) -> Any:
        """Its answer, read from JSON."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(question, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a worker ended at '{question}'")
        return json.loads(line)


def run(commit: str, rounds: int = ROUNDS) -> Table:
    """Measure all cases that both versions have."""
    with tempfile.TemporaryDirectory() as name:
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", name, commit], check=True)
        try:
            before, now = Worker(Path(name)), Worker(ROOT)
            table = Table(f"Now against {commit}: shortest of {rounds} runs in turns, processor time")
            for case in now.ask("cases"):
                add(table, case, before, now, rounds)
        finally:
            subprocess.run([*git, "remove", "--force", name], check=False)
    return table


def add(table: Table, case: str, before: Worker, now: Worker, rounds: int) -> None:
    """One row."""
    failures = [worker.ask(f"prepare {case}") for worker in (before, now)]
    if any(failures):
        table.add(case=case, before_ms="-", now_ms="-", ratio=next(text for text in failures if text), verdict="not compared")
        return
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for k, worker in enumerate((before, now)):
            best[k] = min(best[k], worker.ask(f"measure {case}"))
    ratio = best[1] / best[0]
    table.add(case=case, before_ms=1e3 * best[0], now_ms=1e3 * best[1], ratio=ratio, verdict=verdict(ratio <= SLOWER))
    print(f"{case}: {ratio:.3f}", file=sys.stderr, flush=True)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    table = run(options.commit, options.rounds)
    print(table)
    return int(any(row["verdict"] == "not reached" for row in table.rows))


if __name__ == "__main__":
    sys.exit(main())
