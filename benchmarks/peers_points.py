"""Measured points of a comparison of programs: error and time of every setting, and which setting reaches an accuracy soonest."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from peer_method import Method, Prepared
from peer_models import Mechanism, errors, gap
from timing import shortest_within

ALIKE, SAME = 6, 1.1  # so many settings in succession whose errors differ by less than this factor: finer ones do not help
DISASTER = 10.0  # errors from here on are those of failures


@dataclass
class Point:
    """One setting of a method: errors as of `peer_models`, processor time of a run in s, for Poinsot also that of the time loop."""

    method: Method
    setting: float
    ready: Prepared
    error: float
    velocity: float
    gap: float
    seconds: float = float("inf")
    loop: float = float("inf")

    @property
    def program(self) -> str:
        """Whose it is."""
        return self.method.program

    def march(self) -> None:
        """Run once, note how long the loop took."""
        self.ready.march()
        if self.ready.loop is not None:
            self.loop = min(self.loop, self.ready.loop())


@dataclass
class Walk:
    """Points from coarse to fine; whether finer settings would not help (`stuck`); what the last failure said."""

    points: list[Point]
    stuck: bool = False
    failure: str = ""


def walk(method: Method, m: Mechanism, exact: np.ndarray, finest: float, longest: float) -> Walk:
    """Until an error is below `finest`, a run takes `longest` (s), errors stay, or there are no finer settings. A setting that fails has no point."""
    found = Walk([])
    attempt(method, method.settings[0])  # compiles
    for setting in method.settings:
        began = time.thread_time()
        ready, motion, failure = attempt(method, setting)
        took = time.thread_time() - began
        if ready is None or motion is None:
            found.failure = failure
        else:
            error, velocity = errors(motion, exact)
            if error < DISASTER:
                found.points.append(Point(method, setting, ready, error, velocity, gap(m, motion)))
        last = [point.error for point in found.points[-ALIKE:]]
        if len(last) == ALIKE and max(last) < SAME * min(last):
            break
        if took > longest or (last and last[-1] <= finest):
            return found
    found.stuck = True
    return found


def attempt(method: Method, setting: float) -> tuple[Prepared | None, np.ndarray | None, str]:
    """A run with a setting, or what the program says when it gives up."""
    try:
        ready = method.make(setting)
        return ready, ready.motion(), ""
    except Exception as error:  # programs raise errors of their own kinds when steps are too large
        return None, None, f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"


def measure(points: Sequence[Point], rounds: int, budget: float) -> None:
    """Times, in turns."""
    for point, seconds in zip(points, shortest_within([point.march for point in points], rounds, budget)):
        point.seconds = seconds


def able(points: Iterable[Point], accuracy: float) -> list[Point]:
    """Points within an accuracy whose finer neighbours of the same method are so, too: no lucky ones."""
    found, methods = [], {}
    for point in points:
        methods.setdefault(id(point.method), []).append(point)
    for same in methods.values():
        for point in reversed(same):
            if point.error > accuracy:
                break
            found.append(point)
    return found


def soonest(points: Iterable[Point], accuracy: float) -> Point | None:
    """The fastest of those; None if there is none."""
    return min(able(points, accuracy), key=lambda point: point.seconds, default=None)


def front(points: Iterable[Point], what: str = "error") -> list[Point]:
    """In the order of their times, points with smaller errors than all faster ones."""
    found: list[Point] = []
    for point in sorted(points, key=lambda point: point.seconds):
        if not found or getattr(point, what) < getattr(found[-1], what):
            found.append(point)
    return found
