"""When corrections of a rate nearby end, of spatial and planar closed trees: at a thousandth of the first of them.

Corrections contract by the relative change of masses and rows between both states, which for the first one is estimated by its size.
"""

from poinsot.algebra.compile import kernel

MOST = 2  # corrections: more cost as much as an evaluation
ONCE = 1e-4  # of the accelerations: a first correction as small leaves nothing to be corrected
NOT_AT_ALL = 0.03  # and after one as large as this there is no second one
ENOUGH = 0.03  # of the first correction: its square is less than a thousandth


@kernel
def ends(k, part, before):
    """Whether correction k, so large relative to the accelerations, is the last one; `before`: the same of the first."""
    return part <= ONCE if k == 0 else part <= ENOUGH * before


@kernel
def quotient(part, whole):
    """part / whole; zero where nothing changes."""
    return part / whole if part > 0.0 else 0.0
