"""Parts of the work array that hold the stages of a step, by name (see `absolute/views.py`), and the step itself as kernels pass it on.

The unknowns of a step of s stages are the twists of all stages, then their multipliers, then the efforts of the drives at them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from poinsot.algebra.compile import kernel

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


class Unknowns(NamedTuple):
    """What a step solves for, stage after stage in each: twists, multipliers, efforts of drives."""

    twists: Any
    multipliers: Any
    efforts: Any


@kernel
def step_of(t, h, method, layout):
    """The step from t on, of size h."""
    return Step(method, int(method[EM_STAGES]), layout.bodies.shape[0], t, h)


@kernel
def stage_poses(layout, work, s):
    """Poses of all stages: n_poses each."""
    at = layout.places[0]
    return work[at.stage_poses : at.stage_poses + s * at.n_poses]


@kernel
def stage_twists(layout, work, s):
    """Twists of all stages: n_twists each."""
    at = layout.places[0]
    return work[at.unknowns : at.unknowns + s * at.n_twists]


@kernel
def stage(layout, work, i):
    """Poses (n_poses) and twists (n_twists) of stage i."""
    at = layout.places[0]
    first, second = at.stage_poses + i * at.n_poses, at.unknowns + i * at.n_twists
    return work[first : first + at.n_poses], work[second : second + at.n_twists]


@kernel
def stage_forces(layout, work, s):
    """Forces on bodies at all stages: n_twists each."""
    at = layout.places[0]
    return work[at.stage_forces : at.stage_forces + s * at.n_twists]


@kernel
def forces_of_stage(layout, work, i):
    """Forces on bodies at stage i: n_twists."""
    at = layout.places[0]
    first = at.stage_forces + i * at.n_twists
    return work[first : first + at.n_twists]


@kernel
def stage_gaps(layout, work, s):
    """Gaps of the rows at all stages, then those of the outputs: s (n_rows + n_drives)."""
    at = layout.places[0]
    return work[at.stage_gaps : at.stage_gaps + s * (at.n_rows + at.n_drives)]


@kernel
def unknowns(layout, work, s):
    """What a step solves for: s (n_twists + n_rows + n_drives)."""
    at = layout.places[0]
    return work[at.unknowns : at.unknowns + s * (at.n_twists + at.n_rows + at.n_drives)]


@kernel
def parts_of(unknowns, layout, s):
    """The three parts of the unknowns, or of their changes."""
    at = layout.places[0]
    first, second = s * at.n_twists, s * (at.n_twists + at.n_rows)
    return Unknowns(unknowns[:first], unknowns[first:second], unknowns[second : second + s * at.n_drives])


@kernel
def changes(layout, work, s):
    """Changes of the unknowns: as many."""
    at = layout.places[0]
    return work[at.changes : at.changes + s * (at.n_twists + at.n_rows + at.n_drives)]


@kernel
def scales(layout, work, s):
    """Weights that make changes of the unknowns comparable: as many."""
    at = layout.places[0]
    return work[at.scales : at.scales + s * (at.n_twists + at.n_rows + at.n_drives)]


@kernel
def history(layout, work):
    """Room for the acceleration of the iteration: n_anderson."""
    at = layout.places[0]
    return work[at.anderson : at.anderson + at.n_anderson]
