"""Numbers of a state in the plane, and parts of the work array that rates and projections in the plane use."""

from __future__ import annotations

from typing import Any, NamedTuple

from poinsot.algebra.compile import kernel
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.tree.plane.work import PLANE_BLOCK
from poinsot.linear.pattern import BLOCKS, EMPTY, GROUPS, LEGS
from poinsot.tables.records import Layout

FREE_MOTION = 3  # numbers of a body in the plane: velocity, angular velocity; or force, moment
PLANE_LEG = 9  # numbers of a leg: three rows of a force (2) and a moment


class PlaneRoom(NamedTuple):
    """What rates and projections in the plane work on.

    pattern : of the rows in the plane
    blocks : PLANE_BLOCK numbers per body: place, turn, velocity and angular velocity
    push, pull : FREE_MOTION numbers per body, and one per row: what a solution replaces
    forces, gaps : the same, of right-hand sides
    legs, weighted, factor, diagonal : of the matrix
    masses : inverse mass and inverse inertia of every body
    """

    pattern: Any
    blocks: Any
    push: Any
    pull: Any
    forces: Any
    gaps: Any
    legs: Any
    weighted: Any
    factor: Any
    diagonal: Any
    masses: Any


@kernel
def pattern_of(layout):
    """Where the pattern of the rows in the plane is: behind that of all rows."""
    p = layout.pattern
    return slice(p[EMPTY] + 3 * p[GROUPS], p.shape[0])


def counts_of(layout: Layout) -> tuple[int, int, int]:
    """Rows in the plane, their legs, and blocks of their matrix."""
    pattern = layout.pattern[int(layout.pattern[EMPTY]) + 3 * int(layout.pattern[GROUPS]) :]
    return 3 * int(pattern[GROUPS]), int(pattern[LEGS]), int(pattern[BLOCKS])


def room_size(layout: Layout) -> int:
    """Numbers of the work array, from `places.work` on."""
    rows, legs, blocks = counts_of(layout)
    return (PLANE_BLOCK + 2 * FREE_MOTION + 2) * len(layout.bodies) + 3 * rows + 2 * PLANE_LEG * legs + 9 * blocks


@kernel
def room_of(layout, work):
    """What rates and projections in the plane work on."""
    at, p = layout.places[0], layout.pattern[pattern_of(layout)]
    n, rows, legs = at.n_bodies, 3 * p[GROUPS], PLANE_LEG * p[LEGS]
    push = at.work + PLANE_BLOCK * n
    pull = push + FREE_MOTION * n
    forces = pull + rows
    gaps = forces + FREE_MOTION * n
    first_leg = gaps + rows
    weighted = first_leg + legs
    factor = weighted + legs
    diagonal = factor + 9 * p[BLOCKS]
    masses = diagonal + rows
    return PlaneRoom(
        p, work[at.work : push], work[push:pull], work[pull:forces], work[forces:gaps], work[gaps:first_leg], work[first_leg:weighted],
        work[weighted:factor], work[factor:diagonal], work[diagonal:masses], work[masses : masses + 2 * n],
    )  # fmt: skip


@kernel
def place_numbers(layout, b):
    """Where in a state the two numbers of a body's place in the plane are, and those of its first and second director there."""
    ground, frame, k = layout.frames[0].plane, layout.frames[b].plane, POSE * b
    p, q = k + 3 + 3 * ground.first, k + 3 + 3 * ground.second
    return (k + ground.first, k + ground.second), (p + frame.first, q + frame.first), (p + frame.second, q + frame.second)


@kernel
def pick(array, k):
    """Two numbers of an array."""
    return (array[k[0]], array[k[1]])


@kernel
def put(array, k, a):
    """Write two numbers of an array."""
    array[k[0]], array[k[1]] = a
