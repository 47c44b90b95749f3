"""States of links and bodies in the world, from the ground outward; and wrenches on bodies back into link frames."""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.matrices import IDENTITY, apply, apply_transposed, column, load33, matmul, matrix, store33
from poinsot.algebra.vectors import ZERO, add, add_scaled, cross, increase3, load3, store3, sub, vector
from poinsot.elements import states as body
from poinsot.formulations.tree.motion import load_turn, pose, store_turn
from poinsot.formulations.tree.work import (
    ATTITUDE,
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    PLACE,
    SPIN,
    VELOCITY,
    states_block,
    world_block,
    wrenches_block,
)
from poinsot.tables.records import BALL, HELICAL, N_Q
from poinsot.tables.types import FLOATS, LAYOUT


@kernel
def link_motion(link, rates, R, arm, base, parent, work):
    """Velocity of the origin and angular velocity of a link in the world, written to its world block; `arm`: from its parent's origin."""
    spin, j = load3(work, parent + SPIN), link.iv
    velocity = add(load3(work, parent + VELOCITY), cross(spin, arm))
    if link.kind == BALL:
        spin = add(spin, apply(R, load3(rates, j)))
    elif link.kind == HELICAL:
        axis = column(R, 2)
        spin, velocity = add_scaled(spin, link.rot * rates[j], axis), add_scaled(velocity, link.lin * rates[j], axis)
    else:
        velocity = add(velocity, apply(R, load3(rates, j)))
    store3(work, base + VELOCITY, velocity)
    store3(work, base + SPIN, spin)


@kernel
def link_state(i, link, y, nq, layout, work):
    """Attitude, origin, velocity of the origin and angular velocity of link i in the world, written to its world block."""
    base, parent = world_block(layout, i), world_block(layout, link.parent)
    store_turn(work, i, pose(link, y))
    E, d = load_turn(work, i)
    outer = load33(work, parent + ATTITUDE)
    R, arm = matmul(outer, E), apply(outer, d)
    link_motion(link, y[nq:], R, arm, base, parent, work)
    store33(work, base + ATTITUDE, R)
    store3(work, base + PLACE, add(load3(work, parent + PLACE), arm))


@internal(void(FLOATS, LAYOUT, FLOATS))
def link_states(y, layout, work):
    """States of all links in the world at the state y, written to `work`."""
    nq = layout.sizes[N_Q]
    ground = world_block(layout, 0)
    store33(work, ground + ATTITUDE, IDENTITY)
    store3(work, ground + PLACE, ZERO)
    store3(work, ground + VELOCITY, ZERO)
    store3(work, ground + SPIN, ZERO)
    for i in range(1, layout.links.shape[0]):
        link_state(i, layout.links[i], y, nq, layout, work)


@kernel
def body_state(b, layout, work):
    """State of body b in the world, from that of its link, written to `work`."""
    base, link = states_block(layout) + b * body.BODY_STATE, world_block(layout, layout.bodies[b].link)
    R, spin = load33(work, link + ATTITUDE), load3(work, link + SPIN)
    arm = apply(R, vector(layout.bodies[b].origin))
    store3(work, base + body.ORIGIN, add(load3(work, link + PLACE), arm))
    store33(work, base + body.ATTITUDE, matmul(R, matrix(layout.bodies[b].rotation)))
    store3(work, base + body.VELOCITY, add(load3(work, link + VELOCITY), cross(spin, arm)))
    store3(work, base + body.SPIN, spin)


@internal(void(FLOATS, LAYOUT, FLOATS))
def world_states(y, layout, work):
    """States of all links and bodies in the world at the state y, written to `work`."""
    link_states(y, layout, work)
    for b in range(layout.bodies.shape[0]):
        body_state(b, layout, work)


@helper
def collect_wrenches(layout, work):
    """Sum the wrenches on bodies into the external wrench of their link, about its origin and in its axes."""
    for i in range(layout.links.shape[0]):
        base = world_block(layout, i)
        store3(work, base + EXTERNAL_FORCE, ZERO)
        store3(work, base + EXTERNAL_MOMENT, ZERO)
    states, wrenches = states_block(layout), wrenches_block(layout)
    for b in range(1, layout.bodies.shape[0]):
        base, state = world_block(layout, layout.bodies[b].link), states + b * body.BODY_STATE
        force, moment = load3(work, wrenches + b * body.WRENCH), load3(work, wrenches + b * body.WRENCH + 3)
        com = add(
            load3(work, state + body.ORIGIN), apply(load33(work, state + body.ATTITUDE), vector(layout.bodies[b].com))
        )
        R, arm = load33(work, base + ATTITUDE), sub(com, load3(work, base + PLACE))
        increase3(work, base + EXTERNAL_FORCE, apply_transposed(R, force))
        increase3(work, base + EXTERNAL_MOMENT, apply_transposed(R, add(moment, cross(arm, force))))
