"""The largest number that a model may contain.

Energies are products of up to five such numbers (mass, length and rate, the last two squared): with every one of them
below this bound they stay far from the largest number of double precision, 1.8e308.
"""

from __future__ import annotations

LARGEST = 1e50  # of lengths (m), masses (kg), times (s), rates and parameters, in SI units


def within(value: float) -> bool:
    """Whether a number is finite and not too large to compute with."""
    return -LARGEST <= value <= LARGEST

LANES = 4  # numbers side by side in the number type of `lanes.py`
