"""Copies of the project in which one place is mutated, and runs of pytest in them."""

from __future__ import annotations

import compileall
import json
import os
import queue
import shlex
import shutil
import signal
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dependents import Name, Uses
from kernels import Kernels
from mutation import Mutation
from preloaded import Preloaded

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("src", "tests", "examples", "docs", "benchmarks")
PATIENCE = 600.0  # s for one run of pytest
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
        self.directory, self.plain = directory, directory / "plain"
        for part in PARTS:  # what is edited meanwhile does not count
            shutil.copytree(ROOT / part, self.plain / part, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (path for path in ROOT.iterdir() if path.is_file()):
            shutil.copy(path, self.plain)
        self.uses = Uses(self.plain / "src" / "poinsot")
        self.kernels = Kernels(ROOT / "src" / "poinsot", directory / "kernels")
        compileall.compile_dir(self.plain / "src", quiet=2)
        self.running: set[int] = set()
        self.stopped = False
        self.servers: queue.SimpleQueue[Preloaded] = queue.SimpleQueue()  # those with nothing to do

    def mutated(self, mutation: Mutation) -> str:
        """The text of the mutated file, or nothing when the mutation does not fit."""
        path = self.uses.package / mutation.file
        text = path.read_text() if path.is_file() else ""
        new = text.replace(mutation.old, mutation.new) if text.count(mutation.old) == 1 else ""
        try:
            compile(new, mutation.file, "exec")
        except SyntaxError:
            return ""
        return new

    def reached(self, mutation: Mutation) -> set[Name]:
        """The definitions that a mutation reaches."""
        return self.uses.dependents(mutation.file, self.mutated(mutation))

    def attempt(self, mutation: Mutation) -> tuple[str, Outcome]:
        """Apply one mutation in a copy and run its test: a verdict, and how it came about."""
        outcome = self.pytest(["-x", *shlex.split(mutation.test)], mutation)
        if outcome.code not in (0, 1):
            return "BROKEN", outcome
        return ("caught" if outcome.code and outcome.failed else "SURVIVED"), outcome

    def pytest(self, arguments: list[str], mutation: Mutation | None = None) -> Outcome:
        """Run pytest in a copy of the project."""
        began = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=self.directory, ignore_cleanup_errors=True) as name:
            copy = Path(name) / "project"
            shutil.copytree(self.plain, copy, copy_function=os.link)  # tests do not write to what they read
            if mutation:
                path = copy / "src" / "poinsot" / mutation.file
                shutil.rmtree(path.parent / "__pycache__")
                path.unlink()
                path.write_text(self.mutated(mutation))
            self.kernels.give(copy / "src" / "poinsot", copy / "cache", self.reached(mutation) if mutation else set())
            places = {
                "PYTHONPATH": str(copy / "src"),
                "NUMBA_CACHE_DIR": str(copy / "cache"),
                "TMPDIR": str(copy / "tmp"),
            }
            (copy / "tmp").mkdir()
            options = ["-q", "--tb=short", "-p", "no:xdist", *arguments]
            code, cpu = self.run(options, copy, os.environ | places | ONE_CORE | {"PYTHONDONTWRITEBYTECODE": "1"})
            failed = copy / ".pytest_cache" / "v" / "cache" / "lastfailed"
            names = list(json.loads(failed.read_text())) if failed.exists() else []
            printed = (copy / "printed").read_text(errors="replace")
        return Outcome(code, names, printed, time.perf_counter() - began, cpu)

    def run(self, options: list[str], copy: Path, environment: dict[str, str]) -> tuple[int, float]:
        """Run pytest to its end, with patience: its exit code, and the seconds that it and its children computed."""
        try:
            server = self.servers.get_nowait()
        except queue.Empty:
            server = Preloaded(os.environ | ONE_CORE)
        (copy / "printed").touch()  # a run that is ended at once has printed nothing
        process = server.begin(options, copy, environment, copy / "printed")
        self.running.add(process)
        if self.stopped:
            self.end(process)
        timer = threading.Timer(PATIENCE, self.end, (process,))
        timer.start()
        code, cpu = server.wait()
        timer.cancel()
        self.running.discard(process)
        self.servers.put(server)
        return code, cpu

    def end(self, process: int) -> None:
        """End a run of pytest with all that it started."""
        try:
            os.killpg(process, signal.SIGKILL)
        except ProcessLookupError:  # it has ended, or has no group of its own yet
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def stop(self) -> None:
        """End everything."""
        self.stopped = True
        for process in list(self.running):
            self.end(process)

    def close(self) -> None:
        """End the servers that have nothing to do."""
        while not self.servers.empty():
            self.servers.get().end()
