"""When projections of closed trees end, spatial and planar ones, and whether they begin with a factor that there is."""

import math

from poinsot.algebra.compile import helper, kernel
from poinsot.formulations.absolute.openings import POSITION_ROUNDING
from poinsot.integrators.capabilities import NEAR, ONCE
from poinsot.linear.pattern import GROUPS

SLOW = 0.01  # a correction that leaves a larger part of the gaps is the last with its factor
RATES_ROUNDING = 1e-15  # of the largest rate: what velocities cannot tell
ENOUGH = 1e-12  # of a length of the mechanism or of the distance from the origin, and in rad: smaller gaps are not worth another factor
RATES_ENOUGH = 1e-13  # of the largest rate: the same of velocities
RATES_MET = 4e-15  # of the largest rate: velocities that were corrected, and need not be again
CLEAR = 0.01  # pivots below this are found at the state itself
BRIEF = 1e-7  # of a length, rad; of the largest rate: a single correction leaves a part as small of gaps that are smaller, after moves that are
FAR, ROUNDS = 1e-3, 4  # of a length, rad: an elimination from further away does not serve, nor do more corrections
FURTHER = 0.1  # where rows are left out, gaps are this much smaller: those rows are open as far as the rows in use, divided by their pivot


@kernel
def is_near(room):
    """Whether a projection begins with the factor of the last evaluation."""
    return room.shape[0] > 0 and (room[0] == NEAR or room[0] == ONCE)


@kernel
def may_be_brief(room):
    """Whether a single correction is enough, and the state was not moved far since the last evaluation."""
    return room.shape[0] > 1 and room[0] == ONCE and room[1] <= BRIEF


@kernel
def moved_since(room):
    """How far a state was moved since the last evaluation; infinite where that is not said."""
    return room[1] if room.shape[0] > 1 and room[0] == ONCE else math.inf


@kernel
def leaves_nothing(opening, moved):
    """Whether a correction of gaps with what was found at a state so far away leaves rounding errors, and bodies stay where it found them."""
    return opening <= BRIEF and opening * moved <= BRIEF * BRIEF


@kernel
def closed_enough(near, pivot, layout):
    """Openings that are rounding errors, relative to lengths.

    A factor from elsewhere leaves a part of what was open, one of the state itself hardly anything. Where pivots are small, rounding errors of rows
    left out are so large that more corrections only add to them.
    """
    return POSITION_ROUNDING * (FURTHER if near and pivot >= CLEAR and layout.left_out.shape[0] > 0 else 1.0)


@helper
def smallest_pivot(pattern, blocks, diagonal):
    """Smallest pivot of a factor relative to numbers per row."""
    smallest = 1.0
    for t in range(pattern[GROUPS]):
        for k in range(3):
            inverse = blocks[9 * t + 4 * k]
            ratio = 1.0 / (inverse * inverse * diagonal[3 * t + k]) if inverse > 0.0 else 0.0
            smallest = min(smallest, ratio)
    return smallest
