"""Forward dynamics of a tree in O(N): joints are eliminated from the tips to the ground (`folding.py`).

Outward: motion and bias. Inward: every link is folded into its parent. Outward again: accelerations. (saetran2018 builds the same
equations as B' M B; here they are solved by recursion.)
"""

from __future__ import annotations

from numba import boolean, void

from poinsot.algebra.compile import helper, internal
from poinsot.algebra.vectors import load3
from poinsot.formulations.tree.folding import (
    accelerate,
    fold_ball,
    fold_helical,
    fold_translation,
    gather,
    still_ground,
)
from poinsot.formulations.tree.motion import loads_place, outward
from poinsot.formulations.tree.work import SLOT, efforts_block, slots_block
from poinsot.tables.records import BALL, HELICAL, N_Q
from poinsot.tables.types import FLOATS, LAYOUT


@helper
def elimination(y, links, layout, placed, work, ydot):
    """What `eliminate` does, for numbers of any type: those of `y`, `work`, `ydot` and of the records `links`, of which `layout` has the sizes."""
    n, nq = layout.links.shape[0], layout.sizes[N_Q]
    efforts, slots = efforts_block(layout), slots_block(layout)
    for i in range(1, n):
        outward(i, links[i], y, nq, placed, work)
    for i in range(n - 1, 0, -1):
        link = links[i]
        whole = gather(i, link, layout, slots, work)
        effort, k = efforts + link.iv, slots + links[link.parent].slot * SLOT
        if link.kind == BALL:
            fold_ball(i, link, k, whole, load3(work, effort), work)
        elif link.kind == HELICAL:
            fold_helical(i, link, k, whole, work[effort], work)
        else:
            fold_translation(i, link, k, whole, load3(work, effort), work)
    for i in range(1, n):
        accelerate(i, links[i], nq, work, ydot)


@internal(void(FLOATS, LAYOUT, boolean, FLOATS, FLOATS))
def eliminate(y, layout, placed, work, ydot):
    """Accelerations ydot[nq:nq+nv] at the state y, from the motion of the ground, joint efforts and external wrenches in `work`.

    `placed`: poses of the links are in their blocks already.
    """
    elimination(y, layout.links, layout, placed, work, ydot)


@internal(void(FLOATS, LAYOUT, FLOATS, FLOATS))
def forward_dynamics(y, layout, work, ydot):
    """Accelerations ydot[nq:nq+nv] at the state y, from the joint efforts and external wrenches in `work`."""
    still_ground(layout, work)
    eliminate(y, layout, loads_place(layout), work, ydot)
