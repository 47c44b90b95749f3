"""One energy-momentum step of one stage, without drives: twists and multipliers by Newton's method.

The matrix (`one_stage.py`) is taken at the prediction, and again where corrections shrink slowly: three iterations are usual. Where new matrices do
not help, because loads are stiff, iterations are accelerated as in steps of several stages, and some of the next steps try no new ones.
"""

from __future__ import annotations

from numba import int64

from poinsot.algebra.compile import compiled, helper
from poinsot.formulations.absolute.coordinates import set_clock
from poinsot.formulations.directors.energy_momentum_memory import goes_to_rescue, remember_matrices
from poinsot.formulations.directors.energy_momentum_step import (
    arrays,
    left_over,
    residuals,
    speeds,
)
from poinsot.formulations.directors.iteration import PACE_OF_ONE, Solved, iterate
from poinsot.formulations.directors.one_stage import build_one, correct_one
from poinsot.formulations.directors.stage_places import Step
from poinsot.formulations.directors.step_ends import finish, predict_stages
from poinsot.integrators.contract import WATCH
from poinsot.tables.types import NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STIFF


@helper
def build(drives, step, y, layout, work):
    """Factor the matrix at the present unknowns; returns a status."""
    set_clock(layout, step.t + 0.5 * step.h)
    work[layout.places[0].pivot] = build_one(step, y, layout, work, False)
    return OK


@helper
def correct(drives, step, y, layout, work):
    """Newton's corrections of twists and multipliers."""
    correct_one(step, layout, work)


@compiled(STEP_SIGNATURE)
def one_stage_step(equations, t, h, y, buffers, layout):
    """One step of the energy-momentum method of one stage; of the type STEP."""
    at = layout.places[0]
    method, memory, _, work, _ = buffers
    if method[WATCH] == 1.0 and goes_to_rescue(memory):
        return STIFF
    step = Step(method, int64(1), at.n_bodies, t, h)
    status, in_vain = predict_stages(equations.second, step, y, memory, layout, work), False
    if status == OK:
        solved = Solved(arrays, residuals, build, correct, speeds, left_over)
        status, in_vain = iterate(solved, PACE_OF_ONE, equations, step, y, layout, buffers)
    if status == OK:
        status = finish(equations.second, step, y, buffers, layout)
        if status == OK:
            remember_matrices(memory, in_vain)
        return status
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
