"""Poses and twists put back onto the constraints, along the motions that cost least: distances are measured by the masses."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply, load33, matmul, minus, store33, times, transpose
from poinsot.algebra.rotations import exp_matrix
from poinsot.algebra.vectors import ZERO, add, load3, scale, store3
from poinsot.elements.director_scalars import POSE, directors
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import ask_for_rates, keep_coordinates
from poinsot.formulations.absolute.openings import (
    POSITION_ROUNDING,
    came_apart,
    farthest,
    largest_opening,
    left_open,
    set_row_gaps,
)
from poinsot.formulations.absolute.rows import build, constrained, inertia
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.types import NOT_CONVERGED, OK, OPENED

MOST = 8  # Newton iterations
SWEEPS = 2  # of the iteration towards orthonormal directors: quadratic, from errors of a step
WORSE = 1e-10  # relative to a length of the mechanism, or in rad: a row that stays open further is an error


@helper
def orthonormalise(n, poses):
    """Directors that are nearly orthonormal become so: D <- D (3 - D'D) / 2."""
    for b in range(1, n):
        D = load33(poses, POSE * b + 3)
        for _ in range(SWEEPS):
            D = minus(times(1.5, D), times(0.5, matmul(D, matmul(transpose(D), D))))
        store33(poses, POSE * b + 3, D)


@helper
def move(n, twists, poses):
    """Move all bodies by twists, as displacements."""
    for b in range(1, n):
        k = TWIST * b
        store3(poses, POSE * b, add(load3(poses, POSE * b), load3(twists, k)))
        store33(poses, POSE * b + 3, matmul(exp_matrix(load3(twists, k + 3)), directors(poses, b)))


@helper
def close_poses(y, layout, work):
    """Poses of a configuration at which all rows in use hold; the factor at these poses stays in `work`, with its smallest pivot.

    What rows in use are open by, those that were left out are open by divided by the pivot: corrections end when these no longer close either.
    Returns a status: OPENED when rows that were left out do not hold there.
    """
    at = layout.places[0]
    n = layout.bodies.shape[0]
    push, step, gaps = work[places.push(at)], work[places.step(at)], work[places.row_gaps(at)]
    orthonormalise(n, y)
    keep_coordinates(layout, y, y)
    rounding, last, last_beside = POSITION_ROUNDING * (1.0 + farthest(y, layout)), 1e300, 1e300
    for _ in range(MOST):
        work[at.pivot] = build(layout, y, y, work, 0.0, work)
        set_row_gaps(y, layout, work)
        largest, beside = largest_opening(layout.terms, gaps), left_open(y, layout, work)
        closed = largest <= rounding and (beside <= rounding or beside > 0.5 * last_beside)
        if closed or (largest <= WORSE and largest > 0.5 * last):
            return OPENED if came_apart(y, layout, work) else OK
        for k in range(push.shape[0]):
            push[k] = 0.0
        for k in range(step.shape[0]):
            step[k] = gaps[k]
        constrained(layout, work, step, push)
        move(n, push, y)
        keep_coordinates(layout, y, y)
        last, last_beside = largest, beside
    return NOT_CONVERGED


@helper
def momenta(poses, layout, twists, push):
    """Momentum and angular momentum about its centre of mass of every body."""
    store3(push, 0, ZERO)
    store3(push, 3, ZERO)
    for b in range(1, layout.bodies.shape[0]):
        k, frame = TWIST * b, layout.frames[b]
        store3(push, k, scale(frame.mass, load3(twists, k)))
        store3(push, k + 3, apply(inertia(frame, directors(poses, b)), load3(twists, k + 3)))


@helper
def allow_twists(poses, layout, twists, work):
    """Twists become the nearest ones that the rows allow, with the factor at these poses in `work`."""
    at = layout.places[0]
    push, step = work[places.push(at)], work[places.step(at)]
    momenta(poses, layout, twists, push)
    ask_for_rates(layout, poses, step)
    constrained(layout, work, step, push)
    for k in range(TWIST, push.shape[0]):
        twists[k] = push[k]
