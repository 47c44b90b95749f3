"""Drives of the closed tree: responses to the inputs, and the efforts that make the outputs follow (uhlar2008).

With outputs c and inputs e, whose gradients have the parts y_c and y_e on the tree (`rows.py`), the constrained tree responds to an effort by
w = y_e - Y' A^-1 Y y_e, and the output-input matrix is T = y_c w.
"""

from __future__ import annotations

from numba import int64

from poinsot.algebra.compile import helper, internal
from poinsot.algebra.vectors import add, cross, increase3, load3, store3, sub
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import gradient_of
from poinsot.formulations.absolute.drives import SINGULAR_PIVOT, follow
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.rows import add_pushes, add_rows_times, from_link, split, take_rows
from poinsot.formulations.tree.work import PLACE, world_block
from poinsot.linear.cholesky import solve
from poinsot.linear.dense import lu_factor, lu_solve
from poinsot.tables.records import HELICAL
from poinsot.tables.types import FLOATS, LAYOUT, OK, SINGULAR


@helper
def scalar_part(scalar, layout, work, part):
    """Part y of the gradient of a scalar on all joints between its bodies and the ground."""
    at, n = layout.places[0], layout.links.shape[0]
    configuration, passing = work[own.configuration(at)], work[own.passing(at, n)]
    for k in range(passing.shape[0]):
        passing[k] = 0.0
    fa, ma, fb, mb = gradient_of(scalar, layout, configuration, configuration)
    for body, force, moment in ((scalar.first, fa, ma), (scalar.second, fb, mb)):
        i = 6 * layout.bodies[body].link
        increase3(passing, i, force)
        increase3(passing, i + 3, add(moment, cross(from_link(body, layout, configuration, work), force)))
    for i in range(n - 1, 0, -1):
        link, world = layout.links[i], world_block(layout, i)
        y, force, moment = split(link, own.gains(at, i), world, load3(passing, 6 * i), load3(passing, 6 * i + 3), work)
        if link.kind == HELICAL:
            part[link.iv] = y[0]
        else:
            store3(part, link.iv, y)
        arm = sub(load3(work, world + PLACE), load3(work, world_block(layout, link.parent) + PLACE))
        increase3(passing, 6 * link.parent, force)
        increase3(passing, 6 * link.parent + 3, add(moment, cross(arm, force)))


@helper
def fill_matrix(layout, work):
    """Responses to all inputs, and the matrix T, where the rows are factored."""
    at = layout.places[0]
    matrix, drives = work[places.drive_matrix(at)], at.n_drives
    for k in range(drives):
        scalar_part(layout.outputs[k], layout, work, work[own.output_part(at, k)])
    for k in range(drives):
        response, multipliers = work[own.response(at, k)], work[own.response_multipliers(at, k)]
        scalar_part(layout.inputs[k], layout, work, response)
        for j in range(multipliers.shape[0]):
            multipliers[j] = 0.0
        add_rows_times(layout, work, response, multipliers)
        solve(layout.pattern, work[places.factor(at)], multipliers)
        take_rows(layout, work, multipliers, response)
        for c in range(drives):
            part, total = work[own.output_part(at, c)], 0.0
            for j in range(part.shape[0]):
                total += part[j] * response[j]
            matrix[c * drives + k] = total


@internal(int64(LAYOUT, FLOATS))
def build_drives(layout, work):
    """Responses to all inputs, with T factored, where the rows are factored. Returns a status."""
    at = layout.places[0]
    fill_matrix(layout, work)
    smallest = lu_factor(work[places.drive_matrix(at)], at.n_drives, work[places.drive_pivots(at)])
    return OK if smallest > SINGULAR_PIVOT else SINGULAR


@helper
def push_outputs(t, layout, work, order, motion):
    """Efforts, in `drive_gaps`, with which outputs follow their signals, added to the free accelerations at the joints. Returns a status.

    `motion` of the bodies without them: nothing (order 0), twists (1), accelerations (2).
    """
    at = layout.places[0]
    configuration, twists = work[own.configuration(at)], work[places.twists(at)]
    gaps, pushes = work[places.drive_gaps(at)], work[own.pushes(at)]
    status = follow(t, configuration, layout, work, order, twists, gaps)
    if status != OK:
        return status
    for c in range(at.n_drives):
        output = layout.outputs[c]
        if order > 0:
            gaps[c] += pair_rate(gradient_of(output, layout, configuration, configuration), motion, output.first, output.second)
        gaps[c] = -gaps[c]
    lu_solve(work[places.drive_matrix(at)], at.n_drives, work[places.drive_pivots(at)], gaps)
    for j in range(pushes.shape[0]):
        pushes[j] = 0.0
    for k in range(at.n_drives):
        response = work[own.response(at, k)]
        for j in range(pushes.shape[0]):
            pushes[j] += gaps[k] * response[j]
    add_pushes(layout, work, pushes)
    return OK
