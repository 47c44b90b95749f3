"""Rates of closed trees in space with few free motions (`freedoms.py`), and states put back with their elimination."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, column, load33, load_symmetric
from poinsot.algebra.vectors import add, add_scaled, cross, dot, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import centre
from poinsot.elements.feedback import controls_out
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import bias_of, gradient_of, value_of
from poinsot.formulations.absolute.openings import left_open, point_gap
from poinsot.formulations.absolute.put_back import accepted, near_singular
from poinsot.formulations.absolute.rows import arms
from poinsot.formulations.tree.folding import external, still_ground
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import loose_rates, normalise_balls
from poinsot.formulations.tree.loops.dynamics import seen_accelerations
from poinsot.formulations.tree.loops.freedoms import (
    GAPS,
    accelerate_free,
    begin_reduced,
    begin_rows,
    correct_free,
    find_free,
    particular,
    put_back,
    take_right,
)
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.formulations.tree.loops.projection import move, point_velocity
from poinsot.formulations.tree.loops.projection_limits import moved_since
from poinsot.formulations.tree.loops.rows import point_acceleration
from poinsot.formulations.tree.loops.seen import move_seen, place_seen
from poinsot.formulations.tree.motion import coordinate_rates, load_turn, outward
from poinsot.formulations.tree.work import ACCELERATION, ALPHA, ATTITUDE, BLOCK, ETA, OMEGA, PLACE, ZETA, world_block
from poinsot.integrators.capabilities import QUICK_NEARBY, QUICK_RATE
from poinsot.tables.records import BALL, HELICAL, N_Q, N_WRENCHES
from poinsot.tables.types import DISTANT, OK, QUICK_SIGNATURE

LINK_MOTION = 6  # numbers of the motion of a link: of its angular velocity, then of its origin, in its axes


@kernel
def moved_with(link, E, d, alpha, a, rates, k):
    """Motion of a link in its axes, without products of velocities, from that of its parent and from rates[k], ... of its coordinates."""
    a = apply_transposed(E, add(a, cross(alpha, d)))
    alpha = apply_transposed(E, alpha)
    if link.kind == HELICAL:
        rate = rates[k]
        return (alpha[0], alpha[1], alpha[2] + link.rot * rate), (a[0], a[1], a[2] + link.lin * rate)
    elif link.kind == BALL:  # one return per kind
        return add(alpha, load3(rates, k)), a
    else:
        return alpha, add(a, load3(rates, k))


@kernel
def accelerate_link(i, link, vdot, work):
    """Acceleration of link i at those of its coordinates, written to its block and returned; products of velocities are there."""
    base, parent = i * BLOCK, link.parent * BLOCK
    E, d = load_turn(work, i)
    alpha, a = moved_with(link, E, d, load3(work, parent + ALPHA), load3(work, parent + ACCELERATION), vdot, link.iv)
    alpha, a = add(alpha, load3(work, base + ETA)), add(a, load3(work, base + ZETA))
    store3(work, base + ALPHA, alpha)
    store3(work, base + ACCELERATION, a)
    return alpha, a


@helper
def accelerate_by(y, vdot, layout, work):
    """Products of velocities and accelerations of all links, and accelerations of the bodies that rows see, at those of the coordinates."""
    nq = layout.sizes[N_Q]
    still_ground(layout, work)
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        outward(i, link, y, nq, True, work)
        accelerate_link(i, link, vdot, work)
    seen_accelerations(layout, work, work[places.push(layout.places[0])])


@kernel
def add_column(work, first, width, k, v):
    """Add a vector to three rows of J, for the rate k."""
    work[first + k] += v[0]
    work[first + width + k] += v[1]
    work[first + 2 * width + k] += v[2]


@kernel
def add_point(body, arm, size, first, width, layout, configuration, work):
    """Add the velocity of a point of a body at unit rates, times a size, to three rows of J."""
    i, x = layout.bodies[body].link, add(centre(configuration, body), arm)
    while i > 0:
        link, base = layout.links[i], world_block(layout, i)
        R, away = load33(work, base + ATTITUDE), sub(x, load3(work, base + PLACE))
        if link.kind == HELICAL:
            e = column(R, 2)
            add_column(work, first, width, link.iv, scale(size, add_scaled(scale(link.lin, e), link.rot, cross(e, away))))
        else:
            for k in range(3):
                e = (R[0][k], R[1][k], R[2][k])
                add_column(work, first, width, link.iv + k, scale(size, cross(e, away) if link.kind == BALL else e))
        i = link.parent


@kernel
def add_wrench(body, size, force, moment, first, layout, configuration, work):
    """Add a wrench about the centre of mass of a body, times a size, to a row of J: what it does at unit rates."""
    i, x = layout.bodies[body].link, centre(configuration, body)
    while i > 0:
        link, base = layout.links[i], world_block(layout, i)
        R = load33(work, base + ATTITUDE)
        about = add(moment, cross(sub(x, load3(work, base + PLACE)), force))
        if link.kind == HELICAL:
            e = column(R, 2)
            work[first + link.iv] += size * (link.rot * dot(e, about) + link.lin * dot(e, force))
        else:
            part = apply_transposed(R, about if link.kind == BALL else force)
            for k in range(3):
                work[first + link.iv + k] += size * part[k]
        i = link.parent


@helper
def set_jacobian(layout, beside, work):
    """J, and the second derivatives of its rows at the accelerations of bodies in `push` as right-hand sides."""
    at, r, last, n = layout.places[0], -1, -1, 0
    configuration, twists, accelerations = work[own.configuration(at)], work[places.twists(at)], work[places.push(at)]
    start, width = begin_rows(layout, beside, work)
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            first = start + (r + 1) * width
            arm_a, arm_b = arms(term, configuration)
            add_point(term.first, arm_a, -term.unit, first, width, layout, configuration, work)
            add_point(term.second, arm_b, term.unit, first, width, layout, configuration, work)
            bend = point_acceleration(term.first, arm_a, twists, accelerations)
            bend = sub(point_acceleration(term.second, arm_b, twists, accelerations), bend)
            store3(work, at.right + r + 1, scale(term.unit, bend))
            r, last, n = r + 3, -1, n + 3
            continue
        if term.row != last:
            r, last = r + 1, term.row
            work[at.right + r] = 0.0
        gradient = gradient_of(term, layout, configuration, configuration)
        size, first = term.factor * term.unit, start + r * width
        add_wrench(term.first, size, gradient[0], gradient[1], first, layout, configuration, work)
        add_wrench(term.second, size, gradient[2], gradient[3], first, layout, configuration, work)
        change = pair_rate(gradient, accelerations, term.first, term.second)
        work[at.right + r] += size * (change + bias_of(term, layout, configuration, twists))
        n += 1


@helper
def set_right(layout, what, work):
    """Gaps of the rows in use as right-hand sides, or their rates, at bodies that are placed."""
    at, r, last, n = layout.places[0], -1, -1, 0
    configuration, twists = work[own.configuration(at)], work[places.twists(at)]
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            if what == GAPS:
                d = point_gap(term, configuration)
            else:
                arm_a, arm_b = arms(term, configuration)
                d = sub(point_velocity(term.second, arm_b, twists), point_velocity(term.first, arm_a, twists))
            store3(work, at.right + r + 1, scale(term.unit, d))
            r, last, n = r + 3, -1, n + 3
            continue
        if term.row != last:
            r, last = r + 1, term.row
            work[at.right + r] = 0.0
        if what == GAPS:
            value = value_of(term, layout, configuration, configuration, 0.0)
        else:
            gradient = gradient_of(term, layout, configuration, configuration)
            value = pair_rate(gradient, twists, term.first, term.second)
        work[at.right + r] += term.factor * term.unit * value
        n += 1


@helper
def reduce(layout, factored, work):
    """Z'M Z and the right side of the free motions, at the accelerations in `particular`; the former only where it is not `factored`."""
    at, links, wrenches = layout.places[0], layout.links.shape[0], layout.sizes[N_WRENCHES] > 0
    n, f = at.n_velocities, at.n_velocities - at.n_few
    side, given = begin_reduced(layout, factored, LINK_MOTION, work), work[particular(at)]
    for i in range(1, links):
        link = layout.links[i]
        alpha, a = accelerate_link(i, link, given, work)
        I, c, omega = load_symmetric(link.inertia, 0), vector(link.moment), load3(work, i * BLOCK + OMEGA)
        moment = add(add(apply(I, alpha), cross(omega, apply(I, omega))), cross(c, a))
        force = add(scale(link.mass, a), add(cross(alpha, c), cross(omega, cross(omega, c))))
        if wrenches:
            moment_from, force_from = external(i, layout, work)
            moment, force = sub(moment, moment_from), sub(force, force_from)
        E, d = load_turn(work, i)
        for j in range(f):
            k, parent = at.motions + LINK_MOTION * (j * links + i), at.motions + LINK_MOTION * (j * links + link.parent)
            turn, v = moved_with(link, E, d, load3(work, parent), load3(work, parent + 3), work, at.free_motions + j * n + link.iv)
            store3(work, k, turn)
            store3(work, k + 3, v)
            work[side + j] -= dot(turn, moment) + dot(v, force)
            if not factored:
                about, along = add(apply(I, turn), cross(c, v)), add(scale(link.mass, v), cross(turn, c))
                for other in range(j + 1):
                    k = at.motions + LINK_MOTION * (other * links + i)
                    work[at.reduced + j * f + other] += dot(load3(work, k), about) + dot(load3(work, k + 3), along)


@helper
def rate(t, y, beside, layout, work, ydot):
    """The derivative of y, or DISTANT; `beside`: from that at a state close by, in ydot, at bodies that were put back from there."""
    at, nq, last = layout.places[0], layout.sizes[N_Q], ydot.shape[0] - 1
    vdot = ydot[nq:last]
    if not beside:
        place_seen(y, layout, work)
        for k in range(at.n_velocities):
            vdot[k] = 0.0
    accelerate_by(y, vdot, layout, work)
    set_jacobian(layout, beside, work)
    for k in range(at.n_velocities):
        work[at.particular + k] = vdot[k]
    if not (correct_free(layout, work) if beside else find_free(layout, work)):
        return DISTANT
    status = apply_closed_loads(t, y, layout, work, True, ydot[last:])
    if status == OK:
        reduce(layout, beside, work)
        accelerate_free(layout, beside, work, vdot)
        coordinate_rates(y, layout, ydot)
        loose_rates(layout, work, ydot)
        ydot[at.efforts] = 0.0
        controls_out(layout, 1, ydot)
    return status


@helper
def place(y, layout, work):
    """Bodies at the state y. Returns the largest opening of rows that are left out."""
    place_seen(y, layout, work)
    return left_open(work[own.configuration(layout.places[0])], layout, work) if layout.left_out.shape[0] > 0 else 0.0


@helper
def shift(y, layout, work):
    """Correct positions that miss the rows by the right-hand sides."""
    moves = work[particular(layout.places[0])]
    for k in range(moves.shape[0]):
        moves[k] = 0.0
    take_right(layout, work, moves)
    move(y, layout, moves)


@compiled(QUICK_SIGNATURE)
def quick(task, t, y, layout, work, room):
    """See `Quick` in `integrators/capabilities.py`."""
    at = layout.places[0]
    if task == QUICK_RATE and near_singular(y, layout):
        return DISTANT
    if task in (QUICK_RATE, QUICK_NEARBY):
        work[at.pivot] = 1.0
        return rate(t, y, task == QUICK_NEARBY, layout, work, room)
    normalise_balls(y, layout)
    if not put_back(place, set_right, shift, move_seen, y, moved_since(room), layout, work):
        return DISTANT
    return accepted(OK, y, layout, work)
