"""Rates of planar closed trees with few free motions (`formulations/tree/loops/freedoms.py`), and states put back with their elimination."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.plane import across, add2, add_scaled2, cross2, dot2, load2, pair, store2, sub2, turned
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import set_angles
from poinsot.formulations.tree.loops.freedoms import (
    GAPS,
    accelerate_free,
    begin_reduced,
    begin_rows,
    correct_free,
    find_free,
    put_back,
    take_right,
)
from poinsot.formulations.tree.loops.projection_limits import moved_since
from poinsot.formulations.tree.plane.folding import weigh
from poinsot.formulations.tree.plane.inverse import accelerate_link, need_wrench
from poinsot.formulations.tree.plane.loops.openings import largest_opening, set_row_gaps
from poinsot.formulations.tree.plane.loops.rates import load_links, loose_rates
from poinsot.formulations.tree.plane.loops.scalars import (
    acceleration_of,
    approach,
    arms_of,
    between,
    blocks_of,
    gradient_of,
    rate_of,
    second_derivative,
    value_of,
)
from poinsot.formulations.tree.plane.motion import move_links, place_links
from poinsot.formulations.tree.plane.work import (
    AXIS,
    NEEDED,
    OFFSET,
    PLACE,
    PLANE_BLOCK,
    TURN,
)
from poinsot.integrators.capabilities import QUICK_NEARBY, QUICK_RATE
from poinsot.tables.records import N_Q
from poinsot.tables.types import DISTANT, OK, QUICK_SIGNATURE

LINK_MOTION = 3  # numbers of the motion of a link: its angular velocity, then its origin


@kernel
def accelerate_by(vdot, layout, work):
    """Accelerations of all links at those of their coordinates."""
    weigh(layout, work)
    for i in range(1, layout.plane_links.shape[0]):
        accelerate_link(layout.plane_links[i], i * PLANE_BLOCK, vdot[i - 1], work)


@kernel
def add_point(body, arm, size, first, second, layout, work):
    """Add the velocity of a point of a body's link at unit rates, times a size, to two rows of J."""
    i = layout.plane_bodies[body].link
    x = add2(load2(work, i * PLANE_BLOCK + PLACE), arm)
    while i > 0:
        link, base = layout.plane_links[i], i * PLANE_BLOCK
        if link.turn != 0.0:
            v = across(size * link.turn, sub2(x, load2(work, base + PLACE)))
        else:
            e = load2(work, base + AXIS)
            v = (size * e[0], size * e[1])
        work[first + i - 1] += v[0]
        work[second + i - 1] += v[1]
        i = link.parent


@kernel
def add_wrench(body, size, force, moment, first, layout, work):
    """Add a wrench about the origin of a body's link, times a size, to a row of J: what it does at unit rates."""
    i = layout.plane_bodies[body].link
    x = load2(work, i * PLANE_BLOCK + PLACE)
    while i > 0:
        link, base = layout.plane_links[i], i * PLANE_BLOCK
        if link.turn != 0.0:
            work[first + i - 1] += size * link.turn * (moment + cross2(sub2(x, load2(work, base + PLACE)), force))
        else:
            work[first + i - 1] += size * dot2(load2(work, base + AXIS), force)
        i = link.parent


@helper
def set_jacobian(layout, beside, work):
    """J, and the second derivatives of its rows at the accelerations of links in `work` as right-hand sides."""
    at, r, last, k = layout.places[0], -1, -1, 0
    start, width = begin_rows(layout, beside, work)
    while k < layout.terms.shape[0]:
        term = layout.plane_scalars[k]
        first = start + (r + 1) * width
        if term.point == 1:
            a, b = blocks_of(term, layout)
            arm_a, arm_b = arms_of(term, a, b, work)
            add_point(term.first, arm_a, -term.unit, first, first + width, layout, work)
            add_point(term.second, arm_b, term.unit, first, first + width, layout, work)
            bend = sub2(acceleration_of(b, arm_b, work), acceleration_of(a, arm_a, work))
            store2(work, at.right + r + 1, (term.unit * bend[0], term.unit * bend[1]))
            r, last, k = r + 2, -1, k + 2
            continue
        if term.row != last:
            r, last = r + 1, term.row
            work[at.right + r] = 0.0
        fa, na, fb, nb = gradient_of(term, layout, work)
        size, first = term.factor * term.unit, start + r * width
        add_wrench(term.first, size, fa, na, first, layout, work)
        add_wrench(term.second, size, fb, nb, first, layout, work)
        work[at.right + r] += size * second_derivative(term, layout, work)
        k += 1


@helper
def set_right(layout, what, work):
    """Gaps of the rows in use as right-hand sides, or their rates, at links that are placed."""
    at, r, last, k = layout.places[0], -1, -1, 0
    angles = work[own.configuration(at)]
    while k < layout.terms.shape[0]:
        term = layout.plane_scalars[k]
        if term.point == 1:
            a, b = blocks_of(term, layout)
            arm_a, arm_b = arms_of(term, a, b, work)
            d = between(a, arm_a, b, arm_b, work) if what == GAPS else approach(a, arm_a, b, arm_b, work)
            store2(work, at.right + r + 1, (term.unit * d[0], term.unit * d[1]))
            r, last, k = r + 2, -1, k + 2
            continue
        if term.row != last:
            r, last = r + 1, term.row
            work[at.right + r] = 0.0
        if what == GAPS:
            value = value_of(term, layout, work, angles[at.angles + term.angle] if term.angle >= 0 else 0.0)
        else:
            value = rate_of(term, layout, work)
        work[at.right + r] += term.factor * term.unit * value
        k += 1


@helper
def reduce(layout, factored, work):
    """Z'M Z and the right side of the free motions, at the accelerations in `particular`; the former only where it is not `factored`."""
    at, links = layout.places[0], layout.plane_links.shape[0]
    n, f = at.n_velocities, at.n_velocities - at.n_few
    side = begin_reduced(layout, factored, LINK_MOTION, work)
    for i in range(1, links):
        link, base = layout.plane_links[i], i * PLANE_BLOCK
        need_wrench(i, link, work[at.particular + i - 1], layout, work)
        moment, force = work[base + NEEDED], load2(work, base + NEEDED + 1)
        c, d = turned(load2(work, base + TURN), pair(link.moment)), load2(work, base + OFFSET)
        for j in range(f):
            k, parent = at.motions + LINK_MOTION * (j * links + i), at.motions + LINK_MOTION * (j * links + link.parent)
            rate, turn = work[at.free_motions + j * n + i - 1], work[parent]
            v = add2(load2(work, parent + 1), across(turn, d))
            if link.turn != 0.0:
                turn += link.turn * rate
            else:
                v = add_scaled2(v, rate, load2(work, base + AXIS))
            work[k] = turn
            store2(work, k + 1, v)
            work[side + j] -= turn * moment + dot2(v, force)
            if not factored:
                about, along = link.inertia * turn + cross2(c, v), add_scaled2(across(turn, c), link.mass, v)
                for other in range(j + 1):
                    k = at.motions + LINK_MOTION * (other * links + i)
                    work[at.reduced + j * f + other] += work[k] * about + dot2(load2(work, k + 1), along)


@helper
def rate(t, y, beside, layout, work, ydot):
    """The derivative of y, or DISTANT; `beside`: from that at a state close by, in ydot, at links that were put back from there."""
    at, nq, last = layout.places[0], layout.sizes[N_Q], ydot.shape[0] - 1
    vdot = ydot[nq:last]
    if beside:
        move_links(y, layout, work)
    else:
        place_links(y, layout, work)
        for k in range(at.n_velocities):
            vdot[k] = 0.0
    accelerate_by(vdot, layout, work)
    set_jacobian(layout, beside, work)
    for k in range(at.n_velocities):
        work[at.particular + k] = vdot[k]
    if not (correct_free(layout, work) if beside else find_free(layout, work)):
        return DISTANT
    status = load_links(t, y, layout, work, ydot[last:])
    if status == OK:
        reduce(layout, beside, work)
        accelerate_free(layout, beside, work, vdot)
        for k in range(nq):
            ydot[k] = y[nq + k]
        loose_rates(layout, work, ydot)
        ydot[at.efforts] = 0.0
        controls_out(layout, 1, ydot)
    return status


@helper
def place(y, layout, work):
    """Links at the state y. Returns the largest opening of rows that are left out."""
    at = layout.places[0]
    place_links(y, layout, work)
    set_angles(y, layout, work[own.configuration(at)])
    if layout.left_out.shape[0] == 0:
        return 0.0
    set_row_gaps(layout, layout.terms.shape[0] + layout.left_out.shape[0], work)
    return largest_opening(layout.left_out, work[places.all_row_gaps(at)])


@helper
def shift(y, layout, work):
    """Correct positions that miss the rows by the right-hand sides."""
    take_right(layout, work, y[: layout.sizes[N_Q]])


@compiled(QUICK_SIGNATURE)
def quick(task, t, y, layout, work, room):
    """See `Quick` in `integrators/capabilities.py`."""
    at = layout.places[0]
    if task == QUICK_RATE and near_singular(y, layout):
        return DISTANT
    if task in (QUICK_RATE, QUICK_NEARBY):
        work[at.pivot] = 1.0
        return rate(t, y, task == QUICK_NEARBY, layout, work, room)
    if not put_back(place, set_right, shift, move_links, y, moved_since(room), layout, work):
        return DISTANT
    return accepted(OK, y, layout, work)
