"""From a state of the closed tree to bodies in the world: poses, twists, and the coordinates that rows need."""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.matrices import apply, load33, store33
from poinsot.algebra.quaternions import load4, normalised, store4
from poinsot.algebra.vectors import add, cross, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import SERIAL, centre
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, POSE, SPIN, TWIST, VELOCITY
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import STANDSTILL, gradient_of, serial, value_of
from poinsot.formulations.tree.coordinates import ball_to_joint
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.work import ATTITUDE as LINK_ATTITUDE
from poinsot.formulations.tree.work import PLACE, states_block, world_block
from poinsot.formulations.tree.work import SPIN as LINK_SPIN
from poinsot.formulations.tree.work import VELOCITY as LINK_VELOCITY
from poinsot.formulations.tree.world import body_state, link_motion, link_states
from poinsot.tables.records import BALL, HELICAL, N_Q, N_V
from poinsot.tables.types import FLOATS, LAYOUT


@helper
def set_angles(y, layout, configuration):
    """Coordinates near which those of rows and of joints that close loops are found: from the state, and from the tree."""
    p, angles = layout.pattern, layout.places[0].angles
    first, next_one = own.loose(layout), layout.sizes[N_Q] + layout.sizes[N_V]
    for n in range(p[first]):
        scalar, count = layout.coordinates[p[first + 1 + 2 * n]], p[first + 2 + 2 * n]
        place = angles + (int(scalar.a[2]) if scalar.kind == SERIAL else scalar.angle)
        for k in range(count):
            configuration[place + k] = y[next_one + k]
        next_one += count
    first = own.known(layout)
    for n in range(p[first]):
        motion, place = layout.motions[p[first + 1 + 2 * n]], angles + p[first + 2 + 2 * n]
        iq = layout.links[motion.link].iq
        if motion.kind == HELICAL:
            configuration[place] = motion.sign * y[iq]
        elif motion.kind == BALL:
            store4(configuration, place, ball_to_joint(motion, load4(y, iq)))
        else:
            store3(configuration, place, scale(motion.sign, load3(y, iq)))


@kernel
def place_body(b, layout, configuration, twists, work):
    """State of body b, whose link is placed, with its pose and twist for the rows."""
    body_state(b, layout, work)
    base = states_block(layout) + BODY_STATE * b
    R, spin = load33(work, base + ATTITUDE), load3(work, base + SPIN)
    arm = apply(R, vector(layout.bodies[b].com))
    store3(configuration, POSE * b, add(load3(work, base + ORIGIN), arm))
    store33(configuration, POSE * b + 3, R)
    store3(twists, TWIST * b, add(load3(work, base + VELOCITY), cross(spin, arm)))
    store3(twists, TWIST * b + 3, spin)


@internal(void(FLOATS, LAYOUT, FLOATS))
def place_bodies(y, layout, work):
    """Links and bodies in the world at the state y, with poses, twists and coordinates for the rows, written to `work`."""
    at = layout.places[0]
    configuration, twists = work[own.configuration(at)], work[places.twists(at)]
    link_states(y, layout, work)
    for b in range(layout.bodies.shape[0]):
        place_body(b, layout, configuration, twists, work)
    set_angles(y, layout, configuration)


@internal(void(FLOATS, LAYOUT, FLOATS))
def place_seen(y, layout, work):
    """The same, of bodies only those that rows or loads see."""
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


@helper
def loose_rates(layout, work, ydot):
    """Rates of the numbers that the state has of joints that close loops; those of joints in series are found only after every step."""
    at, p = layout.places[0], layout.pattern
    configuration, twists = work[own.configuration(at)], work[places.twists(at)]
    first, next_one = own.loose(layout), layout.sizes[N_Q] + layout.sizes[N_V]
    for n in range(p[first]):
        scalar, count = layout.coordinates[p[first + 1 + 2 * n]], p[first + 2 + 2 * n]
        for k in range(count):
            ydot[next_one + k] = 0.0
        if scalar.kind != SERIAL:
            gradient = gradient_of(scalar, layout, configuration, configuration)
            ydot[next_one] = pair_rate(gradient, twists, scalar.first, scalar.second)
        next_one += count


@helper
def keep_loose(y, layout, work):
    """Write the coordinates of joints that close loops into the state y, whose bodies are placed, near those that it has."""
    at, p = layout.places[0], layout.pattern
    configuration = work[own.configuration(at)]
    first, next_one = own.loose(layout), layout.sizes[N_Q] + layout.sizes[N_V]
    for n in range(p[first]):
        scalar, count = layout.coordinates[p[first + 1 + 2 * n]], p[first + 2 + 2 * n]
        if scalar.kind == SERIAL:
            found = serial(scalar, layout, configuration, configuration, STANDSTILL)
            for k in range(count):
                y[next_one + k] = found[k]
        else:
            y[next_one] = value_of(scalar, layout, configuration, configuration, 0.0)
        next_one += count


@helper
def normalise_balls(y, layout):
    """Quaternions of balls get unit length."""
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        if link.kind == BALL:
            store4(y, link.iq, normalised(load4(y, link.iq)))
