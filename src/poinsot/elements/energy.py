"""Energies and momenta of all bodies from their states in the world, for every formulation."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply, apply_transposed, load33, load_symmetric
from poinsot.algebra.vectors import ZERO, add, cross, dot, load3, scale, store3, vector
from poinsot.elements.laws import joint_potential
from poinsot.elements.states import ATTITUDE, BODY_STATE, ORIGIN, SPIN, VELOCITY
from poinsot.elements.wrenches import is_wrench, wrench_potential
from poinsot.tables.records import BALL

# positions in a row of energies: kinetic and potential (J), momentum (kg m/s), angular momentum about the world origin (kg m^2/s)
KINETIC, POTENTIAL, MOMENTUM, ANGULAR = 0, 1, 2, 5
ENERGIES = 8


@helper
def body_terms(body, states, base):
    """Kinetic energy, centre of mass, momentum and angular momentum about the world origin of one body."""
    R, spin = load33(states, base + ATTITUDE), load3(states, base + SPIN)
    arm = apply(R, vector(body.com))
    place = add(load3(states, base + ORIGIN), arm)
    velocity = add(load3(states, base + VELOCITY), cross(spin, arm))
    local = apply_transposed(R, spin)
    own = apply(load_symmetric(body.inertia, 0), local)
    kinetic = 0.5 * (body.mass * dot(velocity, velocity) + dot(local, own))
    momentum = scale(body.mass, velocity)
    return kinetic, place, momentum, add(cross(place, momentum), apply(R, own))


@helper
def energies(layout, states, coordinates, out):
    """Fill the ENERGIES numbers of `out`; gravity's potential is zero at the world origin."""
    gravity = load3(layout.values, 0)
    kinetic, potential, momentum, angular = 0.0, 0.0, ZERO, ZERO
    for b in range(1, layout.bodies.shape[0]):
        part, place, p, spin = body_terms(layout.bodies[b], states, b * BODY_STATE)
        kinetic += part
        potential -= layout.bodies[b].mass * dot(gravity, place)
        momentum, angular = add(momentum, p), add(angular, spin)
    for k in range(layout.loads.shape[0]):
        load = layout.loads[k]
        if is_wrench(load):
            potential += wrench_potential(load, layout, states)
        else:
            motion = layout.motions[load.motion]
            potential += joint_potential(load, motion.kind == BALL, coordinates, motion.ic, layout)
    out[KINETIC], out[POTENTIAL] = kinetic, potential
    store3(out, MOMENTUM, momentum)
    store3(out, ANGULAR, angular)
