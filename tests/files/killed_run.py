"""A run in a process of its own, to be killed: python killed_run.py MECHANISM FILE [resume]. Not a test itself."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import poinsot as po
from loops import four_bar
from mechanisms import spring_chain
from poinsot.files.runs import stream
from systems import chain

SETTINGS = {
    "tree": (lambda: chain(4, angle=1.0), {"duration": 2000.0, "step": 0.01, "formulation": "tree"}),
    "directors": (four_bar, {"duration": 800.0, "step": 0.01}),
    "adaptive": (lambda: chain(6, angle=1.0), {"duration": 2000.0, "output_step": 0.005}),
    "callback": (lambda: spring_chain(damped=True), {"duration": 300.0, "step": 0.01, "output_step": 0.02}),
}


def main(name, path, again):
    stream.PATIENCE, stream.SEGMENT = 0.05, 100_000
    make, settings = SETTINGS[name]
    system = make()
    print("ready", flush=True)
    if again:
        po.resume(path, system if name == "callback" else None)
    else:
        po.simulate(system, **settings, stream=path)
    print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], len(sys.argv) > 3)
