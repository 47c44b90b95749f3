"""Drives of bodies in absolute coordinates: responses to the inputs, and the efforts that make the outputs follow (uhlar2008).

With outputs c(q) and inputs e(q), whose gradients are C and B, the equations gain the forces B' u and the rows C V = gamma:

    [M G' -B'; G 0 0; C 0 0]     eliminated as  T = C Z,  Z = response of the constrained system to -B'
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import helper
from poinsot.elements.signals import signal_at
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate, pull
from poinsot.formulations.absolute.coordinates import bias_of, gradient_of, rows_failed, rows_power, value_of
from poinsot.formulations.absolute.reactions import applied, damp_gaps, right_hand_side
from poinsot.formulations.absolute.rows import constrained
from poinsot.formulations.absolute.work import TWIST
from poinsot.linear.dense import lu_factor, lu_solve
from poinsot.tables.types import CALLBACK, OK, SINGULAR

SINGULAR_PIVOT = 1e-12  # of the largest entry of T


@helper
def fill_matrix(y, poses, layout, work):
    """Responses Z of the constrained system to -B', and the matrix T = C Z, at poses near y where J M^-1 J' is factored."""
    at = layout.places[0]
    push, step = work[places.push(at)], work[places.step(at)]
    responses, T = work[places.responses(at)], work[places.drive_matrix(at)]
    drives, nt, nm = at.n_drives, push.shape[0], step.shape[0]
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
    at = layout.places[0]
    fill_matrix(y, poses, layout, work)
    smallest = lu_factor(work[places.drive_matrix(at)], at.n_drives, work[places.drive_pivots(at)])
    return OK if smallest > SINGULAR_PIVOT else SINGULAR


@helper
def drive_solution(y, poses, layout, work, push, step, gaps):
    """Correct a solution (twists, multipliers) of the constrained system so that C twist = -gaps; the efforts replace the gaps."""
    at = layout.places[0]
    drives, nt, nm = at.n_drives, at.n_twists, at.n_rows
    responses = work[places.responses(at)]
    for c in range(drives):
        output = layout.outputs[c]
        gradient = gradient_of(output, layout, y, poses)
        gaps[c] += pair_rate(gradient, push, output.first, output.second)
    lu_solve(work[places.drive_matrix(at)], drives, work[places.drive_pivots(at)], gaps)
    for k in range(drives):
        base = k * (nt + nm)
        for m in range(TWIST, nt):
            push[m] -= gaps[k] * responses[base + m]
        for m in range(nm):
            step[m] -= gaps[k] * responses[base + nt + m]


@helper
def follow(t, y, layout, work, order, twists, gaps):
    """gaps = what the outputs lack of their signals: themselves (order 0), or their rates (1) or accelerations (2) without any motion or
    acceleration of their own; the last with Baumgarte's terms where there is damping. Returns a status.
    """
    at = layout.places[0]
    room, c = work[places.room(at)], layout.places[0].damping
    for k in range(layout.drives.shape[0]):
        signal, output, component = layout.signals[layout.drives[k].signal], layout.outputs[k], layout.drives[k].component
        if component == 0:
            signal_at(signal, t, layout, room)
        gaps[k] = -room[order * signal.size + component]
        if not isfinite(gaps[k]):
            return CALLBACK
        if order == 0:
            gaps[k] += value_of(output, layout, y, y, room[component])
        elif order == 2:
            gaps[k] += bias_of(output, layout, y, twists)
            if c > 0.0:
                rate = pair_rate(gradient_of(output, layout, y, y), twists, output.first, output.second)
                gaps[k] += 2.0 * c * (rate - room[signal.size + component])
                gaps[k] += c * c * (value_of(output, layout, y, y, room[component]) - room[component])
    return OK


@helper
def driven_accelerations(t, y, layout, work, twists, forces, report):
    """Accelerations of all bodies that make the outputs follow their signals, in `forces`; multipliers in `step`, efforts in `drive_gaps`.

    Factor and responses at y are in `work`; loads are reported as by `applied`. Returns a status.
    """
    at = layout.places[0]
    step, gaps = work[places.step(at)], work[places.drive_gaps(at)]
    status = applied(t, y, layout, work, twists, forces, report, True)
    if status != OK:
        return status
    right_hand_side(y, layout, twists, forces, step)
    if at.damping > 0.0:
        damp_gaps(y, layout, work, twists, step)
    constrained(layout, work, step, forces)
    status = follow(t, y, layout, work, 2, twists, gaps)
    if status == OK:
        drive_solution(y, y, layout, work, forces, step, gaps)
        report[0] += rows_power(layout, y, step)
    return CALLBACK if rows_failed(layout) else status


@helper
def drive_power(k, effort, y, layout, twists):
    """Power of an effort of input k, W."""
    given = layout.inputs[k]
    return effort * pair_rate(gradient_of(given, layout, y, y), twists, given.first, given.second)


@helper
def add_drive_power(y, layout, work, twists, total):
    """Add the power of all drives, whose efforts are in `drive_gaps`, to total[0]."""
    efforts = work[places.drive_gaps(layout.places[0])]
    for k in range(efforts.shape[0]):
        total[0] += drive_power(k, efforts[k], y, layout, twists)


@helper
def report_drives(y, layout, twists, efforts, row):
    """Add the power of the drives to that of the loads, and write effort and power of each behind the loads, and to its motor; see
    `formulations/contract.py`. `row` begins with the power of all loads.
    """
    last = 1 + 4 * layout.loads.shape[0]
    for k in range(efforts.shape[0]):
        power = drive_power(k, efforts[k], y, layout, twists)
        row[last + 2 * k], row[last + 2 * k + 1] = efforts[k], power
        row[0] += power
        if layout.drives[k].load >= 0:
            row[1 + 4 * layout.drives[k].load] = efforts[k]
            row[4 + 4 * layout.drives[k].load] = power
