"""Drives at the stages of an energy-momentum step: coordinates that follow signals, and the efforts that make them (uhlar2008).

Targets gamma_i = c'(t_i) + beta with one number beta per step, so that the outputs meet their signals at the end of it.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.director_scalars import ANGLE
from poinsot.elements.signals import signal_at
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate, pull
from poinsot.formulations.absolute.coordinates import corrected_gradient, value_of
from poinsot.formulations.absolute.drives import build_responses, drive_solution
from poinsot.formulations.absolute.loads import rate_gradient
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.drive_tasks import BUILD_RESPONSES, DRIVE_RESIDUALS, SET_TARGETS, SOLVE_EFFORTS
from poinsot.formulations.directors.stage_places import EM_NODES, EM_WEIGHTS, forces_of_stage, parts_of, stage, step_of
from poinsot.formulations.directors.stages import angle_beta
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE


@helper
def set_targets(step, y, layout, work):
    """gamma of all drives at all stages of the step from t on; returns a status. A signal is asked once for all its drives."""
    at = layout.places[0]
    method, s, _, t, h = step
    room, targets, miss = work[places.room(at)], work[places.targets(at)], work[places.drive_gaps(at)]
    n = miss.shape[0]
    for i in range(-2, s):  # the start, the end, the stages; every signal is asked once for all that follow it
        when = t if i == -2 else t + h if i == -1 else t + method[EM_NODES + i] * h
        for k in range(n):
            drive, output = layout.drives[k], layout.outputs[k]
            signal, c = layout.signals[drive.signal], drive.component
            if c == 0:
                signal_at(signal, when, layout, room)
            if i == -2:
                miss[k] = -value_of(output, layout, y, y, room[c])
            elif i == -1:
                miss[k] = (miss[k] + room[c]) / h
            else:
                targets[i * n + k] = room[signal.size + c]
                miss[k] -= method[EM_WEIGHTS + i] * targets[i * n + k]
    for k in range(n):
        if not isfinite(miss[k]):
            return CALLBACK
        for i in range(s):
            targets[i * n + k] += miss[k]
    return OK


@helper
def set_output_betas(step, y, layout, work):
    """Corrections of the angles among the outputs."""
    at = layout.places[0]
    betas = work[places.output_betas(at)]
    for k in range(betas.shape[0]):
        if layout.outputs[k].kind >= ANGLE:
            betas[k] = angle_beta(layout.outputs[k], step, y, layout, work)


@helper
def residuals(step, y, layout, work):
    """Gaps of the outputs at all stages, and the forces of the efforts taken from the stage forces."""
    s, at = step.stages, layout.places[0]
    drives = at.n_drives
    efforts = parts_of(work[stage_places.unknowns(at, s)], at, s).efforts
    gaps, betas = work[stage_places.stage_gaps(at, s)][s * at.n_rows :], work[places.output_betas(at)]
    targets = work[places.targets(at)]
    set_output_betas(step, y, layout, work)
    for i in range(s):
        poses, twists = stage(at, work, i)
        forces = work[forces_of_stage(at, i)]
        for k in range(drives):
            output, given = layout.outputs[k], layout.inputs[k]
            gradient = corrected_gradient(output, layout, y, poses, twists, betas[k])
            rate = pair_rate(gradient, twists, output.first, output.second)
            gaps[i * drives + k] = rate - targets[i * drives + k]
            along = rate_gradient(given, layout, y, poses, twists, step.h if s == 1 else 0.0)
            pull(forces, efforts[i * drives + k], along, given.first, given.second)


@helper
def add_powers(step, y, layout, work):
    """Power of the efforts at the stages."""
    at = layout.places[0]
    s, drives, powers = step.stages, at.n_drives, work[places.powers(at)]
    efforts = parts_of(work[stage_places.unknowns(at, s)], at, s).efforts
    for i in range(s):
        poses, twists = stage(at, work, i)
        for k in range(drives):
            given = layout.inputs[k]
            gradient = rate_gradient(given, layout, y, poses, twists, step.h if s == 1 else 0.0)
            rate = pair_rate(gradient, twists, given.first, given.second)
            powers[i] += efforts[i * drives + k] * rate


@helper
def solve_efforts(i, step, y, layout, work):
    """Changes of twists, multipliers and efforts of stage i that its gaps ask for; those of the last two replace the gaps."""
    s, at = step.stages, layout.places[0]
    gaps = work[stage_places.stage_gaps(at, s)]
    outputs = gaps[s * at.n_rows + i * at.n_drives :]
    push = work[stage_places.changes(at, s)][i * at.n_twists :]
    drive_solution(y, work[places.middle(at)], layout, work, push, gaps[i * at.n_rows :], outputs)


@compiled(RATE_SIGNATURE)
def drive(t, y, layout, work, method):
    """One task of the drives, named in the work array (`drive_tasks.py`).

    Of the type RATE, so that steps call it as a value and only models with drives compile it.
    """
    at = layout.places[0]
    task, step = work[at.task], step_of(t, work[at.step_size], method, at)
    if task == SET_TARGETS:
        return set_targets(step, y, layout, work)
    if task == DRIVE_RESIDUALS:
        residuals(step, y, layout, work)
    elif task == BUILD_RESPONSES:
        return build_responses(y, work[places.middle(at)], layout, work)
    elif task == SOLVE_EFFORTS:
        solve_efforts(int(work[at.task_stage]), step, y, layout, work)
    else:
        add_powers(step, y, layout, work)
    return OK
