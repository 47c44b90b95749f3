"""Evaluate signals: value, rate and acceleration of every component."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.elements.call import call_address


@helper
def signal_at(signal, t, layout, out):
    """Fill out[: 3 size]: values, rates, accelerations. NaN when a user's function failed."""
    n = signal.size
    if signal.address >= 0:
        call_address(layout.addresses[signal.address], t, out[3 * n :], layout.values, out)
    else:
        times, pieces = signal.value, signal.pieces
        first, last = layout.values[times], layout.values[times + pieces]
        inside = min(max(t, first), last)
        j = 0
        while j < pieces - 1 and inside >= layout.values[times + j + 1]:
            j += 1
        x = inside - layout.values[times + j]
        still = 0.0 if t < first or t > last else 1.0
        base = times + pieces + 1 + j * (signal.degree + 1) * n
        for k in range(n):
            value, rate, bend = 0.0, 0.0, 0.0
            for power in range(signal.degree, -1, -1):
                bend = bend * x + 2.0 * rate
                rate = rate * x + value
                value = value * x + layout.values[base + power * n + k]
            out[k], out[n + k], out[2 * n + k] = value, still * rate, still * bend
