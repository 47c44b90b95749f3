"""Drives: coordinates that follow signals, and the efforts that make them (uhlar2008, servo constraints).

With outputs c(q) and inputs e(q), whose gradients are C and B, the equations gain the forces B' u and the rows C V_i = gamma_i:

    [M G' -B'; G 0 0; C 0 0]     eliminated as  T = C Z,  Z = response of the constrained system to -B'

Targets gamma_i = c'(t_i) + beta with one number beta per step, so that the outputs meet their signals at the end of it.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import compiled, helper
from poinsot.elements.director_scalars import ANGLE
from poinsot.elements.signals import signal_at
from poinsot.formulations.directors import work as at
from poinsot.formulations.directors.bodies import pair_rate, pull
from poinsot.formulations.directors.changes import one_stage_correction
from poinsot.formulations.directors.coordinates import bias_of, corrected_gradient, gradient_of, value_of
from poinsot.formulations.directors.rows import constrained
from poinsot.formulations.directors.stages import NODES, STAGES, WEIGHTS, angle_beta, stage
from poinsot.formulations.directors.work import TWIST
from poinsot.linear.dense import lu_factor, lu_solve
from poinsot.linear.pattern import GROUPS
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE, SINGULAR

# tasks of the kernel
SET_TARGETS, RESIDUALS, BUILD, SOLVE, POWER = 0, 1, 2, 3, 4
SINGULAR_PIVOT = 1e-12  # of the largest entry of T


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
def fill_matrix(y, poses, layout, work):
    """Responses Z of the constrained system to -B', and the matrix T = C Z, at poses near y where J M^-1 J' is factored."""
    p = layout.pattern
    drives, nt, nm = p[at.DRIVES], TWIST * layout.bodies.shape[0], 3 * p[GROUPS]
    push, step = work[p[at.PUSH] : p[at.PUSH] + nt], work[p[at.STEP] : p[at.STEP] + nm]
    responses, T = work[p[at.RESPONSES] :], work[p[at.MATRIX] :]
    for k in range(drives):
        given = layout.inputs[k]
        for m in range(nt):
            push[m] = 0.0
        for m in range(nm):
            step[m] = 0.0
        pull(push, 1.0, gradient_of(given, layout, y, poses), given.first, given.second)
        for m in range(TWIST):
            push[m] = 0.0
        constrained(layout, work, step, push)
        for m in range(nt):
            responses[k * (nt + nm) + m] = push[m]
        for m in range(nm):
            responses[k * (nt + nm) + nt + m] = step[m]
        for c in range(drives):
            output = layout.outputs[c]
            gradient = gradient_of(output, layout, y, poses)
            T[c * drives + k] = pair_rate(gradient, push, output.first, output.second)


@helper
def build_responses(y, poses, layout, work):
    """The same, with T factored. Returns a status."""
    p = layout.pattern
    fill_matrix(y, poses, layout, work)
    smallest = lu_factor(work[p[at.MATRIX] :], p[at.DRIVES], work[p[at.PIVOTS] :])
    return OK if smallest > SINGULAR_PIVOT else SINGULAR


@helper
def drive_solution(y, poses, layout, work, push, step, gaps):
    """Correct a solution (twists, multipliers) of the constrained system so that C twist = -gaps; the efforts replace the gaps."""
    p = layout.pattern
    drives, nt, nm = p[at.DRIVES], TWIST * layout.bodies.shape[0], 3 * p[GROUPS]
    responses = work[p[at.RESPONSES] :]
    for c in range(drives):
        output = layout.outputs[c]
        gradient = gradient_of(output, layout, y, poses)
        gaps[c] += pair_rate(gradient, push, output.first, output.second)
    lu_solve(work[p[at.MATRIX] :], drives, work[p[at.PIVOTS] :], gaps)
    for k in range(drives):
        base = k * (nt + nm)
        for m in range(TWIST, nt):
            push[m] -= gaps[k] * responses[base + m]
        for m in range(nm):
            step[m] -= gaps[k] * responses[base + nt + m]


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
    task = int(work[p[at.TASK]])
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


@helper
def follow(t, y, layout, work, order, twists, gaps):
    """gaps = what the outputs' rates (order 1) or accelerations (order 2) lack without any motion or acceleration of their own; a status."""
    p = layout.pattern
    room = work[p[at.ROOM] :]
    for k in range(p[at.DRIVES]):
        signal, output = layout.signals[layout.drives[k].signal], layout.outputs[k]
        if layout.drives[k].component == 0:
            signal_at(signal, t, layout, room)
        gaps[k] = -room[order * signal.size + layout.drives[k].component]
        if not isfinite(gaps[k]):
            return CALLBACK
        if order == 2:
            gaps[k] += bias_of(output, layout, y, twists)
    return OK
