"""Parts of the work array that hold the stages of a step, by name (see `absolute/places.py`), and the step itself as kernels pass it on.

The unknowns of a step of s stages are the twists of all stages, then their multipliers, then the efforts of the drives at them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import float64, int64, types

from poinsot.algebra.compile import kernel
from poinsot.tables.types import FLOATS

# positions in the constants of the energy-momentum methods: number of stages, then the tableau
EM_STAGES, EM_NODES, EM_WEIGHTS, EM_OMEGA, EM_MATRIX, EM_INVERSE = 8, 9, 12, 15, 18, 27
EM_TABLEAU = 36  # end of the tableau


class Step(NamedTuple):
    """A step from t (s) on, of size h (s): constants of the method, number of its stages, number of bodies with the ground."""

    method: Any
    stages: Any
    bodies: Any
    t: Any
    h: Any


STEP_TYPE = types.NamedTuple((FLOATS, int64, int64, float64, float64), Step)


class Unknowns(NamedTuple):
    """What a step solves for, stage after stage in each: twists, multipliers, efforts of drives."""

    twists: Any
    multipliers: Any
    efforts: Any


@kernel
def step_of(t, h, method, at):
    """The step from t on, of size h."""
    return Step(method, int(method[EM_STAGES]), at.n_bodies, t, h)


@kernel
def stage_poses(at, s):
    """Poses of all stages: n_poses each."""
    return slice(at.stage_poses, at.stage_poses + s * at.n_poses)


@kernel
def stage_twists(at, s):
    """Twists of all stages: n_twists each."""
    return slice(at.unknowns, at.unknowns + s * at.n_twists)


@kernel
def stage(at, work, i):
    """Poses (n_poses) and twists (n_twists) of stage i."""
    first, second = at.stage_poses + i * at.n_poses, at.unknowns + i * at.n_twists
    return work[first : first + at.n_poses], work[second : second + at.n_twists]


@kernel
def stage_forces(at, s):
    """Forces on bodies at all stages: n_twists each."""
    return slice(at.stage_forces, at.stage_forces + s * at.n_twists)


@kernel
def forces_of_stage(at, i):
    """Forces on bodies at stage i: n_twists."""
    first = at.stage_forces + i * at.n_twists
    return slice(first, first + at.n_twists)


@kernel
def stage_gaps(at, s):
    """Gaps of the rows at all stages, then those of the outputs: s (n_rows + n_drives)."""
    return slice(at.stage_gaps, at.stage_gaps + s * (at.n_rows + at.n_drives))


@kernel
def unknowns(at, s):
    """What a step solves for: s (n_twists + n_rows + n_drives)."""
    return slice(at.unknowns, at.unknowns + s * (at.n_twists + at.n_rows + at.n_drives))


@kernel
def parts_of(unknowns, at, s):
    """The three parts of the unknowns, or of their changes."""
    first, second = s * at.n_twists, s * (at.n_twists + at.n_rows)
    return Unknowns(unknowns[:first], unknowns[first:second], unknowns[second : second + s * at.n_drives])


@kernel
def changes(at, s):
    """Changes of the unknowns: as many."""
    return slice(at.changes, at.changes + s * (at.n_twists + at.n_rows + at.n_drives))


@kernel
def scales(at, s):
    """Weights that make changes of the unknowns comparable: as many."""
    return slice(at.scales, at.scales + s * (at.n_twists + at.n_rows + at.n_drives))


@kernel
def history(at):
    """Room for the acceleration of the iteration: n_anderson."""
    return slice(at.anderson, at.anderson + at.n_anderson)
