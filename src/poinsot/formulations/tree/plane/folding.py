"""One joint of a planar tree after the other is eliminated, from the tips to the ground; then accelerations outward.

A hinge transmits no moment but its effort: what it hands over is a mass matrix at its point, exactly. So al is the unknown of a hinge,
al = u - g . a, and that of a slide is the second derivative of its coordinate, u - g_al al - g . a.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.compile import kernel
from poinsot.algebra.plane import (
    across,
    add2,
    add_scaled2,
    apply2,
    cross2,
    dot2,
    increase2,
    load2,
    pair,
    scale2,
    store2,
    sub2,
    turned,
)
from poinsot.algebra.vectors import load3
from poinsot.formulations.tree.plane.work import (
    ACCELERATION,
    ALPHA,
    AXIS,
    BIAS,
    COUPLING,
    EXTERNAL,
    FREE,
    GAIN,
    INERTIA,
    MASS,
    OFFSET,
    PLANE_BLOCK,
    PRODUCTS,
    ROOT,
    SPIN,
    TURN,
)
from poinsot.formulations.tree.work import SLOT, efforts_block, slots_block
from poinsot.tables.records import N_Q, N_WRENCHES


@kernel
def gather(i, link, layout, slots, work):
    """Articulated inertia and bias of link i: its own, less external wrenches, and the sum over its children."""
    base = i * PLANE_BLOCK
    c, w, m = turned(load2(work, base + TURN), pair(link.moment)), work[base + SPIN], link.mass
    I, h, M = link.inertia, across(1.0, c), (m, 0.0, m)
    n, f = 0.0, scale2(-w * w, c)
    if layout.sizes[N_WRENCHES] > 0:
        n -= work[base + EXTERNAL]
        f = sub2(f, load2(work, base + EXTERNAL + 1))
    if link.slot >= 0:
        k = slots + link.slot * SLOT
        I, h = I + work[k + INERTIA], add2(h, load2(work, k + COUPLING))
        M = (M[0] + work[k + MASS], work[k + MASS + 1], M[2] + work[k + MASS + 2])
        n, f = n + work[k + BIAS], add2(f, load2(work, k + BIAS + 1))
    return I, h, M, n, f


@kernel
def hand_over(link, k, I, h, M, n, f, work):
    """Add the articulated inertia and bias of a link to its parent's slot at k."""
    if link.opens == 1:
        work[k + INERTIA], work[k + BIAS] = I, n
        store2(work, k + COUPLING, h)
        work[k + MASS], work[k + MASS + 1], work[k + MASS + 2] = M
        store2(work, k + BIAS + 1, f)
    else:
        work[k + INERTIA] += I
        work[k + BIAS] += n
        increase2(work, k + COUPLING, h)
        work[k + MASS] += M[0]
        work[k + MASS + 1] += M[1]
        work[k + MASS + 2] += M[2]
        increase2(work, k + BIAS + 1, f)


@kernel
def less(M, a, b):
    """A symmetric matrix less the product of two parallel vectors."""
    return (M[0] - a[0] * b[0], M[1] - a[0] * b[1], M[2] - a[1] * b[1])


@kernel
def fold_turn(i, link, k, whole, tau, work):
    """Eliminate a hinge under the moment tau. Only a mass matrix goes to the parent."""
    I, h, M, n, f = whole
    base = i * PLANE_BLOCK
    pivot = 1.0 / I
    g, u = scale2(pivot, h), pivot * (tau - n)
    work[base + FREE], work[base + ROOT] = u, pivot
    store2(work, base + GAIN + 1, g)
    if link.parent > 0:
        M = less(M, h, g)
        d = load2(work, base + OFFSET)
        f = add2(add_scaled2(f, u, h), apply2(M, load2(work, base + PRODUCTS)))
        arm = across(1.0, d)
        G = apply2(M, arm)
        hand_over(link, k, dot2(arm, G), G, M, tau + cross2(d, f), f, work)


@kernel
def fold_slide(i, link, k, whole, tau, work):
    """Eliminate a slide under the force tau along it: a downdate of rank one."""
    I, h, M, n, f = whole
    base = i * PLANE_BLOCK
    e = load2(work, base + AXIS)
    a, b = dot2(e, h), apply2(M, e)
    pivot = 1.0 / dot2(e, b)
    u = pivot * (tau - dot2(e, f))
    ga, gb = pivot * a, scale2(pivot, b)
    work[base + FREE], work[base + ROOT], work[base + GAIN] = u, pivot, ga
    store2(work, base + GAIN + 1, gb)
    if link.parent > 0:
        I, h, M = I - a * ga, add_scaled2(h, -a, gb), less(M, b, gb)
        d, products = load2(work, base + OFFSET), load2(work, base + PRODUCTS)
        n += u * a + dot2(h, products)
        f = add2(add_scaled2(f, u, b), apply2(M, products))
        arm = across(1.0, d)
        G = add2(h, apply2(M, arm))
        hand_over(link, k, I + dot2(arm, add2(h, G)), G, M, n + cross2(d, f), f, work)


@kernel
def fold_links(layout, work):
    """Eliminate all joints of links that are placed, under the efforts and external wrenches in `work`."""
    efforts, slots = efforts_block(layout), slots_block(layout)
    for i in range(layout.plane_links.shape[0] - 1, 0, -1):
        link = layout.plane_links[i]
        whole = gather(i, link, layout, slots, work)
        tau, k = work[efforts + i - 1], slots + layout.plane_links[link.parent].slot * SLOT
        if link.turn != 0.0:
            fold_turn(i, link, k, whole, link.turn * tau, work)
        else:
            fold_slide(i, link, k, whole, tau, work)


@kernel
def take_roots(layout, work):
    """ROOT of all links, where the elimination left the inverse inertia, becomes its square root."""
    for i in range(1, layout.plane_links.shape[0]):
        work[i * PLANE_BLOCK + ROOT] = sqrt(work[i * PLANE_BLOCK + ROOT])


@kernel
def weigh(layout, work):
    """Gravity, as an acceleration of the ground upward."""
    down = load3(layout.values, 0)
    axes = layout.plane_bodies[0].rotation
    work[ALPHA] = 0.0
    for k in range(2):
        work[ACCELERATION + k] = -(axes[k, 0] * down[0] + axes[k, 1] * down[1] + axes[k, 2] * down[2])


@kernel
def accelerate_links(layout, work, ydot):
    """Accelerations of all links and of their coordinates, ydot[nq:nq+nv], from what the elimination left."""
    nq = layout.sizes[N_Q]
    for i in range(1, layout.plane_links.shape[0]):
        link = layout.plane_links[i]
        base, parent = i * PLANE_BLOCK, link.parent * PLANE_BLOCK
        above, g = work[parent + ALPHA], load2(work, base + GAIN + 1)
        a = add2(load2(work, parent + ACCELERATION), across(above, load2(work, base + OFFSET)))
        a = add2(a, load2(work, base + PRODUCTS))
        if link.turn != 0.0:
            alpha = work[base + FREE] - dot2(g, a)
            ydot[nq + i - 1] = link.turn * (alpha - above)
        else:
            alpha = above
            u = work[base + FREE] - work[base + GAIN] * alpha - dot2(g, a)
            a = add_scaled2(a, u, load2(work, base + AXIS))
            ydot[nq + i - 1] = u
        work[base + ALPHA] = alpha
        store2(work, base + ACCELERATION, a)
