"""Parts of the state and of the work array by name, as slices for kernels. With the record `at = layout.places[0]`:

    push, step = work[places.push(at)], work[places.step(at)]

`work.py` fills the record. Every docstring ends with the length of the part, in terms of the counts in the record: n_poses (POSE
per body), n_twists (TWIST per body), n_rows (rows in use), n_drives.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.elements.states import BODY_STATE, WRENCH
from poinsot.formulations.absolute.work import INVERSE_MASS, MAX_STAGES, TERMS_NOTES, TURNING

# --- of a state y ------------------------------------------------------------------------------------------------------


@kernel
def velocities(at):
    """Velocities in the state: n_velocities numbers."""
    return slice(at.velocities, at.velocities + at.n_velocities)


# --- of one configuration ----------------------------------------------------------------------------------------------


@kernel
def push(at):
    """Forces on bodies, which a constrained solve turns into twists or accelerations: n_twists."""
    return slice(at.push, at.push + at.n_twists)


@kernel
def step(at):
    """Right-hand sides of the rows, which a constrained solve turns into multipliers: n_rows."""
    return slice(at.step, at.step + at.n_rows)


@kernel
def masses(at):
    """Inverse masses: INVERSE_MASS per body."""
    return slice(at.masses, at.masses + INVERSE_MASS * at.n_bodies)


@kernel
def legs(at):
    """Blocks of the constraint matrix J: 18 per leg of the pattern."""
    return slice(at.legs, at.legs + at.n_legs)


@kernel
def weighted(at):
    """Blocks of J M^-1: 18 per leg."""
    return slice(at.weighted, at.weighted + at.n_legs)


@kernel
def factor(at):
    """Blocks of J M^-1 J', or of its Cholesky factor: 9 each."""
    return slice(at.factor, at.factor + at.n_factor)


@kernel
def diagonal(at):
    """Diagonal of J M^-1 J': n_rows."""
    return slice(at.diagonal, at.diagonal + at.n_rows)


@kernel
def row_gaps(at):
    """How far the rows in use are open: n_rows."""
    return slice(at.row_gaps, at.row_gaps + at.n_rows)


@kernel
def all_row_gaps(at):
    """How far all rows are open, those in use first: n_rows + n_left_out."""
    return slice(at.row_gaps, at.row_gaps + at.n_rows + at.n_left_out)


@kernel
def states(at):
    """Bodies in the world, as `elements/states.py` describes them: BODY_STATE per body."""
    return slice(at.states, at.states + BODY_STATE * at.n_bodies)


@kernel
def wrenches(at):
    """Wrenches of loads on bodies: WRENCH per body."""
    return slice(at.wrenches, at.wrenches + WRENCH * at.n_bodies)


@kernel
def room(at):
    """Room for users' functions and signals."""
    return slice(at.room, at.room + at.n_room)


@kernel
def twists(at):
    """Twists at a state, where a step has those of its first stage: n_twists."""
    return slice(at.unknowns, at.unknowns + at.n_twists)


@kernel
def forces(at):
    """Forces on bodies at a state, where a step has those of its first stage: n_twists."""
    return slice(at.stage_forces, at.stage_forces + at.n_twists)


@kernel
def spare_rows(at):
    """Room for two numbers per row, where a step has the gaps of its stages: 2 n_rows."""
    return slice(at.stage_gaps, at.stage_gaps + 2 * at.n_rows)


@kernel
def total_power(at):
    """Power of the loads at a state, where a step has that of its first stage: one number."""
    return slice(at.powers, at.powers + 1)


# --- of drives ---------------------------------------------------------------------------------------------------------


@kernel
def responses(at):
    """Twists and multipliers with which the constrained system responds to each input: n_drives (n_twists + n_rows)."""
    return slice(at.responses, at.responses + at.n_drives * (at.n_twists + at.n_rows))


@kernel
def drive_matrix(at):
    """Rates of the outputs in these responses, or their LU factors: n_drives^2, row by row."""
    return slice(at.drive_matrix, at.drive_matrix + at.n_drives * at.n_drives)


@kernel
def drive_pivots(at):
    """Row exchanges of these factors: n_drives."""
    return slice(at.drive_pivots, at.drive_pivots + at.n_drives)


@kernel
def drive_gaps(at):
    """What outputs lack at a state, then the efforts of the drives, where a step has the gaps of its stages: n_drives."""
    return slice(at.stage_gaps, at.stage_gaps + at.n_drives)


# --- of a step ---------------------------------------------------------------------------------------------------------


@kernel
def middle(at):
    """Poses in the middle of the step, where its matrix is taken: n_poses."""
    return slice(at.middle, at.middle + at.n_poses)


@kernel
def around(at):
    """Derivatives at one of several states (`around.py`): as many numbers as a state."""
    return slice(at.around, at.around + at.state)


@kernel
def differences(at):
    """How two sums of them differ: as many numbers."""
    return slice(at.differences, at.differences + at.state)


@kernel
def mirrored(at):
    """Blocks above the diagonal of a matrix that is not symmetric, transposed: as many numbers as those below it."""
    return slice(at.mirrored, at.mirrored + at.n_factor)


@kernel
def turning(at):
    """Inverse matrices of rotation in a step of one stage: TURNING per body."""
    return slice(at.turning, at.turning + TURNING * at.n_bodies)


@kernel
def end(at):
    """State at the end of the step."""
    return slice(at.end, at.end + at.state)


@kernel
def betas(at):
    """Corrections of the angles among the constraint rows: one per term."""
    return slice(at.betas, at.betas + at.n_terms)


@kernel
def output_betas(at):
    """Corrections of the angles among the outputs: n_drives."""
    return slice(at.output_betas, at.output_betas + at.n_drives)


@kernel
def powers(at):
    """Power of non-conservative loads at the stages: MAX_STAGES."""
    return slice(at.powers, at.powers + MAX_STAGES)


@kernel
def targets(at):
    """Rates that outputs must have at the stages: n_drives per stage."""
    return slice(at.targets, at.targets + MAX_STAGES * at.n_drives)


@kernel
def load_notes(at, k):
    """What is kept of load k: TERMS_NOTES numbers per stage."""
    first = at.notes + MAX_STAGES * TERMS_NOTES * k
    return slice(first, first + MAX_STAGES * TERMS_NOTES)
