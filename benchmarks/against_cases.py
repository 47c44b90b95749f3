"""The cases that `against.py` measures, by words of the interface that older versions have as well.

Reads questions from standard input and answers each with a line of JSON: `cases`, `prepare CASE`, `measure CASE`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from models import Chain, let_go, swung, system, zigzag

import poinsot as po

OPEN_METHODS = ("rk4", "dopri5", "dop853", "gauss1", "gauss2", "gauss3", "gauss4")
CLOSED_METHODS = ("energy-momentum", "energy-momentum-4", "energy-momentum-6")
STEP = 0.005  # s


def chain(n: int) -> po.System:
    """A chain of ball joints, let go in space."""
    return let_go(zigzag(n, 0.2))


def damped(n: int) -> po.System:
    """The same with springs and dampers in its joints, and a spring at its tip."""
    s = chain(n)
    for k in range(n):
        s.add(po.JointDamper(s[f"joint{k + 1}"], damping=5.0))
    ends = ((1.0, 0.0, -2.0 * n), (0.0, 0.0, -2.0 * n))
    s.add(po.Spring(s.ground, s[f"link{n}"], at=ends, stiffness=50.0, damping=1.0, length=1.0))
    return s


def revolute(n: int) -> po.System:
    """A chain of pins with axes x and y by turns."""
    s = system(Chain("revolute", n))
    for k in range(n):
        s[f"joint{k + 1}"].set(angle=0.2)
    return s


def four_bar() -> po.System:
    """A planar loop of three bars."""
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    corners = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.3), (0.8, 0.0, 0.6), (0.7, 0.0, 0.0))
    bars = [
        s.body(f"bar{k}", po.Rod(radius=0.02, mass=1.0), between=(corners[k], corners[k + 1])) for k in range(3)
    ]
    links = [s.ground, *bars, s.ground]
    for k in range(4):
        s.revolute(links[k], links[k + 1], at=corners[k], axis="y", name=f"pin{k}")
    return s


SYSTEMS: dict[str, tuple[Callable[[], po.System], float]] = {  # and how long it runs (s)
    "chain of 4": (lambda: chain(4), 10.0),
    "chain of 16": (lambda: chain(16), 2.0),
    "chain of 64": (lambda: chain(64), 0.5),
    "plane chain of 8": (lambda: let_go(swung(8, 0.1)), 5.0),
    "pins, 16": (lambda: revolute(16), 2.0),
    "damped chain of 8": (lambda: damped(8), 4.0),
}
Case = tuple[Callable[[], po.System], float, dict[str, Any]]
CLOSED = {**{name: SYSTEMS[name] for name in ("chain of 4", "chain of 64", "damped chain of 8")}, "four-bar": (four_bar, 2.0)}


def cases() -> dict[str, Case]:
    """System, duration (s) and settings by name."""
    found: dict[str, Case] = {}
    for name, (build, span) in SYSTEMS.items():
        for method in OPEN_METHODS:
            control = {"rtol": 1e-8, "atol": 1e-8} if method.startswith("dop") else {"step": STEP}
            found[f"{name}, tree, {method}"] = build, span, {"integrator": method, "formulation": "tree", **control}
    for name, (build, span) in CLOSED.items():
        for method in CLOSED_METHODS:
            found[f"{name}, directors, {method}"] = build, span, {"integrator": method, "formulation": "directors", "step": STEP}
    settings = {"integrator": "gauss3", "formulation": "moving-frame", "step": STEP}
    return {**found, "chain of 4, moving-frame, gauss3": (lambda: chain(4), 1.0, settings)}


CASES = cases()
READY: dict[str, Callable[[], Any]] = {}


def prepare(case: str) -> str:
    """Nothing, or why this version does not have the case."""
    build, span, settings = CASES[case]
    try:
        ready = po.prepare(build(), **settings)
        ready.run(span, output_step=span, progress=False)
    except (po.PoinsotError, TypeError, ValueError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    READY[case] = lambda: ready.run(span, output_step=span, progress=False)
    return ""


def measure(case: str) -> float:
    """Processor time of one run, s."""
    began = time.thread_time()
    READY[case]()
    return time.thread_time() - began


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        word, _, case = line.strip().partition(" ")
        answer = list(CASES) if word == "cases" else prepare(case) if word == "prepare" else measure(case)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
