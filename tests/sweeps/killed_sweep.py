"""A sweep in a process of its own, to be killed: python killed_sweep.py PATH ENGINE."""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import poinsot as po  # noqa: E402
from systems import oscillator  # noqa: E402

MASSES = np.linspace(1.0, 2.0, 400)
RECORD = [po.last("slide.displacement"), po.mean("energy"), "slide.displacement"]


def slowly(run):
    time.sleep(0.01)
    return run.energy[-1]


def start(path, engine, record=slowly):
    s = oscillator(damping=0.1)
    s["slide"].set(displacement=1.0)
    return po.sweep(s, {"mass.mass": MASSES}, 0.4, step=0.02, record=[*RECORD, record], stream=path, engine=engine, workers=2)


if __name__ == "__main__":
    start(sys.argv[1], sys.argv[2])
