"""Random sequences of public calls, some of their arguments wild; run as a program in a process of its own.

`python call_sequences.py FIRST LAST` runs the sequences of these seeds and prints, as JSON, how often each outcome occurred
up and what broke the rule: a call returns, or raises an error of the package, or one in words from its guard.
"""

import faulthandler
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import poinsot as po
from poinsot.formulations.registry import names
from random_calls import VARIANTS, Calls
from systems import stiff_runs

SECONDS = 5.0  # s of processor time that a call may take
MEGABYTES = 500  # by which the memory of the process may grow in a sequence
STUCK = 60  # s after which the process ends itself, whatever it does
HOME = str(Path(po.__file__).parent)
GUARDS = ("model/guard.py", "model/words.py")
def judged(error):
    """The outcome of a call that raised, or why it breaks the rule."""
    if isinstance(error, po.PoinsotError):
        return type(error).__name__ if str(error).strip() else "FAULT empty message"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(HOME)]
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    if isinstance(error, TypeError | AttributeError) and last.endswith(GUARDS):
        return type(error).__name__
    if isinstance(error, AttributeError) and ("has no" in str(error) or "is driven by" in str(error)) and last.startswith(HOME):
        return "AttributeError"
    if isinstance(error, KeyError) and "there is no joint coordinate" in str(error):
        return "KeyError"
    if not frames and isinstance(error, AttributeError | TypeError):
        return "not a call"  # of something wild instead of an element
    where = f"{os.path.relpath(frames[-1].filename, HOME)}:{frames[-1].lineno}" if frames else "outside"
    return f"FAULT {type(error).__name__} at {where}: {str(error)[:200]}"


class TooLong(BaseException):
    """A call took longer than it may."""


def out_of_time(number, frame):
    raise TooLong


def run_sequence(seed, folder, count):
    """Run one sequence; returns what broke the rule."""
    found, calls = [], Calls(seed, Path(folder))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k, call in enumerate(calls.steps()):
        calls.number_of_system = calls.random.randrange(2)
        faulthandler.dump_traceback_later(STUCK, exit=True)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        began = time.process_time()
        try:
            call()
            outcome = "returned"
        except TooLong:
            outcome = f"FAULT more than {SECONDS} s in {call.__name__}"
        except Exception as error:
            outcome = judged(error)
            if outcome.startswith("FAULT") and "-v" in sys.argv:
                traceback.print_exc()
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        if "-v" in sys.argv:
            print(k, call.__name__, outcome, round(time.process_time() - began, 2), file=sys.stderr)
        kind = f"{call.__name__}: {outcome[:5] if outcome.startswith('FAULT') else outcome}"
        count[kind] = count.get(kind, 0) + 1
        if outcome.startswith("FAULT"):
            found.append({"seed": seed, "call": k, "of": call.__name__, "fault": outcome})
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    if grown > MEGABYTES:
        found.append({"seed": seed, "fault": f"FAULT grew by {grown:.0f} MB"})
    return found


def warm_up():
    """Everything that is compiled or imported once, before calls are timed."""
    for plane in (None, "xz"):
        s = po.System("warm", gravity=None, plane=plane)
        first, second = ((0, 0, 0), (1, 0, 0)) if plane is None else ((0, 0), (1, 0))
        body = s.body("a", po.Rod(0.1, mass=1.0), between=(first, second))
        joint = s.revolute(s.ground, body, at=first, axis="y" if plane is None else None)
        joint.set(rate=1.0)
        s.add(po.Motor(joint, 1.0))
        for formulation, integrator in (("tree", "gauss4"), ("tree", "gauss2"), ("tree", "rk4"), ("moving-frame", "gauss4"), ("directors", "auto")):
            run = po.simulate(s, 0.02, step=0.01, formulation=formulation, integrator=integrator)
            assert run.audit and run["a"].acceleration.size
        po.simulate(s, 0.02)
        for formulation in ("rotation-matrix", "newton-euler", *VARIANTS):
            run = po.simulate(s, 0.02, formulation=formulation)
            assert run.audit and run["a"].acceleration.size
        _ = run.plot(), run.snapshots(2), run.to_xarray(), run.to_dataframe()
        for formulation in names():
            po.dynamics(s, formulation).reactions()
        s.add(po.Distance(body, s.ground, at=(second, first)))
        s.check()
    stiff_runs()
    s = po.System("warm", gravity=None)
    joint = s.revolute(s.ground, s.body("a", po.Sphere(0.1, mass=1.0)), at=(0, 0, 0), axis="y")
    s.add(po.Motion(joint.angle, po.signals.step(0, 1, 1)))
    po.simulate(s, 0.02, step=0.01)
    for formulation in ("rotation-matrix", "newton-euler"):
        assert po.simulate(s, 0.02, formulation=formulation)["a"].acceleration.size


def main(first, last):
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    signal.signal(signal.SIGPROF, out_of_time)
    warnings.simplefilter("ignore")
    count, found = {}, []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        warm_up()
        for seed in range(first, last):
            print(f"seed {seed}", file=sys.stderr, flush=True)
            found += run_sequence(seed, folder, count)
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps({"count": count, "found": found}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
