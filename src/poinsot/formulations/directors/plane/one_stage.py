"""A planar energy-momentum step of one stage, by Newton's method."""

from __future__ import annotations

from numba import int64

from poinsot.algebra.compile import compiled
from poinsot.formulations.directors.iteration import PACE_OF_ONE, Solved, iterate
from poinsot.formulations.directors.plane.solving import arrays, build_one, correct_one, left_over, residuals, speeds
from poinsot.formulations.directors.plane.step import finish, predict_stages
from poinsot.formulations.directors.stage_places import Step
from poinsot.integrators.contract import WATCH
from poinsot.tables.types import NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STIFF


@compiled(STEP_SIGNATURE)
def plane_step(equations, t, h, y, buffers, layout):
    """One planar step of one stage; of the type STEP."""
    method, memory, _, work, counters = buffers
    step = Step(method, int64(1), layout.places[0].n_bodies, t, h)
    predict_stages(step, y, memory, layout, work)
    solved = Solved(arrays, residuals, build_one, correct_one, speeds, left_over)
    status = iterate(solved, PACE_OF_ONE, equations, step, y, layout, work, counters)
    if status == OK:
        return finish(step, y, buffers, layout)
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
