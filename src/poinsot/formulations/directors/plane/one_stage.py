"""A planar energy-momentum step of one stage, by Newton's method."""

from __future__ import annotations

from numba import int64

from poinsot.algebra.compile import compiled
from poinsot.formulations.directors.energy_momentum_memory import goes_to_rescue, remember_matrices
from poinsot.formulations.directors.iteration import PACE_OF_ONE, Solved, iterate
from poinsot.formulations.directors.plane.solving import arrays, build_one, correct_one, left_over, residuals, speeds
from poinsot.formulations.directors.plane.step import finish, predict_stages
from poinsot.formulations.directors.stage_places import Step
from poinsot.integrators.contract import WATCH
from poinsot.tables.types import NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STIFF


@compiled(STEP_SIGNATURE)
def plane_step(equations, t, h, y, buffers, layout):
    """One planar step of one stage; of the type STEP."""
    method, memory, _, work, _ = buffers
    if method[WATCH] == 1.0 and goes_to_rescue(memory):
        return STIFF
    step = Step(method, int64(1), layout.places[0].n_bodies, t, h)
    predict_stages(step, y, memory, layout, work)
    solved = Solved(arrays, residuals, build_one, correct_one, speeds, left_over)
    status, in_vain = iterate(solved, PACE_OF_ONE, equations, step, y, layout, buffers)
    if status == OK:
        status = finish(step, y, buffers, layout)
        if status == OK:
            remember_matrices(memory, in_vain)
        return status
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
