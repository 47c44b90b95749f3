"""What rounding does to the rates of stages.

Where forces of constraints cancel on a body with a small inertia, as on thin rods, rates have errors far above those of the state. An iteration for
the stages then no longer decreases long before its usual end. If a few roundings of the state explain what is left, it has converged.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.magnitudes import magnitude, number

STALLED = 3  # rises of the error after which it is compared with what rounding does to the rates
ULPS = 16.0  # by how many roundings of a state an error may be explained
UNCERTAIN = 1e-9  # error above which it is not, however much rounding does
UNIT = 2.0**-53  # rounding of a number relative to it
GOLDEN = 0.6180339887498949


@helper
def shake(state, trial):
    """Change the last bit of all numbers of a state, up or down irregularly, so that it is not a turn or a stretch; every trial does it otherwise."""
    for j in range(state.size):
        up = (GOLDEN * (j + 7 * trial)) % 1.0 < 0.5
        state[j] *= 1.0 + UNIT * (2.0 if up else -1.0)


@helper
def largest_difference(one, other, first, last):
    """Of components first to last - 1."""
    most = 0
    for j in range(first, last):
        most = max(most, magnitude(one[j] - other[j]))
    return number(most)
