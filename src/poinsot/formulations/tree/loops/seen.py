"""Bodies that rows or loads see, in the world: what steps in space need. Planar ones do not compile it."""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import internal
from poinsot.algebra.matrices import load33
from poinsot.algebra.vectors import add, cross, load3, store3, sub
from poinsot.elements.director_scalars import centre
from poinsot.elements.states import BODY_STATE, ORIGIN, SPIN, TWIST, VELOCITY
from poinsot.formulations.absolute import places
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import place_body, set_angles
from poinsot.formulations.tree.work import ATTITUDE as LINK_ATTITUDE
from poinsot.formulations.tree.work import PLACE, states_block, world_block
from poinsot.formulations.tree.work import SPIN as LINK_SPIN
from poinsot.formulations.tree.work import VELOCITY as LINK_VELOCITY
from poinsot.formulations.tree.world import link_motion, link_states
from poinsot.tables.records import N_Q
from poinsot.tables.types import FLOATS, LAYOUT


@internal(void(FLOATS, LAYOUT, FLOATS))
def place_seen(y, layout, work):
    """As `place_bodies`, of bodies only those that rows or loads see."""
    at, p, first = layout.places[0], layout.pattern, own.seen(layout)
    configuration, twists = work[own.configuration(at)], work[places.twists(at)]
    link_states(y, layout, work)
    for n in range(p[first]):
        place_body(p[first + 1 + n], layout, configuration, twists, work)
    set_angles(y, layout, configuration)


@internal(void(FLOATS, LAYOUT, FLOATS))
def move_seen(y, layout, work):
    """Velocities of links and of bodies seen, which are placed, with twists for the rows, at the rates in the state y."""
    rates, states = y[layout.sizes[N_Q] :], states_block(layout)
    configuration, twists = work[own.configuration(layout.places[0])], work[places.twists(layout.places[0])]
    for i in range(1, layout.links.shape[0]):
        link, base, parent = layout.links[i], world_block(layout, i), world_block(layout, layout.links[i].parent)
        arm = sub(load3(work, base + PLACE), load3(work, parent + PLACE))
        link_motion(link, rates, load33(work, base + LINK_ATTITUDE), arm, base, parent, work)
    p, first = layout.pattern, own.seen(layout)
    for n in range(p[first]):
        b = p[first + 1 + n]
        link, base = world_block(layout, layout.bodies[b].link), states + BODY_STATE * b
        velocity, spin, place = load3(work, link + LINK_VELOCITY), load3(work, link + LINK_SPIN), load3(work, link + PLACE)
        store3(work, base + VELOCITY, add(velocity, cross(spin, sub(load3(work, base + ORIGIN), place))))
        store3(work, base + SPIN, spin)
        store3(twists, TWIST * b, add(velocity, cross(spin, sub(centre(configuration, b), place))))
        store3(twists, TWIST * b + 3, spin)
