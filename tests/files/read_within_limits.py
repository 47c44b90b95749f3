"""Reads, checks and runs model files within limits of time and memory: hostile ones, or mutated ones by their numbers.

Usage: read_within_limits.py results hostile | read_within_limits.py results first count

Writes a line to `results` for every file that breaks a limit, and at the end prints how often each outcome occurred.
"""

import faulthandler
import json
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
from hostile_models import HOSTILE
from mutated_models import mutated, originals

import poinsot as po
from poinsot.files.models.read_write import read_text
from systems import stiff_runs

SECONDS = 5  # of the processor, for reading, for checking, and for running
MEGABYTES = 500
WALL = 120  # s: longer than this a file takes only in a loop that no signal reaches


class TooLong(BaseException):
    """A file took more than its seconds."""


def too_long(*_):
    raise TooLong


def files(kind, first=0, count=0):
    """Names of files, their contents, and what must be said about them: "" for anything, None for nothing."""
    if kind == "mutated":
        yield from ((seed, mutated(seed), "") for seed in range(int(first), int(first) + int(count)))
    for name, (text, words) in HOSTILE.items() if kind == "hostile" else ():
        yield name, text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"), words


def stages(path, words, outcomes):
    """Read, check and run one file; yields the name of each stage before it begins."""
    yield "read"
    try:
        system = po.read(path)
    except po.PoinsotError as error:
        assert isinstance(error, po.ModelError | po.FileError)
        assert all(fault.startswith(str(path)) for fault in getattr(error, "faults", [str(error)])), str(error)
        assert str(error).replace("\n", "").isprintable(), ascii(str(error))
        assert len(str(error)) < 100_000
        assert words is not None and words in str(error), str(error)
        outcomes["refused"] += 1
        return
    yield "check"
    check = system.check()
    assert (words or "") in str(check), str(check)
    if not check.ok:
        outcomes["faulty"] += 1
        return
    yield "write"
    text = system.to_yaml()
    assert read_text(text).to_yaml() == text
    yield "run"
    try:
        run = po.simulate(system, duration=0.02, step=0.01, progress=False)
        outcomes["ran"] += 1
    except po.PoinsotError as error:
        outcomes[f"run: {type(error).__name__}"] += 1
        return
    yield "results"
    assert all(np.all(np.isfinite(np.asarray(part))) for part in (run.raw, run.energy)), "not finite"
    assert "nan" not in str(run.audit)


def attempt(path, words, outcomes):
    """The limit that a file breaks, or None."""
    stage = ""
    try:
        begin = time.process_time()
        for name in stages(path, words, outcomes):
            stage = name
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
    except TooLong:
        return f"{stage}: took more than {SECONDS} s"
    except Exception as error:
        return f"{stage}: {type(error).__name__}: {ascii(str(error))[:500]}\n{traceback.format_exc()[-1500:]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    outcomes["seconds"] = max(outcomes["seconds"], time.process_time() - begin)
    return None


def warm_up():
    """Compile what is needed before time and memory are counted, also for runs that fail."""
    failing = [mutated(seed).decode() for seed in (10039, 15340)]
    for text in [*(text for text, _ in originals()), *failing]:
        with suppress(po.PoinsotError):
            po.simulate(read_text(text), duration=0.02, step=0.01, progress=False)
    stiff_runs()


def main(results, *which):
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", RuntimeWarning)  # of NumPy: numbers that ran out of range
    signal.signal(signal.SIGPROF, too_long)
    warm_up()
    outcomes = Counter()
    log = Path(results)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.yaml"
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        for name, content, words in files(*which):
            path.write_bytes(content)
            log.with_suffix(".now").write_text(str(name))
            faulthandler.dump_traceback_later(WALL, exit=True)
            resource.setrlimit(resource.RLIMIT_AS, (used + len(content) + MEGABYTES * 2**20, resource.RLIM_INFINITY))
            wrong = attempt(path, words, outcomes)
            faulthandler.cancel_dump_traceback_later()
            if wrong:
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"file": name, "wrong": wrong}) + "\n")
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main(*sys.argv[1:])
