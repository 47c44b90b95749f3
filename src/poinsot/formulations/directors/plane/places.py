"""Parts of the work array that planar steps use, behind those of the spatial ones."""

from __future__ import annotations

from typing import Any, NamedTuple

from poinsot.algebra.compile import kernel
from poinsot.formulations.absolute.plane.places import FREE_MOTION, PLANE_LEG, counts_of, pattern_of
from poinsot.formulations.absolute.work import MAX_STAGES
from poinsot.formulations.tree.plane.work import PLANE_BLOCK
from poinsot.linear.pattern import BLOCKS, GROUPS, LEGS
from poinsot.tables.records import Layout

START_MOTION = 8  # numbers of a body at the start of a step: place, turn, velocity, rate of the turn


def plane_size(layout: Layout) -> int:
    """Numbers of the work array that a planar step of most stages needs beside those of spatial ones."""
    (rows, legs, blocks), s = counts_of(layout), MAX_STAGES
    own = START_MOTION + (s + 1) * PLANE_BLOCK + (4 * s + 1) * FREE_MOTION + 2
    return own * len(layout.bodies) + (4 * s + 3) * rows + 2 * PLANE_LEG * legs + 18 * blocks


class Plane(NamedTuple):
    """What a planar step of s stages works on.

    pattern : of the rows in the plane
    start : START_MOTION numbers per body at the start of the step
    blocks : of all stages, each PLANE_BLOCK numbers per body, of which places, turns, velocities and angular velocities are used
    other : blocks of one more configuration: the end of the step, or its middle
    unknowns, changes, scales : twists of all stages, FREE_MOTION numbers per body, then multipliers
    forces, gaps : of all stages, FREE_MOTION numbers per body, and one per row
    push, pull : the same for one solution at the end of the step
    row_gaps : how far rows are open at the start of the step
    legs, weighted, factor, mirrored, diagonal : of the matrix
    masses : inverse mass and inverse matrix of rotation of every body
    """

    pattern: Any
    start: Any
    blocks: Any
    other: Any
    unknowns: Any
    changes: Any
    scales: Any
    forces: Any
    gaps: Any
    push: Any
    pull: Any
    row_gaps: Any
    legs: Any
    weighted: Any
    factor: Any
    mirrored: Any
    diagonal: Any
    masses: Any


@kernel
def plane_of(layout, work, s):
    """What a step of s stages works on."""
    at, p = layout.places[0], layout.pattern[pattern_of(layout)]
    n, rows = at.n_bodies, 3 * p[GROUPS]
    twists, unknowns, legs, blocks = FREE_MOTION * n, s * (FREE_MOTION * n + rows), PLANE_LEG * p[LEGS], 9 * p[BLOCKS]
    start = at.work
    stages = start + START_MOTION * n
    other = stages + s * PLANE_BLOCK * n
    values = other + PLANE_BLOCK * n
    changes = values + unknowns
    scales = changes + unknowns
    forces = scales + unknowns
    gaps = forces + s * twists
    push = gaps + s * rows
    pull = push + twists
    row_gaps = pull + rows
    first_leg = row_gaps + rows
    weighted = first_leg + legs
    factor = weighted + legs
    mirrored = factor + blocks
    diagonal = mirrored + blocks
    masses = diagonal + rows
    return Plane(
        p, work[start:stages], work[stages:other], work[other:values], work[values:changes], work[changes:scales], work[scales:forces],
        work[forces:gaps], work[gaps:push], work[push:pull], work[pull:row_gaps], work[row_gaps:first_leg], work[first_leg:weighted],
        work[weighted:factor], work[factor:mirrored], work[mirrored:diagonal], work[diagonal:masses], work[masses : masses + 2 * n],
    )  # fmt: skip


@kernel
def multipliers_of(plane, s, n, i):
    """Multipliers of stage i among the unknowns."""
    rows = plane.diagonal.shape[0]
    first = s * FREE_MOTION * n + i * rows
    return slice(first, first + rows)


@kernel
def stage_blocks(n, i):
    """Blocks of stage i."""
    return slice(i * PLANE_BLOCK * n, (i + 1) * PLANE_BLOCK * n)
