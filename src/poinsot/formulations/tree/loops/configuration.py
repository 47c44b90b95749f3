"""From a state of the closed tree to bodies in the world: poses, twists, and the coordinates that rows need."""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import helper, internal, kernel
from poinsot.algebra.matrices import apply, load33, store33
from poinsot.algebra.quaternions import load4, normalised, store4
from poinsot.algebra.vectors import add, cross, load3, scale, store3, vector
from poinsot.elements.director_scalars import SERIAL
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, POSE, SPIN, TWIST, VELOCITY
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import STANDSTILL, gradient_of, serial, value_of
from poinsot.formulations.tree.coordinates import ball_to_joint
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.work import states_block
from poinsot.formulations.tree.world import body_state, link_states
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
