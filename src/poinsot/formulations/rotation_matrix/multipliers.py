"""Multipliers of rows and bodies at a state, in one step or in two (dumitriu2016), with every force where it acts on its body."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.matrices import congruence, load33, load_symmetric, matrix, store_symmetric
from poinsot.algebra.vectors import vector
from poinsot.elements.director_scalars import POSE, directors
from poinsot.elements.feedback import controls_in
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pull
from poinsot.formulations.absolute.coordinates import gradient_of, set_clock
from poinsot.formulations.absolute.drives import build_responses, driven_accelerations
from poinsot.formulations.absolute.reactions import accelerate, applied, damp_gaps, right_hand_side
from poinsot.formulations.absolute.rows import build
from poinsot.formulations.rotation_matrix import variant_places as own
from poinsot.formulations.rotation_matrix.lyapunov import body_multiplier, products
from poinsot.formulations.rotation_matrix.one_step import PAIRS, eliminate_at_once
from poinsot.formulations.rotation_matrix.point_forces import push_loads, push_rows
from poinsot.formulations.rotation_matrix.twists import set_twists
from poinsot.formulations.rotation_matrix.variant_flags import ONE_STEP
from poinsot.formulations.rotation_matrix.variant_places import MULTIPLIERS
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, RATE_SIGNATURE


@helper
def set_multipliers(y, layout, work, twists, forces):
    """Multipliers of rows and bodies at a state, with minus the loads in `forces`, which are lost. Returns a status."""
    at = layout.places[0]
    found, step = work[own.multipliers(at)], work[places.step(at)]
    if at.variant & ONE_STEP:
        right_hand_side(y, layout, twists, forces, step)
        if at.damping > 0.0:
            damp_gaps(y, layout, work, twists, step)
        loads = layout.loads.shape[0]
        return eliminate_at_once(y, layout, work[own.loaded(at)], step, work[own.dense(at, loads)], found)
    build(layout, y, y, work, 0.0, work)
    accelerate(y, layout, work, twists, forces)
    copy(step, found[: at.n_rows])
    pushed = work[own.pushed(at)]
    copy(work[own.loaded(at)], pushed)
    push_rows(y, layout, step, pushed)
    for b in range(1, layout.bodies.shape[0]):
        E, k = vector(layout.frames[b].euler), POSE * b + 3
        S, G = products(directors(y, b), load33(y, at.velocities + k), load33(pushed, k), at.damping)
        for m in range(MULTIPLIERS):
            i, j = PAIRS[m]
            found[at.n_rows + MULTIPLIERS * b + m] = body_multiplier(S, G, E, i, j)
    return OK


@helper
def push_inputs(t, y, layout, work, twists, forces, report):
    """Loads as by `applied`, and with them the forces of the drives, with which their outputs follow the signals. Returns a status."""
    efforts = work[places.drive_gaps(layout.places[0])]
    build(layout, y, y, work, 0.0, work)
    status = build_responses(y, y, layout, work)
    if status == OK:
        status = driven_accelerations(t, y, layout, work, twists, forces, report)
    if status == OK:
        status = applied(t, y, layout, work, twists, forces, report, True)
    for k in range(efforts.shape[0]):
        given = layout.inputs[k]
        pull(forces, efforts[k], gradient_of(given, layout, y, y), given.first, given.second)
    return status


@compiled(RATE_SIGNATURE)
def observe_multipliers(t, y, layout, work, row):
    """Fill a row with the multipliers of all rows of the model (0 where they are left out), N or N m, then of all bodies, N m.

    With M a + G' lambda = F for the rows, and D'' E = P + D L for a body: L as (11, 22, 33, 12, 13, 23), turned into body axes.
    """
    at = layout.places[0]
    twists, forces, report = work[places.twists(at)], work[places.forces(at)], work[own.report(at, layout.loads.shape[0])]
    set_clock(layout, t)
    set_twists(y, layout, twists)
    controls_in(y, layout)
    if layout.drives.shape[0] > 0:
        status = push_inputs(t, y, layout, work, twists, forces, report)
    else:
        status = applied(t, y, layout, work, twists, forces, report, True)
    if status != OK:
        return status
    push_loads(y, layout, forces, report, work[own.loaded(at)])
    status = set_multipliers(y, layout, work, twists, forces)
    found, rows = work[own.multipliers(at)], layout.rows.shape[0]
    for k in range(rows):
        row[k] = 0.0
    for k in range(layout.terms.shape[0]):
        row[layout.terms[k].number] = found[layout.terms[k].row]
    for b in range(layout.bodies.shape[0]):
        own_axes = load_symmetric(found, at.n_rows + MULTIPLIERS * b)
        store_symmetric(row, rows + MULTIPLIERS * b, congruence(matrix(layout.frames[b].axes), own_axes))
    return status
