"""The rate of a planar closed tree at a state close to one at which it is known: `formulations/tree/loops/nearby.py` in the plane."""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import compiled, helper, internal
from poinsot.algebra.plane import add_scaled2, cross2, dot2, increase2, load2
from poinsot.algebra.vectors import dot, load3
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.put_back import near_singular
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.corrections import MOST, NOT_AT_ALL, is_last, ratio
from poinsot.formulations.tree.loops.projection_limits import CLEAR
from poinsot.formulations.tree.plane.folding import accelerate_links, weigh
from poinsot.formulations.tree.plane.inverse import need_wrench
from poinsot.formulations.tree.plane.loops.projection import rest
from poinsot.formulations.tree.plane.loops.rates import load_links, loose_rates
from poinsot.formulations.tree.plane.loops.rows import LEG, set_rows
from poinsot.formulations.tree.plane.motion import move_links
from poinsot.formulations.tree.plane.work import (
    AXIS,
    FREE,
    GAIN,
    NEEDED,
    OFFSET,
    PLANE_BLOCK,
    ROOT,
)
from poinsot.formulations.tree.work import efforts_block, slots_block, spare_block
from poinsot.linear.cholesky import solve
from poinsot.linear.pattern import GROUPS, LEG_BODY, LEG_START
from poinsot.tables.records import N_Q, N_V
from poinsot.tables.types import DISTANT, FLOATS, LAYOUT, OK, RATE_SIGNATURE


@helper
def add_row_wrenches(layout, work):
    """Add the wrenches of all rows, times the multipliers, to those that links need."""
    at, p = layout.places[0], layout.pattern
    legs, multipliers = work[places.legs(at)], work[own.multipliers(at)]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        size = load3(multipliers, 3 * t)
        for leg in range(p[start + t], p[start + t + 1]):
            k, base = LEG * leg, p[on + leg] * PLANE_BLOCK
            for row in range(3):
                work[base + NEEDED] += size[row] * legs[k + 3 * row + 2]
                increase2(work, base + NEEDED + 1, (size[row] * legs[k + 3 * row], size[row] * legs[k + 3 * row + 1]))


@helper
def eliminate_wrenches(layout, work):
    """Eliminate all joints with the gains that there are; `pushes` becomes ROOT times what efforts exceed at the joints."""
    efforts, pushes = efforts_block(layout), work[own.pushes(layout.places[0])]
    for i in range(layout.plane_links.shape[0] - 1, 0, -1):
        link, base = layout.plane_links[i], i * PLANE_BLOCK
        tau, n, f = work[efforts + i - 1], work[base + NEEDED], load2(work, base + NEEDED + 1)
        if link.turn != 0.0:
            tau = link.turn * tau
            over = tau - n
            n = tau
        else:
            over = tau - dot2(load2(work, base + AXIS), f)
            n += over * work[base + GAIN]
        f = add_scaled2(f, over, load2(work, base + GAIN + 1))
        pushes[i - 1] = work[base + ROOT] * over
        if link.parent > 0:
            parent = link.parent * PLANE_BLOCK
            work[parent + NEEDED] += n + cross2(load2(work, base + OFFSET), f)
            increase2(work, parent + NEEDED + 1, f)


@helper
def solve_rows(layout, work):
    """Add Y times `pushes` to `step`, which becomes what is to be added to the multipliers; and take Y' times that from `pushes`."""
    at, p = layout.places[0], layout.pattern
    weighted, step, pushes = work[places.weighted(at)], work[places.step(at)], work[own.pushes(at)]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        for leg in range(p[start + t], p[start + t + 1]):
            for row in range(3):
                step[3 * t + row] += pushes[p[on + leg] - 1] * weighted[3 * leg + row]
    solve(p, work[places.factor(at)], step)
    for t in range(p[GROUPS]):
        for leg in range(p[start + t], p[start + t + 1]):
            pushes[p[on + leg] - 1] -= dot(load3(step, 3 * t), load3(weighted, 3 * leg))


@internal(void(FLOATS, LAYOUT, FLOATS, FLOATS))
def correct(vdot, layout, work, change):
    """One correction of the accelerations vdot and of the multipliers in `work`, of links that are placed, under loads that are applied.

    change[nq:nq+nv] is that of the accelerations.
    """
    at, nq = layout.places[0], layout.sizes[N_Q]
    step, multipliers, pushes = work[places.step(at)], work[own.multipliers(at)], work[own.pushes(at)]
    weigh(layout, work)
    for i in range(1, layout.plane_links.shape[0]):
        need_wrench(i, layout.plane_links[i], vdot[i - 1], layout, work)
    set_rows(layout, True, work)
    add_row_wrenches(layout, work)
    eliminate_wrenches(layout, work)
    solve_rows(layout, work)
    rest(layout, work)
    for i in range(1, layout.plane_links.shape[0]):
        work[i * PLANE_BLOCK + FREE] = work[i * PLANE_BLOCK + ROOT] * pushes[i - 1]
    accelerate_links(layout, work, change)
    for k in range(step.shape[0]):
        multipliers[k] += step[k]
    for k in range(layout.sizes[N_V]):
        vdot[k] += change[nq + k]


@compiled(RATE_SIGNATURE)
def rate_nearby(t, y, layout, work, ydot):
    """What `velocity_rate` of `rates.py` gives, from the derivative at a state close to y in ydot (`Rates.nearby`)."""
    if near_singular(y, layout) or work[layout.places[0].pivot] < CLEAR:
        return DISTANT
    nq, last = layout.sizes[N_Q], ydot.shape[0] - 1
    move_links(y, layout, work)  # a projection left them placed, without products of velocities
    status = load_links(t, y, layout, work, ydot[last:])
    if status != OK:
        return status
    vdot, change, before = ydot[nq:last], work[spare_block(layout) : slots_block(layout)], 0.0
    for k in range(MOST):
        if k > 0:
            move_links(y, layout, work)  # products of velocities, which the correction before left out
        correct(vdot, layout, work, change)
        part = ratio(layout, change[nq:], vdot)
        if is_last(k, part, before):
            loose_rates(layout, work, ydot)
            ydot[layout.places[0].efforts] = 0.0
            controls_out(layout, 1, ydot)
            return OK
        if not part <= NOT_AT_ALL:  # also true for NaN
            return DISTANT
        before = part
    return DISTANT
