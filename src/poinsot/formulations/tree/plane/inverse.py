"""Accelerations of links in the plane at those of their coordinates, and the wrenches that their inertia needs."""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.plane import across, add2, add_scaled2, cross2, load2, pair, store2, sub2, turned
from poinsot.formulations.tree.plane.work import (
    ACCELERATION,
    ALPHA,
    AXIS,
    EXTERNAL,
    NEEDED,
    OFFSET,
    PLANE_BLOCK,
    PRODUCTS,
    SPIN,
    TURN,
)
from poinsot.tables.records import N_WRENCHES


@kernel
def accelerate_link(link, base, rate, work):
    """Acceleration of the link whose block is at `base` at that of its coordinate, `rate`: angular, of its origin."""
    parent = link.parent * PLANE_BLOCK
    al = work[parent + ALPHA]
    a = add2(add2(load2(work, parent + ACCELERATION), across(al, load2(work, base + OFFSET))), load2(work, base + PRODUCTS))
    if link.turn != 0.0:
        al += link.turn * rate
    else:
        a = add_scaled2(a, rate, load2(work, base + AXIS))
    work[base + ALPHA] = al
    store2(work, base + ACCELERATION, a)
    return al, a


@kernel
def need_wrench(i, link, rate, layout, work):
    """Acceleration of link i at that of its coordinate, `rate`, and the wrench that its inertia needs, less the external one."""
    base = i * PLANE_BLOCK
    al, a = accelerate_link(link, base, rate, work)
    c, w = turned(load2(work, base + TURN), pair(link.moment)), work[base + SPIN]
    n = link.inertia * al + cross2(c, a)
    f = (link.mass * a[0] - w * w * c[0] - al * c[1], link.mass * a[1] - w * w * c[1] + al * c[0])
    if layout.sizes[N_WRENCHES] > 0:
        n, f = n - work[base + EXTERNAL], sub2(f, load2(work, base + EXTERNAL + 1))
    work[base + NEEDED] = n
    store2(work, base + NEEDED + 1, f)
