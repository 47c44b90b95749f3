"""Parts of the work array that variants of the formulation need beyond those of `absolute/places.py`, from `at.work` on, as slices."""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.tables.records import Layout

MULTIPLIERS = 6  # of a body: 11, 22, 33, 12, 13, 23


def variant_size(layout: Layout, one_step: bool) -> int:
    """Numbers beyond `at.work`."""
    at, loads = layout.places[0], len(layout.loads)
    unknowns = int(at["n_rows"]) + MULTIPLIERS * int(at["n_bodies"])
    dense = unknowns * (unknowns + 2) if one_step else 0
    return 1 + 2 * int(at["n_poses"]) + unknowns + 1 + 4 * loads + dense


@kernel
def held(at):
    """Which step the multipliers belong to, in the work array; what it must be is in the state (see `step_number`)."""
    return at.work


@kernel
def step_number(at):
    """Number of the step, in the state of the variant whose multipliers are held."""
    return at.efforts + 1


@kernel
def loaded(at):
    """Forces and dyads of the loads: n_poses."""
    return slice(at.work + 1, at.work + 1 + at.n_poses)


@kernel
def pushed(at):
    """Forces and dyads of loads and rows: n_poses."""
    return slice(at.work + 1 + at.n_poses, at.work + 1 + 2 * at.n_poses)


@kernel
def multipliers(at):
    """Multipliers of all rows, then of all bodies: n_rows + MULTIPLIERS n_bodies."""
    first = at.work + 1 + 2 * at.n_poses
    return slice(first, first + at.n_rows + MULTIPLIERS * at.n_bodies)


@kernel
def report(at, loads):
    """Power of all loads, then effort and power of each: 1 + 4 loads."""
    first = at.work + 1 + 2 * at.n_poses + at.n_rows + MULTIPLIERS * at.n_bodies
    return slice(first, first + 1 + 4 * loads)


@kernel
def dense(at, loads):
    """A square matrix of all multipliers, row by row, then two columns."""
    n = at.n_rows + MULTIPLIERS * at.n_bodies
    first = at.work + 2 + 2 * at.n_poses + n + 4 * loads
    return slice(first, first + n * (n + 2))
