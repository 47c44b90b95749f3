"""Formulas of Adams methods on a grid of any spacing, by modified divided differences of the rates.

With the times t_n, t_n-1, ... of the last steps, differences F_0 = f_n, F_1, F_2, ... and the next time t, h = t - t_n:

    s_j = t - t_n+1-j,   b_j = prod s_i / (t_n - t_n-i),  i = 1 ... j       (all b_j = 1 where steps are equal)
    predicted       y + h sum g_j b_j F_j,  j < k;   differences there  P_j = P_j+1 + b_j F_j,   P_k = 0
    corrected       predicted + h g_k (f - P_0);     differences        F_j = P_j + F_k,   F_k = f - P_0

E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed. (1993), section III.5.
"""

from __future__ import annotations

import numpy as np

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import helper
from poinsot.algebra.lane_arrays import lane_array
from poinsot.algebra.lanes import in_all_lanes

HIGHEST = 12  # largest order of the predictor
PER_ORDER = HIGHEST + 3  # numbers per order


def errors_of_orders() -> np.ndarray:
    """What remains of a step with equal steps and the corrector of order k, relative to h and the difference of order k, for k = 0, 1, ..."""
    found = [1.0]
    for m in range(1, PER_ORDER):
        found.append(-sum(found[j] / (m + 1 - j) for j in range(m)))
    return np.abs(found)


def wide(ny: int) -> int:
    """Length of a row of differences of a state of ny numbers: a multiple of LANES, filled up with zeros."""
    return -(-ny // LANES) * LANES


@helper
def weights(h, times, k, spans, g, ratios, spare):
    """Fill s_1 ... s_k and g_0 ... g_k for a step of size h from times[0] on."""
    for j in range(1, k + 1):
        spans[j] = h + (times[0] - times[j - 1])
        ratios[j] = h / spans[j]
    g[0] = 1.0
    for q in range(1, k + 2):
        number = 1.0 / q  # of the integrals of order 0; one after the other of the next orders, each from two of the order before
        for j in range(1, q):
            before, spare[j] = spare[j], number
            number = before - ratios[j] * number
        spare[q], g[q - 1] = number, number


@helper
def predict(h, times, k, y, differences, formulas, ahead, out):
    """Predicted state, in `out`, and differences P_0 ... P_k; ahead[k + 1] becomes b_k F_k. `formulas`: spans, g and room for b.

    Rows of differences are as long as `wide` tells. LANES numbers of all of them are summed at a time, from the highest difference down.
    """
    spans, g, b = formulas
    for j in range(1, k + 1):
        b[j] = spans[j] / (times[0] - times[j])
    b[0] = 1.0
    for j in range(1, k + 1):
        b[j] *= b[j - 1]
    width = differences.shape[1] // LANES
    known, found, slopes = lane_array(differences, 0), lane_array(ahead, 0), lane_array(ahead[k], 0)
    for c in range(width):
        found[(k + 1) * width + c] = b[k] * known[k * width + c]
        slope = total = in_all_lanes(0.0)
        for j in range(k - 1, -1, -1):
            change = b[j] * known[j * width + c]
            slope, total = slope + g[j] * change, total + change
            found[j * width + c] = total
        slopes[c] = slope
    for i in range(y.size):
        out[i] = y[i] + h * ahead[k, i]
        ahead[k, i] = 0.0


@helper
def take(t, k, rate, ahead, times, differences):
    """Differences and times after an accepted step to t, at whose end the rate is known; ahead[k] is lost."""
    for i in range(rate.size):
        ahead[k, i] = rate[i] - ahead[0, i]
    width = differences.shape[1] // LANES
    known, found = lane_array(differences, 0), lane_array(ahead, 0)
    for c in range(width):
        change = found[k * width + c]
        known[k * width + c], known[(k + 1) * width + c] = change, change - found[(k + 1) * width + c]
        for j in range(k):
            known[j * width + c] = found[j * width + c] + change
    for j in range(times.size - 1, 0, -1):
        times[j] = times[j - 1]
    times[0] = t


@helper
def between(t, k, times, base, differences, g, spare, out):
    """State at t, within the last step, whose end is times[0] with the state `base`: the polynomial through its rate and k before."""
    h, passed = t - times[0], 0.0
    for q in range(1, k + 2):
        spare[q] = 1.0 / q
    g[0] = 1.0
    for j in range(1, k + 1):
        span = times[0] - times[j]
        first, second = (h + passed) / span, h / span
        for q in range(1, k + 2 - j):
            spare[q] = first * spare[q] - second * spare[q + 1]
        g[j] = spare[1]
        passed = span
    for i in range(base.size):
        out[i] = 0.0
    for j in range(k, -1, -1):
        for i in range(base.size):
            out[i] += g[j] * differences[j, i]
    for i in range(base.size):
        out[i] = base[i] + h * out[i]
