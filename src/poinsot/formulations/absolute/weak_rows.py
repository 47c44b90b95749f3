"""When the rows in use are worth a look, because others may be more independent."""

from __future__ import annotations

from poinsot.algebra.compile import helper

WEAK = 1e-3  # pivot relative to its diagonal entry below which rows are nearly dependent, and others are looked for
STRONG = 0.1  # and above which they are independent again
SERIOUS = 1e-5  # and below which every approach to dependence counts


@helper
def rows_weaken(pivot, numbers, k):
    """Whether rows with this smallest pivot of their matrix are worth a look: when they become nearly dependent, and again when the pivot
    falls to a tenth of what it was at the last look, numbers[k]; 0 while they are independent.

    A mechanism that swings between weak and less weak positions would be looked at in every swing, so a pivot that rises starts this
    afresh only when it becomes large, or when it was very small.
    """
    looked = numbers[k]
    if pivot >= STRONG:
        numbers[k] = 0.0
    elif pivot < WEAK and (looked == 0.0 or pivot < 0.1 * looked):
        numbers[k] = max(pivot, 1e-300)
        return True
    elif pivot > 10.0 * looked and 0.0 < looked < SERIOUS:
        numbers[k] = min(pivot, WEAK)
    return False
