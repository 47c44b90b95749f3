"""The equations of an energy-momentum step as Newton's method sees them: what is left at given unknowns, and what a matrix makes of it.

The matrix is that of the simple iteration; of one stage without drives that of Newton's method, which lacks derivatives of the loads and of
rows other than those of points.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import hat_times, load33, minus, plus, store33
from poinsot.algebra.vectors import cross, dot, load3, negate, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.absolute.rows import AXES
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.energy_momentum_step import build_matrix, corrections, forces_and_gaps, left_over
from poinsot.formulations.directors.iteration import largest_of
from poinsot.formulations.directors.one_stage import build_one, correct_one
from poinsot.formulations.directors.stage_places import EM_MATRIX
from poinsot.formulations.directors.stages import middle_poses, place_stages
from poinsot.integrators.stages import copy
from poinsot.linear.dense import lu_factor, lu_solve_three
from poinsot.linear.krylov import krylov_size
from poinsot.tables.records import COINCIDE
from poinsot.tables.types import EVALUATIONS, OK


class Room(NamedTuple):
    """Scratch of the iteration: unknowns where a correction begins, the poses of the stages there, the preconditioned equations there, what
    is left of them to solve for, the direction found, forces and gaps of the last evaluation; room for the directors, and for GCR.
    """

    base: Any
    poses: Any
    start: Any
    wanted: Any
    direction: Any
    left: Any
    directors: Any
    krylov: Any


def room_size(unknowns: int) -> int:
    """Numbers needed beside the scratch of the simple step."""
    return krylov_size(unknowns) + 12 * unknowns + 27


@kernel
def room_of(scratch, size):
    """The scratch of the iteration, split up; `size`: number of unknowns.

    These are at least 6 per body and stage, whose pose has 12 numbers; the matrix of the directors of a body has 42 with two stages, 90 with three.
    """
    first = 12 * size + 27
    return Room(
        scratch[:size],
        scratch[size : 3 * size],
        scratch[3 * size : 4 * size],
        scratch[4 * size : 5 * size],
        scratch[5 * size : 6 * size],
        scratch[6 * size : 7 * size],
        scratch[7 * size : first],
        scratch[first:],
    )


@helper
def settle(step, y, poses, twists, room):
    """Directors at the stages from the twists, D_i = D + h sum_j a_ij w_j x D_j solved body by body.

    The factored matrices of the bodies remain in `room`.
    """
    method, s, n, _, h = step
    size = 3 * s
    X = room[(n - 1) * size * (size + 1) :]
    for b in range(1, n):
        matrix = room[(b - 1) * size * (size + 1) :]
        pivots = matrix[size * size :]
        for j in range(s):
            w = load3(twists, TWIST * (j * n + b) + 3)
            for i in range(s):
                c = -h * method[EM_MATRIX + 3 * i + j]
                for k in range(3):
                    row = (3 * i + k) * size + 3 * j
                    turned = scale(c, cross(w, AXES[k]))  # row k of hat(w) is minus its column
                    store3(matrix, row, negate(turned))
                    if i == j:
                        matrix[row + k] += 1.0
        lu_factor(matrix, size, pivots)
        for i in range(s):
            store33(X, 9 * i, load33(y, POSE * b + 3))
        lu_solve_three(matrix, size, pivots, X)
        for i in range(s):
            store33(poses, POSE * (i * n + b) + 3, load33(X, 9 * i))


@helper
def settle_nearby(step, y, near, poses, twists, room):
    """The same at twists so near those of the last time that one correction of the poses found then, `near`, is exact to rounding."""
    method, s, n, _, h = step
    size = 3 * s
    X = room[(n - 1) * size * (size + 1) :]
    for b in range(1, n):
        matrix = room[(b - 1) * size * (size + 1) :]
        D = load33(y, POSE * b + 3)
        for i in range(s):
            left = minus(D, load33(near, POSE * (i * n + b) + 3))
            for j in range(s):
                w = scale(h * method[EM_MATRIX + 3 * i + j], load3(twists, TWIST * (j * n + b) + 3))
                left = plus(left, hat_times(w, load33(near, POSE * (j * n + b) + 3)))
            store33(X, 9 * i, left)
        lu_solve_three(matrix, size, matrix[size * size :], X)
        for i in range(s):
            at = POSE * (i * n + b) + 3
            store33(poses, at, plus(load33(near, at), load33(X, 9 * i)))


@helper
def largest_turn(count, h, twists):
    """Largest angle (rad) by which a body would turn within the step at the angular velocity of one of the first `count` twists."""
    largest = 0.0
    for k in range(count):
        w = load3(twists, TWIST * k + 3)
        largest = max(largest, dot(w, w))
    return abs(h) * sqrt(largest)


@helper
def lacks_nothing(step, layout):
    """Whether the matrix with all tensions is that of Newton's method: of one stage, with points that coincide, no loads and no drives."""
    if step.stages > 1 or layout.places[0].n_drives > 0 or layout.loads.shape[0] > 0:
        return False
    others = 0
    for k in range(layout.terms.shape[0]):
        others += 1 if layout.terms[k].kind != COINCIDE else 0
    return others == 0


@helper
def place(step, y, layout, work, room, nearby):
    """Poses of the stages at the present unknowns; `nearby`: those are `base` but for a small difference."""
    at, s = layout.places[0], step.stages
    poses, twists = work[stage_places.stage_poses(at, s)], work[stage_places.stage_twists(at, s)]
    if s == 1:
        middle_poses(step, y, poses, twists)
        return
    place_stages(step, y, poses, twists, 0)
    if nearby:
        settle_nearby(step, y, room.poses, poses, twists, room.directors)
    else:
        settle(step, y, poses, twists, room.directors)


@helper
def build(equations, step, y, layout, work, tense):
    """Factor the matrix at the present unknowns; `tense`: with all tensions (`one_stage.py`), where that matters. Returns a status."""
    if step.stages == 1 and layout.places[0].n_drives == 0:
        set_clock(layout, step.t + 0.5 * step.h)
        work[layout.places[0].pivot] = build_one(step, y, layout, work, tense)
        return OK
    return build_matrix(equations.second, step, y, layout, work)


@helper
def evaluate(equations, step, y, layout, buffers, room, nearby):
    """Forces and gaps at the present unknowns, to `left`; `nearby`: those are `base` but for a small difference. Returns a status."""
    at, s, work = layout.places[0], step.stages, buffers.work
    forces, gaps = work[stage_places.stage_forces(at, s)], work[stage_places.stage_gaps(at, s)]
    buffers.counters[EVALUATIONS] += s
    place(step, y, layout, work, room, nearby)
    status = forces_and_gaps(equations, step, y, layout, work)
    copy(forces, room.left)
    copy(gaps, room.left[forces.shape[0] :])
    return status


@helper
def restore(step, layout, work, room):
    """The forces and gaps of the last evaluation. Returns the largest gap, and what is left of the equations: a speed."""
    at, s = layout.places[0], step.stages
    forces, gaps = work[stage_places.stage_forces(at, s)], work[stage_places.stage_gaps(at, s)]
    copy(room.left[: forces.shape[0]], forces)
    copy(room.left[forces.shape[0] : forces.shape[0] + gaps.shape[0]], gaps)
    gap = largest_of(gaps, gaps.shape[0])
    return gap, max(gap, left_over(step, layout, work))


@helper
def precondition(equations, step, y, layout, work, room, closed):
    """Corrections of the present unknowns from what is in `left`, to `changes`. `closed`: as if no row had a gap."""
    at = layout.places[0]
    gaps = work[stage_places.stage_gaps(at, step.stages)]
    restore(step, layout, work, room)
    if closed:
        for k in range(gaps.shape[0]):
            gaps[k] = 0.0
    if step.stages == 1 and at.n_drives == 0:
        correct_one(step, layout, work)
    else:
        corrections(equations.second, step, y, layout, work)
