"""Rates of the variants whose multipliers are needed by themselves: found in one step, taken as printed, or held over a step."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.matrices import column, load33, load_symmetric, store33, transpose
from poinsot.algebra.vectors import add, load3, scale, store3
from poinsot.elements.director_scalars import POSE, directors
from poinsot.elements.feedback import controls_in, controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import keep_coordinates, rows_failed, rows_power, set_clock
from poinsot.formulations.absolute.reactions import applied
from poinsot.formulations.rotation_matrix import variant_places as own
from poinsot.formulations.rotation_matrix.lyapunov import along
from poinsot.formulations.rotation_matrix.multipliers import set_multipliers
from poinsot.formulations.rotation_matrix.point_forces import push_loads, push_rows
from poinsot.formulations.rotation_matrix.rates import back
from poinsot.formulations.rotation_matrix.twists import set_twists
from poinsot.formulations.rotation_matrix.variant_flags import FROZEN, UNPROJECTED
from poinsot.formulations.rotation_matrix.variant_places import MULTIPLIERS
from poinsot.integrators.stages import copy
from poinsot.tables.types import CALLBACK, OK, RATE_SIGNATURE


@helper
def set_accelerations(y, layout, work, ydot):
    """Accelerations of positions and directors under loads and multipliers, m x'' = f and D'' E = P + D L."""
    at = layout.places[0]
    found, pushed = work[own.multipliers(at)], work[own.pushed(at)]
    copy(work[own.loaded(at)], pushed)
    push_rows(y, layout, found[: at.n_rows], pushed)
    for b in range(1, layout.bodies.shape[0]):
        frame, k, D = layout.frames[b], POSE * b, directors(y, b)
        store3(ydot, at.velocities + k, scale(1.0 / frame.mass, load3(pushed, k)))
        L, P, E = load_symmetric(found, at.n_rows + MULTIPLIERS * b), load33(pushed, k + 3), frame.euler
        x = (column(D, 0), column(D, 1), column(D, 2))
        columns = (
            scale(1.0 / E[0], add(column(P, 0), along(x, L[0][0], L[1][0], L[2][0]))),
            scale(1.0 / E[1], add(column(P, 1), along(x, L[0][1], L[1][1], L[2][1]))),
            scale(1.0 / E[2], add(column(P, 2), along(x, L[0][2], L[1][2], L[2][2]))),
        )
        store33(ydot, at.velocities + k + 3, transpose(columns))


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """Accelerations of positions and directors, and the power of the loads."""
    at = layout.places[0]
    twists, forces, report = work[places.twists(at)], work[places.forces(at)], work[own.report(at, layout.loads.shape[0])]
    set_clock(layout, t)
    set_twists(y, layout, twists)
    controls_in(y, layout)
    status = applied(t, y, layout, work, twists, forces, report, True)
    if status != OK:
        return status
    push_loads(y, layout, forces, report, work[own.loaded(at)])
    frozen = at.variant & FROZEN
    if not frozen or work[own.held(at)] != y[own.step_number(at)]:
        status = set_multipliers(y, layout, work, twists, forces)
        if status != OK:
            return status
        if frozen:
            work[own.held(at)] = y[own.step_number(at)]
    for k in range(at.velocities, at.velocities + POSE):
        ydot[k] = 0.0
    for k in range(at.efforts, at.state):
        ydot[k] = 0.0
    ydot[at.state - 1] = report[0] + rows_power(layout, y, work[own.multipliers(at)])
    set_accelerations(y, layout, work, ydot)
    controls_out(layout, 1, ydot)
    return CALLBACK if rows_failed(layout) else OK


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    """Put an accepted state back onto the constraints, or leave it as it is; multipliers that are held belong to the past then."""
    at = layout.places[0]
    if at.variant & FROZEN:
        y[own.step_number(at)] += 1.0
    if at.variant & UNPROJECTED:
        keep_coordinates(layout, y, y)
        return OK
    return back(t, y, layout, work)
