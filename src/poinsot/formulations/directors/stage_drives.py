"""Drives at the stages of an energy-momentum step: coordinates that follow signals, and the efforts that make them (uhlar2008).

Targets gamma_i = c'(t_i) + beta with one number beta per step, so that the outputs meet their signals at the end of it.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.director_scalars import ANGLE
from poinsot.elements.signals import signal_at
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.bodies import pair_rate, pull
from poinsot.formulations.absolute.changes import one_stage_correction
from poinsot.formulations.absolute.coordinates import corrected_gradient, value_of
from poinsot.formulations.absolute.drives import build_responses, drive_solution
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.drive_tasks import BUILD, RESIDUALS, SET_TARGETS, SOLVE
from poinsot.formulations.directors.stages import NODES, STAGES, WEIGHTS, angle_beta, stage
from poinsot.linear.pattern import GROUPS
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE


@helper
def set_targets(t, y, layout, work, method):
    """gamma of all drives at all stages of the step from t on; returns a status. A signal is asked once for all its drives."""
    p = layout.pattern
    s, h, n = int(method[STAGES]), work[p[at.SIZE]], p[at.DRIVES]
    room, targets, miss = work[p[at.ROOM] :], work[p[at.TARGETS] :], work[p[at.GAPS] :]
    for i in range(-2, s):  # the start, the end, the stages; every signal is asked once for all that follow it
        when = t if i == -2 else t + h if i == -1 else t + method[NODES + i] * h
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
                miss[k] -= method[WEIGHTS + i] * targets[i * n + k]
    for k in range(n):
        if not isfinite(miss[k]):
            return CALLBACK
        for i in range(s):
            targets[i * n + k] += miss[k]
    return OK


@helper
def set_output_betas(y, layout, work, method):
    """Corrections of the angles among the outputs."""
    p = layout.pattern
    h, n = work[p[at.SIZE]], layout.bodies.shape[0]
    for k in range(p[at.DRIVES]):
        if layout.outputs[k].kind >= ANGLE:
            work[p[at.OUT_BETAS] + k] = angle_beta(layout.outputs[k], method, h, n, y, layout, work)


@helper
def input_gradient(given, layout, y, poses, twists, h):
    """Gradient of an input; in a step of one stage, of size h, the one with which an effort works on the change of an angle, as motors do."""
    beta = one_stage_correction(given, y, poses, twists, h) if h > 0.0 and given.kind == ANGLE else 0.0
    return corrected_gradient(given, layout, y, poses, twists, beta)


@helper
def residuals(y, layout, work, method):
    """Gaps of the outputs at all stages, and the forces of the efforts taken from the stage forces."""
    p = layout.pattern
    s, n, drives = int(method[STAGES]), layout.bodies.shape[0], p[at.DRIVES]
    nt, nm = TWIST * n, 3 * p[GROUPS]
    efforts, gaps = work[p[at.STAGE_TWISTS] + s * (nt + nm) :], work[p[at.GAPS] + s * nm :]
    set_output_betas(y, layout, work, method)
    for i in range(s):
        poses, twists = stage(n, i, layout, work)
        forces = work[p[at.STAGE_FORCES] + i * nt :]
        for k in range(drives):
            output, given = layout.outputs[k], layout.inputs[k]
            gradient = corrected_gradient(output, layout, y, poses, twists, work[p[at.OUT_BETAS] + k])
            rate = pair_rate(gradient, twists, output.first, output.second)
            gaps[i * drives + k] = rate - work[p[at.TARGETS] + i * drives + k]
            along = input_gradient(given, layout, y, poses, twists, work[p[at.SIZE]] if s == 1 else 0.0)
            pull(forces, efforts[i * drives + k], along, given.first, given.second)


@helper
def add_powers(y, layout, work, method):
    """Power of the efforts at the stages."""
    p = layout.pattern
    s, n, drives = int(method[STAGES]), layout.bodies.shape[0], p[at.DRIVES]
    efforts = work[p[at.STAGE_TWISTS] + s * (TWIST * n + 3 * p[GROUPS]) :]
    for i in range(s):
        poses, twists = stage(n, i, layout, work)
        for k in range(drives):
            given = layout.inputs[k]
            gradient = input_gradient(given, layout, y, poses, twists, work[p[at.SIZE]] if s == 1 else 0.0)
            rate = pair_rate(gradient, twists, given.first, given.second)
            work[p[at.POWERS] + i] += efforts[i * drives + k] * rate


@compiled(RATE_SIGNATURE)
def drive(t, y, layout, work, method):
    """One task of the drives, named in work[TASK]. Of the type RATE, so that steps call it as a value and only models with drives compile it."""
    p = layout.pattern
    task = work[p[at.TASK]]
    if task == SET_TARGETS:
        return set_targets(t, y, layout, work, method)
    if task == RESIDUALS:
        residuals(y, layout, work, method)
    elif task == BUILD:
        return build_responses(y, work[p[at.MIDDLE] :], layout, work)
    elif task == SOLVE:
        drives, s, i = p[at.DRIVES], int(method[STAGES]), int(work[p[at.TASK] + 1])
        nt, nm = TWIST * layout.bodies.shape[0], 3 * p[GROUPS]
        push, step = work[p[at.CHANGES] + i * nt :], work[p[at.GAPS] + i * nm :]
        gaps = work[p[at.GAPS] + s * nm + i * drives :]
        drive_solution(y, work[p[at.MIDDLE] :], layout, work, push, step, gaps)
    else:
        add_powers(y, layout, work, method)
    return OK
