"""A planar energy-momentum step of several stages."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.formulations.directors.energy_momentum_memory import goes_to_rescue
from poinsot.formulations.directors.iteration import PACE, Solved, iterate
from poinsot.formulations.directors.plane.solving import arrays, build_many, correct_many, left_over, residuals, speeds
from poinsot.formulations.directors.plane.step import finish, predict_stages
from poinsot.formulations.directors.stage_places import step_of
from poinsot.integrators.contract import WATCH
from poinsot.tables.types import NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STIFF


@compiled(STEP_SIGNATURE)
def plane_step(equations, t, h, y, buffers, layout):
    """One planar step of several stages; of the type STEP."""
    method, memory, _, work, _ = buffers
    if method[WATCH] == 1.0 and goes_to_rescue(memory):
        return STIFF
    step = step_of(t, h, method, layout.places[0])
    predict_stages(step, y, memory, layout, work)
    solved = Solved(arrays, residuals, build_many, correct_many, speeds, left_over)
    status, _ = iterate(solved, PACE, equations, step, y, layout, buffers)
    if status == OK:
        return finish(step, y, buffers, layout)
    return STIFF if method[WATCH] == 1.0 and status in (NOT_CONVERGED, NOT_FINITE) else status
