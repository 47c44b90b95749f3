"""Evaluate signals: value, rate and acceleration of every component."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.elements.call import call_address


@helper
def polynomials_at(numbers, pieces, degree, n, t, out):
    """Values, rates and accelerations of n piecewise polynomials; `numbers`: times (pieces + 1), coefficients (pieces, degree + 1, n)."""
    first, last = numbers[0], numbers[pieces]
    inside = min(max(t, first), last)
    j = 0
    while j < pieces - 1 and inside >= numbers[j + 1]:
        j += 1
    x = inside - numbers[j]
    still = 0.0 if t < first or t > last else 1.0
    base = pieces + 1 + j * (degree + 1) * n
    for k in range(n):
        value, rate, bend = 0.0, 0.0, 0.0
        for power in range(degree, -1, -1):
            bend = bend * x + 2.0 * rate
            rate = rate * x + value
            value = value * x + numbers[base + power * n + k]
        out[k], out[n + k], out[2 * n + k] = value, still * rate, still * bend


@helper
def signal_at(signal, t, layout, out):
    """Fill out[: 3 size]: values, rates, accelerations. NaN when a user's function failed."""
    n = signal.size
    if signal.address >= 0:
        call_address(layout.addresses[signal.address], t, out[3 * n :], layout.values, out)
    else:
        polynomials_at(layout.values[signal.value :], signal.pieces, signal.degree, n, t, out)
