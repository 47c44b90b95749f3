"""Beginning and end of an energy-momentum step: the prediction of its stages, and the state at its end."""

from __future__ import annotations

from numba import int64

from poinsot.algebra.compile import internal
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import keep_coordinates, set_clock
from poinsot.formulations.absolute.openings import came_apart
from poinsot.formulations.absolute.weak_rows import rows_weaken
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.drive_tasks import ADD_POWERS, SET_TARGETS
from poinsot.formulations.directors.energy_momentum_memory import LOOKED, LOST, predict, remember
from poinsot.formulations.directors.gaps import gaps_to_close
from poinsot.formulations.directors.give_back import take_back
from poinsot.formulations.directors.iteration import REDUNDANT
from poinsot.formulations.directors.row_work import reflect_with_work, work_of_rows
from poinsot.formulations.directors.stage_controls import add_controls
from poinsot.formulations.directors.stage_places import EM_WEIGHTS, STEP_TYPE, parts_of
from poinsot.formulations.directors.stages import end_state, middle_poses, place_stages, turn_angles
from poinsot.integrators.stages import all_finite, copy
from poinsot.tables.types import ASKED, BUFFERS, FLOATS, LAYOUT, NOT_FINITE, OK, OPENED, RATE, STEPS

NEARLY_DEPENDENT = 1e-5  # pivot of rows below which their multipliers may be so large that closing gaps changes energy


@internal(int64(RATE, STEP_TYPE, FLOATS, FLOATS, LAYOUT, FLOATS))
def predict_stages(drives, step, y, memory, layout, work):
    """First guess of all stages of the step, and what drives ask for at them; returns a status."""
    at, s = layout.places[0], step.stages
    work[at.step_size] = step.h
    unknowns = parts_of(work[stage_places.unknowns(at, s)], at, s)
    predict(step, y, y[places.velocities(at)], memory, work[stage_places.stage_poses(at, s)], unknowns)
    gaps_to_close(y, layout, work)
    if at.n_drives > 0:
        work[at.task] = SET_TARGETS
        return drives(step.t, y, layout, work, step.method)
    return OK


@internal(int64(RATE, STEP_TYPE, FLOATS, BUFFERS, LAYOUT))
def finish(drives, step, y, buffers, layout):
    """From stages that satisfy their equations to the state at the end of the step; returns a status."""
    method, s, _, t, h = step
    _, memory, scratch, work, counters = buffers
    at = layout.places[0]
    end, powers = work[places.end(at)], work[places.powers(at)]
    poses, unknowns = work[stage_places.stage_poses(at, s)], parts_of(work[stage_places.unknowns(at, s)], at, s)
    if s == 1:
        middle_poses(step, y, poses, unknowns.twists)
    else:
        place_stages(step, y, poses, unknowns.twists, int64(2))
    lost = scratch[: at.n_poses]
    copy(y, end)
    end_state(step, y, layout, work, memory[LOST:], lost)
    end[at.state - 1] += work_of_rows(step, layout, work)
    if s % 2 == 0:
        set_clock(layout, t + h)
        end[at.state - 1] += reflect_with_work(layout, end, end[places.velocities(at)], poses, work)
    weak = method[REDUNDANT] == 1.0 and work[at.pivot] < NEARLY_DEPENDENT
    if (weak or at.curved == 1) and at.n_drives == 0:
        take_back(step, layout, work, end[places.velocities(at)])
    turn_angles(step, y, layout, work)
    keep_coordinates(layout, end, end)
    if at.n_drives > 0:
        if layout.loads.shape[0] == 0:
            for i in range(s):
                powers[i] = 0.0
        work[at.task] = ADD_POWERS
        drives(t, y, layout, work, method)
        copy(unknowns.efforts, end[at.efforts :])
    for i in range(s):
        end[at.state - 1] += h * method[EM_WEIGHTS + i] * powers[i]
    add_controls(step, y, layout, end)
    if not all_finite(end):
        return NOT_FINITE
    if came_apart(end, layout, work):
        return OPENED
    copy(end, y)
    remember(step, lost, unknowns, memory)
    if method[REDUNDANT] == 1.0 and rows_weaken(work[at.pivot], memory, LOOKED):
        counters[ASKED] = 1
    counters[STEPS] += 1
    return OK
