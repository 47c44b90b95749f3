"""Parts of the state and of the work array by name, for kernels: `push, step = views.push(layout, work), views.step(layout, work)`.

Where they lie is the record `layout.places` (`work.py`). Every docstring ends with the length of its view, in terms of the counts of
that record: n_poses (POSE per body), n_twists (TWIST per body), n_rows (rows in use), n_drives.
"""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.elements.states import MOTION, WRENCH
from poinsot.formulations.absolute.work import INVERSE_MASS, MAX_STAGES, TERMS_NOTES

# --- of a state y ------------------------------------------------------------------------------------------------------


@kernel
def velocities(layout, y):
    """Velocities in the state: n_velocities numbers."""
    at = layout.places[0]
    return y[at.velocities : at.velocities + at.n_velocities]


# --- of one configuration ----------------------------------------------------------------------------------------------


@kernel
def push(layout, work):
    """Forces on bodies, which a constrained solve turns into twists or accelerations: n_twists."""
    at = layout.places[0]
    return work[at.push : at.push + at.n_twists]


@kernel
def step(layout, work):
    """Right-hand sides of the rows, which a constrained solve turns into multipliers: n_rows."""
    at = layout.places[0]
    return work[at.step : at.step + at.n_rows]


@kernel
def masses(layout, work):
    """Inverse masses: INVERSE_MASS per body."""
    at = layout.places[0]
    return work[at.masses : at.masses + INVERSE_MASS * layout.bodies.shape[0]]


@kernel
def legs(layout, work):
    """Blocks of the constraint matrix J: 18 per leg of the pattern."""
    at = layout.places[0]
    return work[at.legs : at.legs + at.n_legs]


@kernel
def weighted(layout, work):
    """Blocks of J M^-1: 18 per leg."""
    at = layout.places[0]
    return work[at.weighted : at.weighted + at.n_legs]


@kernel
def factor(layout, work):
    """Blocks of J M^-1 J', or of its Cholesky factor: 9 each."""
    at = layout.places[0]
    return work[at.factor : at.factor + at.n_factor]


@kernel
def diagonal(layout, work):
    """Diagonal of J M^-1 J': n_rows."""
    at = layout.places[0]
    return work[at.diagonal : at.diagonal + at.n_rows]


@kernel
def row_gaps(layout, work):
    """How far the rows in use are open: n_rows."""
    at = layout.places[0]
    return work[at.row_gaps : at.row_gaps + at.n_rows]


@kernel
def all_row_gaps(layout, work):
    """How far all rows are open, those in use first: n_rows + n_left_out."""
    at = layout.places[0]
    return work[at.row_gaps : at.row_gaps + at.n_rows + at.n_left_out]


@kernel
def states(layout, work):
    """Bodies in the world, as `elements/states.py` describes them: MOTION per body."""
    at = layout.places[0]
    return work[at.states : at.states + MOTION * layout.bodies.shape[0]]


@kernel
def wrenches(layout, work):
    """Wrenches of loads on bodies: WRENCH per body."""
    at = layout.places[0]
    return work[at.wrenches : at.wrenches + WRENCH * layout.bodies.shape[0]]


@kernel
def room(layout, work):
    """Room for users' functions and signals."""
    at = layout.places[0]
    return work[at.room : at.room + at.n_room]


@kernel
def twists(layout, work):
    """Twists at a state, where a step has those of its first stage: n_twists."""
    at = layout.places[0]
    return work[at.unknowns : at.unknowns + at.n_twists]


@kernel
def forces(layout, work):
    """Forces on bodies at a state, where a step has those of its first stage: n_twists."""
    at = layout.places[0]
    return work[at.stage_forces : at.stage_forces + at.n_twists]


@kernel
def spare_rows(layout, work):
    """Room for two numbers per row, where a step has the gaps of its stages: 2 n_rows."""
    at = layout.places[0]
    return work[at.stage_gaps : at.stage_gaps + 2 * at.n_rows]


@kernel
def total_power(layout, work):
    """Power of the loads at a state, where a step has that of its first stage: one number."""
    at = layout.places[0]
    return work[at.powers : at.powers + 1]


# --- of drives ---------------------------------------------------------------------------------------------------------


@kernel
def responses(layout, work):
    """Twists and multipliers with which the constrained system responds to each input: n_drives (n_twists + n_rows)."""
    at = layout.places[0]
    return work[at.responses : at.responses + at.n_drives * (at.n_twists + at.n_rows)]


@kernel
def drive_matrix(layout, work):
    """Rates of the outputs in these responses, or their LU factors: n_drives^2, row by row."""
    at = layout.places[0]
    return work[at.drive_matrix : at.drive_matrix + at.n_drives * at.n_drives]


@kernel
def drive_pivots(layout, work):
    """Row exchanges of these factors: n_drives."""
    at = layout.places[0]
    return work[at.drive_pivots : at.drive_pivots + at.n_drives]


@kernel
def drive_gaps(layout, work):
    """What outputs lack at a state, then the efforts of the drives, where a step has the gaps of its stages: n_drives."""
    at = layout.places[0]
    return work[at.stage_gaps : at.stage_gaps + at.n_drives]


# --- of a step ---------------------------------------------------------------------------------------------------------


@kernel
def middle(layout, work):
    """Poses in the middle of the step, where its matrix is taken: n_poses."""
    at = layout.places[0]
    return work[at.middle : at.middle + at.n_poses]


@kernel
def end(layout, work):
    """State at the end of the step."""
    at = layout.places[0]
    return work[at.end : at.end + at.state]


@kernel
def betas(layout, work):
    """Corrections of the angles among the constraint rows: one per term."""
    at = layout.places[0]
    return work[at.betas : at.betas + layout.terms.shape[0]]


@kernel
def output_betas(layout, work):
    """Corrections of the angles among the outputs: n_drives."""
    at = layout.places[0]
    return work[at.output_betas : at.output_betas + at.n_drives]


@kernel
def powers(layout, work):
    """Power of non-conservative loads at the stages: MAX_STAGES."""
    at = layout.places[0]
    return work[at.powers : at.powers + MAX_STAGES]


@kernel
def targets(layout, work):
    """Rates that outputs must have at the stages: n_drives per stage."""
    at = layout.places[0]
    return work[at.targets : at.targets + MAX_STAGES * at.n_drives]


@kernel
def load_notes(layout, work, k):
    """What is kept of load k: TERMS_NOTES numbers per stage."""
    at = layout.places[0]
    first = at.notes + MAX_STAGES * TERMS_NOTES * k
    return work[first : first + MAX_STAGES * TERMS_NOTES]
