"""Contacts of stops: when a coordinate was beyond a limit, found from the outputs of a run.

Between two outputs a coordinate is the cubic with the values and rates there; so contacts that begin and end between two outputs are found as
well, as long as the cubic shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poinsot.model.forces import Stop

if TYPE_CHECKING:
    from poinsot.results.trajectory import Samples

ROUNDING = 1e-12  # of an interval between outputs: roots nearer to each other are one


@dataclass(frozen=True)
class Contact:
    """A coordinate beyond a limit of a stop.

    Attributes
    ----------
    stop : name of the stop
    side : "lower" or "upper"
    t : when the limit was passed, s; the start of the run where it began beyond
    end : when it came back, s; None where the run ends beyond
    depth : the largest distance from the limit, rad or m
    """

    stop: str
    side: str
    t: float
    end: float | None
    depth: float

    def __str__(self) -> str:
        until = "the end of the run" if self.end is None else f"{self.end:.6g} s"
        return f"{self.stop}: beyond its {self.side} limit from {self.t:.6g} s to {until}, by up to {self.depth:.3g}"


def contacts_of(run: Samples, stop: Stop) -> list[Contact]:
    """All contacts of a stop in order."""
    joint, motion = stop.joint.name, stop.motions()[0]
    name, rate_name = stop.joint.names[motion], stop.joint.rate_names[motion]
    blocks = run.blocks() if hasattr(run, "blocks") else [run]  # of long runs, which do not fit into memory
    parts = [(b.t, getattr(b[joint], name), getattr(b[joint], rate_name)) for b in blocks]
    t, x, rate = (np.concatenate([np.atleast_1d(part[k]) for part in parts]) for k in range(3))
    found = [*_beyond(t, x - stop.upper, rate, stop.name, "upper"), *_beyond(t, stop.lower - x, -rate, stop.name, "lower")]
    return sorted(found, key=lambda contact: contact.t)


def _beyond(t: np.ndarray, d: np.ndarray, rate: np.ndarray, name: str, side: str) -> list[Contact]:
    """Contacts where d (n,) is positive; `rate` its derivative."""
    found: list[Contact] = []
    begin = float(t[0]) if len(t) and d[0] > 0 else None
    depth = max(float(d[0]), 0.0) if len(t) else 0.0
    for k in range(len(t) - 1):
        h = float(t[k + 1] - t[k])
        reach = abs(rate[k]) + abs(rate[k + 1])
        if max(d[k], d[k + 1]) + 0.25 * h * reach < 0:
            continue  # a cubic is at most this far above its ends
        up, a, b = d[k + 1] - d[k], h * rate[k], h * rate[k + 1]
        cubic = np.array([a + b - 2 * up, 3 * up - 2 * a - b, a, d[k]])
        turning = [float(s) for s in _roots(np.polyder(cubic)) if 0 < s < 1]
        for s in [*_crossings(cubic, turning), 1.0]:
            inside = [float(np.polyval(cubic, u)) for u in (*turning, s) if u <= s]
            if begin is not None:
                depth = max(depth, *inside)
            if s == 1.0:
                continue
            if begin is None:
                begin, depth = float(t[k] + s * h), 0.0
            else:
                found.append(Contact(name, side, begin, float(t[k] + s * h), depth))
                begin, depth = None, 0.0
    return [*found, Contact(name, side, begin, None, depth)] if begin is not None else found


def _crossings(cubic: np.ndarray, turning: list[float]) -> list[float]:
    """Where a cubic changes its sign between 0 and 1, by bisection between its turning points."""
    ends, found = [0.0, *sorted(turning), 1.0], []
    for a, b in zip(ends[:-1], ends[1:]):
        if (np.polyval(cubic, a) > 0) == (np.polyval(cubic, b) > 0):
            continue
        low, high, sign = a, b, np.polyval(cubic, a) > 0
        while high - low > ROUNDING:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if (np.polyval(cubic, middle) > 0) == sign else (low, middle)
        found.append(min(0.5 * (low + high), 1.0 - ROUNDING))
    return found


def _roots(quadratic: np.ndarray) -> list[float]:
    """Real roots of a quadratic."""
    a, b, c = (float(x) for x in quadratic)
    if a == 0.0:
        return [] if b == 0.0 else [-c / b]
    inside = b * b - 4 * a * c
    if inside < 0:
        return []
    q = -0.5 * (b + np.copysign(np.sqrt(inside), b))
    return [q / a, *([c / q] if q != 0.0 else [])]
