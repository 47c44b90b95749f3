"""Break the sources on purpose, one place at a time, and see the named test fail: `make mutate`.

    python tests/mutations/run.py [--only TEXT] [--jobs N]

Every mutation is made in a copy of the sources. One that survives, or that no longer fits the sources, is an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from catalogue import MUTATIONS, Mutation

ROOT = Path(__file__).resolve().parents[2]


def attempt(mutation: Mutation) -> tuple[Mutation, str, float]:
    """Apply one mutation in a copy and run its test; returns a verdict and the seconds it took."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        copy = Path(name)
        for part in ("src", "tests", "examples"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        path = copy / "src" / "poinsot" / mutation.file
        text = path.read_text()
        if text.count(mutation.old) != 1:
            return mutation, f"does not fit: {text.count(mutation.old)} places", 0.0
        path.write_text(text.replace(mutation.old, mutation.new))
        environment = os.environ | {"PYTHONPATH": str(copy / "src"), "POINSOT_CACHE": str(copy / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("NUMBA_CACHE_DIR", None)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutation.test.split()]
        result = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    verdict = {0: "SURVIVED", 1: "caught"}.get(result.returncode, f"pytest stopped with {result.returncode}: {result.stdout[-300:]}")
    if verdict == "caught" and "AssertionError" not in result.stdout and "Error" not in result.stdout:
        verdict = "failed without an error"
    return mutation, verdict, time.perf_counter() - began


def main() -> int:
    """Run all mutations, or those whose description contains a text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="run the mutations whose description contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chosen = [m for m in MUTATIONS if options.only in f"{m.file} {m.what}"]
    failures = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for mutation, verdict, seconds in pool.map(attempt, chosen):
            failures += verdict != "caught"
            print(f"{verdict:10} {seconds:5.0f} s  {mutation.file}: {mutation.what}  [{mutation.test}]", flush=True)
    print(f"{len(chosen) - failures} of {len(chosen)} mutations caught")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
