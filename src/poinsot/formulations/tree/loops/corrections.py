"""How many corrections a rate nearby takes, in space and in the plane (`nearby.py`)."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.tables.records import BALL, HELICAL

MOST = 2  # corrections: more cost as much as an evaluation
ONCE = 3e-5  # of the accelerations: a first correction as small leaves nothing to be corrected
NOT_AT_ALL = 0.03  # and after one as large as this there is no second one
ENOUGH = 0.03  # of the first correction: its square is less than a thousandth


@kernel
def is_last(k, part, before):
    """Whether correction k, so large relative to the accelerations, is the last one; `before`: the same of the first."""
    return part <= ONCE if k == 0 else part <= ENOUGH * before


@kernel
def quotient(part, whole):
    """part / whole; zero where nothing changes."""
    return part / whole if part > 0.0 else 0.0


@helper
def ratio(layout, change, whole):
    """Largest entry of `change` relative to the largest of `whole`, both in joint rates: of turns and of slides, the larger one."""
    turns, turned, slides, slid = 0.0, 0.0, 0.0, 0.0
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        for k in range(link.iv, link.iv + (1 if link.kind == HELICAL else 3)):
            if link.kind == BALL or (link.kind == HELICAL and link.rot != 0.0):
                turns, turned = max(turns, abs(change[k])), max(turned, abs(whole[k]))
            else:
                slides, slid = max(slides, abs(change[k])), max(slid, abs(whole[k]))
    return max(quotient(turns, turned), quotient(slides, slid))
