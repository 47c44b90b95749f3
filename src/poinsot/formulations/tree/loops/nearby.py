"""The rate of a closed tree at a state close to one at which it is known.

With the accelerations a and multipliers l from there, what is left of the equations is solved with the elimination of the tree and the factor
of its rows from there, (M, J)~:

    M~ d + J~' m = F - M a - J' l,   J~ d = - (J a + bias),      a + d, l + m

All on the right is at the new state, by inverse dynamics, which costs a fraction of an elimination. Corrections contract by the relative change
of masses and rows between both states, which the size of the first one tells. They end at a thousandth of that.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import compiled, helper, internal
from poinsot.algebra.matrices import apply, apply_transposed, load33
from poinsot.algebra.vectors import add, add_scaled, cross, dot, increase3, load3, store3, sub
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import rows_failed, rows_power, set_clock
from poinsot.formulations.absolute.put_back import near_singular
from poinsot.formulations.tree.folding import still_ground
from poinsot.formulations.tree.inverse import move, subtract_external
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import loose_rates
from poinsot.formulations.tree.loops.corrections import MOST, NOT_AT_ALL, is_last, ratio
from poinsot.formulations.tree.loops.dynamics import seen_accelerations
from poinsot.formulations.tree.loops.folds import ROOT, accelerate_links, root_transposed
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.formulations.tree.loops.places import LEG
from poinsot.formulations.tree.loops.projection import rest
from poinsot.formulations.tree.loops.projection_limits import CLEAR
from poinsot.formulations.tree.loops.rows import add_pushes, add_rows_times, set_rows, take_rows
from poinsot.formulations.tree.motion import load_turn
from poinsot.formulations.tree.work import (
    ATTITUDE,
    BLOCK,
    FORCE,
    GAIN,
    MOMENT,
    efforts_block,
    slots_block,
    spare_block,
    world_block,
)
from poinsot.linear.cholesky import solve
from poinsot.linear.pattern import LEG_BODY, LEG_START
from poinsot.tables.records import BALL, HELICAL, N_Q, N_V, N_WRENCHES
from poinsot.tables.types import CALLBACK, DISTANT, FLOATS, LAYOUT, OK, RATE_SIGNATURE


@helper
def need_wrenches(y, vdot, layout, work):
    """Accelerations of all links at those of coordinates, vdot, and the wrenches that their inertia needs, less the external ones."""
    nq, wrenches = layout.sizes[N_Q], layout.sizes[N_WRENCHES] > 0
    still_ground(layout, work)
    for i in range(1, layout.links.shape[0]):
        move(i, layout.links[i], y, vdot, nq, True, work)
        if wrenches:
            subtract_external(i, layout, work)


@helper
def add_leg_wrench(layout, leg, size, legs, work):
    """Add the wrenches of the rows of a leg, times three numbers, to what its link needs; -1: the ground."""
    if leg >= 0:
        i, k = layout.pattern[layout.pattern[LEG_BODY] + leg], LEG * leg
        force = (dot(size, load3(legs, k)), dot(size, load3(legs, k + LANES)), dot(size, load3(legs, k + 2 * LANES)))
        k += 3 * LANES
        moment = (dot(size, load3(legs, k)), dot(size, load3(legs, k + LANES)), dot(size, load3(legs, k + 2 * LANES)))
        R = load33(work, world_block(layout, i) + ATTITUDE)
        increase3(work, i * BLOCK + FORCE, apply_transposed(R, force))
        increase3(work, i * BLOCK + MOMENT, apply_transposed(R, moment))


@helper
def add_row_wrenches(layout, work):
    """Add the wrenches of all rows, times the multipliers, to those that links need: group by group, points at their two bodies alone."""
    at, start = layout.places[0], layout.pattern[LEG_START]
    legs, multipliers = work[places.legs(at)], work[own.multipliers(at)]
    n, last = 0, -1
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        t = term.row // 3
        size = load3(multipliers, 3 * t)
        if term.point == 1:
            add_leg_wrench(layout, term.first_leg, size, legs, work)
            add_leg_wrench(layout, term.second_leg, size, legs, work)
            n += 3
            continue
        if t != last:
            for leg in range(layout.pattern[start + t], layout.pattern[start + t + 1]):
                add_leg_wrench(layout, leg, size, legs, work)
        last = t
        n += 1


@helper
def eliminate_wrenches(layout, work):
    """Eliminate all joints with the gains that there are, under the efforts and the needed wrenches in `work`.

    `pushes` becomes C' times what efforts exceed at the joints (`folds.py`).
    """
    at, efforts = layout.places[0], efforts_block(layout)
    pushes = work[own.pushes(at)]
    for i in range(layout.links.shape[0] - 1, 0, -1):
        link, base, root = layout.links[i], i * BLOCK, own.gains(at, i) + ROOT
        n, f = load3(work, base + MOMENT), load3(work, base + FORCE)
        if link.kind == HELICAL:
            left = work[efforts + link.iv] - link.rot * n[2] - link.lin * f[2]
            pushes[link.iv] = work[root] * left
            n, f = add_scaled(n, left, load3(work, base + GAIN)), add_scaled(f, left, load3(work, base + GAIN + 3))
        else:
            tau, K = load3(work, efforts + link.iv), load33(work, base + GAIN)
            if link.kind == BALL:
                over = sub(tau, n)
                n, f = tau, add(f, apply_transposed(K, over))
            else:
                over = sub(tau, f)
                n, f = add(n, apply(K, over)), tau
            store3(pushes, link.iv, root_transposed(work, root, over))
        if link.parent > 0:
            E, d = load_turn(work, i)
            f, parent = apply(E, f), link.parent * BLOCK
            increase3(work, parent + MOMENT, add(apply(E, n), cross(d, f)))
            increase3(work, parent + FORCE, f)


@internal(void(FLOATS, FLOATS, LAYOUT, FLOATS, FLOATS))
def correct(y, vdot, layout, work, change):
    """One correction of the accelerations vdot and of the multipliers in `work` at the state y, whose bodies are placed and loads applied.

    change[nq:nq+nv] is that of the accelerations.
    """
    at, nq = layout.places[0], layout.sizes[N_Q]
    step, multipliers, pushes = work[places.step(at)], work[own.multipliers(at)], work[own.pushes(at)]
    need_wrenches(y, vdot, layout, work)
    seen_accelerations(layout, work, work[places.push(at)])
    set_rows(layout, True, work)
    add_row_wrenches(layout, work)
    eliminate_wrenches(layout, work)
    add_rows_times(layout, work, pushes, step)
    solve(layout.pattern, work[places.factor(at)], step)
    take_rows(layout, work, step, pushes)
    rest(layout, work)
    add_pushes(layout, work, pushes)
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
    at, nq, last = layout.places[0], layout.sizes[N_Q], ydot.shape[0] - 1
    set_clock(layout, t)
    status = apply_closed_loads(t, y, layout, work, True, ydot[last:])
    if status != OK:
        return status
    vdot, change, before = ydot[nq:last], work[spare_block(layout) : slots_block(layout)], 0.0
    for k in range(MOST):
        correct(y, vdot, layout, work, change)
        part = ratio(layout, change[nq:], vdot)
        if is_last(k, part, before):
            loose_rates(layout, work, ydot)
            ydot[last] += rows_power(layout, work[own.configuration(at)], work[own.multipliers(at)])
            ydot[at.efforts] = 0.0
            controls_out(layout, 1, ydot)
            return CALLBACK if rows_failed(layout) else OK
        if not part <= NOT_AT_ALL:  # also true for NaN
            return DISTANT
        before = part
    return DISTANT
