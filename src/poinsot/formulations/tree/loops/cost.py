"""Whether rates on the spanning tree cost less than those of bodies in absolute coordinates."""

from __future__ import annotations

import numpy as np

from poinsot.layout.freeze import Frozen

PAIRS = 50  # pairs of groups of rows on one link, per body, at which both cost the same (a ladder of ten loops, each on the one before)


def is_cheap(frozen: Frozen) -> bool:
    """Whether few rows meet on their ways to the ground: the cost grows with their pairs on all links, in absolute coordinates with the bodies."""
    layout = frozen.layout
    link, parent, count = layout.bodies["link"].tolist(), layout.links["parent"].tolist(), np.zeros(len(layout.links), np.int64)
    most = PAIRS * (len(layout.bodies) - 1)
    for joint in layout.joints[layout.joints["tree"] == 0]:
        groups = -(-int(joint["rows"]) // 3)
        passed = set()
        for body in (joint["first"], joint["second"]):
            i = link[body]
            while i > 0 and i not in passed:
                passed.add(i)
                i = parent[i]
        count[list(passed)] += groups
        if (count * (count + 1)).sum() > 2 * most:
            return False
    return True
