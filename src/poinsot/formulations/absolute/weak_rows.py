"""When the rows in use are worth a look, because others may be more independent."""

from __future__ import annotations

from poinsot.algebra.compile import helper

WEAK = 1e-3  # pivot relative to its diagonal entry below which rows are nearly dependent, and others are looked for


@helper
def rows_weaken(pivot, numbers, k):
    """Whether rows with this smallest pivot of their matrix are worth a look: when they become nearly dependent, and again when that
    changes tenfold. numbers[k]: the pivot at the last look; 0 while they are independent.
    """
    looked = numbers[k]
    if pivot >= WEAK:
        numbers[k] = 0.0
        return False
    if 0.1 * looked <= pivot <= 10.0 * looked:
        return False
    numbers[k] = max(pivot, 1e-300)
    return True
