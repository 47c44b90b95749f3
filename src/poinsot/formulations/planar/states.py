"""States of planar chains from states of the tree, and back."""

from __future__ import annotations

from math import cos, sin

from numba import int64

from poinsot.algebra.compile import helper, internal
from poinsot.formulations.planar.chain import couple, draw, fill_tree, place, prepare, quarter
from poinsot.formulations.planar.places import (
    CANONICAL,
    MATRIX,
    MOMENTUM,
    RATE,
    RELATIVE,
    SIDE,
    attitude_size,
    body_block,
    matrix_block,
    nearest_turn,
    speeds_at,
    tree_block,
    turns_at,
)
from poinsot.tables.records import N_CONTROL, N_Q, N_V
from poinsot.tables.types import FLOATS, LAYOUT, OK


@internal(int64(FLOATS, LAYOUT, FLOATS, int64))
def convert(y, layout, work, variant):
    """The state of the tree, left in `work`."""
    prepare(y, layout, work, variant)
    fill_tree(y, layout, work, variant)
    return OK


@helper
def store_velocities(layout, work, y, variant):
    """Rates, momenta or conjugate vectors from the absolute rates and the mass matrix."""
    n, first, matrix, size = layout.sizes[N_V], speeds_at(layout, variant), matrix_block(layout), attitude_size(variant)
    beyond = 0.0
    for i in range(n - 1, -1, -1):
        own = work[body_block(layout, i) + RATE]
        if variant & MOMENTUM:
            own = 0.0
            for k in range(n):
                entry = matrix + max(i, k) * n + min(i, k)
                own += work[entry] * work[body_block(layout, k) + RATE]
            own += beyond
            if variant & RELATIVE:
                beyond = own
        elif variant & RELATIVE and i > 0:
            own -= work[body_block(layout, i - 1) + RATE]
        if variant & CANONICAL:
            turned = quarter(y, i * size, variant)
            for k in range(size):
                y[first + i * size + k] = own * turned[k] / (0.5 * size)
        else:
            y[first + i] = own


@internal(int64(FLOATS, LAYOUT, FLOATS, FLOATS, int64))
def from_tree(tree, layout, work, y, variant):
    """A state y from a state of the tree."""
    n, nq, size = layout.sizes[N_V], layout.sizes[N_Q], attitude_size(variant)
    draw(layout, work)
    angle, rate = 0.0, 0.0
    for i in range(n):
        side = work[body_block(layout, i) + SIDE]
        angle = side * tree[i] + (0.0 if variant & RELATIVE else angle)
        rate += side * tree[nq + i]
        work[body_block(layout, i) + RATE] = rate
        c, s = cos(angle), sin(angle)
        y[i * size] = c
        if variant & MATRIX:
            y[i * size + 1], y[i * size + 2], y[i * size + 3] = -s, s, c
        else:
            y[i * size + 1] = s
        y[turns_at(layout, variant) + i] = nearest_turn(tree[i])
    place(y, layout, work, variant)
    couple(layout, work, variant)
    store_velocities(layout, work, y, variant)
    kept = layout.sizes[N_CONTROL] + 1
    for k in range(kept):
        y[y.shape[0] - kept + k] = tree[tree.shape[0] - kept + k]
    return OK


@internal(int64(FLOATS, LAYOUT, FLOATS, int64))
def keep_turns(y, layout, work, variant):
    """After a step: the turns of the joints, from which angles in the next step are counted."""
    convert(y, layout, work, variant)
    first = turns_at(layout, variant)
    for i in range(layout.sizes[N_V]):
        y[first + i] = nearest_turn(work[tree_block(layout) + i])
    return OK
