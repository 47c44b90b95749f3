"""Find where a function of time is not smooth: jumps in its value, rate or acceleration, by differences on ever finer grids.

On a grid of spacing h the fourth difference of a smooth function scales with h^4, and with h^k where derivative k jumps. So the
places with the largest fourth differences are sampled with half the spacing repeatedly, and the exponent is read off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

POINTS = 257  # least number of points of the first grid
MOST = 20_001  # largest number of points
PLACES = 4  # number of places with the largest differences that are refined
HALVINGS = 20  # largest number of halvings of the spacing
NOISE = 1e-8  # relative to the signal's range: smaller differences are ignored
FOURTH = np.array([1.0, -4.0, 6.0, -4.0, 1.0])


@dataclass(frozen=True)
class Break:
    """At a time (s) derivative `order` jumps: 0 the value, 1 the rate, 2 the acceleration."""

    t: float
    order: int


def find_break(function: Callable[[float], np.ndarray], begin: float, end: float, points: int = 0) -> Break | None:
    """The worst jump found between two times (s) on a grid of at least this many points; None: none, or the function fails."""
    try:
        return _search(function, np.linspace(begin, end, min(max(points, POINTS), MOST)))
    except Exception:  # the run reports it, if it gets there
        return None


def _search(function: Callable[[float], np.ndarray], grid: np.ndarray) -> Break | None:
    values = np.array([function(t) for t in grid])
    extent = np.ptp(values, axis=0)
    extent[extent <= 1e-12 * np.abs(values).max(initial=1e-300)] = np.inf  # constants have no jumps
    rough = _roughness(values, extent)
    found = []
    for k in _peaks(rough)[:PLACES]:
        place = _refine(function, grid[k + 2], grid[1] - grid[0], rough[k], extent)
        found += [place] if place is not None else []
    return min(found, key=lambda place: place.order, default=None)


def _roughness(values: np.ndarray, extent: np.ndarray) -> np.ndarray:
    """Fourth differences at all inner points, of the component with the largest, relative to its range."""
    fourth = sum(c * values[k : len(values) - 4 + k] for k, c in enumerate(FOURTH))
    return np.asarray(np.abs(fourth / extent).max(axis=1))


def _peaks(rough: np.ndarray) -> list[int]:
    """Indices of the local maxima, the largest first."""
    padded = np.concatenate([[-1.0], rough, [-1.0]])
    peaks = np.nonzero((padded[1:-1] >= padded[:-2]) & (padded[1:-1] > padded[2:]))[0]
    return [int(k) for k in peaks[np.argsort(-rough[peaks], kind="stable")]]


def _refine(
    function: Callable[[float], np.ndarray], t: float, h: float, rough: float, extent: np.ndarray
) -> Break | None:
    """Follow the largest difference around t to ever smaller spacings."""
    sizes = [rough]
    for _ in range(HALVINGS):
        h /= 2
        if h <= 1e-13 * abs(t):
            break
        places = t + h * np.arange(-6, 7)
        around = _roughness(np.array([function(place) for place in places]), extent)
        best = int(np.argmax(around))
        if around[best] < NOISE:
            break
        t = float(places[best + 2])
        sizes.append(float(around[best]))
    if len(sizes) < 4:
        return None
    exponent = float(np.median(np.log2(np.array(sizes[-4:-1]) / np.array(sizes[-3:]))))
    order = round(max(exponent, 0.0))
    return Break(t, order) if order <= 2 else None
