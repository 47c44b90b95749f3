"""The elimination of the tree, with the gains by which every joint passes a wrench of a row on to its parent.

With D the inertia of a joint after its children are folded, and D^-1 = C C', a wrench (n, f) at the joint point has the part y = C' S'(n, f),
and what goes on to the parent is (n, f) less the gains times S'(n, f). In world axes, per link:

    HELICAL      axis e, gains of moment and force, C:      u = rot e.n + lin e.f,  y = C u,  n -= u g_n,  f -= u g_f
    BALL         R K', C (lower, six numbers):              u = R'n,  y = C'u,  n = 0,  f -= R K' u
    TRANSLATION  R K, C:                                    u = R'f,  y = C'u,  n -= R K u,  f = 0
"""

from __future__ import annotations

from math import sqrt

from numba import void

from poinsot.algebra.compile import internal, kernel
from poinsot.algebra.matrices import apply, column, load33, matmul, store33, transpose
from poinsot.algebra.vectors import load3, store3
from poinsot.formulations.tree.folding import (
    accelerate,
    fold_ball,
    fold_helical,
    fold_translation,
    gather,
    still_ground,
)
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.motion import outward
from poinsot.formulations.tree.work import ATTITUDE, BLOCK, GAIN, SLOT, efforts_block, slots_block, world_block
from poinsot.tables.records import BALL, HELICAL, N_Q
from poinsot.tables.types import FLOATS, LAYOUT

ROOT = 9  # of the gains: where C stands


@kernel
def store_root(work, k, S):
    """Write C (lower, row by row) with S = C C', for a symmetric matrix S."""
    a = sqrt(S[0][0])
    b, c = S[1][0] / a, S[2][0] / a
    d = sqrt(S[1][1] - b * b)
    e = (S[2][1] - c * b) / d
    store3(work, k, (a, b, d))
    store3(work, k + 3, (c, e, sqrt(S[2][2] - c * c - e * e)))


@kernel
def root_transposed(work, k, u):
    """C' u."""
    a, b, d = load3(work, k)
    c, e, f = load3(work, k + 3)
    return (a * u[0] + b * u[1] + c * u[2], d * u[1] + e * u[2], f * u[2])


@kernel
def root_times(work, k, y):
    """C y."""
    a, b, d = load3(work, k)
    c, e, f = load3(work, k + 3)
    return (a * y[0], b * y[0] + d * y[1], c * y[0] + e * y[1] + f * y[2])


@kernel
def helical_gains(i, layout, work):
    """Gains of a helical link."""
    k, R = own.gains(layout.places[0], i), load33(work, world_block(layout, i) + ATTITUDE)
    store3(work, k, column(R, 2))
    store3(work, k + 3, apply(R, load3(work, i * BLOCK + GAIN)))
    store3(work, k + 6, apply(R, load3(work, i * BLOCK + GAIN + 3)))


@kernel
def full_gains(i, layout, ball, work):
    """Gains of a ball or of a translation."""
    k, R, K = own.gains(layout.places[0], i), load33(work, world_block(layout, i) + ATTITUDE), load33(work, i * BLOCK + GAIN)
    store33(work, k, matmul(R, transpose(K) if ball else K))


@internal(void(FLOATS, LAYOUT, FLOATS))
def fold_tree(y, layout, work):
    """Eliminate all joints at the state y, whose bodies are placed, under the efforts and external wrenches in `work`."""
    n, nq, p = layout.links.shape[0], layout.sizes[N_Q], layout.pattern
    efforts, slots, touched = efforts_block(layout), slots_block(layout), own.touched(layout.pattern)
    still_ground(layout, work)
    for i in range(1, n):
        outward(i, layout.links[i], y, nq, True, work)
    for i in range(n - 1, 0, -1):
        link = layout.links[i]
        whole = gather(i, link, layout, slots, work)
        effort, k, used = efforts + link.iv, slots + layout.links[link.parent].slot * SLOT, p[touched + i] == 1
        root = own.gains(layout.places[0], i) + ROOT
        if link.kind == HELICAL:
            work[root] = sqrt(fold_helical(i, link, k, whole, work[effort], work))
            if used:
                helical_gains(i, layout, work)
        else:
            tau = load3(work, effort)
            if link.kind == BALL:
                store_root(work, root, fold_ball(i, link, k, whole, tau, work))
            else:
                store_root(work, root, fold_translation(i, link, k, whole, tau, work))
            if used:
                full_gains(i, layout, link.kind == BALL, work)


@internal(void(LAYOUT, FLOATS, FLOATS))
def accelerate_links(layout, work, ydot):
    """Accelerations of all links and of their coordinates, ydot[nq:nq+nv], from what the elimination left."""
    nq = layout.sizes[N_Q]
    for i in range(1, layout.links.shape[0]):
        accelerate(i, layout.links[i], nq, work, ydot)
