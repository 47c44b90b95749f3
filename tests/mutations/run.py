"""Break the sources on purpose, one place at a time, and see the named test fail: `make mutate`.

    python tests/mutations/run.py [--only TEXT] [--jobs N]

Every mutation is made alone, in a copy of the sources; as many run side by side as there are cores. Kernels that a mutation does not reach are
not compiled again. At the end the tests that caught something are run on the sources as they are, where they must pass. A mutation that survives,
that no longer fits the sources, or that is caught by a test that fails anyway, is an error.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from bench import Bench, Outcome
from catalogue import MUTATIONS
from mutation import Mutation

PARTS = 6  # per job, of the tests on the sources as they are: short ones leave no job without work for long


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
            state = f"{self.done} of {self.count}, {self.failures} wrong"
            print(f"{state}, {spent:.0f} s, about {left:.0f} s to go", end="\r", flush=True)

    def line(self, text: str) -> None:
        """Print a line over the line of progress."""
        print(("\x1b[2K" if self.lively else "") + text, flush=True)


def again(bench: Bench, pool: ThreadPoolExecutor, jobs: int, caught: dict[str, Mutation], table: Table) -> None:
    """The tests that caught something, on the sources as they are, some parts of the files per job."""
    files, many = sorted({test.split("::")[0] for test in caught}), PARTS * jobs
    parts = [[test for test in caught if files.index(test.split("::")[0]) % many == k] for k in range(many)]
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
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts jobs in the background without, and tests need it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.perf_counter()
    chosen = [m for m in MUTATIONS if options.only in f"{m.file} {m.what}"]
    with tempfile.TemporaryDirectory(prefix="mutations-", ignore_cleanup_errors=True) as name:
        bench, caught = Bench(Path(name)), dict[str, Mutation]()
        print(f"{len(bench.kernels.index)} kernels of the sources as they are: {time.perf_counter() - began:.0f} s", flush=True)
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
        bench.close()
    table.line(f"{len(chosen)} mutations, {table.failures} wrong, {time.perf_counter() - began:.0f} s")
    return 1 if table.failures else 0


if __name__ == "__main__":
    sys.exit(main())
