"""Loads damaged files and uses them in every way, in a process of its own: python damage_worker.py FOLDER FIRST LAST. Not a test itself.

Prints one line of JSON per file. A file is either reported as damaged (FileError) or read to the bit. A case that takes too long ends the process.
"""

import faulthandler
import json
import random
import resource
import sys
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from typer.testing import CliRunner

import poinsot as po
from files.damage import RESEALED, damaged
from poinsot.cli import app

SECONDS, MEGABYTES = 5.0, 500.0  # of one file, at most
STUCK = 120.0  # s after which a process that does nothing is ended, on whatever machine


def everything(run):
    """All numbers of a run, by name."""
    found = {"t": run.t, "raw": run.raw, "motion": run.motion, "loads": run.loads, "energy": run.energy}
    found |= {f"{name}.position": run[name].position for name in ("rod1", "rod2")}
    found |= {"force": run["pin"].force, "effort": run["spring"].effort, "state": run.state().coordinates}
    return {name: np.array(value) for name, value in found.items()} | {"audit": np.array(words(run)), "model": np.array(run.system.to_yaml())}


def words(run):
    """The audit without what differs from run to run."""
    return json.dumps({name: value for name, value in run.audit.to_dict().items() if name != "seconds"})


def same(found, expected):
    return all(np.array_equal(found[name], expected[name], equal_nan=found[name].dtype.kind == "f") for name in expected)


def used(path, out, draw):
    """Load a file and use it in every way that this case draws; the numbers."""
    run = po.load(path)
    found = everything(run)
    repr(run)
    if draw.random() < 0.1:
        run.write_html(out / "page.html")
    if draw.random() < 0.05:
        run.plot().savefig(out / "plot.svg")
        run.to_dataframe()
    return found


def commanded(path, out, draw):
    """The same by commands; their exit code and what they print."""
    command = draw.choice([["info"], ["info", "--json"], ["view", "--no-open", "-o", str(out / "view.html")], ["resume"]])
    done = CliRunner().invoke(app, [command[0], str(path), *command[1:]])
    if done.exit_code not in (0, 2) or (done.exit_code == 2 and "FileError" not in done.output and "Error: " not in done.output):
        raise AssertionError(f"{command}: exit code {done.exit_code}, {done.output}") from done.exception


def attempt(what, path, doing, *arguments):
    """The outcome: a result, or None when the file was reported as damaged."""
    try:
        return doing(*arguments)
    except po.PoinsotError as error:
        if RESEALED not in what and not (isinstance(error, po.FileError) and path.name in str(error)):
            raise
    return None


def case(seed, whole, expected, folder):
    """One damaged file, used in every way."""
    draw = random.Random(seed)
    path = folder / "case.h5"
    base, what = damaged(draw, whole, path)
    began, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = {"seed": seed, "what": f"{base.name}: {what}", "told": True}
    try:
        found = attempt(what, path, used, path, folder, draw)
        if found is not None:
            result["told"] = False
            if RESEALED not in what and not same(found, expected[base.name]):
                result["failure"] = "loads as other numbers"
        if draw.random() < 0.1:
            commanded(path, folder, draw)
        if draw.random() < 0.3 and RESEALED not in what:
            run = attempt(what, path, po.resume, path)
            if run is not None and not same(everything(run), expected["finished " + base.name]):
                result["failure"] = "goes on with other numbers"
        if draw.random() < 0.1:
            attempt(what, path, po.load(whole[0]).save, path)
    except Exception:
        result["failure"] = traceback.format_exc()[-1500:]
    result["seconds"] = time.process_time() - began
    result["MB"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    if result["seconds"] > SECONDS or result["MB"] > MEGABYTES:
        result.setdefault("failure", f"{result['seconds']:.1f} s, {result['MB']:.0f} MB")
    return result


def main(folder, first, last):
    warnings.simplefilter("ignore")
    whole = sorted((folder / "whole").iterdir())
    expected = {path.name: everything(po.load(path)) for path in whole}
    for path in whole:  # compiles and imports what is needed, before anything is measured
        copy = folder / "case.h5"
        copy.write_bytes(path.read_bytes())
        expected["finished " + path.name] = everything(po.resume(copy))
    po.load(whole[0]).write_html(folder / "page.html")
    po.load(whole[0]).plot().savefig(folder / "plot.svg")
    CliRunner().invoke(app, ["info", str(whole[0])])
    for seed in range(first, last):
        faulthandler.dump_traceback_later(STUCK, exit=True)
        print(json.dumps(case(seed, whole, expected, folder)), flush=True)
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
