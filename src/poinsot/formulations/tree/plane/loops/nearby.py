"""The rate of a planar closed tree at a state close to one at which it is known: `formulations/tree/loops/nearby.py`, in the plane."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.plane import (
    across,
    add2,
    add_scaled2,
    cross2,
    dot2,
    increase2,
    load2,
    pair,
    scale2,
    store2,
    turned,
)
from poinsot.algebra.vectors import load3
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.put_back import near_singular
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import set_angles
from poinsot.formulations.tree.loops.loads import sum_closed_loads
from poinsot.formulations.tree.loops.nearness import MOST, NOT_AT_ALL, ends, quotient
from poinsot.formulations.tree.loops.projection_limits import CLEAR
from poinsot.formulations.tree.motion import loads_place
from poinsot.formulations.tree.plane.bodies import collect_wrenches, fill_states
from poinsot.formulations.tree.plane.folding import accelerate_links, weigh
from poinsot.formulations.tree.plane.loops.projection import stand_still
from poinsot.formulations.tree.plane.loops.rates import loose_rates
from poinsot.formulations.tree.plane.loops.rows import LEG, push_joints, set_rows
from poinsot.formulations.tree.plane.motion import move_links
from poinsot.formulations.tree.plane.work import (
    ACCELERATION,
    ALPHA,
    AXIS,
    EXTERNAL,
    FREE,
    GAIN,
    NEEDED,
    OFFSET,
    PLANE_BLOCK,
    PRODUCTS,
    ROOT,
    SPIN,
    TURN,
)
from poinsot.formulations.tree.work import efforts_block, slots_block, spare_block
from poinsot.linear.cholesky import solve
from poinsot.linear.pattern import GROUPS, LEG_BODY, LEG_START
from poinsot.tables.records import N_Q, N_WRENCHES
from poinsot.tables.types import FAR, OK, RATE_SIGNATURE


@helper
def need_wrenches(vdot, layout, work):
    """Accelerations of all links at those of coordinates, vdot, and the wrenches that their inertia needs, less the external ones."""
    weigh(layout, work)
    for i in range(1, layout.plane_links.shape[0]):
        link = layout.plane_links[i]
        base, parent = i * PLANE_BLOCK, link.parent * PLANE_BLOCK
        alpha, w, m = work[parent + ALPHA], work[base + SPIN], link.mass
        a = add2(load2(work, parent + ACCELERATION), across(alpha, load2(work, base + OFFSET)))
        a = add2(a, load2(work, base + PRODUCTS))
        if link.turn != 0.0:
            alpha += link.turn * vdot[i - 1]
        else:
            a = add_scaled2(a, vdot[i - 1], load2(work, base + AXIS))
        work[base + ALPHA] = alpha
        store2(work, base + ACCELERATION, a)
        c = turned(load2(work, base + TURN), pair(link.moment))
        n, f = link.inertia * alpha + cross2(c, a), add2(scale2(m, a), add_scaled2(across(alpha, c), -w * w, c))
        if layout.sizes[N_WRENCHES] > 0:
            n, f = n - work[base + EXTERNAL], add_scaled2(f, -1.0, load2(work, base + EXTERNAL + 1))
        work[base + NEEDED] = n
        store2(work, base + NEEDED + 1, f)


@helper
def add_row_wrenches(layout, work):
    """Add the wrenches of all rows, times the multipliers, to those that links need."""
    at, p = layout.places[0], layout.pattern
    legs, multipliers = work[places.legs(at)], work[own.multipliers(at)]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        for row in range(3):
            for leg in range(p[start + t], p[start + t + 1]):
                base, k, size = p[on + leg] * PLANE_BLOCK + NEEDED, LEG * leg + 3 * row, multipliers[3 * t + row]
                work[base] += size * legs[k + 2]
                increase2(work, base + 1, scale2(size, load2(legs, k)))


@helper
def eliminate_wrenches(layout, work):
    """Eliminate all joints with the gains that there are, under the efforts and the needed wrenches in `work`.

    `pushes` becomes the roots times what efforts exceed at the joints.
    """
    efforts, pushes = efforts_block(layout), work[own.pushes(layout.places[0])]
    for i in range(layout.plane_links.shape[0] - 1, 0, -1):
        link, base = layout.plane_links[i], i * PLANE_BLOCK
        n, f, g, tau = work[base + NEEDED], load2(work, base + NEEDED + 1), load2(work, base + GAIN + 1), work[efforts + i - 1]
        if link.turn != 0.0:
            tau *= link.turn
            left = tau - n
            n = tau
        else:
            left = tau - dot2(load2(work, base + AXIS), f)
            n += left * work[base + GAIN]
        f = add_scaled2(f, left, g)
        pushes[i - 1] = work[base + ROOT] * left
        if link.parent > 0:
            parent = link.parent * PLANE_BLOCK + NEEDED
            work[parent] += n + cross2(load2(work, base + OFFSET), f)
            increase2(work, parent + 1, f)


@helper
def add_row_changes(layout, work):
    """Add Y times `pushes` to `step`: what rows change by when the joints are free."""
    at, p = layout.places[0], layout.pattern
    weighted, step, pushes = work[places.weighted(at)], work[places.step(at)], work[own.pushes(at)]
    start, on = p[LEG_START], p[LEG_BODY]
    for t in range(p[GROUPS]):
        for leg in range(p[start + t], p[start + t + 1]):
            push, (x, y, z) = pushes[p[on + leg] - 1], load3(weighted, 3 * leg)
            step[3 * t] += push * x
            step[3 * t + 1] += push * y
            step[3 * t + 2] += push * z


@helper
def correct(vdot, layout, work, change):
    """One correction of the accelerations vdot and of the multipliers in `work`, of links that are placed under loads that are applied.

    change[nq:nq+nv] is that of the accelerations.
    """
    at, nq = layout.places[0], layout.sizes[N_Q]
    step, multipliers, pushes = work[places.step(at)], work[own.multipliers(at)], work[own.pushes(at)]
    need_wrenches(vdot, layout, work)
    set_rows(layout, True, work)
    add_row_wrenches(layout, work)
    eliminate_wrenches(layout, work)
    add_row_changes(layout, work)
    solve(layout.pattern, work[places.factor(at)], step)
    stand_still(layout, work)
    for i in range(1, layout.plane_links.shape[0]):
        work[i * PLANE_BLOCK + FREE] = work[i * PLANE_BLOCK + ROOT] * pushes[i - 1]
    push_joints(layout, work)
    accelerate_links(layout, work, change)
    for k in range(step.shape[0]):
        multipliers[k] += step[k]
    for k in range(pushes.shape[0]):
        vdot[k] += change[nq + k]


@kernel
def ratio(layout, change, whole):
    """Largest entry of `change` relative to the largest of `whole`, both in joint rates: of turns and of slides, the larger one."""
    turns, turned, slides, slid = 0.0, 0.0, 0.0, 0.0
    for i in range(1, layout.plane_links.shape[0]):
        if layout.plane_links[i].turn != 0.0:
            turns, turned = max(turns, abs(change[i - 1])), max(turned, abs(whole[i - 1]))
        else:
            slides, slid = max(slides, abs(change[i - 1])), max(slid, abs(whole[i - 1]))
    return max(quotient(turns, turned), quotient(slides, slid))


@compiled(RATE_SIGNATURE)
def rate_nearby(t, y, layout, work, ydot):
    """What `velocity_rate` of `rates.py` gives, from the derivative at a state close to y in ydot (`Rates.nearby`)."""
    if near_singular(y, layout) or work[layout.places[0].pivot] < CLEAR:
        return FAR
    nq, last = layout.sizes[N_Q], ydot.shape[0] - 1
    if loads_place(layout):
        fill_states(layout, work)
        set_angles(y, layout, work[own.configuration(layout.places[0])])
    status = sum_closed_loads(t, y, layout, work, True, ydot[last:])
    if status != OK:
        return status
    if layout.sizes[N_WRENCHES] > 0:
        collect_wrenches(layout, work)
    vdot, change, before = ydot[nq:last], work[spare_block(layout) : slots_block(layout)], 0.0
    for k in range(MOST):
        if k > 0:
            move_links(y, layout, work)
        correct(vdot, layout, work, change)
        part = ratio(layout, change[nq:], vdot)
        if ends(k, part, before):
            loose_rates(layout, work, ydot)
            ydot[layout.places[0].efforts] = 0.0
            controls_out(layout, 1, ydot)
            return OK
        if not part <= NOT_AT_ALL:  # also true for NaN
            return FAR
        before = part
    return FAR
