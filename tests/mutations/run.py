"""Break the sources on purpose, one place at a time, and see the named test fail: `make mutate`.

    python tests/mutations/run.py [--only TEXT] [--jobs N]

Every mutation is made alone, in a copy of the sources; as many run side by side as there are cores. Kernels that a mutation does not reach are
not compiled again. At the end the tests that caught something are run on the sources as they are, where they must pass. A mutation that survives,
that no longer fits the sources, or that is caught by a test that fails anyway, is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from catalogue import MUTATIONS, Mutation
from dependents import Name, Uses
from kernels import Kernels

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 600.0  # s for one mutation
ONE_CORE = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Outcome(NamedTuple):
    """What became of one run of pytest: its exit code, the tests that failed, what it printed, and its cost."""

    code: int
    failed: list[str]
    printed: str
    seconds: float
    cpu: float


class Bench:
    """Makes copies of the project in a directory of its own and runs tests in them."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.uses = Uses(ROOT / "src" / "poinsot")
        self.kernels = Kernels(ROOT / "src" / "poinsot", directory / "kernels")
        self.running: set[int] = set()
        self.stopped = False

    def mutated(self, mutation: Mutation) -> str:
        """The text of the mutated file, or nothing when the mutation does not fit."""
        text = (self.uses.package / mutation.file).read_text()
        return text.replace(mutation.old, mutation.new) if text.count(mutation.old) == 1 else ""

    def reached(self, mutation: Mutation) -> set[Name]:
        """The definitions that a mutation reaches."""
        return self.uses.dependents(mutation.file, self.mutated(mutation))

    def attempt(self, mutation: Mutation) -> tuple[str, Outcome]:
        """Apply one mutation in a copy and run its test: a verdict, and how it came about."""
        outcome = self.pytest(["-x", *mutation.test.split()], mutation)
        if outcome.code not in (0, 1):
            return "BROKEN", outcome
        return ("caught" if outcome.code and outcome.failed else "SURVIVED"), outcome

    def pytest(self, arguments: list[str], mutation: Mutation | None = None) -> Outcome:
        """Run pytest in a copy of the project."""
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=self.directory, ignore_cleanup_errors=True) as name:
            copy = Path(name)
            for part in ("src", "tests", "examples", "docs", "tools", "benchmarks"):
                shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            for path in (path for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".")):
                shutil.copy(path, copy)
            if mutation:
                (copy / "src" / "poinsot" / mutation.file).write_text(self.mutated(mutation))
            self.kernels.give(copy / "src" / "poinsot", copy / "cache", self.reached(mutation) if mutation else set())
            places = {"PYTHONPATH": str(copy / "src"), "NUMBA_CACHE_DIR": str(copy / "cache"), "TMPDIR": str(copy / "tmp")}
            (copy / "tmp").mkdir()
            command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:xdist", *arguments]
            code, cpu = self.run(command, copy, os.environ | places | ONE_CORE | {"PYTHONDONTWRITEBYTECODE": "1"})
            failed = copy / ".pytest_cache" / "v" / "cache" / "lastfailed"
            names = list(json.loads(failed.read_text())) if failed.exists() else []
            printed = (copy / "printed").read_text(errors="replace")
        return Outcome(code, names, printed, time.perf_counter() - began, cpu)

    def run(self, command: list[str], copy: Path, environment: dict[str, str]) -> tuple[int, float]:
        """Run a command to its end, with patience: its exit code, and the seconds that it and its children computed."""
        with (copy / "printed").open("w") as printed:
            process = subprocess.Popen(
                command, cwd=copy, env=environment, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
            )
            self.running.add(process.pid)
            if self.stopped:
                self.end(process.pid)
            timer = threading.Timer(PATIENCE, self.end, (process.pid,))
            timer.start()
            _, status, used = os.wait4(process.pid, 0)
            timer.cancel()
            self.running.discard(process.pid)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, used.ru_utime + used.ru_stime

    def end(self, process: int) -> None:
        """End a run of pytest with all that it started."""
        if process in self.running:
            os.killpg(process, signal.SIGKILL)

    def stop(self) -> None:
        """End everything."""
        self.stopped = True
        for process in list(self.running):
            self.end(process)


class Table:
    """One line per mutation as it is done, and in a terminal a line of progress below."""

    def __init__(self, count: int):
        self.count, self.done, self.failures, self.began = count, 0, 0, time.perf_counter()
        self.lively = sys.stdout.isatty()
        print(f"{'verdict':10}{'s':>6}{'CPU s':>7}  mutation  [caught by]")

    def add(self, mutation: Mutation, verdict: str, outcome: Outcome) -> None:
        """A line; with what pytest printed if something went wrong."""
        self.done += 1
        self.failures += verdict != "caught"
        by = outcome.failed[0] if verdict == "caught" else mutation.test
        self.line(f"{verdict:10}{outcome.seconds:6.1f}{outcome.cpu:7.1f}  {mutation.file}: {mutation.what}  [{by}]")
        if verdict == "BROKEN":
            self.line(f"    pytest ended with {outcome.code}: {outcome.printed[-600:]}")
        if self.lively:
            spent = time.perf_counter() - self.began
            left = spent / self.done * (self.count - self.done)
            print(f"{self.done} of {self.count}, {self.failures} wrong, {spent:.0f} s, about {left:.0f} s to go", end="\r", flush=True)

    def line(self, text: str) -> None:
        """Print a line over the line of progress."""
        print(("\x1b[2K" if self.lively else "") + text, flush=True)


def again(bench: Bench, pool: ThreadPoolExecutor, jobs: int, caught: dict[str, Mutation], table: Table) -> None:
    """The tests that caught something, on the sources as they are, one part of the files per job."""
    files = sorted({test.split("::")[0] for test in caught})
    parts = [[test for test in caught if files.index(test.split("::")[0]) % jobs == k] for k in range(jobs)]
    for outcome in pool.map(bench.pytest, [part for part in parts if part]):
        for test in outcome.failed:
            table.failures += 1
            table.line(f"{'USELESS':10}{'':13}  {test} fails without a mutation too")
        if outcome.code not in (0, 1) or (outcome.code and not outcome.failed):
            table.failures += 1
            table.line(f"pytest ended with {outcome.code} on the sources as they are: {outcome.printed[-600:]}")


def main() -> int:
    """Run all mutations, or those whose description contains a text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run the mutations whose description contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options: Any = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.perf_counter()
    chosen = [m for m in MUTATIONS if options.only in f"{m.file} {m.what}"]
    with tempfile.TemporaryDirectory(prefix="mutations-", ignore_cleanup_errors=True) as name:
        bench, caught = Bench(Path(name)), {}
        print(f"kernels of the sources as they are: {time.perf_counter() - began:.0f} s")
        fitting = [m for m in chosen if bench.mutated(m)]
        fitting.sort(key=lambda m: bench.kernels.size(bench.reached(m)), reverse=True)
        table = Table(len(chosen))
        for mutation in (m for m in chosen if m not in fitting):
            table.add(mutation, "UNFIT", Outcome(0, [], "", 0.0, 0.0))
        with ThreadPoolExecutor(options.jobs) as pool:
            try:
                waiting = {pool.submit(bench.attempt, mutation): mutation for mutation in fitting}
                for future in as_completed(waiting):
                    verdict, outcome = future.result()
                    table.add(waiting[future], verdict, outcome)
                    caught |= dict.fromkeys(outcome.failed if verdict == "caught" else (), waiting[future])
                again(bench, pool, options.jobs, caught, table)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                bench.stop()
                raise
    table.line(f"{len(chosen)} mutations, {table.failures} wrong, {time.perf_counter() - began:.0f} s")
    return 1 if table.failures else 0


if __name__ == "__main__":
    sys.exit(main())
