"""Resampling: the outputs that become frames, and the points of a curve that are kept."""

from __future__ import annotations

import base64

import numpy as np

POINTS = 1200  # largest number of points of a curve
SCATTERED = 800  # outputs of a long run that all its curves have
GOLDEN = 0.6180339887498949


def frame_indices(t: np.ndarray, most: int) -> np.ndarray:
    """Outputs that become frames: all of them, or `most` spread evenly over time; the first and the last are among them."""
    if len(t) <= most:
        return np.arange(len(t))
    wanted = np.linspace(t[0], t[-1], most)
    after = np.clip(np.searchsorted(t, wanted), 1, len(t) - 1)
    before = after - 1
    nearest = np.where(wanted - t[before] <= t[after] - wanted, before, after)
    return np.unique(np.concatenate([[0], nearest, [len(t) - 1]]))


def extremes(values: np.ndarray, most: int = POINTS) -> np.ndarray:
    """Points of a curve (n,) to keep: all, or the first, the last, and the lowest and highest of every interval, in order."""
    n = len(values)
    if n <= most:
        return np.arange(n)
    cuts = np.linspace(0, n, max(most // 2 - 1, 1) + 1).astype(int)
    safe = np.nan_to_num(values, nan=0.0)
    kept = [0, n - 1]
    for a, b in zip(cuts[:-1], cuts[1:]):
        piece = safe[a:b]
        kept += [a + int(piece.argmin()), a + int(piece.argmax())]
    return np.unique(kept)


def scattered(n: int, most: int = SCATTERED) -> np.ndarray:
    """At most `most` of n outputs, one in every interval but never at the same place in it, so that no period is in step with them."""
    k = np.arange(min(n, most))
    return k if n <= most else np.unique(np.concatenate([[0, n - 1], ((k + (k * GOLDEN) % 1.0) * n / most).astype(int)]))


def pack(values: np.ndarray, kind: str = "<f4") -> str:
    """Numbers as base64 text, 4 bytes each, or 8 with kind "<f8"; little-endian, row by row."""
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode("ascii")


def unpack(text: str, kind: str = "<f4") -> np.ndarray:
    """The inverse of `pack`."""
    return np.frombuffer(base64.b64decode(text), kind)
